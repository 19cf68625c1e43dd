import { expect, it } from 'vitest';
import { placementOf } from './placement.ts';

const sums = (rendered: number, viewable: number) => ({ rendered, viewable });

// Proves RES-96
it.each([
  [sums(0, 0), sums(0, 0), { recent: null, before: null, change: null }],
  [sums(499, 10), sums(5000, 4000), { recent: null, before: 0.8, change: null }],
  [sums(500, 10), sums(499, 400), { recent: 0.02, before: null, change: null }],
  [sums(1000, 400), sums(1000, 800), { recent: 0.4, before: 0.8, change: null }],
  [sums(1000, 399), sums(1000, 800), { recent: 0.399, before: 0.8, change: 'fell' }],
  [sums(1000, 600), sums(1000, 400), { recent: 0.6, before: 0.4, change: null }],
  [sums(1000, 601), sums(1000, 400), { recent: 0.601, before: 0.4, change: 'rose' }],
  [sums(1000, 0), sums(1000, 0), { recent: 0, before: 0, change: null }],
  [sums(1000, 1), sums(1000, 0), { recent: 0.001, before: 0, change: 'rose' }],
])('%j after %j is %j', (recent, before, placement) => {
  expect(placementOf({ recent, before })).toEqual(placement);
});
