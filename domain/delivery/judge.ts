import type { BilledKind, EventKind, Reason } from './reasons.ts';
import { VIEWABLE_MS, VIEWABLE_VIDEO_MS } from './wire.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';

/** How long after the decision an event may be reported. Only server clocks are compared. [DEL-07] */
export const TOKEN_LIFETIME_MS: Record<BilledKind, number> = {
  view: HOUR_MS,
  click: DAY_MS,
};
/** The clocks of two servers may differ by this much. */
export const CLOCK_SKEW_MS = MINUTE_MS;
/** No person sees an ad and clicks it sooner than this after the decision. */
export const MIN_CLICK_MS = 400;
/** At most one click of a visitor on an ad is billed within this time. [DEL-38] */
export const CLICK_INTERVAL_MS = 30 * MINUTE_MS;
/** The maximum of billed events of one visitor on one ad within a UTC day. [DEL-38] */
export const MAX_OF_AN_AD_PER_DAY: Record<BilledKind, number> = { view: 30, click: 3 };
/** The maximum of billed clicks of one visitor on one website, from one full hour to the next. [DEL-38] */
export const MAX_CLICKS_PER_HOUR = 10;
/**
 * The maximum of billed events from one network (IPv4 /24, IPv6 /48) on one website, from one full minute to the next,
 * under the traffic rules of development. Those of production have a lower one, see caps.ts. [DEL-38]
 */
export const MAX_FROM_A_NETWORK_PER_MINUTE: Record<BilledKind, number> = { view: 600, click: 60 };

/** A page may report the rendering of an ad this long after its click, and the click still counts. [IVT-02] */
export const MAX_CLICK_WAIT_MS = MINUTE_MS;
/**
 * The clicks of a video that count in a UTC day without a report of its rendering. A player must report 'Impression'
 * (VAST 4.2, 3.14), so a click without it is the exception. The limit keeps such clicks from paying a publisher much.
 * count_events.sql repeats this number and MAX_CLICK_WAIT_MS. [IVT-02]
 */
export const MAX_UNREPORTED_CLICKS_PER_DAY = 10;

/** The findings about a single request, without the history of its visitor. */
export type Traffic = {
  prefetch: boolean;
  automated: boolean;
  agent: boolean;
  /** The browser that the request names would not send such a request. */
  impossible: boolean;
  dataCentre: boolean;
  foreignSite: boolean;
};

/** The events of this visitor and network that counted before. */
export type Activity = {
  /** Whether a click of this visitor on this ad, from another decision, was counted within CLICK_INTERVAL_MS. */
  clickedBefore: boolean;
  /** Events of this kind by this visitor on this ad today. */
  ofAdToday: number;
  /** Clicks of this visitor on this website in this hour. */
  clicksThisHour: number;
  /** Events of this kind from this network on this website in this minute. */
  fromNetworkThisMinute: number;
};

/** The first rule that applies, or null. The ad is still shown, and a click still redirects. */
export function judgeTraffic(traffic: Traffic): Reason | null {
  if (traffic.prefetch) return 'prefetch';
  if (traffic.agent) return 'agent';
  if (traffic.automated) return 'bot';
  if (traffic.impossible) return 'not_a_browser';
  if (traffic.dataCentre) return 'data_center';
  if (traffic.foreignSite) return 'wrong_site';
  return null;
}

/**
 * Why an event does not count, or null. `decision` is the reason found when the ad was chosen, `ageMs` the time since.
 */
export function judgeEvent(event: {
  kind: EventKind;
  video: boolean;
  /** Whether it was reported as video players do, and whether its decision was made for one. */
  byPlayer: boolean;
  forPlayer: boolean;
  /** Whether it carries the proof that a browser rendered the ad, or needs none. */
  proven: boolean;
  ageMs: number;
  traffic: Traffic;
  decision: Reason | null;
}): Reason | null {
  const traffic = judgeTraffic(event.traffic);
  if (traffic) return traffic;
  if (event.decision) return event.decision;
  if (event.byPlayer && !event.forPlayer) return 'wrong_format';
  if (!event.proven) return 'no_proof';
  if (event.ageMs < minAgeMs(event.kind, event.video)) return 'too_fast';
  return null;
}

/** The velocity cap that one more event would exceed, or null. Call it only for events that pass all other rules. */
export function judgeActivity(kind: BilledKind, activity: Activity): Reason | null {
  if (kind === 'click' && activity.clickedBefore) return 'frequency';
  if (activity.ofAdToday >= MAX_OF_AN_AD_PER_DAY[kind]) return 'frequency';
  if (kind === 'click' && activity.clicksThisHour >= MAX_CLICKS_PER_HOUR) return 'activity';
  if (activity.fromNetworkThisMinute >= MAX_FROM_A_NETWORK_PER_MINUTE[kind]) return 'activity';
  return null;
}

/** The shortest time between decision and event. A viewable impression takes as long as its definition says. */
export function minAgeMs(kind: EventKind, video: boolean): number {
  if (kind === 'rendered') return 0;
  if (kind === 'click') return MIN_CLICK_MS;
  return video ? VIEWABLE_VIDEO_MS : VIEWABLE_MS;
}

/** Whether a token is too old, or dated further ahead than the servers' clocks may differ. */
export function isExpired(kind: BilledKind, issuedAtMs: number, nowMs: number): boolean {
  const age = nowMs - issuedAtMs;
  return age > TOKEN_LIFETIME_MS[kind] || age < -CLOCK_SKEW_MS;
}
