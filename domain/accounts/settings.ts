/** The choices in Settings, and the IANA names that are stored. [OP-105] */
export const TIMEZONES = {
  UTC: 'UTC',
  Eastern: 'America/New_York',
  Central: 'America/Chicago',
  Mountain: 'America/Denver',
  Pacific: 'America/Los_Angeles',
  London: 'Europe/London',
  Paris: 'Europe/Paris',
  Tokyo: 'Asia/Tokyo',
} as const;
export type TimezoneLabel = keyof typeof TIMEZONES;

/** Whether this is the IANA name of a timezone, such as 'Europe/Berlin'. A new account takes that of its browser. */
export function isTimezone(name: string): boolean {
  if (!/^(?:UTC|[A-Z]\w*(?:\/[\w+-]+)+)$/.test(name)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
