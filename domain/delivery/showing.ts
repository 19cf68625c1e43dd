/**
 * 'Why is my ad not showing?': what the ad server would do with an ad now, and its figures of the last day, for the
 * advertiser and for the zone's publisher. The ad server's own selector answers; nothing here repeats its rules.
 * [DEL-51]
 */
import { z } from 'zod';
import { AD_STATUSES, type AdStatus } from '../ads/status.ts';
import { AD_TYPES } from '../ads/types.ts';
import { endpoint } from '../endpoint.ts';
import { id, instant, referenceParams } from '../fields.ts';
import { DAY_MS } from '../time.ts';
import { REASONS, type Reason } from './reasons.ts';

/** The rules that can keep an ad from being shown, in the order in which they are checked. */
export const SHOWING_RULES = [
  /** The state of the ad. The ad server does not load such an ad. */
  'pending',
  'rejected',
  'unpaid',
  'completed',
  'taken_down',
  /** The operator has suspended the ad, its zone, its website or a person behind them. */
  'suspended',
  /** The payment of the ad is disputed at the bank. */
  'disputed',
  /** Its target leads to another host than approved. */
  'target_held',
  /** The state of its ad zone and website. */
  'website_hidden',
  'zone_paused',
  /** The ad has just become live, and the ad server has not loaded it yet. */
  'not_read',
  /** The rules of the selector (server/delivery/decision/choose-ad.ts). */
  'ended',
  'delivered',
  'reserved',
  'on_page',
] as const;
export type ShowingRule = (typeof SHOWING_RULES)[number];

/** The state that keeps an ad away from the selector, or null. */
export function ruleOfState(state: {
  status: AdStatus;
  takenDownReason: string | null;
  zoneIsActive: boolean;
  websiteIsActive: boolean;
  isSuspended: boolean;
  isDisputed?: boolean;
  isTargetHeld?: boolean;
}): ShowingRule | null {
  if (state.takenDownReason !== null) return 'taken_down';
  if (state.status === 'approved') return 'unpaid';
  if (state.status !== 'active') return state.status;
  if (state.isSuspended) return 'suspended';
  if (state.isDisputed) return 'disputed';
  if (state.isTargetHeld) return 'target_held';
  if (!state.websiteIsActive) return 'website_hidden';
  return state.zoneIsActive ? null : 'zone_paused';
}

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

/** The maximum number of ads that the answer for a zone lists. */
export const MAX_ADS = 100;

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

export type TagHint = { kind: 'tag_never_seen' | 'tag_silent' };

/** A hint if the website has never requested an ad, or not within the last day. */
export function tagHint(tagSeenAt: string | null, now: Date): TagHint | null {
  if (tagSeenAt === null) return { kind: 'tag_never_seen' };
  return now.getTime() - new Date(tagSeenAt).getTime() > DAY_MS ? { kind: 'tag_silent' } : null;
}

/** A hint at what to check if an ad can be shown and is not viewed. */
export type Hint =
  | TagHint
  | { kind: 'not_chosen' | 'not_viewed' }
  | { kind: 'filtered'; reason: Reason; n: number };

/** From this many decisions on, having no view at all is hardly chance. */
const MANY_CHOICES = 20;

/** Returns null if all is well, or if `rule` already explains why the ad is not shown. */
export function hintOf(
  { rule, tagSeenAt, requests, lately }: Pick<AdShowing, 'rule' | 'tagSeenAt' | 'requests' | 'lately'>,
  now: Date,
): Hint | null {
  if (rule !== null && rule !== 'reserved') return null;
  const silence = tagHint(tagSeenAt, now);
  if (silence) return silence;
  const [most] = lately.filtered.toSorted((a, b) => b.n - a.n);
  const events = lately.views + lately.clicks;
  if (most && most.n > 0 && lately.filtered.reduce((sum, { n }) => sum + n, 0) >= events) {
    return { kind: 'filtered', ...most };
  }
  if (requests.total > 0 && lately.chosen === 0) return { kind: 'not_chosen' };
  return lately.chosen >= MANY_CHOICES && lately.views === 0 ? { kind: 'not_viewed' } : null;
}
