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

export const UNKNOWN_TIMEZONE =
  'We don’t know this timezone. Choose one of the list, or send its IANA name, such as Europe/Berlin.';
