import pg from 'pg';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';

/** One view or click with a valid token. */
export type AdEvent = {
  decisionId: string;
  kind: EventKind;
  adId: number;
  zoneId: number;
  issuedAtMs: number;
  /** Why it must not be counted; null: count it, if the ad is live and its goal not reached. */
  reason: Reason | null;
  /** The view that a click stands for. */
  implied: boolean;
};

/** An ad whose counters moved. */
export type Counted = { adId: number; totalImpressions: number; totalClicks: number; completed: boolean };

/**
 * Where events go. `append` resolves when they are durable and counted, and rejects when that is not certain: the
 * same events may then be appended again, for none is counted twice.
 */
export type EventLog = {
  append(events: AdEvent[]): Promise<void>;
  stop(): Promise<void>;
};

/** There is no room for more waiting events: the caller is told to come back, and nothing is lost silently. */
export class EventLogFull extends Error {}

const MOST_PER_BATCH = 1000;
const BATCHES_IN_FLIGHT = 2;

const COUNT = `
  select ad_id as "adId", total_impressions as "totalImpressions", total_clicks as "totalClicks", completed
    from count_events($1::timestamptz, $2::float8[], $3::bytea[], $4::text[], $5::integer[], $6::integer[],
      $7::text[], $8::boolean[])`;

// PostgreSQL's array literals, written here because none of these values needs quoting or a look at its type.
function arraysOf(events: AdEvent[]): string[] {
  return [
    events.map((event) => event.issuedAtMs),
    events.map((event) => `"\\\\x${event.decisionId}"`),
    events.map((event) => event.kind),
    events.map((event) => event.adId),
    events.map((event) => event.zoneId),
    events.map((event) => event.reason ?? 'null'),
    events.map((event) => event.implied),
  ].map((values) => `{${values.join(',')}}`);
}

type Waiting = { events: AdEvent[]; resolve: () => void; reject: (error: Error) => void };

/**
 * Counts in PostgreSQL by group commit: what arrives while a batch is being written goes out together in the next
 * one, so a commit is shared by more events the busier it gets. `onCounted` learns the new counters. At most
 * `mostWaiting` events wait; memory stays bounded whatever the database does.
 */
export function postgresEventLog(options: {
  databaseUrl: string;
  now: () => Date;
  onCounted: (ads: Counted[]) => void;
  mostWaiting?: number;
}): EventLog {
  const { mostWaiting = 20_000 } = options;
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: BATCHES_IN_FLIGHT,
    application_name: 'openslot events',
    connectionTimeoutMillis: 5000,
    // The database gives up first, so that what is answered 503 is not counted behind our back.
    statement_timeout: 8000,
    query_timeout: 10_000,
  });
  // A connection lost to a database restart is replaced at the next use; without a listener it ends the process.
  pool.on('error', () => {});

  let waiting: Waiting[] = [];
  let waitingEvents = 0;
  const inFlight = new Set<Promise<void>>();
  const daysPrepared = new Set<string>();
  let stopped = false;

  function flush(): void {
    while (waiting.length > 0 && inFlight.size < BATCHES_IN_FLIGHT) {
      const batch = takeBatch();
      const written = write(batch).finally(() => {
        inFlight.delete(written);
        flush();
      });
      inFlight.add(written);
    }
  }

  function takeBatch(): Waiting[] {
    let size = 0;
    let end = 0;
    while (end < waiting.length && size < MOST_PER_BATCH) size += waiting[end++]!.events.length;
    const batch = waiting.slice(0, end);
    waiting = waiting.slice(end);
    waitingEvents -= size;
    return batch;
  }

  async function write(batch: Waiting[]): Promise<void> {
    try {
      const events = batch.flatMap((each) => each.events);
      await prepareDays(events);
      const { rows } = await pool.query<Counted>({
        name: 'count_events',
        text: COUNT,
        values: [options.now(), ...arraysOf(events)],
      });
      for (const each of batch) each.resolve();
      options.onCounted(rows);
    } catch (error) {
      for (const each of batch) each.reject(error as Error);
    }
  }

  // The timed job makes partitions ahead; this is for the first day, and for clocks that jump.
  async function prepareDays(events: AdEvent[]): Promise<void> {
    for (const { issuedAtMs } of events) {
      const day = new Date(issuedAtMs).toISOString().slice(0, 10);
      if (daysPrepared.has(day)) continue;
      await pool.query('select ensure_event_partition($1)', [day]);
      if (daysPrepared.size > 10) daysPrepared.clear();
      daysPrepared.add(day);
    }
  }

  return {
    append: async (events) => {
      if (stopped || waitingEvents + events.length > mostWaiting) throw new EventLogFull();
      await new Promise<void>((resolve, reject) => {
        waiting.push({ events, resolve, reject });
        waitingEvents += events.length;
        // In the next turn, so that all requests that are already read share the first batch too.
        if (waiting.length === 1) setImmediate(flush);
      });
    },
    stop: async () => {
      stopped = true;
      flush();
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      await pool.end();
    },
  };
}
