/** The hold days of earnings, and the parts of a publisher's balance. All amounts are cents. [PAYO-01] */
import { DAY_MS, later } from '../time.ts';
import type { Entry } from './ledger.ts';

/** The first earnings of a publisher wait longer than the others. */
export const FIRST_EARNINGS_CENTS = 10_000;

export type HoldDays = { firstHoldDays: number; holdDays: number };

/**
 * The ad's earnings, net of corrections and lost disputes. Without an ad, the tax that self-billing documents added to the
 * earnings: it waits, is held and is paid out as they are.
 */
export type AdEarnings = { adId: number | null; earnedCents: number };

/** Earnings of one ad by delivery that ended at `at`, or the tax of a document that was issued then. */
export type Accrual = { adId: number | null; at: Date; cents: number };

/** The first 100.00 of a publisher have matured if they were earned by `first`, and all later earnings if by `rest`. */
export function matureBefore({ firstHoldDays, holdDays }: HoldDays, now: Date): { first: Date; rest: Date } {
  return { first: later(now, -firstHoldDays * DAY_MS), rest: later(now, -holdDays * DAY_MS) };
}

/**
 * Returns the earnings that have matured at `now`, by ad. With S(t), the earnings of a publisher up to t, their sum is
 * min(100.00, S(now − first)) + max(0, S(now − hold) − 100.00). Corrections and losses count at all times, so they
 * reduce it at once. The sum is given to the oldest earnings first.
 *
 * `recent` has all accruals after the earlier of the two instants of matureBefore, the oldest first.
 */
export function maturedOf(
  ads: readonly AdEarnings[],
  recent: readonly Accrual[],
  days: HoldDays,
  now: Date,
): Map<number | null, number> {
  const { first, rest } = matureBefore(days, now);
  const total = ads.reduce((sum, { earnedCents }) => sum + earnedCents, 0);
  const earnedBy = (t: Date) => recent.reduce((sum, { at, cents }) => (at > t ? sum - cents : sum), total);
  let left =
    Math.min(FIRST_EARNINGS_CENTS, Math.max(0, earnedBy(first))) +
    Math.max(0, earnedBy(rest) - FIRST_EARNINGS_CENTS);
  const matured = new Map<number | null, number>();
  let before = 0;
  for (const { adId, at, cents } of lotsOf(ads, recent)) {
    const low = Math.max(0, Math.min(before + cents, FIRST_EARNINGS_CENTS) - before);
    const ripe = (at <= first ? low : 0) + (at <= rest ? cents - low : 0);
    const given = Math.min(ripe, left);
    matured.set(adId, (matured.get(adId) ?? 0) + given);
    left -= given;
    before += cents;
  }
  return matured;
}

/** The earnings by ad and time, the oldest first. A correction takes from the oldest ones of its ad. */
function lotsOf(ads: readonly AdEarnings[], recent: readonly Accrual[]): Accrual[] {
  const older = new Map(ads.map(({ adId, earnedCents }) => [adId, earnedCents]));
  for (const { adId, cents } of recent) older.set(adId, (older.get(adId) ?? 0) - cents);
  const lots = [...older].map(([adId, cents]) => ({ adId, at: new Date(0), cents: Math.max(0, cents) }));
  for (const { adId, at, cents } of recent) {
    const missing = Math.max(0, -(older.get(adId) ?? 0));
    const taken = Math.min(missing, cents);
    older.set(adId, taken - missing);
    lots.push({ adId, at, cents: cents - taken });
  }
  return lots;
}

/** `sentCents` was transferred and not taken back; `heldCents` of the rest must not be paid out. */
export type AdBalance = AdEarnings & { sentCents: number; heldCents: number; maturedCents: number };

/** earned = pending + available + held + paidOut − owed. */
export type Balance = {
  pendingCents: number;
  availableCents: number;
  heldCents: number;
  paidOutCents: number;
  owedCents: number;
  /** The ads whose earnings are available, with their parts. */
  parts: { adId: number | null; cents: number }[];
};

/**
 * Adds up a publisher's balance. The publisher owes back transfers that an ad no longer earns. They are deducted first
 * from the available amount, then from the pending one, then from the held one. `endedCents` of them were paid back or
 * written off, and so are neither owed nor paid out. [PAYO-02, BOOK-221]
 */
