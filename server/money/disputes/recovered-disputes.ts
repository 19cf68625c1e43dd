/**
 * Books money that the bank returns after a lost dispute, such as after an appeal. See
 * docs/decisions/044-operator-books.md.
 */
import { disputeRecovered, returnedToSuspense } from '#domain/payments/lost-disputes.ts';
import type { PayableAd } from '#server/ads/life/activate.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notify } from '#server/notify/notify.ts';
import { mailSuspense } from '#server/notify/mails/operator-mail.ts';
import { issueReturnReceipt } from '../documents/issue.ts';
import { post } from '../ledger/post.ts';
import { lockPublisher, restoreDebt } from '../ledger/debts.ts';
import { postOfSale } from '../ledger/tax.ts';
import { takeEarnings } from '../ledger/disputes.ts';
import { reopenSettled } from '../refunds/disputed.ts';
import type { Payment } from '../checkout/payment.ts';
import { findBookedLoss, markRecovered, receivableOf } from './store-disputes.ts';

/**
 * Books money that the bank returned after a loss was booked. If all of it came back, the loss is undone: the publisher
 * and the marketplace get back what they bore, and the undelivered part is refunded to the advertiser, as for any ended
 * campaign. Any other amount goes to suspense, where the operator decides. The caller has locked the ad. [LEDG-12]
 */
export async function bookReturn(
  ctx: Context,
  tx: Tx,
  { ad, payment, dispute }: { ad: PayableAd; payment: Payment; dispute: { id: number; disputeId: string } },
): Promise<void> {
  const returnedCents = -(await receivableOf(tx, dispute.id));
  if (returnedCents <= 0) return;
  const now = ctx.now();
  const { book, currency } = payment;
  const entry = { book, currency, occurredAt: now, recordedAt: now, adId: ad.id };
  const { disputeId } = dispute;
  const loss = await findBookedLoss(tx, dispute.id);
  if (loss?.lostCents !== returnedCents) {
    await post(tx, {
      ...entry,
      kind: 'suspense',
      externalRef: `${disputeId}:${now.getTime()}`,
      entries: returnedToSuspense(dispute.id, returnedCents),
    });
    ctx.log.error(
      { disputeId, returnedCents },
      'an unexpected amount of a dispute came back; it is in suspense',
    );
    await mailSuspense(ctx, tx, `The bank returned an unexpected amount for the dispute ${disputeId}.`);
    return;
  }
  const reopenedCents = await reopenSettled(tx, dispute.id, now);
  const money = { publisherId: ad.publisherId, book, currency };
  await restoreDebt(tx, money, loss.borneCents, now);
  const { receivableCents } = await lockPublisher(tx, money);
  const entries = disputeRecovered(
    { disputeId: dispute.id, adId: ad.id, publisherId: ad.publisherId },
    { ...loss, reopenedCents },
    receivableCents,
  );
  await postOfSale(
    tx,
    { ...entry, kind: 'dispute_recovered', externalRef: disputeId, entries },
    `dispute_recovered:${disputeId}`,
  );
  const returned = { publisherCents: -loss.borneCents, commissionCents: -loss.commissionCents };
  await takeEarnings(tx, ad.id, returned, now);
  await markRecovered(tx, dispute.id, now);
  await issueReturnReceipt(ctx, tx, { disputeId: dispute.id, paymentId: payment.id });
  await notify(ctx, tx, {
    kind: 'dispute-recovered',
    adId: ad.id,
    returnedCents,
    borneCents: loss.borneCents,
  });
}
