import { expect, it } from 'vitest';
import {
  addDays,
  bestStep,
  countDays,
  dayIn,
  daysOfPreset,
  endOfBucket,
  PRESETS,
  stepProblem,
} from './days.ts';

// Proves STAT-05
it('the day is that of the timezone', () => {
  const instant = new Date('2026-03-08T23:30:00Z');
  expect(['UTC', 'America/Los_Angeles', 'Asia/Tokyo'].map((zone) => dayIn(zone, instant))).toEqual([
    '2026-03-08',
    '2026-03-08',
    '2026-03-09',
  ]);
  expect(dayIn('America/Los_Angeles', new Date('2026-03-08T07:59:59Z'))).toBe('2026-03-07');
});

// Proves STAT-05
it('ranges end today and have the length they say, over leap days and years', () => {
  const ranges = PRESETS.map((preset) => daysOfPreset(preset, '2028-03-01', '2026-01-31'));
  expect(ranges).toEqual([
    { from: '2028-02-24', to: '2028-03-01' },
    { from: '2028-02-01', to: '2028-03-01' },
    { from: '2027-12-03', to: '2028-03-01' },
    { from: '2027-04-01', to: '2028-03-01' },
    { from: '2026-01-31', to: '2028-03-01' },
  ]);
  expect(ranges.slice(0, 3).map(countDays)).toEqual([7, 30, 90]);
  // An account that is younger than the day it lives in, as its timezone has it.
  expect(daysOfPreset('all', '2026-05-01', '2026-05-02')).toEqual({ from: '2026-05-01', to: '2026-05-01' });
});

// Proves STAT-05
it('a step says why it does not suit a range, and the best one always suits', () => {
  const of = (count: number) => ({ from: '2020-01-01', to: addDays('2020-01-01', count - 1) });
  const fits = (count: number) =>
    (['day', 'week', 'month'] as const).map((step) => stepProblem(step, of(count)));
  expect(fits(1)).toEqual([null, 'from 14 days on', 'from 60 days on']);
  expect(fits(13)).toEqual([null, 'from 14 days on', 'from 60 days on']);
  expect(fits(14)).toEqual([null, null, 'from 60 days on']);
  expect(fits(59)).toEqual([null, null, 'from 60 days on']);
  expect(fits(60)).toEqual([null, null, null]);
  expect(fits(400)).toEqual([null, null, null]);
  expect(fits(401)).toEqual(['up to 400 days', null, null]);
  expect(fits(4000)).toEqual(['up to 400 days', 'up to 7 years', null]);
  for (const count of [1, 13, 92, 93, 365, 400, 401, 5000]) {
    expect(stepProblem(bestStep(of(count)), of(count))).toBeNull();
  }
  expect([30, 365, 900].map((count) => bestStep(of(count)))).toEqual(['day', 'week', 'month']);
});

// Proves STAT-05
it('a bucket ends with its day, its Sunday, the last of its month', () => {
  expect(endOfBucket('2026-11-21', 'day')).toBe('2026-11-21');
  expect(endOfBucket('2026-12-28', 'week')).toBe('2027-01-03');
  expect(endOfBucket('2028-02-01', 'month')).toBe('2028-02-29');
  expect(endOfBucket('2026-12-01', 'month')).toBe('2026-12-31');
});
