/** The week of a publisher in three sentences: what was earned, what waits, and what is free to sell. */
import { WAITING_KINDS, type WaitingKind } from '../ads/waiting.ts';
import { counted } from '../format.ts';
import { type Currency, decimalOf, moneyText } from '../money.ts';
import { dayText } from './sentences.ts';

/** `place` is '“Sidebar” on The Daily Slot'. */
export type EarnedBy = { place: string; cents: number };
/** `from` is the first free day; null for an ad zone without slots, which is always free. */
export type FreeZone = { place: string; from: string | null };

export type PublisherWeek = {
  /** The earnings of each ad zone in the week. */
  earned: readonly EarnedBy[];
  /** How many things wait for the publisher. */
  waiting: Readonly<Partial<Record<WaitingKind, number>>>;
  /** The earnings that wait for a payout account. */
  payoutCents: number;
  /** The most seen one first. */
  free: readonly FreeZone[];
  currency: Currency;
};

export function publisherWeekSentences({
  earned,
  waiting,
  payoutCents,
  free,
  currency,
}: PublisherWeek): string[] {
  return [
    earnedText(earned, currency),
    waitingText(waiting, moneyText(decimalOf(payoutCents), currency)),
    freeText(free),
  ];
}

function earnedText(earned: readonly EarnedBy[], currency: Currency): string {
  const cents = earned.reduce((sum, each) => sum + each.cents, 0);
  // Withdrawn traffic can take back more than a week has earned.
  if (cents <= 0) return 'You earned nothing last week.';
  const [best, second] = earned.toSorted((one, other) => other.cents - one.cents) as [EarnedBy, EarnedBy?];
  const part =
    second && second.cents > 0 ? `${moneyText(decimalOf(best.cents), currency)} of it` : 'all of it';
  return `You earned ${moneyText(decimalOf(cents), currency)} last week, ${part} with ${best.place}.`;
}

const ads = (n: number, what = 'ad') => `${counted(n, what)} ${n === 1 ? 'waits' : 'wait'} for`;

const WAITS: Record<WaitingKind, (n: number, amount: string) => string> = {
  pay: (n) => `${ads(n)} your payment`,
  target: (n) => `${ads(n)} your answer about its target`,
  review: (n) => `${ads(n)} your answer`,
  edit: (n) => `${ads(n, 'rejected ad')} your change`,
  payout: (_, amount) => `${amount} waits for your payout account`,
  price: (n) => `${ads(n, 'ad zone')} a price`,
  tag: (n) => `${ads(n, 'ad zone')} its code on your page`,
};

function waitingText(waiting: PublisherWeek['waiting'], amount: string): string {
  const parts = WAITING_KINDS.flatMap((kind) => {
    const n = waiting[kind] ?? 0;
    return n === 0 ? [] : [WAITS[kind](n, amount)];
  });
  if (parts.length === 0) return 'Nothing waits for you.';
  // Each part is a sentence of its own, so a comma stands before the ‘and’.
  const last = parts.length > 1 ? `, and ${parts.at(-1)}` : parts.at(-1);
  return `${parts.slice(0, -1).join(', ')}${last}.`;
}

function freeText([first, ...others]: readonly FreeZone[]): string {
  if (first === undefined) return 'Everything is sold.';
  const when = first.from === null ? 'now' : `from ${dayText(first.from)}`;
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more ad zone')}`;
  return `Free to sell: ${first.place} ${when}${more}.`;
}
