import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerMessages, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { FastifyBaseLogger } from 'fastify';
import { createCounter } from '../counter.ts';
import {
  type Counted,
  type EventLog,
  EventLogAway,
  type EventLogListener,
  type LoggedEvent,
} from '../event-log.ts';
import { createEventQueue } from '../event-queue.ts';
import type { Tally } from '../tally.ts';
import { applyMessages } from './apply.ts';
import { encode } from './message.ts';
import { ASIDE_SUBJECT, CONSUMER, ensureStream, openStream, STREAM, SUBJECT } from './stream.ts';
import { createUncounted } from './uncounted.ts';

const MAX_PER_MESSAGE = 250;
const MESSAGES_IN_FLIGHT = 8;
const MAX_WAIT_MS = 5000;
const ACK_DEADLINE_MS = 5000;
/** At most this many messages are fetched ahead of the counting and held in memory. */
const MAX_FETCHED = 100;
const PROGRESS_CHECK_MS = 500;
const RETRY_MS = 1000;

/**
 * Stores events in a JetStream stream and counts them from there. An event is durable once the stream has acknowledged
 * it. All servers read messages from one consumer and count them with count_events, as they do without NATS. A message
 * is removed only after the commit, so that it is counted even if any server is killed. See
 * docs/decisions/011-events-through-nats.md.
 */
export function natsEventLog(options: {
  url: string;
  databaseUrl: string;
  ceilings?: boolean | undefined;
  now: () => Date;
  clockAheadMs?: () => number;
  listener: EventLogListener;
  /** Reads the committed counters. */
  readCounters: (adIds: readonly number[]) => Promise<Counted[]>;
  log: FastifyBaseLogger;
  maxWaiting?: number;
  tally?: Tally | undefined;
}): EventLog {
  const { now, listener, log, maxWaiting = 20_000 } = options;
  const counter = createCounter(options.databaseUrl, 1, options.ceilings, options.tally);
  const uncounted = createUncounted();
  const queue = createEventQueue({
    send,
    maxPerBatch: MAX_PER_MESSAGE,
    batchesInFlight: MESSAGES_IN_FLIGHT,
    maxWaiting,
    maxWaitMs: MAX_WAIT_MS,
  });
  let stream: { connection: NatsConnection; jsm: JetStreamManager } | null = null;
  let connected = false;
  let stopping = false;
  let messages: ConsumerMessages | null = null;
  let applying: Promise<void> = Promise.resolve();
  let setAsideCount = 0;
  let releaseTimer: NodeJS.Timeout | undefined;

  async function send(events: LoggedEvent[]): Promise<void> {
    const js = (stream as NonNullable<typeof stream>).jsm.jetstream();
    const message = encode({ receivedAtMs: now().getTime(), clockAheadMs: options.clockAheadMs?.(), events });
    const { seq } = await js.publish(SUBJECT, message, { timeout: ACK_DEADLINE_MS });
    listener.onUncounted(uncounted.add(seq, events));
  }

  async function monitorConnection(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        connected = false;
        if (!stopping) log.error('the event log is unavailable; views get 503 until it is back');
      } else if (type === 'reconnect') {
        connected = true;
        log.warn('the event log is available again');
      }
    }
  }

  async function applyUntilStopped({ connection, jsm }: NonNullable<typeof stream>): Promise<void> {
    while (!stopping) {
      try {
        const consumer = await jsm.jetstream().consumers.get(STREAM, CONSUMER);
        messages = await consumer.consume({
          max_messages: MAX_FETCHED,
          // The client requests messages again after this time, in case a request was lost.
          expires: 5000,
          abort_on_missing_resource: true,
        });
        if (stopping) messages.stop();
        await applyMessages({ counter, onCounted: listener.onCounted, setAside, log }, messages);
      } catch (error) {
        if (stopping) return;
        log.error({ err: error }, 'reading the event log failed; trying again');
      }
      if (stopping) return;
      await pause(RETRY_MS);
      // An operator may have removed the stream, or its last server may have lost its disk.
      await ensureStream(connection, jsm).catch(() => {});
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

  /** Reads how far all servers have counted, and releases the uncounted events up to there. */
  async function releaseCounted(jsm: JetStreamManager): Promise<void> {
    const mark = uncounted.mark();
    const info = await jsm.consumers.info(STREAM, CONSUMER);
    const allCounted = info.num_pending === 0 && info.num_ack_pending === 0;
    const { ads, release } = uncounted.due(info.ack_floor.stream_seq, allCounted ? mark : 0);
    if (ads.length === 0) return;
    // Update the counters first, so that no event is ever missing from both numbers.
    listener.onCounted(await options.readCounters(ads));
    listener.onUncounted(release());
  }

  function scheduleRelease(jsm: JetStreamManager): void {
    releaseTimer = setTimeout(() => {
      const released = uncounted.empty() || !connected ? Promise.resolve() : releaseCounted(jsm);
      // If the stream or the database is unavailable, the events stay uncounted until the next check.
      void released
        .catch(() => {})
        .finally(() => {
          if (!stopping) scheduleRelease(jsm);
        });
    }, PROGRESS_CHECK_MS);
  }

  return {
    start: async () => {
      stream = await openStream(options.url);
      connected = true;
      void monitorConnection(stream.connection);
      applying = applyUntilStopped(stream);
      scheduleRelease(stream.jsm);
    },
    append: async (events) => {
      // Reject here while disconnected, because the NATS client would buffer events without limit.
      if (!connected) throw new EventLogAway();
      await queue.append(events);
    },
    backlog: () => ({ ...queue.backlog(), uncountedMs: uncounted.oldestMs() }),
    stop: async () => {
      await queue.stop();
      stopping = true;
      clearTimeout(releaseTimer);
      messages?.stop();
      await applying;
      await Promise.race([stream?.connection.drain(), pause(2000, undefined, { ref: false })]).catch(
        () => {},
      );
      await stream?.connection.close();
      await counter.close();
    },
  };
}
