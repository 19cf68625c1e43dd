import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerMessages, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { FastifyBaseLogger } from 'fastify';
import { createCounter } from '../counter.ts';
import {
  type AdEvent,
  type Counted,
  type EventLog,
  EventLogAway,
  type EventLogListener,
} from '../event-log.ts';
import { createEventQueue } from '../event-queue.ts';
import { applyMessages } from './apply.ts';
import { encode } from './message.ts';
import { ASIDE_SUBJECT, CONSUMER, ensureStream, openStream, STREAM, SUBJECT } from './stream.ts';
import { createUncounted } from './uncounted.ts';

const MAX_PER_MESSAGE = 250;
const MESSAGES_IN_FLIGHT = 8;
const LONGEST_WAIT_MS = 5000;
const ACK_DEADLINE_MS = 5000;
/** Messages taken ahead of the counting: at most so many are held in memory. */
const TAKEN_AHEAD = 100;
const LOOK_MS = 500;
const AGAIN_AFTER_MS = 1000;

/**
 * Stores events in a JetStream stream, and counts them from there: an event is durable when the stream has said so.
 * Every copy of the server takes messages from the one consumer and counts them by the same statement as without NATS;
 * a message is removed after the commit, so that each is counted, whichever copy is killed when.
 */
export function natsEventLog(options: {
  url: string;
  databaseUrl: string;
  now: () => Date;
  listener: EventLogListener;
  /** The counters as they are. */
  readCounters: (adIds: readonly number[]) => Promise<Counted[]>;
  log: FastifyBaseLogger;
  mostWaiting?: number;
}): EventLog {
  const { now, listener, log, mostWaiting = 20_000 } = options;
  const counter = createCounter(options.databaseUrl, 1);
  const uncounted = createUncounted();
  const queue = createEventQueue({
    send,
    mostPerBatch: MAX_PER_MESSAGE,
    batchesInFlight: MESSAGES_IN_FLIGHT,
    mostWaiting,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  let stream: { connection: NatsConnection; jsm: JetStreamManager } | null = null;
  let connected = false;
  let stopping = false;
  let messages: ConsumerMessages | null = null;
  let applying: Promise<void> = Promise.resolve();
  let setAsideCount = 0;
  let lookTimer: NodeJS.Timeout | undefined;

  async function send(events: AdEvent[]): Promise<void> {
    const js = (stream as NonNullable<typeof stream>).jsm.jetstream();
    const message = encode({ receivedAtMs: now().getTime(), events });
    const { seq } = await js.publish(SUBJECT, message, { timeout: ACK_DEADLINE_MS });
    listener.onUncounted(uncounted.add(seq, events));
  }

  async function monitorConnection(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        connected = false;
        if (!stopping) log.error('the event log is away; views are answered 503 until it is back');
      } else if (type === 'reconnect') {
        connected = true;
        log.warn('the event log is back');
      }
    }
  }

  async function applyForEver({ connection, jsm }: NonNullable<typeof stream>): Promise<void> {
    while (!stopping) {
      try {
        const consumer = await jsm.jetstream().consumers.get(STREAM, CONSUMER);
        messages = await consumer.consume({
          max_messages: TAKEN_AHEAD,
          // Asked again after it, in case a request got lost.
          expires: 5000,
          abort_on_missing_resource: true,
        });
        if (stopping) messages.stop();
        await applyMessages({ counter, onCounted: listener.onCounted, setAside, log }, messages);
      } catch (error) {
        if (stopping) return;
        log.error({ err: error }, 'the event log cannot be read; trying again');
      }
      if (stopping) return;
      await pause(AGAIN_AFTER_MS);
      // Perhaps somebody removed the stream, or its last server lost its disk.
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
        'a message of the event log is no event of ours; it is kept in OPENSLOT_ASIDE',
      );
    } catch (error) {
      log.error(
        { err: error, why, sequence: message.seq },
        'a message of the event log that is no event of ours could not be set aside; later',
      );
      message.nak(30_000);
    }
  }

  /** Asks how far the counting is, of all copies, and lets go of what it has passed. */
  async function look(jsm: JetStreamManager): Promise<void> {
    const mark = uncounted.mark();
    const info = await jsm.consumers.info(STREAM, CONSUMER);
    const allCounted = info.num_pending === 0 && info.num_ack_pending === 0;
    const { ads, release } = uncounted.due(info.ack_floor.stream_seq, allCounted ? mark : 0);
    if (ads.length === 0) return;
    // In this order, so that nothing is ever in neither.
    listener.onCounted(await options.readCounters(ads));
    listener.onUncounted(release());
  }

  function lookLater(jsm: JetStreamManager): void {
    lookTimer = setTimeout(() => {
      const looked = uncounted.empty() || !connected ? Promise.resolve() : look(jsm);
      // Where stream or database are away, what is uncounted stays so.
      void looked
        .catch(() => {})
        .finally(() => {
          if (!stopping) lookLater(jsm);
        });
    }, LOOK_MS);
  }

  return {
    start: async () => {
      stream = await openStream(options.url);
      connected = true;
      void monitorConnection(stream.connection);
      applying = applyForEver(stream);
      lookLater(stream.jsm);
    },
    append: async (events) => {
      // Not handed to the client, which would keep it for later, without bound.
      if (!connected) throw new EventLogAway();
      await queue.append(events);
    },
    stop: async () => {
      await queue.stop();
      stopping = true;
      clearTimeout(lookTimer);
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
