import type { LiveAd, LiveCreative } from '../snapshot/snapshot.ts';

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
