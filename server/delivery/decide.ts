import type { Reason } from '#domain/delivery/reasons.ts';
import { judgeTraffic } from '#domain/delivery/judge.ts';
import { MAX_ZONES_PER_REQUEST } from '#domain/delivery/wire.ts';
import { hourOf } from '#domain/time.ts';
import { ANY_ORIGIN, answerJson, NEVER_STORED, refuse, type Request, type Response } from './answer.ts';
import type { FrameProof } from './frame-proof.ts';
import type { SiteProof } from './site-proof.ts';
import { chooseAd, type IsOften, type Taken } from './choose-ad.ts';
import type { Frequency } from './frequency.ts';
import { answerTest } from './test-zone.ts';
import type { LiveAd, LiveZone, Snapshot } from './snapshot.ts';
import type { Tally } from './tally.ts';
import type { Tokens } from './tokens.ts';
import type { ZoneWatcher } from './zone-watch.ts';
import { isAutomated, isSpeculative, type Page, pageOf } from './traffic.ts';

const HEADERS = [...NEVER_STORED, ...ANY_ORIGIN, 'Timing-Allow-Origin', '*'];

export type DecisionParts = {
  now: () => Date;
  snapshot: Snapshot;
  tokens: Tokens;
  tally: Tally;
  watch: ZoneWatcher;
  siteProof: SiteProof;
  frameProof: FrameProof;
  frequency: Frequency;
  /** A developer's own machine: local pages are the site's own, robots only noted (design 6.9). Never in production. */
  lenient: boolean;
  clickUrl: string;
  /** Notes that an ad was offered, so that its counters are kept fresh. */
  onOffered: (ad: LiveAd) => void;
};

/** `GET /api/serve/ads?z=ID,ID`: an ad for each zone, from memory alone. */
export function answerAds(parts: DecisionParts, request: Request, response: Response, query: string): void {
  const asked = zonesOf(query);
  if (!asked) return refuse(response, 400, `Ask for 1 to ${MAX_ZONES_PER_REQUEST} zones: ?z=ID,ID`);

  const nowMs = parts.now().getTime();
  const hourMs = hourOf(nowMs);
  const { origin = '' } = request.headers;
  const page = pageOf(origin);
  const prefetch = isSpeculative(request.headers);
  const automated = isAutomated(request.headers['user-agent'] ?? '');
  // Only needed where a page has several zones.
  const taken = asked.length > 1 ? new Set<LiveAd>() : null;

  let json = '{"ads":';
  let separator = '[';
  for (const id of asked) {
    json += separator;
    separator = ',';
    const named = parts.snapshot.zone(id) ?? parts.snapshot.zone(id.toLowerCase());
    // Only names that are no zone's own: the usual way costs nothing more.
    const frame = named ? null : parts.frameProof.read(id, nowMs);
    const zone = frame ? parts.snapshot.zone(frame.zone) : named;
    if (!zone) {
      const test = answerTest(parts, id, page, nowMs);
      json += test ?? `{"zone":${JSON.stringify(id)},"kind":"none"}`;
      if (test === null && parts.watch.zones.size > 0) parts.watch.unknown(id, page, origin);
      continue;
    }
    // A sandboxed frame has no origin to compare, and its proof is worth nothing on a page that has one.
    const own = (frame?.proven === true && origin === 'null') || isOwnPage(zone, page, parts.lenient);
    // Where the address is, is looked at with the event: here it would cost every decision.
    const found = judgeTraffic({ prefetch, automated, dataCentre: false, foreignSite: !own });
    // A developer's own browser may well be an automated one: that is noted, and counted all the same.
    const reason = parts.lenient && found === 'bot' ? null : found;
    if (own && origin !== '' && reason === null) parts.siteProof.note(zone, nowMs);

    const ad =
      zone.ads.length > 1 && reason === null
        ? chooseFor(parts, request, zone, taken, nowMs)
        : chooseAd(zone, taken, nowMs);
    tallyDecision(parts.tally, hourMs, ad, zone, found);
    const answer = ad ? offer(parts, ad, page, reason, nowMs) : zone.houseFragment;
    json += answer;
    if (parts.watch.zones.size > 0) parts.watch.request(zone, ad, answer, { origin, reason, isTest: false });
    if (ad) taken?.add(ad);
  }
  answerJson(response, 200, `${json}]}`, HEADERS);
}

/** Where there is a choice, it looks at what this visitor has seen today. */
export function chooseFor(
  { frequency }: DecisionParts,
  request: Request,
  zone: LiveZone,
  taken: Taken,
  nowMs: number,
): LiveAd | null {
  const visitor = frequency.visitorOf(request, nowMs);
  if (visitor === null) return chooseAd(zone, taken, nowMs);
  const isOften: IsOften = ({ id }) => frequency.isOften(visitor, id, nowMs);
  const ad = chooseAd(zone, taken, nowMs, Math.random, isOften);
  if (ad) frequency.note(visitor, ad.id, nowMs);
  return ad;
}

function offer(parts: DecisionParts, ad: LiveAd, page: Page, reason: Reason | null, nowMs: number): string {
  const tokens = promise(parts, ad, page, reason, nowMs);
  return `${ad.fragment}${tokens.view}","click":"${parts.clickUrl}${tokens.click}"}`;
}

/** The tokens of an ad that is shown now; its view is held against what was bought. */
export function promise(
  parts: DecisionParts,
  ad: LiveAd,
  page: Page,
  reason: Reason | null,
  nowMs: number,
): { view: string; click: string } {
  if (ad.goal !== null) {
    // What will not be counted takes nothing from what was bought.
    if (reason === null && ad.pricingModel === 'per_impression') ad.reserved.take(nowMs);
    parts.onOffered(ad);
  }
  const decision = { zoneId: ad.zoneId, adId: ad.id, video: ad.video, reason, origin: page.hash };
  return parts.tokens.issue(decision, nowMs);
}

/** Counts a decision in the hour's figures. */
export function tallyDecision(
  tally: Tally,
  hourMs: number,
  ad: LiveAd | null,
  zone: LiveZone,
  found: Reason | null,
): void {
  const decided = ad ?? zone;
  const known = decided.tallied;
  // Most decisions repeat the one before, and need no name to be made and looked up.
  if (found === null && known && !known.written && known.hourMs === hourMs) {
    known.n += 1;
    return;
  }
  const row = tally.add({
    hourMs,
    adId: ad?.id ?? null,
    zoneId: zone.id,
    kind: 'decision',
    reason: found ?? '',
  });
  if (found === null) decided.tallied = row;
}

/** Whether the page that asks belongs to the zone's website. */
export function isOwnPage(zone: LiveZone, page: Page, lenient: boolean): boolean {
  return (page.site !== null && page.site === zone.site) || (lenient && page.local);
}

/** The zones of `?z=A,B`, or null where there are none or too many. */
function zonesOf(query: string): string[] | null {
  // As the tag asks, or in any other order.
  const value =
    query.startsWith('z=') && !query.includes('&') ? query.slice(2) : /(?:^|&)z=([^&]*)/.exec(query)?.[1];
  if (!value) return null;
  if (!value.includes(',') && !value.includes('%')) return [value];
  const asked = value.replaceAll(/%2c/gi, ',').split(',', MAX_ZONES_PER_REQUEST + 1);
  return asked.length > MAX_ZONES_PER_REQUEST ? null : asked;
}
