/** Earnings of ads as they are delivered. The rule of the amounts is in domain/payments/earned.ts. [LEDG-01] */
import { deliveredSeconds } from '#domain/ads/delivered.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { centsOf } from '#domain/money.ts';
import { earnedOf, unitsBought } from '#domain/payments/earned.ts';
import { accrued } from '#domain/payments/ledger.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '../../context.ts';
import { inBatches } from '../../db/batches.ts';
import type { Tx } from '../../db/database.ts';
import { balancesOf } from './balances.ts';
import { post } from './post.ts';
import {
  type AdToEarn,
  type Due,
  findAdToEarn,
  findEarnings,
  findSold,
  keepEarnings,
  type KnownEarnings,
  listDue,
  listDueOf,
  lockAdToEarn,
  postpone,
  requestedHours,
  viewsByHour,
} from './store-earnings.ts';

/** An ad's earnings since its start, after `units` of `bought` units. */
export type Earned = { units: number; bought: number; publisherCents: number; commissionCents: number };

const ENTRY_EVERY_MS = HOUR_MS;
/** An ad whose accrual failed is left alone for this time, so that it does not hold up the others. */
const RETRY_AFTER_MS = 10 * MINUTE_MS;

/**
 * The units that an ad has delivered at `at`, which is now or at most minutes ago: counted impressions or clicks up to
 * the bought number, or seconds of its own clock. For an ad by the day that ended early, these are the units of its
 * last accrual, so accrue it before you end it. Throws if there is no such ad or it never ran.
 */
export async function deliveredUnits(tx: Tx, adId: number, at: Date): Promise<number> {
  const ad = await findAdToEarn(tx, adId);
  if (!ad) throw new Error(`There is no ad ${adId}`);
  return await unitsOf(tx, ad, await findEarnings(tx, adId), at);
}

/** Computes the earnings of an ad at `at`. Writes nothing. Null if the ad was never paid. */
export async function earnedAt(tx: Tx, adId: number, at: Date): Promise<Earned | null> {
  const ad = await findAdToEarn(tx, adId);
  const reckoned = ad && (await reckon(tx, ad, at));
  return reckoned && reckoned.earned;
}

/**
 * Posts the unposted earnings of an ad up to `at`, and returns its earnings since its start; null if it was never paid.
 * Locks the ad. Call it before the ad is ended: afterwards the clock of an ad by the day is not known any more. If
 * fewer units are delivered than before, because traffic was withdrawn, it posts a correction.
 *
 * An ad earns only from its deferred money. If a part of that was refunded, the last units earn nothing. `units`
 * replaces the units delivered at `at`, to honor a quote.
 */
export async function accrueAd(
  ctx: Context,
  tx: Tx,
  adId: number,
  at: Date,
  units?: number,
): Promise<Earned | null> {
  const ad = await lockAdToEarn(tx, adId);
  const reckoned = ad && (await reckon(tx, ad, at, units));
  if (!reckoned) return null;
  const { earned, before, paid } = reckoned;
  const publisherCents = earned.publisherCents - before.publisherCents;
  const commissionCents = earned.commissionCents - before.commissionCents;
  const isEntry = publisherCents !== 0 || commissionCents !== 0;
  if (isEntry) {
    const isCorrection = publisherCents < 0 || commissionCents < 0;
    const payable = isCorrection
      ? ((await balancesOf(tx, ['publisher_payable'], ad.publisherId, paid, true)).get('publisher_payable') ??
        0)
      : 0;
    await post(tx, {
      kind: isCorrection ? 'correction' : 'accrual',
      externalRef: `${adId}:${before.entries + 1}:${before.entryUnits}-${earned.units}`,
      ...paid,
      occurredAt: at,
      recordedAt: ctx.now(),
      adId,
      meta: { from: before.entryUnits, to: earned.units, of: earned.bought },
      entries: accrued(
        { id: adId, publisherId: ad.publisherId },
        { publisherCents, commissionCents },
        payable,
      ),
    });
  }
  await keepEarnings(tx, adId, {
    units: earned.units,
    publisherCents: earned.publisherCents,
    commissionCents: earned.commissionCents,
    entries: before.entries + (isEntry ? 1 : 0),
    entryUnits: isEntry ? earned.units : before.entryUnits,
    until: at,
    dueAt: ad.status === 'active' ? later(ctx.now(), ENTRY_EVERY_MS) : null,
  });
  return earned;
}

/**
 * Accrues the ads that are due: running ones every hour, and each ad whose end, new start or withdrawn traffic was noted
 * since (note_accrual_due and adjust_counters in server/db/functions). With `early`, it accrues all running ads, also
 * before their hour is over. Returns the number of ads. An ad that fails is logged and tried again later.
 */
