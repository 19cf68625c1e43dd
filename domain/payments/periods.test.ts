import { describe, expect, it } from 'vitest';
import { dayAfter, daysIn, periodOf, quarterOf } from './periods.ts';

const TODAY = '2027-04-10';

describe('a period of the books', () => {
  it('is a year, or two days that are both inside', () => {
    expect(periodOf({ year: '2026' }, TODAY)).toEqual({ from: '2026-01-01', to: '2026-12-31' });
    expect(periodOf({ year: '2027' }, TODAY)).toEqual({ from: '2027-01-01', to: '2027-12-31' });
    const quarter = { from: '2027-01-01', to: '2027-03-31' };
    expect(periodOf(quarter, TODAY)).toEqual(quarter);
    expect(dayAfter(quarter)).toBe('2027-04-01');
    const taxYear = { from: '2026-04-10', to: '2027-04-09' };
    expect(periodOf(taxYear, TODAY)).toEqual(taxYear);
    const leapDay = { from: '2024-02-29', to: '2025-02-28' };
    expect(periodOf(leapDay, TODAY)).toEqual(leapDay);
  });

  it.each([
    ['nothing', {}, 'Name a year'],
    ['a year to come', { year: '2028' }, '--year'],
    ['a short year', { year: '26' }, '--year'],
    ['a year beside days', { year: '2026', from: '2026-01-01' }, '--year'],
    ['no last day', { from: '2027-01-01' }, '--to'],
    ['no first day', { to: '2027-01-01' }, '--from'],
    ['a day that does not exist', { from: '2027-02-30', to: '2027-03-01' }, '--from'],
    ['an instant', { from: '2027-01-01T00:00:00Z', to: '2027-03-01' }, '--from'],
    ['an end before the beginning', { from: '2027-03-01', to: '2027-02-28' }, '--to: it is before'],
    ['a day to come', { from: '2027-03-01', to: '2027-04-11' }, '--to: this day has not come'],
    ['more than a year', { from: '2026-04-01', to: '2027-04-01' }, '--to: a period has at most'],
  ])('is refused by name with %s', (_case, text, name) => {
    expect(() => periodOf(text, TODAY)).toThrow(name);
  });

  it('has quarters', () => {
    expect(['2027-03-31', '2027-04-01', '2027-12-31'].map(quarterOf)).toEqual([
      '2027-Q1',
      '2027-Q2',
      '2027-Q4',
    ]);
  });

  it('has the days of its time zone', () => {
    const night = new Date('2026-12-31T23:30:00Z');
    expect(daysIn('UTC')(night)).toBe('2026-12-31');
    expect(daysIn('Europe/Berlin')(night)).toBe('2027-01-01');
    expect(daysIn('America/New_York')(new Date('2027-01-01T02:00:00Z'))).toBe('2026-12-31');
  });
});
