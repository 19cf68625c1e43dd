import type { Database } from '#server/db/database.ts';
import { addToHours, type HourlyCountKey } from './store.ts';

/** Beyond this many kinds of rows a new one is let go: callers who invent must not fill the memory. */
const MAX_ROWS = 200_000;

/** One row of the hours' figures, to be counted in until it is on its way to the database. */
export type HourlyCount = HourlyCountKey & { n: number; written: boolean };

/**
 * Figures that nobody pays for: decisions, and events refused before they were worth a row. Kept in memory and
 * written in batches; a crash loses the last of them.
 */
export function createHourlyCounts(db: Database) {
  let rows = new Map<string, HourlyCount>();

  /** Returns the row, so that who counts the same thing again need not look for it; undefined where it was let go. */
  function add(key: HourlyCountKey, n = 1): HourlyCount | undefined {
    const name = `${key.hourMs}|${key.adId}|${key.zoneId}|${key.kind}|${key.reason}`;
    let row = rows.get(name);
    if (row) row.n += n;
    else if (rows.size < MAX_ROWS) rows.set(name, (row = { ...key, n, written: false }));
    return row;
  }

  return {
    add,
    flush: async (): Promise<void> => {
      if (rows.size === 0) return;
      const going = rows;
      rows = new Map();
      for (const row of going.values()) row.written = true;
      try {
        await addToHours(db, [...going.values()]);
      } catch (error) {
        for (const { n, written: _, ...key } of going.values()) add(key, n);
        throw error;
      }
    },
  };
}
export type HourlyCounts = ReturnType<typeof createHourlyCounts>;
