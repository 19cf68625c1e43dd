import { judgeTraffic } from '#domain/delivery/judge.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { Facts } from '#domain/targeting/matches.ts';
import { hourOf } from '#domain/time.ts';
import type { Request } from '#server/platform/http/raw-answer.ts';
import { chooseAd, type Taken } from './choose-ad.ts';
import type { SiteProof } from '../tokens/site-proof.ts';
import type { FrequencyCap } from './frequency-cap.ts';
import type { TagSeen } from './tag-seen.ts';
import type { LiveAd, LiveCreative, LiveZone, Snapshot } from '../snapshot/snapshot.ts';
import type { AgentTally } from '../agents/agents.ts';
import type { AudienceTally } from '../audience/audience.ts';
import type { PositionSample } from '../position/position-sample.ts';
import type { ClientAddress } from '../traffic/client-address.ts';
import type { DataCentres } from '../traffic/data-centres/data-centres.ts';
import type { HourlyCounts } from '../event-log/hourly-counts.ts';
import type { Tally } from '../event-log/tally.ts';
import type { Tokens, TokenUse } from '../tokens/tokens.ts';
import type { HeaderRules, RequestUse } from '../traffic/request-headers.ts';
import { type Agent, agentOf, isFiltered } from '../traffic/declared-agent.ts';
import { type Browser, browserOf, isSpeculative, type Page, pageOf } from '../traffic/traffic.ts';
import type { RefusedFactsTally } from '../traffic/refused-facts.ts';
import type { FactsOf } from '../targeting/visitor-facts.ts';
import { zoneFor } from '../targeting/zone-for.ts';
import type { SampleLinks } from '../zone-watch/sample-links.ts';
import type { ZoneWatcher } from '../zone-watch/zone-watch.ts';

export type DecisionParts = {
  realNow: () => Date;
  /** By how much the marketplace's clock is ahead of the wall clock, in whole seconds. */
  aheadMs: () => number;
  snapshot: Snapshot;
  tokens: Tokens;
  hourlyCounts: HourlyCounts;
  refusedFacts: Pick<RefusedFactsTally, 'request'>;
  tally: Pick<Tally, 'decisions'>;
  zoneWatch: ZoneWatcher;
  sampleLinks: SampleLinks;
  tagSeen: TagSeen;
  agents: Pick<AgentTally, 'note'>;
  audience: Pick<AudienceTally, 'vote'>;
  positionSample: PositionSample;
  dataCentres: Pick<DataCentres, 'has'>;
  addressOf: ClientAddress['addressOf'];
  networkNumberOf: ClientAddress['networkNumberOf'];
  siteProof: SiteProof;
  frequency: FrequencyCap;
  factsOf: FactsOf;
  /**
   * True on a developer's machine, never in production: local pages count as the site's own, and automated browsers are
   * noted but counted.
   */
  developmentMode: boolean;
  /** Null under the traffic rules of development. */
  headerRules: HeaderRules | null;
  clickUrl: string;
  /** Notes that a quota ad was served, so that its counters are kept fresh. */
  onServed: (ad: LiveAd) => void;
};

/** The client that requests an ad, as its request describes it. */
export type AdClient = {
  request: Request;
  /** '' if the request has no Origin header. */
  origin: string;
  page: Page;
  prefetch: boolean;
  agent: Agent | null;
  browser: Browser;
  /** The browser that the request names would not send such a request. */
  impossible: boolean;
  /** What limits of ads need to know; null until the first zone with limits. */
  facts: Facts | null;
  /** The marketplace's clock. */
  nowMs: number;
  /** The wall clock, for tokens. */
  realMs: number;
};

export function adClientOf(
  { headerRules, realNow, aheadMs }: Pick<DecisionParts, 'headerRules' | 'realNow' | 'aheadMs'>,
  request: Request,
  use: RequestUse,
): AdClient {
  const { headers } = request;
  const { origin = '' } = headers;
  const browser = browserOf(headers['user-agent'] ?? '');
  const realMs = realNow().getTime();
  return {
    request,
    origin,
    page: pageOf(origin),
    prefetch: isSpeculative(headers),
    agent: agentOf(headers, browser),
    browser,
    impossible: headerRules !== null && headerRules.isImpossible(headers, browser, use),
    facts: null,
    nowMs: realMs + aheadMs(),
    realMs,
  };
}

export type Decided = {
  /** Null if the zone shows no paid ad. */
  ad: LiveAd | null;
  /** Why the events of this decision will not count, or null. */
  reason: Reason | null;
};

/**
 * Chooses what a zone shows this client now, and counts the decision in the figures of the hour. A request from the
 * zone's own site is also noted as 'tag seen'. `vouched`: the origin for which a proof (site-proof.ts)
 * vouches. `among` is
 * the zone with only those ads that the client can show. `isSampled`: its facts are among those that describe the zone's
 * audience. [DEL-20, DEL-33]
 */
