import { expect, it } from 'vitest';
import { excludes, targeting } from './fields.ts';
import { excludesEverybody, leavesNobody } from './leaves-nobody.ts';
import type { Excludes, Targeting } from './limits.ts';
import { sameLimits } from './same-limits.ts';
import { limitWords } from './words.ts';

const ALL: Targeting = {
  countries: ['DE'],
  regions: ['US-CA'],
  languages: ['de'],
  devices: ['phone', 'tablet', 'desktop'],
  days: ['mon'],
  hours: [{ from: 8, to: 18 }],
  timezone: 'Europe/Berlin',
  paths: ['/sport/*'],
  topics: ['cycling'],
  unknownCountry: 'show',
};

it('accepts every limit, and takes limits without a limit as everybody', () => {
  expect(targeting.parse(ALL)).toEqual(ALL);
  expect(targeting.parse(null)).toBe(null);
  expect(targeting.parse(undefined)).toBe(undefined);
  for (const none of [{}, { timezone: 'visitor' }, { unknownCountry: 'show' }])
    expect(targeting.parse(none)).toBe(null);
  expect(targeting.parse({ topics: [' Cycling '], paths: ['/fürs rad/*'] })).toEqual({
    topics: ['cycling'],
    paths: ['/f%C3%BCrs%20rad/*'],
  });
});

const codes = (count: number) => Array.from({ length: count }, (_, index) => `topic ${index}`);

it.each([
  { countries: [] },
  { countries: ['de'] },
  { countries: ['XX'] },
  { countries: 'DE' },
  { countries: null },
  { regions: ['CA'] },
  { regions: ['XX-CA'] },
  { regions: ['US-CALI'] },
  { languages: ['de-DE'] },
  { languages: ['zz'] },
  { devices: ['watch'] },
  { days: ['monday'] },
  { days: [] },
  { hours: [] },
  { hours: [{ from: 8, to: 8 }] },
  { hours: [{ from: 24, to: 8 }] },
  { hours: [{ from: 8, to: 25 }] },
  { hours: [{ from: 8.5, to: 9 }] },
  { hours: [{ from: 0, to: 1e308 }] },
  { hours: [{ from: -1e308, to: 8 }] },
  { hours: [{ from: 8 }] },
  { hours: [{ from: 8, to: 9, zone: 'UTC' }] },
  { hours: [8] },
  { days: ['mon'], timezone: 'Mars/Olympus' },
  { days: ['mon'], timezone: '+01:00' },
  { paths: ['sport'] },
  { paths: ['/sport/*/live'] },
  { paths: ['/sport?page=2'] },
  { paths: [`/${'a'.repeat(200)}`] },
  { paths: [`/${'a'.repeat(1_000_000)}`] },
  { paths: ['/\ud800'] },
  { topics: [''] },
  { topics: ['a,b'] },
  { topics: ['a\u0007'] },
  { topics: ['\ud800'] },
  { topics: ['a'.repeat(51)] },
  { topics: codes(101) },
  { countries: ['DE'], unknownCountry: 'maybe' },
  { cities: ['Berlin'] },
  'DE',
  ['DE'],
  1,
])('refuses a list without a value, an unknown value, an unknown limit and too much: %#', (given) => {
  expect(targeting.safeParse(given).success).toBe(false);
  expect(excludes.safeParse(given).success).toBe(false);
});

it('accepts a hundred values, and a path of 200 characters', () => {
  const limits = { topics: codes(100), paths: [`/${'a'.repeat(199)}`] };
  expect(targeting.parse(limits)).toEqual(limits);
});

