import type { Database } from '../db/database.ts';
import { addToHours, type TallyKey } from './store.ts';

/** Beyond this many kinds of rows a new one is let go: callers who invent must not fill the memory. */
const MOST_ROWS = 200_000;

/**
 * Figures that nobody pays for: decisions, and events refused before they were worth a row. Kept in memory and
 * written in batches; a crash loses the last of them.
 */
export function createTally(db: Database) {
  let rows = new Map<string, TallyKey & { n: number }>();

  function add(key: TallyKey, n = 1): void {
    const name = `${key.hourMs}|${key.adId}|${key.zoneId}|${key.kind}|${key.reason}`;
    const row = rows.get(name);
    if (row) row.n += n;
    else if (rows.size < MOST_ROWS) rows.set(name, { ...key, n });
  }

  return {
    add,
    flush: async (): Promise<void> => {
      if (rows.size === 0) return;
      const going = rows;
      rows = new Map();
      try {
        await addToHours(db, [...going.values()]);
      } catch (error) {
        for (const { n, ...key } of going.values()) add(key, n);
        throw error;
      }
    },
  };
}
export type Tally = ReturnType<typeof createTally>;