export function decide(
  parts: DecisionParts,
  client: AdClient,
  zone: LiveZone,
  {
    taken = null,
    vouched = null,
    among = zone,
    isSampled = false,
  }: { taken?: Taken; vouched?: string | null; among?: LiveZone; isSampled?: boolean },
): Decided {
  const { origin, nowMs } = client;
  const { own, found, reason } = judgeRequest(parts, client, zone, vouched);
  if (own && origin !== '' && reason === null) parts.tagSeen.note(zone, nowMs);

  let shown = among;
  let isExcluded = false;
  if (among.isLimited) {
    const facts = (client.facts ??= parts.factsOf(client));
    isExcluded = among.isExcluded !== null && among.isExcluded(facts);
    shown = zoneFor(among, facts, { isExcluded, isNoted: reason === null }, nowMs);
    if (isExcluded && found === null) countExcluded(parts.hourlyCounts, hourOf(nowMs), zone);
  }
  const ad = reason === null ? chooseFor(parts, client, shown, taken) : chooseAd(shown, taken, nowMs);
  countDecision(parts.hourlyCounts, hourOf(nowMs), ad, zone, found);
  if (found === 'agent') parts.agents.note('requests', zone.id, client.agent, nowMs);
  if (isSampled && reason === null && !isExcluded) voteOn(parts, client, zone);
  if (found !== null) parts.refusedFacts.request(zone.id, found, client.request, nowMs);
  if (ad) parts.tally.decisions.ad += 1;
  else parts.tally.decisions.none += 1;
  return { ad, reason };
}

/**
 * Whether the request comes from the zone's own site, what is wrong with it, and the reason why its events will not count.
 */
export function judgeRequest(
  { developmentMode }: Pick<DecisionParts, 'developmentMode'>,
  { page, origin, prefetch, agent, browser, impossible }: AdClient,
  zone: LiveZone,
  vouched: string | null,
): { own: boolean; found: Reason | null; reason: Reason | null } {
  // The proof stands in for the origin of a sandboxed frame, and of a player's frame. Any other page must match by its origin.
  const own = origin === vouched || isOwnPage(zone, page, developmentMode);
  // The event looks the address up in the data centers. Doing that here would slow down every decision.
  const found = judgeTraffic({
    prefetch,
    agent: agent !== null,
    automated: browser.automated,
    impossible,
    dataCentre: false,
    foreignSite: !own,
  });
  // A developer's browser may be automated. Development mode notes that, and still counts its events.
  const isOnlyNoted =
    found === 'agent' ? !isFiltered(agent, developmentMode) : developmentMode && found === 'bot';
  return { own, found, reason: isOnlyNoted ? null : found };
}

/** Whether the request is picked for the sample of the zone's requests. */
export function isPicked(
  parts: DecisionParts,
  client: AdClient,
  zone: LiveZone,
  vouched: string | null,
): boolean {
  return parts.positionSample.pick(
    zone,
    () => parts.networkNumberOf(client.request),
    client.nowMs,
    () => judgeRequest(parts, client, zone, vouched).reason === null,
  );
}

/** Lets the network of the request vote on the audience of the zone. The look-up in the data centers is for samples only. */
function voteOn(parts: DecisionParts, client: AdClient, { id }: LiveZone): void {
  if (parts.dataCentres.has(parts.addressOf(client.request))) return;
  const facts = (client.facts ??= parts.factsOf(client));
  parts.audience.vote(id, facts, parts.networkNumberOf(client.request), client.nowMs);
}

/**
 * Applies the frequency cap of this visitor and notes the ad they are shown. It notes a zone's only ad as well, because
 * the zone may soon have another. [DEL-49]
 */
function chooseFor(
  { frequency }: DecisionParts,
  { request, browser, nowMs }: AdClient,
  zone: LiveZone,
  taken: Taken,
): LiveAd | null {
  const visitor = frequency.visitorOf(request, browser, nowMs);
  if (visitor === null) return chooseAd(zone, taken, nowMs);
  const ad = chooseAd(zone, taken, nowMs, Math.random, ({ id }) => frequency.isCapped(visitor, id, nowMs));
  if (ad) frequency.note(visitor, ad.id, nowMs);
  return ad;
}

/** Issues the tokens of an ad that is served now with this creative. For an ad paid per impression, it also reserves one. */
export function issueTokens(
  parts: DecisionParts,
  { page, nowMs, realMs }: AdClient,
  ad: LiveAd,
  { subject }: LiveCreative,
  reason: Reason | null,
  use: TokenUse = 'page',
): { view: string; click: string } {
  if (ad.goal !== null) {
    // Do not reserve an impression for traffic that will be filtered.
    if (reason === null && ad.pricingModel === 'per_impression') ad.reservations.reserve(nowMs);
    parts.onServed(ad);
  }
  return parts.tokens.issue({ subject, reason, origin: page.hash, use }, realMs);
}

function countDecision(
  hourlyCounts: HourlyCounts,
  hourMs: number,
  ad: LiveAd | null,
  zone: LiveZone,
  found: Reason | null,
): void {
  const decided = ad ?? zone;
  const known = decided.hourlyCount;
  // Most decisions belong to the same row as the one before. Reuse it instead of building and looking up its key.
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

/** Counts beside a decision that the zone excludes its visitor, so that the forecast leaves it out. [WARD-30] */
function countExcluded(hourlyCounts: HourlyCounts, hourMs: number, { id }: LiveZone): void {
  hourlyCounts.add({ hourMs, adId: null, zoneId: id, kind: 'excluded', reason: '' });
}

/** Whether the page that requests an ad belongs to the zone's website. */
export function isOwnPage(zone: LiveZone, page: Page, developmentMode: boolean): boolean {
  return (page.site !== null && page.site === zone.site) || (developmentMode && page.local);
}
