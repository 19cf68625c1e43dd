import type { Ad, withdrawAd } from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { findOwnAd } from '#server/ads/read.ts';
import { withdrawNow } from '#server/ads/life/expire.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { closeOpenPayments } from './close.ts';
import { finaliseOpenPayment } from './finalise.ts';

/**
 * The advertiser takes an ad back before it is paid. The provider is asked about an open payment first, so that an ad
 * that was just paid for stays. Throws 404, or 409 if the ad is not pending or approved.
 */
export async function withdraw(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof withdrawAd>,
): Promise<Ad> {
  const known = await findOwnAd(ctx.db, who, params.ref);
  if (known.status === 'approved' && (await finaliseOpenPayment(ctx, known.id)) === 'processing')
    throw conflict('Your bank is processing the payment for this ad. Please try again when it has decided.');
  return await ctx.db.transaction().execute(async (tx) => {
    const ad = await withdrawNow(ctx, tx, known.id);
    await closeOpenPayments(ctx, tx, [known.id]);
    return ad;
  });
}
