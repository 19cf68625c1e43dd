import { within } from '#server/platform/net/within.ts';
import type { Snapshot } from './snapshot.ts';

/** Loading so many zones takes the serving thread 20 ms. */
const MAX_NAMES_AT_ONCE = 500;
/** A page gets its other ads when the database takes longer than this. */
const PATIENCE_MS = 1000;
const ZONE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads zones that are not in memory when they are asked for. One query at a time reads all names that wait, each of them
 * once for all who ask. The next query takes at most MAX_NAMES_AT_ONCE. Names beyond that are answered as unknown and not
 * remembered, so that a client who invents names neither fills memory nor delays the others.
 */
export function createColdZones(snapshot: Snapshot, read: (names: readonly string[]) => Promise<void>) {
  let waiting = new Set<string>();
  let reading: ReadonlySet<string> = new Set();
  let readingSince = Infinity;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function readWaiting(): Promise<void> {
    await running;
    running = next;
    next = null;
    reading = waiting;
    waiting = new Set();
    readingSince = performance.now();
    // Reading changes logs that the database is away. Whoever asks again later causes another attempt.
    await read([...reading]).catch(() => {});
    reading = new Set();
    readingSince = Infinity;
  }

  function readOf(name: string): Promise<void> | null {
    if (reading.has(name)) return running;
    if (!waiting.has(name)) {
      if (waiting.size >= MAX_NAMES_AT_ONCE) return null;
      waiting.add(name);
    }
    return (next ??= readWaiting());
  }

  return {
    /**
     * Null if memory has all that is known of the zones that these names ask for. Otherwise resolves when it has, or
     * after a second without an answer of the database. Never rejects.
     */
    untilRead: (asked: readonly string[]): Promise<void> | null => {
      let reads: Promise<void>[] | null = null;
      for (const each of asked) {
        if (snapshot.zone(each)) continue;
        const name = zoneNameIn(each);
        if (name === null || snapshot.zone(name) || snapshot.isUnknown(name)) continue;
        // Nobody waits for a database that hangs.
        if (performance.now() - readingSince > PATIENCE_MS) return null;
        const read = readOf(name);
        if (read) (reads ??= []).push(read);
      }
      return reads && within(PATIENCE_MS, Promise.all(reads).then(ignore), undefined);
    },
  };
}
export type ColdZones = ReturnType<typeof createColdZones>;

/** The public id of the zone, which may be followed by the mark of a test or by the proof of a frame; null if there is none. */
function zoneNameIn(asked: string): string | null {
  if (asked.length !== 36 && asked[36] !== '~') return null;
  const name = asked.slice(0, 36).toLowerCase();
  return ZONE_NAME.test(name) ? name : null;
}

function ignore(): void {}
