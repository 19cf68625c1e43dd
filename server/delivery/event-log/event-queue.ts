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
 * database or stream hangs.
 */
export function createEventQueue(options: {
  send: (events: LoggedEvent[]) => Promise<void>;
  maxPerBatch: number;
  batchesInFlight: number;
  maxWaiting: number;
  maxWaitMs: number;
}): EventQueue {
  const { send, maxPerBatch, batchesInFlight, maxWaiting, maxWaitMs } = options;
  const waiting = createWaiting();
  let stopped = false;
  const returning = createReturning(sendWaiting);
  let sendScheduled = false;
  const inFlight = new Map<Promise<void>, Waiting[]>();
  // A single timer checks all events. A timer for each event would cost more than the event itself.
  const timeoutCheck = setInterval(() => waiting.rejectOlder(maxWaitMs), TIMEOUT_CHECK_MS).unref();

  const isWorthWaiting = (): boolean => returning.isAny() && waiting.events() < maxPerBatch;

  /** Sends the waiting events, unless it is worth waiting for more. */
  function sendWaiting(): void {
    sendScheduled = false;
    if (isWorthWaiting() && !stopped) return;
    while (!waiting.isEmpty() && inFlight.size < batchesInFlight) {
      const batch = waiting.takeBatch(maxPerBatch);
      const sentAt = performance.now();
      const sent = sendBatch(batch).finally(() => {
        inFlight.delete(sent);
        returning.expect(batch.length, performance.now() - sentAt);
        sendWaiting();
      });
      inFlight.set(sent, batch);
    }
  }

  async function sendBatch(batch: Waiting[]): Promise<void> {
    try {
      await send(batch.flatMap((each) => each.events));
      for (const each of batch) each.resolve();
    } catch (error) {
      for (const each of batch) each.reject(error as Error);
    }
  }

  return {
    append: async (events) => {
      if (stopped || waiting.events() + events.length > maxWaiting) throw new EventLogFull();
      await new Promise<void>((resolve, reject) => {
        waiting.add({ events, since: performance.now(), resolve, reject });
        returning.arrived();
        if (sendScheduled || inFlight.size === batchesInFlight || isWorthWaiting()) return;
        sendScheduled = true;
        // Wait one turn of the event loop, so that requests that are already read share the batch.
        setImmediate(sendWaiting);
      });
    },
    backlog: () => {
      const all = [...inFlight.values(), waiting.all()].flat();
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
      returning.stop();
      clearInterval(timeoutCheck);
    },
  };
}

/** The callers whose events are not sent yet, in order. */
function createWaiting() {
  let waiting: Waiting[] = [];
  let waitingEvents = 0;

  function take(count: number): Waiting[] {
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const each of taken) waitingEvents -= each.events.length;
    return taken;
  }

  return {
    all: (): readonly Waiting[] => waiting,
    isEmpty: (): boolean => waiting.length === 0,
    /** How many events wait. */
    events: (): number => waitingEvents,
    add: (each: Waiting): void => {
      waiting.push(each);
      waitingEvents += each.events.length;
    },
    takeBatch: (maxEvents: number): Waiting[] => {
      let size = 0;
      let end = 0;
      while (end < waiting.length && size < maxEvents) size += waiting[end++]!.events.length;
      return take(end);
    },
    rejectOlder: (maxMs: number): void => {
      const tooOld = performance.now() - maxMs;
      const first = waiting.findIndex((each) => each.since > tooOld);
      for (const each of take(first < 0 ? waiting.length : first)) each.reject(new EventLogAway());
    },
  };
}

/** The callers of the last batch who have not appended again yet. `onLate`: none is expected any more. */
function createReturning(onLate: () => void) {
  let expected = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    isAny: (): boolean => expected > 0,
    arrived: (): void => {
      expected -= 1;
    },
    expect: (callers: number, tookMs: number): void => {
      expected = callers;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          expected = 0;
          onLate();
        },
        Math.min(Math.ceil(tookMs), MAX_GATHER_MS),
      );
    },
    stop: (): void => clearTimeout(timer),
  };
}
