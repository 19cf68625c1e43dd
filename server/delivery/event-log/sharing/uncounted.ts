import {
  type Counted,
  type EventLogListener,
  isLandingEvent,
  type LoggedEvent,
  type Uncounted,
} from '../event-log.ts';

type Numbers = { views: number; clicks: number };
/** `sequences`: by partition, the place of the last of its messages. */
type Entry = { sequences: Map<number, number>; order: number; since: number; ads: Map<number, Numbers> };

/** By partition: up to which place all messages are counted. Infinity: all that there were. */
export type Progress = ReadonlyMap<number, number>;

/** Above this number, neighboring entries are merged. They are released a little later, and memory stays bounded. */
const MAX_ENTRIES = 512;

/**
 * Counts, for each ad, the events that this server has acknowledged and the owners of their partitions have not counted
 * yet. A reservation expires after a minute, but an acknowledged view stays here until the counters include it.
 */
export function createUncounted() {
  let entries: Entry[] = [];
  let lastOrder = 0;
  const totals = new Map<number, Numbers>();

  const total = (adId: number): Uncounted => ({ adId, ...(totals.get(adId) ?? { views: 0, clicks: 0 }) });

  function merge(): void {
    const merged: Entry[] = [];
    for (let at = 0; at < entries.length; at += 2) {
      const [first, second] = entries.slice(at, at + 2) as [Entry, Entry?];
      for (const [adId, numbers] of second?.ads ?? []) addTo(first.ads, adId, numbers, 1);
      for (const [partition, sequence] of second?.sequences ?? [])
        first.sequences.set(partition, Math.max(first.sequences.get(partition) ?? 0, sequence));
      merged.push({ ...first, order: second?.order ?? first.order });
    }
    entries = merged;
  }

  return {
    /** Notes events that were acknowledged together, in a message for each partition. Returns the totals that changed. */
    add(sequences: ReadonlyMap<number, number>, events: readonly LoggedEvent[]): Uncounted[] {
      const ads = new Map<number, Numbers>();
      for (const event of events) {
        if (isLandingEvent(event) || event.reason !== null || event.kind === 'rendered') continue;
        const { adId, kind } = event;
        const one = kind === 'view' ? { views: 1, clicks: 0 } : { views: 0, clicks: 1 };
        addTo(ads, adId, one, 1);
        addTo(totals, adId, one, 1);
      }
      if (ads.size === 0) return [];
      entries.push({ sequences: new Map(sequences), order: ++lastOrder, since: performance.now(), ads });
      if (entries.length > MAX_ENTRIES) merge();
      return [...ads.keys()].map(total);
    },
    /** How long the oldest entry has been waiting, in milliseconds. */
    oldestMs: (): number => (entries[0] ? performance.now() - entries[0].since : 0),
    empty: (): boolean => entries.length === 0,
    /** A mark after all entries so far, for `due`. */
    mark: (): number => lastOrder,
    /** The partitions with entries. */
    partitions: (): number[] => [...new Set(entries.flatMap((entry) => [...entry.sequences.keys()]))],
    /** The entries to release: those that are counted, of those up to a mark that was made before `progress` was read. */
    due(progress: Progress, mark: number): { ads: number[]; release: () => Uncounted[] } {
      const isCounted = ([partition, sequence]: [number, number]) =>
        sequence <= (progress.get(partition) ?? -1);
      const dueEntries = entries.filter(
        (entry) => entry.order <= mark && [...entry.sequences].every(isCounted),
      );
      const ads = [...new Set(dueEntries.flatMap((entry) => [...entry.ads.keys()]))];
      return {
        ads,
        release: () => {
          entries = entries.filter((entry) => !dueEntries.includes(entry));
          for (const { ads: numbers } of dueEntries) {
            for (const [adId, each] of numbers) addTo(totals, adId, each, -1);
          }
          const changed = ads.map(total);
          for (const { adId, views, clicks } of changed) if (views + clicks === 0) totals.delete(adId);
          return changed;
        },
      };
    },
  };
}

function addTo(map: Map<number, Numbers>, adId: number, numbers: Numbers, sign: 1 | -1): void {
  const known = map.get(adId);
  if (known) {
    known.views += sign * numbers.views;
    known.clicks += sign * numbers.clicks;
  } else map.set(adId, { ...numbers });
}

const CHECK_MS = 500;

/**
 * Twice a second, reads how far the owners of the partitions have counted, and releases the uncounted events up to there.
 * If the database or stream is unavailable, the events stay uncounted until the next check.
 */
export function releaseCounted(options: {
  uncounted: ReturnType<typeof createUncounted>;
  listener: EventLogListener;
  /** Null: it is not known now. */
  findProgress: (partitions: readonly number[]) => Promise<Progress | null>;
  /** Reads the committed counters. */
  readCounters: (adIds: readonly number[]) => Promise<Counted[]>;
}): { stop: () => void } {
  const { uncounted, listener, findProgress, readCounters } = options;
  let stopped = false;
  let timer: NodeJS.Timeout;

  async function release(): Promise<void> {
    if (uncounted.empty()) return;
    const mark = uncounted.mark();
    const progress = await findProgress(uncounted.partitions());
    if (progress === null) return;
    const due = uncounted.due(progress, mark);
    if (due.ads.length === 0) return;
    // Update the counters first, so that no event is ever missing from both numbers.
    listener.onCounted(await readCounters(due.ads));
    listener.onUncounted(due.release());
  }

  function schedule(): void {
    timer = setTimeout(() => {
      void release()
        .catch(() => {})
        .finally(() => {
          if (!stopped) schedule();
        });
    }, CHECK_MS);
  }

  schedule();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
