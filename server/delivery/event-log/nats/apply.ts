import { setTimeout as pause } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import type { FastifyBaseLogger } from 'fastify';
import type { Counter } from '../counter.ts';
import type { AdEvent, Counted } from '../event-log.ts';
import { decode } from './message.ts';

const AGAIN_AFTER_MS = 1000;
const MAX_EVENTS = 1000;
/** What has not been tried by then is given back, well before the stream thinks that we are gone. */
const LONGEST_BATCH_MS = 10_000;

export type ApplyParts = {
  counter: Counter;
  onCounted: (ads: readonly Counted[]) => void;
  /** Keeps a message that can never be counted. Rejects where that is not certain. */
  setAside: (message: JsMsg, why: string) => Promise<void>;
  log: FastifyBaseLogger;
};

type Given = { message: JsMsg; second: number; receivedAtMs: number; events: AdEvent[] };

/** Counts messages as they come, all that wait at once, until the iteration ends. */
export async function applyMessages(
  parts: ApplyParts,
  messages: AsyncIterable<JsMsg> & { getPending: () => number },
): Promise<void> {
  let batch: Given[] = [];
  let events = 0;
  for await (const message of messages) {
    const given = await read(parts, message);
    if (given) {
      batch.push(given);
      events += given.events.length;
    }
    if (batch.length === 0 || (messages.getPending() > 0 && events < MAX_EVENTS)) continue;
    await applyBatch(parts, batch);
    batch = [];
    events = 0;
  }
  if (batch.length > 0) await applyBatch(parts, batch);
}

async function read(parts: ApplyParts, message: JsMsg): Promise<Given | null> {
  const content = decode(message.data);
  if ('wrong' in content) {
    await parts.setAside(message, content.wrong);
    return null;
  }
  const { receivedAtMs, events } = content;
  // Given once more because our acknowledgement was lost, or because we could not count: what is there already is no
  // report of a visitor's, so it is not to be among the figures as a duplicate. `implied` says just that.
  const known = message.redelivered ? events.map((event) => ({ ...event, implied: true })) : events;
  return { message, second: Math.floor(receivedAtMs / 1000), receivedAtMs, events: known };
}

async function applyBatch(parts: ApplyParts, batch: Given[]): Promise<void> {
  const began = performance.now();
  // Events are judged by when they were received. To the second is enough, and a second never lies in two hours.
  for (const given of Map.groupBy(batch, (each) => each.second).values()) {
    if (performance.now() - began > LONGEST_BATCH_MS) giveBack(given);
    else await applyTogether(parts, given);
  }
}

async function applyTogether(parts: ApplyParts, given: Given[]): Promise<void> {
  const receivedAt = new Date(Math.max(...given.map((each) => each.receivedAtMs)));
  try {
    const counted = await parts.counter.count(
      given.flatMap((each) => each.events),
      receivedAt,
    );
    // After the commit. Lost on the way, it comes again and counts nothing.
    for (const { message } of given) message.ack();
    parts.onCounted(counted);
  } catch (error) {
    if (!isRefusal(error)) {
      parts.log.warn(
        { err: error, messages: given.length },
        'events cannot be counted now; they stay in the stream',
      );
      giveBack(given);
      await pause(AGAIN_AFTER_MS);
    } else if (given.length > 1) for (const each of given) await applyTogether(parts, [each]);
    else await parts.setAside(given[0]!.message, String(error));
  }
}

function giveBack(given: Given[]): void {
  for (const { message } of given) message.nak(AGAIN_AFTER_MS);
}

/** The database will say the same for ever: data it cannot take (class 22), or that breaks a rule (class 23). */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^2[23]\w{3}$/.test(code);
}
