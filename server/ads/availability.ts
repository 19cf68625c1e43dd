/** Tells advertisers how many views a day an ad can expect in a zone, before they book it and before they pay. */
import type {
  AdAvailability,
  Availability,
  getAudience,
  getAvailability,
  getZoneAvailability,
  ZoneAudience,
} from '#domain/ads/contract.ts';
import { offeredValues } from '#domain/delivery/audience.ts';
import { availabilityOf, neededViews, unitCosts } from '#domain/delivery/availability.ts';
import type { Candidate } from '#domain/delivery/choose.ts';
import { roundForecast } from '#domain/delivery/forecast-fields.ts';
import { isUnknown } from '#domain/delivery/forecast-text.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { storedLimits } from '#domain/targeting/limits.ts';
import { MAX_ID, type Reference } from '#domain/fields.ts';
import { type AdPlan, type PlanColumns, planOf } from '#domain/inventory/pricing.ts';
import {
  allowsQuantity,
  quantitiesOf,
  quantitiesText,
  timesPlan,
  totalCentsAt,
} from '#domain/inventory/quantity.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { type Price, refundOf, unitsBought } from '#domain/payments/earned.ts';
import { splitPrice } from '#domain/payments/split.ts';
import { DAY_MS } from '#domain/time.ts';
import { QUOTA_ENDS_AFTER_MS } from '#domain/ads/silence.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { partsWithin, readAudiences } from '#server/delivery/audience/read-audiences.ts';
import { figuresOfWebsites, type ZoneFigures } from '#server/delivery/forecast/zone-figures.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { commissionOf } from '#server/platform/settings/marketplace.ts';
import { type AdRow, findAd, findProduct, findZone, listSharingAds } from './store.ts';

/** Before paying and before the review: for the advertiser of an ad and its publisher. */
export async function showAvailability(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getAvailability>,
): Promise<AdAvailability> {
  const ad = await findAd(ctx.db, params.ref);
  if (!ad || (ad.userId !== who.id && ad.publisherId !== who.id))
    throw notFound('Ad not found. Please reload the page.');
  const place = { zoneId: ad.adZoneId, websiteId: ad.websiteId };
  return await compute(ctx, place, {
    ...ad,
    isLimited: ad.targeting !== null || ad.zoneExcludes !== null,
    totalCents: centsOf(ad.totalAmount),
    commissionCents: centsOf(ad.commissionAmount),
    soldDayViews: ad.minDayViews,
  });
}

/** Before booking: a pricing option of a zone that the caller sees in the marketplace, or of their own zone. */
export async function showZoneAvailability(
  ctx: Context,
  who: Caller,
  { params, query }: Parsed<typeof getZoneAvailability>,
): Promise<Availability> {
  const { zone, own } = await visibleZone(ctx, who, params.ref);
  const product = query.product > MAX_ID ? undefined : await findProduct(ctx.db, zone.id, query.product);
  if (!product || !(own || product.isActive)) {
    throw notFound('This ad zone has no such pricing option. Please reload the page and choose another one.');
  }
  const option = quantitiesOf(product);
  const { quantity = option.minQuantity } = query;
  if (!allowsQuantity(option, quantity))
    throw invalid(`Choose a quantity of ${quantitiesText(option)}.`, 'quantity');
  const plan = timesPlan(planOf(product), quantity);
  const totalCents = totalCentsAt(option, quantity);
  const { commissionCents } = splitPrice(totalCents, commissionOf(ctx.config, zone.publisherCommission));
  const { days: _, ...availability } = await compute(
    ctx,
    { zoneId: zone.id, websiteId: zone.websiteId },
    {
      ...newBooking(plan, ctx.now()),
      quantity,
      totalCents,
      commissionCents,
      targeting: query.targeting ?? null,
      isLimited: Boolean(query.targeting) || zone.excludes !== null,
      soldDayViews: null,
    },
    query.startDate,
  );
  return availability;
}

/** Possible limits of an ad in a zone, as the advertiser's own pages state them. */
export async function showAudience(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getAudience>,
): Promise<ZoneAudience> {
  const { zone } = await visibleZone(ctx, who, params.ref);
  const audience = (await readAudiences(ctx.db, [zone.id], ctx.now()))(zone.id);
  return { topics: offeredValues('topics', audience), paths: offeredValues('path', audience) };
}

