import { setTimeout as pause } from 'node:timers/promises';
import type { JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { FastifyBaseLogger } from 'fastify';
import type { Counter } from '../counter.ts';
import {
  type Condition,
  type Counted,
  type EventLog,
  EventLogAway,
  EventLogFull,
  type EventLogListener,
  EventLogUnusable,
  type LoggedEvent,
} from '../event-log.ts';
import { createEventQueue } from '../event-queue.ts';
import type { CountingConnection } from '../sharing/connection.ts';
import { encode } from '../sharing/message.ts';
import type { Ownership } from '../sharing/ownership.ts';
import type { PartitionOf } from '../sharing/partition-of.ts';
import { createUncounted, type Progress, releaseCounted } from '../sharing/uncounted.ts';
import { applyMessages } from './apply.ts';
import { createCondition } from './condition.ts';
import { readPartitions } from './read-partitions.ts';
import { ASIDE_SUBJECT, consumerOf, openStream, STREAM, subjectOf } from './stream.ts';

const MAX_PER_BATCH = 250;
const BATCHES_IN_FLIGHT = 8;
const MAX_WAIT_MS = 5000;
const ACK_DEADLINE_MS = 5000;
const CONDITION_MS = 5000;
const ROOM_CHECK_MS = 500;
/** The part of the stream that stays free. */
const RESERVE = 1 / 16;

/** The event log, and whether its stream has events that are not counted yet. */
export type NatsEventLog = EventLog & { hasUncounted: () => Promise<boolean> };

/**
 * Stores events in a JetStream stream, by their partition, and counts those of its own partitions from there. An event is
 * durable once the stream has acknowledged it. A message is removed only after it was counted with count_events, as
 * without NATS, so that it is counted even if any server is killed. See docs/decisions/011-events-through-nats.md.
 */
export function natsEventLog(options: {
  url: string;
  connection: CountingConnection;
  ownership: Pick<Ownership, 'owned' | 'ownedOn' | 'onChange'>;
  counter: Counter;
  partitionOf: PartitionOf;
  now: () => Date;
  clockAheadMs?: () => number;
  listener: EventLogListener;
  /** Reads the committed counters. */
  readCounters: (adIds: readonly number[]) => Promise<Counted[]>;
  log: FastifyBaseLogger;
  maxWaiting?: number;
  /** EVENT_LOG_BYTES. */
  bytes?: number | undefined;
  /** If absent, the stream gets no owner, and nothing is asked about it. */
  condition?: Parameters<typeof createCondition>[0];
}): NatsEventLog {
  const { now, listener, log, partitionOf, maxWaiting = 20_000 } = options;
  const uncounted = createUncounted();
  const queue = createEventQueue({
    send,
    maxPerBatch: MAX_PER_BATCH,
    batchesInFlight: BATCHES_IN_FLIGHT,
    maxWaiting,
    maxWaitMs: MAX_WAIT_MS,
  });
  const streamOptions = { installation: options.condition?.installation, bytes: options.bytes };
  const askCondition = options.condition && createCondition(options.condition);
  let condition: Condition = { problem: null, unsynced: true };
  let conditionTimer: NodeJS.Timeout | undefined;
  let isFull = false;
  let roomTimer: NodeJS.Timeout | undefined;
  let stream: { connection: NatsConnection; jsm: JetStreamManager } | null = null;
  let connected = false;
  let stopping = false;
  let reading: ReturnType<typeof readPartitions> | undefined;
  let releasing: ReturnType<typeof releaseCounted> | undefined;
  let applying: Promise<void> = Promise.resolve();
  let setAsideCount = 0;

  async function send(events: LoggedEvent[]): Promise<void> {
    const js = (stream as NonNullable<typeof stream>).jsm.jetstream();
    const receivedAtMs = now().getTime();
    const publish = async ([partition, each]: [number, LoggedEvent[]]): Promise<[number, number]> => {
      const message = encode({ receivedAtMs, clockAheadMs: options.clockAheadMs?.(), events: each });
      const { seq } = await js.publish(subjectOf(partition), message, { timeout: ACK_DEADLINE_MS });
      return [partition, seq];
    };
    const sequences = await Promise.all([...Map.groupBy(events, partitionOf)].map(publish));
    listener.onUncounted(uncounted.add(new Map(sequences), events));
  }

  async function monitorConnection(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        connected = false;
        if (!stopping) log.error('the event log is unavailable; views get 503 until it is back');
      } else if (type === 'reconnect') {
        connected = true;
        log.warn('the event log is available again');
        // It may have lost what its consumers know.
        reading?.renew();
      }
    }
  }

  async function setAside(message: JsMsg, why: string): Promise<void> {
    try {
      const { connection, jsm } = stream as NonNullable<typeof stream>;
      if (connection.isClosed()) throw new EventLogAway();
      await jsm.jetstream().publish(ASIDE_SUBJECT, message.data, { timeout: ACK_DEADLINE_MS });
      message.term();
      setAsideCount += 1;
      log.error(
        { why, sequence: message.seq, setAside: setAsideCount },
        'a message in the event log is not a valid event; it was moved to OPENSLOT_ASIDE',
      );
    } catch (error) {
      log.error(
        { err: error, why, sequence: message.seq },
        'an invalid message could not be moved to OPENSLOT_ASIDE; trying again later',
      );
      message.nak(30_000);
    }
  }

  /** Null while NATS is away. */
  async function findProgress(partitions: readonly number[]): Promise<Progress | null> {
    if (!connected || stream === null) return null;
    const found = new Map<string, number>();
    for await (const info of stream.jsm.consumers.list(STREAM)) {
      const allCounted = info.num_pending === 0 && info.num_ack_pending === 0;
      found.set(info.name, allCounted ? Infinity : info.ack_floor.stream_seq);
    }
    return new Map(partitions.map((partition) => [partition, found.get(consumerOf(partition)) ?? -1]));
  }

  /** Asks again and again. While NATS does not answer, what was found last stays in force. */
  function scheduleCondition(): void {
    conditionTimer = setTimeout(() => {
      void readCondition()
        .catch(() => {})
        .finally(() => {
          if (!stopping) scheduleCondition();
        });
    }, CONDITION_MS);
  }

  /**
   * Whether the stream has no room for more. NATS compares max_bytes with the payload of a message alone: it accepts one
   * whose record does not fit, and drops the oldest message for it. So this server stops before. [SCALE-14]
   */
  async function checkRoom(): Promise<void> {
    if (!stream || !connected) return;
    const { config, state } = await stream.jsm.streams.info(STREAM);
    isFull = config.max_bytes > 0 && state.bytes > config.max_bytes * (1 - RESERVE);
  }

  function scheduleRoomCheck(): void {
    roomTimer = setTimeout(() => {
      void checkRoom()
        .catch(() => {})
        .finally(() => {
          if (!stopping) scheduleRoomCheck();
        });
    }, ROOM_CHECK_MS);
  }

  async function readCondition(): Promise<void> {
    if (!askCondition || !stream || !connected) return;
    const { problem } = condition;
    condition = await askCondition(stream);
    if (condition.problem !== null && problem === null) log.error(condition.problem);
  }

  return {
    start: async () => {
      stream ??= await openStream(options.url, streamOptions);
      connected = true;
      await readCondition();
      if (condition.problem !== null) throw new EventLogUnusable(condition.problem);
      scheduleCondition();
      await checkRoom();
      scheduleRoomCheck();
      void monitorConnection(stream.connection);
      reading = readPartitions(stream, { ownership: options.ownership, streamOptions, log });
      const { connection, ownership, counter } = options;
      applying = applyMessages(
        { connection, ownership, counter, onCounted: listener.onCounted, setAside, log },
        reading.take,
      );
      releasing = releaseCounted({
        uncounted,
        listener,
        findProgress,
        readCounters: options.readCounters,
      });
    },
    hasUncounted: async () => {
      stream ??= await openStream(options.url, streamOptions);
      return (await stream.jsm.streams.info(STREAM)).state.messages > 0;
    },
    append: async (events) => {
      // Reject here while disconnected, because the NATS client would buffer events without limit.
      if (!connected) throw new EventLogAway();
      if (isFull) throw new EventLogFull();
      await queue.append(events);
    },
    backlog: () => ({ ...queue.backlog(), uncountedMs: uncounted.oldestMs() }),
    condition: () => condition,
    stop: async () => {
      await queue.stop();
      stopping = true;
      releasing?.stop();
      clearTimeout(conditionTimer);
      clearTimeout(roomTimer);
      await reading?.stop();
      await applying;
      await Promise.race([stream?.connection.drain(), pause(2000, undefined, { ref: false })]).catch(
        () => {},
      );
      await stream?.connection.close();
    },
  };
}
