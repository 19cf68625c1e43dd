import { expect, it } from 'vitest';
import type { CountingBucket } from './contract.ts';
import { addUp, grossOf, lostOf, viewabilityOf } from './counting.ts';

const first: CountingBucket = {
  start: '2026-11-20',
  decisions: 20,
  rendered: 10,
  views: {
    counted: 4,
    uncounted: [
      { reason: 'bot', count: 1 },
      { reason: 'duplicate', count: 7 },
    ],
  },
  clicks: { counted: 1, uncounted: [] },
  landings: { clicks: 1, landings: 0 },
};
const second: CountingBucket = {
  start: '2026-11-21',
  decisions: 5,
  rendered: 2,
  views: {
    counted: 1,
    uncounted: [
      { reason: 'prefetch', count: 2 },
      { reason: 'bot', count: 3 },
    ],
  },
  clicks: { counted: 0, uncounted: [{ reason: 'activity', count: 2 }] },
  landings: { clicks: 4, landings: 3 },
};

// Proves DEL-39
it('adds counted and uncounted reports up to the gross count', () => {
  expect([grossOf(first.views), lostOf(first.views)]).toEqual([12, 8]);
  expect([grossOf(second.clicks), lostOf(second.clicks)]).toEqual([2, 2]);
});

// Proves DEL-39
it('adds up days, reason by reason', () => {
  expect(addUp([first, second])).toEqual({
    decisions: 25,
    rendered: 12,
    views: {
      counted: 5,
      uncounted: [
        { reason: 'prefetch', count: 2 },
        { reason: 'bot', count: 4 },
        { reason: 'duplicate', count: 7 },
      ],
    },
    clicks: { counted: 1, uncounted: [{ reason: 'activity', count: 2 }] },
    landings: { clicks: 5, landings: 3 },
  });
  expect(addUp([])).toEqual({
    decisions: 0,
    rendered: 0,
    views: { counted: 0, uncounted: [] },
    clicks: { counted: 0, uncounted: [] },
    landings: { clicks: 0, landings: 0 },
  });
});

// Proves DEL-39
it('computes viewability from rendered ads, without repeated reports', () => {
  expect(viewabilityOf(first)).toBe(0.5);
  expect(viewabilityOf({ ...first, rendered: 0 })).toBeNull();
  // Views can fall into the hour after their ads were rendered, so the rate is limited to 1.
  expect(viewabilityOf({ ...first, rendered: 3 })).toBe(1);
});
