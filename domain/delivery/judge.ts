import type { EventKind, Reason } from './reasons.ts';
import { VIEWABLE_MS, VIEWABLE_VIDEO_MS } from './wire.ts';

/** How long after the decision an event may be reported; server clocks only (delivery brief, 2.2). */
export const TOKEN_LIFETIME_MS: Record<EventKind, number> = {
  view: 60 * 60 * 1000,
  click: 24 * 60 * 60 * 1000,
};
/** Copies of the server may disagree about the time by this much. */
export const CLOCK_SKEW_MS = 60 * 1000;
/** Nobody sees an ad, decides and clicks sooner than this after it was chosen. */
export const MIN_CLICK_MS = 400;
/** One billed click per visitor and ad within this time. */
export const CLICK_INTERVAL_MS = 30 * 60 * 1000;

/** What is known of a request before anything is looked up. */
export type Traffic = {
  prefetch: boolean;
  automated: boolean;
  foreignSite: boolean;
};

/** The first rule that is hit, or null. An ad is shown all the same, and a click redirects. */
export function judgeTraffic(traffic: Traffic): Reason | null {
  if (traffic.prefetch) return 'prefetch';
  if (traffic.automated) return 'bot';
  if (traffic.foreignSite) return 'wrong_site';
  return null;
}

/**
 * Why an event does not count, or null. `decision` is what was found when the ad was chosen; `ageMs` the time since
 * then; `clickedBefore` whether this visitor's click on this ad was counted within CLICK_INTERVAL_MS.
 */
export function judgeEvent(event: {
  kind: EventKind;
  video: boolean;
  ageMs: number;
  traffic: Traffic;
  decision: Reason | null;
  clickedBefore: boolean;
}): Reason | null {
  const traffic = judgeTraffic(event.traffic);
  if (traffic) return traffic;
  if (event.decision) return event.decision;
  if (event.ageMs < leastAgeMs(event.kind, event.video)) return 'too_fast';
  if (event.clickedBefore) return 'frequency';
  return null;
}

/** A viewable impression takes as long as its definition says, so an earlier report is impossible. */
export function leastAgeMs(kind: EventKind, video: boolean): number {
  if (kind === 'click') return MIN_CLICK_MS;
  return video ? VIEWABLE_VIDEO_MS : VIEWABLE_MS;
}

/** 'expired' is both: too old, or dated so far ahead that no skew of our own clocks explains it. */
export function isExpired(kind: EventKind, issuedAtMs: number, nowMs: number): boolean {
  const age = nowMs - issuedAtMs;
  return age > TOKEN_LIFETIME_MS[kind] || age < -CLOCK_SKEW_MS;
}
