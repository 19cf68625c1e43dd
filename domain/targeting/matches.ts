/** Decides whether an ad with limits is shown to a visitor. The limits are compiled once, because each ad request checks them. */
import { countryOfRegion, type Excludes, type Limits, type Targeting, timesOf, VISITOR } from './limits.ts';

/**
 * What is known about a visitor and their page. Null is unknown: it is never within a limit, and never excluded. Only an
 * unknown country may be allowed by `unknownCountry`.
 */
export type Facts = {
  readonly country: string | null;
  /** Such as 'US-CA'. */
  readonly region: string | null;
  /** The language that the visitor prefers, such as 'de'. */
  readonly language: string | null;
  readonly device: string | null;
  /** As in an address: '/sport/tennis', percent-encoded. */
  readonly path: string | null;
  readonly topics: readonly string[];
  /** The hour of the week on a clock, from 0 for Monday 0:00. `timezone` is an IANA name, or `visitor`. */
  hourOfWeek: (timezone: string) => number | null;
};

export type Check = (facts: Facts) => boolean;

type Clock = Pick<Facts, 'hourOfWeek'>;

const WEEK_HOURS = 7 * 24;

/** The subject of one limit. Countries and regions are one limit, days and hours another one, on one of two clocks. */
export type LimitedFact = 'device' | 'language' | 'place' | 'ownHour' | 'utcHour' | 'path' | 'topics';

/** The limits one by one. An ad is shown to visitors for whom all hold. */
export function limitsOf(targeting: Targeting): { fact: LimitedFact; check: Check }[] {
  const { languages, devices, paths, topics, timezone = VISITOR } = targeting;
  const limits: [LimitedFact, Part][] = [
    ['device', devices && oneOf(devices, ({ device }) => device)],
    ['language', languages && oneOf(languages, ({ language }) => language)],
    ['place', placeCheck(targeting)],
    [timezone === VISITOR ? 'ownHour' : 'utcHour', timeCheck(targeting, 'all')],
    ['path', paths && pathCheck(paths)],
    ['topics', topics && topicCheck(topics)],
  ];
  return limits.flatMap(([fact, check]) => (check === undefined ? [] : { fact, check }));
}

/** Returns the check whether a visitor is within these limits. */
export function within(targeting: Targeting): Check {
  const checks = limitsOf(targeting).map(({ check }) => check);
  return (facts) => {
    for (const check of checks) if (!check(facts)) return false;
    return true;
  };
}

/** Returns the check whether a visitor is excluded. */
export function excluded(excludes: Excludes): Check {
  const { countries, regions, languages, devices, paths, topics } = excludes;
  return any([
    devices && oneOf(devices, ({ device }) => device),
    languages && oneOf(languages, ({ language }) => language),
    countries && oneOf(countries, ({ country }) => country),
    regions && oneOf(regions, ({ region }) => region),
    timeCheck(excludes, 'any'),
    paths && pathCheck(paths),
    topics && topicCheck(topics),
  ]);
}

/** Whether the limits need what only the page knows: its path, its topics or the visitor's timezone. */
export function needsPage({ days, hours, timezone = VISITOR, paths, topics }: Limits): boolean {
  return (
    paths !== undefined || topics !== undefined || ((days ?? hours) !== undefined && timezone === VISITOR)
  );
}

/** Whether limits by a named timezone keep an ad from everybody at this hour. */
export function isOutOfHours(targeting: Targeting, clock: Clock): boolean {
  if ((targeting.timezone ?? VISITOR) === VISITOR) return false;
  const check = timeCheck(targeting, 'all');
  return check !== undefined && !check(clock);
}

type Part = Check | undefined;

function any(parts: readonly Part[]): Check {
  const checks = parts.filter((part) => part !== undefined);
  return (facts) => {
    for (const check of checks) if (check(facts)) return true;
    return false;
  };
}

function oneOf(values: readonly string[], factOf: (facts: Facts) => string | null): Check {
  const set: ReadonlySet<string | null> = new Set(values);
  return (facts) => set.has(factOf(facts));
}

function placeCheck({ countries, regions, unknownCountry }: Targeting): Part {
  if (!countries && !regions) return undefined;
  const narrowed = new Set(regions?.map(countryOfRegion));
  const whole = new Set(countries?.filter((country) => !narrowed.has(country)));
  const parts: ReadonlySet<string | null> = new Set(regions);
  return (facts) => {
    const { country } = facts;
    if (country === null) return unknownCountry === 'show';
    return whole.has(country) || (narrowed.has(country) && parts.has(facts.region));
  };
}

/** `join`: whether the hour has to be in both the days and the hours, or in any of them. */
function timeCheck(limits: Limits, join: 'all' | 'any'): ((clock: Clock) => boolean) | undefined {
  const { timezone = VISITOR } = limits;
  const { days, hours } = timesOf(limits);
  if (!days && !hours) return undefined;
  const week = Uint8Array.from({ length: WEEK_HOURS }, (_, hour) => {
    const isDay = days?.has(Math.floor(hour / 24));
    const isHour = hours?.has(hour % 24);
    return Number(
      join === 'all' ? (isDay ?? true) && (isHour ?? true) : (isDay ?? false) || (isHour ?? false),
    );
  });
  return (facts) => {
    const hour = facts.hourOfWeek(timezone);
    return hour !== null && week[hour] === 1;
  };
}

function pathCheck(patterns: readonly string[]): Check {
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return ({ path }) =>
    path !== null && (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)));
}

function topicCheck(topics: readonly string[]): Check {
  const set = new Set(topics);
  return (facts) => facts.topics.some((topic) => set.has(topic));
}
