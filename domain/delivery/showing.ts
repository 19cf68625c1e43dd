/** The rules of 'Why is my ad not showing?', for the ad server and for the screens that explain them. */
import type { PauseReason } from '../ads/ended.ts';
import type { AdStatus } from '../ads/status.ts';
import { DAY_MS } from '../time.ts';
import type { Reason } from './reasons.ts';

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
  'target_paused',
  /** Its advertiser has canceled it, and the refund waits for the operator. */
  'cancel_waits',
  /** Its advertiser has paused it. */
  'advertiser_paused',
  /** The state of its ad zone and website. */
  'website_hidden',
  'zone_paused',
  /** The ad has just become live, and the ad server has not loaded it yet. */
  'not_read',
  /** The rules of the selector (server/delivery/decision/choose-ad.ts). */
  'not_started',
  'ended',
  'delivered',
  'reserved',
  'on_page',
  /** Its limits, or those of its ad zone, keep it from the present visitors, or from everybody at this hour. */
  'targeting',
] as const;
export type ShowingRule = (typeof SHOWING_RULES)[number];

/** The rule of each cause of a pause. Two are no rule: which of zone and website is paused is a rule, and a silent tag is a hint. */
const RULE_OF: Record<PauseReason, ShowingRule | null> = {
  dispute: 'disputed',
  suspended: 'suspended',
  target: 'target_paused',
  cancel: 'cancel_waits',
  zone: null,
  tag_silent: null,
  advertiser: 'advertiser_paused',
};

/** The state that keeps an ad away from the selector, or null. `pause` is the cause that weighs most (ad_pauses.sql), except a silent tag. */
export function ruleOfState(state: {
  status: AdStatus;
  takenDownReason: string | null;
  zoneIsActive: boolean;
  websiteIsActive: boolean;
  pause: PauseReason | null;
}): ShowingRule | null {
  if (state.takenDownReason !== null) return 'taken_down';
  if (state.status === 'approved') return 'unpaid';
  if (state.status !== 'active') return state.status;
  const rule = state.pause && RULE_OF[state.pause];
  if (rule) return rule;
  if (!state.websiteIsActive) return 'website_hidden';
  return state.zoneIsActive ? null : 'zone_paused';
}

/** The maximum number of ads that the answer for a zone lists. */
export const MAX_ADS = 100;

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

type Facts = {
  rule: ShowingRule | null;
  tagSeenAt: string | null;
  requests: { total: number };
  lately: { chosen: number; views: number; clicks: number; filtered: { reason: Reason; n: number }[] };
};

/** Returns null if all is well, or if `rule` already explains why the ad is not shown. */
export function hintOf({ rule, tagSeenAt, requests, lately }: Facts, now: Date): Hint | null {
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
