/**
 * Why a view or a click was not counted. The list is closed: the database refuses any other word, and both sides
 * of an ad can see the figures by reason and day. New reasons go to the end, because tokens carry the position.
 */
export const REASONS = [
  /** A speculative load: prefetch, prerender, or a click that is no navigation. */
  'prefetch',
  /** A declared robot, or no User-Agent at all. */
  'bot',
  /** The page that showed the ad is not of the website the zone belongs to. */
  'wrong_site',
  /** Reported sooner after the decision than the measured event can take. */
  'too_fast',
  /** The same visitor and the same ad too often: a click within half an hour of the last, or more than a day's share. */
  'frequency',
  /** The token was too old. */
  'expired',
  /** The token was not made by this server, or was made for another purpose. */
  'forged',
  /** The same event had been counted before. */
  'duplicate',
  /** The ad was not running at that moment. */
  'not_live',
  /** Everything that was bought had been delivered: shown as a bonus, not billed. */
  'over_goal',
  /** From an address of a data centre, where programs run and people do not sit. */
  'data_center',
  /** More clicks by a visitor, or events from one network, than people make. */
  'activity',
] as const;
export type Reason = (typeof REASONS)[number];

/** What is paid for; each has a token of its own. */
export const BILLED_KINDS = ['view', 'click'] as const;
export type BilledKind = (typeof BILLED_KINDS)[number];

/**
 * What is reported of an ad that was chosen. 'rendered' is for one that had been drawn, and not been viewable when its
 * page was left; a view stands for a rendered impression of its own.
 */
export const EVENT_KINDS = [...BILLED_KINDS, 'rendered'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
