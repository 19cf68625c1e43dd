import type { BilledKind, EventKind, Reason } from './reasons.ts';
import { VIEWABLE_MS, VIEWABLE_VIDEO_MS } from './wire.ts';

/** How long after the decision an event may be reported; server clocks only (delivery brief, 2.2). */
export const TOKEN_LIFETIME_MS: Record<BilledKind, number> = {
  view: 60 * 60 * 1000,
  click: 24 * 60 * 60 * 1000,
};
/** Copies of the server may disagree about the time by this much. */
export const CLOCK_SKEW_MS = 60 * 1000;
/** Nobody sees an ad, decides and clicks sooner than this after it was chosen. */
export const MIN_CLICK_MS = 400;
/** One billed click per visitor and ad within this time. */
export const CLICK_INTERVAL_MS = 30 * 60 * 1000;
/** Billed events of one visitor on one ad within a UTC day (delivery brief, 2.3). */
export const MAX_OF_AN_AD_PER_DAY: Record<BilledKind, number> = { view: 30, click: 3 };
/** Billed clicks of one visitor on one website within an hour of the clock (delivery brief, 2.3). */
export const MAX_CLICKS_PER_HOUR = 10;
/**
 * Billed events from one network (IPv4 /24, IPv6 /48) on one website within a minute of the clock. A carrier puts
 * thousands of people behind one network, so this stops bursts that no crowd makes, not a busy morning.
 */
export const MAX_FROM_A_NETWORK_PER_MINUTE: Record<BilledKind, number> = { view: 600, click: 60 };

/** What is known of a request before anything is looked up. */
export type Traffic = {
  prefetch: boolean;
  automated: boolean;
  dataCentre: boolean;
  foreignSite: boolean;
};

/** What was billed to whom, before the event that is being judged. */
export type Activity = {
  /** Another decision's click of this visitor on this ad counted within CLICK_INTERVAL_MS. */
  clickedBefore: boolean;
  /** Events of this kind by this visitor on this ad today. */
  ofAdToday: number;
  /** Clicks of this visitor on this website in this hour. */
  clicksThisHour: number;
  /** Events of this kind from this network on this website in this minute. */
  fromNetworkThisMinute: number;
};

/** The first rule that is hit, or null. An ad is shown all the same, and a click redirects. */
export function judgeTraffic(traffic: Traffic): Reason | null {
  if (traffic.prefetch) return 'prefetch';
  if (traffic.automated) return 'bot';
  if (traffic.dataCentre) return 'data_center';
  if (traffic.foreignSite) return 'wrong_site';
  return null;
}

/** Why an event does not count, or null. `decision` is what was found when the ad was chosen; `ageMs` the time since. */
export function judgeEvent(event: {
  kind: EventKind;
  video: boolean;
  ageMs: number;
  traffic: Traffic;
  decision: Reason | null;
}): Reason | null {
  const traffic = judgeTraffic(event.traffic);
  if (traffic) return traffic;
  if (event.decision) return event.decision;
  if (event.ageMs < leastAgeMs(event.kind, event.video)) return 'too_fast';
  return null;
}

/** Why one event more, with nothing else against it, is more than people do; null when it is not. */
export function judgeActivity(kind: BilledKind, activity: Activity): Reason | null {
  if (kind === 'click' && activity.clickedBefore) return 'frequency';
  if (activity.ofAdToday >= MAX_OF_AN_AD_PER_DAY[kind]) return 'frequency';
  if (kind === 'click' && activity.clicksThisHour >= MAX_CLICKS_PER_HOUR) return 'activity';
  if (activity.fromNetworkThisMinute >= MAX_FROM_A_NETWORK_PER_MINUTE[kind]) return 'activity';
  return null;
}

/** A viewable impression takes as long as its definition says, so an earlier report is impossible. */
export function leastAgeMs(kind: EventKind, video: boolean): number {
  if (kind === 'rendered') return 0;
  if (kind === 'click') return MIN_CLICK_MS;
  return video ? VIEWABLE_VIDEO_MS : VIEWABLE_MS;
}

/** 'expired' is both: too old, or dated so far ahead that no skew of our own clocks explains it. */
export function isExpired(kind: BilledKind, issuedAtMs: number, nowMs: number): boolean {
  const age = nowMs - issuedAtMs;
  return age > TOKEN_LIFETIME_MS[kind] || age < -CLOCK_SKEW_MS;
}
