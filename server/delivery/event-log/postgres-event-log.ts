import { createCounter } from './counter.ts';
import type { EventLog, EventLogListener } from './event-log.ts';
import { createEventQueue } from './event-queue.ts';

const MAX_PER_BATCH = 1000;
// A second would wait for the rows the first has locked, and each would carry half as many events.
const BATCHES_IN_FLIGHT = 1;
const LONGEST_WAIT_MS = 5000;

/** Counts in PostgreSQL at once: an event is durable when it is counted. */
export function postgresEventLog(options: {
  databaseUrl: string;
  now: () => Date;
  listener: Pick<EventLogListener, 'onCounted'>;
  mostWaiting?: number;
}): EventLog {
  const { now, listener, mostWaiting = 20_000 } = options;
  const counter = createCounter(options.databaseUrl, BATCHES_IN_FLIGHT);
  const queue = createEventQueue({
    send: async (events) => listener.onCounted(await counter.count(events, now())),
    mostPerBatch: MAX_PER_BATCH,
    batchesInFlight: BATCHES_IN_FLIGHT,
    mostWaiting,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  return {
    // The database has been migrated by now; there is nothing left to find out.
    start: async () => {},
    append: async (events) => await queue.append(events),
    stop: async () => {
      await queue.stop();
      await counter.close();
    },
  };
}
