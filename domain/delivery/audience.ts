/**
 * The audience of an ad zone: the votes of networks (votes.ts) on each fact of a request, summed by value. Each fact is summed
 * by itself, so no sum tells what one visitor was like. (docs/decisions/139-audience-sums.md)
 */
import { hourOfWeek } from '../targeting/hour-of-week.ts';
import { countryOfRegion, MAX_PATH, MAX_TOPIC, type Targeting, VISITOR } from '../targeting/limits.ts';
import { type Facts, type LimitedFact, limitsOf } from '../targeting/matches.ts';
import { minVotes, votesOfNetwork } from './votes.ts';

export const AUDIENCE_DAYS = 28;

/** With fewer votes, one network would move a share by more than 5 points, and chance by more than 10. */
export const MIN_AUDIENCE_VOTES = minVotes(AUDIENCE_DAYS);

/** Pages and topics with fewer votes are not offered, because they would tell of single visits. */
export const MIN_OFFERED_VOTES = 20;

/** The value of a fact that is not known, and of a page without topics. */
export const UNKNOWN = '';
/** Clients can invent values of these, so an ad zone has at most MAX_INVENTED_VALUES of each in a week. */
export const INVENTED_FACTS: readonly LimitedFact[] = ['language', 'path', 'topics'];
export const MAX_INVENTED_VALUES = 100;
/** The value that sums all others. No request can have it: paths begin with a slash, and the rest is in small letters. */
export const OTHERS = 'OTHERS';

/** How a fact is written as a text, and what is known of a visitor of whom nothing but this text is known. */
const SPELLINGS: Record<
  LimitedFact,
  { write: (facts: Facts) => string | null; read: (value: string, nowMs: number) => Partial<Facts> }
> = {
  device: { write: ({ device }) => device, read: (device) => ({ device }) },
  language: { write: ({ language }) => language, read: (language) => ({ language }) },
  place: {
    write: ({ country, region }) => region ?? country,
    read: (place) => ({ country: countryOfRegion(place), region: place }),
  },
  ownHour: {
    write: (facts) => numberText(facts.hourOfWeek(VISITOR)),
    read: (hour) => ({ hourOfWeek: () => Number(hour) }),
  },
  utcHour: {
    write: (facts) => numberText(facts.hourOfWeek('UTC')),
    read: (hour, nowMs) => ({ hourOfWeek: (timezone) => hourIn(timezone, Number(hour), nowMs) }),
  },
  // One character more than a limit can have, so that a longer path never equals one.
  path: { write: ({ path }) => path?.slice(0, MAX_PATH + 1) ?? null, read: (path) => ({ path }) },
  topics: {
    write: ({ topics }) => [...new Set(topics.filter(isTopic))].toSorted().join(),
    read: (topics) => ({ topics: topicsOf(topics) }),
  },
};

export const AUDIENCE_FACTS = Object.keys(SPELLINGS) as LimitedFact[];

/** The value of each fact of a request. */
export function audienceValues(facts: Facts): [LimitedFact, string][] {
  return AUDIENCE_FACTS.map((fact) => [fact, SPELLINGS[fact].write(facts) ?? UNKNOWN]);
}

/** The votes on each value of each fact. */
export type Audience = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** A part of a zone's views, from 0 to 1. */
export type AudienceShare = {
  likely: number;
  /** As it would be if one network had cast all the votes that it can against it. What is owed for money follows this one. */
  most: number;
};

/**
 * The part of the views of an ad zone that is within the limits, by the check that chooses its ads; null if too few networks
 * have voted. The limits are taken for independent of each other, so the part is the product of those of each.
 */
export function shareWithin(targeting: Targeting, audience: Audience, nowMs: number): AudienceShare | null {
  const share = { likely: 1, most: 1 };
  for (const { fact, check } of limitsOf(targeting)) {
    let [all, matching] = [0, 0];
    for (const [value, votes] of audience.get(fact) ?? []) {
      all += votes;
      if (check(factsOf(fact, value, nowMs))) matching += votes;
    }
    if (all < MIN_AUDIENCE_VOTES) return null;
    share.likely *= matching / all;
    share.most *= Math.min(1, (matching + votesOfNetwork(AUDIENCE_DAYS)) / all);
  }
  return share;
}

/** The values of a fact that an advertiser can limit an ad to, those with the most votes first. */
export function offeredValues(fact: 'path' | 'topics', audience: Audience): string[] {
  const votes = new Map<string, number>();
  for (const [value, n] of audience.get(fact) ?? []) {
    if (value === UNKNOWN || value === OTHERS || value.length > MAX_PATH) continue;
    for (const each of fact === 'topics' ? topicsOf(value) : [value])
      votes.set(each, (votes.get(each) ?? 0) + n);
  }
  return [...votes]
    .filter(([, n]) => n >= MIN_OFFERED_VOTES)
    .toSorted(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))
    .map(([value]) => value);
}

const NOTHING: Facts = {
  country: null,
  region: null,
  language: null,
  device: null,
  path: null,
  topics: [],
  hourOfWeek: () => null,
};

function factsOf(fact: LimitedFact, value: string, nowMs: number): Facts {
  if (value === UNKNOWN) return NOTHING;
  return { ...NOTHING, ...SPELLINGS[fact].read(value, nowMs) };
}

const numberText = (number: number | null): string | null => (number === null ? null : String(number));
const topicsOf = (value: string): string[] => (value === UNKNOWN ? [] : value.split(','));
const isTopic = (topic: string): boolean => topic.length <= MAX_TOPIC && !/\p{Cc}/u.test(topic);

/** The hour of the week in a timezone at an hour of the week in UTC, by today's difference between the two clocks. */
function hourIn(timezone: string, hour: number, nowMs: number): number | null {
  const there = hourOfWeek(timezone, nowMs);
  const here = hourOfWeek('UTC', nowMs);
  return there === null || here === null ? null : (hour + there - here + WEEK_HOURS) % WEEK_HOURS;
}
const WEEK_HOURS = 7 * 24;
