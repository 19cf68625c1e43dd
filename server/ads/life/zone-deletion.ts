import { ZONE_DELETED_REASON } from '#domain/ads/status.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notify } from '#server/notify/notify.ts';
import { lockOpenAdsOfZone, rejectPending } from '../store.ts';

/**
 * Whether a zone has ads that prevent its deletion: active ads, and approved ads, which may be paid at any moment. Locks
 * these ads, so that none goes live before the caller's transaction ends. The caller locks the zone itself. [OP-074]
 */
export async function hasLiveAds(tx: Tx, zoneId: number): Promise<boolean> {
  const statuses = await lockOpenAdsOfZone(tx, zoneId);
  return statuses.some((status) => status !== 'pending');
}

/** Rejects the zone's pending ads and notifies their advertisers. [OP-074] */
export async function rejectPendingOfZone(ctx: Context, tx: Tx, zoneId: number): Promise<void> {
  for (const adId of await rejectPending(tx, zoneId, ZONE_DELETED_REASON, ctx.now())) {
    await notify(ctx, tx, { kind: 'ad-rejected', adId, reason: ZONE_DELETED_REASON });
  }
}
