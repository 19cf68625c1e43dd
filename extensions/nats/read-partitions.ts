import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { FastifyBaseLogger } from 'fastify';
import type { Ownership } from '../../server/delivery/event-log/sharing/ownership.ts';
import {
  consumerOf,
  ensureConsumer,
  ensureStream,
  type OpenStream,
  STREAM,
  type StreamOptions,
  subjectOf,
} from './stream.ts';

/** At most this many messages of a partition are fetched ahead of the counting and held in memory. */
const MAX_FETCHED = 32;
/** The same for messages that have been read, of all partitions together. */
const MAX_WAITING = 100;
const RETRY_MS = 1000;

/** Resolves with all messages that wait, at least one; null after the end. */
export type TakeMessages = () => Promise<JsMsg[] | null>;

/** Reads the partitions that this server owns, each from the consumer of its own. */
export function readPartitions(
  stream: OpenStream,
  {
    ownership,
    streamOptions,
    log,
  }: {
    ownership: Pick<Ownership, 'owned' | 'onChange'>;
    streamOptions: StreamOptions;
    log: FastifyBaseLogger;
  },
): {
  take: TakeMessages;
  /** Reads all consumers anew, each after it was checked. */
  renew: () => void;
  stop: () => Promise<void>;
} {
  const readers = new Map<number, Reader>();
  const waiting = createBuffer();
  let stopped = false;

  const read = (partition: number): Reader =>
    readPartition(partition, { stream, streamOptions, offer: waiting.offer, log });

  function follow(): void {
    const owned: ReadonlySet<number> = stopped ? new Set() : ownership.owned();
    for (const [partition, reader] of readers) {
      if (owned.has(partition)) continue;
      reader.stop();
      readers.delete(partition);
    }
    for (const partition of owned) if (!readers.has(partition)) readers.set(partition, read(partition));
  }

  ownership.onChange(follow);
  follow();
  return {
    take: waiting.take,
    renew: () => {
      for (const reader of readers.values()) reader.stop();
      readers.clear();
      follow();
    },
    stop: async () => {
      stopped = true;
      const ended = [...readers.values()].map((reader) => reader.ended);
      follow();
      waiting.letOffersEnd();
      await Promise.all(ended);
      waiting.end();
    },
  };
}

/** The messages that have been read and wait to be counted. */
function createBuffer() {
  let waiting: JsMsg[] = [];
  let arrived = Promise.withResolvers<void>();
  let isEnding = false;
  let taken = Promise.withResolvers<void>();

  /** Resolves once there is room for another message. */
  async function offer(message: JsMsg): Promise<void> {
    waiting.push(message);
    arrived.resolve();
    while (waiting.length >= MAX_WAITING && !isEnding) await taken.promise;
  }

  async function take(): Promise<JsMsg[] | null> {
    while (waiting.length === 0) {
      if (isEnding) return null;
      await arrived.promise;
    }
    // Messages of other partitions that have arrived already share the batch.
    await nextTurn();
    const all = waiting;
    waiting = [];
    arrived = Promise.withResolvers();
    taken.resolve();
    taken = Promise.withResolvers();
    return all;
  }

  return {
    offer,
    take,
    /** From now on, no message waits for room, and `take` returns null when none is left. */
    letOffersEnd: (): void => {
      isEnding = true;
      taken.resolve();
    },
    /** Ends a `take` that waits. Call it after the last offer. */
    end: (): void => arrived.resolve(),
  };
}

type Reader = { ended: Promise<void>; stop: () => void };

/** Reads one partition until it is stopped. `offer` resolves once there is room for another message. */
function readPartition(
  partition: number,
  {
    stream: { connection, jsm },
    streamOptions,
    offer,
    log,
  }: {
    stream: OpenStream;
    streamOptions: StreamOptions;
    offer: (message: JsMsg) => Promise<void>;
    log: FastifyBaseLogger;
  },
): Reader {
  const [name, subject] = [consumerOf(partition), subjectOf(partition)];
  let messages: ConsumerMessages | null = null;
  const ending = new AbortController();

  async function readUntilStopped(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await ensureConsumer(jsm, name, subject);
        const consumer = await jsm.jetstream().consumers.get(STREAM, name);
        messages = await consumer.consume({
          max_messages: MAX_FETCHED,
          // The client requests messages again after this time, in case a request was lost.
          expires: 5000,
          abort_on_missing_resource: true,
        });
        if (ending.signal.aborted) messages.stop();
        for await (const message of messages) await offer(message);
      } catch (error) {
        if (ending.signal.aborted) return;
        log.error({ err: error, subject }, 'reading the event log failed; trying again');
      }
      // The pause rejects when the reading ends.
      await pause(RETRY_MS, undefined, { signal: ending.signal }).catch(() => {});
      // An operator may have removed the stream, or its last server may have lost its disk.
      if (!ending.signal.aborted) await ensureStream(connection, jsm, streamOptions).catch(() => {});
    }
  }

  return {
    ended: readUntilStopped(),
    stop: () => {
      ending.abort();
      messages?.stop();
    },
  };
}
