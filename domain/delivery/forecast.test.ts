import { describe, expect, it } from 'vitest';
import {
  firstForecast,
  type ForecastFacts,
  forecastOf,
  forecastOfSite,
  forecastToday,
  measuredViewsPerDay,
  measureZone,
  type ZoneDay,
} from './forecast.ts';

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
  // Proves STATE-05
  it('is the publisher’s own figure until the zone has a history', () => {
    expect(firstForecast(30_000)).toBe(1000);
    expect(firstForecast(0)).toBe(1);
    expect(forecastToday([])).toBeNull();
    expect(forecastToday([day(1, 0)])).toBe(1);
  });

  it('is the median of the same weekday in four weeks, so weekends differ and one unusual day changes nothing', () => {
    const usual = (daysAgo: number) => (daysAgo % 7 === 0 ? 400 : 1000);
    expect(forecastToday(weeks(usual))).toBe(400);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 7 ? 90_000 : usual(daysAgo))))).toBe(400);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 14 ? 0 : usual(daysAgo))))).toBe(400);
  });

  it('is the median of all days while the zone is young, with zero views for days without a row', () => {
    expect(forecastToday([day(1, 300)])).toBe(300);
    expect(forecastToday([day(1, 100), day(2, 300)])).toBe(200);
    expect(forecastToday(weeks((daysAgo) => (daysAgo === 7 ? 9000 : 100), 13))).toBe(100);
    expect(forecastToday([day(5, 100), day(4, 100)])).toBe(1);
  });

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

describe('the measured forecast of a zone', () => {
  it('is likely the mean of its weekdays, between the first and the last tenth of its days', () => {
    expect(measureZone([])).toBeNull();
    const usual = (daysAgo: number) => (daysAgo % 7 < 2 ? 300 : 1000);
    expect(measureZone(weeks(usual))).toEqual({ days: 28, low: 300, likely: 800, high: 1000 });
    // One unusual day changes nothing.
    expect(measureZone(weeks((daysAgo) => (daysAgo === 3 ? 90_000 : usual(daysAgo))))).toMatchObject({
      likely: 800,
      high: 1000,
    });
    // Days from 10 to 280: the first tenth of them ends at 29, the last one begins at 261.
    const rising = measureZone(weeks((daysAgo) => daysAgo * 10));
    expect([rising?.low, rising?.high].map((views) => Math.round(views ?? 0))).toEqual([29, 261]);
  });

  it('is wider the fewer days are known', () => {
    const widths = [1, 4, 16, 28].map((days) => {
      const { low, likely, high } = measureZone(weeks(() => 600, days)) ?? { low: 0, likely: 0, high: 0 };
      return [likely, Math.round(low), Math.round(high)];
    });
    expect(widths).toEqual([
      [600, 300, 1200],
      [600, 400, 900],
      [600, 480, 750],
      [600, 505, 713],
    ]);
  });
});

describe('the forecast that an advertiser is shown', () => {
  const unknown: ForecastFacts = {
    measured: null,
    siblings: [],
    marketPerVisitor: null,
    monthlyVisitors: 30_000,
  };
  const market = { low: 0.001, likely: 0.01, high: 0.02 };

  it('uses the strongest basis, and is wider the weaker that is', () => {
    const facts = [
      { ...unknown, measured: { low: 40, likely: 64, high: 90 }, siblings: [500], marketPerVisitor: market },
      { ...unknown, siblings: [500], marketPerVisitor: market },
      { ...unknown, marketPerVisitor: market },
      unknown,
    ];
    expect(facts.map(forecastOf)).toEqual([
      { basis: 'zone', viewsPerDay: { low: 40, likely: 64, high: 90 } },
      {
        basis: 'site',
        viewsPerDay: { low: expect.closeTo(250), likely: expect.closeTo(500), high: expect.closeTo(1000) },
      },
      { basis: 'market', viewsPerDay: { low: 30, likely: 300, high: 1200 } },
      { basis: 'declared', viewsPerDay: { low: 50, likely: 1000, high: 2000 } },
    ]);
  });

  it('takes the middle of the sibling zones, so that one wrong zone does not decide', () => {
    const likely = (siblings: number[]) => forecastOf({ ...unknown, siblings }).viewsPerDay.likely;
    expect(likely([100, 90, 1])).toBeCloseTo(90);
    expect(likely([400, 100])).toBeCloseTo(200);
  });

  it('falls back to one view if nothing at all is known', () => {
    expect(forecastOf({ ...unknown, marketPerVisitor: market, monthlyVisitors: 0 })).toEqual({
      basis: 'declared',
      viewsPerDay: { low: 0.05, likely: 1, high: 2 },
    });
  });

  it('spans the ad zones of a website, by the weakest of their bases', () => {
    expect(forecastOfSite([])).toBeNull();
    expect(
      forecastOfSite([
        { basis: 'zone', viewsPerDay: { low: 40, likely: 64, high: 90 } },
        { basis: 'site', viewsPerDay: { low: 32, likely: 70, high: 128 } },
      ]),
    ).toEqual({ basis: 'site', viewsPerDay: { low: 32, likely: 67, high: 128 } });
  });
});
