import { expect, it } from 'vitest';
import { isTimezone } from '../timezones.ts';
import { hourOfWeek } from './hour-of-week.ts';
import type { Excludes, Targeting } from './limits.ts';
import { excluded, type Facts, isOutOfHours, needsPage, within } from './matches.ts';

/** Monday, 30 November 2026, 12:30 in UTC. */
const MONDAY_NOON = Date.UTC(2026, 10, 30, 12, 30);

type Fields = Partial<Omit<Facts, 'hourOfWeek'>> & { timezone?: string | null; atMs?: number };

function facts({ timezone = 'Europe/Berlin', atMs = MONDAY_NOON, ...fields }: Fields = {}): Facts {
  return {
    country: 'DE',
    region: 'DE-BE',
    language: 'de',
    device: 'phone',
    path: '/sport/tennis',
    topics: ['cycling', 'tennis'],
    ...fields,
    hourOfWeek: (name) => {
      const clock = name === 'visitor' ? timezone : name;
      return clock === null ? null : hourOfWeek(clock, atMs);
    },
  };
}

const SUNDAY = MONDAY_NOON - 86_400_000;

/** Each limit with facts that are within it and facts that are not. */
const LIMITS: [limit: Targeting, inside: Fields[], outside: Fields[]][] = [
  [{ countries: ['DE', 'AT'] }, [{}, { country: 'AT' }], [{ country: 'FR' }, { country: null }]],
  [{ countries: ['DE'], unknownCountry: 'show' }, [{}, { country: null }], [{ country: 'FR' }]],
  [{ countries: ['DE'], unknownCountry: 'skip' }, [{}], [{ country: null }]],
  [
    { regions: ['DE-BE', 'US-CA'] },
    [{}, { country: 'US', region: 'US-CA' }],
    [
      { region: 'DE-BY' },
      { region: null },
      { country: 'US', region: 'US-NY' },
      { country: null, region: null },
    ],
  ],
  [{ regions: ['DE-BE'], unknownCountry: 'show' }, [{ country: null, region: null }], [{ region: null }]],
  [
    { countries: ['DE', 'AT'], regions: ['DE-BE'] },
    [{}, { country: 'AT', region: 'AT-9' }, { country: 'AT', region: null }],
    [{ region: 'DE-BY' }, { region: null }, { country: 'FR', region: 'FR-IDF' }],
  ],
  [{ languages: ['de', 'fr'] }, [{}, { language: 'fr' }], [{ language: 'en' }, { language: null }]],
  [{ devices: ['phone', 'tablet'] }, [{}, { device: 'tablet' }], [{ device: 'desktop' }, { device: null }]],
  [{ days: ['mon'] }, [{}], [{ atMs: SUNDAY }, { timezone: null }]],
  // In Berlin, it is 13:30. In Auckland, Tuesday has begun.
  [
    { hours: [{ from: 13, to: 14 }] },
    [{}],
    [{ timezone: 'UTC' }, { timezone: 'America/New_York' }, { timezone: null }],
  ],
  [
    { hours: [{ from: 12, to: 13 }], timezone: 'UTC' },
    [{}, { timezone: null }],
    [{ atMs: MONDAY_NOON + 3_600_000 }],
  ],
  [{ hours: [{ from: 22, to: 14 }] }, [{}], [{ timezone: 'Asia/Tokyo', atMs: MONDAY_NOON - 7_200_000 }]],
  [
    { days: ['mon'], hours: [{ from: 8, to: 18 }] },
    [{}],
    [{ timezone: 'Pacific/Auckland' }, { atMs: SUNDAY }],
  ],
  [{ days: ['tue'], timezone: 'Pacific/Auckland' }, [{}], [{ atMs: SUNDAY }]],
  [
    { paths: ['/sport/*', '/news'] },
    [{}, { path: '/sport/' }, { path: '/news' }],
    [{ path: '/sport' }, { path: '/news/' }, { path: '/' }, { path: null }],
  ],
  [{ paths: ['/*'] }, [{}, { path: '/' }], [{ path: null }]],
  [{ topics: ['cycling'] }, [{}, { topics: ['cycling'] }], [{ topics: ['football'] }, { topics: [] }]],
  [
    { countries: ['DE'], languages: ['de'], devices: ['phone'], topics: ['tennis'] },
    [{}],
    [{ country: 'AT' }, { language: 'en' }, { device: 'desktop' }, { topics: [] }],
  ],
];

