import type { AdPlan } from '../inventory/pricing.ts';
import { DAY_MS, HOUR_MS, later } from '../time.ts';
import type { AdStatus } from './status.ts';

/** After this many silent days in a row, both sides are told, and the advertiser can end the campaign in one click. */
export const TOLD_SILENT_DAYS = 2;

/** A paid ad, and what has been counted for it so far. */
export type Running = {
  plan: AdPlan;
  status: AdStatus;
  start: Date;
  /** The end of a per-day ad, which does not yet include a current pause. */
  end: Date | null;
  /** When the current pause of its zone began. */
  pausedAt: Date | null;
  /** When its advertiser's pause began. */
  ownPauseAt: Date | null;
  /** The latest silent days in a row. */
  silentDays: number;
  delivered: Counted;
};
export type Counted = { impressions: number; clicks: number };

/**
 * How much of a purchase has been delivered, in impressions, clicks or days. Days are those of the ad's own clock, with
 * fractions. It stops while the zone is paused and goes back by one day for each silent day.
 */
export function progressOf(
  { plan, status, start, end, pausedAt, delivered }: Running,
  now: Date,
): { done: number; goal: number } {
  switch (plan.pricingModel) {
    case 'per_day': {
      const bought = plan.duration * DAY_MS;
      const left = (end?.getTime() ?? start.getTime() + bought) - (pausedAt ?? now).getTime();
      const days = (bought - left) / DAY_MS;
      const isOver = status === 'completed';
      return {
        done: isOver ? plan.duration : Math.max(0, Math.min(plan.duration, days)),
        goal: plan.duration,
      };
    }
    case 'per_impression':
      return { done: delivered.impressions, goal: plan.impressions };
    case 'per_click':
      return { done: delivered.clicks, goal: plan.clicks };
  }
}

/** When the ad is expected to have delivered everything that was bought. */
export type Outlook =
  | { kind: 'reached' }
  /** A per-day ad with a fixed end, which only silent days still move. */
  | { kind: 'ends'; at: Date; silentDays: number }
  /** Its advertiser has paused what waits then: bought views or clicks. */
  | { kind: 'paused-by-advertiser'; since: Date }
  /** Its zone is paused. `endMoves` is true for a per-day ad, which is extended by the length of the pause. */
  | { kind: 'paused'; since: Date; endMoves: boolean }
  /** Expected at the current pace. */
  | { kind: 'expected'; at: Date }
  /** More than two years away at the current pace. */
  | { kind: 'far' }
  /** There is no pace, because nothing has been counted. */
  | { kind: 'silent'; isNew: boolean }
  /** The ad started so few hours ago that the time of day would decide the pace. */
  | { kind: 'early' };

/** The number of complete days that decide the pace. */
export const PACE_DAYS = 7;
const EARLY_MS = 6 * HOUR_MS;
const FAR_MS = 2 * 365 * DAY_MS;

/**
 * The pace is that of the last `PACE_DAYS` complete days (`recent`); for a younger ad it is that since its start. Returns
 * undefined if `recent` is needed but not yet known.
 */
export function outlookOf(ad: Running, recent: Counted | undefined, now: Date): Outlook | undefined {
  const { plan, start, delivered, pausedAt, silentDays } = ad;
  if (pausedAt) return { kind: 'paused', since: pausedAt, endMoves: plan.pricingModel === 'per_day' };
  if (plan.pricingModel === 'per_day') {
    return ad.status === 'completed'
      ? { kind: 'reached' }
      : { kind: 'ends', at: ad.end ?? later(start, plan.duration * DAY_MS), silentDays };
  }
  const { done, goal } = progressOf(ad, now);
  if (done >= goal) return { kind: 'reached' };
  if (ad.ownPauseAt) return { kind: 'paused-by-advertiser', since: ad.ownPauseAt };
  const age = now.getTime() - start.getTime();
  // The window begins at midnight, so it can reach back almost one day further.
  const isYoung = age < (PACE_DAYS + 1) * DAY_MS;
  if (isYoung && age < EARLY_MS) return { kind: 'early' };
  const basis = isYoung ? delivered : recent;
  if (!basis) return undefined;
  const counted = plan.pricingModel === 'per_impression' ? basis.impressions : basis.clicks;
  if (counted === 0) return { kind: 'silent', isNew: done === 0 };
  const left = (goal - done) * ((isYoung ? age : PACE_DAYS * DAY_MS) / counted);
  return left > FAR_MS ? { kind: 'far' } : { kind: 'expected', at: later(now, left) };
}
