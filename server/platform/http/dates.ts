const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const INSTANT = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

// The server's pages and mails are in UTC: the server doesn't know the reader's timezone.

/** 'Nov 21, 2026' */
export function dayText(instant: Date): string {
  return DAY.format(instant);
}

/** 'Nov 21, 2026, 3:04 PM UTC' */
export function instantText(instant: Date): string {
  return `${INSTANT.format(instant)} UTC`;
}
