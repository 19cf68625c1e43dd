import { EventLogAway, EventLogFull, type LoggedEvent } from './event-log.ts';

type Waiting = { events: LoggedEvent[]; since: number; resolve: () => void; reject: (error: Error) => void };

export type EventQueue = {
  append(events: LoggedEvent[]): Promise<void>;
  /** The events that are not answered yet, and how many milliseconds the oldest has waited. */
  backlog(): { waiting: number; waitingMs: number };
  /** Sends the waiting events, and resolves once all of them are answered. */
  stop(): Promise<void>;
};

const TIMEOUT_CHECK_MS = 250;
/** The longest time a batch waits for the callers of the previous batch to return. */
const MAX_GATHER_MS = 10;

/**
 * Group commit: events that arrive while a batch is in flight go out together in the next one, so that under load more
 * events share a round trip. Callers who were just answered often append again at once. The next batch therefore waits
 * a moment for as many callers as the last batch had, but no longer than that batch took (compare PostgreSQL's
 * commit_delay). Otherwise a few early callers would go alone and the rest after them, at twice the cost.
 *
 * `send` must settle by itself; it resolves if the batch is durable and rejects if not. At most `maxWaiting` events
 * wait for their batch, and none longer than `maxWaitMs`, so that memory and waiting times stay bounded even if the
 * database or stream hangs. [DEL-68]
 */
export function createEventQueue(options: {
  send: (events: LoggedEvent[]) => Promise<void>;
  maxPerBatch: number;
  batchesInFlight: number;
  maxWaiting: number;
  maxWaitMs: number;
}): EventQueue {
  const { send, maxPerBatch, batchesInFlight, maxWaiting, maxWaitMs } = options;
  let waiting: Waiting[] = [];
  let waitingEvents = 0;
  let stopped = false;
  /** How many callers of the last batch have not appended again yet. */
  let expected = 0;
  let expectTimer: NodeJS.Timeout | undefined;
  let sendScheduled = false;
  const inFlight = new Map<Promise<void>, Waiting[]>();
  // A single timer checks all events. A timer for each event would cost more than the event itself.
  const timeoutCheck = setInterval(rejectOld, TIMEOUT_CHECK_MS).unref();

  const isWorthWaiting = (): boolean => expected > 0 && waitingEvents < maxPerBatch;

  /** Sends the waiting events, unless it is worth waiting for more. */
  function sendWaiting(): void {
    sendScheduled = false;
    if (isWorthWaiting() && !stopped) return;
    while (waiting.length > 0 && inFlight.size < batchesInFlight) {
      const batch = takeBatch();
      const sentAt = performance.now();
      const sent = sendBatch(batch).finally(() => {
        inFlight.delete(sent);
        expectCallers(batch.length, performance.now() - sentAt);
        sendWaiting();
      });
      inFlight.set(sent, batch);
    }
  }

  function expectCallers(callers: number, tookMs: number): void {
    expected = callers;
    clearTimeout(expectTimer);
    expectTimer = setTimeout(
      () => {
        expected = 0;
        sendWaiting();
      },
      Math.min(Math.ceil(tookMs), MAX_GATHER_MS),
    );
  }

  function takeBatch(): Waiting[] {
    let size = 0;
    let end = 0;
    while (end < waiting.length && size < maxPerBatch) size += waiting[end++]!.events.length;
    return take(end);
  }

  function take(count: number): Waiting[] {
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const each of taken) waitingEvents -= each.events.length;
    return taken;
  }

  async function sendBatch(batch: Waiting[]): Promise<void> {
    try {
      await send(batch.flatMap((each) => each.events));
      for (const each of batch) each.resolve();
    } catch (error) {
      for (const each of batch) each.reject(error as Error);
    }
  }

  function rejectOld(): void {
    const tooOld = performance.now() - maxWaitMs;
    const first = waiting.findIndex((each) => each.since > tooOld);
    for (const each of take(first < 0 ? waiting.length : first)) each.reject(new EventLogAway());
  }

  return {
    append: async (events) => {
      if (stopped || waitingEvents + events.length > maxWaiting) throw new EventLogFull();
      await new Promise<void>((resolve, reject) => {
        waiting.push({ events, since: performance.now(), resolve, reject });
        waitingEvents += events.length;
        expected -= 1;
        if (sendScheduled || inFlight.size === batchesInFlight || isWorthWaiting()) return;
        sendScheduled = true;
        // Wait one turn of the event loop, so that requests that are already read share the batch.
        setImmediate(sendWaiting);
      });
    },
    backlog: () => {
      const all = [...inFlight.values(), waiting].flat();
      const now = performance.now();
      const since = all.reduce((first, each) => Math.min(first, each.since), now);
      return {
        waiting: all.reduce((sum, each) => sum + each.events.length, 0),
        waitingMs: now - since,
      };
    },
    stop: async () => {
      stopped = true;
      sendWaiting();
      while (inFlight.size > 0) await Promise.allSettled(inFlight.keys());
      clearTimeout(expectTimer);
      clearInterval(timeoutCheck);
    },
  };
}
