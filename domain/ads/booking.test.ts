import { expect, it } from 'vitest';
import { type ClosedReason, dayState, daysBetween, firstClosed, firstFree } from './booking.ts';
import { addDays } from '../time.ts';

const closed = new Map<string, ClosedReason>([
  ['2026-12-24', 'day_full'],
  ['2026-12-27', 'day_blocked'],
  ['2026-12-30', 'day_offered'],
]);

it('counts days over the end of a month and of a leap day', () => {
  expect(addDays('2028-02-28', 2)).toBe('2028-03-01');
  expect(daysBetween('2026-12-30', '2027-01-02')).toEqual(['2026-12-30', '2026-12-31', '2027-01-01']);
});

it('finds the first closed day of an ad, and the first start from which all of its days are free', () => {
  expect(firstClosed(closed, '2026-12-22', 2)).toBeNull();
  expect(firstClosed(closed, '2026-12-22', 3)).toBe('2026-12-24');
  const search = { from: '2026-12-22', last: '2027-01-10' };
  expect(firstFree(closed, { ...search, duration: 2 })).toBe('2026-12-22');
  expect(firstFree(closed, { ...search, duration: 3 })).toBe('2026-12-31');
  expect(firstFree(closed, { ...search, last: '2026-12-30', duration: 3 })).toBeNull();
  expect(firstFree(new Map(), { ...search, duration: 365 })).toBe('2026-12-22');
});

it('shows a full day as held while one of its ads is unpaid or it is offered, and as sold otherwise', () => {
  const state = (day: string, held = 0) => dayState(day, '2026-12-20', closed, held);
  expect(state('2026-12-19')).toBe('past');
  expect(state('2026-12-20')).toBe('free');
  expect(state('2026-12-24')).toBe('sold');
  expect(state('2026-12-24', 1)).toBe('held');
  expect(state('2026-12-27')).toBe('blocked');
  expect(state('2026-12-30')).toBe('held');
});
