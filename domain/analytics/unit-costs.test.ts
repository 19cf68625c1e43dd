import { expect, it } from 'vitest';
import { unitCostsOf } from './unit-costs.ts';

// Proves FIG-05
it.each([
  [
    { impressions: 1500, clicks: 33, amountCents: 2000 },
    { cpmCents: 1333, cpcCents: 61, ctr: 0.022 },
  ],
  // 0.005 of a dollar per 1,000 is rounded up.
  [
    { impressions: 2000, clicks: 2, amountCents: 1 },
    { cpmCents: 1, cpcCents: 1, ctr: 0.001 },
  ],
  [
    { impressions: 2001, clicks: 3, amountCents: 1 },
    { cpmCents: 0, cpcCents: 0, ctr: 3 / 2001 },
  ],
  [
    { impressions: 0, clicks: 0, amountCents: 500 },
    { cpmCents: null, cpcCents: null, ctr: null },
  ],
  [
    { impressions: 10, clicks: 0, amountCents: 0 },
    { cpmCents: 0, cpcCents: null, ctr: 0 },
  ],
  [
    { impressions: 1000, clicks: 4, amountCents: -250 },
    { cpmCents: -250, cpcCents: -63, ctr: 0.004 },
  ],
])('the costs of %j are %j', (delivery, costs) => {
  expect(unitCostsOf(delivery)).toEqual(costs);
});
