import type { BilledKind } from '#domain/delivery/reasons.ts';

/** A decision shows a paid ad, none, or is about a zone that the snapshot does not have. */
export const DECISION_OUTCOMES = ['ad', 'none', 'unknown'] as const;

/**
 * What became of a reported view or click. `accepted`: recorded, counted or filtered with a reason. `repeated`: the same
 * event was recorded before. `refused`: its token is invalid or too old, or it is a prefetch. `failed`: it could not be
 * recorded; the client got 503, or was redirected with 307.
 */
export const EVENT_OUTCOMES = ['accepted', 'repeated', 'refused', 'failed'] as const;
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

/** What this instance has done since its start. The ad server increments plain numbers, and a scrape reads them. */
export type Tally = {
  decisions: Record<(typeof DECISION_OUTCOMES)[number], number>;
  events: Record<BilledKind, Record<EventOutcome, number>>;
};

export function createTally(): Tally {
  const none = () => ({ accepted: 0, repeated: 0, refused: 0, failed: 0 });
  return { decisions: { ad: 0, none: 0, unknown: 0 }, events: { view: none(), click: none() } };
}
