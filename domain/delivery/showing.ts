/**
 * 'Why is my ad not showing?' (DEL-51): what the ad server would do with an ad now, and what became of it in the last
 * day, for its buyer and for the zone's publisher. The ad server's own selector answers; nothing here decides again.
 */
import { z } from 'zod';
import { AD_STATUSES, type AdStatus } from '../ads/status.ts';
import { AD_TYPES } from '../ads/types.ts';
import { endpoint } from '../endpoint.ts';
import { id, instant, referenceParams } from '../fields.ts';
import { DAY_MS } from '../time.ts';
import { REASONS, type Reason } from './reasons.ts';

/** What can keep an ad from a page, in the order in which it is looked at. */
export const SHOWING_RULES = [
  /** States: the ad server does not know the ad at all. */
  'pending',
  'rejected',
  'unpaid',
  'completed',
  'taken_down',
  /** The place. */
  'website_closed',
  'zone_paused',
  /** Live since a moment ago, and not yet read. */
  'not_read',
  /** Rules of the selector (server/delivery/decision/choose-ad.ts). */
  'ended',
  'delivered',
  'reserved',
  'on_page',
] as const;
export type ShowingRule = (typeof SHOWING_RULES)[number];

/** The state that keeps an ad from the selector, or null. */
export function ruleOfState(state: {
  status: AdStatus;
  takenDownReason: string | null;
  zoneIsActive: boolean;
  websiteIsActive: boolean;
}): ShowingRule | null {
  if (state.takenDownReason !== null) return 'taken_down';
  if (state.status === 'approved') return 'unpaid';
  if (state.status !== 'active') return state.status;
  if (!state.websiteIsActive) return 'website_closed';
  return state.zoneIsActive ? null : 'zone_paused';
}

/** Null: the ad can be shown. The share, 0 to 1, is of the zone's requests, as the selector divides them now. */
const verdict = { rule: z.enum(SHOWING_RULES).nullable(), share: z.number().min(0).max(1) };

const number = z.number().int().min(0);
const filtered = z.array(z.object({ reason: z.enum(REASONS), n: number }));

/** What was counted in the last 24 hours, whole hours; `filtered` is views and clicks that were not, by reason. */
const lately = z.object({ chosen: number, views: number, clicks: number, filtered });
export type Lately = z.output<typeof lately>;

/** What a zone was asked in the last 24 hours; `filtered` is those requests after which nothing counts, by reason. */
const requests = z.object({ total: number, filtered });

export const adShowing = z.object({
  ...verdict,
  checkedAt: instant,
  /** Other ads of the zone that can be shown, and the share of all of them: who they are is nobody's business. */
  others: z.object({ ads: number, share: z.number().min(0).max(1) }),
  /** When the zone last asked for an ad from a page of its own website. */
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
  /** Why nothing at all is shown there, or null. */
  rule: z.enum(SHOWING_RULES).nullable(),
  tagSeenAt: instant.nullable(),
  requests,
  /** The share that no paid ad gets: it goes to the zone's own offer. */
  houseShare: z.number().min(0).max(1),
  /** Those that can be shown or soon can, then the latest others, up to MAX_ADS. */
  ads: z.array(zoneAd),
  /** How many there are in all. */
  adCount: number,
});
export type ZoneShowing = z.output<typeof zoneShowing>;

/** Ads that the answer for a zone lists. */
export const MAX_ADS = 100;

export const getAdShowing = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/showing',
  summary: "Why one of one's own ads is or is not shown now",
  params: referenceParams,
  reply: adShowing,
});

export const getZoneShowing = endpoint({
  method: 'GET',
  path: '/api/ad-zones/:ref/showing',
  summary: "What one of one's own zones shows now, and what keeps each of its other ads out",
  params: referenceParams,
  reply: zoneShowing,
});

export type TagHint = { kind: 'tag_never_seen' | 'tag_silent' };

/** The website does not ask for ads: never, or for more than a day. */
export function tagHint(tagSeenAt: string | null, now: Date): TagHint | null {
  if (tagSeenAt === null) return { kind: 'tag_never_seen' };
  return now.getTime() - new Date(tagSeenAt).getTime() > DAY_MS ? { kind: 'tag_silent' } : null;
}

/** What is worth looking at where an ad can be shown and yet is not seen. */
export type Hint =
  | TagHint
  | { kind: 'not_chosen' | 'not_viewed' }
  | { kind: 'filtered'; reason: Reason; n: number };

/** Choices without a single view that are no accident any more. */
const MANY_CHOICES = 20;

/** Null is no hint: what is there goes its way, or the rule says all. */
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
