/**
 * 'Why is my ad not showing?' First come the states of the ad, its ad zone and its website, then the answer of the ad
 * server's own selector.
 */
import { MAX_ADS, ruleOfState } from '#domain/delivery/showing.ts';
import type { getAdShowing, getZoneShowing } from '#domain/delivery/showing-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { ShowingNow } from './showing-now.ts';
import {
  countAdsOfZone,
  findAdsOfZone,
  findOwnAd,
  findOwnZone,
  type ZoneStateRow,
  type AdStateRow,
  sumOfZone,
} from './store-showing.ts';
import { latelyReply, requestsReply } from './reply-showing.ts';

/** Asks the ad server how it would serve a zone now; null if it does not know the zone. */
export type ZoneNow = (zonePublicId: string) => Promise<ShowingNow | null>;

/** Answers the ad's owner. Other ads of the zone appear as numbers only. */
export const explainAd =
  (zoneNow: ZoneNow) =>
  async (
    ctx: Context,
    who: Caller,
    { params }: Parsed<typeof getAdShowing>,
  ): Promise<Reply<typeof getAdShowing>> => {
    const ad = await findOwnAd(ctx.db, params.ref, who.id);
    if (!ad) throw notFound('Ad not found. Please reload the page.');
    const now = await zoneNow(ad.zone);
    const figures = await sumOfZone(ctx.db, ad.zoneId, later(ctx.now(), -DAY_MS));
    const others = [...(now?.ads ?? [])].filter(([id, { rule }]) => id !== ad.id && rule === null);
    return {
      ...verdictOf(ad, ad, now),
      checkedAt: ctx.now().toISOString(),
      others: { ads: others.length, share: sumOf(others.map(([, { share }]) => share)) },
      tagSeenAt: tagSeenAt(ad, now),
      requests: requestsReply(figures),
      lately: latelyReply(figures, ad.id),
    };
  };

/** Answers the zone's publisher. */
export const explainZone =
  (zoneNow: ZoneNow) =>
  async (
    ctx: Context,
    who: Caller,
    { params }: Parsed<typeof getZoneShowing>,
  ): Promise<Reply<typeof getZoneShowing>> => {
    const zone = await findOwnZone(ctx.db, params.ref, who.id);
    if (!zone) throw notFound('Ad zone not found. Please reload the page.');
    const now = await zoneNow(zone.zone);
    const figures = await sumOfZone(ctx.db, zone.zoneId, later(ctx.now(), -DAY_MS));
    const ads = await findAdsOfZone(ctx.db, zone.zoneId, MAX_ADS);
    const shares = [...(now?.ads.values() ?? [])].map(({ share }) => share);
    return {
      checkedAt: ctx.now().toISOString(),
      rule: ruleOfState({ ...zone, status: 'active', takenDownReason: null }),
      tagSeenAt: tagSeenAt(zone, now),
      requests: requestsReply(figures),
      houseShare: now ? 1 - sumOf(shares) : 0,
      ads: ads.map((ad) => ({ ...ad, ...verdictOf(ad, zone, now), lately: latelyReply(figures, ad.id) })),
      adCount: ads.length < MAX_ADS ? ads.length : await countAdsOfZone(ctx.db, zone.zoneId),
    };
  };

function verdictOf(ad: AdStateRow, zone: ZoneStateRow, now: ShowingNow | null) {
  const rule = ruleOfState({ ...zone, ...ad });
  if (rule !== null) return { rule, share: 0 };
  return now?.ads.get(ad.id) ?? { rule: 'not_read' as const, share: 0 };
}

/** The later of two times: the one in memory can be ahead of the stored one, which is written once a minute. */
function tagSeenAt({ tagSeenAt }: ZoneStateRow, now: ShowingNow | null): string | null {
  const latest = Math.max(tagSeenAt?.getTime() ?? 0, now?.tagSeenAtMs ?? 0);
  return latest === 0 ? null : new Date(latest).toISOString();
}

/** Adds in thousandths, so that a complete set of shares adds up to exactly 1. */
function sumOf(shares: readonly number[]): number {
  return Math.min(1, shares.reduce((sum, share) => sum + Math.round(share * 1000), 0) / 1000);
}
