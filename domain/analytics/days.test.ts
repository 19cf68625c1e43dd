import { expect, it } from 'vitest';
import {
  bestStep,
  countDays,
  dayIn,
  dayStart,
  daysOfPreset,
  endOfBucket,
  PRESETS,
  stepProblem,
} from './days.ts';
import { addDays } from '../time.ts';

it('finds the calendar day of an instant in a timezone', () => {
  const instant = new Date('2026-03-08T23:30:00Z');
  expect(['UTC', 'America/Los_Angeles', 'Asia/Tokyo'].map((zone) => dayIn(zone, instant))).toEqual([
    '2026-03-08',
    '2026-03-08',
    '2026-03-09',
  ]);
  expect(dayIn('America/Los_Angeles', new Date('2026-03-08T07:59:59Z'))).toBe('2026-03-07');
});

it.each([
  ['UTC', '00:00', '00:00'],
  ['America/New_York', '00:00', '00:00'],
  ['Asia/Kolkata', '00:30', '00:30'],
  ['Asia/Tehran', '00:30', '00:30'],
  ['Asia/Kathmandu', '00:45', '00:45'],
  ['Australia/Adelaide', '00:30', '00:30'],
  ['America/St_Johns', '00:30', '00:30'],
  ['Pacific/Marquesas', '00:30', '00:30'],
  ['Pacific/Chatham', '00:45', '00:45'],
  // Its clocks are set by half an hour: it is ten and a half hours ahead of UTC in June, and eleven in December.
  ['Australia/Lord_Howe', '00:30', '00:00'],
])('a day of a report in %s begins with the first hour of UTC after midnight', (timezone, june, december) => {
  expect(dayStart(timezone, { from: '2026-06-01', to: '2026-06-07' })).toBe(june);
  expect(dayStart(timezone, { from: '2026-12-01', to: '2026-12-07' })).toBe(december);
  expect(dayStart(timezone, { from: '2025-12-01', to: '2026-12-07' })).toBe(june);
});

it('ends each preset range today, with its full length, across leap days and years', () => {
  const ranges = PRESETS.map((preset) => daysOfPreset(preset, '2028-03-01', '2026-01-31'));
  expect(ranges).toEqual([
    { from: '2028-02-24', to: '2028-03-01' },
    { from: '2028-02-01', to: '2028-03-01' },
    { from: '2027-12-03', to: '2028-03-01' },
    { from: '2027-04-01', to: '2028-03-01' },
    { from: '2026-01-31', to: '2028-03-01' },
  ]);
  expect(ranges.slice(0, 3).map(countDays)).toEqual([7, 30, 90]);
  // The timezone can make the first day of a new account later than today.
  expect(daysOfPreset('all', '2026-05-01', '2026-05-02')).toEqual({ from: '2026-05-01', to: '2026-05-01' });
});

it('explains why a step does not suit a range, and always finds one that does', () => {
  const of = (count: number) => ({ from: '2020-01-01', to: addDays('2020-01-01', count - 1) });
  const fits = (count: number) =>
    (['day', 'week', 'month'] as const).map((step) => stepProblem(step, of(count)));
  expect(fits(1)).toEqual([null, '14 days or more', '60 days or more']);
  expect(fits(13)).toEqual([null, '14 days or more', '60 days or more']);
  expect(fits(14)).toEqual([null, null, '60 days or more']);
  expect(fits(59)).toEqual([null, null, '60 days or more']);
  expect(fits(60)).toEqual([null, null, null]);
  expect(fits(400)).toEqual([null, null, null]);
  expect(fits(401)).toEqual(['up to 400 days', null, null]);
  expect(fits(4000)).toEqual(['up to 400 days', 'up to 7 years', null]);
  for (const count of [1, 13, 92, 93, 365, 400, 401, 5000]) {
    expect(stepProblem(bestStep(of(count)), of(count))).toBeNull();
  }
  expect([30, 365, 900].map((count) => bestStep(of(count)))).toEqual(['day', 'week', 'month']);
});

it('ends a bucket on its day, on its Sunday or on the last day of its month', () => {
  expect(endOfBucket('2026-11-21', 'day')).toBe('2026-11-21');
  expect(endOfBucket('2026-12-28', 'week')).toBe('2027-01-03');
  expect(endOfBucket('2028-02-01', 'month')).toBe('2028-02-29');
  expect(endOfBucket('2026-12-01', 'month')).toBe('2026-12-31');
});
