import type { AdAvailability, getAvailability } from '#domain/ads/contract.ts';
import { availabilityOf } from '#domain/delivery/availability.ts';
import type { Candidate } from '#domain/delivery/choose.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Context, Who } from '../context.ts';
import { forecastOfZone } from '../delivery/snapshot/zone-forecast.ts';
import { notFound } from '../http/errors.ts';
import { findAd, listLiveAds } from './store.ts';

/** Tells the advertiser, before they pay, how many views a day their ad can expect in its zone. [DEL-50] */
export async function showAvailability(
  ctx: Context,
  who: Who,
  { params }: Parsed<typeof getAvailability>,
): Promise<AdAvailability> {
  const ad = await findAd(ctx.db, params.ref);
  if (!ad || ad.userId !== who.id) throw notFound('Ad not found. Please reload the page.');
  const now = ctx.now();
  const forecast = await forecastOfZone(ctx, ad.adZoneId);
  const live = await listLiveAds(ctx.db, ad.adZoneId, now);
  const others = live.filter(({ id }) => id !== ad.id).map((row) => candidateOf(row, now));
  const { yoursPerDay, days } = availabilityOf(candidateOf(ad, now), others, forecast.perDay, now.getTime());
  return {
    viewsPerDay: Math.round(forecast.perDay),
    yoursPerDay: Math.round(yoursPerDay),
    days,
    isMeasured: forecast.isMeasured,
  };
}

type Row = Awaited<ReturnType<typeof listLiveAds>>[number];

/** The ad as the selection sees it. An unpaid ad counts as starting now. */
function candidateOf(row: Row, now: Date): Candidate {
  return {
    pricingModel: row.pricingModel,
    goal: row.impressions ?? row.clicks,
    views: row.totalImpressions,
    clicks: row.totalClicks,
    startMs: (row.startDate ?? now).getTime(),
  };
}
