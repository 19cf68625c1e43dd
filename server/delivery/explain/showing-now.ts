import { hourOfWeek } from '#domain/targeting/hour-of-week.ts';
import { isOutOfHours } from '#domain/targeting/matches.ts';
import { HOUR_MS } from '#domain/time.ts';
import { chooseAd, type IneligibleReason, ineligibleReason } from '../decision/choose-ad.ts';
import type { LiveAd, LiveZone } from '../snapshot/snapshot.ts';

/** The state of a zone in the selector: for each live ad, its share and the rule that keeps it out, if any. */
export type ShowingNow = {
  ads: Map<number, { rule: IneligibleReason | 'targeting' | null; share: number }>;
  tagSeenAtMs: number;
};

/** Enough for a precision of 0.1%. */
const DRAWS = 1000;
/** Spreads the second random number of a choice evenly, whatever the first is (a low-discrepancy sequence). */
const GOLDEN = 0.618_033_988_749_895;

/**
 * Runs the selector that serves ads, as for a page with only this zone. It passes evenly spaced numbers instead of
 * random ones, so that the shares are exact to 0.1% and repeated calls give the same result. The visitor is one whom all
 * limits allow, except those of ads that their limits keep from everybody now.
 */
export function showingNow(zone: LiveZone, nowMs: number): ShowingNow {
  const allowed = zone.ads.filter((ad) => !isLimitedNow(ad, nowMs));
  const shown = allowed.length === zone.ads.length ? zone : { ...zone, ads: allowed, shares: null };
  const chosen = new Map<LiveAd, number>();
  for (let draw = 0; draw < DRAWS; draw++) {
    const chances = [(draw + 0.5) / DRAWS, (draw * GOLDEN) % 1];
    const ad = chooseAd(shown, null, nowMs, () => chances.shift() ?? 0.5);
    if (ad) chosen.set(ad, (chosen.get(ad) ?? 0) + 1);
  }
  return {
    ads: new Map(
      zone.ads.map((ad) => [
        ad.id,
        {
          rule: ineligibleReason(ad, null, nowMs) ?? (isLimitedNow(ad, nowMs) ? 'targeting' : null),
          share: (chosen.get(ad) ?? 0) / DRAWS,
        },
      ]),
    ),
    tagSeenAtMs: zone.tagSeenAtMs,
  };
}

/** Whether it is outside the hours of the ad, or since more than an hour no request was within its limits. */
function isLimitedNow({ targeting, lastAllowedMs, lastLimitedMs }: LiveAd, nowMs: number): boolean {
  const clock = { hourOfWeek: (timezone: string) => hourOfWeek(timezone, nowMs) };
  return (targeting !== null && isOutOfHours(targeting, clock)) || lastLimitedMs - lastAllowedMs > HOUR_MS;
}
