import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, later } from '../time.ts';
import {
  type Accrual,
  balanceOf,
  FIRST_EARNINGS_CENTS,
  lastPayoutAt,
  maturedOf,
  expectedPayouts,
  nextPayoutAt,
  reversalsOf,
} from './payouts.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const DAYS = { firstHoldDays: 30, holdDays: 7 };
const ago = (days: number) => later(NOW, -days * DAY_MS);
const total = (cents: Iterable<number>) => [...cents].reduce((sum, each) => sum + each, 0);

/** Matures accruals of which all are recent. `lost` are the corrections and losses by ad. */
function mature(accruals: readonly Accrual[], lost: Record<string, number> = {}, days = DAYS, now = NOW) {
  const adIds = [...new Set(accruals.map(({ adId }) => adId))];
  const ads = adIds.map((adId) => ({
    adId,
    earnedCents:
      total(accruals.filter((each) => each.adId === adId).map(({ cents }) => cents)) -
      (lost[String(adId)] ?? 0),
  }));
  return Object.fromEntries(maturedOf(ads, accruals, days, now));
}

describe('earnings', () => {
  // Proves PAYO-01
  it('wait 7 days, and the first 100.00 ever earned wait 30', () => {
    expect(mature([{ adId: 1, at: ago(29), cents: 5000 }])).toEqual({ 1: 0 });
    expect(mature([{ adId: 1, at: ago(30), cents: 5000 }])).toEqual({ 1: 5000 });
    const both = [
      { adId: 1, at: ago(30), cents: 12_000 },
      { adId: 2, at: ago(7), cents: 1000 },
      { adId: 3, at: ago(6), cents: 700 },
    ];
    expect(mature(both)).toEqual({ 1: 12_000, 2: 1000, 3: 0 });
  });

  // Proves PAYO-01
  it('of one ad are divided at 100.00', () => {
    expect(mature([{ adId: 1, at: ago(8), cents: 25_000 }])).toEqual({ 1: 15_000 });
    expect(mature([{ adId: 1, at: ago(6), cents: 25_000 }])).toEqual({ 1: 0 });
    expect(
      mature([
        { adId: 1, at: ago(31), cents: 6000 },
        { adId: 1, at: ago(8), cents: 6000 },
      ]),
    ).toEqual({ 1: 8000 });
  });

  // Proves PAYO-01
  it('are reduced at once by a correction, which takes the oldest earnings of its ad', () => {
    const accruals = [
      { adId: 1, at: ago(40), cents: 15_000 },
      { adId: 2, at: ago(3), cents: 4000 },
    ];
    expect(mature(accruals)).toEqual({ 1: 15_000, 2: 0 });
    expect(mature(accruals, { 1: 2000 })).toEqual({ 1: 13_000, 2: 0 });
    expect(mature(accruals, { 2: 1000 })).toEqual({ 1: 14_000, 2: 0 });
  });

  // Proves PAYO-01
  it('of a marketplace without hold days are mature at once', () => {
    expect(mature([{ adId: 1, at: NOW, cents: 25_000 }], {}, { firstHoldDays: 0, holdDays: 0 })).toEqual({
      1: 25_000,
    });
  });

  // Proves PAYO-01
  it('mature exactly by the formula, whatever their history, and never more of an ad than it has earned', () => {
    const accrual = fc.record({
      adId: fc.integer({ min: 1, max: 4 }),
      days: fc.integer({ min: 0, max: 45 }),
      cents: fc.integer({ min: 1, max: 9000 }),
    });
    const days = fc.record({
      firstHoldDays: fc.integer({ min: 0, max: 45 }),
      holdDays: fc.integer({ min: 0, max: 45 }),
    });
    const share = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(
        fc.array(accrual, { maxLength: 20 }),
        days,
        fc.array(share, { minLength: 4, maxLength: 4 }),
        (given, hold, shares) => {
          const accruals = given
            .map(({ days: age, ...each }) => ({ ...each, at: ago(age) }))
            .toSorted((a, b) => a.at.getTime() - b.at.getTime());
          const sums = new Map<number, number>();
          for (const { adId, cents } of accruals) sums.set(adId, (sums.get(adId) ?? 0) + cents);
          const ads = [...sums].map(([adId, cents]) => ({
            adId,
            earnedCents: cents - Math.floor((cents * (shares[adId - 1] ?? 0)) / 100),
          }));
          const lost = total(sums.values()) - total(ads.map(({ earnedCents }) => earnedCents));
          const earnedBy = (t: Date) =>
            total(accruals.filter(({ at }) => at <= t).map(({ cents }) => cents)) - lost;
          const matured = maturedOf(ads, accruals, hold, NOW);
          expect(total(matured.values())).toBe(
            Math.min(FIRST_EARNINGS_CENTS, Math.max(0, earnedBy(ago(hold.firstHoldDays)))) +
              Math.max(0, earnedBy(ago(hold.holdDays)) - FIRST_EARNINGS_CENTS),
          );
          for (const { adId, earnedCents } of ads) {
            expect(matured.get(adId) ?? 0).toBeGreaterThanOrEqual(0);
            expect(matured.get(adId) ?? 0).toBeLessThanOrEqual(earnedCents);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a balance', () => {
  const ad = (
    adId: number,
    earned: number,
    fields: { sent?: number; held?: number; matured?: number } = {},
  ) => ({
    adId,
    earnedCents: earned,
    sentCents: fields.sent ?? 0,
    heldCents: fields.held ?? 0,
    maturedCents: fields.matured ?? 0,
  });

  // Proves PAYO-02
  it('divides unpaid earnings into available, held and pending', () => {
    expect(balanceOf([ad(1, 1000, { sent: 300, held: 200, matured: 600 }), ad(2, 500)])).toEqual({
      availableCents: 300,
      heldCents: 200,
      pendingCents: 700,
      paidOutCents: 300,
      owedCents: 0,
      parts: [{ adId: 1, cents: 300 }],
    });
  });

  // Proves PAYO-02, PAYO-05
  it('deducts excess payouts before anything is available, and the rest is owed', () => {
    const lost = ad(1, 100, { sent: 1000, matured: 100 });
    expect(balanceOf([lost])).toMatchObject({ owedCents: 900, availableCents: 0, paidOutCents: 1000 });
    expect(balanceOf([lost, ad(2, 700, { matured: 500 })])).toEqual({
      owedCents: 200,
      availableCents: 0,
      pendingCents: 0,
      heldCents: 0,
      paidOutCents: 1000,
      parts: [],
    });
    expect(balanceOf([lost, ad(2, 2000, { matured: 1500 }), ad(3, 400, { matured: 400 })])).toEqual({
      owedCents: 0,
      availableCents: 1000,
      pendingCents: 500,
      heldCents: 0,
      paidOutCents: 1000,
      parts: [{ adId: 2, cents: 1000 }],
    });
  });

  // Proves PAYO-02
  it('always adds up to the earnings, and its parts to the available amount', () => {
    const cents = fc.nat(5000);
    const some = fc.record({ earned: cents, sent: cents, held: cents, matured: cents });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), (given) => {
        const ads = given.map(({ earned, matured, ...rest }, at) =>
          ad(at, earned, { ...rest, matured: Math.min(matured, earned) }),
        );
        const { pendingCents, availableCents, heldCents, paidOutCents, owedCents, parts } = balanceOf(ads);
        const unpaid = pendingCents + availableCents + heldCents;
        expect(unpaid + paidOutCents - owedCents).toBe(total(ads.map(({ earnedCents }) => earnedCents)));
        expect(Math.min(unpaid, owedCents)).toBe(0);
        expect(total(parts.map((part) => part.cents))).toBe(availableCents);
        for (const part of parts) {
          const { earnedCents, sentCents, heldCents: held } = ads[part.adId!] as (typeof ads)[number];
          expect(part.cents).toBeLessThanOrEqual(
            Math.max(0, earnedCents - sentCents - Math.min(held, Math.max(0, earnedCents - sentCents))),
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});

// Proves PAYO-03
it('the weekly payout is on Monday at 00:00 UTC', () => {
  const monday = new Date('2026-11-23T00:00:00Z');
  expect(nextPayoutAt(NOW)).toEqual(monday);
  expect(lastPayoutAt(NOW)).toEqual(new Date('2026-11-16T00:00:00Z'));
  expect(lastPayoutAt(monday)).toEqual(monday);
  expect(nextPayoutAt(monday)).toEqual(new Date('2026-11-30T00:00:00Z'));
  expect(lastPayoutAt(later(monday, -1))).toEqual(new Date('2026-11-16T00:00:00Z'));
});

// Proves PAYO-600
describe('the coming payouts', () => {
  const MONDAYS = ['23', '30'].map((day) => `2026-11-${day}T00:00:00.000Z`);
  const days = { firstHoldDays: 8, holdDays: 7, minimumCents: 2500 };
  const expected = (byMonday: readonly number[], heldUntil: Date | null = null) =>
    expectedPayouts(
      // Everything has matured after the last of these Mondays.
      (at) => byMonday[MONDAYS.indexOf(at.toISOString())] ?? byMonday.at(-1)!,
      { ...days, now: NOW, heldUntil },
    ).map(({ at, cents }) => [at.toISOString(), cents]);

  it('are the amounts that become available by each Monday', () => {
    expect(expected([9800, 21_700])).toEqual([
      [MONDAYS[0], 9800],
      [MONDAYS[1], 11_900],
    ]);
    expect(expected([0, 0])).toEqual([]);
  });

  it('leave an amount below the minimum for the next one', () => {
    expect(expected([2499, 2500])).toEqual([[MONDAYS[1], 2500]]);
    expect(expected([9800, 9900])).toEqual([[MONDAYS[0], 9800]]);
  });

  it('leave when the hold after a change ends, if that is in their week', () => {
    const until = new Date('2026-11-24T10:00:00.000Z');
    expect(expected([9800, 21_700], until)).toEqual([
      [until.toISOString(), 9800],
      [MONDAYS[1], 11_900],
    ]);
    const late = new Date('2026-12-15T10:00:00.000Z');
    expect(expected([9800, 21_700], late)).toEqual([[late.toISOString(), 21_700]]);
  });
});

// Proves PAYO-05
it('an excess is taken from the newest transfers', () => {
  const transfers = [
    { id: 1, leftCents: 500 },
    { id: 2, leftCents: 300 },
  ];
  expect(reversalsOf(400, transfers)).toEqual([
    { id: 2, cents: 300 },
    { id: 1, cents: 100 },
  ]);
  expect(reversalsOf(1000, transfers)).toHaveLength(2);
  expect(reversalsOf(0, transfers)).toEqual([]);
});
