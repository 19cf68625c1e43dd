import type { Context } from '#server/platform/context.ts';
import { createChangeReader, POLL_MS } from './change-reader.ts';
import { createForecasts } from '../forecasts.ts';
import { createListener, createTimers } from './listener.ts';
import { createOwnRow } from './own-row.ts';
import type { Snapshot } from '../snapshot.ts';
import { createZoneReader } from './zone-reader.ts';

/**
 * Keeps the snapshot up to date. NOTIFY announces changes, and a poll every second finds those that a lost connection
 * missed. `recentlyServedAds` returns the quota ads whose counters other servers may be changing. [DEL-08]
 */
export function followChanges(
  ctx: Context,
  options: { databaseUrl: string; snapshot: Snapshot; recentlyServedAds: () => number[] },
) {
  const timers = createTimers();
  const { isStopped } = timers;
  const forecasts = createForecasts(ctx, options.snapshot);
  const zones = createZoneReader(ctx, options.snapshot, forecasts);
  const reader = createChangeReader(ctx, { ...options, zones, isStopped });
  const row = createOwnRow(ctx, timers);
  const listener = createListener(ctx, options.databaseUrl, { timers, onChange: refreshQuietly });
  let failing = false;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  /** Resolves when everything committed before the call is in the snapshot, and the servers are counted. */
  async function refresh(): Promise<void> {
    // Run one update at a time. Callers that arrive during an update share the next one.
    next ??= (async () => {
      await running?.catch(() => {});
      running = next;
      next = null;
      await reader.update();
    })();
    await next;
  }

  async function refreshQuietly(): Promise<void> {
    try {
      await refresh();
      failing = false;
    } catch (error) {
      // Log only the first failure. We keep serving the last snapshot.
      if (!failing && !isStopped())
        ctx.log.error(
          { err: error },
          'the ad server cannot read changes; it keeps serving its last snapshot',
        );
      failing = true;
    }
  }

  /** Reads all live ads, and then their changes. A failed attempt is repeated by the polls. */
  async function follow(): Promise<void> {
    await refreshQuietly();
    await listener.listen();
    timers.later(() => void poll(), POLL_MS);
  }

  async function poll(): Promise<void> {
    await refreshQuietly();
    forecasts.update();
    timers.later(() => void poll(), POLL_MS);
  }

  return {
    refresh,
    readNames: zones.readNames,
    ageMs: reader.ageMs,
    problem: row.problem,
    /** Joins the other servers. The live ads are read after that, while the server answers already. */
    start: async (): Promise<void> => {
      // Before the others are told about this server.
      await row.join();
      void follow();
    },
    isLoaded: reader.isLoaded,
    stop: async (): Promise<void> => {
      timers.stop();
      await listener.stop();
      await forecasts.stop();
      await next?.catch(() => {});
      await running?.catch(() => {});
      await row.leave();
    },
  };
}
