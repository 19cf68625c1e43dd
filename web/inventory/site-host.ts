/** Shortens an address for display: 'https://www.example.com/blog/' becomes 'example.com/blog'. */
export function siteHost(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}
