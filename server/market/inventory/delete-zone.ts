import type { Reference } from '#domain/fields.ts';
import { hasLiveAds, rejectPendingOfZone } from '#server/ads/life/close-account.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { hideZone, lockOwnZone } from './store.ts';

/**
 * Deletes a zone and rejects its pending ads with a reason. Throws 409 while the zone has ads that are live or may still
 * be paid for. The zone is hidden, never erased, so that both sides can still read its history. [OP-074]
 */
export async function deleteZone(
  ctx: Context,
  who: Caller,
  { params }: { params: { ref: Reference } },
): Promise<{ success: true }> {
  await ctx.db.transaction().execute(async (tx) => {
    const zone = await lockOwnZone(tx, params.ref, who.id);
    if (!zone) throw notFound('Ad zone not found. Please reload the page.');
    if (await hasLiveAds(tx, zone.id)) {
      throw conflict('This ad zone has active campaigns. Please wait for them to complete before deleting.');
    }
    await rejectPendingOfZone(ctx, tx, zone.id);
    await hideZone(tx, zone.id, ctx.now());
  });
  return { success: true };
}
