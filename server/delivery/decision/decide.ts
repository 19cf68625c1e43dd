import { judgeTraffic } from '#domain/delivery/judge.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import { hourOf } from '#domain/time.ts';
import type { Request } from '#server/http/raw-answer.ts';
import { chooseAd, type Taken } from './choose-ad.ts';
import type { FrameProof } from '../tokens/frame-proof.ts';
import type { FrequencyCap } from './frequency-cap.ts';
import type { SiteProof } from './site-proof.ts';
import type { LiveAd, LiveZone, Snapshot } from '../snapshot/snapshot.ts';
import type { HourlyCounts } from '../event-log/hourly-counts.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { type Browser, browserOf, isSpeculative, type Page, pageOf } from '../traffic/traffic.ts';
import type { ZoneWatcher } from '../zone-watch/zone-watch.ts';

export type DecisionParts = {
  now: () => Date;
  snapshot: Snapshot;
  tokens: Tokens;
  hourlyCounts: HourlyCounts;
  zoneWatch: ZoneWatcher;
  siteProof: SiteProof;
  frameProof: FrameProof;
  frequency: FrequencyCap;
  /** A developer's own machine: local pages are the site's own, robots only noted (design 6.9). Never in production. */
  developmentMode: boolean;
  clickUrl: string;
  /** Notes that an ad was offered, so that its counters are kept fresh. */
  onServed: (ad: LiveAd) => void;
};

/** Who asks for an ad, as far as their request tells. */
export type Caller = {
  request: Request;
  /** '' where the request names none. */
  origin: string;
  page: Page;
  prefetch: boolean;
  browser: Browser;
  nowMs: number;
};

export function callerOf(request: Request, nowMs: number): Caller {
  const { headers } = request;
  const { origin = '' } = headers;
  return {
    request,
    origin,
    page: pageOf(origin),
    prefetch: isSpeculative(headers),
    browser: browserOf(headers['user-agent'] ?? ''),
    nowMs,
  };
}

export type Decided = {
  /** Null: nothing that is paid for. */
  ad: LiveAd | null;
  /** Why what follows will not be counted. */
  reason: Reason | null;
};

/**
 * What a zone shows this caller now. The decision is in the hour's figures, and a page of the zone's own site proves that
 * the site is its publisher's. `framed`: a frame's proof vouches for the site. `among` is the zone with fewer ads, where
 * not all of them can be shown.
 */
export function decide(
  parts: DecisionParts,
  caller: Caller,
  zone: LiveZone,
  { taken = null, framed = false, among = zone }: { taken?: Taken; framed?: boolean; among?: LiveZone },
): Decided {
  const { page, origin, prefetch, browser, nowMs } = caller;
  // A sandboxed frame has no origin to compare, and its proof is worth nothing on a page that has one.
  const own = (framed && origin === 'null') || isOwnPage(zone, page, parts.developmentMode);
  // Where the address is, is looked at with the event: here it would cost every decision.
  const found = judgeTraffic({
    prefetch,
    automated: browser.automated,
    dataCentre: false,
    foreignSite: !own,
  });
  // A developer's own browser may well be an automated one: that is noted, and counted all the same.
  const reason = parts.developmentMode && found === 'bot' ? null : found;
  if (own && origin !== '' && reason === null) parts.siteProof.note(zone, nowMs);

  const ad = reason === null ? chooseFor(parts, caller, among, taken) : chooseAd(among, taken, nowMs);
  countDecision(parts.hourlyCounts, hourOf(nowMs), ad, zone, found);
  return { ad, reason };
}

/**
 * Looks at what this visitor has seen today, and notes what they are shown; also where there is one ad, because there
 * may be another soon.
 */
function chooseFor(
  { frequency }: DecisionParts,
  { request, browser, nowMs }: Caller,
  zone: LiveZone,
  taken: Taken,
): LiveAd | null {
  const visitor = frequency.visitorOf(request, browser, nowMs);
  if (visitor === null) return chooseAd(zone, taken, nowMs);
  const ad = chooseAd(zone, taken, nowMs, Math.random, ({ id }) => frequency.isCapped(visitor, id, nowMs));
  if (ad) frequency.note(visitor, ad.id, nowMs);
  return ad;
}

/** The tokens of an ad that is shown now; its view is held against what was bought. */
export function issueTokens(
  parts: DecisionParts,
  { page, nowMs }: Caller,
  ad: LiveAd,
  reason: Reason | null,
): { view: string; click: string } {
  if (ad.goal !== null) {
    // What will not be counted takes nothing from what was bought.
    if (reason === null && ad.pricingModel === 'per_impression') ad.reservations.reserve(nowMs);
    parts.onServed(ad);
  }
  return parts.tokens.issue({ subject: ad.subject, reason, origin: page.hash }, nowMs);
}

/** Counts a decision in the hour's figures. */
function countDecision(
  hourlyCounts: HourlyCounts,
  hourMs: number,
  ad: LiveAd | null,
  zone: LiveZone,
  found: Reason | null,
): void {
  const decided = ad ?? zone;
  const known = decided.hourlyCount;
  // Most decisions repeat the one before, and need no name to be made and looked up.
  if (found === null && known && !known.written && known.hourMs === hourMs) {
    known.n += 1;
    return;
  }
  const row = hourlyCounts.add({
    hourMs,
    adId: ad?.id ?? null,
    zoneId: zone.id,
    kind: 'decision',
    reason: found ?? '',
  });
  if (found === null) decided.hourlyCount = row;
}

/** Whether the page that asks belongs to the zone's website. */
export function isOwnPage(zone: LiveZone, page: Page, developmentMode: boolean): boolean {
  return (page.site !== null && page.site === zone.site) || (developmentMode && page.local);
}
