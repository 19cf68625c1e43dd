import { describe, expect, it } from 'vitest';
import { firstForecast, forecastToday, type ZoneDay } from './forecast.ts';

const day = (daysAgo: number, views: number, rest: Partial<ZoneDay> = {}): ZoneDay => ({
  daysAgo,
  views,
  offered: views * 2,
  empty: 0,
  ...rest,
});
const weeks = (viewsOf: (daysAgo: number) => number, count = 28) =>
  Array.from({ length: count }, (_, index) => day(index + 1, viewsOf(index + 1)));

describe('what a zone will have today', () => {
  // Proves DEL-48, STATE-05
  it('is what its publisher says, until something was seen', () => {
    expect(firstForecast(30_000)).toBe(1000);
    expect(firstForecast(0)).toBe(1);
    expect(forecastToday([])).toBeNull();
    expect(forecastToday([day(1, 0)])).toBe(1);
  });

  // Proves DEL-48
  it('is the median of the same weekday in four weeks: weekends differ, and one wild day moves nothing', () => {
    const usual = (daysAgo: number) => (daysAgo % 7 === 0 ? 400 : 1000);
    expect(forecastToday(weeks(usual))).toBe(400);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 7 ? 90_000 : usual(daysAgo))))).toBe(400);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 14 ? 0 : usual(daysAgo))))).toBe(400);
  });

  // Proves DEL-48
  it('is the median of all days while the zone is young; a day without a row is a day without a reader', () => {
    expect(forecastToday([day(1, 300)])).toBe(300);
    expect(forecastToday([day(1, 100), day(2, 300)])).toBe(200);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 7 ? 9000 : 100), 13))).toBe(100);
    expect(forecastToday([day(5, 100), day(4, 100)])).toBe(1);
  });

  // Proves DEL-48
  it('counts what had no ad, as far as the zone’s ads are usually viewed', () => {
    expect(forecastToday([day(1, 0, { offered: 0, empty: 1000 })])).toBe(500);
    expect(forecastToday([day(1, 700, { offered: 1000, empty: 1000 })])).toBe(1400);
    // More views than decisions: some of them were lost.
    expect(forecastToday([day(1, 900, { offered: 600, empty: 100 })])).toBe(1000);
  });
});
