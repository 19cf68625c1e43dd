import { FORECAST_DAYS, firstForecast, forecastToday } from '#domain/delivery/forecast.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import { findMonthlyVisitors, findZoneDays } from './store.ts';

/** The views that a zone is expected to have today. `isMeasured` is false if only its publisher's figure is known. */
export async function forecastOfZone(
  ctx: Context,
  zoneId: number,
): Promise<{ perDay: number; isMeasured: boolean }> {
  const until = new Date(utcDay(ctx.now()));
  const days = await findZoneDays(ctx.db, [zoneId], later(until, -FORECAST_DAYS * DAY_MS), until);
  const measured = forecastToday(days);
  if (measured !== null) return { perDay: measured, isMeasured: true };
  return { perDay: firstForecast(await findMonthlyVisitors(ctx.db, zoneId)), isMeasured: false };
}
