/**
 * Why a view or a click was not counted, and what each reason says of the event. The list is closed: the database rejects
 * any other word. The advertiser and the publisher can see the figures for each reason and day. Add new reasons at the
 * end, because tokens contain the index.
 *
 * 'request': a finding about the request, which proves nothing. 'amount': too many of one visitor, network or ad; each was
 * reported by a real page. 'unsold': a valid event that nobody pays for. 'late': nothing can be said of it.
 */
const ABOUT = {
  /** A speculative load: a prefetch, a prerender, or a click that is not a navigation. */
  prefetch: 'request',
  /** A declared robot, or a missing User-Agent. */
  bot: 'request',
  /** The page that showed the ad does not belong to the zone's website. */
  wrong_site: 'request',
  /** Reported sooner after the decision than the event can happen. */
  too_fast: 'request',
  /** The same visitor and ad again: a second click within half an hour, or more events than the daily maximum. */
  frequency: 'amount',
  /** The token was too old. */
  expired: 'late',
  /** The token was not made by this server, or was made for another purpose. */
  forged: 'request',
  /** The same event was recorded before. */
  duplicate: 'late',
  /** The ad was not running at that moment. */
  not_live: 'unsold',
  /** Everything that was bought had been delivered. The ad was shown as a bonus and is not billed. */
  over_goal: 'unsold',
  /** From an address in a data center. */
  data_center: 'request',
  /** More events by one visitor on one website than the velocity caps allow. */
  activity: 'amount',
  /** The headers are not those that the browser named in User-Agent sends. */
  not_a_browser: 'request',
  /** A click of a decision whose ad was never reported as rendered or viewed. */
  not_rendered: 'request',
  /** A report as a video player sends it, for an ad that is not a video. */
  wrong_format: 'request',
  /** More events from one network, or from the wider network around it, than the velocity caps allow. */
  network_cap: 'amount',
  /** More events from one network with the same kind of browser than the velocity caps allow. */
  browser_cap: 'amount',
  /** More events of one ad than the velocity caps allow. */
  ad_cap: 'amount',
  /** More events of all ad zones of one publisher than the velocity caps allow. */
  publisher_cap: 'amount',
  /** Beyond the daily ceiling of a new publisher. */
  ceiling: 'unsold',
  /** Counted at first, and withdrawn by the hourly comparison (domain/invalid-traffic). No event is stored with it. */
  withdrawn: 'request',
  /** Without the proof that a browser rendered the ad (render-proof.ts). */
  no_proof: 'request',
  /** A declared agent: a program that browses for a person, or an automated browser, and says so. */
  agent: 'request',
} as const satisfies Record<string, 'request' | 'amount' | 'unsold' | 'late'>;
export type Reason = keyof typeof ABOUT;

export const REASONS = Object.keys(ABOUT) as [Reason, ...Reason[]];

const reasonsThatAre = (...kinds: readonly (typeof ABOUT)[Reason][]) =>
  REASONS.filter((reason) => kinds.includes(ABOUT[reason]));

/** The reasons of invalid traffic. */
export const INVALID_REASONS = reasonsThatAre('request', 'amount');

/** An event with one of these passed every rule about its visitor. */
export const PASSING_REASONS = reasonsThatAre('unsold');

/** A report with one of these came from a real page, so it proves that the ad was rendered (count_events.sql). */
export const PROVING_REASONS = reasonsThatAre('amount', 'unsold');

/** The kinds of events that are billed. Each has its own token. */
export const BILLED_KINDS = ['view', 'click'] as const;
export type BilledKind = (typeof BILLED_KINDS)[number];

/**
 * The kinds of events that are reported for a decision. 'rendered' means that the ad was rendered, and was not viewable
 * before its page was left or covered. A view implies a rendered impression.
 */
export const EVENT_KINDS = [...BILLED_KINDS, 'rendered'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
