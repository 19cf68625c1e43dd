/** 'Test my zone' for ad zones of a cell: the marketplace says what is watched, and gets what the cell has seen of it. */
import type { Tx } from '#server/db/database.ts';
import { addSightings, firstSightings, keepZoneWatches, removeSightings, type Sighting } from './store.ts';

/** Watches in a cell what is watched in its marketplace. */
export async function followWatches(
  tx: Tx,
  watched: readonly { zoneId: number; until: string }[],
): Promise<void> {
  if (watched.length === 0) return;
  await keepZoneWatches(
    tx,
    watched.map(({ zoneId, until }) => ({ zoneId, until: new Date(until) })),
  );
}

/** The oldest sightings of a cell, and what to call when its marketplace has them. */
export async function sightingsToSend(
  tx: Tx,
  limit: number,
): Promise<{ sightings: Sighting[]; sent: () => Promise<void> }> {
  const rows = await firstSightings(tx, limit);
  return {
    sightings: rows.map(({ id: _id, ...sighting }) => sighting),
    sent: async () => {
      if (rows.length === 0) return;
      await removeSightings(
        tx,
        rows.map(({ id }) => id),
      );
    },
  };
}

/** Stores in the marketplace what a cell has sent. The caller has checked that the zones are those of the cell. */
export async function takeSightings(tx: Tx, sightings: readonly Sighting[]): Promise<void> {
  if (sightings.length > 0) await addSightings(tx, sightings);
}
