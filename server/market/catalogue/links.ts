import { newPlanAddress } from '#domain/plans/shortlist.ts';

/** The specification's ad-space link: the wizard with this ad zone selected. */
export function adSpaceLink(website: { publicId: string }, zone: { publicId: string }): string {
  return `/create-ad?website=${website.publicId}&zone=${zone.publicId}`;
}

/** Adds the ad zone to the plan that the advertiser is building (domain/plans/shortlist.ts). */
export function addToPlanLink({ publicId }: { publicId: string }): string {
  return newPlanAddress([{ ref: publicId }]);
}
