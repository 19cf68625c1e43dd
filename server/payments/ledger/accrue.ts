/** Earnings of ads as they are delivered. The rule of the amounts is in domain/payments/earned.ts. [LEDG-01] */
import {
  daysDelivered,
  deliveredSeconds,
  deliveredStretches,
  type RunningClock,
  type Stretch,
} from '#domain/ads/delivered.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { earnedOf, unitsBought } from '#domain/payments/earned.ts';
import {
  earnedByHour,
  eventsByHour,
  type HourEarnings,
  type HourUnits,
  secondsByHour,
} from '#domain/payments/earned-hours.ts';
import { accrued } from '#domain/payments/ledger.ts';
import type { Shares } from '#domain/payments/refunds.ts';
import { DAY_MS, HOUR_MS, hourOf, later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '../../context.ts';
import { inBatches } from '../../db/batches.ts';
import type { Tx } from '../../db/database.ts';
import { balancesOf } from './balances.ts';
import { post } from './post.ts';
import { settleTax } from './tax.ts';
import {
  addEarnedHours,
  type AdToEarn,
  countedHours,
  type Due,
  keepEarnings,
  listAdsToEarn,
  listDue,
  listDueOf,
  listSold,
  lockAdToEarn,
  postpone,
  requestedHours,
  type Sold,
} from './store-earnings.ts';

/** An ad's earnings since its start, after `units` of `bought` units. */
export type Earned = { units: number; bought: number; publisherCents: number; commissionCents: number };

const ENTRY_EVERY_MS = HOUR_MS;
/** An ad whose accrual failed is left alone for this time, so that it does not hold up the others. */
const RETRY_AFTER_MS = 10 * MINUTE_MS;

/**
 * The units that a paid ad has delivered at `at`, which is now or at most minutes ago: counted impressions or clicks up to
 * the bought number, or seconds of its own clock. For an ad by the day that ended early, these are the units of its
 * last accrual, so accrue it before you end it. Throws if there is no such ad or it was never paid.
 */
export async function deliveredUnits(tx: Tx, adId: number, at: Date): Promise<number> {
  const earned = await earnedAt(tx, adId, at);
  if (!earned) throw new Error(`Ad ${adId} was never paid`);
  return earned.units;
}

/** Computes the earnings of an ad at `at`. Writes nothing. Null if the ad was never paid. */
export async function earnedAt(tx: Tx, adId: number, at: Date): Promise<Earned | null> {
  return (await earnedOfAds(tx, [adId], at)).get(adId) ?? null;
}

/** Computes the earnings at `at` of those of these ads that were paid. Writes nothing. */
export async function earnedOfAds(tx: Tx, adIds: readonly number[], at: Date): Promise<Map<number, Earned>> {
  const reckoned = await reckonAds(tx, adIds, at);
  return new Map(reckoned.map(({ ad, earned }) => [ad.id, earned]));
}

/** An ad's price without refunds and lost disputes: what is delivered, and what is not delivered yet. */
export type AdMoney = { delivered: Shares; notDelivered: Shares };

/** The money of those of these ads that were paid, at `at`, in the shares of publisher and marketplace. [FIG-02] */
export async function moneyOfAds(tx: Tx, adIds: readonly number[], at: Date): Promise<Map<number, AdMoney>> {
  const reckoned = await reckonAds(tx, adIds, at);
  return new Map(
    reckoned.map(({ ad, earned, before }) => [
      ad.id,
      {
        delivered: {
          publisherCents: earned.publisherCents - before.taken.publisherCents,
          commissionCents: earned.commissionCents - before.taken.commissionCents,
        },
        notDelivered: {
          publisherCents: before.left.publisherCents + before.publisherCents - earned.publisherCents,
          commissionCents: before.left.commissionCents + before.commissionCents - earned.commissionCents,
        },
      },
    ]),
  );
}

/** The earnings of these ads at `at` that are not posted yet, by the hour of their delivery. Writes nothing. [FIG-01] */
export async function unpostedHours(
  tx: Tx,
  adIds: readonly number[],
  at: Date,
): Promise<(HourEarnings & { adId: number })[]> {
  const reckoned = await reckonAds(tx, adIds, at);
  return reckoned.flatMap((each) => hoursOf(each, at).map((hour) => ({ adId: each.ad.id, ...hour })));
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
  const facts = ad && (await factsOf(tx, [ad])).get(adId);
  if (!facts) return null;
  const reckoned = reckon(ad, facts, at, units);
  const { earned, before } = reckoned;
  const paid = { book: before.book, currency: before.currency };
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
    await addEarnedHours(tx, adId, hoursOf(reckoned, at));
    await settleTax(ctx, tx, adId, `accrual:${before.entries + 1}`);
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

/** The postings of an ad, and the delivery since then that its earnings depend on. */
type Facts = {
  before: Sold;
  /** Views of the current day of a per-day ad; for other ads, events after the hour of the last accrual. */
  counted: readonly HourUnits[];
  /** The hours of the current day of a per-day ad in which its zone had ad requests. */
  requested: readonly number[];
};

type Reckoned = Facts & { ad: AdToEarn; earned: Earned };

async function reckonAds(tx: Tx, adIds: readonly number[], at: Date): Promise<Reckoned[]> {
  if (adIds.length === 0) return [];
  const ads = await listAdsToEarn(tx, adIds);
  const facts = await factsOf(tx, ads);
  return ads.flatMap((ad) => {
    const known = facts.get(ad.id);
    return known ? [reckon(ad, known, at)] : [];
  });
}

/** Reads the facts about those of these ads that were paid, in a few queries for all of them. */
async function factsOf(tx: Tx, ads: readonly AdToEarn[]): Promise<Map<number, Facts>> {
  const adIds = ads.map(({ id }) => id);
  const sold = new Map((await listSold(tx, adIds)).map((each) => [each.adId, each]));
  const days = ads.flatMap((ad) => {
    const clock = sold.has(ad.id) ? clockOf(ad) : null;
    return clock ? [{ ad, after: later(clock.countsFrom, -HOUR_MS) }] : [];
  });
  const counted = await countedHours(tx, [
    ...ads.flatMap((ad) => {
      const before = sold.get(ad.id);
      if (!before || ad.pricingModel === 'per_day') return [];
      const kind = ad.pricingModel === 'per_click' ? ('click' as const) : ('view' as const);
      return [{ adId: ad.id, kind, after: new Date(hourOf(before.until.getTime())) }];
    }),
    ...days
      .filter(({ ad }) => ad.minDayViews !== null)
      .map(({ ad, after }) => ({ adId: ad.id, kind: 'view' as const, after })),
  ]);
  const requested = await requestedHours(
    tx,
    days
      .filter(({ ad }) => ad.minDayViews === null)
      .map(({ ad, after }) => ({ adId: ad.id, zoneId: ad.adZoneId, after })),
  );
  return new Map(
    [...sold].map(([adId, before]) => [
      adId,
      { before, counted: counted.get(adId) ?? [], requested: requested.get(adId) ?? [] },
    ]),
  );
}

/** Computes the earnings of an ad at `at`. `asked` replaces the delivered units. */
function reckon(ad: AdToEarn, facts: Facts, at: Date, asked?: number): Reckoned {
  const { before } = facts;
  const bought = unitsBought(planOf(ad));
  const units = before.isClosed ? before.units : (asked ?? unitsOf(ad, facts, at));
  const shares = before.isClosed ? before : earnedAfter(ad, before, units);
  const { publisherCents, commissionCents } = shares;
  return { ...facts, ad, earned: { units, bought, publisherCents, commissionCents } };
}

/** The earnings of an ad after `units`: at most what was posted before and what is still deferred. */
function earnedAfter(ad: AdToEarn, before: Sold, units: number): Shares {
  const bought = unitsBought(planOf(ad));
  const full = earnedOf(before.price, Math.min(units, bought), bought);
  return {
    publisherCents: Math.min(full.publisherCents, before.publisherCents + before.left.publisherCents),
    commissionCents: Math.min(full.commissionCents, before.commissionCents + before.left.commissionCents),
  };
}

/** The earnings since the last accrual, by the hour of their delivery. */
function hoursOf({ ad, earned, before, ...facts }: Reckoned, at: Date): HourEarnings[] {
  const units = earned.units - before.units;
  const hours =
    ad.pricingModel === 'per_day'
      ? secondsByHour(stretchesOf(ad, facts, at), units)
      : eventsByHour(facts.counted, units, { from: before.until, to: at });
  return earnedByHour(hours, (after) => earnedAfter(ad, before, after), { before, after: earned, at });
}

function unitsOf(ad: AdToEarn, { before, ...facts }: Facts, at: Date): number {
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
      return deliveredSeconds(clock, at, daysDelivered(ad.minDayViews, facts));
    }
  }
}

/** The delivered time of a per-day ad. An ad that has ended ran until its end. */
function stretchesOf(ad: AdToEarn, facts: Omit<Facts, 'before'>, at: Date): Stretch[] {
  const clock = clockOf(ad);
  if (clock) return deliveredStretches(clock, at, daysDelivered(ad.minDayViews, facts));
  return [{ from: -Infinity, to: Math.min(at.getTime(), ad.endDate?.getTime() ?? Infinity) }];
}

/** The clock of a running per-day ad; null for any other ad. */
function clockOf(ad: AdToEarn): RunningClock | null {
  const { startDate, endDate, silentDays, heldSince } = ad;
  const plan = planOf(ad);
  if (plan.pricingModel !== 'per_day' || ad.status !== 'active' || !startDate || !endDate) return null;
  const dayBeganAt = ad.dayBeganAt ?? startDate;
  const countsFrom = ad.dayCountsFrom ?? dayBeganAt;
  return { duration: plan.duration, startDate, endDate, dayBeganAt, countsFrom, silentDays, heldSince };
}
