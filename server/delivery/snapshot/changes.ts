import type pg from 'pg';
import type { Config } from '#server/config.ts';
import { ConfigError } from '#server/config-error.ts';
import type { Context } from '#server/context.ts';
import { clientTo } from '#server/db/database.ts';
import { instanceName } from '#server/db/instances.ts';
import {
  BEAT_MS,
  countServers,
  findStranger,
  fingerprintsOf,
  forgetServer,
  GONE_SECONDS,
  joinServers,
  noteServer,
  serverName,
  type ServerNote,
} from '#server/db/servers.ts';
import { createForecasts } from './forecasts.ts';
import { createStyles } from './fragments.ts';
import { loadZones } from './load.ts';
import type { LiveZone, Snapshot } from './snapshot.ts';
import { RESERVATION_MS } from './reservations.ts';
import { findCounters } from '../event-log/counters.ts';
import { currentPosition, FIRST_HORIZON, type Position } from './position.ts';
import { type Changes, findChanges, findZoneIds, MAX_CHANGES, nextSoldZoneIds } from './store.ts';
import { MINUTE_MS } from '#domain/time.ts';

const POLL_MS = 1000;
const RECONNECT_MS = 1000;
/** The database keeps changes for an hour. After a gap longer than this, reload everything. */
const MAX_GAP_MS = 30 * MINUTE_MS;
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
  const styleOf = createStyles();
  const server = serverName(ctx.config.port);
  let position: Position | null = null;
  let updatedAt = 0;
  let fleetSeenAt = 0;
  let listener: pg.Client | null = null;
  let stopped = false;
  let failing = false;
  let lastStep: Promise<void> = Promise.resolve();
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let beating: Promise<void> | null = null;
  let note: ServerNote = { server };
  let problem: string | null = null;
  const timers = new Set<NodeJS.Timeout>();

  async function update(): Promise<void> {
    // This clock is monotonic. A correction of the system clock must not look like a gap.
    const moment = performance.now();
    if (position === null || moment - updatedAt > MAX_GAP_MS) await readAll();
    else await readChanges(position);
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

  /** Reads these zones and gives them to `keep`, which replaces what is in memory. */
  async function readZones(ids: readonly number[], keep: (zones: LiveZone[]) => void): Promise<void> {
    const zones = await loadZones(ctx, ids, styleOf);
    const sold = zones.filter(({ ads }) => ads.length > 0);
    if (sold.length > 0) await countFleet();
    forecasts.add(sold.map(({ id }) => id).filter((id) => !snapshot.isSold(id)));
    keep(zones);
  }

  /**
   * Runs one step of reading and keeping after the other. So nothing that was read earlier replaces what was read later,
   * and a change that a step does not see is found after it.
   */
  async function inTurn(step: () => Promise<void>): Promise<void> {
    const done = lastStep.then(step);
    lastStep = done.catch(() => {});
    await done;
  }

  async function readAll(): Promise<void> {
    // Read the position first. What changes while the zones are loading is then read again.
    let start = await currentPosition(ctx.db);
    let checkedAt = performance.now();
    const before = snapshot.soldZoneIds();
    const present = new Set<number>();
    await inTurn(async () => snapshot.forgetAsked());
    for (let last = 0; ;) {
      if (stopped) return;
      const ids = await nextSoldZoneIds(ctx.db, last, ZONES_PER_CHUNK);
      if (ids.length === 0) break;
      await replaceZones(ids);
      for (const id of ids) present.add(id);
      last = ids.at(-1) as number;
      if (performance.now() - checkedAt < POLL_MS) continue;
      // A takedown does not wait until all zones are read.
      const changes = await applyChanges(start.horizon);
      for (const id of changes.zoneIds) present.add(id);
      start = changes;
      checkedAt = performance.now();
    }
    snapshot.replace(
      before.filter((id) => !present.has(id)),
      [],
    );
    position = start;
  }

  async function readChanges(since: Position): Promise<void> {
    const changes = await applyChanges(since.horizon);
    if (changes.database === since.database) position = changes;
    else {
      // After a failover, transaction ids may be lower than those that this server remembers. What has changed lately
      // comes first, so that a takedown does not wait until all zones are read.
      await applyChanges(FIRST_HORIZON);
      await readAll();
    }
    const served = recentlyServedAds();
    if (served.length > 0) snapshot.applyCounts(await findCounters(ctx.db, served));
  }

  async function applyChanges(horizon: string): Promise<Changes> {
    const first = await findChanges(ctx.db, horizon, 0);
    const zoneIds: number[] = [];
    for (let found = first.zoneIds; ;) {
      for (let at = 0; at < found.length; at += ZONES_PER_CHUNK)
        await replaceZones(found.slice(at, at + ZONES_PER_CHUNK));
      zoneIds.push(...found);
      if (found.length < MAX_CHANGES) break;
      found = (await findChanges(ctx.db, horizon, found.at(-1)!)).zoneIds;
    }
    // Later pages see more than the first one. What they have seen is read again after this position.
    return { ...first, zoneIds };
  }

  async function replaceZones(ids: readonly number[]): Promise<void> {
    await inTurn(() => readZones(ids, (zones) => snapshot.replace(ids, zones)));
  }

  /** Reads the zones with these public ids, because somebody asks for them. */
  async function readNames(names: readonly string[]): Promise<void> {
    await inTurn(async () => {
      const ids = await findZoneIds(ctx.db, names);
      await readZones(ids, (zones) => snapshot.remember(names, zones));
    });
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
    const client = clientTo(options.databaseUrl, instanceName(ctx.config.port));
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

  /** Reads all live ads, and then their changes. A failed attempt is repeated by the polls. */
  async function follow(): Promise<void> {
    await refreshQuietly();
    await listen();
    if (!stopped) later(() => void poll(), POLL_MS);
  }

  async function poll(): Promise<void> {
    await refreshQuietly();
    forecasts.update();
    if (!stopped) later(() => void poll(), POLL_MS);
  }

  async function join(): Promise<void> {
    note = {
      server,
      environment: Object.keys(ctx.config.environment),
      secrets: await fingerprintsOf(ctx.db, ctx.keysFor),
    };
    const stranger = await joinServers(ctx.db, note);
    if (stranger !== null) throw new ConfigError(otherSecret(stranger, ctx.config));
  }

  async function renew(): Promise<void> {
    await noteServer(ctx.db, note);
    const stranger = await findStranger(ctx.db, note);
    const found = stranger === null ? null : otherSecret(stranger, ctx.config);
    if (found !== null && problem === null) ctx.log.error(found);
    problem = found;
  }

  /** The others count this server as long as this goes on. */
  async function beat(): Promise<void> {
    // If the database is away, so is this server's row. Reading changes logs that.
    beating = renew().catch(() => {});
    await beating;
    if (!stopped) later(() => void beat(), BEAT_MS);
  }

  return {
    refresh,
    readNames,
    /** Milliseconds since the snapshot was last up to date. */
    ageMs: () => performance.now() - updatedAt,
    /** Why this server must not serve pages beside the others, as the last beat found; null if it may. */
    problem: () => problem,
    /** Joins the other servers. The live ads are read after that, while the server answers already. */
    start: async (): Promise<void> => {
      // Before the others are told about this server.
      await join();
      later(() => void beat(), BEAT_MS);
      void follow();
    },
    /** Whether all live ads have been read. */
    isLoaded: () => position !== null,
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

function otherSecret(server: string, { sessionSecrets }: Config): string {
  const own =
    sessionSecrets === undefined ? ' Without SESSION_SECRET, each DATA_DIR has a secret of its own.' : '';
  return `SESSION_SECRET is not the one with which the running server ${server} signs, so this server would refuse its sessions and views.${own} Set the same SESSION_SECRET on all servers, or list the new secret and then the old one to replace it. If that server has ended, start again in ${GONE_SECONDS} seconds.`;
}
