import { describe, expect, it } from 'vitest';
import type { ZoneYield } from './publisher-contract.ts';
import {
  addUp,
  byWebsite,
  centsPerThousandPages,
  fillOf,
  pathText,
  viewableShareOf,
  yieldsOf,
} from './yields.ts';

const zone = (name: string, website: string, sums: Parameters<typeof yieldsOf>[0]): ZoneYield => ({
  publicId: name,
  name,
  websitePublicId: website,
  websiteName: `The ${website}`,
  ...yieldsOf(sums),
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

  it('add up by website, with the rates of the sums', () => {
    const zones = [zone('a', 'Gazette', A), zone('b', 'Gazette', B), zone('c', 'Herald', NONE)];
    const [gazette, herald] = byWebsite(zones);
    expect(gazette).toEqual({
      publicId: 'Gazette',
      name: 'The Gazette',
      zones: zones.slice(0, 2),
      total: {
        requests: 4000,
        filled: 800,
        rendered: 400,
        viewable: 300,
        impressions: 250,
        amount: '5.25',
        cpm: '21.00',
        fill: 0.2,
        viewability: 0.75,
      },
    });
    expect(herald?.total).toEqual(yieldsOf(NONE));
    expect(addUp([])).toEqual(yieldsOf(NONE));
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
