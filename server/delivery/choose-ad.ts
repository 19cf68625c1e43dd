import { pick, weigh } from '#domain/delivery/choose.ts';
import type { LiveAd, LiveZone } from './snapshot.ts';

/** Shares move slowly; working them out at every decision would make twenty ads dearer than one. */
const WEIGHTS_LAST_MS = 1000;

/** Ads already chosen for the same page. */
export type Taken = ReadonlySet<LiveAd> | null;

/** The rule that keeps a live ad out of a decision. */
export type KeptOut = 'ended' | 'delivered' | 'promised' | 'on_page';

/**
 * Why an ad may not be offered now, or null. Its end is looked at here, so that a sweep that is late serves nothing
 * too long; 'promised' is a goal that views already on their way will reach.
 */
export function keptOut(ad: LiveAd, taken: Taken, nowMs: number): KeptOut | null {
  if (nowMs >= ad.endMs) return 'ended';
  if (ad.goal !== null) {
    if (ad.pricingModel === 'per_click') {
      if (ad.clicks + ad.uncounted.clicks >= ad.goal) return 'delivered';
    } else {
      const { views } = ad.uncounted;
      if (ad.views + views >= ad.goal) return 'delivered';
      if (!ad.reserved.hasRoom(ad.goal - ad.views, views, nowMs)) return 'promised';
    }
  }
  return taken?.has(ad) ? 'on_page' : null;
}

/** The ad a zone shows now, or null. */
export function chooseAd(
  zone: LiveZone,
  taken: Taken,
  nowMs: number,
  random: () => number = Math.random,
): LiveAd | null {
  if (zone.ads.length === 0) return null;
  if (Math.abs(nowMs - zone.weighedAtMs) >= WEIGHTS_LAST_MS) {
    zone.weights = weigh(zone.ads, zone.forecastPerDay, nowMs);
    zone.weighedAtMs = nowMs;
  }
  const index = pick(zone.weights, random());
  const ad = index === null ? undefined : zone.ads[index];
  if (ad && keptOut(ad, taken, nowMs) === null) return ad;

  const left = zone.ads.filter((each) => keptOut(each, taken, nowMs) === null);
  const second = pick(weigh(left, zone.forecastPerDay, nowMs), random());
  return second === null ? null : (left[second] ?? null);
}
