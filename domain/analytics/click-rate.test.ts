import { expect, it } from 'vitest';
import { distanceFromUsual, standsOut } from './click-rate.ts';

const usual = { views: 100_000, clicks: 1000 };

// Proves DEL-42
it('the distance is the z of two proportions', () => {
  // 20 of 500 beside 1 %: pooled 1,020 of 100,500; 0.03 ÷ 0.0044937.
  expect(distanceFromUsual({ views: 500, clicks: 20 }, usual)).toBeCloseTo(6.676, 3);
  expect(distanceFromUsual({ views: 500, clicks: 5 }, usual)).toBe(0);
  expect(distanceFromUsual({ views: 500, clicks: 0 }, { views: 500, clicks: 0 })).toBe(0);
});

// Proves DEL-42
it('an hour stands out when chance does not explain its clicks, or its lack of them', () => {
  expect(standsOut({ views: 1000, clicks: 22 }, usual)).toBe(false);
  expect(standsOut({ views: 1000, clicks: 23 }, usual)).toBe(true);
  // Views without people.
  expect(standsOut({ views: 5000, clicks: 10 }, usual)).toBe(true);
  expect(standsOut({ views: 1000, clicks: 0 }, usual)).toBe(false);
});

// Proves DEL-42
it('of few views nothing is said', () => {
  expect(standsOut({ views: 499, clicks: 400 }, usual)).toBe(false);
  expect(standsOut({ views: 500, clicks: 400 }, usual)).toBe(true);
  expect(standsOut({ views: 500, clicks: 400 }, { views: 499, clicks: 5 })).toBe(false);
});
