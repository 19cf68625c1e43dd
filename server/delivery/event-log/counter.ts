import pg from 'pg';
import { utcDay } from '#domain/time.ts';
import type { AdEvent, Counted } from './event-log.ts';

const COUNT = `
  select ad_id as "adId", total_impressions as "totalImpressions", total_clicks as "totalClicks", completed
    from count_events($1::timestamptz, $2::float8[], $3::bytea[], $4::text[], $5::integer[], $6::integer[],
      $7::text[], $8::boolean[])`;

export type Counter = {
  /** Counts events in one transaction, as of the instant they were received. Again is the same as once. */
  count(events: AdEvent[], receivedAt: Date): Promise<Counted[]>;
  close(): Promise<void>;
};

/** The one way into the counters: server/db/functions/count_events.sql, called on connections of its own. */
export function createCounter(databaseUrl: string, connections: number): Counter {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    application_name: 'openslot events',
    connectionTimeoutMillis: 5000,
    // The database gives up first, so that what is answered 503 is not counted behind our back.
    statement_timeout: 8000,
    query_timeout: 10_000,
  });
  // A connection lost to a database restart is replaced at the next use; without a listener it ends the process.
  pool.on('error', () => {});
  const daysPrepared = new Set<string>();

  // The timed job makes partitions ahead; this is for the first day, for events that come late, and for clocks that jump.
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
        values: [receivedAt, ...arraysOf(events)],
      });
      return rows;
    },
    close: async () => await pool.end(),
  };
}

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
