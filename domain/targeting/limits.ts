/**
 * Where and to whom an ad is shown. An ad's `targeting` limits its visitors: each key that is set has to hold. A zone's
 * `excludes` keeps visitors from its paid ads: each value that is listed excludes. docs/decisions/103-targeting.md says why.
 */
export const DEVICES = ['phone', 'tablet', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

/** The timezone of each visitor's own clock. */
export const VISITOR = 'visitor';

/** From `from`:00 until `to`:00. If `to` is smaller, the hours go over midnight. */
export type Hours = { from: number; to: number };

/** Keys that are absent do not limit. */
export type Limits = {
  countries?: string[] | undefined;
  /** A country with one of its regions here is limited to these regions. */
  regions?: string[] | undefined;
  languages?: string[] | undefined;
  devices?: Device[] | undefined;
  days?: Day[] | undefined;
  hours?: Hours[] | undefined;
  /** The clock of `days` and `hours`: `visitor`, which is the default, or an IANA name. */
  timezone?: string | undefined;
  /** Paths of pages. A `*` at the end stands for any rest. */
  paths?: string[] | undefined;
  topics?: string[] | undefined;
};

export type Excludes = Limits;
/** `unknownCountry`: whether visitors whose country is unknown are shown an ad that is limited to countries or regions. */
export type Targeting = Limits & { unknownCountry?: 'show' | 'skip' | undefined };

export const LIMITING_KEYS = [
  'countries',
  'regions',
  'languages',
  'devices',
  'days',
  'hours',
  'paths',
  'topics',
] as const satisfies readonly (keyof Limits)[];

export const MAX_VALUES = 100;
export const MAX_PATH = 200;
export const MAX_TOPIC = 50;

/** Limits as the database has them, which were checked before they were stored (fields.ts). */
export const storedLimits = (json: unknown): Targeting | null => json as Targeting | null;

/** 'US-CA' -> 'US' */
export const countryOfRegion = (region: string): string => region.slice(0, 2);

/** The days of limits as numbers from 0 for Monday, and their hours from 0 to 23; null if a key is absent. */
export function timesOf({ days, hours }: Limits): { days: Set<number> | null; hours: Set<number> | null } {
  return {
    days: days ? new Set(days.map((day) => DAYS.indexOf(day))) : null,
    hours: hours ? new Set(hours.flatMap(hoursFrom)) : null,
  };
}

function hoursFrom({ from, to }: Hours): number[] {
  const count = to > from ? to - from : to - from + 24;
  return Array.from({ length: count }, (_, index) => (from + index) % 24);
}
