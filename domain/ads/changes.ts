import type { AdMedia } from './media.ts';

/** What its advertiser may change in a rejected ad. */
export type AdContent = AdMedia & { title: string; description: string; targetUrl: string };

/** At least one field must be modified before resubmission (VAL-30). */
export function hasChanged(before: AdContent, after: AdContent): boolean {
  return (
    before.title !== after.title ||
    before.description !== after.description ||
    before.targetUrl !== after.targetUrl ||
    before.imageUrl !== after.imageUrl ||
    before.videoUrl !== after.videoUrl
  );
}
