/**
 * Simulates the traffic of many websites and forecasts each of their zones as if it had just been created. It is pure
 * and seeded, so it returns the same figures every time.
 *
 * The views of a zone in a day are its website's page views, times the share of pages that have the zone, times its
 * viewability. Ad requests are log-normal from day to day and follow the weekday. A tenth of the websites have one
 * viral day. Viewability is between 40% (below the fold) and 68% (above it), the averages that Google found on its
 * platforms in 2014 (https://www.thinkwithgoogle.com/marketing-strategies/video/5-factors-of-viewability/). The
 * declared figure has little to do with the page views. It is between a third of the visitors and a hundred times as
 * many.
 */
import {
  type Forecast,
  FORECAST_DAYS,
  forecastOf,
  measureZone,
  type ViewRange,
  type ZoneDay,
} from '#domain/delivery/forecast.ts';
import { randomOf } from './simulate.ts';

type SimulatedZone = {
  site: number;
  siteDeclares: number;
  /** The views per day that the zone has on average. */
  truth: number;
  /** The counted days of the past weeks. */
  past: ZoneDay[];
  /** The views of each day of the next weeks. */
  next: number[];
};

export type ForecastOutcome = {
  /** Likely views ÷ true views. */
  ratio: number;
  forecast: Forecast;
  next: number[];
};

const SITES = 300;
const WEEKEND = 0.6;
const FOLD: readonly [below: number, above: number] = [0.4, 0.68];
/** A zone of the page's template is on most pages. */
const ON_PAGES: readonly [number, number] = [0.85, 1];

/** Forecasts every zone of the market by each basis that it has, leaving out what it measured itself except for 'zone'. */
export function simulateMarket(seed: number): Record<Forecast['basis'], ForecastOutcome[]> {
  const zones = makeMarket(randomOf(seed));
  const measured = new Map(zones.map((zone) => [zone, measureZone(zone.past)]));
  const likelyOf = (zone: SimulatedZone) => measured.get(zone)?.likely ?? 1;
  const outcomes: Record<Forecast['basis'], ForecastOutcome[]> = {
    zone: [],
    site: [],
    market: [],
    declared: [],
  };
  for (const zone of zones) {
    const siblings = zones.filter((other) => other !== zone && other.site === zone.site).map(likelyOf);
    const ratios = zones
      .filter((other) => other.site !== zone.site)
      .map((other) => likelyOf(other) / other.siteDeclares)
      .toSorted((a, b) => a - b);
    const unknown = {
      measured: null,
      siblings: [],
      marketPerVisitor: null,
      monthlyVisitors: zone.siteDeclares,
    };
    const forecasts = [
      forecastOf({ ...unknown, measured: measured.get(zone) ?? null }),
      forecastOf({ ...unknown, siblings }),
      forecastOf({ ...unknown, marketPerVisitor: decilesOf(ratios) }),
      forecastOf(unknown),
    ];
    for (const forecast of forecasts) {
      const ratio = forecast.viewsPerDay.likely / zone.truth;
      outcomes[forecast.basis].push({ ratio, forecast, next: zone.next });
    }
  }
  return outcomes;
}

/** As `writeMarket` computes them, with all zones in one market. */
function decilesOf(sorted: readonly number[]): ViewRange {
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] as number;
  return { low: at(0.1), likely: at(0.5), high: at(0.9) };
}

/** The part of the days of the next weeks that are within the forecast's range. */
export function coverageOf(outcomes: readonly ForecastOutcome[]): number {
  const days = outcomes.flatMap(({ forecast: { viewsPerDay }, next }) =>
    next.map((views) => viewsPerDay.low <= views && views <= viewsPerDay.high),
  );
  return days.filter(Boolean).length / days.length;
}

/** By which factor the likely views are off, at most. */
export function worstFactor(outcomes: readonly ForecastOutcome[]): number {
  return Math.max(...outcomes.map(({ ratio }) => Math.max(ratio, 1 / ratio)));
}

function makeMarket(random: () => number): SimulatedZone[] {
  const between = ([from, to]: readonly [number, number]) => from + (to - from) * random();
  return Array.from({ length: SITES }, (_, site) => makeSite(site)).flat();

  function makeSite(site: number): SimulatedZone[] {
    const pageViews = 300 * 100 ** random();
    const siteDeclares = Math.round(pageViews * 10 * (300 ** random() / 3));
    const noise = between([0.1, 0.35]);
    const viralDay = random() < 0.1 ? 1 + Math.floor(random() * FORECAST_DAYS) : 0;
    const weekday = (daysAgo: number) => ((daysAgo % 7) + 7) % 7;
    const requestsOn = (daysAgo: number) =>
      pageViews *
      (weekday(daysAgo) < 2 ? WEEKEND : 1) *
      (daysAgo === viralDay ? 12 : 1) *
      Math.exp(noise * normal(random));
    const pages = Array.from({ length: FORECAST_DAYS * 2 }, (_, at) => requestsOn(FORECAST_DAYS - at));
    const mean = (pageViews * (5 + 2 * WEEKEND) * Math.exp(noise ** 2 / 2)) / 7;
    return Array.from({ length: 2 + Math.floor(random() * 4) }, () => {
      const onPages = between(ON_PAGES);
      const viewability = between(FOLD);
      const views = pages.map((count) => Math.round(count * onPages * viewability));
      const sold = random();
      return {
        site,
        siteDeclares,
        truth: mean * onPages * viewability,
        past: views.slice(0, FORECAST_DAYS).map((count, at) => {
          const requests = (pages[at] as number) * onPages;
          const counted = Math.round(count * sold);
          return {
            daysAgo: FORECAST_DAYS - at,
            views: counted,
            served: Math.round(requests * sold),
            empty: Math.round(requests * (1 - sold)),
          };
        }),
        next: views.slice(FORECAST_DAYS),
      };
    });
  }
}

/** A draw from the standard normal distribution, by Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
