/** The figures of a zone on one UTC day. */
export type ZoneDay = {
  /** 1 is yesterday. */
  daysAgo: number;
  /** Counted views. */
  views: number;
  /** Valid decisions that chose an ad, and those without an ad to choose. */
  served: number;
  empty: number;
};

/** The possible bases of a forecast, the strongest first. */
export const BASES = ['zone', 'site', 'market', 'declared'] as const;
export type Basis = (typeof BASES)[number];

/** Views per day. A single day is usually between `low` and `high`. */
export type ViewRange = { low: number; likely: number; high: number };

export type Forecast = { basis: Basis; viewsPerDay: ViewRange };

/** The forecast uses this many days: four of each weekday. */
export const FORECAST_DAYS = 28;
/** The viewability to assume for a zone that has served fewer ads than MIN_SERVED. */
const USUAL_VIEWABILITY = 0.5;
const MIN_SERVED = 500;

/** The part of a zone's days that is below `low`, and the part that is above `high`. */
const TAIL = 0.1;
/** The minimum range of a forecast without figures of its zone, as factors below and above `likely`. */
const WIDTHS: Record<Exclude<Basis, 'zone'>, readonly [below: number, above: number]> = {
  site: [2, 2],
  market: [4, 4],
  // Nothing confirms the publisher's figure, and publishers rarely state too few visitors.
  declared: [20, 2],
};

/** Views expected per day for a zone without history, from the publisher's own figure of visitors. At least one. */
export function firstForecast(monthlyVisitors: number): number {
  return Math.max(1, monthlyVisitors / 30);
}

/**
 * Views expected today: the median of the same weekday in the last four weeks or, if fewer than two of these are known,
 * of all known days. A median ignores a single unusual day. The result is at least one, so that shares stay defined, or
 * null without any known day.
 */
export function forecastToday(days: readonly ZoneDay[]): number | null {
  const capacity = capacityOf(days);
  return capacity.length === 0 ? null : forecastOn(capacity, 0);
}

/** A zone's forecast from its own days. `likely` is the mean of the seven weekdays' forecasts. */
export type ZoneMeasure = ViewRange & {
  /** The number of days that are known. */
  days: number;
};

export function measureZone(days: readonly ZoneDay[]): ZoneMeasure | null {
  const capacity = capacityOf(days);
  if (capacity.length === 0) return null;
  const week = Array.from({ length: 7 }, (_, ahead) => forecastOn(capacity, ahead));
  const likely = week.reduce((sum, views) => sum + views, 0) / week.length;
  // The spread of a few days is uncertain, so few days make a wider range.
  const doubt = 1 + 1 / Math.sqrt(capacity.length);
  return {
    days: capacity.length,
    low: Math.min(quantile(capacity, TAIL), likely / doubt),
    likely,
    high: Math.max(quantile(capacity, 1 - TAIL), likely * doubt),
  };
}

export type ForecastFacts = {
  /** The zone's own measure; null if it has none. */
  measured: ViewRange | null;
  /** `likely` of the other measured zones of its website. */
  siblings: readonly number[];
  /** The views per day of such zones, for each declared monthly visitor of their websites; null if unknown. */
  marketPerVisitor: ViewRange | null;
  monthlyVisitors: number;
};

/**
 * The views per day that a zone can be sold with, from the strongest basis that is known. The basis `site` is the
 * website's declared visitors times a sibling zone's measured views per declared visitor. The declared visitors cancel
 * out, so a publisher who overstates them gains nothing.
 */
export function forecastOf({
  measured,
  siblings,
  marketPerVisitor,
  monthlyVisitors,
}: ForecastFacts): Forecast {
  if (measured) return { basis: 'zone', viewsPerDay: measured };
  // Zones differ by factors, so the median is taken of their logarithms.
  if (siblings.length > 0) return spread('site', Math.exp(median(siblings.map((views) => Math.log(views)))));
  if (marketPerVisitor && monthlyVisitors > 0) {
    const { low, likely, high } = marketPerVisitor;
    const { viewsPerDay } = spread('market', Math.max(1, likely * monthlyVisitors));
    return {
      basis: 'market',
      viewsPerDay: {
        ...viewsPerDay,
        low: Math.min(viewsPerDay.low, low * monthlyVisitors),
        high: Math.max(viewsPerDay.high, high * monthlyVisitors),
      },
    };
  }
  return spread('declared', firstForecast(monthlyVisitors));
}

/** A website's zones in one range, from the lowest to the highest, with the weakest of their bases; null without zones. */
export function forecastOfSite(zones: readonly Forecast[]): Forecast | null {
  if (zones.length === 0) return null;
  const ranges = zones.map(({ viewsPerDay }) => viewsPerDay);
  return {
    basis: BASES[Math.max(...zones.map(({ basis }) => BASES.indexOf(basis)))] as Basis,
    viewsPerDay: {
      low: Math.min(...ranges.map(({ low }) => low)),
      likely: median(ranges.map(({ likely }) => likely)),
      high: Math.max(...ranges.map(({ high }) => high)),
    },
  };
}

function spread(basis: Exclude<Basis, 'zone'>, likely: number): Forecast {
  const [below, above] = WIDTHS[basis];
  return { basis, viewsPerDay: { low: likely / below, likely, high: likely * above } };
}

/**
 * The views that a zone could have had on each day, yesterday first. Decisions without an ad bring no views, so they
 * count by the viewability of the zone's ads. A day without a row, after the first day, had no visitors.
 */
function capacityOf(days: readonly ZoneDay[]): number[] {
  const first = Math.max(0, ...days.map(({ daysAgo }) => daysAgo));
  const sum = (field: 'views' | 'served') => days.reduce((total, day) => total + day[field], 0);
  const viewability =
    sum('served') < MIN_SERVED ? USUAL_VIEWABILITY : Math.min(1, sum('views') / sum('served'));
  const capacity = Array<number>(first).fill(0);
  for (const { daysAgo, views, empty } of days) capacity[daysAgo - 1] = views + empty * viewability;
  return capacity;
}

/** Views expected `ahead` days after today: the median of that weekday, or of all days. At least one. */
function forecastOn(capacity: readonly number[], ahead: number): number {
  const weekday = capacity.filter((_, index) => (index + 1 + ahead) % 7 === 0);
  return Math.max(1, median(weekday.length >= 2 ? weekday : capacity));
}

/**
 * The median of the counted views of the last four weeks, where a day without a row counts as 0. Only billed views
 * raise it, so it cannot be raised without passing the caps. [IVT-04]
 */
export function measuredViewsPerDay(days: readonly ZoneDay[]): number {
  const views = Array<number>(FORECAST_DAYS).fill(0);
  for (const day of days) if (day.daysAgo <= FORECAST_DAYS) views[day.daysAgo - 1] = day.views;
  return median(views);
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * Interpolates between the two nearest values. On average, `part` of further values are below it, as far as there are
 * enough values (type 6 of https://stat.ethz.ch/R-manual/R-devel/library/stats/html/quantile.html).
 */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const place = Math.min(last, Math.max(0, (sorted.length + 1) * part - 1));
  const lower = sorted[Math.floor(place)] as number;
  const upper = sorted[Math.ceil(place)] as number;
  return lower + (upper - lower) * (place - Math.floor(place));
}
