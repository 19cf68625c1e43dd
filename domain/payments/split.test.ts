import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitPrice } from './split.ts';

// The highest price that a pricing option can have, in cents. [ENT-23]
const MAX_CENTS = 9_999_999_999;

// Proves CONST-02, CONST-03, OP-091
it.each([
  [10_000, 1500, 8500],
  [99, 15, 84],
  [3333, 500, 2833],
  [1, 0, 1],
  // 15% of 10 cents is 1.5 cents, rounded half up.
  [10, 2, 8],
  [MAX_CENTS, 1_500_000_000, 8_499_999_999],
])('splits %i cents into a fee of %i and earnings of %i', (total, fee, earnings) => {
  expect(splitPrice(total)).toEqual({ commissionCents: fee, earningsCents: earnings });
});

// Proves CONST-03, OP-091
it('splits every amount so that fee and earnings add up and the fee is 15% to the nearest cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_CENTS }), (total) => {
      const { commissionCents, earningsCents } = splitPrice(total);
      expect(commissionCents + earningsCents).toBe(total);
      expect(Number.isInteger(commissionCents)).toBe(true);
      expect(Math.abs(commissionCents * 100 - total * 15)).toBeLessThanOrEqual(50);
    }),
  );
});
