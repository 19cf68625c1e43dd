import type { Facts } from '#domain/targeting/matches.ts';
import type { LiveAd, LiveZone } from '../snapshot/snapshot.ts';

/** Beyond this many different sets of ads, a zone forgets them. A zone with few limits has few. */
const MAX_SETS = 256;
/** Bits of a UTF-16 code unit. */
const BITS = 16;

const setsOfZones = new WeakMap<LiveZone, Map<string, LiveZone>>();

/**
 * The zone with only those ads that this visitor may be shown by the limits of the ads, or with none if the zone excludes the
 * visitor. It
 * is made once for each set of ads, so that the shares of a set are computed as seldom as those of the zone. `isNoted`:
 * the request counts, so 'Not showing?' learns what the limits did.
 */
export function zoneFor(
  zone: LiveZone,
  facts: Facts,
  { isExcluded, isNoted }: { isExcluded: boolean; isNoted: boolean },
  nowMs: number,
): LiveZone {
  let name = '';
  let bits = 0;
  let index = 0;
  let count = 0;
  for (const ad of zone.ads) {
    const isShown = !isExcluded && (ad.isWithin === null || ad.isWithin(facts));
    if (isNoted) note(ad, isShown, nowMs);
    if (isShown) {
      bits |= 1 << (index % BITS);
      count += 1;
    }
    index += 1;
    if (index % BITS === 0) {
      name += String.fromCharCode(bits);
      bits = 0;
    }
  }
  if (count === zone.ads.length) return zone;
  name += String.fromCharCode(bits);

  let sets = setsOfZones.get(zone);
  if (!sets || sets.size >= MAX_SETS) setsOfZones.set(zone, (sets = new Map()));
  let set = sets.get(name);
  if (!set) {
    const ads = zone.ads.filter((_, at) => (name.charCodeAt(Math.floor(at / BITS)) >> (at % BITS)) & 1);
    sets.set(name, (set = { ...zone, ads, shares: null }));
  }
  // The forecast changes daily while the zone object stays the same.
  set.forecastPerDay = zone.forecastPerDay;
  return set;
}

function note(ad: LiveAd, isShown: boolean, nowMs: number): void {
  if (isShown) ad.lastAllowedMs = nowMs;
  else ad.lastLimitedMs = nowMs;
}