it.each(LIMITS)('keeps an ad to its limit: %j', (limit, inside, outside) => {
  const check = within(limit);
  for (const fields of inside) expect([fields, check(facts(fields))]).toEqual([fields, true]);
  for (const fields of outside) expect([fields, check(facts(fields))]).toEqual([fields, false]);
});

/** Each exclusion with facts that it keeps away and facts that it does not. An unknown fact is never excluded. */
const EXCLUSIONS: [exclusion: Excludes, out: Fields[], left: Fields[]][] = [
  [{ countries: ['DE'] }, [{}], [{ country: 'FR' }, { country: null }]],
  [{ regions: ['DE-BE'] }, [{}], [{ region: 'DE-BY' }, { region: null }]],
  [{ languages: ['de'] }, [{}], [{ language: 'en' }, { language: null }]],
  [{ devices: ['phone'] }, [{}], [{ device: 'desktop' }, { device: null }]],
  [{ days: ['mon'] }, [{}], [{ atMs: SUNDAY }, { timezone: null }]],
  [
    { days: ['sun'], hours: [{ from: 13, to: 14 }] },
    [{}, { atMs: SUNDAY }],
    [{ atMs: MONDAY_NOON + 7_200_000 }],
  ],
  [{ paths: ['/sport/*'] }, [{}], [{ path: '/news' }, { path: null }]],
  [{ topics: ['tennis', 'golf'] }, [{}], [{ topics: ['cycling'] }, { topics: [] }]],
  [
    { countries: ['FR'], devices: ['phone'] },
    [{}, { country: 'FR', device: 'desktop' }],
    [{ device: 'desktop' }],
  ],
];

it.each(EXCLUSIONS)(
  'keeps visitors from a zone by each value of its exclusions: %j',
  (exclusion, out, left) => {
    const check = excluded(exclusion);
    for (const fields of out) expect([fields, check(facts(fields))]).toEqual([fields, true]);
    for (const fields of left) expect([fields, check(facts(fields))]).toEqual([fields, false]);
  },
);

it('needs the page only for paths, topics and the visitor’s own clock', () => {
  for (const limit of [
    { paths: ['/a'] },
    { topics: ['a'] },
    { days: ['mon'] },
    { hours: [{ from: 1, to: 2 }] },
  ])
    expect(needsPage(limit as Targeting)).toBe(true);
  const others: Targeting = { countries: ['DE'], regions: ['DE-BE'], languages: ['de'], devices: ['phone'] };
  for (const limit of [others, { days: ['mon'], timezone: 'UTC' }, { timezone: 'visitor' }])
    expect(needsPage(limit as Targeting)).toBe(false);
});

it('knows the hours in which a named clock keeps an ad from everybody', () => {
  const clock = facts();
  expect(isOutOfHours({ days: ['tue'], timezone: 'UTC' }, clock)).toBe(true);
  expect(isOutOfHours({ days: ['mon'], timezone: 'UTC' }, clock)).toBe(false);
  expect(isOutOfHours({ days: ['tue'] }, clock)).toBe(false);
  expect(isOutOfHours({ devices: ['phone'] }, clock)).toBe(false);
});

it('tells the hour of the week in every timezone, also over the change to summer time', () => {
  expect(hourOfWeek('UTC', MONDAY_NOON)).toBe(12);
  expect(hourOfWeek('Asia/Kolkata', MONDAY_NOON)).toBe(18);
  expect(hourOfWeek('Asia/Calcutta', MONDAY_NOON)).toBe(18);
  expect(hourOfWeek('Pacific/Auckland', MONDAY_NOON)).toBe(24 + 1);
  // 28 March 2027, a Sunday: 1:59 is followed by 3:00.
  const change = Date.UTC(2027, 2, 28, 1);
  expect(hourOfWeek('Europe/Berlin', change - 1)).toBe(6 * 24 + 1);
  expect(hourOfWeek('Europe/Berlin', change)).toBe(6 * 24 + 3);
  for (const name of ['', 'Mars/Olympus', '+01:00', 'Europe/Berlin\n', `Europe/${'x'.repeat(2000)}`]) {
    expect(hourOfWeek(name, MONDAY_NOON)).toBe(null);
    expect(isTimezone(name)).toBe(false);
  }
});
