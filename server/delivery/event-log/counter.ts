import pg from 'pg';
import { utcDay } from '#domain/time.ts';
import type { AdEvent, Counted } from './event-log.ts';

const COUNT = `
  select ad_id as "adId", total_impressions as "totalImpressions", total_clicks as "totalClicks", completed
    from count_events($1::timestamptz, $2::float8[], $3::bytea[], $4::text[], $5::integer[], $6::integer[],
      $7::text[], $8::boolean[], $9::boolean)`;

export type Counter = {
  /** Counts events in one transaction, as of `receivedAt`. Counting the same events again changes no counter. */
  count(events: AdEvent[], receivedAt: Date): Promise<Counted[]>;
  close(): Promise<void>;
};

/**
 * Calls the SQL function count_events, the only way into the counters, on a separate pool of connections. `ceilings`: new
 * publishers are billed up to their daily ceiling.
 */
export function createCounter(databaseUrl: string, connections: number, ceilings = false): Counter {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    application_name: 'openslot events',
    connectionTimeoutMillis: 5000,
    // The database must give up before the client does. Otherwise it could count events that were answered 503.
    statement_timeout: 8000,
    query_timeout: 10_000,
  });
  // The pool replaces a lost connection at its next use. Without a listener, the error would end the process.
  pool.on('error', () => {});
  const daysPrepared = new Set<string>();

  // A scheduled job creates partitions in advance. This covers the first day, late events, and clocks that jump.
  async function prepareDays(events: AdEvent[]): Promise<void> {
    for (const { issuedAtMs } of events) {
      const day = utcDay(new Date(issuedAtMs));
      if (daysPrepared.has(day)) continue;
      await pool.query('select ensure_event_partition($1)', [day]);
      if (daysPrepared.size > 10) daysPrepared.clear();
      daysPrepared.add(day);
    }
  }

  return {
    count: async (events, receivedAt) => {
      await prepareDays(events);
      const { rows } = await pool.query<Counted>({
        name: 'count_events',
        text: COUNT,
        values: [receivedAt, ...arraysOf(events), ceilings],
      });
      return rows;
    },
    close: async () => await pool.end(),
  };
}

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
  ].map((values) => `{${values.join(',')}}`);
}
