import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../time.ts';
import { earnedOf } from './earned.ts';
import {
  leftOf,
  movedBy,
  nextLook,
  nextLookAtDone,
  nextTry,
  refundMoved,
  type Shares,
  shareOfRefund,
  sumOf,
  undeliveredOwed,
} from './refunds.ts';
import { splitPrice } from './split.ts';

const NOTHING: Shares = { publisherCents: 0, commissionCents: 0 };
const add = (a: Shares, b: Shares): Shares => ({
  publisherCents: a.publisherCents + b.publisherCents,
  commissionCents: a.commissionCents + b.commissionCents,
});
const sharesOf = (totalCents: number): Shares => {
  const { commissionCents, earningsCents } = splitPrice(totalCents, 15);
  return { publisherCents: earningsCents, commissionCents };
};

describe('the shares of refunds', () => {
  // Proves REFU-02
  it('of a hundred cents, refunded one by one, are those of 1.00', () => {
    let refunded = NOTHING;
    for (let cent = 0; cent < 100; cent++)
      refunded = add(refunded, shareOfRefund(sharesOf(100), NOTHING, refunded, 1));
    expect(refunded).toEqual({ publisherCents: 85, commissionCents: 15 });
  });

  // Proves REFU-02
  it('add up to the price with what is earned, for every price, delivery and sequence of refunds', () => {
    const price = fc.oneof(fc.integer({ min: 50, max: 300 }), fc.integer({ min: 50, max: 1_000_000 }));
    const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
    fc.assert(
      fc.property(
        price,
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        parts,
        (totalCents, bought, progress, sequence) => {
          const whole = sharesOf(totalCents);
          const units = Math.floor(bought * progress);
          const earned = earnedOf({ totalCents, commissionCents: whole.commissionCents }, units, bought);
          let refunded = NOTHING;
          for (const part of [...sequence, 1]) {
            const left = sumOf(leftOf(whole, earned, refunded));
            if (left === 0) break;
            const share = shareOfRefund(whole, earned, refunded, Math.max(1, Math.floor(left * part)));
            expect(Math.min(share.publisherCents, share.commissionCents)).toBeGreaterThanOrEqual(0);
            refunded = add(refunded, share);
            const rest = leftOf(whole, earned, refunded);
            expect(Math.min(rest.publisherCents, rest.commissionCents)).toBeGreaterThanOrEqual(0);
          }
          expect(leftOf(whole, earned, refunded)).toEqual(NOTHING);
        },
      ),
    );
  });

  // Proves REFU-02
  it('are refused for more than what is left, and for nothing', () => {
    for (const cents of [101, 0, -1, 0.5, Number.NaN])
      expect(() => shareOfRefund(sharesOf(100), NOTHING, NOTHING, cents)).toThrow(RangeError);
    expect(() => shareOfRefund(sharesOf(100), sharesOf(60), sharesOf(20), 21)).toThrow('20 are left');
  });
});

// Proves REFU-01
it('balances the entries of each step of a refund, and a returned one is owed as before', () => {
  const payable = { kind: 'refund_payable', ownerId: 7 } as const;
  const steps = [
    undeliveredOwed(7, { publisherCents: 4250, commissionCents: 750 }),
    movedBy({ net: -5010, fee: 10, amount: -5000 }, payable),
    movedBy({ net: 5000, fee: 0, amount: 5000 }, payable),
    refundMoved(payable, 5000),
  ];
  const owed: number[] = [];
  let cents = 0;
  for (const entries of steps) {
    expect(entries.reduce((total, { amountCents }) => total + amountCents, 0)).toBe(0);
    cents -= entries.find(({ account }) => account.kind === 'refund_payable')?.amountCents ?? 0;
    owed.push(cents);
  }
  expect(owed).toEqual([5000, 0, 5000, 0]);
  expect(undeliveredOwed(7, { publisherCents: 3, commissionCents: 0 })).toHaveLength(2);
});

// Proves REFU-03
it('waits longer after each refusal, but never more than a day', () => {
  const now = new Date('2026-03-02T00:00:00Z');
  const waits = [1, 2, 3, 11, 12, 1000].map((attempts) => nextTry(attempts, now).getTime() - now.getTime());
  expect(waits).toEqual([1, 2, 4, 1024, 1440, 1440].map((minutes) => minutes * MINUTE_MS));
  const lookAfter = (ms: number) => nextLook(later(now, -ms), now).getTime() - now.getTime();
  expect([0, 2 * HOUR_MS, 9 * DAY_MS].map(lookAfter)).toEqual([10 * MINUTE_MS, 2 * HOUR_MS, DAY_MS]);
  const doneFor = (ms: number) => nextLookAtDone(later(now, -ms), now);
  expect(doneFor(0)).toEqual(later(now, DAY_MS));
  expect(doneFor(4 * DAY_MS)).toEqual(later(now, 4 * DAY_MS));
  expect(doneFor(31 * DAY_MS)).toBe(null);
});
