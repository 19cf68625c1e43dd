import { chooseAd, type IneligibleReason, ineligibleReason } from '../decision/choose-ad.ts';
import type { LiveAd, LiveZone } from '../snapshot/snapshot.ts';

/** What the selector does with a zone at this moment: of each live ad the rule that keeps it out, and its share. */
export type ShowingNow = {
  ads: Map<number, { rule: IneligibleReason | null; share: number }>;
  tagSeenAtMs: number;
};

/** Enough for tenths of a percent. */
const DRAWS = 1000;
/** Spreads the second draw of a choice evenly, whatever the first was (a low-discrepancy sequence). */
const GOLDEN = 0.618_033_988_749_895;

/**
 * Asks the very selector that answers pages, as for pages with this one zone. Instead of chance it is handed numbers
 * that cover all chances evenly, so the shares are exact to a thousandth, and asking again answers the same.
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
