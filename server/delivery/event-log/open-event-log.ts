import type { Context } from '#server/context.ts';
import { installationId } from '#server/db/installation.ts';
import { findCounters } from './counters.ts';
import { createCounter } from './counter.ts';
import { type EventLog, EventLogAway, type EventLogListener } from './event-log.ts';
import type { NatsEventLog } from './nats/nats-event-log.ts';
import { postgresEventLog } from './postgres-event-log.ts';
import { createCountingConnection } from './sharing/connection.ts';
import { countHanded } from './sharing/count-handed.ts';
import { createOwnership, type Ownership } from './sharing/ownership.ts';
import { createPartitionOf } from './sharing/partition-of.ts';
import { settlePartitions } from './sharing/stored-partitions.ts';
import type { Tally } from './tally.ts';

/** The event log, and how many partitions this server owns. */
export type SharedEventLog = EventLog & { partitionsOwned: () => number; servers: Ownership['servers'] };

/**
 * The event log at EVENT_LOG_URL, or PostgreSQL if that is not set. It counts the events of its own partitions.
 * `publisherOf` returns undefined for an ad zone that it does not know.
 */
export function createEventLog(
  ctx: Context,
  options: {
    databaseUrl: string;
    listener: EventLogListener;
    tally: Tally;
    publisherOf: (zoneId: number) => number | undefined;
  },
): SharedEventLog {
  const { db, now, clockAheadMs, log } = ctx;
  const { listener, tally } = options;
  const { eventLogUrl: url, eventLogMonitorUrls: monitorUrls, eventPartitions, production } = ctx.config;
  const connection = createCountingConnection(options.databaseUrl);
  const ownership = createOwnership(connection, eventPartitions, log);
  const counter = createCounter({ ceilings: ctx.config.trafficRules === 'production', tally });
  const partitionOf = createPartitionOf(eventPartitions, options.publisherOf);
  const parts = { db, connection, ownership, counter, partitionOf, now, clockAheadMs, listener, log };
  let eventLog: EventLog | undefined;
  let counting: ReturnType<typeof countHanded> | undefined;

  async function open(): Promise<EventLog & Partial<NatsEventLog>> {
    if (url === undefined) return postgresEventLog(parts);
    // Loads the client of NATS with its first use, because most servers and commands do without it.
    const { natsEventLog } = await import('./nats/nats-event-log.ts');
    return natsEventLog({
      ...parts,
      url,
      bytes: ctx.config.eventLogBytes,
      condition: { installation: await installationId(db), monitorUrls, production },
      readCounters: async (adIds) => await findCounters(db, adIds),
    });
  }

  return {
    start: async () => {
      const opened = await open();
      eventLog = opened;
      await ownership.start(
        async (client) =>
          await settlePartitions(
            client,
            eventPartitions,
            async () => (await opened.hasUncounted?.()) ?? false,
          ),
      );
      await opened.start();
      // Also with NATS: a server that had none may have handed events over.
      counting = countHanded(parts);
    },
    append: async (events) => {
      if (!eventLog) throw new EventLogAway();
      await eventLog.append(events);
    },
    backlog: () => eventLog?.backlog() ?? { waiting: 0, waitingMs: 0, uncountedMs: 0 },
    condition: () => eventLog?.condition() ?? { problem: null, unsynced: url !== undefined },
    partitionsOwned: () => ownership.owned().size,
    servers: ownership.servers,
    stop: async () => {
      await eventLog?.stop();
      await counting?.stop();
      await ownership.stop();
      await connection.close();
    },
  };
}
