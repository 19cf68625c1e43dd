/** Divides the money of a lost dispute between the advertiser, the publisher and the marketplace. */
import type { Account, Entry } from './ledger.ts';
import type { Shares } from './refunds.ts';

export type Loss = {
  /** The undelivered part, in its shares. It would have gone back to the advertiser anyway. */
  undelivered: Shares;
  /** The publisher's earnings. */
  borneCents: number;
  /** The commission that the marketplace had earned and gives up. */
  commissionCents: number;
  /** The rest, which the marketplace bears. */
  absorbedCents: number;
};

/**
 * Splits the amount of a lost dispute: first over the undelivered part, then over the earnings of publisher and
 * marketplace, each by its shares. The marketplace bears the rest, such as an owed refund that the bank has now taken.
 * [LEDG-10]
 */
export function lossOf(lostCents: number, deferred: Shares, earned: Shares): Loss {
  const undelivered = shared(lostCents, deferred);
  const rest = lostCents - undelivered.publisherCents - undelivered.commissionCents;
  const { publisherCents: borneCents, commissionCents } = shared(rest, earned);
  return { undelivered, borneCents, commissionCents, absorbedCents: rest - borneCents - commissionCents };
}

/** At most `cents` of both shares together, in their proportion. */
function shared(cents: number, { publisherCents, commissionCents }: Shares): Shares {
  const all = publisherCents + commissionCents;
  if (cents >= all) return { publisherCents, commissionCents };
  const publisher = Number((BigInt(publisherCents) * BigInt(cents)) / BigInt(all));
  const least = Math.max(publisher, cents - commissionCents);
  return { publisherCents: least, commissionCents: cents - least };
}

/** The entries of a lost dispute. The publisher owes us their part above `payableCents`, because it was paid out. */
export function disputeLost(
  { disputeId, adId, publisherId }: { disputeId: number; adId: number; publisherId: number },
  { undelivered, borneCents, commissionCents, absorbedCents }: Loss,
  payableCents: number,
): Entry[] {
  const fromPayable = Math.min(borneCents, payableCents);
  const lostCents =
    undelivered.publisherCents + undelivered.commissionCents + borneCents + commissionCents + absorbedCents;
  return entries([
    [{ kind: 'deferred_publisher', ownerId: adId }, undelivered.publisherCents],
    [{ kind: 'deferred_commission', ownerId: adId }, undelivered.commissionCents],
    [{ kind: 'publisher_payable', ownerId: publisherId }, fromPayable],
    [{ kind: 'publisher_receivable', ownerId: publisherId }, borneCents - fromPayable],
    [{ kind: 'commission', ownerId: null }, commissionCents],
    [{ kind: 'dispute_losses', ownerId: null }, absorbedCents],
    [{ kind: 'dispute_receivable', ownerId: disputeId }, -lostCents],
  ]);
}

/** The entries for an owed refund that the advertiser's bank has already taken through a lost dispute. */
export function refundSettled(adId: number, amountCents: number): Entry[] {
  return entries([
    [{ kind: 'refund_payable', ownerId: adId }, amountCents],
    [{ kind: 'dispute_losses', ownerId: null }, -amountCents],
  ]);
}

/**
 * The entries when all money of a lost dispute came back. They undo the loss. `reopenedCents` are refunds that the
 * dispute had settled and that are owed again. The publisher's part first reduces their debt, `owedCents`.
 */
export function disputeRecovered(
  { disputeId, adId, publisherId }: { disputeId: number; adId: number; publisherId: number },
  loss: Loss & { lostCents: number; reopenedCents: number },
  owedCents: number,
): Entry[] {
  const { undelivered, borneCents, commissionCents, absorbedCents, reopenedCents, lostCents } = loss;
  const toReceivable = Math.min(borneCents, owedCents);
  return entries([
    [{ kind: 'dispute_receivable', ownerId: disputeId }, lostCents],
    [{ kind: 'deferred_publisher', ownerId: adId }, -undelivered.publisherCents],
    [{ kind: 'deferred_commission', ownerId: adId }, -undelivered.commissionCents],
    [{ kind: 'publisher_receivable', ownerId: publisherId }, -toReceivable],
    [{ kind: 'publisher_payable', ownerId: publisherId }, toReceivable - borneCents],
    [{ kind: 'commission', ownerId: null }, -commissionCents],
    [{ kind: 'dispute_losses', ownerId: null }, -absorbedCents],
    [{ kind: 'refund_payable', ownerId: adId }, -reopenedCents],
  ]);
}

/** The entries for a returned amount that differs from the amount of the loss. The operator decides whose it is. */
export function returnedToSuspense(disputeId: number, amountCents: number): Entry[] {
  return entries([
    [{ kind: 'dispute_receivable', ownerId: disputeId }, amountCents],
    [{ kind: 'suspense', ownerId: null }, -amountCents],
  ]);
}

/** The entries for an owed refund that the operator has paid from the marketplace's bank account. */
export function refundByHand(adId: number, amountCents: number): Entry[] {
  return entries([
    [{ kind: 'refund_payable', ownerId: adId }, amountCents],
    [{ kind: 'bank', ownerId: null }, -amountCents],
  ]);
}

// The ledger has no entries of zero.
function entries(all: [Account, number][]): Entry[] {
  return all.filter(([, cents]) => cents !== 0).map(([account, amountCents]) => ({ account, amountCents }));
}
