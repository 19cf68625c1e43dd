import { expect, it } from 'vitest';
import type { Targeting } from '../targeting/limits.ts';
import { type Facts, within } from '../targeting/matches.ts';
import {
  type Audience,
  AUDIENCE_DAYS,
  AUDIENCE_FACTS,
  audienceValues,
  MIN_AUDIENCE_VOTES,
  MIN_OFFERED_VOTES,
  offeredValues,
  OTHERS,
  shareWithin,
} from './audience.ts';
import { votesOfNetwork } from './votes.ts';

/** Noon of a Monday in December: Berlin is an hour ahead of UTC. */
const NOW = Date.UTC(2026, 11, 7, 12);

/** Always the same numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PLACES: readonly (readonly [string | null, string | null])[] = [
  ['DE', null],
  ['DE', null],
  ['US', 'US-CA'],
  ['US', 'US-NY'],
  ['FR', null],
  [null, null],
];
const PAGES = ['/', '/sport/tennis', '/sport/golf', '/news', null];
const TOPICS = [['cycling', 'sport'], ['cycling'], ['tennis', 'sport'], []];
const LANGUAGES = ['de', 'en', 'en', null];
const DEVICES = ['phone', 'phone', 'desktop', 'tablet', null];

/** Visitors whose facts have nothing to do with each other. Most come at noon in UTC, and their clocks are two hours ahead. */
function population(size: number, seed = 1): Facts[] {
  const random = randomOf(seed);
  const one = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  return Array.from({ length: size }, () => {
    const [country, region] = one(PLACES);
    const utc = Math.floor(random() * 7) * 24 + Math.floor((random() + random()) * 12);
    const hasClock = random() < 0.9;
    return {
      country,
      region,
      language: one(LANGUAGES),
      device: one(DEVICES),
      path: one(PAGES),
      topics: one(TOPICS),
      hourOfWeek: (timezone) => {
        if (timezone === 'visitor') return hasClock ? (utc + 2) % 168 : null;
        return timezone === 'Europe/Berlin' ? (utc + 1) % 168 : utc;
      },
    };
  });
}

function audienceOf(visitors: readonly Facts[]): Audience {
  const sums = new Map(AUDIENCE_FACTS.map((fact) => [fact as string, new Map<string, number>()]));
  for (const visitor of visitors)
    for (const [fact, value] of audienceValues(visitor)) {
      const votes = sums.get(fact)!;
      votes.set(value, (votes.get(value) ?? 0) + 1);
    }
  return sums;
}

const partOf = (targeting: Targeting, visitors: readonly Facts[]): number =>
  visitors.filter(within(targeting)).length / visitors.length;

const ONE_LIMIT: Targeting[] = [
  { countries: ['DE'] },
  { countries: ['DE', 'AT'], unknownCountry: 'show' },
  { regions: ['US-CA'] },
  { countries: ['US', 'FR'], regions: ['US-NY'] },
  { languages: ['en', 'es'] },
  { devices: ['phone', 'tablet'] },
  { days: ['sat', 'sun'] },
  { hours: [{ from: 22, to: 6 }] },
  { days: ['mon'], hours: [{ from: 8, to: 18 }], timezone: 'Europe/Berlin' },
  { hours: [{ from: 0, to: 1 }], timezone: 'UTC' },
  { paths: ['/news', '/sport/*'] },
  { topics: ['sport'] },
  { topics: ['cycling', 'tennis'] },
  { topics: ['nobody'] },
];

// Proves FORE-300
it.each(ONE_LIMIT)('gives the exact part that is within one limit: %o', (targeting) => {
  const visitors = population(5000);
  expect(shareWithin(targeting, audienceOf(visitors), NOW)?.likely).toBeCloseTo(partOf(targeting, visitors));
});

// Proves FORE-300
it.each<Targeting>([
  { countries: ['DE'], devices: ['phone'] },
  { countries: ['DE', 'US'], languages: ['en'], days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
  { devices: ['phone'], hours: [{ from: 8, to: 18 }], topics: ['sport'], paths: ['/sport/*'] },
])(
  'gives the part within several limits to a point if they have nothing to do with each other: %o',
  (targeting) => {
    const visitors = population(50_000);
    const { likely, most } = shareWithin(targeting, audienceOf(visitors), NOW)!;
    expect(Math.abs(likely - partOf(targeting, visitors))).toBeLessThan(0.01);
    expect(most).toBeGreaterThan(likely);
  },
);

it('says nothing before enough networks have voted, and everything of a zone without limits', () => {
  const few = audienceOf(population(MIN_AUDIENCE_VOTES - 1));
  expect(shareWithin({ devices: ['phone'] }, few, NOW)).toBeNull();
  expect(shareWithin({ devices: ['phone'] }, new Map(), NOW)).toBeNull();
  expect(shareWithin({ devices: ['phone'] }, audienceOf(population(MIN_AUDIENCE_VOTES)), NOW)).not.toBeNull();
  expect(shareWithin({}, new Map(), NOW)).toEqual({ likely: 1, most: 1 });
});

// Proves FORE-301
it('lets the votes of one network move a share by five points at most, and never below what it was for money', () => {
  for (const seed of [1, 2, 3]) {
    const honest = population(MIN_AUDIENCE_VOTES, seed);
    const [device, country] = ['tablet', 'FR'];
    const attack = Array.from({ length: votesOfNetwork(AUDIENCE_DAYS) }, () => ({
      ...honest[0]!,
      device: 'desktop',
      country: 'CN',
      region: null,
    }));
    for (const targeting of [{ devices: [device] }, { countries: [country] }] as Targeting[]) {
      const before = shareWithin(targeting, audienceOf(honest), NOW)!;
      const after = shareWithin(targeting, audienceOf([...honest, ...attack]), NOW)!;
      expect(Math.abs(before.likely - after.likely)).toBeLessThanOrEqual(0.05);
      expect(after.likely).toBeLessThan(before.likely);
      expect(after.most).toBeGreaterThanOrEqual(before.likely);
      expect(after.most).toBeLessThanOrEqual(1);
    }
  }
});

it('keeps of invented topics and paths what a limit can have', () => {
  const [visitor] = population(1);
  const written = (facts: Partial<Facts>) => new Map(audienceValues({ ...visitor!, ...facts }));
  expect(written({ topics: ['b', 'a', 'b', 'x'.repeat(51), 'nul\0'] }).get('topics')).toBe('a,b');
  expect(written({ topics: [] }).get('topics')).toBe('');
  expect(written({ path: `/${'x'.repeat(500)}` }).get('path')).toHaveLength(201);
  const unknown = written({ path: null, device: null, country: null, region: null });
  for (const fact of ['path', 'device', 'place'] as const) expect(unknown.get(fact)).toBe('');
});

it('offers the topics and pages that enough networks came from, the most frequent first', () => {
  const audience: Audience = new Map([
    [
      'topics',
      new Map([
        ['cycling,sport', 15],
        ['sport', 10],
        ['tennis', MIN_OFFERED_VOTES],
        ['cycling', MIN_OFFERED_VOTES - 16],
        [OTHERS, 900],
        ['', 900],
      ]),
    ],
    [
      'path',
      new Map([
        ['/news', 21],
        ['/b', 40],
        ['/a', 40],
        ['/secret', 19],
        [`/${'x'.repeat(200)}`, 99],
      ]),
    ],
  ]);
  expect(offeredValues('topics', audience)).toEqual(['sport', 'tennis']);
  expect(offeredValues('path', audience)).toEqual(['/a', '/b', '/news']);
  expect(offeredValues('path', new Map())).toEqual([]);
});
