import type { Database } from '#server/platform/database/database.ts';
import { addToHours, type HourlyCountKey } from './store.ts';

/** Drop new keys above this size, so that requests with invented ids cannot exhaust memory. */
const MAX_ROWS = 200_000;

/** A row of the hourly figures. Callers may add to `n` until the row is `written`. */
export type HourlyCount = HourlyCountKey & { n: number; written: boolean };

/**
 * Collects figures that are not billed: decisions, and events that were rejected before they reached the event log. It
 * keeps them in memory and writes them in batches, so a crash loses the last batch.
 */
export function createHourlyCounts(db: Database) {
  let rows = new Map<string, HourlyCount>();

  /** Returns the row, so that a caller can add to it again without a lookup; undefined if the row was dropped. */
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
      const flushed = rows;
      rows = new Map();
      for (const row of flushed.values()) row.written = true;
      try {
        await addToHours(db, [...flushed.values()]);
      } catch (error) {
        for (const { n, written: _, ...key } of flushed.values()) add(key, n);
        throw error;
      }
    },
  };
}
export type HourlyCounts = ReturnType<typeof createHourlyCounts>;
