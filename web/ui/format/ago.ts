import { once } from '#domain/once.ts';

const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }));

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** An ISO 8601 instant as '3 hours ago'; 'just now' within the last minute or if the clocks differ. */
export function formatAgo(instant: string, now: Date): string {
  const past = now.getTime() - new Date(instant).getTime();
  for (const [unit, length] of UNITS) {
    if (past >= length) return relative().format(-Math.floor(past / length), unit);
  }
  return 'just now';
}
