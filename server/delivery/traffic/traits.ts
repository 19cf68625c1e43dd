import { hash } from 'node:crypto';
import type http from 'node:http';
import { DAY_MS, hourOf } from '#domain/time.ts';
import type { Database } from '#server/db/database.ts';
import { networkOf } from './client-address.ts';
import { addTraits, type TraitKey } from './store.ts';

/** Drop new rows above this size, so that invented visitors cannot exhaust memory. */
const MAX_ROWS = 100_000;
const NETWORK_BUCKETS = 65_536;
const BROWSER_BUCKETS = 4096;
/** The hash key changes with this period. The comparison with the day before pauses at the change. */
const KEY_MS = 7 * DAY_MS;

/**
 * Counts how the counted events of a zone spread over networks, browsers and delays, and how often its tag was loaded, for
 * the hourly comparison (server/invalid-traffic). A network is one of 65,536 buckets of a keyed hash, a browser one of
 * 4,096. So a row names neither: about 250 IPv4 networks share a bucket. All instances use the same key, so that their
 * rows add up. Rows are written in batches; a crash loses the last one. [SIVT-06]
 */
export function createTraits(db: Database, secret: string) {
  let rows = new Map<string, TraitKey & { n: number }>();
  let period = -1;
  let key = '';

  function bucketOf(text: string, buckets: number): number {
    return Number.parseInt(hash('sha256', key + text).slice(0, 8), 16) % buckets;
  }

  function add(row: TraitKey, n = 1): void {
    const name = `${row.hourMs}|${row.zoneId}|${row.trait}|${row.bucket}`;
    const known = rows.get(name);
    if (known) known.n += n;
    else if (rows.size < MAX_ROWS) rows.set(name, { ...row, n });
  }

  function useKeyOf(nowMs: number): void {
    const current = Math.floor(nowMs / KEY_MS);
    if (current === period) return;
    period = current;
    key = hash('sha256', `traits|${secret}|${current}`);
  }

  return {
    /** Notes a counted view or click. `delayMs` is the time of a view beyond the time that a view takes. */
    event(
      zoneId: number,
      address: string,
      headers: http.IncomingHttpHeaders,
      delayMs: number | null,
      nowMs: number,
    ): void {
      useKeyOf(nowMs);
      const of = { hourMs: hourOf(nowMs), zoneId };
      add({ ...of, trait: 'network', bucket: bucketOf(networkOf(address), NETWORK_BUCKETS) });
      const browser = `${headers['user-agent']}|${headers['accept-language']}|${String(headers['sec-ch-ua'])}`;
      add({ ...of, trait: 'browser', bucket: bucketOf(browser, BROWSER_BUCKETS) });
      if (delayMs !== null)
        add({ ...of, trait: 'delay', bucket: Math.round(2 * Math.log2(Math.max(1, delayMs))) });
    },
    /** Notes that a page loaded the tag, or the document of a frame or player, which does without the tag. */
    tagLoaded(zoneId: number, nowMs: number): void {
      add({ hourMs: hourOf(nowMs), zoneId, trait: 'tag', bucket: 0 });
    },
    flush: async (): Promise<void> => {
      if (rows.size === 0) return;
      const flushed = rows;
      rows = new Map();
      try {
        await addTraits(db, [...flushed.values()]);
      } catch (error) {
        for (const { n, ...row } of flushed.values()) add(row, n);
        throw error;
      }
    },
  };
}
export type Traits = ReturnType<typeof createTraits>;
