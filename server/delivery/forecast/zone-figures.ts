import { type Forecast, forecastOf, FORECAST_DAYS, type ZoneDay } from '#domain/delivery/forecast.ts';
import type { MeasuredSums } from '#domain/delivery/forecast-fields.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type FigureRow, findFigures, findZoneDays } from './store.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';

export type ZoneFigures = {
  zoneId: number;
  /** Whether an ad can be booked in the zone now. */
  isBookable: boolean;
  forecast: Forecast;
  /** Null until the zone has its first whole day with figures. */
  measured: MeasuredSums | null;
};

/** The forecasts and measured figures of all zones of these websites, by website. One query, however many there are. */
export async function figuresOfWebsites(
  tx: Tx,
  websiteIds: readonly number[],
): Promise<Map<number, ZoneFigures[]>> {
  if (websiteIds.length === 0) return new Map();
  const websites = Map.groupBy(await findFigures(tx, websiteIds), ({ websiteId }) => websiteId);
  return new Map([...websites].map(([websiteId, zones]) => [websiteId, figuresOf(zones)]));
}

/** `zones` are all zones of one website. */
function figuresOf(zones: readonly FigureRow[]): ZoneFigures[] {
  // A zone that is not offered serves no ads, so its measurements say little about the others. A zone that needs its
  // siblings has no measurements, so it is not among them.
  const siblings = zones.flatMap((row) => (row.isOffered && row.days !== null ? [row.likely] : []));
  return zones.map((row) => ({
    zoneId: row.zoneId,
    isBookable: row.isOffered && row.hasPrice,
    forecast: forecastOf({
      measured: row.days === null ? null : { low: row.low, likely: row.likely, high: row.high },
      siblings,
      marketPerVisitor: row.market,
      monthlyVisitors: row.monthlyVisitors,
    }),
    measured: row.days === null ? null : { ...row, viewsPerDay: row.likely },
  }));
}

/** The whole UTC days of the last weeks. Today is left out: its first hours would look like a day with few views. */
export function forecastSpan(now: Date): { since: Date; until: Date } {
  const until = new Date(utcDay(now));
  return { since: later(until, -FORECAST_DAYS * DAY_MS), until };
}

/** The days of these zones that have valid decisions or views, by zone. */
export async function readZoneDays(
  tx: Tx,
  zoneIds: readonly number[],
  now: Date,
): Promise<Map<number, ZoneDay[]>> {
  const { since, until } = forecastSpan(now);
  return Map.groupBy(await findZoneDays(tx, zoneIds, since, until), ({ zoneId }) => zoneId);
}
