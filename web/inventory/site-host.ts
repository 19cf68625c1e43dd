/** 'https://www.example.com/blog/' -> 'example.com/blog'. */
export function siteHost(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}