/** A zone that the caller sees in the marketplace, or their own. */
async function visibleZone(ctx: Context, who: Caller, ref: Reference) {
  const zone = await findZone(ctx.db, ref);
  const own = zone?.ownerId === who.id;
  if (!zone || !(own || zone.isOffered)) throw notFound('Ad zone not found. Please reload the page.');
  return { zone, own };
}

type Place = { zoneId: number; websiteId: number };
type SharingRow = Awaited<ReturnType<typeof listSharingAds>>[number];
/** An ad, or with the id null one that does not exist yet. */
type Booking = Omit<SharingRow, 'id'> & {
  id: number | null;
  duration: number | null;
  targeting: unknown;
};
/** `soldDayViews`: the number that the order of the ad has for a day; null for one that has none. */
type Purchase = Booking & Price & { quantity: number; isLimited: boolean; soldDayViews: number | null };

const newBooking = (plan: AdPlan, now: Date): Booking => ({
  ...plan,
  id: null,
  totalImpressions: 0,
  totalClicks: 0,
  startDate: now,
  targeting: null,
});

/**
 * How long the smallest quantity of an option is expected to take (null: unknown, or never), and whether that is before
 * a campaign with a quota ends.
 */
export type OptionOutlook = { finishes: boolean; expectedDays: number | null };

/** The outlooks of options of one zone. */
export async function outlooksOf(
  tx: Tx,
  place: Place,
  products: readonly (PlanColumns & { minQuantity: number })[],
  now: Date,
): Promise<OptionOutlook[]> {
  const outlook = await readOutlook(tx, place, now);
  return products.map((product) => {
    const plan = timesPlan(planOf(product), product.minQuantity);
    if (plan.pricingModel === 'per_day') return { finishes: true, expectedDays: plan.duration };
    if (outlook === null || isUnknown(outlook.zone.forecast)) return { finishes: true, expectedDays: null };
    const { days } = shareIn(outlook, newBooking(plan, now), now);
    return { finishes: isInTime(plan, days), expectedDays: days };
  });
}

/** `days` until a quota is delivered; null for ads by the day, which always end in time, and where nothing is expected. */
function isInTime(plan: AdPlan, days: number | null): boolean {
  return plan.pricingModel === 'per_day' || (days !== null && days * DAY_MS <= QUOTA_ENDS_AFTER_MS);
}

/** The expectation of a purchase: its days, its latest end, and the refund at that end. */
function expectationOf(plan: AdPlan, price: Price, expected: number | null | 'unknown', start: Date) {
  const days = expected === 'unknown' ? null : expected;
  const bought = unitsBought(plan);
  const longestMs = plan.pricingModel === 'per_day' ? plan.duration * DAY_MS : QUOTA_ENDS_AFTER_MS;
  // Without any figures, nothing speaks against it.
  const finishes = expected === 'unknown' || isInTime(plan, days);
  const part = finishes ? 1 : days === null ? 0 : QUOTA_ENDS_AFTER_MS / (days * DAY_MS);
  return {
    expectedDays: plan.pricingModel === 'per_day' ? plan.duration : days,
    endsBy: new Date(start.getTime() + longestMs).toISOString(),
    expectedRefund: decimalOf(refundOf(price, Math.floor(bought * part), bought)),
    finishes,
  };
}

/**
 * The counted views that a day of a per-day ad needs: half of the low end of the forecast that its advertiser is shown,
 * for the ad's part of the zone, and at least one. The order has the number from its submission on, and it only rises:
 * nothing that the publisher states, excludes or deletes afterwards lowers it. The forecast leaves out whom the zone really
 * excludes (WARD-30); limits of the ad lower it by the part of the zone's visitors that was measured outside of them. Null under the traffic rules of
 * development, where a day with one valid ad request counts, and for other pricing models. [DEL-45, WARD-30]
 */
export async function soldDayViews(ctx: Context, tx: Tx, ad: AdRow): Promise<number | null> {
  const place = { zoneId: ad.adZoneId, websiteId: ad.websiteId };
  const forecast = await forecastFor(tx, place, ad, ctx.now());
  return dayViewsOf(ctx, ad, forecast, ad.minDayViews);
}

