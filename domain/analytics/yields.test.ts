import { describe, expect, it } from 'vitest';
import type { ZoneYield } from './publisher-contract.ts';
import {
  addUp,
  centsPerThousandPages,
  courseOf,
  fillOf,
  pathText,
  viewableShareOf,
  yieldsOf,
} from './yields.ts';

const zone = (name: string, sums: Parameters<typeof yieldsOf>[0]): ZoneYield => ({
  publicId: name,
  name,
  websitePublicId: 'Gazette',
  websiteName: 'The Gazette',
  ...yieldsOf(sums),
  before: { requests: 0, filled: 0 },
  course: [],
});

const A = { requests: 1000, filled: 500, rendered: 400, viewable: 300, impressions: 250, amountCents: 500 };
const B = { requests: 3000, filled: 300, rendered: 0, viewable: 0, impressions: 0, amountCents: 25 };
const NONE = { requests: 0, filled: 0, rendered: 0, viewable: 0, impressions: 0, amountCents: 0 };

describe('the yields of ad zones', () => {
  it.each([
    [{ requests: 0, filled: 0 }, null],
    [{ requests: 4, filled: 0 }, 0],
    [{ requests: 4, filled: 3 }, 0.75],
  ])('have a fill: %j is %s', (sums, fill) => expect(fillOf(sums)).toBe(fill));

  it.each([
    [{ rendered: 0, viewable: 0 }, null],
    [{ rendered: 8, viewable: 2 }, 0.25],
    // A view can be counted in an hour after that of its rendering.
    [{ rendered: 8, viewable: 9 }, 1],
  ])('have a viewability: %j is %s', (sums, share) => expect(viewableShareOf(sums)).toBe(share));

  it('have no rate of nothing', () => {
    expect(yieldsOf(NONE)).toMatchObject({ amount: '0.00', cpm: null, fill: null, viewability: null });
  });

  it('add up with the rates of the sums, and part by part of the period', () => {
    expect(addUp([zone('a', A), zone('b', B)])).toEqual({
      requests: 4000,
      filled: 800,
      rendered: 400,
      viewable: 300,
      impressions: 250,
      amount: '5.25',
      cpm: '21.00',
      fill: 0.2,
      viewability: 0.75,
    });
    expect(addUp([])).toEqual(yieldsOf(NONE));
    const [one, two] = [
      { requests: 4, filled: 3, views: 2 },
      { requests: 1, filled: 1, views: 1 },
    ];
    expect(courseOf([{ course: [one, two] }, { course: [two, two] }])).toEqual([
      { requests: 5, filled: 4, views: 3 },
      { requests: 2, filled: 2, views: 2 },
    ]);
    expect(courseOf([])).toEqual([]);
  });
});

// Proves RES-101
it.each([
  [{ requests: 1000, amount: '20.00' }, { page: 0.5, all: 0.5 }, 2000],
  [{ requests: 1000, amount: '20.00' }, { page: 0.2, all: 0.8 }, 500],
  [{ requests: 1000, amount: '20.00' }, { page: 0, all: 0.8 }, 0],
  [{ requests: 0, amount: '20.00' }, { page: 0.5, all: 0.5 }, null],
  [{ requests: 1000, amount: '20.00' }, { page: 0, all: 0 }, null],
])('of %j, a page that is seen as %j earns %s cents per 1,000 page views', (zone, viewable, cents) => {
  expect(centsPerThousandPages(zone, viewable)).toBe(cents);
});

// Proves RES-101
it('paths are shown as they are read, unless they cannot be decoded', () => {
  expect(['/caf%C3%A9', '/%FF', '/a%2Fb'].map(pathText)).toEqual(['/café', '/%FF', '/a%2Fb']);
});
