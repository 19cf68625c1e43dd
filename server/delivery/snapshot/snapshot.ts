import type { Candidate } from '#domain/delivery/choose.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import type { Check } from '#domain/targeting/matches.ts';
import { flat } from '#server/platform/http/raw-answer.ts';
import type { Counted, Uncounted } from '../event-log/event-log.ts';
import type { Fragment } from './fragments.ts';
import { createRecent } from './recent.ts';
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
  /** The answer up to the view token. The click URL and the closing brace follow it. */
  fragment: Fragment;
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
  /** The JSON of the style of a text ad, which zones of one look share, and the size in pixels. For a sample ad. */
  textStyle: string;
  area: number;
  /** The answer if there is no ad. */
  house: Fragment;
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

/** The memory of a server has room for so many zones without an ad, at about 1 kB each. */
export const MAX_ASKED_ZONES = 50_000;
/** About 0.1 kB each. */
export const MAX_UNKNOWN_NAMES = 100_000;

/** The ads in memory, and what of their events is not in the counters yet. */
type Ads = {
  live: Map<number, LiveAd>;
  /** Also of ads that are not in memory now, such as at the start. */
  uncounted: Map<number, LiveAd['uncounted']>;
};

/** Keeps in memory the zones with live ads, and those without that were lately asked for. */
export function createSnapshot() {
  const ads: Ads = { live: new Map(), uncounted: new Map() };
  const fleet: Fleet = { servers: 1 };
  return {
    fleet,
    ad: (id: number): LiveAd | undefined => ads.live.get(id),
    ...createZones(ads, fleet),
    ...createCounters(ads),
  };
}
export type Snapshot = ReturnType<typeof createSnapshot>;

function createZones({ live, uncounted }: Ads, fleet: Fleet) {
  const sold = new Map<string, LiveZone>();
  const asked = createRecent<LiveZone>(MAX_ASKED_ZONES, ({ id }) => publicIds.delete(id));
  /** Names that were lately asked for, and are of no zone that is offered. */
  const unknown = createRecent<true>(MAX_UNKNOWN_NAMES);
  /** Of both kinds of zones. */
  const publicIds = new Map<number, string>();

  const zoneNamed = (publicId: string): LiveZone | undefined => sold.get(publicId) ?? asked.get(publicId);
  const zoneById = (zoneId: number): LiveZone | undefined => {
    const publicId = publicIds.get(zoneId);
    return publicId === undefined ? undefined : zoneNamed(publicId);
  };

  function remove(zoneId: number): void {
    const publicId = publicIds.get(zoneId);
    if (publicId === undefined) return;
    for (const ad of sold.get(publicId)?.ads ?? []) live.delete(ad.id);
    sold.delete(publicId);
    asked.delete(publicId);
    publicIds.delete(zoneId);
  }

  function store(zone: LiveZone): void {
    for (const ad of zone.ads) {
      takeOver(ad, live.get(ad.id), fleet);
      ad.uncounted = uncounted.get(ad.id) ?? ad.uncounted;
    }
    const before = zoneById(zone.id);
    zone.forecastPerDay = before?.forecastPerDay ?? zone.forecastPerDay;
    zone.measuredViewsPerDay = before?.measuredViewsPerDay ?? zone.measuredViewsPerDay;
    remove(zone.id);
    unknown.delete(zone.publicId);
    publicIds.set(zone.id, zone.publicId);
    if (zone.ads.length > 0) sold.set(zone.publicId, zone);
    // A zone that has lost its last ad is asked for until the pages that show it are gone.
    else asked.set(zone.publicId, zone);
    for (const ad of zone.ads) live.set(ad.id, ad);
  }

  return {
    /** Finds a zone in memory. A zone that is not there may still exist; see cold-zones.ts. */
    zone: zoneNamed,
    zoneById,
    isUnknown: (name: string): boolean => unknown.get(name) === true,
    /** Replaces the zones with these ids. A zone that is not in `found` is removed. */
    replace: (ids: readonly number[], found: readonly LiveZone[]): void => {
      const present = new Set(found.map((zone) => zone.id));
      for (const id of ids) if (!present.has(id)) remove(id);
      for (const zone of found) {
        if (zone.ads.length > 0 || publicIds.has(zone.id)) store(zone);
        // It is read when it is asked for the next time.
        else unknown.delete(zone.publicId);
      }
    },
    /** Keeps what was found for names that were asked for. The others are unknown from now on. */
    remember: (names: readonly string[], found: readonly LiveZone[]): void => {
      for (const zone of found) store(zone);
      const present = new Set(found.map((zone) => zone.publicId));
      // Names are parts of the addresses of requests, which V8 would keep with them.
      for (const name of names) if (!present.has(name)) unknown.set(flat(name), true);
    },
    /** Forgets all zones without an ad, and which names are unknown. */
    forgetAsked: (): void => {
      asked.clear();
      unknown.clear();
    },
    setForecast: (zoneId: number, perDay: number): void => {
      const zone = zoneById(zoneId);
      if (zone) zone.forecastPerDay = perDay;
    },
    setMeasured: (zoneId: number, viewsPerDay: number): void => {
      const zone = zoneById(zoneId);
      if (zone) zone.measuredViewsPerDay = viewsPerDay;
    },
    isSold: (zoneId: number): boolean => sold.has(publicIds.get(zoneId) ?? ''),
    soldZoneIds: (): number[] => Array.from(sold.values(), ({ id }) => id),
    /** For tests and the bench. */
    sizes: () => ({ sold: sold.size, asked: asked.size(), ids: publicIds.size, unknown: unknown.size() }),
  };
}

/** The members that an ad keeps of its object in memory when it is loaded again. */
function takeOver(ad: LiveAd, known: LiveAd | undefined, fleet: Fleet): void {
  ad.reservations = known?.reservations ?? new Reservations(fleet);
  if (!known) return;
  // The loaded counters may be older than the ones in memory. Counters only grow, so keep the higher value.
  ad.views = Math.max(ad.views, known.views);
  ad.clicks = Math.max(ad.clicks, known.clicks);
  ad.next = known.next;
  ad.lastAllowedMs = known.lastAllowedMs;
  ad.lastLimitedMs = known.lastLimitedMs;
}

function createCounters({ live, uncounted }: Ads) {
  return {
    applyCounts: (counted: readonly Counted[]): void => {
      for (const { adId, totalImpressions, totalClicks } of counted) {
        const ad = live.get(adId);
        if (!ad) continue;
        ad.views = Math.max(ad.views, totalImpressions);
        ad.clicks = Math.max(ad.clicks, totalClicks);
      }
    },
    applyUncounted: (changed: readonly Uncounted[]): void => {
      for (const { adId, ...numbers } of changed) {
        if (numbers.views + numbers.clicks > 0) uncounted.set(adId, numbers);
        else uncounted.delete(adId);
        const ad = live.get(adId);
        if (ad) ad.uncounted = numbers;
      }
    },
    release: (adId: number, issuedAtMs: number, nowMs: number): void => {
      live.get(adId)?.reservations.release(issuedAtMs, nowMs);
    },
  };
}
