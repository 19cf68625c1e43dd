import { expect, it } from 'vitest';
import type { Figures } from '#domain/analytics/contract.ts';
import { longName, rangeName, shortName, timezoneName } from './day-names.ts';
import { comparedText, formatMetric, formatTick, valueOf } from './metrics.ts';
import { daysProblem } from './use-range.ts';

const figures = (
  impressions: number,
  clicks: number,
  amount: string,
  rest: Partial<Figures> = {},
): Figures => ({
  impressions,
  clicks,
  amount,
  paid: '0.00',
  cpm: null,
  cpc: null,
  ctr: impressions === 0 ? null : clicks / impressions,
  ...rest,
});
/** `formatRange` puts thin spaces around the dash. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

// Proves FIG-05
it('says how much more or less a total is than that of the period before', () => {
  const before = figures(1000, 20, '107.50', { cpm: '107.50', cpc: '5.38' });
  const now = figures(1120, 20, '120.40', { cpm: null, cpc: '5.37' });
  expect(comparedText('impressions', now, before)).toBe('12% more than 1,000');
  expect(comparedText('clicks', now, before)).toBe('like 20 before');
  expect(comparedText('amount', now, before)).toBe('12% more than $107.50');
  expect(comparedText('amount', before, now)).toBe('11% less than $120.40');
  expect(comparedText('cpm', now, before)).toBe('$107.50 before');
  expect(comparedText('cpm', before, now)).toBe('none before');
  expect(comparedText('amount', now, figures(0, 0, '-1.00'))).toBe('none before');
});

it('shows a dash, not zero, as the click-through rate of no impressions', () => {
  expect(valueOf('rate', figures(0, 0, '0.00'))).toBeNull();
  expect(formatMetric('rate', figures(0, 0, '0.00'))).toBe('–');
  expect(formatMetric('rate', figures(200, 0, '0.00'))).toBe('0.00%');
  expect(formatMetric('rate', figures(300, 7, '0.00'))).toBe('2.33%');
});

// Proves TXN-07
it('formats figures with separators and axis ticks in compact form', () => {
  const one = figures(1234, 5, '1234.50');
  expect([formatMetric('impressions', one), formatMetric('amount', one)]).toEqual(['1,234', '$1,234.50']);
  expect(formatTick('impressions', 1500)).toBe('1.5K');
  expect([0, 1500].map((value) => formatTick('amount', value))).toEqual(['$0.00', '$1,500.00']);
  expect([0.5, 2].map((value) => formatTick('rate', value))).toEqual(['0.5%', '2%']);
});

it('gives days, weeks and months a short and a full name in any timezone of the machine', () => {
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

it('explains why two dates are not a valid range', () => {
  const problem = (from: string, to: string) => daysProblem({ from, to }, '2026-11-21');
  expect(problem('2026-11-01', '2026-11-21')).toBeNull();
  expect(problem('2026-11-21', '2026-11-21')).toBeNull();
  expect(problem('', '2026-11-21')).toBe('Enter both dates');
  expect(problem('2026-02-30x', '2026-11-21')).toBe('Enter both dates');
  expect(problem('2026-11-12', '2026-11-11')).toBe('The start date must not be after the end date');
  expect(problem('2026-11-12', '2026-11-22')).toBe('The end date can’t be in the future');
  expect(problem('0002-11-12', '2026-11-21')).toBe('The start date must be in 2020 or later');
});
