/** The file of a website, an ad zone or an ad: what is in it, its money, its traffic and its proofs. */
import { decimalOf } from '#domain/money.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { salesOf } from '#server/results/analytics/figures.ts';
import type { Context } from '#server/platform/context.ts';
import { faultsOfOneWebsite, type OperatorWebsiteFault } from '#server/delivery/faults/open-faults.ts';
import { openHoldsOf } from '#server/money/books/holds.ts';
import {
  findProofs,
  findPublisher,
  type InsideRow,
  listAdsIn,
  listZonesOf,
  type Proofs,
  selectAdsIn,
  sumTraffic,
  type Thing,
} from './store.ts';

const MAX_INSIDE = 50;
const TRAFFIC_DAYS = 30;

export type Traffic = {
  days: number;
  views: number;
  clicks: number;
  /** Ad requests, and the part of them that got a paid ad. Null for an ad. */
  requests: number | null;
  fill: number | null;
  /** The part of the reported views and clicks that does not count. Null without any. */
  invalidShare: number | null;
};

export type HeldRow = {
  id: number;
  ad: string | null;
  reason: string;
  amount: string;
  since: Date;
  until: Date | null;
};

/**
 * `spend` is paid, less refunds; `earnings` is the publisher's part of it. Both are of the present book. `holds` also has
 * those on all earnings of the publisher, whose `ad` is null. The newest 50 ad zones and ads.
 */
export type ThingFile = {
  zones: InsideRow[];
  ads: InsideRow[];
  spend: string;
  earnings: string;
  holds: HeldRow[];
  traffic: Traffic;
  /** Of a website. */
  proofs: Proofs | null;
  /** The open faults of a website. */
  faults: OperatorWebsiteFault[];
};

export async function readThingFile(ctx: Context, thing: Thing): Promise<ThingFile> {
  const { db } = ctx;
  const sums = await sumTraffic(db, thing, later(ctx.now(), -TRAFFIC_DAYS * DAY_MS));
  const isAd = thing.of === 'ad';
  return {
    zones: thing.of === 'website' ? await listZonesOf(db, thing.id, MAX_INSIDE) : [],
    ads: isAd ? [] : await listAdsIn(db, thing, MAX_INSIDE),
    ...(await salesOf(ctx, thing)),
    holds: await holdsOf(ctx, thing),
    traffic: {
      days: TRAFFIC_DAYS,
      views: sums.views,
      clicks: sums.clicks,
      requests: isAd ? null : sums.requests,
      fill: isAd ? null : shareOf(sums.filled, sums.requests),
      invalidShare: shareOf(sums.invalid, sums.reported),
    },
    proofs: thing.of === 'website' ? await findProofs(db, thing.id) : null,
    faults: thing.of === 'website' ? await faultsOfOneWebsite(db, thing.id) : [],
  };
}

async function holdsOf(ctx: Context, thing: Thing): Promise<HeldRow[]> {
  const publisher = await findPublisher(ctx.db, thing);
  if (publisher === undefined) return [];
  const holds = await openHoldsOf(ctx, publisher, MAX_INSIDE);
  const ads = await selectAdsIn(
    ctx.db,
    thing,
    holds.flatMap(({ adId }) => adId ?? []),
  );
  return holds
    .filter(({ adId }) => adId === null || ads.has(adId))
    .map(({ id, ad, reason, amountCents, since, until }) => ({
      id,
      ad,
      reason,
      amount: decimalOf(amountCents),
      since,
      until,
    }));
}

/** To four places; null if there is nothing to divide by. */
function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null;
}
