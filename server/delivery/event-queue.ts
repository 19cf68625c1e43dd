import { type AdEvent, EventLogAway, EventLogFull } from './event-log.ts';

type Waiting = { events: AdEvent[]; since: number; resolve: () => void; reject: (error: Error) => void };

export type EventQueue = {
  append(events: AdEvent[]): Promise<void>;
  /** Sends what waits, and resolves when all of it is answered. */
  stop(): Promise<void>;
};

const LOOK_MS = 250;

/**
 * Group commit: what arrives while batches are on their way goes out together in the next one, so a round trip is
 * shared by more events the busier it gets. `send` must end by itself, and says by its outcome whether a batch is
 * durable. At most `mostWaiting` events wait for their batch, and none longer than `longestWaitMs`: memory and the
 * callers' patience are bounded whatever becomes of the other side.
 */
export function createEventQueue(options: {
  send: (events: AdEvent[]) => Promise<void>;
  mostPerBatch: number;
  batchesInFlight: number;
  mostWaiting: number;
  longestWaitMs: number;
}): EventQueue {
  const { send, mostPerBatch, batchesInFlight, mostWaiting, longestWaitMs } = options;
  let waiting: Waiting[] = [];
  let waitingEvents = 0;
  let stopped = false;
  const inFlight = new Set<Promise<void>>();
  // One timer for all: setting one for each event would cost more than the event.
  const lookout = setInterval(giveUpOld, LOOK_MS).unref();

  function flush(): void {
    while (waiting.length > 0 && inFlight.size < batchesInFlight) {
      const batch = takeBatch();
      const sent = sendBatch(batch).finally(() => {
        inFlight.delete(sent);
        flush();
      });
      inFlight.add(sent);
    }
  }

  function takeBatch(): Waiting[] {
    let size = 0;
    let end = 0;
    while (end < waiting.length && size < mostPerBatch) size += waiting[end++]!.events.length;
    return take(end);
  }

  function take(many: number): Waiting[] {
    const taken = waiting.slice(0, many);
    waiting = waiting.slice(many);
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

  function giveUpOld(): void {
    const tooOld = performance.now() - longestWaitMs;
    const first = waiting.findIndex((each) => each.since > tooOld);
    for (const each of take(first < 0 ? waiting.length : first)) each.reject(new EventLogAway());
  }

  return {
    append: async (events) => {
      if (stopped || waitingEvents + events.length > mostWaiting) throw new EventLogFull();
      await new Promise<void>((resolve, reject) => {
        waiting.push({ events, since: performance.now(), resolve, reject });
        waitingEvents += events.length;
        // In the next turn, so that all requests that are already read share the first batch too.
        if (waiting.length === 1) setImmediate(flush);
      });
    },
    stop: async () => {
      stopped = true;
      flush();
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      clearInterval(lookout);
    },
  };
}
