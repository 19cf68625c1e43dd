/** Books lost disputes. See docs/decisions/044-operator-books.md. */
import { disputeLost, type Loss, lossOf } from '#domain/payments/lost-disputes.ts';
import type { PayableAd } from '#server/ads/life/activate.ts';
import { endDisputed } from '#server/ads/life/dispute.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notify } from '#server/notify/notify.ts';
import { issueLossNote } from '../documents/issue.ts';
import { accrueAd } from '../ledger/accrue.ts';
import { balancesOf } from '../ledger/balances.ts';
import { postOfSale } from '../ledger/tax.ts';
import { closeEarnings, takeEarnings } from '../ledger/disputes.ts';
import { closeWaiting } from '../refunds/cancelling/cancel-terms.ts';
import { lookAtOwedRefunds } from '../refunds/disputed.ts';
import type { Payment } from '../checkout/payment.ts';
import { markLost, receivableOf } from './store-disputes.ts';

/**
 * Books the money that a lost dispute took: it ends the campaign, takes the undelivered part and the earnings, and
 * charges the rest to the marketplace. Returns false if no money is booked as taken. The caller has locked the ad.
 * [LEDG-10]
 */
export async function bookLoss(
  ctx: Context,
  tx: Tx,
  { ad, payment, dispute }: { ad: PayableAd; payment: Payment; dispute: { id: number; disputeId: string } },
): Promise<boolean> {
  const lostCents = await receivableOf(tx, dispute.id);
  if (lostCents <= 0) return false;
  const now = ctx.now();
  const loss = await splitLoss(ctx, tx, { ad, payment, lostCents });
  const { undelivered, borneCents, commissionCents, absorbedCents } = loss;
  const payable = await balancesOf(tx, ['publisher_payable'], ad.publisherId, payment, true);
  await postOfSale(
    tx,
    {
      kind: 'dispute_lost',
      externalRef: dispute.disputeId,
      book: payment.book,
      currency: payment.currency,
      occurredAt: now,
      recordedAt: now,
      adId: ad.id,
      meta: { borne: borneCents, commission: commissionCents, absorbed: absorbedCents },
      entries: disputeLost(
        { disputeId: dispute.id, adId: ad.id, publisherId: ad.publisherId },
        loss,
        payable.get('publisher_payable') ?? 0,
      ),
    },
    `dispute_lost:${dispute.disputeId}`,
  );
  await takeEarnings(tx, ad.id, { publisherCents: borneCents, commissionCents }, now);
  await markLost(tx, dispute.id, {
    lostAt: now,
    lostPublisherCents: undelivered.publisherCents,
    lostCommissionCents: undelivered.commissionCents,
    borneCents,
    absorbedCents,
  });
  // The provider will refuse the owed refunds of this charge. The job that sends them then charges them to the dispute.
  await lookAtOwedRefunds(tx, payment.id, now);
  const creditNote = await issueLossNote(ctx, tx, dispute.id);
  await notify(ctx, tx, { kind: 'dispute-lost', adId: ad.id, lostCents, borneCents, creditNote });
  return true;
}

/** Only the payment that made the ad live has anything deferred or earned. It ends with the campaign. */
async function splitLoss(
  ctx: Context,
  tx: Tx,
  { ad, payment, lostCents }: { ad: PayableAd; payment: Payment; lostCents: number },
): Promise<Loss> {
  const now = ctx.now();
  const nothing = { publisherCents: 0, commissionCents: 0 };
  const earned = payment.status === 'succeeded' ? await accrueAd(ctx, tx, ad.id, now) : null;
  if (!earned) return lossOf(lostCents, nothing, nothing);
  await endDisputed(tx, ad.id, now);
  if (ad.isCancelWaiting) await closeWaiting(tx, ad.id, now);
  await closeEarnings(tx, ad.id, now);
  const deferred = await balancesOf(tx, ['deferred_publisher', 'deferred_commission'], ad.id, payment, true);
  return lossOf(
    lostCents,
    {
      publisherCents: deferred.get('deferred_publisher') ?? 0,
      commissionCents: deferred.get('deferred_commission') ?? 0,
    },
    earned,
  );
}
