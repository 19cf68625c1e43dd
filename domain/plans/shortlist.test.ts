import { expect, it } from 'vitest';
import { expectedInAll, expectedOf } from './expected.ts';
import { addEntries, newPlanAddress, parseShortlist, shortlistText } from './shortlist.ts';

const A = '5f0c2d3e-8f64-4f0e-9d3b-0e6a3a9b6c11';
const B = '6f0c2d3e-8f64-4f0e-9d3b-0e6a3a9b6c11';

it('a shortlist survives its address', () => {
  const entries = [
    { ref: A, option: undefined, quantity: undefined, startDate: undefined },
    { ref: B, option: 12, quantity: 3, startDate: '2027-01-31' },
  ];
  expect(parseShortlist(shortlistText(entries))).toEqual(entries);
  expect(newPlanAddress(entries)).toBe(`/plans/new?zones=${A},${B}.12.3.2027-01-31`);
  expect(newPlanAddress([])).toBe('/plans/new');
  expect(parseShortlist(`${A}...2027-01-31`)).toMatchObject([{ ref: A, startDate: '2027-01-31' }]);
});

it('an address with anything else in it leaves that out', () => {
  expect(parseShortlist(null)).toEqual([]);
  expect(parseShortlist(`<script>,${A.toUpperCase()},${A}.7,12,${B}.x`)).toMatchObject([{ ref: A }]);
});

it('adding an ad zone again keeps its place and its choices', () => {
  const list = [{ ref: A, option: 1 }, { ref: B }];
  expect(addEntries(list, [{ ref: A }])).toEqual(list);
  expect(addEntries(list, [{ ref: B, option: 2 }])).toEqual([list[0], { ref: B, option: 2 }]);
});

it('expects views, clicks and days of each price, and their sums', () => {
  const week = expectedOf(
    { pricingModel: 'per_day', duration: 7, impressions: null, clicks: null },
    100,
    0.01,
  );
  const views = expectedOf(
    { pricingModel: 'per_impression', duration: null, impressions: 1000, clicks: null },
    300,
    null,
  );
  const clicks = expectedOf(
    { pricingModel: 'per_click', duration: null, impressions: null, clicks: 50 },
    10,
    0.02,
  );
  expect(week).toEqual({ views: 700, clicks: 7, days: 7 });
  expect(views).toEqual({ views: 1000, clicks: null, days: 4 });
  // 2,500 views take 250 days here, but an ad runs for 90 at most.
  expect(clicks).toEqual({ views: 2500, clicks: 50, days: 90 });
  expect(expectedInAll([week, views, clicks])).toEqual({ views: 4200, clicks: 57, days: 90 });
  expect(expectedInAll([])).toEqual({ views: null, clicks: null, days: null });
});