export function balanceOf(ads: readonly AdBalance[], endedCents = 0): Balance {
  const unpaid = ads.map(({ adId, earnedCents, sentCents, heldCents, maturedCents }) => {
    const cents = Math.max(0, earnedCents - sentCents);
    const held = Math.min(heldCents, cents);
    const available = Math.min(cents - held, Math.max(0, maturedCents - sentCents));
    return { adId, held, available, pending: cents - held - available };
  });
  const sum = (cents: readonly number[]) => cents.reduce((total, each) => total + each, 0);
  const excessCents = sum(ads.map(({ earnedCents, sentCents }) => Math.max(0, sentCents - earnedCents)));
  let owedCents = Math.max(0, excessCents - endedCents);
  const net = (cents: number): number => {
    const taken = Math.min(cents, owedCents);
    owedCents -= taken;
    return cents - taken;
  };
  const availableCents = net(sum(unpaid.map(({ available }) => available)));
  const pendingCents = net(sum(unpaid.map(({ pending }) => pending)));
  const heldCents = net(sum(unpaid.map(({ held }) => held)));
  let left = availableCents;
  const parts = unpaid.flatMap(({ adId, available }) => {
    const cents = Math.min(available, left);
    left -= cents;
    return cents > 0 ? [{ adId, cents }] : [];
  });
  const paidOutCents = sum(ads.map(({ sentCents }) => sentCents)) - endedCents;
  return { pendingCents, availableCents, heldCents, paidOutCents, owedCents, parts };
}

/** Monday 00:00 UTC, the time of the weekly payout, at `now` or before. */
export function lastPayoutAt(now: Date): Date {
  const day = now.getTime() - (now.getTime() % DAY_MS);
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return new Date(day - sinceMonday * DAY_MS);
}

/** The next weekly payout after `now`. */
export function nextPayoutAt(now: Date): Date {
  return later(lastPayoutAt(now), 7 * DAY_MS);
}

/**
 * The coming weekly payouts of what is earned by `now`, if no hold ends and none begins. `availableBy` is what all of them
 * up to a time may pay. An amount below the minimum waits for the next payout. `heldUntil` ends the hold after a change of
 * the payout account: the payout of its week leaves then. [PAYO-600]
 */
export function expectedPayouts(
  availableBy: (at: Date) => number,
  {
    now,
    heldUntil,
    minimumCents,
    ...days
  }: HoldDays & { now: Date; heldUntil: Date | null; minimumCents: number },
): { at: Date; cents: number }[] {
  const allMatured = later(now, Math.max(days.firstHoldDays, days.holdDays) * DAY_MS);
  const last = heldUntil !== null && heldUntil > allMatured ? heldUntil : allMatured;
  const payouts: { at: Date; cents: number }[] = [];
  let paid = 0;
  let monday = lastPayoutAt(now);
  do {
    monday = nextPayoutAt(monday);
    const at = heldUntil !== null && heldUntil > monday ? heldUntil : monday;
    const cents = availableBy(monday) - paid;
    if (at >= nextPayoutAt(monday) || cents < Math.max(1, minimumCents)) continue;
    payouts.push({ at, cents });
    paid += cents;
  } while (monday < last);
  return payouts;
}

/** The excess that was paid out for an ad, as reversals of `transfers`: the newest first. */
export function reversalsOf(
  excessCents: number,
  transfers: readonly { id: number; leftCents: number }[],
): { id: number; cents: number }[] {
  let left = excessCents;
  return transfers.toReversed().flatMap(({ id, leftCents }) => {
    const cents = Math.min(left, leftCents);
    left -= cents;
    return cents > 0 ? [{ id, cents }] : [];
  });
}

/**
 * The entries of a transfer to a publisher. The publisher owes us the part above `payableCents`, because their earnings
 * were reduced while the transfer was on its way.
 */
export function transferred(publisherId: number, cents: number, payableCents: number): Entry[] {
  const paid = Math.min(cents, payableCents);
  return entries([
    { account: { kind: 'publisher_payable', ownerId: publisherId }, amountCents: paid },
    { account: { kind: 'publisher_receivable', ownerId: publisherId }, amountCents: cents - paid },
  ]);
}

/** The entries of a transfer that was taken back. It first settles the publisher's debt. */
export function takenBack(publisherId: number, cents: number, receivableCents: number): Entry[] {
  const settled = Math.min(cents, receivableCents);
  return entries([
    { account: { kind: 'publisher_receivable', ownerId: publisherId }, amountCents: -settled },
    { account: { kind: 'publisher_payable', ownerId: publisherId }, amountCents: settled - cents },
  ]);
}

/** The entries that settle a publisher's debt from later earnings. */
export function netted(publisherId: number, cents: number): Entry[] {
  return entries([
    { account: { kind: 'publisher_payable', ownerId: publisherId }, amountCents: cents },
    { account: { kind: 'publisher_receivable', ownerId: publisherId }, amountCents: -cents },
  ]);
}

// The ledger has no entries of zero.
function entries(all: Entry[]): Entry[] {
  return all.filter(({ amountCents }) => amountCents !== 0);
}
