/**
 * The entries of the double-entry ledger for each event. Amounts are cents; debits are positive and credits negative.
 * The entries of a transaction sum to zero. [PAY-03]
 */

/** Accounts of the platform have no owner. The others exist once for each ad or user, whose id is `ownerId`. */
export type Account =
  | {
      kind:
        | 'provider_clearing'
        | 'provider_balance'
        | 'bank'
        | 'commission'
        | 'processing_fees'
        | 'dispute_fees'
        | 'dispute_losses'
        | 'bad_debt'
        | 'fx'
        | 'suspense';
      ownerId: null;
    }
  /** Of an ad. */
  | { kind: 'deferred_publisher' | 'deferred_commission' | 'refund_payable'; ownerId: number }
  /** Of a user. */
  | { kind: 'publisher_payable' | 'publisher_receivable'; ownerId: number }
  /** Of a dispute. */
  | { kind: 'dispute_receivable'; ownerId: number };

export type AccountKind = Account['kind'];

export type Entry = { account: Account; amountCents: number };

const clearing = { kind: 'provider_clearing', ownerId: null } as const;

/**
 * The entries for a paid ad. The publisher's share and the commission are deferred until they are earned by delivery.
 * They add up to the price [PAY-04].
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

/**
 * The entries for what an ad has earned by delivery. Negative amounts correct what was earned before. Of those, the
 * publisher owes us what is more than `payableCents`, because it was paid out. [LEDG-01]
 */
export function accrued(
  ad: { id: number; publisherId: number },
  { publisherCents, commissionCents }: { publisherCents: number; commissionCents: number },
  payableCents: number,
): Entry[] {
  const owedCents = Math.max(0, -publisherCents - payableCents);
  return entries([
    { account: { kind: 'deferred_publisher', ownerId: ad.id }, amountCents: publisherCents },
    {
      account: { kind: 'publisher_payable', ownerId: ad.publisherId },
      amountCents: -publisherCents - owedCents,
    },
    { account: { kind: 'publisher_receivable', ownerId: ad.publisherId }, amountCents: owedCents },
    { account: { kind: 'deferred_commission', ownerId: ad.id }, amountCents: commissionCents },
    { account: { kind: 'commission', ownerId: null }, amountCents: -commissionCents },
  ]);
}

/** The entries for a payment for an ad that can no longer go live. All of it is owed to the advertiser. [PAY-06] */
export function orphanPaid(adId: number, amountCents: number): Entry[] {
  return entries([
    { account: clearing, amountCents },
    { account: { kind: 'refund_payable', ownerId: adId }, amountCents: -amountCents },
  ]);
}

// The smallest prices have a commission of 0.00, and the ledger has no entries of zero.
function entries(all: Entry[]): Entry[] {
  return all.filter(({ amountCents }) => amountCents !== 0);
}
