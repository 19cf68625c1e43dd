/** Parts of the event log that count without sharing, so that several of them meet at the same ads. */
import type { Counted, EventLog, LoggedEvent } from '#server/delivery/event-log/event-log.ts';
import { createCounter } from '#server/delivery/event-log/counter.ts';
import { postgresEventLog } from '#server/delivery/event-log/postgres-event-log.ts';
import { createCountingConnection } from '#server/delivery/event-log/sharing/connection.ts';
import type { TestServer } from '../server.ts';

/** Calls the counting statement on a connection of its own. */
export type DirectCounter = {
  count: (events: LoggedEvent[], receivedAt: Date) => Promise<Counted[]>;
  close: () => Promise<void>;
};

export function openCounter(databaseUrl: string, options: { ceilings?: boolean } = {}): DirectCounter {
  const connection = createCountingConnection(databaseUrl);
  const counter = createCounter(options);
  return {
    count: async (events, receivedAt) =>
      await connection.run(async (client) => await counter.count(client, events, receivedAt)),
    close: connection.close,
  };
}

/** An event log that counts all events itself, like a server of a release that did not share the counting. */
export function directLog(
  server: Pick<TestServer, 'databaseUrl' | 'ctx' | 'clock'>,
  maxWaiting?: number,
): EventLog {
  const connection = createCountingConnection(server.databaseUrl);
  const log = postgresEventLog({
    db: server.ctx.db,
    connection,
    ownership: { ownedOn: async () => new Set([0]) },
    counter: createCounter(),
    partitionOf: () => 0,
    now: server.clock.now,
    clockAheadMs: () => 0,
    listener: { onCounted: () => {}, onUncounted: () => {} },
    ...(maxWaiting !== undefined && { maxWaiting }),
  });
  return {
    ...log,
    stop: async () => {
      await log.stop();
      await connection.close();
    },
  };
}