export async function accrueDue(ctx: Context, { early = false } = {}): Promise<number> {
  const now = ctx.now();
  // An ad that is accrued now is due again after exactly that time.
  const until = early ? later(now, ENTRY_EVERY_MS - 1) : now;
  const due = inBatches<Due>((after, limit) => listDue(ctx.db, until, after, limit));
  let done = 0;
  for await (const { adId } of due) if (await accrueOne(ctx, adId, now)) done++;
  return done;
}

/** Accrues the earnings of a publisher's ads until now. */
export async function accrueFor(ctx: Context, publisherId: number): Promise<void> {
  const now = ctx.now();
  for (const adId of await listDueOf(ctx.db, publisherId)) await accrueOne(ctx, adId, now);
}

async function accrueOne(ctx: Context, adId: number, now: Date): Promise<boolean> {
  try {
    return await ctx.db.transaction().execute(async (tx) => {
      if (await accrueAd(ctx, tx, adId, now)) return true;
      // An ad without a payment has nothing to earn.
      await postpone(tx, adId, later(now, DAY_MS));
      return false;
    });
  } catch (error) {
    ctx.log.error({ err: error, adId }, 'the earnings of an ad could not be posted; trying again later');
    await postpone(ctx.db, adId, later(now, RETRY_AFTER_MS));
    return false;
  }
}

/** Computes the earnings of an ad at `at`, and reads the posted ones. Null if the ad was never paid. */
async function reckon(tx: Tx, ad: AdToEarn, at: Date, asked?: number) {
  const sold = await findSold(tx, ad.id);
  if (!sold) return null;
  const { paid, before } = sold;
  const bought = unitsBought(planOf(ad));
  if (before.isClosed) {
    const { units, publisherCents, commissionCents } = before;
    return { earned: { units, bought, publisherCents, commissionCents }, before, paid };
  }
  const units = asked ?? (await unitsOf(tx, ad, before, at));
  const price = { totalCents: centsOf(ad.totalAmount), commissionCents: centsOf(ad.commissionAmount) };
  const full = earnedOf(price, units, bought);
  const left = await balancesOf(tx, ['deferred_publisher', 'deferred_commission'], ad.id, paid);
  const earned: Earned = {
    units,
    bought,
    publisherCents: Math.min(
      full.publisherCents,
      before.publisherCents + (left.get('deferred_publisher') ?? 0),
    ),
    commissionCents: Math.min(
      full.commissionCents,
      before.commissionCents + (left.get('deferred_commission') ?? 0),
    ),
  };
  return { earned, before, paid };
}

async function unitsOf(tx: Tx, ad: AdToEarn, before: KnownEarnings | null, at: Date): Promise<number> {
  const plan = planOf(ad);
  switch (plan.pricingModel) {
    case 'per_impression':
      return Math.min(ad.totalImpressions, plan.impressions);
    case 'per_click':
      return Math.min(ad.totalClicks, plan.clicks);
    case 'per_day': {
      if (ad.status === 'completed')
        return (
          before?.settledUnits ?? (ad.endedReason === 'delivered' ? unitsBought(plan) : (before?.units ?? 0))
        );
      const { startDate, endDate, silentDays, heldSince } = ad;
      if (ad.status !== 'active' || !startDate || !endDate) throw new Error(`Ad ${ad.id} has no clock`);
      const dayBeganAt = ad.dayBeganAt ?? startDate;
      const countsFrom = ad.dayCountsFrom ?? dayBeganAt;
      const clock = {
        duration: plan.duration,
        startDate,
        endDate,
        dayBeganAt,
        countsFrom,
        silentDays,
        heldSince,
      };
      return deliveredSeconds(clock, at, await deliveryOf(tx, ad, later(countsFrom, -HOUR_MS)));
    }
  }
}

/**
 * Says which days of a per-day ad are delivered, from its hours after `after`. endDays in server/ads/clock/clock-store.ts judges
 * by the same rule.
 */
async function deliveryOf(tx: Tx, ad: AdToEarn, after: Date): Promise<(from: Date, to: Date) => boolean> {
  const { minDayViews } = ad;
  if (minDayViews === null) {
    const hours = await requestedHours(tx, ad.adZoneId, after);
    // Delivery is stored by the hour. An hour that only overlaps the day counts as part of it.
    return (from, to) => hours.some((hour) => hour > from.getTime() - HOUR_MS && hour < to.getTime());
  }
  const hours = await viewsByHour(tx, ad.id, after);
  return (from, to) => {
    const ended = hours.filter(({ ms }) => ms > from.getTime() - HOUR_MS && ms <= to.getTime() - HOUR_MS);
    return ended.reduce((sum, { n }) => sum + n, 0) >= minDayViews;
  };
}
