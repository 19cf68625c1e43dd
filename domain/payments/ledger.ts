/**
 * The entries of the double-entry ledger for each event. Amounts are cents; debits are positive and credits negative.
 * The entries of a transaction sum to zero. [LEDG-04]
 */

/**
 * Accounts of the platform have no owner. Each of the others belongs to an ad, a user or a dispute, whose id is
 * `ownerId`.
 */
export type Account =
  | {
      kind:
        | 'provider_clearing'
        | 'provider_balance'
        | 'bank'
        | 'commission'
        /** Earnings that publishers gave up when they deleted their accounts. */
        | 'waived_earnings'
        | 'processing_fees'
        | 'dispute_fees'
        | 'dispute_losses'
        /** Refunds of what was delivered. */
        | 'goodwill'
        | 'bad_debt'
        | 'fx'
        | 'suspense';
      ownerId: null;
    }
  /**
   * Accounts of an ad. `deferred_commission` contains the tax of a taxed sale, which is owed from the payment on.
   * `tax_deferred` is the part of that tax that was not delivered yet: it is taken off the deferred money.
   */
  | {
      kind: 'deferred_publisher' | 'deferred_commission' | 'refund_payable' | 'tax_deferred';
      ownerId: number;
    }
  /**
   * Accounts of a country and a rate: the tax that is owed to a state, and the tax of publishers' self-billing documents,
   * which the marketplace may deduct from it.
   */
  | { kind: 'tax_payable' | 'input_tax'; ownerId: number }
  /** The provider's fees that were kept from refunds after a cancel. */
  | { kind: 'cancel_fees'; ownerId: null }
  /** Accounts of a user. */
  | { kind: 'publisher_payable' | 'publisher_receivable'; ownerId: number }
  /** The account of a dispute. */
  | { kind: 'dispute_receivable'; ownerId: number };

export type AccountKind = Account['kind'];

export type Entry = { account: Account; amountCents: number };

const clearing = { kind: 'provider_clearing', ownerId: null } as const;

/**
 * The entries for a paid ad. The publisher's share and the commission are deferred until they are earned by delivery.
 * They add up to the price [LEDG-01].
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
 * The entries for the earnings of an ad by delivery. Negative amounts correct earlier earnings. The publisher owes us
 * the part of a correction above `payableCents`, because it was paid out. [LEDG-01]
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

/** The entries for earnings that a publisher gives up. The marketplace keeps them. [GONE-06] */
export function earningsWaived(publisherId: number, cents: number): Entry[] {
  return entries([
    { account: { kind: 'publisher_payable', ownerId: publisherId }, amountCents: cents },
    { account: { kind: 'waived_earnings', ownerId: null }, amountCents: -cents },
  ]);
}

/** The entries for a payment for an ad that can no longer go live. All of it is owed to the advertiser. [HOOK-05] */
export function orphanPaid(adId: number, amountCents: number): Entry[] {
  return entries([
    { account: clearing, amountCents },
    { account: { kind: 'refund_payable', ownerId: adId }, amountCents: -amountCents },
  ]);
}

/** The entries for money that is not as agreed. The operator decides whose it is. [HOOK-03] */
export function setAside(amountCents: number): Entry[] {
  return entries([
    { account: clearing, amountCents },
    { account: { kind: 'suspense', ownerId: null }, amountCents: -amountCents },
  ]);
}

/** The entries for the provider's credit and its fee, in the currency that it settled in. */
export function cleared({
  net,
  fee,
  amount,
  from,
}: {
  net: number;
  fee: number;
  amount: number;
  from: 'provider_clearing' | 'fx';
}): Entry[] {
  return entries([
    { account: { kind: 'provider_balance', ownerId: null }, amountCents: net },
    { account: { kind: 'processing_fees', ownerId: null }, amountCents: fee },
    { account: { kind: from, ownerId: null }, amountCents: -amount },
  ]);
}

/** The entries for a charge that the provider settles in another currency. */
export function exchanged(amountCents: number): Entry[] {
  return entries([
    { account: { kind: 'fx', ownerId: null }, amountCents },
    { account: clearing, amountCents: -amountCents },
  ]);
}

/** The entries for money that a dispute took from the provider's balance, or brought back, with the provider's fee. */
export function disputeSettled(
  { net, fee, amount }: { net: number; fee: number; amount: number },
  against: Account,
): Entry[] {
  return entries([
    { account: { kind: 'provider_balance', ownerId: null }, amountCents: net },
    { account: { kind: 'dispute_fees', ownerId: null }, amountCents: fee },
    { account: against, amountCents: -amount },
  ]);
}

/** The entries for a disputed amount that the provider moves in another currency. */
export function disputed(disputeId: number, amountCents: number): Entry[] {
  return entries([
    { account: { kind: 'dispute_receivable', ownerId: disputeId }, amountCents },
    { account: { kind: 'fx', ownerId: null }, amountCents: -amountCents },
  ]);
}

/**
 * The entries for the tax of a sale. `owedCents` is by how much the tax rises that is owed to the state, and
 * `deferredCents` by how much the part of it that was not delivered. The rest is the tax of what was delivered, which
 * reduces the commission. [OWNS-67]
 */
export function taxBooked(
  { adId, taxAccountId }: { adId: number; taxAccountId: number },
  { owedCents, deferredCents }: { owedCents: number; deferredCents: number },
): Entry[] {
  return entries([
    { account: { kind: 'tax_payable', ownerId: taxAccountId }, amountCents: -owedCents },
    { account: { kind: 'tax_deferred', ownerId: adId }, amountCents: deferredCents },
    { account: { kind: 'commission', ownerId: null }, amountCents: owedCents - deferredCents },
  ]);
}

/**
 * The entries for tax that was paid to the state from the marketplace's bank account. `deducted` is the input tax that was
 * taken off the tax before, by account.
 */
export function taxPaid(
  taxAccountId: number,
  paidCents: number,
  deducted: readonly { taxAccountId: number; cents: number }[],
): Entry[] {
  const deductedCents = deducted.reduce((sum, { cents }) => sum + cents, 0);
  return entries([
    { account: { kind: 'tax_payable', ownerId: taxAccountId }, amountCents: paidCents + deductedCents },
    ...deducted.map(({ taxAccountId: ownerId, cents }) => ({
      account: { kind: 'input_tax' as const, ownerId },
      amountCents: -cents,
    })),
    { account: { kind: 'bank', ownerId: null }, amountCents: -paidCents },
  ]);
}

/**
 * The entries for tax that a state has paid back to the marketplace's bank account, by account. `output` is the tax of sales
 * that were refunded after it was paid to the state, `input` is input tax. Together they are the refund.
 */
export function taxRefunded(
  refundedCents: number,
  { output, input }: Record<'output' | 'input', readonly { taxAccountId: number; cents: number }[]>,
): Entry[] {
  const from =
    (kind: 'tax_payable' | 'input_tax') =>
    ({ taxAccountId: ownerId, cents }: { taxAccountId: number; cents: number }) => ({
      account: { kind, ownerId },
      amountCents: -cents,
    });
  return [
    ...output.map(from('tax_payable')),
    ...input.map(from('input_tax')),
    { account: { kind: 'bank', ownerId: null }, amountCents: refundedCents },
  ];
}

// The smallest prices have a commission of 0.00, and the ledger has no entries of zero.
function entries(all: Entry[]): Entry[] {
  return all.filter(({ amountCents }) => amountCents !== 0);
}
