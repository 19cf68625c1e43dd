import type { Candidate } from '#domain/delivery/choose.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import type { Check } from '#domain/targeting/matches.ts';
import type { Counted, Uncounted } from '../event-log/event-log.ts';
import { type Fleet, Reservations } from './reservations.ts';
import type { HourlyCount } from '../event-log/hourly-counts.ts';
import type { Subject } from '../tokens/tokens.ts';
import type { VastTemplate } from './vast-document.ts';

/** What visitors see of an ad, in the form that answers need. */
export type LiveCreative = {
  /** Its number in the tokens, as `creativeNumbers` counts; 0 if the ad has no other creative. */
  creative: number;
  video: boolean;
  /** The part of a token that names this ad and creative; see tokens/tokens.ts. */
  subject: Subject;
  targetUrl: string;
  /** The answer up to the view token, as asciiJson writes it. The click URL and the closing brace follow it. */
  fragment: string;
  /** The same for a video player; null if no player can show it. */
  vast: VastTemplate | null;
};

/**
 * A running ad with its first creative, in the form that decisions need. Its counters and its turn change in place; any
 * other change replaces the object.
 */
export type LiveAd = Candidate &
  LiveCreative & {
    id: number;
    publicId: string;
    zoneId: number;
    /** The creative that is shown in turn with the first one. */
    second: LiveCreative | null;
    /** The number of the creative whose turn is next; null if it is not settled. See decision/creative-of.ts. */
    next: number | null;
    /** Whether its clicks lead to the target with a token, whose landing the advertiser reports. */
    measuresLandings: boolean;
    endMs: number;
    /** Where and to whom it is shown; null: everybody. `isWithin` checks a visitor by it. */
    targeting: Targeting | null;
    isWithin: Check | null;
    /** When a valid request was last within its limits and those of the zone, and when one was not; -Infinity: never. */
    lastAllowedMs: number;
    lastLimitedMs: number;
    reservations: Reservations;
    /** Whether decision/recently-served.ts has noted this ad. */
    recentlyServed: boolean;
    /** Acknowledged events that `views` and `clicks` do not include yet. */
    uncounted: { views: number; clicks: number };
    /** The row that counts its decisions in this hour. */
    hourlyCount?: HourlyCount | undefined;
  };

export type LiveZone = {
  id: number;
  publicId: string;
  websiteId: number;
  /** The user who owns the website. */
  publisherId: number;
  /** Registrable domain of the website. */
  site: string | null;
  tagSeenAtMs: number;
  /** The complete answer if there is no ad, as asciiJson writes it. */
  houseFragment: string;
  /** Views expected today; see forecasts.ts. */
  forecastPerDay: number;
  /** The median of the views that were counted per day in the last four weeks; 0 until it is read. */
  measuredViewsPerDay: number;
  ads: LiveAd[];
  /** Whether it depends on the visitor which of the ads may be shown. */
  isLimited: boolean;
  /** Whether that also depends on facts that only the page knows. */
  needsPage: boolean;
  /** Checks whether the publisher excludes a visitor from all ads; null: nobody. */
  isExcluded: Check | null;
  /** Running sums of the shares of `ads`, for `pick`; null until the first decision computes them. */
  shares: { sums: Float64Array; atMs: number } | null;
  /** The row that counts the decisions without an ad in this hour. */
  hourlyCount?: HourlyCount | undefined;
};

/** Keeps all active zones and their live ads in memory. */
export function createSnapshot() {
  let zones = new Map<string, LiveZone>();
  let publicIds = new Map<number, string>();
  let ads = new Map<number, LiveAd>();
  const fleet: Fleet = { servers: 1 };

  function remove(zoneId: number): void {
    const publicId = publicIds.get(zoneId);
    if (publicId === undefined) return;
    for (const ad of zones.get(publicId)?.ads ?? []) ads.delete(ad.id);
    zones.delete(publicId);
    publicIds.delete(zoneId);
  }

  function store(zone: LiveZone): void {
    for (const ad of zone.ads) {
      const known = ads.get(ad.id);
      ad.reservations = known?.reservations ?? new Reservations(fleet);
      if (!known) continue;
      // The loaded counters may be older than the ones in memory. Counters only grow, so keep the higher value.
      ad.views = Math.max(ad.views, known.views);
      ad.clicks = Math.max(ad.clicks, known.clicks);
      ad.uncounted = known.uncounted;
      ad.next = known.next;
      ad.lastAllowedMs = known.lastAllowedMs;
      ad.lastLimitedMs = known.lastLimitedMs;
    }
    const before = zones.get(publicIds.get(zone.id) ?? '');
    zone.forecastPerDay = before?.forecastPerDay ?? zone.forecastPerDay;
    zone.measuredViewsPerDay = before?.measuredViewsPerDay ?? zone.measuredViewsPerDay;
    remove(zone.id);
    zones.set(zone.publicId, zone);
    publicIds.set(zone.id, zone.publicId);
    for (const ad of zone.ads) ads.set(ad.id, ad);
  }

  return {
    fleet,
    zone: (publicId: string): LiveZone | undefined => zones.get(publicId),
    zoneById: (zoneId: number): LiveZone | undefined => zones.get(publicIds.get(zoneId) ?? ''),
    ad: (id: number): LiveAd | undefined => ads.get(id),
    /** Replaces the zones with these ids. A zone that is not in `found` is removed. */
    replace: (ids: readonly number[], found: readonly LiveZone[]): void => {
      const present = new Set(found.map((zone) => zone.id));
      for (const id of ids) if (!present.has(id)) remove(id);
      for (const zone of found) store(zone);
    },
    setForecast: (zoneId: number, perDay: number): void => {
      const zone = zones.get(publicIds.get(zoneId) ?? '');
      if (zone) zone.forecastPerDay = perDay;
    },
    setMeasured: (zoneId: number, viewsPerDay: number): void => {
      const zone = zones.get(publicIds.get(zoneId) ?? '');
      if (zone) zone.measuredViewsPerDay = viewsPerDay;
    },
    zoneIds: (): number[] => [...publicIds.keys()],
    applyCounts: (counted: readonly Counted[]): void => {
      for (const { adId, totalImpressions, totalClicks } of counted) {
        const ad = ads.get(adId);
        if (!ad) continue;
        ad.views = Math.max(ad.views, totalImpressions);
        ad.clicks = Math.max(ad.clicks, totalClicks);
      }
    },
    applyUncounted: (uncounted: readonly Uncounted[]): void => {
      for (const { adId, ...numbers } of uncounted) {
        const ad = ads.get(adId);
        if (ad) ad.uncounted = numbers;
      }
    },
    release: (adId: number, issuedAtMs: number, nowMs: number): void => {
      ads.get(adId)?.reservations.release(issuedAtMs, nowMs);
    },
  };
}
export type Snapshot = ReturnType<typeof createSnapshot>;
