import { setTimeout as pause } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import type { FastifyBaseLogger } from 'fastify';
import type { Counter } from '../counter.ts';
import { type Counted, isLandingEvent, type LoggedEvent } from '../event-log.ts';
import { decode } from './message.ts';

const RETRY_MS = 1000;
const MAX_EVENTS = 1000;
/** Messages not tried within this time go back to the stream, well before it assumes that this server is gone. */
const MAX_BATCH_MS = 10_000;

export type ApplyParts = {
  counter: Counter;
  onCounted: (ads: readonly Counted[]) => void;
  /** Stores a message that can never be counted. */
  setAside: (message: JsMsg, why: string) => Promise<void>;
  log: FastifyBaseLogger;
};

type Parsed = { message: JsMsg; second: number; receivedAtMs: number; events: LoggedEvent[] };

/** Counts messages until the iteration ends. It counts all messages that are waiting in one batch. */
export async function applyMessages(
  parts: ApplyParts,
  messages: AsyncIterable<JsMsg> & { getPending: () => number },
): Promise<void> {
  let batch: Parsed[] = [];
  let events = 0;
  for await (const message of messages) {
    const parsed = await read(parts, message);
    if (parsed) {
      batch.push(parsed);
      events += parsed.events.length;
    }
    if (batch.length === 0 || (messages.getPending() > 0 && events < MAX_EVENTS)) continue;
    await applyBatch(parts, batch);
    batch = [];
    events = 0;
  }
  if (batch.length > 0) await applyBatch(parts, batch);
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
  return { message, second: Math.floor(receivedAtMs / 1000), receivedAtMs, events: known };
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
    const counted = await parts.counter.count(
      group.flatMap((each) => each.events),
      receivedAt,
    );
    // Acknowledge after the commit. If this is lost, the message comes again and changes no counter.
    for (const { message } of group) message.ack();
    parts.onCounted(counted);
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

/** Whether trying again is useless: PostgreSQL rejects the data (class 22) or a constraint fails (class 23). */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^2[23]\w{3}$/.test(code);
}
