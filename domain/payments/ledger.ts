/**
 * The books, in double entry. Debits are positive, credits negative, in cents; each transaction sums to zero. What is
 * posted for what stands here; that it balances is proven for every amount.
 */
import { splitPrice } from './split.ts';

/** Accounts of the platform as a whole, and accounts of which each ad has one of its own. */
export type Account =
  | { kind: 'provider_clearing' | 'provider_balance'; ownerId: null }
  | { kind: 'deferred_publisher' | 'deferred_commission' | 'refund_payable'; ownerId: number };

export type Entry = { account: Account; amountCents: number };

const clearing = { kind: 'provider_clearing', ownerId: null } as const;

/**
 * An ad was paid: nothing is earned yet, its publisher's share and the commission are owed until they are delivered.
 * The two add up to the price (PAY-04).
 */
export function adPaid(ad: { id: number; amountCents: number; commissionCents: number }): Entry[] {
  return entries([
    { account: clearing, amountCents: ad.amountCents },
    {
      account: { kind: 'deferred_publisher', ownerId: ad.id },
      amountCents: ad.commissionCents - ad.amountCents,
    },
    { account: { kind: 'deferred_commission', ownerId: ad.id }, amountCents: -ad.commissionCents },
  ]);
}

/** Money came for an ad that can no longer go live: all of it is owed to the buyer (PAY-06). */
export function orphanPaid(adId: number, amountCents: number): Entry[] {
  return entries([
    { account: clearing, amountCents },
    { account: { kind: 'refund_payable', ownerId: adId }, amountCents: -amountCents },
  ]);
}

/** What was owed to the buyer was sent back. */
export function refundSent(adId: number, amountCents: number): Entry[] {
  return entries([
    { account: { kind: 'refund_payable', ownerId: adId }, amountCents },
    { account: clearing, amountCents: -amountCents },
  ]);
}

/** The platform's and the publisher's share of a refunded part: split as the price was. */
export function splitRefund(amountCents: number): { commissionCents: number; earningsCents: number } {
  return splitPrice(amountCents);
}

// An amount of nothing is no posting: the smallest prices have a commission of 0.00.
function entries(all: Entry[]): Entry[] {
  return all.filter(({ amountCents }) => amountCents !== 0);
}
