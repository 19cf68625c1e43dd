import { expect, it } from 'vitest';
import { partOfRefund, sumOfParts } from './outside-refunds.ts';

// Proves FIELD-76
it('takes exactly the amount from the parts of a refund, and never more than one of them has', () => {
  for (const parts of [
    { publisherCents: 3400, commissionCents: 600, goodwillCents: 6000 },
    { publisherCents: 1, commissionCents: 0, goodwillCents: 2 },
    { publisherCents: 0, commissionCents: 3, goodwillCents: 0 },
    { publisherCents: 85, commissionCents: 15, goodwillCents: 0 },
  ]) {
    const all = sumOfParts(parts);
    for (let cents = 0; cents <= Math.min(all, 120); cents++) {
      const taken = partOfRefund(parts, cents);
      expect(sumOfParts(taken)).toBe(cents);
      for (const key of ['publisherCents', 'commissionCents', 'goodwillCents'] as const)
        expect(taken[key] >= 0 && taken[key] <= parts[key]).toBe(true);
    }
    expect(partOfRefund(parts, all)).toEqual(parts);
  }
  expect(partOfRefund({ publisherCents: 3400, commissionCents: 600, goodwillCents: 6000 }, 5000)).toEqual({
    publisherCents: 1700,
    commissionCents: 300,
    goodwillCents: 3000,
  });
});
