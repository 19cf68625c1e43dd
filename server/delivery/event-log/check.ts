/** The check of the event log for `openslot doctor`. */
import { sql } from 'kysely';
import { DAY_MS, later } from '#domain/time.ts';
import type { Config } from '#server/config.ts';
import type { Tx } from '#server/db/database.ts';
import { type Condition, EventLogUnusable } from './event-log.ts';

/** Asks NATS as a server does that starts with these settings. */
export async function checkNats(config: Config, installation: string): Promise<Condition> {
  const { eventLogUrl, eventLogMonitorUrls: monitorUrls, production } = config;
  // Loads the client of NATS here, because most commands do without it.
  const { openStream } = await import('./nats/stream.ts');
  const { createCondition } = await import('./nats/condition.ts');
  try {
    const stream = await openStream(eventLogUrl ?? '', { installation });
    try {
      return await createCondition({ installation, monitorUrls, production })(stream);
    } finally {
      await stream.connection.close();
    }
  } catch (error) {
    if (error instanceof EventLogUnusable) return { problem: error.message, unsynced: true };
    throw error;
  }
}

/** Those of today and tomorrow for which PostgreSQL has no partition of events. */
export async function missingPartitions(tx: Tx, now: Date): Promise<string[]> {
  const days = [now, later(now, DAY_MS)].map((day) => day.toISOString().slice(0, 10));
  const { rows } = await sql<{ day: string }>`
    select day from unnest(${days}::text[]) as day
      where to_regclass('ad_events_' || replace(day, '-', '')) is null`.execute(tx);
  return rows.map(({ day }) => day);
}
