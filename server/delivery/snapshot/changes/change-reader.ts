import { MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { findCounters } from '../../event-log/event-log.ts';
import type { Snapshot } from '../snapshot.ts';
import {
  type Changes,
  currentPosition,
  findChanges,
  FIRST_HORIZON,
  MAX_CHANGES,
  nextSoldZoneIds,
  type Position,
  forgetChanges,
} from '../store.ts';
import type { ZoneReader } from './zone-reader.ts';

/** How often changes are read, also while all zones are being read. */
export const POLL_MS = 1000;
/** The database keeps changes for an hour. After a gap longer than this, reload everything. */
const MAX_GAP_MS = 30 * MINUTE_MS;
/** Small enough that loading one chunk does not delay the requests in between. */
const ZONES_PER_CHUNK = 500;

/**
 * Reads all live ads into the snapshot, and after that what has changed. `recentlyServedAds` returns the quota ads whose
 * counters other servers may be changing.
 */
export function createChangeReader(
  ctx: Context,
  {
    snapshot,
    zones,
    recentlyServedAds,
    isStopped,
  }: { snapshot: Snapshot; zones: ZoneReader; recentlyServedAds: () => number[]; isStopped: () => boolean },
) {
  let position: Position | null = null;
  let updatedAt = 0;

  async function readAll(): Promise<void> {
    // Read the position first. What changes while the zones are loading is then read again.
    let start = await currentPosition(ctx.db);
    let checkedAt = performance.now();
    const before = snapshot.soldZoneIds();
    const present = new Set<number>();
    await zones.forgetAsked();
    for (let last = 0; ;) {
      if (isStopped()) return;
      const ids = await nextSoldZoneIds(ctx.db, last, ZONES_PER_CHUNK);
      if (ids.length === 0) break;
      await zones.replace(ids);
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
        await zones.replace(found.slice(at, at + ZONES_PER_CHUNK));
      zoneIds.push(...found);
      if (found.length < MAX_CHANGES) break;
      found = (await findChanges(ctx.db, horizon, found.at(-1)!)).zoneIds;
    }
    // Later pages see more than the first one. What they have seen is read again after this position.
    return { ...first, zoneIds };
  }

  return {
    /** Brings the snapshot up to date. Run one update at a time. */
    update: async (): Promise<void> => {
      // This clock is monotonic. A correction of the system clock must not look like a gap.
      const moment = performance.now();
      if (position === null || moment - updatedAt > MAX_GAP_MS) await readAll();
      else await readChanges(position);
      await zones.countFleet();
      updatedAt = moment;
    },
    /** Milliseconds since the snapshot was last up to date. */
    ageMs: () => performance.now() - updatedAt,
    /** Whether all live ads have been read. */
    isLoaded: () => position !== null,
  };
}

/** Part of the job that runs every minute: removes changes that every running server has read. */
export async function removeOldChanges(ctx: Context): Promise<void> {
  await forgetChanges(ctx.db);
}
