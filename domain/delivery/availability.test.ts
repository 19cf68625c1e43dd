import { expect, it } from 'vitest';
import { availabilityOf, isOverbooked } from './availability.ts';
import type { Candidate } from './choose.ts';

const perDay: Candidate = { pricingModel: 'per_day', goal: null, views: 0, clicks: 0, startMs: 0 };
const views = (goal: number): Candidate => ({ ...perDay, pricingModel: 'per_impression', goal });
const clicks = (goal: number): Candidate => ({ ...perDay, pricingModel: 'per_click', goal });

// Proves DEL-50
it('what is left of a zone is told by the rule that chooses', () => {
  expect(availabilityOf(perDay, [], 1000, 0)).toEqual({ yoursPerDay: 1000, days: null });
  expect(availabilityOf(perDay, [perDay, perDay, perDay], 1000, 0).yoursPerDay).toBe(250);
  // Fits beside a per-day ad, and is paced to its 30 days.
  expect(availabilityOf(views(3000), [perDay], 1000, 0)).toEqual({ yoursPerDay: 100, days: 30 });
  // Alone it has all there is.
  expect(availabilityOf(views(3000), [], 1000, 0)).toEqual({ yoursPerDay: 1000, days: 3 });
  // Half is the per-day ad's; the other half is shared by what was bought.
  expect(availabilityOf(views(60_000), [perDay], 1000, 0)).toEqual({ yoursPerDay: 500, days: 120 });
  expect(availabilityOf(views(30_000), [views(60_000)], 1000, 0).days).toBe(90);
  // 40 clicks at 0.2 % are 20,000 views.
  expect(availabilityOf(clicks(40), [], 1000, 0).days).toBe(20);
});

// Proves DEL-50
it('a tenth beyond its time is late', () => {
  expect([30, 33, 34, 120].map(isOverbooked)).toEqual([false, false, true, true]);
});
