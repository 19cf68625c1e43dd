import fc from 'fast-check';
import { expect, it } from 'vitest';
import { earnedOf, refundExamples, refundOf, shareOf, unitsBought } from './earned.ts';
import { splitPrice } from './split.ts';

const MAX_CENTS = 9_999_999_999;
const price = (totalCents: number) => ({
  totalCents,
  commissionCents: splitPrice(totalCents, 15).commissionCents,
});

// Proves LEDG-01
it('accrues and refunds every price from 0.50 to 10,000.00 to the cent', () => {
  // Counts what is wrong instead of asserting millions of times.
  let wrong = 0;
  for (let cents = 50; cents <= 1_000_000; cents++) {
    const agreed = price(cents);
    const bought = 2 + ((cents * 7919) % 10_000);
    let last = { publisherCents: 0, commissionCents: 0 };
    for (const units of [0, 1, bought >> 1, bought - 1, bought]) {
      const earned = earnedOf(agreed, units, bought);
      const back = refundOf(agreed, units, bought);
      if (earned.publisherCents + earned.commissionCents + back !== cents || back < 0) wrong++;
      if (earned.publisherCents < last.publisherCents || earned.commissionCents < last.commissionCents)
        wrong++;
      last = earned;
    }
    if (last.commissionCents !== agreed.commissionCents || refundOf(agreed, 0, bought) !== cents) wrong++;
  }
  expect(wrong).toBe(0);
}, 60_000);

// Proves LEDG-01
it('never earns less after more units, and loses no cent over any steps', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: MAX_CENTS }),
      fc.integer({ min: 1, max: 40_000_000 }),
      steps,
      (cents, bought, parts) => {
        const agreed = price(cents);
        let [publisher, commission] = [0, 0];
        let before = earnedOf(agreed, 0, bought);
        for (const part of [...parts.toSorted((a, b) => a - b), 1000]) {
          const after = earnedOf(agreed, Math.floor((bought * part) / 1000), bought);
          expect(after.publisherCents).toBeGreaterThanOrEqual(before.publisherCents);
          expect(after.commissionCents).toBeGreaterThanOrEqual(before.commissionCents);
          publisher += after.publisherCents - before.publisherCents;
          commission += after.commissionCents - before.commissionCents;
          before = after;
        }
        expect([publisher, commission]).toEqual([cents - agreed.commissionCents, agreed.commissionCents]);
      },
    ),
  );
});

// Proves LEDG-01
it('rounds down also where a product is larger than the largest exact number', () => {
  expect(shareOf(8_499_999_999, 31_535_999, 31_536_000)).toBe(8_499_999_729);
  expect(shareOf(8500, 1200, 10_000)).toBe(1020);
  expect(shareOf(8500, 1, 3)).toBe(2833);
});

// Proves LEDG-01
it('shows the refund after nothing, half and all of it was delivered', () => {
  const tenThousand = { totalCents: 10_000, commissionCents: 1500 };
  const perDay = { pricingModel: 'per_day', duration: 7, impressions: null, clicks: null } as const;
  expect(unitsBought(perDay)).toBe(604_800);
  expect(refundExamples(tenThousand, perDay)).toEqual({ none: 10_000, half: 5000, all: 0 });
  const clicks = { pricingModel: 'per_click', duration: null, impressions: null, clicks: 3 } as const;
  // One of three clicks: 28.33 and 5.00 are earned.
  expect(refundExamples(tenThousand, clicks)).toEqual({ none: 10_000, half: 6667, all: 0 });
});
