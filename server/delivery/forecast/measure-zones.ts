import { measureZone } from '#domain/delivery/forecast.ts';
import { later, MINUTE_MS, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import {
  hasOldMarket,
  type Measurement,
  nextDueZones,
  sumReports,
  writeMarket,
  writeMeasurements,
} from './store.ts';
import { forecastSpan, readZoneDays } from './zone-figures.ts';

/** Small enough that one query is short. */
const ZONES_AT_ONCE = 200;
/** A zone joins its market's figures after a whole week. */
const MARKET_DAYS = 7;
/** With fewer websites, the market's figure would be that of one or two publishers. */
const MARKET_WEBSITES = 3;

/** A day is measured this long after its end, when its last events have been counted. */
export const SETTLED_MS = 5 * MINUTE_MS;

/**
 * Measures each zone once a UTC day, from its whole days, and then the market. A call without a zone to measure costs
 * one look-up. It may run any number of times, and on several servers at once.
 */
export async function measureZones(ctx: Context): Promise<void> {
  const now = later(ctx.now(), -SETTLED_MS);
  const today = utcDay(now);
  let measured = 0;
  for (;;) {
    const ids = await nextDueZones(ctx.db, today, ZONES_AT_ONCE);
    if (ids.length === 0) break;
    await writeMeasurements(ctx.db, today, await measure(ctx.db, ids, now));
    measured += ids.length;
  }
  if (measured > 0 || (await hasOldMarket(ctx.db, today))) {
    await writeMarket(ctx.db, today, { minDays: MARKET_DAYS, minWebsites: MARKET_WEBSITES });
  }
}

async function measure(tx: Tx, ids: readonly number[], now: Date): Promise<Measurement[]> {
  const { since, until } = forecastSpan(now);
  const days = await readZoneDays(tx, ids, now);
  const sums = new Map((await sumReports(tx, ids, since, until)).map((row) => [row.zoneId, row]));
  return ids.map((zoneId) => ({
    ...NO_REPORTS,
    ...sums.get(zoneId),
    ...(measureZone(days.get(zoneId) ?? []) ?? NO_DAYS),
    zoneId,
  }));
}

const NO_REPORTS = { rendered: 0, viewable: 0, views: 0, clicks: 0, judged: 0, invalid: 0 };
const NO_DAYS = { days: 0, low: 0, likely: 0, high: 0 };
