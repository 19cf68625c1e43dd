import type { Candidate } from '#domain/delivery/choose.ts';
import type { Counted, Uncounted } from '../event-log/event-log.ts';
import { type Fleet, Reservations } from './reservations.ts';
import type { HourlyCount } from '../event-log/hourly-counts.ts';
import type { Subject } from '../tokens/tokens.ts';
import type { VastTemplate } from './vast-document.ts';

/** A running ad as decisions need it. Counters move; everything else is replaced when it changes. */
export type LiveAd = Candidate & {
  id: number;
  publicId: string;
  zoneId: number;
  video: boolean;
  /** What its tokens say of it: see tokens.ts. */
  subject: Subject;
  targetUrl: string;
  endMs: number;
  /** The answer's JSON up to the view token; the click token and the closing brace follow. */
  fragment: string;
  /** The same for a video player; null for what none can show. */
  vast: VastTemplate | null;
  reservations: Reservations;
  /** Noted as offered: see offered.ts. */
  recentlyServed: boolean;
  /** Acknowledged, and not yet in `views` and `clicks`. */
  uncounted: { views: number; clicks: number };
  /** Where its decisions of this hour are being counted. */
  hourlyCount?: HourlyCount | undefined;
};

export type LiveZone = {
  id: number;
  publicId: string;
  websiteId: number;
  /** Registrable domain of the website. */
  site: string | null;
  verified: boolean;
  tagSeenAtMs: number;
  /** The whole answer when there is no ad. */
  houseFragment: string;
  /** Views expected today: see forecasts.ts. */
  forecastPerDay: number;
  ads: LiveAd[];
  /** What each of `ads` is to be shown, for `pick`; null until it is worked out, which is when the zone is asked for. */
  shares: { sums: Float64Array; atMs: number } | null;
  /** Where this hour's decisions that chose no ad are being counted. */
  hourlyCount?: HourlyCount | undefined;
};

/** Everything that can be shown, in memory. */
export function createSnapshot() {
  let zones = new Map<string, LiveZone>();
  let publicIds = new Map<number, string>();
  let ads = new Map<number, LiveAd>();
  const fleet: Fleet = { servers: 1 };

  function forget(zoneId: number): void {
    const publicId = publicIds.get(zoneId);
    if (publicId === undefined) return;
    for (const ad of zones.get(publicId)?.ads ?? []) ads.delete(ad.id);
    zones.delete(publicId);
    publicIds.delete(zoneId);
  }

  function keep(zone: LiveZone): void {
    for (const ad of zone.ads) {
      const known = ads.get(ad.id);
      ad.reservations = known?.reservations ?? new Reservations(fleet);
      if (!known) continue;
      // What was read may be older than what has been counted since; counters only grow.
      ad.views = Math.max(ad.views, known.views);
      ad.clicks = Math.max(ad.clicks, known.clicks);
      ad.uncounted = known.uncounted;
    }
    zone.forecastPerDay = zones.get(publicIds.get(zone.id) ?? '')?.forecastPerDay ?? zone.forecastPerDay;
    forget(zone.id);
    zones.set(zone.publicId, zone);
    publicIds.set(zone.id, zone.publicId);
    for (const ad of zone.ads) ads.set(ad.id, ad);
  }

  return {
    fleet,
    zone: (publicId: string): LiveZone | undefined => zones.get(publicId),
    /** Of a zone that is shown. */
    websiteOf: (zoneId: number): number | undefined => zones.get(publicIds.get(zoneId) ?? '')?.websiteId,
    ad: (id: number): LiveAd | undefined => ads.get(id),
    /** What became of the zones that were asked for: those not among `found` are shown no more. */
    replace: (asked: readonly number[], found: readonly LiveZone[]): void => {
      const present = new Set(found.map((zone) => zone.id));
      for (const id of asked) if (!present.has(id)) forget(id);
      for (const zone of found) keep(zone);
    },
    setForecast: (zoneId: number, perDay: number): void => {
      const zone = zones.get(publicIds.get(zoneId) ?? '');
      if (zone) zone.forecastPerDay = perDay;
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
