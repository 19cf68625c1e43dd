/** The steps that a person has to take before something goes on, the most urgent first. */
export const WAITING_KINDS = ['pay', 'target', 'review', 'edit', 'payout', 'price', 'tag'] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** The steps that are listed at first, so that they don't push the figures below them out of sight. */
export const FIRST_WAITING = 3;
/** The most steps in one answer. */
export const MAX_WAITING = 100;
