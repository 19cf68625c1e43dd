import type { EndedReason } from '#domain/ads/ended.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { recordLastDay } from '../clock/clock-store.ts';
import { moveAd } from '../store.ts';

/**
 * Ends a running ad before everything was delivered. It disappears from pages within two seconds, as with any change; a
 * click on a copy that is still on a screen leads to the home page. Only the refunds call it, because the undelivered
 * part must go back (server/money/refunds/end.ts). Returns false if the ad is not running.
 */
export async function endAd(
  tx: Tx,
  adId: number,
  { endedReason, at, takenDownReason }: { endedReason: EndedReason; at: Date; takenDownReason?: string },
): Promise<boolean> {
  await recordLastDay(tx, adId, at);
  const isEnded = await moveAd(tx, adId, 'complete', at, {
    endDate: at,
    endedReason,
    ...(takenDownReason !== undefined && { takenDownReason }),
  });
  // It may have been the last running ad of a plan whose other ads are complete.
  if (isEnded) await enqueue(tx, 'tell-ended', { adId });
  return isEnded;
}