type AdForecast = Awaited<ReturnType<typeof forecastFor>>;

function dayViewsOf(
  { config }: Context,
  { pricingModel }: Pick<Booking, 'pricingModel'>,
  forecast: AdForecast,
  sold: number | null,
): number | null {
  if (config.trafficRules !== 'production' || pricingModel !== 'per_day') return null;
  const now = forecast
    ? neededViews(roundForecast(forecast.zone.forecast), forecast.yoursPerDay, forecast.within)
    : 1;
  return Math.max(now, sold ?? 1);
}

async function compute(
  ctx: Context,
  place: Place,
  own: Purchase,
  startDay?: string,
): Promise<AdAvailability> {
  const now = ctx.now();
  const forecast = await forecastFor(ctx.db, place, own, now);
  if (!forecast) throw notFound('This ad zone has been deleted. Choose another ad zone in the marketplace.');
  const { zone, sharedWith, yoursPerDay, within, days } = forecast;
  const plan = planOf(own);
  const { quantity, totalCents, commissionCents } = own;
  const limitedPerDay = yoursPerDay * (within?.likely ?? 1);
  const { costPerThousand, costPerClick } = unitCosts(totalCents, plan, limitedPerDay);
  const start = startDay === undefined ? (own.startDate ?? now) : new Date(`${startDay}T00:00:00Z`);
  return {
    ...roundForecast(zone.forecast),
    yoursPerDay: Math.round(yoursPerDay),
    sharedWith,
    costPerThousand: costPerThousand === null ? null : decimalOf(costPerThousand),
    costPerClick: costPerClick === null ? null : decimalOf(costPerClick),
    quantity,
    unitPrice: decimalOf(totalCents / quantity),
    total: decimalOf(totalCents),
    ...expectationOf(
      plan,
      { totalCents, commissionCents },
      isUnknown(zone.forecast) ? 'unknown' : days,
      start,
    ),
    isLimited: own.isLimited,
    limited:
      within && !isUnknown(zone.forecast)
        ? { likely: Math.round(limitedPerDay), of: Math.round(yoursPerDay) }
        : null,
    minDayViews: dayViewsOf(ctx, own, forecast, own.soldDayViews),
    days,
  };
}

type Outlook = { zone: ZoneFigures; sharing: SharingRow[] };

/** The zone's forecast and the ads that run in it; null if the zone has been deleted. */
async function readOutlook(tx: Tx, { zoneId, websiteId }: Place, now: Date): Promise<Outlook | null> {
  const figures = (await figuresOfWebsites(tx, [websiteId])).get(websiteId);
  const zone = figures?.find((each) => each.zoneId === zoneId);
  return zone ? { zone, sharing: await listSharingAds(tx, zoneId, now) } : null;
}

/** The ad's part of the zone. */
function shareIn({ zone, sharing }: Outlook, own: Booking, now: Date) {
  const others = sharing.filter(({ id }) => id !== own.id).map((row) => candidateOf(row, now));
  const { likely } = zone.forecast.viewsPerDay;
  const part = availabilityOf(candidateOf(own, now), others, likely, now.getTime());
  return { zone, sharedWith: others.length, ...part };
}

/**
 * The zone's forecast and the ad's part of it; null if the zone has been deleted. `within`: the part of these views that is
 * within the limits of the ad; null without limits, and if it is not measured.
 */
async function forecastFor(tx: Tx, place: Place, own: Booking, now: Date) {
  const outlook = await readOutlook(tx, place, now);
  if (outlook === null) return null;
  const share = shareIn(outlook, own, now);
  const { zoneId } = place;
  const within = (await partsWithin(tx, storedLimits(own.targeting), [zoneId], now))(zoneId);
  if (within === null || share.days === null) return { ...share, within };
  return { ...share, within, days: within.likely === 0 ? null : Math.ceil(share.days / within.likely) };
}

/** The ad as the selection sees it. An unpaid ad counts as starting now. */
function candidateOf(row: Omit<SharingRow, 'id'>, now: Date): Candidate {
  return {
    pricingModel: row.pricingModel,
    goal: row.impressions ?? row.clicks,
    views: row.totalImpressions,
    clicks: row.totalClicks,
    startMs: (row.startDate ?? now).getTime(),
  };
}
