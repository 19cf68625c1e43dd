/** The amounts, shares, states and times of refunds. */
import type { EndedReason } from '../ads/ended.ts';
import { DAY_MS, later, MINUTE_MS } from '../time.ts';
import type { Account, Entry } from './ledger.ts';

/**
 * The cause of a refund. `too_late`: the payment arrived when its ad could no longer go live. `not_as_agreed`: it was
 * in suspense.
 */
export type RefundCause = EndedReason | 'too_late' | 'not_as_agreed';

/** Parts of a price. They add up to an amount that is earned, refunded or left. */
export type Shares = { publisherCents: number; commissionCents: number };

export const sumOf = ({ publisherCents, commissionCents }: Shares): number =>
  publisherCents + commissionCents;

/** The shares of a payment. */
export const priceOf = ({
  amountCents,
  commissionCents,
}: {
  amountCents: number;
  commissionCents: number;
}): Shares => ({ publisherCents: amountCents - commissionCents, commissionCents });

export const plus = (one: Shares, other: Shares): Shares => ({
  publisherCents: one.publisherCents + other.publisherCents,
  commissionCents: one.commissionCents + other.commissionCents,
});

/** The part that is neither earned nor refunded. */
export function leftOf(price: Shares, earned: Shares, refunded: Shares): Shares {
  return {
    publisherCents: price.publisherCents - earned.publisherCents - refunded.publisherCents,
    commissionCents: price.commissionCents - earned.commissionCents - refunded.commissionCents,
  };
}

/**
 * The amount that can still be refunded. The advertiser has `goodwillCents` already, which the marketplace bore of an earlier
 * refund, so what becomes undelivered repays that first. [FIELD-77]
 */
export function refundableOf(
  price: Shares,
  earned: Shares,
  refunded: Shares & { goodwillCents: number },
): number {
  return Math.max(0, sumOf(leftOf(price, earned, refunded)) - refunded.goodwillCents);
}

/**
 * Splits a refund of `amountCents`. The shares of all refunds together are those of their sum, so a hundred refunds of
 * one cent take as much from the publisher as one refund of 1.00. A refund of everything that is left takes exactly
 * what is left of both. Throws RangeError if the amount is not a part of what is left. [REFU-02]
 */
export function shareOfRefund(price: Shares, earned: Shares, refunded: Shares, amountCents: number): Shares {
  const left = leftOf(price, earned, refunded);
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0 || amountCents > sumOf(left)) {
    throw new RangeError(`A refund of ${amountCents} cents, but ${sumOf(left)} are left`);
  }
  const total = sumOf(refunded) + amountCents;
  const whole = Number((BigInt(price.publisherCents) * BigInt(total)) / BigInt(sumOf(price)));
  const least = Math.max(0, amountCents - left.commissionCents);
  const most = Math.min(amountCents, left.publisherCents);
  const publisherCents = Math.min(most, Math.max(least, whole - refunded.publisherCents));
  return { publisherCents, commissionCents: amountCents - publisherCents };
}

/**
 * Takes back what the marketplace bore of these refunds, the oldest first, at most what is left of the payment: the
 * advertiser has that money already. Returns the shares that each of them takes of the payment. [FIELD-77]
 */
export function goodwillTakenBack<Refund extends { goodwillCents: number }>(
  refunds: readonly Refund[],
  { price, earned, refunded }: { price: Shares; earned: Shares; refunded: Shares },
): { refund: Refund; shares: Shares }[] {
  const taken: { refund: Refund; shares: Shares }[] = [];
  let back = refunded;
  for (const refund of refunds) {
    const cents = Math.min(refund.goodwillCents, sumOf(leftOf(price, earned, back)));
    if (cents === 0) break;
    const shares = shareOfRefund(price, earned, back, cents);
    taken.push({ refund, shares });
    back = plus(back, shares);
  }
  return taken;
}

/** The undelivered part of a paid ad becomes owed to the advertiser. */
export function undeliveredOwed(adId: number, { publisherCents, commissionCents }: Shares): Entry[] {
  return entries([
    { account: { kind: 'deferred_publisher', ownerId: adId }, amountCents: publisherCents },
    { account: { kind: 'deferred_commission', ownerId: adId }, amountCents: commissionCents },
    {
      account: { kind: 'refund_payable', ownerId: adId },
      amountCents: -publisherCents - commissionCents,
    },
  ]);
}

/** A part of the undelivered part stays with the marketplace, because the advertiser bears the provider's fee. */
export function keptEntries(adId: number, { publisherCents, commissionCents }: Shares): Entry[] {
  return entries([
    { account: { kind: 'deferred_publisher', ownerId: adId }, amountCents: publisherCents },
    { account: { kind: 'deferred_commission', ownerId: adId }, amountCents: commissionCents },
    { account: { kind: 'cancel_fees', ownerId: null }, amountCents: -publisherCents - commissionCents },
  ]);
}

/** The entries for a movement of our balance at the provider, with its fee, against another account. */
export function movedBy(
  { net, fee, amount }: { net: number; fee: number; amount: number },
  against: Account,
): Entry[] {
  return entries([
    { account: { kind: 'provider_balance', ownerId: null }, amountCents: net },
    { account: { kind: 'processing_fees', ownerId: null }, amountCents: fee },
    { account: against, amountCents: -amount },
  ]);
}

/** The entries for a refund that the provider moves in another currency. */
export function refundMoved(payable: Account, amountCents: number): Entry[] {
  return entries([
    { account: payable, amountCents },
    { account: { kind: 'fx', ownerId: null }, amountCents: -amountCents },
  ]);
}

// The smallest prices have a commission of 0.00, and the ledger has no entries of zero.
function entries(all: Entry[]): Entry[] {
  return all.filter(({ amountCents }) => amountCents !== 0);
}

/** For how long an advertiser can cancel for the amount that they were shown. */
export const QUOTE_VALID_MS = 2 * MINUTE_MS;

/** When to send a refund again that the provider has not accepted `attempts` times: after 1, 2, 4, … minutes, then daily. */
export function nextTry(attempts: number, now: Date): Date {
  return later(now, Math.min(2 ** Math.min(attempts - 1, 20) * MINUTE_MS, DAY_MS));
}

/** When to ask again about a refund that is on its way since `began`. */
export function nextLook(began: Date, now: Date): Date {
  return later(now, clamp(now.getTime() - began.getTime(), 10 * MINUTE_MS, DAY_MS));
}

/** After this time, a bank does not return a refund any more. */
const RETURNED_WITHIN_MS = 30 * DAY_MS;

/** When to ask again about a refund that succeeded, because its failure may follow and the event may be lost. */
export function nextLookAtDone(began: Date, now: Date): Date | null {
  const age = now.getTime() - began.getTime();
  return age >= RETURNED_WITHIN_MS ? null : later(now, Math.max(age, DAY_MS));
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
