import type { JetStreamManager } from '@nats-io/jetstream';
import { createCounter } from '../../../server/delivery/event-log/counter.ts';
import { findCounters, type EventLog, type Uncounted } from '../../../server/delivery/event-log/event-log.ts';
import { createCountingConnection } from '../../../server/delivery/event-log/sharing/connection.ts';
import type { Context } from '../../../server/platform/context.ts';
import { natsEventLog } from '../nats-event-log.ts';
import { STREAM } from '../stream.ts';

/** Every partition of these logs belongs to each of them, so that several read the same messages. */
const ALL = new Set([0, 1, 2]);

/** An event log over NATS that shares nothing. */
export async function directNatsLog(
  server: { databaseUrl: string; ctx: Pick<Context, 'db' | 'log'>; clock: { now: () => Date } },
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
    clockAheadMs: () => 0,
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
