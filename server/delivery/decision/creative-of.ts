import type { LiveAd, LiveCreative } from '../snapshot/snapshot.ts';

/**
 * The creative that an ad shows now. Two creatives take turns in pairs of random order: each is shown as often as the
 * other, and no page can know which one comes next, which would decide which kind of visitor sees it.
 */
export function creativeOf(ad: LiveAd, random: () => number = Math.random): LiveCreative {
  const { second, next } = ad;
  if (second === null) return ad;
  if (next !== null) {
    ad.next = null;
    return next;
  }
  const [now, then] = random() < 0.5 ? [ad, second] : [second, ad];
  ad.next = then;
  return now;
}
