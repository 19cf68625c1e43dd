import { expect, it } from 'vitest';
import { dueWeek } from './weeks.ts';

it.each([
  ['2026-11-23T12:04:59Z', '2026-11-09', '2026-11-15'],
  ['2026-11-23T12:05:00Z', '2026-11-16', '2026-11-22'],
  ['2026-11-27T03:00:00Z', '2026-11-16', '2026-11-22'],
  ['2026-11-29T23:59:59Z', '2026-11-16', '2026-11-22'],
  ['2026-11-30T00:00:00Z', '2026-11-16', '2026-11-22'],
  ['2027-01-04T13:00:00Z', '2026-12-28', '2027-01-03'],
])('at %s, the mail of the week from %s to %s is the latest that is due', (now, from, to) => {
  expect(dueWeek(new Date(now))).toEqual({ from, to });
});