it('refuses exclusions of everybody, and an unknown country as an exclusion', () => {
  for (const given of [
    { devices: ['phone', 'tablet', 'desktop'] },
    { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
    {
      hours: [
        { from: 0, to: 12 },
        { from: 12, to: 24 },
      ],
    },
    { paths: ['/*'] },
    { countries: ['DE'], unknownCountry: 'skip' },
  ])
    expect([given, excludes.safeParse(given).success]).toEqual([given, false]);
  expect(excludesEverybody({ hours: [{ from: 0, to: 23 }] })).toBe(false);
  expect(excludes.parse({ countries: ['DE'] })).toEqual({ countries: ['DE'] });
});

/** Limits and exclusions that leave nobody, and some that leave somebody. */
const NOBODY: [Targeting, Excludes][] = [
  [{ countries: ['DE', 'AT'] }, { countries: ['DE', 'AT', 'CH'] }],
  [{ regions: ['US-CA', 'DE-BE'] }, { countries: ['DE'], regions: ['US-CA'] }],
  [{ countries: ['US'], regions: ['US-CA'] }, { regions: ['US-CA'] }],
  [{ languages: ['de'] }, { languages: ['de', 'fr'] }],
  [{ devices: ['phone'], countries: ['DE'] }, { devices: ['phone'] }],
  [{ days: ['sat', 'sun'] }, { days: ['fri', 'sat', 'sun'] }],
  [{ hours: [{ from: 23, to: 2 }] }, { hours: [{ from: 22, to: 6 }] }],
  [
    { days: ['mon'], hours: [{ from: 8, to: 9 }], timezone: 'UTC' },
    { days: ['mon'], timezone: 'UTC' },
  ],
  [{ paths: ['/sport/tennis/*', '/sport/'] }, { paths: ['/sport/*'] }],
  [{ topics: ['cycling'] }, { topics: ['cycling'] }],
];
const SOMEBODY: [Targeting | null, Excludes | null][] = [
  [null, { countries: ['DE'] }],
  [{ countries: ['DE'] }, null],
  [{ countries: ['DE', 'AT'] }, { countries: ['DE'] }],
  [{ countries: ['DE'], unknownCountry: 'show' }, { countries: ['DE'] }],
  [{ countries: ['US', 'DE'], regions: ['US-CA'] }, { regions: ['US-CA'] }],
  [{ languages: ['de', 'fr'] }, { languages: ['de'] }],
  [{ days: ['sat'] }, { days: ['sat'], timezone: 'UTC' }],
  [{ hours: [{ from: 21, to: 23 }] }, { hours: [{ from: 22, to: 6 }] }],
  [{ paths: ['/sport/*'] }, { paths: ['/sport/tennis'] }],
  [{ devices: ['phone'] }, { languages: ['de'] }],
];

it('knows whether exclusions leave anybody to an ad', () => {
  for (const [limits, without] of NOBODY)
    expect([limits, leavesNobody(limits, without)]).toEqual([limits, true]);
  for (const [limits, without] of SOMEBODY)
    expect([limits, leavesNobody(limits, without)]).toEqual([limits, false]);
});

it('compares limits by their values, in whatever order the database has their members', () => {
  const reordered = Object.fromEntries(Object.entries(ALL).toReversed()) as Targeting;
  expect(sameLimits(ALL, { ...reordered, hours: [{ to: 18, from: 8 }] })).toBe(true);
  expect(sameLimits(ALL, null)).toBe(false);
  expect(sameLimits(null, null)).toBe(true);
  for (const key of Object.keys(ALL)) expect(sameLimits(ALL, { ...ALL, [key]: undefined })).toBe(false);
});

it('says each limit in words', () => {
  expect(limitWords(ALL)).toEqual([
    { name: 'Countries', value: 'Germany' },
    { name: 'Regions', value: 'United States (US-CA)' },
    { name: 'Unknown country', value: 'shown' },
    { name: 'Languages', value: 'German' },
    { name: 'Devices', value: 'phones, tablets, desktop computers' },
    { name: 'Days', value: 'Monday (time in Europe/Berlin)' },
    { name: 'Hours', value: '8:00 to 18:00 (time in Europe/Berlin)' },
    { name: 'Pages', value: '/sport/*' },
    { name: 'Topics', value: 'cycling' },
  ]);
  expect(limitWords({ hours: [{ from: 22, to: 6 }] })).toEqual([
    { name: 'Hours', value: '22:00 to 6:00 (the visitor’s time)' },
  ]);
  expect(limitWords(null)).toEqual([]);
});
