import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commissionIn, DEFAULT_COMMISSION_PERCENT, earnedPercent, splitPrice } from './split.ts';

// The highest price that a pricing option can have, in cents. [ENT-23]
const MAX_CENTS = 9_999_999_999;

// Proves CHK-09, LEDG-01, OP-091
it.each([
  [10_000, 1500, 8500],
  [99, 15, 84],
  [3333, 500, 2833],
  [1, 0, 1],
  // 15% of 10 cents is 1.5 cents, rounded half up.
  [10, 2, 8],
  [MAX_CENTS, 1_500_000_000, 8_499_999_999],
])('splits %i cents into a fee of %i and earnings of %i', (total, fee, earnings) => {
  expect(splitPrice(total, DEFAULT_COMMISSION_PERCENT)).toEqual({
    commissionCents: fee,
    earningsCents: earnings,
  });
});

// Proves LEDG-01, OP-091
it('splits every amount so that fee and earnings add up and the fee is 15% to the nearest cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_CENTS }), (total) => {
      const { commissionCents, earningsCents } = splitPrice(total, 15);
      expect(commissionCents + earningsCents).toBe(total);
      expect(Number.isInteger(commissionCents)).toBe(true);
      expect(Math.abs(commissionCents * 100 - total * 15)).toBeLessThanOrEqual(50);
    }),
  );
});

// Proves OWNS-60
it('splits by any percent with two decimals, rounded half up without the errors of binary fractions', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: MAX_CENTS }),
      fc.integer({ min: 0, max: 5000 }),
      (total, hundredths) => {
        const { commissionCents, earningsCents } = splitPrice(total, hundredths / 100);
        const exact = (2n * BigInt(total) * BigInt(hundredths) + 10_000n) / 20_000n;
        expect([commissionCents, commissionCents + earningsCents]).toEqual([Number(exact), total]);
        expect(earnedPercent(hundredths / 100)).toBe((10_000 - hundredths) / 100);
      },
    ),
  );
  expect(splitPrice(9900, 7.35)).toEqual({ commissionCents: 728, earningsCents: 9172 });
  expect(splitPrice(100, 0)).toEqual({ commissionCents: 0, earningsCents: 100 });
});

// Proves OWNS-60
it('reads a percent from 0 to 50 with at most two decimals, and nothing else', () => {
  expect(['0', '15', '7.5', '7.50', '50', '50.00'].map(commissionIn)).toEqual([0, 15, 7.5, 7.5, 50, 50]);
  for (const text of ['', '-1', '50.01', '51', '7.505', '7,5', '1e1', ' 5', '5%', '100', 'NaN'])
    expect([text, commissionIn(text)]).toEqual([text, null]);
});
