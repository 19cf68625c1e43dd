/**
 * Why a view or a click was not counted. The list is closed: the database rejects any other word. The advertiser and
 * the publisher can see the figures for each reason and day. Add new reasons at the end, because tokens contain the
 * index.
 */
export const REASONS = [
  /** A speculative load: a prefetch, a prerender, or a click that is not a navigation. */
  'prefetch',
  /** A declared robot, or a missing User-Agent. */
  'bot',
  /** The page that showed the ad does not belong to the zone's website. */
  'wrong_site',
  /** Reported sooner after the decision than the event can happen. */
  'too_fast',
  /** The same visitor and ad again: a second click within half an hour, or more events than the daily maximum. */
  'frequency',
  /** The token was too old. */
  'expired',
  /** The token was not made by this server, or was made for another purpose. */
  'forged',
  /** The same event was recorded before. */
  'duplicate',
  /** The ad was not running at that moment. */
  'not_live',
  /** Everything that was bought had been delivered. The ad was shown as a bonus and is not billed. */
  'over_goal',
  /** From an address in a data center. */
  'data_center',
  /** More events by one visitor on one website than the velocity caps allow. */
  'activity',
  /** The headers are not those that the browser named in User-Agent sends. */
  'not_a_browser',
  /** A click of a decision whose ad was never reported as rendered or viewed. */
  'not_rendered',
  /** A report as a video player sends it, for an ad that is not a video. */
  'wrong_format',
  /** More events from one network, or from the wider network around it, than the velocity caps allow. */
  'network_cap',
  /** More events from one network with the same kind of browser than the velocity caps allow. */
  'browser_cap',
  /** More events of one ad than the velocity caps allow. */
  'ad_cap',
  /** More events of all ad zones of one publisher than the velocity caps allow. */
  'publisher_cap',
  /** Beyond the daily ceiling of a new publisher. */
  'ceiling',
  /** Counted at first, and withdrawn by the hourly comparison (domain/invalid-traffic). No event is stored with it. */
  'withdrawn',
  /** Without the proof that a browser rendered the ad (render-proof.ts). */
  'no_proof',
  /** A declared agent: a program that browses for a person and signs its requests. */
  'agent',
] as const;
export type Reason = (typeof REASONS)[number];

/** These say nothing about the visitor: the event came late, twice, or when nothing of it could be billed. */
const NOT_ABOUT_TRAFFIC: ReadonlySet<Reason> = new Set([
  'expired',
  'duplicate',
  'not_live',
  'over_goal',
  'ceiling',
]);

/** The reasons of invalid traffic. */
export const INVALID_REASONS = REASONS.filter((reason) => !NOT_ABOUT_TRAFFIC.has(reason));

/** The kinds of events that are billed. Each has its own token. */
export const BILLED_KINDS = ['view', 'click'] as const;
export type BilledKind = (typeof BILLED_KINDS)[number];

/**
 * The kinds of events that are reported for a decision. 'rendered' means that the ad was rendered, and was not viewable
 * before its page was left or covered. A view implies a rendered impression.
 */
export const EVENT_KINDS = [...BILLED_KINDS, 'rendered'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
