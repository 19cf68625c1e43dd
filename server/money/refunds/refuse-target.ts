import type { Ad, refuseTarget } from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import { adDetails } from '#server/ads/read.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { endAndRefund } from './end.ts';

/**
 * Ends an ad whose target leads to another host than its publisher approved, and refunds the undelivered part. Throws 404,
 * or 409 if the ad is not running or not paused because of its target. [DEST-05]
 */
export async function refuse(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof refuseTarget>,
): Promise<Ad> {
  const adId = await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockPayableAd(tx, params.ref);
    if (!ad || ad.publisherId !== who.id) throw notFound('Ad not found. Please reload the page.');
    if (!ad.isTargetPaused)
      throw conflict('This ad is not paused because of its target. Please reload the page.');
    const ended = await endAndRefund(ctx, tx, {
      adId: ad.id,
      endedReason: 'target_refused',
      at: ctx.now(),
    });
    if (!ended)
      throw conflict(`This ad is ${ad.status}, so there is nothing to end. Please reload the page.`);
    return ad.id;
  });
  return await adDetails(ctx, who, { params: { ref: { id: adId } }, query: {}, body: {} });
}
