/** The specification's ad-space link: the wizard with this ad zone selected. */
export function adSpaceLink(website: { publicId: string }, zone: { publicId: string }): string {
  return `/create-ad?website=${website.publicId}&zone=${zone.publicId}`;
}
