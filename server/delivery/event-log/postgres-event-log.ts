import { createCounter } from './counter.ts';
import type { EventLog, EventLogListener } from './event-log.ts';
import { createEventQueue } from './event-queue.ts';
import type { Tally } from './tally.ts';

const MAX_PER_BATCH = 1000;
// A second batch at once would wait for the rows that the first has locked, and each would hold half as many events.
const BATCHES_IN_FLIGHT = 1;
const MAX_WAIT_MS = 5000;

/** Counts events in PostgreSQL right away. An event is durable once it is counted. */
export function postgresEventLog(options: {
  databaseUrl: string;
  now: () => Date;
  listener: Pick<EventLogListener, 'onCounted'>;
  maxWaiting?: number;
  tally?: Tally;
  ceilings?: boolean;
}): EventLog {
  const { now, listener, maxWaiting = 20_000 } = options;
  const counter = createCounter(options.databaseUrl, BATCHES_IN_FLIGHT, options.ceilings, options.tally);
  const queue = createEventQueue({
    send: async (events) => listener.onCounted(await counter.count(events, now())),
    maxPerBatch: MAX_PER_BATCH,
    batchesInFlight: BATCHES_IN_FLIGHT,
    maxWaiting,
    maxWaitMs: MAX_WAIT_MS,
  });
  return {
    // The database is migrated before this runs, so there is nothing left to check.
    start: async () => {},
    append: async (events) => await queue.append(events),
    // An event is counted before it is acknowledged.
    backlog: () => ({ ...queue.backlog(), uncountedMs: 0 }),
    stop: async () => {
      await queue.stop();
      await counter.close();
    },
  };
}
