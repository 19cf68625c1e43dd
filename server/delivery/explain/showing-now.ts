import { chooseAd, type IneligibleReason, ineligibleReason } from '../decision/choose-ad.ts';
import type { LiveAd, LiveZone } from '../snapshot/snapshot.ts';

/** The state of a zone in the selector: for each live ad, its share and the rule that keeps it out, if any. */
export type ShowingNow = {
  ads: Map<number, { rule: IneligibleReason | null; share: number }>;
  tagSeenAtMs: number;
};

/** Enough for a precision of 0.1%. */
const DRAWS = 1000;
/** Spreads the second random number of a choice evenly, whatever the first is (a low-discrepancy sequence). */
const GOLDEN = 0.618_033_988_749_895;

/**
 * Runs the selector that serves ads, as for a page with only this zone. It passes evenly spaced numbers instead of
 * random ones, so that the shares are exact to 0.1% and repeated calls give the same result.
 */
export function showingNow(zone: LiveZone, nowMs: number): ShowingNow {
  const chosen = new Map<LiveAd, number>();
  for (let draw = 0; draw < DRAWS; draw++) {
    const chances = [(draw + 0.5) / DRAWS, (draw * GOLDEN) % 1];
    const ad = chooseAd(zone, null, nowMs, () => chances.shift() ?? 0.5);
    if (ad) chosen.set(ad, (chosen.get(ad) ?? 0) + 1);
  }
  return {
    ads: new Map(
      zone.ads.map((ad) => [
        ad.id,
        { rule: ineligibleReason(ad, null, nowMs), share: (chosen.get(ad) ?? 0) / DRAWS },
      ]),
    ),
    tagSeenAtMs: zone.tagSeenAtMs,
  };
}
