import type { AdMedia } from './media.ts';

/** The fields that an advertiser may change in a rejected ad. */
export type AdContent = AdMedia & { title: string; description: string; targetUrl: string };

/** Whether any field differs, which resubmission requires. [VAL-30] */
export function hasChanged(before: AdContent, after: AdContent): boolean {
  return (
    before.title !== after.title ||
    before.description !== after.description ||
    before.targetUrl !== after.targetUrl ||
    before.imageUrl !== after.imageUrl ||
    before.videoUrl !== after.videoUrl
  );
}
