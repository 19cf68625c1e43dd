/** The parts of a payment that go back to the advertiser, or stay with the marketplace, and their entries. */
import { goodwillRecovered } from '#domain/payments/outside-refunds.ts';
import {
  goodwillTakenBack,
  keptEntries,
  plus,
  type RefundCause,
  type Shares,
  shareOfRefund,
  undeliveredOwed,
} from '#domain/payments/refunds.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { postOfSale } from '../ledger/tax.ts';
import { updateKept } from './store-cancels.ts';
import { insertRefund, listGoodwill, type RefundablePayment, takeGoodwill } from './store.ts';

export type NewRefund = {
  amountCents: number;
  cause: RefundCause;
  /** The ad's earnings. */
  earned: Shares;
  /** The sums that have gone back of the payment before (`sumRefunds`). */
  refunded: Shares;
  /** The reason that an operator gave. */
  note?: string | undefined;
  ref?: string | undefined;
};

/**
 * Records the refund of an undelivered part in the caller's transaction, which has locked the ad and its payment. A job
 * sends it to the provider. The part becomes owed to the advertiser in the ledger, after it has repaid what the marketplace
 * bore of earlier refunds. Throws RangeError if the amount is more than what is left. [REFU-01]
 */
export async function beginRefund(
  tx: Tx,
  payment: RefundablePayment,
  { amountCents, cause, earned, refunded, note, ref: given }: NewRefund,
  at: Date,
): Promise<void> {
  const before = await recoverGoodwill(tx, payment, { earned, refunded }, at);
  const shares = shareOfRefund(payment.price, earned, before, amountCents);
  const refund = { ...shares, paymentId: payment.id, cause, note: note ?? null, ref: given };
  const { id, ref } = await insertRefund(tx, refund, at);
  await postUndelivered(tx, payment, { ref, shares, cause }, at);
  await enqueue(tx, 'send-refund', { refundId: id });
}

/**
 * Records the refund of a whole payment that no ad went live on, in the caller's transaction, which has booked it as owed.
 * A job sends it to the provider.
 */
export async function beginWholeRefund(
  tx: Tx,
  refund: Shares & { paymentId: number; cause: 'too_late' | 'not_as_agreed' },
  at: Date,
): Promise<void> {
  const { id } = await insertRefund(tx, { ...refund, note: null }, at);
  await enqueue(tx, 'send-refund', { refundId: id });
}

/** Books the undelivered part of a campaign, or a part of it, as owed to the advertiser. */
export async function postUndelivered(
  tx: Tx,
  payment: Pick<RefundablePayment, 'adId' | 'book' | 'currency'>,
  { ref, shares, cause }: { ref: string; shares: Shares; cause: RefundCause },
  at: Date,
): Promise<void> {
  const entries = undeliveredOwed(payment.adId, shares);
  await postOfSale(
    tx,
    { kind: 'undelivered', externalRef: ref, ...entryOf(payment, at), meta: { cause }, entries },
    `undelivered:${ref}`,
  );
}

/**
 * Takes back what the marketplace bore of a payment, at most what is left of it now, because traffic was withdrawn: the
 * advertiser has that money already. Returns what has gone back then. The caller has locked the ad and the payment.
 * [FIELD-77]
 */
export async function recoverGoodwill(
  tx: Tx,
  payment: RefundablePayment,
  { earned, refunded }: { earned: Shares; refunded: Shares },
  at: Date,
): Promise<Shares> {
  const { price, adId } = payment;
  let before = refunded;
  for (const { refund, shares } of goodwillTakenBack(await listGoodwill(tx, payment.id), {
    price,
    earned,
    refunded,
  })) {
    await takeGoodwill(tx, refund.id, shares);
    const externalRef = `${refund.ref}:${refund.goodwillCents}`;
    await postOfSale(
      tx,
      {
        kind: 'undelivered',
        externalRef,
        ...entryOf(payment, at),
        entries: goodwillRecovered(adId, shares),
      },
      `undelivered:${externalRef}`,
    );
    before = plus(before, shares);
  }
  return before;
}

/**
 * Keeps the fee of a cancel from what an ad has not earned, in the caller's transaction, which has locked the ad and its
 * payment. [OWNS-80]
 */
export async function keepFee(
  tx: Tx,
  payment: RefundablePayment,
  { cancelId, kept }: { cancelId: number; kept: Shares },
  at: Date,
): Promise<void> {
  await updateKept(tx, cancelId, kept);
  await postOfSale(
    tx,
    {
      kind: 'cancel_fee',
      externalRef: `cancel:${cancelId}`,
      ...entryOf(payment, at),
      entries: keptEntries(payment.adId, kept),
    },
    `cancel_fee:${cancelId}`,
  );
}

const entryOf = (
  { adId, book, currency }: Pick<RefundablePayment, 'adId' | 'book' | 'currency'>,
  at: Date,
) => ({ adId, book, currency, occurredAt: at, recordedAt: at });
