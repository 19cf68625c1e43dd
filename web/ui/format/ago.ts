const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** An instant of the wire as '3 hours ago'; within the last minute, and where clocks differ, 'just now'. */
export function formatAgo(instant: string, now: Date): string {
  const past = now.getTime() - new Date(instant).getTime();
  for (const [unit, length] of UNITS) {
    if (past >= length) return relative.format(-Math.floor(past / length), unit);
  }
  return 'just now';
}
