/** Earnings of ads as they are delivered. The rules of the amounts are in domain/payments/ad-earnings.ts. [LEDG-01] */
import {
  clockOf,
  type Delivery,
  type Earned,
  earningsAt,
  earningsByHour,
} from '#domain/payments/ad-earnings.ts';
import type { HourEarnings } from '#domain/payments/earned-hours.ts';
import { accrued } from '#domain/payments/ledger.ts';
import type { Shares } from '#domain/payments/refunds.ts';
import { DAY_MS, HOUR_MS, hourOf, later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { balancesOf } from './balances.ts';
import { postOfSale } from './tax.ts';
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
  pausesOfAds,
  postpone,
  requestedHours,
  type Sold,
} from './store-earnings.ts';

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
  return reckoned.flatMap(({ ad, before, delivery, earned }) =>
    earningsByHour(ad, before, delivery, earned, at).map((hour) => ({ adId: ad.id, ...hour })),
  );
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
  const [facts] = ad ? await factsOf(tx, [ad]) : [];
  if (!ad || !facts) return null;
  const { before, delivery } = facts;
  const earned = earningsAt(ad, before, delivery, at, units);
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
    await postOfSale(
      tx,
      {
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
      },
      `accrual:${before.entries + 1}`,
    );
    await addEarnedHours(tx, adId, earningsByHour(ad, before, delivery, earned, at));
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
 * since (note_accrual_due and adjust_counters in server/platform/database/functions). With `early`, it accrues all running ads, also
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

/** A paid ad with its postings, and its delivery since then. */
type Facts = { ad: AdToEarn; before: Sold; delivery: Delivery };

async function reckonAds(
  tx: Tx,
  adIds: readonly number[],
  at: Date,
): Promise<(Facts & { earned: Earned })[]> {
  if (adIds.length === 0) return [];
  const facts = await factsOf(tx, await listAdsToEarn(tx, adIds));
  return facts.map((each) => ({ ...each, earned: earningsAt(each.ad, each.before, each.delivery, at) }));
}

/** Reads the facts about those of these ads that were paid, in a few queries for all of them. */
async function factsOf(tx: Tx, ads: readonly AdToEarn[]): Promise<Facts[]> {
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
  const paused = await pausesOfAds(
    tx,
    days.map(({ ad, after }) => ({ adId: ad.id, after })),
  );
  const requested = await requestedHours(
    tx,
    days
      .filter(({ ad }) => ad.minDayViews === null || paused.has(ad.id))
      .map(({ ad, after }) => ({ adId: ad.id, zoneId: ad.adZoneId, after })),
  );
  return ads.flatMap((ad) => {
    const before = sold.get(ad.id);
    const delivery = {
      counted: counted.get(ad.id) ?? [],
      requested: requested.get(ad.id) ?? [],
      paused: paused.get(ad.id) ?? [],
    };
    return before ? [{ ad, before, delivery }] : [];
  });
}
