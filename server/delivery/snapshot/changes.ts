import pg from 'pg';
import type { Context } from '#server/context.ts';
import { createForecasts } from './forecasts.ts';
import { loadZones } from './load.ts';
import type { LiveZone, Snapshot } from './snapshot.ts';
import { RESERVATION_MS } from './reservations.ts';
import { findCounters } from '../event-log/counters.ts';
import { countServers, currentHorizon, findChanges, nextZoneIds } from './store.ts';

const POLL_MS = 1000;
const RECONNECT_MS = 1000;
const LISTENER = 'openslot changes';
/** The database keeps changes for an hour; after a longer rest everything is read anew. */
const LONGEST_GAP_MS = 30 * 60 * 1000;
/** Small enough that reading and building one chunk never holds up the requests in between. */
const ZONES_PER_CHUNK = 500;

/**
 * Keeps the snapshot as the database is: told by NOTIFY, and by a look every second behind it for what a lost
 * connection did not tell. `recentlyServedAds` are the quota ads whose counters other servers may be moving.
 */
export function followChanges(
  ctx: Context,
  options: { databaseUrl: string; snapshot: Snapshot; recentlyServedAds: () => number[] },
) {
  const { snapshot, recentlyServedAds } = options;
  const forecasts = createForecasts(ctx, snapshot);
  let horizon: string | null = null;
  let lookedAt = 0;
  let fleetSeenAt = 0;
  let listener: pg.Client | null = null;
  let stopped = false;
  let failing = false;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const timers = new Set<NodeJS.Timeout>();

  async function look(): Promise<void> {
    // Monotonic: a clock set right by a day must not look like a day of rest.
    const moment = performance.now();
    if (horizon === null || moment - lookedAt > LONGEST_GAP_MS) await readAll();
    else await readChanges(horizon);
    countFleet(await countServers(ctx.db, LISTENER), moment);
    lookedAt = moment;
  }

  /** The most of the last minute: what a server promised outlives it that long, and listeners come and go. */
  function countFleet(servers: number, moment: number): void {
    if (servers < snapshot.fleet.servers && moment - fleetSeenAt < RESERVATION_MS) return;
    snapshot.fleet.servers = Math.max(1, servers);
    fleetSeenAt = moment;
  }

  async function readAll(): Promise<void> {
    // Asked first: what changes while the zones are read is read again next time.
    const start = await currentHorizon(ctx.db);
    const before = snapshot.zoneIds();
    const present = new Set<number>();
    for (let last = 0; ;) {
      const ids = await nextZoneIds(ctx.db, last, ZONES_PER_CHUNK);
      if (ids.length === 0) break;
      const zones = await loadZones(ctx, ids);
      snapshot.replace(ids, zones);
      for (const zone of zones) present.add(zone.id);
      last = ids.at(-1) as number;
    }
    snapshot.replace(
      before.filter((id) => !present.has(id)),
      [],
    );
    horizon = start;
  }

  async function readChanges(since: string): Promise<void> {
    const changes = await findChanges(ctx.db, since);
    for (let at = 0; at < changes.zoneIds.length; at += ZONES_PER_CHUNK) {
      const ids = changes.zoneIds.slice(at, at + ZONES_PER_CHUNK);
      const zones: LiveZone[] = await loadZones(ctx, ids);
      forecasts.add(ids.filter((id) => snapshot.websiteOf(id) === undefined));
      snapshot.replace(ids, zones);
    }
    horizon = changes.horizon;
    const served = recentlyServedAds();
    if (served.length > 0) snapshot.applyCounts(await findCounters(ctx.db, served));
  }

  /** Resolves when everything committed before the call is in the snapshot. */
  async function refresh(): Promise<void> {
    // One look at a time; callers who come while one runs share the one after it.
    next ??= (async () => {
      await running?.catch(() => {});
      running = next;
      next = null;
      await look();
    })();
    await next;
  }

  async function refreshQuietly(): Promise<void> {
    try {
      await refresh();
      failing = false;
    } catch (error) {
      // Said once: what is in memory is served meanwhile.
      if (!failing && !stopped)
        ctx.log.error({ err: error }, 'the ad server cannot read what changed; serving what it knows');
      failing = true;
    }
  }

  async function listen(): Promise<void> {
    if (stopped) return;
    const client = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: LISTENER,
    });
    const again = () => {
      if (listener !== client) return;
      listener = null;
      client.removeAllListeners('notification');
      client.end().catch(() => {});
      if (!stopped) later(() => void listen(), RECONNECT_MS);
    };
    listener = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', () => void refreshQuietly());
    try {
      await client.connect();
      await client.query('listen delivery_changes');
      // Whatever was told while nobody listened.
      await refreshQuietly();
    } catch {
      again();
    }
  }

  function later(then: () => void, ms: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      then();
    }, ms);
    timers.add(timer);
  }

  async function poll(): Promise<void> {
    await refreshQuietly();
    forecasts.look();
    if (!stopped) later(() => void poll(), POLL_MS);
  }

  return {
    refresh,
    start: async (): Promise<void> => {
      await refresh();
      await listen();
      later(() => void poll(), POLL_MS);
    },
    stop: async (): Promise<void> => {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      const client = listener;
      listener = null;
      await client?.end().catch(() => {});
      await forecasts.stop();
      await next?.catch(() => {});
      await running?.catch(() => {});
    },
  };
}
