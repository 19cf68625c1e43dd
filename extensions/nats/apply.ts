import { setTimeout as pause } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import type { FastifyBaseLogger } from 'fastify';
import { type Counter, isRefusal } from '../../server/delivery/event-log/counter.ts';
import { type Counted, isLandingEvent, type LoggedEvent } from '../../server/delivery/event-log/event-log.ts';
import type { CountingConnection } from '../../server/delivery/event-log/sharing/connection.ts';
import { decode } from '../../server/delivery/event-log/sharing/message.ts';
import type { Ownership } from '../../server/delivery/event-log/sharing/ownership.ts';
import type { TakeMessages } from './read-partitions.ts';
import { partitionOfSubject } from './stream.ts';

const RETRY_MS = 1000;
const MAX_EVENTS = 1000;
/** Messages not tried within this time go back to the stream, before it assumes that this server is gone. */
const MAX_BATCH_MS = 3000;

export type ApplyParts = {
  connection: CountingConnection;
  ownership: Pick<Ownership, 'ownedOn'>;
  counter: Counter;
  onCounted: (ads: readonly Counted[]) => void;
  /** Stores a message that can never be counted. */
  setAside: (message: JsMsg, why: string) => Promise<void>;
  log: FastifyBaseLogger;
};

type Parsed = {
  message: JsMsg;
  partition: number;
  second: number;
  receivedAtMs: number;
  events: LoggedEvent[];
};

/** Counts messages until there are no more. It counts all messages that are waiting in one batch. */
export async function applyMessages(parts: ApplyParts, take: TakeMessages): Promise<void> {
  for (let messages = await take(); messages !== null; messages = await take()) {
    let batch: Parsed[] = [];
    let events = 0;
    for (const message of messages) {
      const parsed = await read(parts, message);
      if (!parsed) continue;
      batch.push(parsed);
      events += parsed.events.length;
      if (events < MAX_EVENTS) continue;
      await applyBatch(parts, batch);
      batch = [];
      events = 0;
    }
    if (batch.length > 0) await applyBatch(parts, batch);
  }
}

async function read(parts: ApplyParts, message: JsMsg): Promise<Parsed | null> {
  const content = decode(message.data);
  if ('wrong' in content) {
    await parts.setAside(message, content.wrong);
    return null;
  }
  const { receivedAtMs, events } = content;
  // The stream delivers a message again if our acknowledgment was lost or the counting failed. No visitor reported the
  // event twice, so the figures must not show a duplicate. `implied` prevents that.
  const known = message.redelivered ? events.map(asKnown) : events;
  const partition = partitionOfSubject(message.subject);
  return { message, partition, second: Math.floor(receivedAtMs / 1000), receivedAtMs, events: known };
}

const asKnown = (event: LoggedEvent): LoggedEvent =>
  isLandingEvent(event) ? event : { ...event, implied: true };

async function applyBatch(parts: ApplyParts, batch: Parsed[]): Promise<void> {
  const began = performance.now();
  // Events count as of the time they were received. Whole seconds are exact enough, and none spans two hours.
  for (const group of Map.groupBy(batch, (each) => each.second).values()) {
    if (performance.now() - began > MAX_BATCH_MS) returnToStream(group);
    else await applyTogether(parts, group);
  }
}

async function applyTogether(parts: ApplyParts, group: Parsed[]): Promise<void> {
  const receivedAt = new Date(Math.max(...group.map((each) => each.receivedAtMs)));
  try {
    await parts.connection.run(async (client) => {
      const owned = await parts.ownership.ownedOn(client);
      // Another server owns the partitions of these messages now.
      for (const { message, partition } of group) if (!owned.has(partition)) message.nak();
      const own = group.filter(({ partition }) => owned.has(partition));
      if (own.length === 0) return;
      const events = own.flatMap((each) => each.events);
      const counted = await parts.counter.count(client, events, receivedAt);
      // Acknowledge after the commit. If this is lost, the message comes again and changes no counter.
      for (const { message } of own) message.ack();
      parts.onCounted(counted);
    });
  } catch (error) {
    if (!isRefusal(error)) {
      parts.log.warn(
        { err: error, messages: group.length },
        'counting events failed; they stay in the stream and will be tried again',
      );
      returnToStream(group);
      await pause(RETRY_MS);
    } else if (group.length > 1) for (const each of group) await applyTogether(parts, [each]);
    else await parts.setAside(group[0]!.message, String(error));
  }
}

function returnToStream(group: Parsed[]): void {
  for (const { message } of group) message.nak(RETRY_MS);
}
