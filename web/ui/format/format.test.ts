import { counted } from '#domain/format.ts';
import { afterEach, expect, it } from 'vitest';
import { formatCount, formatDate, formatDateTime, formatMoney, setTimezone } from './format.ts';

afterEach(() => setTimezone(undefined));

// Proves TXN-07
it('formats money with 2 decimals', () => {
  expect(formatMoney('0.00')).toBe('$0.00');
  expect(formatMoney('100')).toBe('$100.00');
  expect(formatMoney('1234.5')).toBe('$1,234.50');
  expect(formatMoney(undefined)).toBe('$0.00');
});

// Proves GEN-12
it('formats counts with separators and dates with the name of the month', () => {
  expect(formatCount(1234567)).toBe('1,234,567');
  expect([0, 1, 1200].map((n) => counted(n, 'click'))).toEqual(['0 clicks', '1 click', '1,200 clicks']);
  expect(formatDate('2026-11-21T12:00:00.000Z')).toBe('Nov 21, 2026');
  expect(formatDate(null)).toBe('–');
});

it.each([
  ['UTC', 'Nov 21, 2026', 'Nov 21, 2026, 11:30 PM UTC'],
  ['Asia/Tokyo', 'Nov 22, 2026', 'Nov 22, 2026, 8:30 AM GMT+9'],
  ['America/Los_Angeles', 'Nov 21, 2026', 'Nov 21, 2026, 3:30 PM PST'],
])('shows an instant near midnight in the timezone %s', (timezone, day, time) => {
  setTimezone(timezone);
  expect(formatDate('2026-11-21T23:30:00.000Z')).toBe(day);
  expect(formatDateTime('2026-11-21T23:30:00.000Z')).toBe(time);
});

it('shows the previous day in a timezone west of UTC', () => {
  setTimezone('America/Los_Angeles');
  expect(formatDate('2026-11-22T00:30:00.000Z')).toBe('Nov 21, 2026');
});
