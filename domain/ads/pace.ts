import type { AdPlan } from '../inventory/pricing.ts';
import { DAY_MS, HOUR_MS, later } from '../time.ts';
import type { AdStatus } from './status.ts';

/** A paid ad, and what was counted for it so far. */
export type Running = {
  plan: AdPlan;
  status: AdStatus;
  start: Date;
  /** Of a per-day ad; a pause that lasts is not yet in it. */
  end: Date | null;
  /** Since when its zone is paused. */
  pausedAt: Date | null;
  /** Days up to now in which its page asked for no ad. */
  silentDays: number;
  delivered: Counted;
};
export type Counted = { impressions: number; clicks: number };

/**
 * How much of what was bought is there: impressions or clicks, or days, of which the present one counts in full. Days
 * are of the ad's own clock: it stands still while the zone is paused, and goes back for what is given again.
 */
export function progressOf(
  { plan, status, start, end, pausedAt, delivered }: Running,
  now: Date,
): { done: number; goal: number } {
  switch (plan.pricingModel) {
    case 'per_day': {
      const bought = plan.duration * DAY_MS;
      const left = (end?.getTime() ?? start.getTime() + bought) - (pausedAt ?? now).getTime();
      const day = Math.floor((bought - left) / DAY_MS) + 1;
      const isOver = status === 'completed';
      return {
        done: isOver ? plan.duration : Math.max(1, Math.min(plan.duration, day)),
        goal: plan.duration,
      };
    }
    case 'per_impression':
      return { done: delivered.impressions, goal: plan.impressions };
    case 'per_click':
      return { done: delivered.clicks, goal: plan.clicks };
  }
}

/** When what was bought will have been delivered, as far as that can be said. */
export type Outlook =
  | { kind: 'reached' }
  /** By days: the end is fixed, but for days without a request, which are given again. */
  | { kind: 'ends'; at: Date; silentDays: number }
  /** Its zone is paused; what was bought by the day ends later by as long. */
  | { kind: 'paused'; since: Date; endMoves: boolean }
  /** At the present pace. */
  | { kind: 'expected'; at: Date }
  /** At the present pace in more than two years. */
  | { kind: 'far' }
  /** Nothing was counted, so there is no pace. */
  | { kind: 'silent'; isNew: boolean }
  /** Started a few hours ago: night or day alone would decide. */
  | { kind: 'early' };

/** Of complete days. */
export const PACE_DAYS = 7;
const EARLY_MS = 6 * HOUR_MS;
const FAR_MS = 2 * 365 * DAY_MS;

/**
 * The pace is that of the last `PACE_DAYS` complete days (`recent`), of a younger ad that since its start. Undefined
 * while `recent` is needed and not known.
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
  const age = now.getTime() - start.getTime();
  // One day more, because the window begins at a midnight.
  const isYoung = age < (PACE_DAYS + 1) * DAY_MS;
  if (isYoung && age < EARLY_MS) return { kind: 'early' };
  const basis = isYoung ? delivered : recent;
  if (!basis) return undefined;
  const counted = plan.pricingModel === 'per_impression' ? basis.impressions : basis.clicks;
  if (counted === 0) return { kind: 'silent', isNew: done === 0 };
  const left = (goal - done) * ((isYoung ? age : PACE_DAYS * DAY_MS) / counted);
  return left > FAR_MS ? { kind: 'far' } : { kind: 'expected', at: later(now, left) };
}
