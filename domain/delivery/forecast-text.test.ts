import { expect, it } from 'vitest';
import { measuredOf, roundForecast } from './forecast-fields.ts';
import { measuredText, qualityText, siteForecastText, viewsText, zoneForecastText } from './forecast-text.ts';

const viewsPerDay = { low: 40, likely: 64, high: 90 };

it('shows a forecast as a range with its basis', () => {
  expect(zoneForecastText({ basis: 'zone', viewsPerDay })).toBe('40–90 views a day, measured in this zone');
  expect(zoneForecastText({ basis: 'declared', viewsPerDay })).toBe(
    '40–90 views a day, estimated from the publisher’s own figure',
  );
  expect(siteForecastText({ basis: 'zone', viewsPerDay })).toBe(
    '40–90 views a day per ad zone, measured on this website',
  );
  const nothing = { basis: 'declared', viewsPerDay: { low: 0, likely: 1, high: 2 } } as const;
  expect([zoneForecastText(nothing), siteForecastText(nothing)]).toEqual([
    'No traffic figures yet',
    'No traffic figures yet',
  ]);
});

it('shows no more digits than an estimate has', () => {
  expect(viewsText({ low: 612, high: 12_266 })).toBe('610–12,000 views');
  expect(viewsText({ low: 64, high: 64 })).toBe('64 views');
  expect(viewsText({ low: 1, high: 1 })).toBe('1 view');
  expect(viewsText({ low: 0, high: 2 })).toBe('0–2 views');
  const { low, likely, high } = roundForecast({
    basis: 'zone',
    viewsPerDay: { low: 0.4, likely: 1.5, high: 2.6 },
  }).viewsPerDay;
  expect([low, likely, high]).toEqual([0, 2, 3]);
});

it('adds up the measurements of zones, and says if there are none', () => {
  expect(measuredOf([])).toBeNull();
  expect(measuredText(null)).toBe('Not measured yet');
  const zone = {
    viewsPerDay: 10.4,
    rendered: 100,
    viewable: 50,
    views: 800,
    clicks: 20,
    judged: 50,
    invalid: 5,
  };
  const both = measuredOf([
    { ...zone, days: 3 },
    // Too few networks for shares over so many days.
    { ...zone, days: 28, rendered: 99, viewable: 0, clicks: 0, judged: 99, invalid: 90 },
  ]);
  expect(both).toEqual({
    days: 28,
    viewsPerDay: 21,
    viewability: 0.5,
    clickRate: 1 / 80,
    invalidShare: 0.1,
  });
  expect(measuredText(both)).toBe(
    'Measured over 28 days: 21 views a day, 50% viewable, 1.3% CTR, 10% invalid traffic',
  );
  expect(both && qualityText(both)).toBe('Measured over 28 days: 50% viewable, 10% invalid');
  const empty = { days: 1, viewsPerDay: 1, viewability: null, clickRate: null, invalidShare: null };
  expect(measuredText(empty)).toBe('Measured over 1 day: 1 view a day');
  expect(qualityText(empty)).toBe('Measured over 1 day');
});
