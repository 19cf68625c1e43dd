import type { Parts } from './parts.ts';

const FLUSH_MS = 1000;
/** Traits are written this many times less often, because each of a zone's networks is a row. */
const FLUSHES_PER_TRAITS = 30;

/** Writes what the requests count: every second from `start` on, and whenever `flush` is called. */
export function createFlushes({
  refusedFacts,
  hourlyCounts,
  agents,
  audience,
  tagSeen,
  traits,
  zoneWatch,
  forwarding,
  eventLog,
}: Parts) {
  let started = false;
  let timer: NodeJS.Timeout | undefined;
  let turns = 0;
  let flushes = 0;
  let lastFlush = Promise.resolve();

  /** Waits for the flush before, so that all earlier figures are stored when this one ends, also those that it put back. */
  async function flush(write = flushAll): Promise<void> {
    lastFlush = lastFlush.catch(() => {}).then(write);
    await lastFlush;
  }

  async function flushAll(): Promise<void> {
    await flushFigures();
    await traits.flush();
    await flushSoon();
  }

  async function flushFigures(): Promise<void> {
    // Before the counts, so that a fault that they show finds its facts.
    const [facts] = await Promise.allSettled([refusedFacts.flush()]);
    await hourlyCounts.flush();
    await tagSeen.flush();
    // The servers queue for the rows of the audience and of agents, and no count waits for that.
    const sums = await Promise.allSettled([audience.flush(), agents.flush()]);
    // These only explain, so none keeps the counts or another from being written.
    for (const each of [facts, ...sums]) if (each.status === 'rejected') throw each.reason;
  }

  async function flushSoon(): Promise<void> {
    await zoneWatch.flush();
    await forwarding.flush();
  }

  /** Of six servers, each writes its figures every sixth time, so that all of them write as often as one alone. */
  async function flushTurn(): Promise<void> {
    turns += 1;
    if (turns % eventLog.servers() === 0) {
      flushes += 1;
      await flushFigures();
      if (flushes % FLUSHES_PER_TRAITS === 0) await traits.flush();
    }
    await flushSoon();
  }

  function flushLater(): void {
    timer = setTimeout(() => {
      // A failed flush keeps its rows for the next one.
      void flush(flushTurn)
        .catch(() => {})
        .finally(() => {
          if (started) flushLater();
        });
    }, FLUSH_MS);
  }

  return {
    flush: () => flush(),
    start: (): void => {
      started = true;
      flushLater();
    },
    stop: (): void => {
      started = false;
      clearTimeout(timer);
    },
  };
}
