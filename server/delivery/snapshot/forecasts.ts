import { FORECAST_DAYS, forecastToday } from '#domain/delivery/forecast.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import type { Snapshot } from './snapshot.ts';
import { findZoneDays } from './store.ts';

/** Small enough that one query is short, and what it brings holds up no request. */
const ZONES_AT_ONCE = 200;

/**
 * Keeps what each zone will have today. It is made of whole UTC days, so it changes once a day; reading them is slow
 * where there is much history, so it is done beside the serving, and a zone begins with what its publisher says.
 */
export function createForecasts(ctx: Context, snapshot: Snapshot) {
  const waiting = new Set<number>();
  let day = '';
  let stopped = false;
  let running: Promise<void> | null = null;

  async function read(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const ids = [...waiting].slice(0, ZONES_AT_ONCE);
      // Whole days only: the hours of today would pass for a day with few views.
      const until = new Date(utcDay(ctx.now()));
      const since = later(until, -FORECAST_DAYS * DAY_MS);
      const days = Map.groupBy(await findZoneDays(ctx.db, ids, since, until), ({ zoneId }) => zoneId);
      for (const [zoneId, ofZone] of days) {
        const forecast = forecastToday(ofZone);
        if (forecast !== null) snapshot.setForecast(zoneId, forecast);
      }
      for (const id of ids) waiting.delete(id);
    }
  }

  return {
    /** Zones that have just come to be known. */
    add: (zoneIds: readonly number[]): void => {
      for (const id of zoneIds) waiting.add(id);
    },
    /** Begins whatever is due; to be called every now and then. What fails is tried again the next time. */
    look: (): void => {
      const today = utcDay(ctx.now());
      if (today !== day) for (const id of snapshot.zoneIds()) waiting.add(id);
      day = today;
      if (waiting.size === 0 || running) return;
      running = read()
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'the zones’ forecasts could not be read'))
        .finally(() => (running = null));
    },
    /** Resolves when nothing is being read. */
    idle: async (): Promise<void> => {
      await running;
    },
    stop: async (): Promise<void> => {
      stopped = true;
      await running;
    },
  };
}
