import { describe, expect, it } from 'vitest';
import { firstForecast, forecastToday, measuredViewsPerDay, type ZoneDay } from './forecast.ts';

const day = (daysAgo: number, views: number, rest: Partial<ZoneDay> = {}): ZoneDay => ({
  daysAgo,
  views,
  served: views * 2,
  empty: 0,
  ...rest,
});
const weeks = (viewsOf: (daysAgo: number) => number, count = 28) =>
  Array.from({ length: count }, (_, index) => day(index + 1, viewsOf(index + 1)));

describe('the forecast of a zone', () => {
  // Proves DEL-48, STATE-05
  it('is the publisher’s own figure until the zone has a history', () => {
    expect(firstForecast(30_000)).toBe(1000);
    expect(firstForecast(0)).toBe(1);
    expect(forecastToday([])).toBeNull();
    expect(forecastToday([day(1, 0)])).toBe(1);
  });

  // Proves DEL-48
  it('is the median of the same weekday in four weeks, so weekends differ and one unusual day changes nothing', () => {
    const usual = (daysAgo: number) => (daysAgo % 7 === 0 ? 400 : 1000);
    expect(forecastToday(weeks(usual))).toBe(400);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 7 ? 90_000 : usual(daysAgo))))).toBe(400);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 14 ? 0 : usual(daysAgo))))).toBe(400);
  });

  // Proves DEL-48
  it('is the median of all days while the zone is young, with zero views for days without a row', () => {
    expect(forecastToday([day(1, 300)])).toBe(300);
    expect(forecastToday([day(1, 100), day(2, 300)])).toBe(200);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 7 ? 9000 : 100), 13))).toBe(100);
    expect(forecastToday([day(5, 100), day(4, 100)])).toBe(1);
  });

  // Proves DEL-48
  it('includes decisions without an ad, weighted by the zone’s viewability', () => {
    expect(forecastToday([day(1, 0, { served: 0, empty: 1000 })])).toBe(500);
    expect(forecastToday([day(1, 700, { served: 1000, empty: 1000 })])).toBe(1400);
    // There are more views than decisions because some decisions were lost.
    expect(forecastToday([day(1, 900, { served: 600, empty: 100 })])).toBe(1000);
  });
});

// Proves IVT-04
it('measures the counted views of a usual day, so that neither decisions nor a few days raise it', () => {
  const days = (count: number, views: number) =>
    Array.from({ length: count }, (_, index) => ({ daysAgo: index + 1, views, served: 1e6, empty: 1e6 }));
  expect(measuredViewsPerDay(days(28, 40_000))).toBe(40_000);
  expect(measuredViewsPerDay(days(13, 40_000))).toBe(0);
  expect(measuredViewsPerDay(days(28, 0))).toBe(0);
});
