/**
 * 'Why is my ad not showing?': what the ad server would do with an ad now, and its figures of the last day, for the
 * advertiser and for the zone's publisher. The ad server's own selector answers; nothing here repeats its rules.
 */
import { z } from 'zod';
import { AD_STATUSES } from '../ads/status.ts';
import { AD_TYPES } from '../ads/types.ts';
import { endpoint } from '../endpoint.ts';
import { PRICING_MODELS } from '../inventory/pricing.ts';
import { id, instant, referenceParams } from '../fields.ts';
import { REASONS } from './reasons.ts';
import { SHOWING_RULES } from './showing.ts';

/** `rule` is null if the ad can be shown. `share` (0 to 1) is the part of the zone's requests that the ad gets now. */
const verdict = { rule: z.enum(SHOWING_RULES).nullable(), share: z.number().min(0).max(1) };

const number = z.number().int().min(0);
const filtered = z.array(z.object({ reason: z.enum(REASONS), n: number }));

/** The figures of the last 24 whole hours. `filtered` are the views and clicks that were not counted, by reason. */
const lately = z.object({ chosen: number, views: number, clicks: number, filtered });
export type Lately = z.output<typeof lately>;

/** The ad requests of the last 24 whole hours. `filtered` are those whose events do not count, by reason. */
const requests = z.object({ total: number, filtered });

export const adShowing = z.object({
  ...verdict,
  checkedAt: instant,
  /**
   * The other ads of the zone that can be shown, and their total share. The advertiser must not learn which ads these
   * are.
   */
  others: z.object({ ads: number, share: z.number().min(0).max(1) }),
  /** When a page of the zone's own website last requested an ad. */
  tagSeenAt: instant.nullable(),
  requests,
  lately,
});
export type AdShowing = z.output<typeof adShowing>;

const zoneAd = z.object({
  ...verdict,
  id,
  publicId: z.string(),
  title: z.string(),
  adType: z.enum(AD_TYPES),
  imageUrl: z.string().nullable(),
  status: z.enum(AD_STATUSES),
  pricingModel: z.enum(PRICING_MODELS),
  lately,
});
export type ZoneAd = z.output<typeof zoneAd>;

export const zoneShowing = z.object({
  checkedAt: instant,
  /** Why the zone shows nothing at all, or null. */
  rule: z.enum(SHOWING_RULES).nullable(),
  tagSeenAt: instant.nullable(),
  requests,
  /** The share that no paid ad gets. It goes to the house ad. */
  houseShare: z.number().min(0).max(1),
  /** Running ads first, then upcoming ones, then the rest. At most MAX_ADS. */
  ads: z.array(zoneAd),
  /** The total number of ads. */
  adCount: number,
});
export type ZoneShowing = z.output<typeof zoneShowing>;

export const getAdShowing = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/showing',
  summary: 'Why one of your ads is showing or not showing now',
  params: referenceParams,
  reply: adShowing,
});

export const getZoneShowing = endpoint({
  method: 'GET',
  path: '/api/ad-zones/:ref/showing',
  summary: 'Which ads one of your ad zones shows now, and why it does not show the others',
  params: referenceParams,
  reply: zoneShowing,
});
