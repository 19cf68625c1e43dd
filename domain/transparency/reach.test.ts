import { expect, it } from 'vitest';
import { reachText } from './reach.ts';

// Proves DEL-61
it.each([
  [0, 'Fewer than 100'],
  [99, 'Fewer than 100'],
  [100, 'About 100'],
  [104, 'About 100'],
  [105, 'About 110'],
  [999, 'About 1,000'],
  [1249, 'About 1,200'],
  [1_250_000, 'About 1,300,000'],
])('shows %i views as "%s"', (views, shown) => {
  expect(reachText(views)).toBe(`${shown} viewable impressions`);
});
