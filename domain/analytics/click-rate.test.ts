import { expect, it } from 'vitest';
import { distanceFromUsual, isUnusual } from './click-rate.ts';

const usual = { views: 100_000, clicks: 1000 };

// Proves DEL-42
it('measures the distance by the two-proportion z-test', () => {
  // 20 of 500 (4%) against 1%, pooled 1,020 of 100,500: 0.03 ÷ 0.0044937.
  expect(distanceFromUsual({ views: 500, clicks: 20 }, usual)).toBeCloseTo(6.676, 3);
  expect(distanceFromUsual({ views: 500, clicks: 5 }, usual)).toBe(0);
  expect(distanceFromUsual({ views: 500, clicks: 0 }, { views: 500, clicks: 0 })).toBe(0);
});

// Proves DEL-42
it('finds an hour unusual if it has far more or far fewer clicks than chance explains', () => {
  expect(isUnusual({ views: 1000, clicks: 22 }, usual)).toBe(false);
  expect(isUnusual({ views: 1000, clicks: 23 }, usual)).toBe(true);
  // Many views with hardly any click suggest bots.
  expect(isUnusual({ views: 5000, clicks: 10 }, usual)).toBe(true);
  expect(isUnusual({ views: 1000, clicks: 0 }, usual)).toBe(false);
});

// Proves DEL-42
it('does not judge an hour with few views, in it or before it', () => {
  expect(isUnusual({ views: 499, clicks: 400 }, usual)).toBe(false);
  expect(isUnusual({ views: 500, clicks: 400 }, usual)).toBe(true);
  expect(isUnusual({ views: 500, clicks: 400 }, { views: 499, clicks: 5 })).toBe(false);
});
