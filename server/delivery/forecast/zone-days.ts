import { FORECAST_DAYS, type ZoneDay } from '#domain/delivery/forecast.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { findZoneDays } from './store.ts';

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
