/** Forecasts the zones of simulated websites. `npm run lab simulate` prints the figures that these tests check. */
import { expect, it } from 'vitest';
import { coverageOf, simulateMarket, worstFactor } from '#server/testing/delivery/simulate-market.ts';

const outcomes = simulateMarket(42);

it('errs by at most a factor of two if it is based on sibling zones', () => {
  expect(outcomes.site.length).toBeGreaterThan(500);
  expect(worstFactor(outcomes.site)).toBeLessThanOrEqual(2);
  // The declared visitors of these websites are wrong by up to a hundred times.
  expect(worstFactor(outcomes.declared)).toBeGreaterThan(50);
});

it('has a range that contains about four of five days', () => {
  for (const basis of ['zone', 'site', 'market'] as const) {
    expect([basis, coverageOf(outcomes[basis]) > 0.77]).toEqual([basis, true]);
  }
  expect(coverageOf(outcomes.zone)).toBeLessThan(0.85);
});
