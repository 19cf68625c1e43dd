import type { Ad } from '#domain/ads/contract.ts';
import type { AdTimes, Bucket, Figures } from '#domain/analytics/contract.ts';
import { addUp, type CountingFigures } from '#domain/analytics/counting.ts';
import { countDays, dayIn, MAX_BUCKETS, type Step } from '#domain/analytics/days.ts';
import type { Results } from '#domain/delivery/conversions-contract.ts';
import type { Plan } from '#domain/plans/contract.ts';
import { ownAd } from '#server/ads/read.ts';
import { counting } from '../analytics/counting.ts';
import { series, timezoneOf } from '../analytics/over-time.ts';
import { adTimes } from '../analytics/times.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { resultsOf } from '#server/delivery/clicks/conversions.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { ownPlan } from '#server/market/plans/read.ts';
import { findOpenLink } from './store.ts';

/** The report of an ad. `totals` are the sums of `buckets`. */
export type AdReport = {
  ad: Ad;
  timezone: string;
  dayStart: string;
  step: Step;
  totals: Figures;
  /** Those of the days or months in which something was delivered, in order. */
  buckets: Bucket[];
  results: Results;
  /** The hours of the day in which it was viewed and clicked. */
  hours: AdTimes['hours'];
  /** The reported views: the counted ones, and the others by reason. */
  views: CountingFigures['views'];
};

/** What a link shows, with the time at which it ends. */
export type Report = { expiresAt: Date } & (AdReport | { plan: Plan });

/** The longest time that is shown by the day. A longer one is shown by the month. */
const MAX_SHOWN_DAYS = 92;

/**
 * The report behind a link, as its owner would see it now. Throws 404 for every key that has no working link, so that
 * nobody learns whether there was one. [RES-41]
 */
export async function readReport(ctx: Context, key: string, of: 'page' | 'file'): Promise<Report> {
  const link = await findOpenLink(ctx.db, key, ctx.now());
  if (!link)
    throw notFound('There is no report at this address. The link may have ended. Ask for a new one.');
  const { userId, adId, planId, expiresAt } = link;
  // The role does not matter to those who read what they own.
  const owner: Caller = { id: userId, role: null };
  if (adId === null)
    return { expiresAt, plan: await ownPlan(ctx, owner, { params: { ref: { id: planId as number } } }) };
  const ad = await ownAd(ctx, owner, { params: { ref: { id: adId } } });
  return { expiresAt, ...(await reportAd(ctx, owner, ad, of === 'page' ? MAX_SHOWN_DAYS : MAX_BUCKETS)) };
}

/** The figures of an ad since it began, by the day as long as that makes at most `maxDays` days. */
async function reportAd(ctx: Context, owner: Caller, ad: Ad, maxDays: number): Promise<AdReport> {
  const timezone = await timezoneOf(ctx, owner);
  const to = dayIn(timezone, ctx.now());
  const start = dayIn(timezone, new Date(ad.startDate ?? ad.createdAt));
  const from = start < to ? start : to;
  const step = countDays({ from, to }) <= maxDays ? 'day' : 'month';
  const query = { side: 'buyer', from, to, step, campaign: ad.publicId } as const;
  const { totals, buckets, dayStart } = await series(ctx, owner, { query });
  const { hours } = await adTimes(ctx, owner, { params: { ref: { id: ad.id } } });
  const { views } = addUp((await counting(ctx, owner, { query })).buckets);
  return {
    ad,
    timezone,
    dayStart,
    step,
    totals,
    buckets: buckets.filter(
      ({ impressions, clicks, amount }) => impressions !== 0 || clicks !== 0 || amount !== '0.00',
    ),
    results: await resultsOf(ctx, { ref: { id: ad.id }, ownerId: owner.id }),
    hours,
    views,
  };
}
