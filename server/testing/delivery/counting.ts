/** Parts of the event log that count without sharing, so that several of them meet at the same ads. */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Counted, EventLog, LoggedEvent, Uncounted } from '../../delivery/event-log/event-log.ts';
import { createCounter } from '../../delivery/event-log/counter.ts';
import { findCounters } from '../../delivery/event-log/counters.ts';
import { natsEventLog } from '../../delivery/event-log/nats/nats-event-log.ts';
import { STREAM } from '../../delivery/event-log/nats/stream.ts';
import { postgresEventLog } from '../../delivery/event-log/postgres-event-log.ts';
import { createCountingConnection } from '../../delivery/event-log/sharing/connection.ts';
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

/** Every partition of these logs belongs to each of them, so that several read the same messages. */
const ALL = new Set([0, 1, 2]);

/** An event log over NATS that shares nothing. */
export async function directNatsLog(
  server: Pick<TestServer, 'databaseUrl' | 'ctx' | 'clock'>,
  url: string,
  options: { maxWaiting?: number | undefined; onUncounted?: (ads: readonly Uncounted[]) => void } = {},
): Promise<EventLog> {
  const connection = createCountingConnection(server.databaseUrl);
  const log = natsEventLog({
    url,
    connection,
    ownership: { owned: () => ALL, ownedOn: async () => ALL, onChange: () => {} },
    counter: createCounter(),
    partitionOf: ({ zoneId }) => zoneId % ALL.size,
    now: server.clock.now,
    listener: { onCounted: () => {}, onUncounted: options.onUncounted ?? (() => {}) },
    readCounters: async (ids) => await findCounters(server.ctx.db, ids),
    log: server.ctx.log,
    ...(options.maxWaiting !== undefined && { maxWaiting: options.maxWaiting }),
  });
  await log.start();
  return {
    ...log,
    stop: async () => {
      await log.stop();
      await connection.close();
    },
  };
}

/** Whether all messages of the stream are counted. A counted message leaves the stream. */
export async function isCaughtUp(jsm: JetStreamManager): Promise<boolean> {
  return (await jsm.streams.info(STREAM)).state.messages === 0;
}
