import { MAX_DAYS_AHEAD } from '#domain/ads/booking.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { addDays } from '#domain/time.ts';

/** Throws 400 unless an ad can start on this day. */
export function requireStart(day: string, today: string): void {
  if (day < today) throw invalid('This start has passed. Choose today or a later day.', 'startDate');
  if (day > addDays(today, MAX_DAYS_AHEAD)) {
    throw invalid(
      `An ad can start at most ${MAX_DAYS_AHEAD} days from today. Choose an earlier day.`,
      'startDate',
    );
  }
}
