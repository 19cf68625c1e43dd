/** The check of the event log for `openslot doctor`. */
import { sql } from 'kysely';
import { DAY_MS, later } from '#domain/time.ts';
import type { Tx } from '#server/db/database.ts';
import { EventLogUnusable } from './event-log.ts';

/** Null if NATS answers with our stream; otherwise a sentence about the problem. */
export async function checkNats(url: string): Promise<string | null> {
  // Loads the client of NATS here, because most commands do without it.
  const { openStream } = await import('./nats/stream.ts');
  try {
    const { connection } = await openStream(url);
    await connection.close();
    return null;
  } catch (error) {
    if (error instanceof EventLogUnusable) return error.message;
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
