import { expect, it } from 'vitest';
import { formatCount, formatDate, formatMoney } from './format.ts';

it('CONST-31 HOME-15 money has 2 decimals', () => {
  expect(formatMoney('0.00')).toBe('$0.00');
  expect(formatMoney('100')).toBe('$100.00');
  expect(formatMoney('1234.5')).toBe('$1,234.50');
  expect(formatMoney(undefined)).toBe('$0.00');
});

it('GEN-12 counts have separators, and dates a month in words', () => {
  expect(formatCount(1234567)).toBe('1,234,567');
  expect(formatDate('2026-11-21T12:00:00.000Z')).toBe('Nov 21, 2026');
  expect(formatDate(null)).toBe('–');
});
