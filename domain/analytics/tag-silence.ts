/** Finds the hours in which a zone that usually requests ads requested none, and what such an hour cost. */
import { divideHalfUp } from '../money.ts';
import { HOUR_MS } from '../time.ts';

/** An hour is compared with the same hour of this many weeks before it. */
export const COMPARED_WEEKS = 4;
/** Of these weeks, at least this many must have had requests. A zone is therefore 'usual' until two weeks of silence. */
export const MIN_WEEKS = 3;
/**
 * The requests that these hours must have had on average. With ten, chance leaves about one hour in 22,000 without any
 * (Poisson), which is less than one in two years.
 */
export const MIN_REQUESTS = 10;

/** One hour without a request, and the same hour of the weeks before, as far as those had requests. */
export type EmptyHour = {
  /** The start, in milliseconds since 1970. */
  hour: number;
  weeks: number;
  requests: number;
  /** What ads by the view or click earned the publisher in these hours, in cents. */
  earnedCents: number;
  /** Whether an ad by the view or click ran in the zone in the empty hour. */
  isSold: boolean;
};

/** Consecutive hours of one zone without a request. */
export type Silence = {
  from: number;
  until: number;
  hours: number;
  /** The usual number of requests of these hours. */
  requests: number;
  /** At most this was lost. 0 if nothing by the view or click was sold. */
  cents: number;
};

/** The silences of one zone. `hours` are in order. */
export function silencesOf(hours: readonly EmptyHour[]): Silence[] {
  const found: Silence[] = [];
  for (const each of hours.filter(isSilent)) {
    const usual = {
      requests: divideHalfUp(each.requests, each.weeks),
      // Withdrawn traffic can make an hour's earnings negative. Silence brings nothing back.
      cents: each.isSold ? divideHalfUp(Math.max(0, each.earnedCents), each.weeks) : 0,
    };
    const last = found.at(-1);
    if (last?.until === each.hour) {
      last.until += HOUR_MS;
      last.hours += 1;
      last.requests += usual.requests;
      last.cents += usual.cents;
    } else found.push({ from: each.hour, until: each.hour + HOUR_MS, hours: 1, ...usual });
  }
  return found;
}

/** Whether chance does not explain that the hour had no request. */
function isSilent({ weeks, requests }: EmptyHour): boolean {
  return weeks >= MIN_WEEKS && requests >= weeks * MIN_REQUESTS;
}
