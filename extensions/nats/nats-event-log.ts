import { EventLogAway, EventLogFull, type LoggedEvent } from '../../server/delivery/event-log/event-log.ts';
import { createEventQueue } from '../../server/delivery/event-log/event-queue.ts';
import type { EventLogExtension, EventLogParts } from '../../server/delivery/event-log/extension.ts';
import {
  createUncounted,
  type Progress,
  releaseCounted,
} from '../../server/delivery/event-log/sharing/uncounted.ts';
import { applyMessages } from './apply.ts';
import { createChecks } from './checks.ts';
import type { createCondition } from './condition.ts';
import { createNatsConnection } from './connection.ts';
import { createSetAside, publishEvents } from './publish.ts';
import { readPartitions } from './read-partitions.ts';
import { findProgress, hasMessages, type OpenStream } from './stream.ts';

const MAX_PER_BATCH = 250;
const BATCHES_IN_FLIGHT = 8;
const MAX_WAIT_MS = 5000;

type Options = EventLogParts & {
  url: string;
  maxWaiting?: number;
  /** EVENT_LOG_BYTES. */
  bytes?: number | undefined;
  /** If absent, the stream gets no owner, and nothing is asked about it. */
  condition?: Parameters<typeof createCondition>[0];
};

/**
 * Stores events in a JetStream stream, by their partition, and counts those of its own partitions from there. An event is
 * durable once the stream has acknowledged it. A message is removed only after it was counted with count_events, as
 * without NATS, so that it is counted even if any server is killed. See docs/decisions/011-events-through-nats.md.
 */
export function natsEventLog(options: Options): ReturnType<EventLogExtension['open']> {
  const { now, listener, log, partitionOf, maxWaiting = 20_000 } = options;
  const streamOptions = { installation: options.condition?.installation, bytes: options.bytes };
  const nats = createNatsConnection(options.url, streamOptions, log);
  const checks = createChecks(nats, options.condition, log);
  const uncounted = createUncounted();
  const queue = createEventQueue({
    send,
    maxPerBatch: MAX_PER_BATCH,
    batchesInFlight: BATCHES_IN_FLIGHT,
    maxWaiting,
    maxWaitMs: MAX_WAIT_MS,
  });
  /** The parts that run from the start on, in the order in which they stop. */
  let running: { stop: () => void | Promise<void> }[] = [];

  async function send(events: LoggedEvent[]): Promise<void> {
    const times = { receivedAtMs: now().getTime(), clockAheadMs: options.clockAheadMs() };
    const sequences = await publishEvents(await nats.open(), events, { partitionOf, ...times });
    listener.onUncounted(uncounted.add(sequences, events));
  }

  /** Counts what is in the stream, and finds out what the owners of the other partitions have counted. */
  function startCounting(stream: OpenStream): void {
    const { connection, ownership, counter, readCounters } = options;
    const reading = readPartitions(stream, { ownership, streamOptions, log });
    // NATS may have lost what its consumers know.
    void nats.follow(stream, reading.renew);
    const setAside = createSetAside(stream, log);
    const { onCounted } = listener;
    const applying = applyMessages(
      { connection, ownership, counter, onCounted, setAside, log },
      reading.take,
    );
    const progressOf = async (partitions: readonly number[]): Promise<Progress | null> =>
      nats.reachable() ? await findProgress(stream, partitions) : null;
    const releasing = releaseCounted({ uncounted, listener, findProgress: progressOf, readCounters });
    running = [releasing, checks, reading, { stop: async () => await applying }];
  }

  return {
    start: async () => {
      const stream = await nats.connect();
      running = [checks];
      await checks.start();
      startCounting(stream);
    },
    hasUncounted: async () => await hasMessages(await nats.open()),
    append: async (events) => {
      // Reject here while disconnected, because the NATS client would buffer events without limit.
      if (!nats.reachable()) throw new EventLogAway();
      if (checks.isFull()) throw new EventLogFull();
      await queue.append(events);
    },
    backlog: () => ({ ...queue.backlog(), uncountedMs: uncounted.oldestMs() }),
    condition: checks.condition,
    stop: async () => {
      await queue.stop();
      nats.expectEnd();
      for (const each of running) await each.stop();
      await nats.close();
    },
  };
}
