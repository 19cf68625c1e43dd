/** The parts and entries of refunds that were made at the provider without a request of ours. */
import type { Entry } from './ledger.ts';
import type { Shares } from './refunds.ts';

/** The parts of a refund: what was not delivered, in its shares, and what the marketplace bears. */
export type Parts = Shares & { goodwillCents: number };

export const sumOfParts = ({ publisherCents, commissionCents, goodwillCents }: Parts): number =>
  publisherCents + commissionCents + goodwillCents;

/** `cents` of a refund, at most all of it, from its parts in their proportion. [FIELD-76] */
export function partOfRefund(
  { publisherCents, commissionCents, goodwillCents }: Parts,
  cents: number,
): Parts {
  const [publisher, rest] = divided(cents, publisherCents, commissionCents + goodwillCents);
  const [commission, goodwill] = divided(rest, commissionCents, goodwillCents);
  return { publisherCents: publisher, commissionCents: commission, goodwillCents: goodwill };
}

/** `cents` from two amounts, at most all of both, in their proportion. */
function divided(cents: number, one: number, other: number): [number, number] {
  if (one + other === 0) return [0, 0];
  const rounded = Number((BigInt(one) * BigInt(cents)) / BigInt(one + other));
  const ofOne = Math.max(rounded, cents - other);
  return [ofOne, cents - ofOne];
}

/** The entries for a refund beyond what was owed or undelivered. The marketplace bears it. */
export function goodwillGiven(adId: number, cents: number): Entry[] {
  return [
    { account: { kind: 'goodwill', ownerId: null }, amountCents: cents },
    { account: { kind: 'refund_payable', ownerId: adId }, amountCents: -cents },
  ];
}

/** The entries when a part that was refunded as goodwill turns out to be undelivered. */
export function goodwillRecovered(adId: number, { publisherCents, commissionCents }: Shares): Entry[] {
  const entries: Entry[] = [
    { account: { kind: 'deferred_publisher', ownerId: adId }, amountCents: publisherCents },
    { account: { kind: 'deferred_commission', ownerId: adId }, amountCents: commissionCents },
    { account: { kind: 'goodwill', ownerId: null }, amountCents: -publisherCents - commissionCents },
  ];
  return entries.filter(({ amountCents }) => amountCents !== 0);
}

/** The entries for money in suspense that was refunded. What is not in suspense any more is borne by the marketplace. */
export function suspenseRefunded(
  adId: number,
  { suspenseCents, goodwillCents }: { suspenseCents: number; goodwillCents: number },
): Entry[] {
  const entries: Entry[] = [
    { account: { kind: 'suspense', ownerId: null }, amountCents: suspenseCents },
    { account: { kind: 'goodwill', ownerId: null }, amountCents: goodwillCents },
    { account: { kind: 'refund_payable', ownerId: adId }, amountCents: -suspenseCents - goodwillCents },
  ];
  return entries.filter(({ amountCents }) => amountCents !== 0);
}
