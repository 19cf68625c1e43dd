import { pick, sumsOf, weigh } from '#domain/delivery/choose.ts';
import type { LiveAd, LiveZone, LiveCreative } from '../snapshot/snapshot.ts';

/**
 * Shares change slowly. Computing them for each decision would make a zone with twenty ads slower than one with one.
 */
const SHARES_MAX_AGE_MS = 1000;

/** Ads already chosen for the same page. */
export type Taken = ReadonlySet<LiveAd> | null;

/** The rule that keeps a live ad out of a decision. */
export type IneligibleReason = 'not_started' | 'ended' | 'delivered' | 'reserved' | 'on_page';

/**
 * Why an ad may not be served now, or null. This function checks the end date itself, so that a late sweep does not
 * serve an ad too long. 'reserved' means that views in flight will reach the goal. [DEL-06]
 */
export function ineligibleReason(ad: LiveAd, taken: Taken, nowMs: number): IneligibleReason | null {
  if (nowMs < ad.startMs) return 'not_started';
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

/** Whether the visitor has reached the frequency cap of an ad today; see frequency-cap.ts. */
export type IsCapped = (ad: LiveAd) => boolean;

/** The part of its weight that a capped ad keeps. */
const CAPPED_WEIGHT = 0.2;
/** After this many draws, accept a capped ad. The cap only reorders ads; it never leaves a zone empty. */
const MAX_DRAWS = 8;

/** The ad that a zone shows now, or null if none is eligible. */
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
  // Redrawing gives a capped ad a fifth of its weight without computing weights for each visitor.
  if (isCapped && zone.ads.length > 1)
    for (let draws = 1; ad && isCapped(ad) && random() >= CAPPED_WEIGHT && draws < MAX_DRAWS; draws++)
      ad = draw(zone.ads, sums, random);
  if (ad && ineligibleReason(ad, taken, nowMs) === null) return ad;

  const left = zone.ads.filter((each) => ineligibleReason(each, taken, nowMs) === null);
  return draw(left, sumsOf(weigh(left, zone.forecastPerDay, nowMs)), random) ?? null;
}

function sharesOf(zone: LiveZone, nowMs: number): Float64Array {
  if (!zone.shares || Math.abs(nowMs - zone.shares.atMs) >= SHARES_MAX_AGE_MS)
    zone.shares = { sums: sumsOf(weightsOf(zone, nowMs)), atMs: nowMs };
  return zone.shares.sums;
}

/** The weight of each ad of the zone. An ad with a later start takes nothing from the others. */
function weightsOf({ ads, forecastPerDay }: LiveZone, nowMs: number): number[] {
  const begun = ads.filter(({ startMs }) => startMs <= nowMs);
  const weights = weigh(begun, forecastPerDay, nowMs);
  if (begun.length === ads.length) return weights;
  let next = 0;
  return ads.map(({ startMs }) => (startMs <= nowMs ? (weights[next++] as number) : 0));
}

function draw(ads: readonly LiveAd[], sums: Float64Array, random: () => number): LiveAd | undefined {
  const index = pick(sums, random());
  return index === null ? undefined : ads[index];
}

/**
 * The creative that an ad shows now. Two creatives take turns in pairs of random order: each is shown as often as the
 * other, and no page can know which one comes next, which would decide which kind of visitor sees it.
 */
export function creativeOf(ad: LiveAd, random: () => number = Math.random): LiveCreative {
  const { second, next } = ad;
  if (second === null) return ad;
  ad.next = null;
  if (next === ad.creative) return ad;
  if (next === second.creative) return second;
  const [now, then] = random() < 0.5 ? [ad, second] : [second, ad];
  ad.next = then.creative;
  return now;
}
