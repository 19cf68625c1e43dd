import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, needPerDay, pick, sumsOf, weigh } from './choose.ts';

const DAY = 86_400_000;
const perDay: Candidate = { pricingModel: 'per_day', goal: null, views: 0, clicks: 0, startMs: 0 };
const views = (goal: number, seen = 0): Candidate => ({
  ...perDay,
  pricingModel: 'per_impression',
  goal,
  views: seen,
});
const clicks = (goal: number, seen = 0, clicked = 0): Candidate => ({
  ...perDay,
  pricingModel: 'per_click',
  goal,
  views: seen,
  clicks: clicked,
});
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

describe('the shares of a zone', () => {
  // Proves DEL-18, STATE-05
  it('are equal if the zone has only per-day ads', () => {
    expect(weigh([perDay, perDay, perDay, perDay], 1000, 0)).toEqual([250, 250, 250, 250]);
  });

  // Proves DEL-18, STATE-05
  it('give a quota ad what it needs and per-day ads the rest', () => {
    expect(weigh([perDay, views(3000)], 1000, 0)).toEqual([900, 100]);
  });

  // Proves DEL-18, STATE-05
  it('scale down all quotas by the same factor if they need too much, and leave per-day ads 1/N each', () => {
    expect(weigh([perDay, views(300_000), views(900_000)], 3000, 0)).toEqual([1000, 500, 1500]);
  });

  // Proves STATE-05
  it('are positive, give every per-day ad its floor and add up to the forecast, for any mix of ads', () => {
    const candidate = fc.oneof(
      fc.constant(perDay),
      fc
        .record({
          goal: fc.integer({ min: 1, max: 1_000_000 }),
          part: fc.double({ min: 0, max: 0.999, noNaN: true }),
        })
        .map(({ goal, part }) => views(goal, Math.floor(goal * part))),
      fc
        .record({ goal: fc.integer({ min: 1, max: 10_000 }), seen: fc.nat(1_000_000) })
        .map(({ goal, seen }) => clicks(goal, seen)),
    );
    fc.assert(
      fc.property(
        fc.array(candidate, { minLength: 1, maxLength: 25 }),
        fc.double({ min: 1, max: 1_000_000, noNaN: true }),
        fc.integer({ min: 0, max: 60 }),
        (candidates, forecast, day) => {
          const weights = weigh(candidates, forecast, day * DAY);
          const floor = forecast / candidates.length;
          expect(weights.every((weight) => weight > 0)).toBe(true);
          for (const [index, { goal }] of candidates.entries()) {
            if (goal === null) expect(weights[index]).toBeGreaterThanOrEqual(floor * 0.999_999);
          }
          if (candidates.some(({ goal }) => goal === null)) expect(sum(weights) / forecast).toBeCloseTo(1, 6);
        },
      ),
    );
  });

  // Proves STATE-05
  it('grow for a quota ad as its time runs out, and stay finite afterwards', () => {
    const ad = views(3000);
    expect(needPerDay(ad, 0)).toBe(100);
    expect(needPerDay(ad, 15 * DAY)).toBe(200);
    expect(needPerDay(ad, 90 * DAY)).toBe(3000 * 24);
    expect(needPerDay(perDay, 0)).toBeNull();
    // 30 clicks at 0.2% need 15,000 views in 30 days.
    expect(needPerDay(clicks(30), 0)).toBeCloseTo(500);
    // Half of the clicks are delivered, at a higher rate than assumed.
    expect(needPerDay(clicks(30, 4500, 15), 0)).toBeCloseTo(15 / (16 / 5000) / 30);
  });

  // Proves STATE-05
  it('decide how often each ad is picked, and none is picked if all are zero', () => {
    expect([0, 0.24, 0.26, 0.999_999].map((random) => pick(sumsOf([1, 0, 3]), random))).toEqual([0, 0, 2, 2]);
    expect(pick(sumsOf([]), 0.5)).toBeNull();
    expect(pick(sumsOf([0, 0]), 0.5)).toBeNull();
  });
});
