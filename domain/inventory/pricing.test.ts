import { describe, expect, it } from 'vitest';
import { type AdPlan, planOf, unitPriceCents } from './pricing.ts';

const perDay = (duration: number): AdPlan => ({
  pricingModel: 'per_day',
  duration,
  impressions: null,
  clicks: null,
});
const perImpression = (impressions: number): AdPlan => ({
  pricingModel: 'per_impression',
  duration: null,
  impressions,
  clicks: null,
});
const perClick = (clicks: number): AdPlan => ({
  pricingModel: 'per_click',
  duration: null,
  impressions: null,
  clicks,
});

describe('unit prices', () => {
  // Proves CRE-14, OP-049, OP-053
  it('divide the price of the whole option', () => {
    expect(unitPriceCents(10_000, perDay(30))).toBe(333);
    expect(unitPriceCents(10_000, perClick(40))).toBe(250);
    expect(unitPriceCents(10_000, perImpression(25_000))).toBe(400);
  });

  // Proves CRE-14
  it('round half up', () => {
    expect(unitPriceCents(5, perClick(2))).toBe(3);
    expect(unitPriceCents(1, perImpression(2_000))).toBe(1);
    expect(unitPriceCents(1, perImpression(2_001))).toBe(0);
  });

  // Proves CRE-14
  it('are exact even for the highest price', () => {
    expect(unitPriceCents(9_999_999_999, perImpression(1))).toBe(9_999_999_999_000);
  });
});

describe('planOf', () => {
  // Proves ENT-25, OP-060
  it.each([perDay(7), perImpression(1000), perClick(5)])('reads %j from its columns', (plan) => {
    expect(planOf(plan)).toEqual(plan);
  });

  // Proves ENT-25
  it('throws for a plan without its own quantity', () => {
    const empty = { duration: null, impressions: null, clicks: null };
    for (const pricingModel of ['per_day', 'per_impression', 'per_click'] as const) {
      expect(() => planOf({ pricingModel, ...empty })).toThrow(RangeError);
    }
    expect(() => planOf({ ...empty, pricingModel: 'per_click', impressions: 5 })).toThrow(RangeError);
  });
});
