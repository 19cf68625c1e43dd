import { pick, sumsOf, weigh } from '#domain/delivery/choose.ts';
import type { LiveAd, LiveZone } from '../snapshot/snapshot.ts';

/** Shares move slowly; working them out at every decision would make twenty ads dearer than one. */
const SHARES_LAST_MS = 1000;

/** Ads already chosen for the same page. */
export type Taken = ReadonlySet<LiveAd> | null;

/** The rule that keeps a live ad out of a decision. */
export type IneligibleReason = 'ended' | 'delivered' | 'reserved' | 'on_page';

/**
 * Why an ad may not be offered now, or null. Its end is looked at here, so that a sweep that is late serves nothing
 * too long; 'reserved' is a goal that views already on their way will reach.
 */
export function ineligibleReason(ad: LiveAd, taken: Taken, nowMs: number): IneligibleReason | null {
  if (nowMs >= ad.endMs) return 'ended';
  if (ad.goal !== null) {
    if (ad.pricingModel === 'per_click') {
      if (ad.clicks + ad.uncounted.clicks >= ad.goal) return 'delivered';
    } else {
      const { views } = ad.uncounted;
      if (ad.views + views >= ad.goal) return 'delivered';
      if (!ad.reservations.hasRoom(ad.goal - ad.views, views, nowMs)) return 'reserved';
    }
  }
  return taken?.has(ad) ? 'on_page' : null;
}

/** Whether the visitor was shown an ad so often today that others go first; see frequency.ts. */
export type IsCapped = (ad: LiveAd) => boolean;

/** What is left of such an ad's weight. */
const CAPPED_WEIGHT = 0.2;
/** Draws until it is shown all the same: nobody sees less because they see much. */
const MAX_DRAWS = 8;

/** The ad a zone shows now, or null. */
export function chooseAd(
  zone: LiveZone,
  taken: Taken,
  nowMs: number,
  random: () => number = Math.random,
  isCapped: IsCapped | null = null,
): LiveAd | null {
  if (zone.ads.length === 0) return null;
  const sums = sharesOf(zone, nowMs);
  let ad = draw(zone.ads, sums, random);
  // Drawing again is what a fifth of the weight comes to, without weights of each visitor's own.
  if (isCapped && zone.ads.length > 1)
    for (let draws = 1; ad && isCapped(ad) && random() >= CAPPED_WEIGHT && draws < MAX_DRAWS; draws++)
      ad = draw(zone.ads, sums, random);
  if (ad && ineligibleReason(ad, taken, nowMs) === null) return ad;

  const left = zone.ads.filter((each) => ineligibleReason(each, taken, nowMs) === null);
  return draw(left, sumsOf(weigh(left, zone.forecastPerDay, nowMs)), random) ?? null;
}

function sharesOf(zone: LiveZone, nowMs: number): Float64Array {
  if (!zone.shares || Math.abs(nowMs - zone.shares.atMs) >= SHARES_LAST_MS)
    zone.shares = { sums: sumsOf(weigh(zone.ads, zone.forecastPerDay, nowMs)), atMs: nowMs };
  return zone.shares.sums;
}

function draw(ads: readonly LiveAd[], sums: Float64Array, random: () => number): LiveAd | undefined {
  const index = pick(sums, random());
  return index === null ? undefined : ads[index];
}
