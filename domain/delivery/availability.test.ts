import { expect, it } from 'vitest';
import { availabilityOf, isOversold, unitCosts } from './availability.ts';
import type { Candidate } from './choose.ts';

const perDay: Candidate = { pricingModel: 'per_day', goal: null, views: 0, clicks: 0, startMs: 0 };
const views = (goal: number): Candidate => ({ ...perDay, pricingModel: 'per_impression', goal });
const clicks = (goal: number): Candidate => ({ ...perDay, pricingModel: 'per_click', goal });

it('computes the views left in a zone by the rule that chooses ads', () => {
  expect(availabilityOf(perDay, [], 1000, 0)).toEqual({ yoursPerDay: 1000, days: null });
  expect(availabilityOf(perDay, [perDay, perDay, perDay], 1000, 0).yoursPerDay).toBe(250);
  // This quota fits beside a per-day ad and is paced over its 30 days.
  expect(availabilityOf(views(3000), [perDay], 1000, 0)).toEqual({ yoursPerDay: 100, days: 30 });
  // Alone it gets all views.
  expect(availabilityOf(views(3000), [], 1000, 0)).toEqual({ yoursPerDay: 1000, days: 3 });
  // The per-day ad has half of the views. The quotas share the other half in proportion to their goals.
  expect(availabilityOf(views(60_000), [perDay], 1000, 0)).toEqual({ yoursPerDay: 500, days: 120 });
  expect(availabilityOf(views(30_000), [views(60_000)], 1000, 0).days).toBe(90);
  // 40 clicks at 0.2% need 20,000 views.
  expect(availabilityOf(clicks(40), [], 1000, 0).days).toBe(20);
});

it('has an answer for a delivered quota, and for a zone without views', () => {
  const delivered = { ...views(1000), views: 1000 };
  for (const others of [[], [delivered], [perDay], [views(60_000)]])
    expect(availabilityOf(delivered, others, 1000, 0)).toEqual({ yoursPerDay: 0, days: 0 });
  expect(availabilityOf(perDay, [], 0, 0)).toEqual({ yoursPerDay: 0, days: null });
  expect(availabilityOf(views(1000), [], 0, 0)).toEqual({ yoursPerDay: 0, days: null });
  expect(availabilityOf(views(1000), [perDay], 0, 0)).toEqual({ yoursPerDay: 0, days: null });
});

it('calls a zone oversold if a quota takes more than a tenth longer than planned', () => {
  expect([30, 33, 34, 120].map(isOversold)).toEqual([false, false, true, true]);
});

it('computes the price of 1,000 views or of a click in cents, and none that the pricing model does not have', () => {
  const perDay = { pricingModel: 'per_day', duration: 7, impressions: null, clicks: null } as const;
  expect(unitCosts(7000, perDay, 100)).toEqual({ costPerThousand: 10_000, costPerClick: null });
  expect(unitCosts(7000, perDay, 0.4)).toEqual({ costPerThousand: null, costPerClick: null });
  const largest = unitCosts(9_999_999_999, { ...perDay, duration: 1 }, 0.5).costPerThousand;
  expect(Number.isSafeInteger(largest)).toBe(true);
  const views = {
    pricingModel: 'per_impression',
    duration: null,
    impressions: 20_000,
    clicks: null,
  } as const;
  expect(unitCosts(9000, views, 0)).toEqual({ costPerThousand: 450, costPerClick: null });
  const clicks = { pricingModel: 'per_click', duration: null, impressions: null, clicks: 3 } as const;
  expect(unitCosts(90, clicks, 0)).toEqual({ costPerThousand: null, costPerClick: 30 });
});
