import pg from 'pg';
import type { Context } from '#server/context.ts';
import { connectionTo } from '#server/db/database.ts';
import { instanceName } from '#server/db/instances.ts';
import { BEAT_MS, countServers, forgetServer, serverName, noteServer } from '#server/db/servers.ts';
import { createForecasts } from './forecasts.ts';
import { loadZones } from './load.ts';
import type { LiveZone, Snapshot } from './snapshot.ts';
import { RESERVATION_MS } from './reservations.ts';
import { findCounters } from '../event-log/counters.ts';
import { currentHorizon, findChanges, nextZoneIds } from './store.ts';

const POLL_MS = 1000;
const RECONNECT_MS = 1000;
/** The database keeps changes for an hour. After a gap longer than this, reload everything. */
const MAX_GAP_MS = 30 * 60 * 1000;
/** Small enough that loading one chunk does not delay the requests in between. */
const ZONES_PER_CHUNK = 500;

/**
 * Keeps the snapshot up to date. NOTIFY announces changes, and a poll every second finds those that a lost connection
 * missed. `recentlyServedAds` returns the quota ads whose counters other servers may be changing. [DEL-08]
 */
export function followChanges(
  ctx: Context,
  options: { databaseUrl: string; snapshot: Snapshot; recentlyServedAds: () => number[] },
) {
  const { snapshot, recentlyServedAds } = options;
  const forecasts = createForecasts(ctx, snapshot);
  const server = serverName(ctx.config.port);
  let horizon: string | null = null;
  let updatedAt = 0;
  let fleetSeenAt = 0;
  let listener: pg.Client | null = null;
  let stopped = false;
  let failing = false;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let beating: Promise<void> | null = null;
  const timers = new Set<NodeJS.Timeout>();

  async function update(): Promise<void> {
    // This clock is monotonic. A correction of the system clock must not look like a gap.
    const moment = performance.now();
    if (horizon === null || moment - updatedAt > MAX_GAP_MS) await readAll();
    else await readChanges(horizon);
    await countFleet();
    updatedAt = moment;
  }

  /**
   * Counts the servers. Call it after ads were read and before they are served: a server that started before an ad was
   * paid for then has its share of it. [DEL-65]
   *
   * Keeps the highest number of the last minute, because the reservations of a stopped server last that long.
   */
  async function countFleet(): Promise<void> {
    const servers = await countServers(ctx.db);
    const moment = performance.now();
    if (servers < snapshot.fleet.servers && moment - fleetSeenAt < RESERVATION_MS) return;
    snapshot.fleet.servers = Math.max(1, servers);
    fleetSeenAt = moment;
  }

  async function readAll(): Promise<void> {
    // Read the horizon first. The next update then rereads what changes while the zones are loading.
    const start = await currentHorizon(ctx.db);
    const before = snapshot.zoneIds();
    const present = new Set<number>();
    for (let last = 0; ;) {
      const ids = await nextZoneIds(ctx.db, last, ZONES_PER_CHUNK);
      if (ids.length === 0) break;
      const zones = await loadZones(ctx, ids);
      await countFleet();
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
      await countFleet();
      forecasts.add(ids.filter((id) => snapshot.zoneById(id) === undefined));
      snapshot.replace(ids, zones);
    }
    horizon = changes.horizon;
    const served = recentlyServedAds();
    if (served.length > 0) snapshot.applyCounts(await findCounters(ctx.db, served));
  }

  /** Resolves when everything committed before the call is in the snapshot, and the servers are counted. */
  async function refresh(): Promise<void> {
    // Run one update at a time. Callers that arrive during an update share the next one.
    next ??= (async () => {
      await running?.catch(() => {});
      running = next;
      next = null;
      await update();
    })();
    await next;
  }

  async function refreshQuietly(): Promise<void> {
    try {
      await refresh();
      failing = false;
    } catch (error) {
      // Log only the first failure. We keep serving the last snapshot.
      if (!failing && !stopped)
        ctx.log.error(
          { err: error },
          'the ad server cannot read changes; it keeps serving its last snapshot',
        );
      failing = true;
    }
  }

  async function listen(): Promise<void> {
    if (stopped) return;
    const client = new pg.Client(connectionTo(options.databaseUrl, instanceName(ctx.config.port)));
    const reconnect = () => {
      if (listener !== client) return;
      listener = null;
      client.removeAllListeners('notification');
      client.end().catch(() => {});
      if (!stopped) later(() => void listen(), RECONNECT_MS);
    };
    listener = client;
    client.on('error', reconnect);
    client.on('end', reconnect);
    client.on('notification', () => void refreshQuietly());
    try {
      await client.connect();
      await client.query('listen delivery_changes');
      // All servers count this one before they serve an ad that changes from now on.
      await client.query('notify delivery_changes');
      // Read the changes that were announced before this connection listened.
      await refreshQuietly();
    } catch {
      reconnect();
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
    forecasts.update();
    if (!stopped) later(() => void poll(), POLL_MS);
  }

  const note = async () => await noteServer(ctx.db, server, Object.keys(ctx.config.environment));

  /** The others count this server as long as this goes on. */
  async function beat(): Promise<void> {
    // If the database is away, so is this server's row. Reading changes logs that.
    beating = note().catch(() => {});
    await beating;
    if (!stopped) later(() => void beat(), BEAT_MS);
  }

  return {
    refresh,
    /** Milliseconds since the snapshot was last up to date. */
    ageMs: () => performance.now() - updatedAt,
    start: async (): Promise<void> => {
      // Before the others are told about this server.
      await note();
      later(() => void beat(), BEAT_MS);
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
      // After the last beat, which would bring the row back.
      await beating;
      await forgetServer(ctx.db, server).catch(() => {});
    },
  };
}
