import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * Lets the booked days of running ads follow their ends, as far as slots are free. Call it after a statement that has moved
 * the ends, in its transaction (server/platform/database/functions/ads/follow_end_dates.sql).
 */
export async function followEndDates(tx: Tx, adIds: readonly number[], at: Date): Promise<void> {
  if (adIds.length > 0) await sql`select follow_end_dates(${adIds}, ${at})`.execute(tx);
}
