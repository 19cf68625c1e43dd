import type { AdPlan } from '../inventory/pricing.ts';
import { DAY_MS, HOUR_MS, later } from '../time.ts';
import type { AdStatus } from './status.ts';

/** A paid ad, and what was counted for it so far. */
export type Running = {
  plan: AdPlan;
  status: AdStatus;
  start: Date;
  delivered: Counted;
};
export type Counted = { impressions: number; clicks: number };

/** How much of what was bought is there: impressions or clicks, or days, of which the present one counts in full. */
export function progressOf(
  { plan, status, start, delivered }: Running,
  now: Date,
): { done: number; goal: number } {
  switch (plan.pricingModel) {
    case 'per_day': {
      const day = Math.floor((now.getTime() - start.getTime()) / DAY_MS) + 1;
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
  /** By days: the end is fixed. */
  | { kind: 'ends'; at: Date }
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
  const { plan, start, delivered } = ad;
  if (plan.pricingModel === 'per_day') {
    return ad.status === 'completed'
      ? { kind: 'reached' }
      : { kind: 'ends', at: later(start, plan.duration * DAY_MS) };
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
