import type { Database } from '#server/platform/database/database.ts';
import type { Counter } from './counter.ts';
import {
  findCounters,
  type Counted,
  type EventLog,
  type EventLogListener,
  type LoggedEvent,
} from './event-log.ts';
import { createEventQueue } from './event-queue.ts';
import type { CountingClient, CountingConnection } from './sharing/connection.ts';
import { firstHanded, handOver } from './sharing/handed-over.ts';
import { encode } from './sharing/message.ts';
import type { Ownership, PartitionOf } from './sharing/ownership.ts';
import { createUncounted, type Progress, releaseCounted } from './sharing/uncounted.ts';

const MAX_PER_BATCH = 1000;
// A second batch at once would wait for the rows that the first has locked, and each would hold half as many events.
const BATCHES_IN_FLIGHT = 1;
const MAX_WAIT_MS = 5000;

/**
 * Counts the events of this server's own partitions in PostgreSQL right away, and hands the others to their owners in the
 * same transaction. An event is durable once it is counted or handed over.
 */
export function postgresEventLog(options: {
  db: Database;
  connection: CountingConnection;
  ownership: Pick<Ownership, 'ownedOn'>;
  counter: Counter;
  partitionOf: PartitionOf;
  now: () => Date;
  clockAheadMs: () => number;
  listener: EventLogListener;
  maxWaiting?: number;
}): EventLog {
  const { db, connection, ownership, counter, partitionOf, now, listener, maxWaiting = 20_000 } = options;
  const uncounted = createUncounted();
  const queue = createEventQueue({
    send: async (events) => await connection.run(async (client) => await store(client, events)),
    maxPerBatch: MAX_PER_BATCH,
    batchesInFlight: BATCHES_IN_FLIGHT,
    maxWaiting,
    maxWaitMs: MAX_WAIT_MS,
  });
  let releasing: ReturnType<typeof releaseCounted> | undefined;

  async function store(client: CountingClient, events: LoggedEvent[]): Promise<void> {
    const owned = await ownership.ownedOn(client);
    const own = events.filter((event) => owned.has(partitionOf(event)));
    const others = events.filter((event) => !owned.has(partitionOf(event)));
    if (others.length === 0) return listener.onCounted(await counter.count(client, own, now()));
    const receivedAtMs = now().getTime();
    const messages = new Map<number, string>();
    for (const [partition, each] of Map.groupBy(others, partitionOf))
      messages.set(partition, encode({ receivedAtMs, clockAheadMs: options.clockAheadMs(), events: each }));
    let rows: { partition: number; id: number }[] = [];
    const hand = async () => void (rows = await handOver(client, messages));
    let counted: Counted[] = [];
    if (own.length > 0) counted = await counter.count(client, own, now(), hand);
    else await hand();
    listener.onCounted(counted);
    listener.onUncounted(uncounted.add(new Map(rows.map(({ partition, id }) => [partition, id])), others));
  }

  async function findProgress(partitions: readonly number[]): Promise<Progress> {
    const first = await firstHanded(db, partitions);
    return new Map(partitions.map((partition) => [partition, (first.get(partition) ?? Infinity) - 1]));
  }

  return {
    start: async () => {
      releasing = releaseCounted({
        uncounted,
        listener,
        findProgress,
        readCounters: async (adIds) => await findCounters(db, adIds),
      });
    },
    append: async (events) => await queue.append(events),
    backlog: () => ({ ...queue.backlog(), uncountedMs: uncounted.oldestMs() }),
    condition: () => ({ problem: null, unsynced: false }),
    stop: async () => {
      await queue.stop();
      releasing?.stop();
    },
  };
}
