import { FORECAST_DAYS, firstForecast, forecastToday } from '#domain/delivery/forecast.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import { findMonthlyVisitors, findZoneDays } from './store.ts';

/** Views that a zone is expected to have today, and whether that was measured or is what its publisher says. */
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
