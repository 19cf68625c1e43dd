/** Tells advertisers how many views a day an ad can expect in a zone, before they book it and before they pay. */
import type {
  AdAvailability,
  Availability,
  getAvailability,
  getZoneAvailability,
} from '#domain/ads/contract.ts';
import { availabilityOf, neededViews, unitCosts } from '#domain/delivery/availability.ts';
import type { Candidate } from '#domain/delivery/choose.ts';
import { roundForecast } from '#domain/delivery/forecast-fields.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { MAX_ID } from '#domain/fields.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Context, Caller } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { figuresOfWebsites } from '../delivery/forecast/zone-figures.ts';
import { notFound } from '../http/errors.ts';
import { findAd, findProduct, findZone, listSharingAds } from './store.ts';

/** Before paying: one of the advertiser's own ads. [DEL-50] */
export async function showAvailability(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getAvailability>,
): Promise<AdAvailability> {
  const ad = await findAd(ctx.db, params.ref);
  if (!ad || ad.userId !== who.id) throw notFound('Ad not found. Please reload the page.');
  const place = { zoneId: ad.adZoneId, websiteId: ad.websiteId };
  return await compute(ctx, place, { ...ad, price: ad.totalAmount });
}

/** Before booking: a pricing option of a zone that the caller sees in the marketplace, or of their own zone. [FCST-01] */
export async function showZoneAvailability(
  ctx: Context,
  who: Caller,
  { params, query }: Parsed<typeof getZoneAvailability>,
): Promise<Availability> {
  const zone = await findZone(ctx.db, params.ref);
  const own = zone?.ownerId === who.id;
  if (!zone || !(own || zone.isOffered)) throw notFound('Ad zone not found. Please reload the page.');
  const product = query.product > MAX_ID ? undefined : await findProduct(ctx.db, zone.id, query.product);
  if (!product || !(own || product.isActive)) {
    throw notFound('This ad zone has no such pricing option. Please reload the page and choose another one.');
  }
  const now = ctx.now();
  const { days: _, ...availability } = await compute(
    ctx,
    { zoneId: zone.id, websiteId: zone.websiteId },
    { ...product, id: null, totalImpressions: 0, totalClicks: 0, startDate: now },
  );
  return availability;
}

type Place = { zoneId: number; websiteId: number };
type SharingRow = Awaited<ReturnType<typeof listSharingAds>>[number];
/** An ad, or with the id null one that does not exist yet. */
type Booking = Omit<SharingRow, 'id'> & { id: number | null; price: string; duration: number | null };

/**
 * The counted views that a day of a per-day ad needs: half of the low end of the forecast that its advertiser is shown
 * before the payment, for the ad's part of the zone, and at least one. Null under the traffic rules of development, where
 * a day with one valid ad request counts. [DEL-45]
 */
export async function minDayViews(ctx: Context, tx: Tx, adId: number): Promise<number | null> {
  if (ctx.config.trafficRules !== 'production') return null;
  const ad = await findAd(tx, { id: adId });
  if (!ad) throw new Error(`There is no ad ${adId}`);
  const forecast = await forecastFor(
    tx,
    { zoneId: ad.adZoneId, websiteId: ad.websiteId },
    { ...ad, price: ad.totalAmount },
    ctx.now(),
  );
  return forecast ? neededViews(roundForecast(forecast.zone.forecast), forecast.yoursPerDay) : 1;
}

async function compute(ctx: Context, place: Place, own: Booking): Promise<AdAvailability> {
  const forecast = await forecastFor(ctx.db, place, own, ctx.now());
  if (!forecast) throw notFound('This ad zone has been deleted. Choose another ad zone in the marketplace.');
  const { zone, sharedWith, yoursPerDay, days } = forecast;
  const { costPerThousand, costPerClick } = unitCosts(centsOf(own.price), planOf(own), yoursPerDay);
  return {
    ...roundForecast(zone.forecast),
    yoursPerDay: Math.round(yoursPerDay),
    sharedWith,
    costPerThousand: costPerThousand === null ? null : decimalOf(costPerThousand),
    costPerClick: costPerClick === null ? null : decimalOf(costPerClick),
    days,
  };
}

/** The zone's forecast and the ad's part of it; null if the zone has been deleted. */
async function forecastFor(tx: Tx, { zoneId, websiteId }: Place, own: Booking, now: Date) {
  const figures = (await figuresOfWebsites(tx, [websiteId])).get(websiteId);
  const zone = figures?.find((each) => each.zoneId === zoneId);
  if (!zone) return null;
  const sharing = await listSharingAds(tx, zoneId, now);
  const others = sharing.filter(({ id }) => id !== own.id).map((row) => candidateOf(row, now));
  const { likely } = zone.forecast.viewsPerDay;
  const part = availabilityOf(candidateOf(own, now), others, likely, now.getTime());
  return { zone, sharedWith: others.length, ...part };
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
