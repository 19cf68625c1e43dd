/**
 * When a reason for refused reports is a fault of a website or of the whole installation: it takes nearly all of an hour's
 * views and clicks, where it did not before. Somebody then has to act, or say that it is expected.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';
import type { Reason } from './reasons.ts';

/** A reason is a fault above this share of the reports of an hour. */
export const FAULT_SHARE = 0.9;
/** Fewer reports in an hour show nothing. */
export const MIN_REPORTS = 50;
/** A fault is over when its share is not above this in later hours. The gap to FAULT_SHARE keeps it from coming and going. */
export const OVER_SHARE = 0.5;
/** A fault that was not seen for this long is over, even if there were too few reports to tell. */
export const UNSEEN_ENDS_MS = 7 * DAY_MS;

/** A reason is usual if it was as dominant in the same hour of so many of the days before. Then it is not a fault. */
export const COMPARED_DAYS = 7;
export const USUAL_DAYS = 3;

/** 'This is expected' holds for this long. */
export const EXPECTED_MS = 30 * DAY_MS;
/** The mail waits for this long, so that what a request said about the cause is stored on every server. */
export const TELL_AFTER_MS = MINUTE_MS;
/**
 * An hour was busy only if so many of its views counted, because a view needs the proof of a rendered ad and passes the limits
 * of a network. Anybody can send requests.
 */
export const MIN_SEEN = 10;
/** The rest of the last hour is counted within this time. */
export const COUNTED_AFTER_MS = 5 * MINUTE_MS;

/**
 * The visitors who share one private address are a fault of the installation above this share, because honest visitors
 * never have one. The others of an installation may come by IPv4 while these come by IPv6.
 */
export const PRIVATE_SHARE = 0.1;

export const FAULT_KINDS = [
  'no_proof',
  'repeated',
  'limits',
  'wrong_site',
  'bot',
  'not_a_browser',
  'data_center',
  'forged',
  'wrong_format',
  'not_rendered',
  'too_fast',
  'silent',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The fault of each reason; null with the reason why it cannot be one, even at 100 %. */
export const FAULT_OF: Readonly<Record<Reason, FaultKind | null>> = {
  no_proof: 'no_proof',
  // An answer that is used again reports first twice, and an hour later too late.
  duplicate: 'repeated',
  expired: 'repeated',
  // Visitors who look like one reach one of these limits, whichever comes first.
  frequency: 'limits',
  activity: 'limits',
  network_cap: 'limits',
  browser_cap: 'limits',
  wrong_site: 'wrong_site',
  // Only if the requests do not name a robot, but a proxy or nothing. Robots visit every website. See fault-causes.ts.
  bot: 'bot',
  not_a_browser: 'not_a_browser',
  data_center: 'data_center',
  forged: 'forged',
  wrong_format: 'wrong_format',
  not_rendered: 'not_rendered',
  too_fast: 'too_fast',
  // Agents say what they are, and visit every website, as robots do.
  agent: null,
  // The browser loads a page in advance. The visit itself is judged when it comes.
  prefetch: null,
  // The campaign has ended, and pages that are still open report it.
  not_live: null,
  // A bonus: everything that was bought had been delivered.
  over_goal: null,
  // The publisher is new. The daily ceiling is shown with its own explanation.
  ceiling: null,
  // Above these limits, hundreds of events in a minute were counted before.
  ad_cap: null,
  publisher_cap: null,
  // Both sides got a mail of its own.
  withdrawn: null,
};

/** The sum of the events of an hour with one reason. '' is the reason of those that counted. */
export type ReasonSum = {
  /** An ad request. Otherwise a reported view or click. */
  isRequest: boolean;
  reason: Reason | '';
  n: number;
};

export type Dominance = {
  kind: FaultKind;
  /** The events: reported views and clicks, or ad requests where there are too few reports. */
  counted: 'reports' | 'requests';
  total: number;
  refused: number;
};

/**
 * The fault that takes more than FAULT_SHARE of these events; null if none does, or there are too few. Anybody can send forged
 * reports, so they hide no other fault.
 */
export function dominanceOf(sums: readonly ReasonSum[]): Dominance | null {
  const others = dominantOf(countedOf(withoutForged(sums)));
  if (others !== null) return others;
  const all = dominantOf(countedOf(sums));
  return all?.kind === 'forged' ? all : null;
}

function dominantOf(sums: ReturnType<typeof countedOf>): Dominance | null {
  if (sums === null) return null;
  const { counted, total, byKind } = sums;
  for (const [kind, refused] of byKind)
    if (refused > total * FAULT_SHARE) return { kind, counted, total, refused };
  return null;
}

export const withoutForged = <Sum extends ReasonSum>(sums: readonly Sum[]): Sum[] =>
  sums.filter(({ reason }) => reason !== 'forged');

/** Whether these later events show that a fault is over. */
export function showsEnd(kind: FaultKind, sums: readonly ReasonSum[]): boolean {
  const counted = countedOf(kind === 'forged' ? sums : withoutForged(sums));
  return counted !== null && (counted.byKind.get(kind) ?? 0) <= counted.total * OVER_SHARE;
}

/** Whether a fault was in the same hour of enough of the days before. `days` has the events of each of these hours. */
export function isUsual(kind: FaultKind, days: readonly (readonly ReasonSum[])[]): boolean {
  return days.filter((sums) => dominanceOf(sums)?.kind === kind).length >= USUAL_DAYS;
}

/** Whether an hour without an ad request is a fault, by the requests of the same hour before; null: no request on that day. */
export function isSilent(dayBefore: number, weekBefore: number | null): boolean {
  return dayBefore >= MIN_REPORTS && (weekBefore === null || weekBefore >= MIN_REPORTS);
}

/** The start of the hour to look at: the current hour. In its first five minutes it is the hour before, which is still counted. */
export function hourToJudge(now: Date): Date {
  const atMs = now.getTime() - COUNTED_AFTER_MS;
  return new Date(atMs - (atMs % HOUR_MS));
}

/** The reports if there are enough, or else the requests: a player that cannot read its answer reports nothing. */
function countedOf(sums: readonly ReasonSum[]) {
  for (const counted of ['reports', 'requests'] as const) {
    const own = sums.filter(({ isRequest }) => isRequest === (counted === 'requests'));
    let total = 0;
    const byKind = new Map<FaultKind, number>();
    for (const { reason, n } of own) {
      const kind = reason === '' ? null : FAULT_OF[reason];
      // An event that can be no fault says nothing about the others.
      if (reason !== '' && kind === null) continue;
      total += n;
      if (kind !== null) byKind.set(kind, (byKind.get(kind) ?? 0) + n);
    }
    if (total < MIN_REPORTS) continue;
    return { counted, total, byKind };
  }
  return null;
}
