import type { Context } from '#server/platform/context.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { findCounters, type EventLog, EventLogAway, type EventLogListener } from './event-log.ts';
import { createCounter } from './counter.ts';
import { chosenEventLog } from './extension.ts';
import { postgresEventLog } from './postgres-event-log.ts';
import { createCountingConnection } from './sharing/connection.ts';
import { countHanded } from './sharing/count-handed.ts';
import { createOwnership, type Ownership, createPartitionOf } from './sharing/ownership.ts';
import { settlePartitions } from './sharing/stored-partitions.ts';
import type { Tally } from './tally.ts';

/** The event log, and how many partitions this server owns. */
export type SharedEventLog = EventLog & { partitionsOwned: () => number; servers: Ownership['servers'] };

/**
 * The event log of an extension that the settings choose, else PostgreSQL. It counts the events of its own partitions.
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
  const { config } = ctx;
  const { eventPartitions } = config;
  const connection = createCountingConnection(options.databaseUrl);
  const ownership = createOwnership(connection, eventPartitions, log);
  const counter = createCounter({ ceilings: config.trafficRules === 'production', tally });
  const partitionOf = createPartitionOf(eventPartitions, options.publisherOf);
  const parts = { db, connection, ownership, counter, partitionOf, now, clockAheadMs, listener, log };
  let eventLog: EventLog | undefined;
  let counting: ReturnType<typeof countHanded> | undefined;

  async function open(): Promise<EventLog & { hasUncounted?: () => Promise<boolean> }> {
    const extension = await chosenEventLog(config);
    if (!extension) return postgresEventLog(parts);
    const readCounters = async (adIds: readonly number[]) => await findCounters(db, adIds);
    return extension.open({ config, installation: await installationId(db) }, { ...parts, readCounters });
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
      // Also with an extension: a server without it may have handed events over.
      counting = countHanded(parts);
    },
    append: async (events) => {
      if (!eventLog) throw new EventLogAway();
      await eventLog.append(events);
    },
    backlog: () => eventLog?.backlog() ?? { waiting: 0, waitingMs: 0, uncountedMs: 0 },
    condition: () => eventLog?.condition() ?? { problem: null, unsynced: false },
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
