/**
 * The earnings of an ad since its start, from its row, what was posted before, and what was delivered since. The rule of
 * the amounts is in earned.ts. [LEDG-01]
 */
import {
  daysDelivered,
  deliveredSeconds,
  deliveredStretches,
  type RunningClock,
  type Stretch,
} from '../ads/delivered.ts';
import type { EndedReason } from '../ads/ended.ts';
import type { AdStatus } from '../ads/status.ts';
import { type PlanColumns, planOf } from '../inventory/pricing.ts';
import { earnedOf, type Price, unitsBought } from './earned.ts';
import {
  earnedByHour,
  eventsByHour,
  type HourEarnings,
  type HourUnits,
  secondsByHour,
} from './earned-hours.ts';
import type { Shares } from './refunds.ts';

/** An ad's earnings since its start, after `units` of `bought` units. */
export type Earned = Shares & { units: number; bought: number };

/** The fields of an ad that its earnings depend on. */
export type EarningAd = PlanColumns & {
  id: number;
  status: AdStatus;
  endedReason: EndedReason | null;
  totalImpressions: number;
  totalClicks: number;
  startDate: Date | null;
  endDate: Date | null;
  dayBeganAt: Date | null;
  dayCountsFrom: Date | null;
  minDayViews: number | null;
  silentDays: number;
  heldSince: Date | null;
};

/** The postings of a paid ad: its earnings until `until`, and its deferred money (`left`). */
export type Posted = Shares & {
  units: number;
  until: Date;
  isClosed: boolean;
  settledUnits: number | null;
  price: Price;
  left: Shares;
};

/** The delivery of an ad since its last posting. */
export type Delivery = {
  /** Views of the current day of a per-day ad; for other ads, events after the hour of the last accrual. */
  counted: readonly HourUnits[];
  /** The hours of the current day of a per-day ad in which its zone had ad requests. */
  requested: readonly number[];
  /** The pauses by the advertiser of a per-day ad that touch its current day or a later one. */
  paused: readonly Stretch[];
};

/** Computes the earnings of an ad at `at`. `asked` replaces the delivered units. */
export function earningsAt(
  ad: EarningAd,
  before: Posted,
  delivery: Delivery,
  at: Date,
  asked?: number,
): Earned {
  const bought = unitsBought(planOf(ad));
  const units = before.isClosed ? before.units : (asked ?? unitsOf(ad, before, delivery, at));
  const { publisherCents, commissionCents } = before.isClosed ? before : earnedAfter(ad, before, units);
  return { units, bought, publisherCents, commissionCents };
}

/** The earnings of an ad after `units`: at most what was posted before and what is still deferred. */
function earnedAfter(ad: EarningAd, before: Posted, units: number): Shares {
  const bought = unitsBought(planOf(ad));
  const full = earnedOf(before.price, Math.min(units, bought), bought);
  return {
    publisherCents: Math.min(full.publisherCents, before.publisherCents + before.left.publisherCents),
    commissionCents: Math.min(full.commissionCents, before.commissionCents + before.left.commissionCents),
  };
}

/** The earnings since the last accrual, by the hour of their delivery. */
export function earningsByHour(
  ad: EarningAd,
  before: Posted,
  delivery: Delivery,
  earned: Earned,
  at: Date,
): HourEarnings[] {
  const units = earned.units - before.units;
  const hours =
    ad.pricingModel === 'per_day'
      ? secondsByHour(stretchesOf(ad, delivery, at), units)
      : eventsByHour(delivery.counted, units, { from: before.until, to: at });
  return earnedByHour(hours, (after) => earnedAfter(ad, before, after), { before, after: earned, at });
}

function unitsOf(ad: EarningAd, before: Posted, delivery: Delivery, at: Date): number {
  const plan = planOf(ad);
  switch (plan.pricingModel) {
    case 'per_impression':
      return Math.min(ad.totalImpressions, plan.impressions);
    case 'per_click':
      return Math.min(ad.totalClicks, plan.clicks);
    case 'per_day': {
      if (ad.status === 'completed')
        return before.settledUnits ?? (ad.endedReason === 'delivered' ? unitsBought(plan) : before.units);
      const clock = clockOf(ad);
      if (!clock) throw new Error(`Ad ${ad.id} has no clock`);
      return deliveredSeconds(clock, at, daysDelivered(ad.minDayViews, delivery));
    }
  }
}

/** The delivered time of a per-day ad. An ad that has ended ran until its end. */
function stretchesOf(ad: EarningAd, delivery: Delivery, at: Date): Stretch[] {
  const clock = clockOf(ad);
  if (clock) return deliveredStretches(clock, at, daysDelivered(ad.minDayViews, delivery));
  return [{ from: -Infinity, to: Math.min(at.getTime(), ad.endDate?.getTime() ?? Infinity) }];
}

/** The clock of a running per-day ad; null for any other ad. */
export function clockOf(ad: EarningAd): RunningClock | null {
  const { startDate, endDate, silentDays, heldSince } = ad;
  const plan = planOf(ad);
  if (plan.pricingModel !== 'per_day' || ad.status !== 'active' || !startDate || !endDate) return null;
  const dayBeganAt = ad.dayBeganAt ?? startDate;
  const countsFrom = ad.dayCountsFrom ?? dayBeganAt;
  return { duration: plan.duration, startDate, endDate, dayBeganAt, countsFrom, silentDays, heldSince };
}
