/** The measured viewability of an ad zone, and whether it has changed by more than half. [RES-96] */
import { viewableShareOf } from './yields.ts';

/** The last whole UTC days, and the days before them with which they are compared. */
export const RECENT_DAYS = 7;
export const BEFORE_DAYS = 28;
/** With fewer rendered ads, chance moves the share too much. */
export const MIN_RENDERED = 500;
/** A change by more than this part of what it was before. */
const LARGE = 0.5;

type Sums = { rendered: number; viewable: number };

export const CHANGES = ['fell', 'rose'] as const;

export type Placement = {
  /** The share of rendered ads that became viewable, from 0 to 1; null if too few were rendered. */
  recent: number | null;
  before: number | null;
  change: (typeof CHANGES)[number] | null;
};

export function placementOf(sums: { recent: Sums; before: Sums }): Placement {
  const [recent, before] = [shareOf(sums.recent), shareOf(sums.before)];
  const isLarge = recent !== null && before !== null && Math.abs(recent - before) > before * LARGE;
  return { recent, before, change: isLarge ? (recent < before ? 'fell' : 'rose') : null };
}

const shareOf = (sums: Sums): number | null => (sums.rendered < MIN_RENDERED ? null : viewableShareOf(sums));
