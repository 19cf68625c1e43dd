import type { Context } from '#server/platform/context.ts';
import { countServers } from '#server/platform/database/servers/servers.ts';
import type { Forecasts } from '../forecasts.ts';
import { createStyles } from '../fragments.ts';
import { loadZones } from '../load.ts';
import { RESERVATION_MS } from '../reservations.ts';
import type { LiveZone, Snapshot } from '../snapshot.ts';
import { findZoneIds } from '../store.ts';

/** Reads zones from the database into the snapshot. */
export type ZoneReader = ReturnType<typeof createZoneReader>;

export function createZoneReader(ctx: Context, snapshot: Snapshot, forecasts: Forecasts) {
  const styleOf = createStyles();
  let fleetSeenAt = 0;
  let lastStep: Promise<void> = Promise.resolve();

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

  return {
    countFleet,

    /** Reads these zones again. One that is not offered any more is removed. */
    replace: async (ids: readonly number[]): Promise<void> =>
      await inTurn(() => readZones(ids, (zones) => snapshot.replace(ids, zones))),

    /** Reads the zones with these public ids, because somebody asks for them. */
    readNames: async (names: readonly string[]): Promise<void> =>
      await inTurn(async () => {
        const ids = await findZoneIds(ctx.db, names);
        await readZones(ids, (zones) => snapshot.remember(names, zones));
      }),

    /** Forgets all zones without an ad, and which names are unknown. */
    forgetAsked: async (): Promise<void> => await inTurn(async () => snapshot.forgetAsked()),
  };
}
