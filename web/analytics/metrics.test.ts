import { expect, it } from 'vitest';
import { longName, rangeName, shortName, timezoneName } from './day-names.ts';
import { formatMetric, formatTick, sumOf, valueOf } from './metrics.ts';
import { daysProblem } from './use-range.ts';

const figures = (impressions: number, clicks: number, amount: string) => ({ impressions, clicks, amount });
/** `formatRange` puts thin spaces around its dash. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

// Proves STAT-05
it('sums are exact to the cent, refunds included', () => {
  const cents = Array.from({ length: 10 }, () => figures(1, 0, '0.10'));
  expect(sumOf([...cents, figures(5, 2, '-0.30')])).toEqual(figures(15, 2, '0.70'));
  expect(sumOf([])).toEqual(figures(0, 0, '0.00'));
});

// Proves STAT-05
it('a rate of no impressions is none, not zero', () => {
  expect(valueOf('rate', figures(0, 0, '0.00'))).toBeNull();
  expect(formatMetric('rate', figures(0, 0, '0.00'))).toBe('–');
  expect(formatMetric('rate', figures(200, 0, '0.00'))).toBe('0.00 %');
  expect(formatMetric('rate', figures(300, 7, '0.00'))).toBe('2.33 %');
});

// Proves STAT-05, CONST-31
it('figures and their axis are written as people read them', () => {
  const one = figures(1234, 5, '1234.50');
  expect([formatMetric('impressions', one), formatMetric('amount', one)]).toEqual(['1,234', '$1,234.50']);
  expect(formatTick('impressions', 1500)).toBe('1.5K');
  expect([0, 1500].map((value) => formatTick('amount', value))).toEqual(['$0.00', '$1,500.00']);
  expect([0.5, 2].map((value) => formatTick('rate', value))).toEqual(['0.5 %', '2 %']);
});

// Proves STAT-05
it('days, weeks and months have a short and a full name, whatever the machine’s timezone', () => {
  expect([shortName('2026-11-21', 'day'), longName('2026-11-21', 'day')]).toEqual([
    'Nov 21',
    'Sat, Nov 21, 2026',
  ]);
  expect(plain(longName('2026-12-28', 'week'))).toBe('Dec 28, 2026 – Jan 3, 2027');
  expect([shortName('2026-01-01', 'month'), shortName('2026-02-01', 'month')]).toEqual(['2026', 'Feb']);
  expect(longName('2026-02-01', 'month')).toBe('February 2026');
  expect(plain(rangeName({ from: '2026-11-16', to: '2026-11-21' }))).toBe('Nov 16 – 21, 2026');
  expect(['UTC', 'America/Los_Angeles', 'Asia/Kathmandu'].map(timezoneName)).toEqual([
    'UTC',
    'Pacific time',
    'Asia/Kathmandu',
  ]);
});

// Proves STAT-05
it('days that make no range are refused in words', () => {
  const problem = (from: string, to: string) => daysProblem({ from, to }, '2026-11-21');
  expect(problem('2026-11-01', '2026-11-21')).toBeNull();
  expect(problem('2026-11-21', '2026-11-21')).toBeNull();
  expect(problem('', '2026-11-21')).toBe('Please enter both days');
  expect(problem('2026-02-30x', '2026-11-21')).toBe('Please enter both days');
  expect(problem('2026-11-12', '2026-11-11')).toBe('The first day comes after the last');
  expect(problem('2026-11-12', '2026-11-22')).toBe('The last day is still to come');
  expect(problem('0002-11-12', '2026-11-21')).toBe('Please begin in 2020 or later');
});
