import type { Ad } from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { CANCEL_WAITS } from '#domain/payments/cancels.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { CancelWaits, cancelAd } from '#domain/payments/refund-contract.ts';
import { ownAd } from '#server/ads/read.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { cancelTerms, recordCancel, requireCancelLeft, tellWaiting } from './cancel-terms.ts';
import { lockCancels } from '../store-cancels.ts';
import { networkHash } from '../../provider-requests/hashes.ts';
import { endAndRefund } from '../end.ts';
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
  { ip }: { ip: string },
): Promise<Ad | CancelWaits> {
  const asked = centsOf(body.refundAmount);
  const network = networkHash(ctx, ip);
  const { adId, waits } = await ctx.db.transaction().execute(async (tx) => {
    await lockCancels(tx);
    const ad = await lockOwnRunning(tx, who, params.ref);
    const now = ctx.now();
    const terms = await cancelTerms(ctx, tx, ad.id, network);
    requireCancelLeft(terms, now);
    const present = await quoteAt(tx, ad.id, now, terms.feeCents);
    const earlier = asked > present.refundCents ? await findQuote(tx, ad.id, asked, now) : null;
    if (terms.waits && asked > present.refundCents && !earlier) throw lessThanAsked(present);
    const id = await recordCancel(ctx, tx, ad.id, { terms, network, refundCents: present.refundCents });
    if (terms.waits) {
      await tellWaiting(ctx, tx, ad.id, present);
      return { adId: ad.id, waits: true };
    }
    const ended = await endAndRefund(ctx, tx, {
      adId: ad.id,
      endedReason: 'canceled',
      at: earlier?.quotedAt ?? now,
      ...(earlier && { units: earlier.units }),
      cancel: { id, feeCents: terms.feeCents, isReleased: false },
    });
    // Undoes everything. A refund of the operator may have come between an earlier quote and now, too.
    if (!ended || ended.refundCents < asked) throw lessThanAsked(present);
    return { adId: ad.id, waits: false };
  });
  if (waits) return { status: 'waiting', message: CANCEL_WAITS };
  return await ownAd(ctx, who, { params: { ref: { id: adId } } });
}

function lessThanAsked({ delivered, bought, refundCents }: Quote): HttpError {
  const refundAmount = decimalOf(refundCents);
  return new HttpError(
    409,
    'More of the campaign has been delivered meanwhile. Check the new amount, then cancel again.',
    { details: { delivered, bought, refundAmount } },
  );
}
