import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import { isStartDay, MAX_DAYS_AHEAD } from '#domain/ads/booking.ts';
import { invalid } from '#server/platform/http/errors.ts';

/**
 * Lets the booked days of running ads follow their ends, as far as slots are free. Call it after a statement that has moved
 * the ends, in its transaction (server/platform/database/functions/ads/follow_end_dates.sql).
 */
export async function followEndDates(tx: Tx, adIds: readonly number[], at: Date): Promise<void> {
  if (adIds.length > 0) await sql`select follow_end_dates(${adIds}, ${at})`.execute(tx);
}

/** Throws 400 unless an ad can start on this day. */
export function requireStart(day: string, today: string): void {
  if (isStartDay(day, today)) return;
  throw invalid(
    day < today
      ? 'This start has passed. Choose today or a later day.'
      : `An ad can start at most ${MAX_DAYS_AHEAD} days from today. Choose an earlier day.`,
    'startDate',
  );
}
