import { type AdEvent, EventLogAway, EventLogFull } from './event-log.ts';

type Waiting = { events: AdEvent[]; since: number; resolve: () => void; reject: (error: Error) => void };

export type EventQueue = {
  append(events: AdEvent[]): Promise<void>;
  /** Sends what waits, and resolves when all of it is answered. */
  stop(): Promise<void>;
};

const LOOK_MS = 250;
/** A batch waits for those who were just answered no longer than their own batch has taken, nor than this. */
const MAX_GATHER_MS = 10;

/**
 * Group commit: what arrives while batches are on their way goes out together in the next one, so a round trip is
 * shared by more events the busier it gets. Who has just been answered often has more to say, so the next batch waits
 * a moment for as many as the one before answered (compare PostgreSQL's commit_delay); else the few who came late would
 * go alone, and the many after them, at twice the price.
 *
 * `send` must end by itself, and says by its outcome whether a batch is durable. At most `mostWaiting` events wait for
 * their batch, and none longer than `longestWaitMs`: memory and the callers' patience are bounded whatever becomes of
 * the other side.
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
  /** Callers of the last batch who have not come again yet. */
  let expected = 0;
  let expecting: NodeJS.Timeout | undefined;
  let looking = false;
  const inFlight = new Set<Promise<void>>();
  // One timer for all: setting one for each event would cost more than the event.
  const lookout = setInterval(giveUpOld, LOOK_MS).unref();

  const isWorthWaiting = (): boolean => expected > 0 && waitingEvents < mostPerBatch;

  /** Sends what waits, unless it is worth waiting for more. */
  function look(): void {
    looking = false;
    if (isWorthWaiting() && !stopped) return;
    while (waiting.length > 0 && inFlight.size < batchesInFlight) {
      const batch = takeBatch();
      const sentAt = performance.now();
      const sent = sendBatch(batch).finally(() => {
        inFlight.delete(sent);
        expect(batch.length, performance.now() - sentAt);
        look();
      });
      inFlight.add(sent);
    }
  }

  function expect(callers: number, tookMs: number): void {
    expected = callers;
    clearTimeout(expecting);
    expecting = setTimeout(
      () => {
        expected = 0;
        look();
      },
      Math.min(Math.ceil(tookMs), MAX_GATHER_MS),
    );
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
        expected -= 1;
        if (looking || inFlight.size === batchesInFlight || isWorthWaiting()) return;
        looking = true;
        // In the next turn, so that all requests that are already read share the batch too.
        setImmediate(look);
      });
    },
    stop: async () => {
      stopped = true;
      look();
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      clearTimeout(expecting);
      clearInterval(lookout);
    },
  };
}
