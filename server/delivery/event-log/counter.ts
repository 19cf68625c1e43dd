import pg from 'pg';
import { BILLED_KINDS, type BilledKind } from '#domain/delivery/reasons.ts';
import { utcDay } from '#domain/time.ts';
import { connectionTo, notePool } from '../../db/database.ts';
import { createTally } from './tally.ts';
import {
  type AdEvent,
  type Counted,
  isLandingEvent,
  type LandingEvent,
  type LoggedEvent,
} from './event-log.ts';

const COUNT = `
  select ad_id as "adId", total_impressions as "totalImpressions", total_clicks as "totalClicks", completed
    from count_events($1::timestamptz, $2::float8[], $3::bytea[], $4::text[], $5::integer[], $6::integer[],
      $7::text[], $8::boolean[], $9::boolean, $10::smallint[])`;

/** A row without an ad says how many of the events were recorded before: views and clicks. */
type Row = Counted | { adId: null; totalImpressions: number; totalClicks: number };

const COUNT_LANDINGS = `
  select count_landings($1::timestamptz, $2::bytea[], $3::float8[], $4::integer[], $5::integer[], $6::float8[],
    $7::boolean[])`;

export type Counter = {
  /** Counts events in one transaction, as of `receivedAt`. Counting the same events again changes no counter. */
  count(events: LoggedEvent[], receivedAt: Date): Promise<Counted[]>;
  close(): Promise<void>;
};

/**
 * Calls the SQL function count_events, the only way into the counters, on a separate pool of connections. `ceilings`: new
 * publishers are billed up to their daily ceiling.
 */
export function createCounter(
  databaseUrl: string,
  connections: number,
  ceilings = false,
  tally = createTally(),
): Counter {
  const pool = new pg.Pool({
    ...connectionTo(databaseUrl, 'openslot events'),
    max: connections,
    connectionTimeoutMillis: 5000,
    // The database must give up before the client does. Otherwise it could count events that were answered 503.
    statement_timeout: 8000,
    query_timeout: 10_000,
  });
  // The pool replaces a lost connection at its next use. Without a listener, the error would end the process.
  pool.on('error', () => {});
  notePool(pool);
  const daysPrepared = new Set<string>();

  // A scheduled job creates partitions in advance. This covers the first day, late events, and clocks that jump.
  async function prepareDays(events: LoggedEvent[]): Promise<void> {
    for (const { issuedAtMs } of events) {
      const day = utcDay(new Date(issuedAtMs));
      if (daysPrepared.has(day)) continue;
      await pool.query('select ensure_event_partition($1)', [day]);
      if (daysPrepared.size > 10) daysPrepared.clear();
      daysPrepared.add(day);
    }
  }

  async function countOn(client: Client, events: AdEvent[], receivedAt: Date): Promise<Batch> {
    const { rows } = await client.query<Row>({
      name: 'count_events',
      text: COUNT,
      values: [receivedAt, ...arraysOf(events), ceilings, creativesOf(events)],
    });
    const repeated = rows.find(({ adId }) => adId === null);
    return { counted: rows.filter((row): row is Counted => row.adId !== null), repeated };
  }

  /** The view that a click implies, and an event that a stream delivers again, are not reports of their own. */
  function note(events: LoggedEvent[], { repeated }: Batch): void {
    const reported = (kind: BilledKind) =>
      events.filter((event) => event.kind === kind && !event.implied).length;
    const known = { view: repeated?.totalImpressions ?? 0, click: repeated?.totalClicks ?? 0 };
    for (const kind of BILLED_KINDS) {
      tally.events[kind].repeated += known[kind];
      tally.events[kind].accepted += reported(kind) - known[kind];
    }
  }

  /** Counts the clicks first, because a landing belongs to a counted click. */
  async function countWithLandings(events: LoggedEvent[], receivedAt: Date): Promise<Batch> {
    const others = events.filter((event): event is AdEvent => !isLandingEvent(event));
    const landings = events.filter(isLandingEvent);
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('begin');
      const counted = others.length === 0 ? NOTHING : await countOn(client, others, receivedAt);
      await client.query({
        name: 'count_landings',
        text: COUNT_LANDINGS,
        values: [receivedAt, ...landingArraysOf(landings)],
      });
      await client.query('commit');
      return counted;
    } catch (error) {
      failure = error as Error;
      await client.query('rollback').then(
        () => (failure = undefined),
        () => {},
      );
      throw error;
    } finally {
      // A connection that could not roll back is closed.
      client.release(failure);
    }
  }

  return {
    count: async (events, receivedAt) => {
      await prepareDays(events);
      // Few clicks are measured, so nearly all batches need only one statement.
      const batch = events.some(isLandingEvent)
        ? await countWithLandings(events, receivedAt)
        : await countOn(pool, events as AdEvent[], receivedAt);
      note(events, batch);
      return batch.counted;
    },
    close: async () => await pool.end(),
  };
}

/** `repeated`: how many views and clicks were recorded before, if any. */
type Batch = { counted: Counted[]; repeated: { totalImpressions: number; totalClicks: number } | undefined };
const NOTHING: Batch = { counted: [], repeated: undefined };

type Client = Pick<pg.PoolClient, 'query'>;

// Writes PostgreSQL array literals by hand, because none of these values needs quoting and this skips pg's type checks.
function arraysOf(events: AdEvent[]): string[] {
  return [
    events.map((event) => event.issuedAtMs),
    events.map((event) => `"\\\\x${event.decisionId}"`),
    events.map((event) => event.kind),
    events.map((event) => event.adId),
    events.map((event) => event.zoneId),
    events.map((event) => event.reason ?? 'null'),
    events.map((event) => event.implied),
  ].map(literal);
}

const creativesOf = (events: AdEvent[]): string => literal(events.map((event) => event.creative));

function landingArraysOf(events: LandingEvent[]): string[] {
  return [
    events.map((event) => `"\\\\x${event.decisionId}"`),
    events.map((event) => event.issuedAtMs),
    events.map((event) => event.adId),
    events.map((event) => event.zoneId),
    events.map((event) => event.clickedAtMs),
    events.map((event) => event.kind === 'landing'),
  ].map(literal);
}

const literal = (values: unknown[]): string => `{${values.join(',')}}`;
