import type { Ad } from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { cancelAd } from '#domain/payments/refund-contract.ts';
import { ownAd } from '../../ads/read.ts';
import type { Context, Caller } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { endAndRefund } from './end.ts';
import { lockOwnRunning, type Quote, quoteAt } from './quote.ts';
import { findQuote } from './store-quotes.ts';

/**
 * Cancels one of the advertiser's own campaigns. They get back at least the amount that they agreed to: the present quote,
 * or the one of the last two minutes with exactly this amount. Otherwise this answers 409 with the present quote.
 * [REFU-05]
 */
export async function cancel(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof cancelAd>,
): Promise<Ad> {
  const asked = centsOf(body.refundAmount);
  const adId = await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockOwnRunning(tx, who, params.ref);
    const now = ctx.now();
    const present = await quoteAt(tx, ad.id, now);
    const earlier = asked > present.refundCents ? await findQuote(tx, ad.id, asked, now) : null;
    const ended = await endAndRefund(ctx, tx, {
      adId: ad.id,
      endedReason: 'canceled',
      at: earlier?.quotedAt ?? now,
      ...(earlier && { units: earlier.units }),
    });
    // Undoes everything. A refund of the operator may have come between an earlier quote and now, too.
    if (!ended || ended.refundCents < asked) throw lessThanAsked(present);
    return ad.id;
  });
  return await ownAd(ctx, who, { params: { ref: { id: adId } }, query: {}, body: {} });
}

function lessThanAsked({ delivered, bought, refundCents }: Quote): HttpError {
  const refundAmount = decimalOf(refundCents);
  return new HttpError(
    409,
    'More of the campaign has been delivered meanwhile. Check the new amount, then cancel again.',
    { details: { delivered, bought, refundAmount } },
  );
}
