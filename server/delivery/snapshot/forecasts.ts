import { forecastToday, measuredViewsPerDay } from '#domain/delivery/forecast.ts';
import { utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { readZoneDays } from '../forecast/zone-figures.ts';
import type { Snapshot } from './snapshot.ts';

/** Small enough that one query is short and its result delays no request. */
const ZONES_AT_ONCE = 200;

/**
 * Keeps the forecast of each zone with an ad for today. It is computed from whole UTC days, so it changes once a day. Reading a
 * long history is slow, so this runs in the background, and a zone starts with its publisher's own figure.
 */
export function createForecasts(ctx: Context, snapshot: Snapshot) {
  const waiting = new Set<number>();
  let day = '';
  let stopped = false;
  let running: Promise<void> | null = null;

  async function read(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const ids = [...waiting].slice(0, ZONES_AT_ONCE);
      for (const [zoneId, days] of await readZoneDays(ctx.db, ids, ctx.now())) {
        const forecast = forecastToday(days);
        if (forecast !== null) snapshot.setForecast(zoneId, forecast);
        snapshot.setMeasured(zoneId, measuredViewsPerDay(days));
      }
      for (const id of ids) waiting.delete(id);
    }
  }

  return {
    /** Queues zones that have their first ad. */
    add: (zoneIds: readonly number[]): void => {
      for (const id of zoneIds) waiting.add(id);
    },
    /** Starts the forecasts that are due. Call this regularly: the next call retries the failed ones. */
    update: (): void => {
      const today = utcDay(ctx.now());
      if (today !== day) for (const id of snapshot.soldZoneIds()) waiting.add(id);
      day = today;
      if (waiting.size === 0 || running) return;
      running = read()
        .catch((error: unknown) =>
          ctx.log.warn({ err: error }, 'the forecasts of zones could not be read; trying again'),
        )
        .finally(() => (running = null));
    },
    /** Resolves once no forecast is being read. */
    idle: async (): Promise<void> => {
      await running;
    },
    stop: async (): Promise<void> => {
      stopped = true;
      await running;
    },
  };
}
export type Forecasts = ReturnType<typeof createForecasts>;
