import { randomBytes } from 'node:crypto';
import { isSecond } from '#domain/ads/variants.ts';
import { fillClick } from '#domain/delivery/macros.ts';
import { capScale } from '#domain/delivery/caps.ts';
import { judgeEvent, minAgeMs } from '#domain/delivery/judge.ts';
import type { BilledKind, EventKind, Reason } from '#domain/delivery/reasons.ts';
import { isRenderProof } from '#domain/delivery/render-proof.ts';
import { hourOf } from '#domain/time.ts';
import type { Database } from '../db/database.ts';
import {
  ANY_ORIGIN,
  answerBusy,
  answerEmpty,
  NEVER_STORED,
  refuse,
  type Request,
  type Response,
} from '../http/raw-answer.ts';
import { within } from '../net/within.ts';
import type { AdEvent, EventLog, LandingEvent } from './event-log/event-log.ts';
import type { DataCentres } from './traffic/data-centres/data-centres.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { findTarget } from './store.ts';
import type { TestViews } from './formats/test-zone.ts';
import type { HourlyCounts } from './event-log/hourly-counts.ts';
import type { EventOutcome, Tally } from './event-log/tally.ts';
import { type LandingTokens, withLandingToken } from './tokens/landing-tokens.ts';
import type { Claims, Tokens } from './tokens/tokens.ts';
import type { RefusedFactsTally } from './traffic/refused-facts.ts';
import type { HeaderRules } from './traffic/request-headers.ts';
import { isOwnPage } from './decision/decide.ts';
import { browserOf, isDeclaredAgent, isSpeculative, pageOf } from './traffic/traffic.ts';
import type { ClientAddress } from './traffic/client-address.ts';
import type { Traits } from './traffic/traits.ts';
import type { Visitors } from './traffic/visitors.ts';
import type { Votes } from './traffic/votes.ts';
import type { ZoneWatcher } from './zone-watch/zone-watch.ts';

const RENDERED = 'rendered';

/** A visitor who has clicked waits at most this long. The click may still be recorded afterwards. */
const REDIRECT_MS = 1500;

export type EventParts = {
  realNow: () => Date;
  /** By how much the marketplace's clock is ahead of the wall clock, in whole seconds. */
  aheadMs: () => number;
  db: Database;
  snapshot: Snapshot;
  tokens: Tokens;
  landingTokens: LandingTokens;
  hourlyCounts: HourlyCounts;
  zoneWatch: ZoneWatcher;
  testViews: TestViews;
  visitors: Visitors;
  refusedFacts: Pick<RefusedFactsTally, 'limited'>;
  traits: Traits;
  votes: Votes;
  dataCentres: DataCentres;
  eventLog: EventLog;
  tally: Pick<Tally, 'events'>;
  addressOf: ClientAddress['addressOf'];
  networkNumberOf: ClientAddress['networkNumberOf'];
  developmentMode: boolean;
  /** Null under the traffic rules of development. */
  headerRules: HeaderRules | null;
  /** Where a click goes if its token is forged or its ad is unknown. */
  publicUrl: string;
};

/**
 * `POST /api/serve/view/{token}`, or GET from a video player. 204 says that the event is committed, either counted or
 * filtered with a reason. A speculative GET, such as a prefetch, does not use up the token. The query is the proof that a
 * browser rendered the ad. With `?rendered` or `?rendered=PROOF`, the ad was rendered or began to play, and its view may
 * follow with the same token. [DEL-04, DEL-58, DEL-70, IVT-09]
 */
export async function answerView(
  parts: EventParts,
  request: Request,
  response: Response,
  token: string,
  query: string,
): Promise<void> {
  const kind = query.startsWith(RENDERED) ? 'rendered' : 'view';
  const realMs = parts.realNow().getTime();
  const nowMs = realMs + parts.aheadMs();
  const reading = parts.tokens.read(token, 'view', realMs);
  if (reading.state !== 'valid') {
    note(parts, kind, reading.state, reading.state === 'forged' ? null : reading.claims, nowMs);
    return refuse(
      response,
      400,
      reading.state === 'forged' ? 'Invalid token' : 'This token has expired. Request a new ad.',
    );
  }
  const { claims } = reading;
  if (claims.use === 'test') {
    parts.zoneWatch.event(kind, claims, null, realMs);
    // Only a test answers whether the report counts. A real report does not, so that attackers cannot probe the rules.
    const verdict = kind === 'view' ? parts.testViews.verdictOf(claims.decisionId) : kind;
    const told = ['Timing-Allow-Origin', '*', 'Server-Timing', `verdict;desc=${verdict}`];
    return answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN, ...told]);
  }
  if (request.method === 'GET' && isSpeculative(request.headers)) {
    note(parts, kind, 'prefetch', claims, nowMs);
    return answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN]);
  }
  const page = pageOf(originOf(request));
  const zone = claims.use === 'player' ? parts.snapshot.zoneById(claims.zoneId) : undefined;
  // IMA decides in its own frame and may report from the page.
  const isOwn = zone !== undefined && isOwnPage(zone, page, false);
  const foreignSite = !parts.developmentMode && page.hash !== claims.origin && !isOwn;
  const proof = kind === 'view' ? query : query.slice(RENDERED.length + 1);
  const proven = parts.headerRules === null || isRenderProof(token, proof);
  const reason = judge(parts, request, { kind, claims, nowMs, foreignSite, proven });
  try {
    await parts.eventLog.append([eventOf(claims, kind, reason, false)]);
  } catch {
    tell(parts, kind, 'failed');
    return answerBusy(response);
  }
  castVote(parts, request, kind, { ...claims, reason }, nowMs);
  if (reason === null && kind === 'view') noteTraits(parts, request, kind, claims, nowMs);
  if (parts.zoneWatch.zones.size > 0) parts.zoneWatch.event(kind, claims, reason, realMs);
  if (kind === 'view') releaseReservation(parts, claims, nowMs);
  answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN]);
}

/**
 * `GET /api/serve/click/{token}` redirects even if the token is invalid, because a visitor is waiting. It redirects
 * only to the stored target URL. 302 says that the click is committed, either counted or filtered with a reason; 307
 * says that it was not recorded within 1.5 seconds. A prefetch gets 204. [DEL-07, OPS-04]
 */
export async function answerClick(
  parts: EventParts,
  request: Request,
  response: Response,
  token: string,
): Promise<void> {
  const realMs = parts.realNow().getTime();
  const nowMs = realMs + parts.aheadMs();
  const reading = parts.tokens.read(token, 'click', realMs);
  const speculative = isSpeculative(request.headers, 'click');
  if (reading.state !== 'valid') {
    note(parts, 'click', reading.state, reading.state === 'forged' ? null : reading.claims, nowMs);
    if (speculative) return answerEmpty(response, 204, NEVER_STORED);
    // A forged token can name any ad, so it leads to our home page, not to that ad. [IVT-06]
    if (reading.state === 'forged') return redirect(parts, response, 302, null);
    return redirect(parts, response, 302, await targetOf(parts, reading.claims));
  }
  const { claims } = reading;
  if (claims.use === 'test') {
    if (speculative) return answerEmpty(response, 204, NEVER_STORED);
    parts.zoneWatch.event('click', claims, null, realMs);
    return redirect(parts, response, 302, liveTargetOf(parts, claims) ?? null);
  }
  if (speculative) {
    // Do not redirect: the browser then discards the prefetch, and the real click comes here again.
    note(parts, 'click', 'prefetch', claims, nowMs);
    return answerEmpty(response, 204, NEVER_STORED);
  }

  const reason = judge(parts, request, { kind: 'click', claims, nowMs, foreignSite: false, proven: true });
  const ad = parts.snapshot.ad(claims.adId);
  const measured = reason === null && ad?.measuresLandings === true && !isPrivate(request);
  const events = clickEvents(claims, reason, parts.headerRules !== null);
  const click = measured ? [landingEvent('measured', claims, nowMs)] : [];
  const recorded = within(
    REDIRECT_MS,
    parts.eventLog.append([...events, ...click]).then(
      () => true,
      () => false,
    ),
    false,
  );
  if (parts.zoneWatch.zones.size > 0) parts.zoneWatch.event('click', claims, reason, realMs);
  const target = await targetOf(parts, claims);
  const isRecorded = await recorded;
  if (!isRecorded) tell(parts, 'click', 'failed');
  if (isRecorded) castVote(parts, request, 'click', { ...claims, reason }, nowMs);
  if (isRecorded && reason === null) noteTraits(parts, request, 'click', claims, nowMs);
  const landingToken =
    measured && isRecorded ? parts.landingTokens.issue({ ...claims, clickedAtMs: realMs }) : null;
  redirect(parts, response, isRecorded ? 302 : 307, target, landingToken);
  releaseReservation(parts, claims, nowMs);
}

/**
 * `POST /api/serve/landings/{token}` from the landing script. It answers a token that is invalid, too old or used like any
 * other, because the page can do nothing about it. 503: the landing could not be recorded. [EVID-03]
 */
export async function answerLanding(
  parts: Pick<EventParts, 'realNow' | 'aheadMs' | 'landingTokens' | 'eventLog'>,
  response: Response,
  token: string,
): Promise<void> {
  const reading = parts.landingTokens.read(token, parts.realNow().getTime());
  if (reading.state === 'valid') {
    const { claims } = reading;
    try {
      // The token has the time of the wall clock, and the figures have that of the marketplace's clock.
      await parts.eventLog.append([landingEvent('landing', claims, claims.clickedAtMs + parts.aheadMs())]);
    } catch {
      return answerBusy(response);
    }
  }
  answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN]);
}

function landingEvent(
  kind: LandingEvent['kind'],
  {
    decisionId,
    adId,
    zoneId,
    issuedAtMs,
  }: Pick<LandingEvent, 'decisionId' | 'adId' | 'zoneId' | 'issuedAtMs'>,
  clickedAtMs: number,
): LandingEvent {
  return { kind, decisionId, adId, zoneId, issuedAtMs, clickedAtMs };
}

/**
 * The landing script sends nothing for visitors with these signals. Their clicks get no token, because they would
 * otherwise look like clicks that never land.
 */
function isPrivate({ headers }: Request): boolean {
  return headers['sec-gpc'] === '1' || headers.dnt === '1';
}

/**
 * A visitor who clicks has seen the ad, so a click counts as a view too (MRC: strong user interaction). Under the rules of
 * production, count_events looks for a report that the ad was rendered. It counts the click and its view if there is
 * one, and otherwise records the click as 'not_rendered'. [DEL-24, IVT-02]
 */
function clickEvents(claims: Claims, reason: Reason | null, needsProof: boolean): AdEvent[] {
  if (reason !== null) return [eventOf(claims, 'click', reason, false)];
  if (needsProof) return [eventOf(claims, 'click', 'not_rendered', false)];
  return [eventOf(claims, 'click', null, false), eventOf(claims, 'view', null, true)];
}

type Reported = {
  kind: EventKind;
  claims: Claims;
  nowMs: number;
  foreignSite: boolean;
  /** Whether the report carries the proof that a browser rendered the ad. */
  proven: boolean;
};

function judge(
  parts: EventParts,
  request: Request,
  { kind, claims, nowMs, foreignSite, proven }: Reported,
): Reason | null {
  const { adId, zoneId, decisionId } = claims;
  const address = parts.addressOf(request);
  const { headers } = request;
  const userAgent = headers['user-agent'] ?? '';
  const browser = browserOf(userAgent);
  // Video players report by loading an image, where the tag sends a POST.
  const byPlayer = kind !== 'click' && request.method === 'GET';
  const forPlayer = claims.use === 'player';
  const use = kind === 'click' ? 'click' : byPlayer ? 'pixel' : 'tag';
  const reason = judgeEvent({
    kind,
    video: claims.video,
    byPlayer,
    forPlayer,
    // A player runs no script. Its limits are in caps.ts. [IVT-10]
    proven: proven || (byPlayer && forPlayer),
    ageMs: nowMs - parts.aheadMs() - claims.issuedAtMs,
    traffic: {
      prefetch: isSpeculative(headers, kind),
      agent: isDeclaredAgent(headers),
      automated: !parts.developmentMode && browser.automated,
      impossible: parts.headerRules !== null && parts.headerRules.isImpossible(headers, browser, use),
      dataCentre: !parts.developmentMode && parts.dataCentres.has(address),
      foreignSite,
    },
    decision: claims.reason,
  });
  if (reason !== null || kind === 'rendered') return reason;
  // If the zone is no longer in the snapshot, use -zoneId as a stand-in id.
  const zone = parts.snapshot.zoneById(zoneId);
  const visit = {
    kind,
    adId,
    websiteId: zone?.websiteId ?? -zoneId,
    publisherId: zone?.publisherId ?? -zoneId,
    capScale: capScale(zone?.measuredViewsPerDay ?? 0),
    decisionId,
    address,
    userAgent,
    browserKind: browser.userAgent.kind,
    forPlayer,
    isPrivate: headers['sec-gpc'] === '1',
  };
  const limit = parts.visitors.admit(visit, nowMs);
  if (limit !== null) parts.refusedFacts.limited(zoneId, limit, address, nowMs);
  return limit;
}

function castVote(
  parts: EventParts,
  request: Request,
  kind: EventKind,
  { zoneId, decisionId, use, reason }: Claims,
  nowMs: number,
): void {
  const report = { kind, zoneId, decisionId, reason, forPlayer: use === 'player' };
  parts.votes.cast(report, parts.networkNumberOf(request), nowMs);
}

/** Notes the traits of a counted event, for the hourly comparison. */
function noteTraits(
  parts: EventParts,
  request: Request,
  kind: BilledKind,
  { zoneId, adId, video, issuedAtMs }: Claims,
  nowMs: number,
): void {
  const delayMs = kind === 'view' ? nowMs - parts.aheadMs() - issuedAtMs - minAgeMs(kind, video) : null;
  const { headers } = request;
  parts.traits.event({ kind, zoneId, adId, address: parts.addressOf(request), headers, delayMs }, nowMs);
}

/** Releases the impression that decide.ts reserved. It reserves none for traffic that will be filtered. */
function releaseReservation(parts: EventParts, claims: Claims, nowMs: number): void {
  if (claims.reason === null) parts.snapshot.release(claims.adId, claims.issuedAtMs + parts.aheadMs(), nowMs);
}

/** An image request has no Origin header. Its Referer names the page, unless the page's referrer policy hides it. */
function originOf({ method, headers }: Request): string {
  const named = headers.origin ?? (method === 'GET' ? URL.parse(headers.referer ?? '')?.origin : undefined);
  return named ?? '';
}

function eventOf(claims: Claims, kind: EventKind, reason: Reason | null, implied: boolean): AdEvent {
  const { decisionId, adId, zoneId, issuedAtMs, creative } = claims;
  return { decisionId, kind, adId, zoneId, issuedAtMs, reason, implied, creative };
}

function note(
  parts: EventParts,
  kind: EventKind,
  reason: Reason,
  claims: Claims | null,
  nowMs: number,
): void {
  if (claims?.use === 'test') return;
  tell(parts, kind, 'refused');
  parts.hourlyCounts.add({
    hourMs: hourOf(nowMs),
    adId: claims?.adId ?? null,
    zoneId: claims?.zoneId ?? null,
    kind,
    reason,
  });
}

/** Counts what became of a report for the metrics. The counter knows which ones are accepted and repeated. */
function tell({ tally }: EventParts, kind: EventKind, outcome: EventOutcome): void {
  if (kind !== 'rendered') tally.events[kind][outcome] += 1;
}

type Clicked = Pick<Claims, 'adId' | 'creative'>;

/** The target of the creative that was clicked, while it is shown. */
function liveTargetOf({ snapshot }: EventParts, { adId, creative }: Clicked): string | undefined {
  const ad = snapshot.ad(adId);
  if (!isSecond(creative)) return ad?.targetUrl;
  return ad?.second?.creative === creative ? ad.second.targetUrl : undefined;
}

/** The target of the creative that was clicked, also of one that is no longer shown. */
async function targetOf(parts: EventParts, clicked: Clicked): Promise<string | null> {
  const live = liveTargetOf(parts, clicked);
  if (live !== undefined) return live;
  return await within(
    REDIRECT_MS,
    findTarget(parts.db, clicked).catch(() => null),
    null,
  );
}

function redirect(
  parts: EventParts,
  response: Response,
  status: 302 | 307,
  target: string | null,
  landingToken: string | null = null,
): void {
  // A header holds ASCII only, and so does URL.href. If a stored address cannot be parsed, such as http://1.2.3.400,
  // send the visitor to our home page.
  const parsed = URL.parse(fillClick(target ?? '', () => randomBytes(12).toString('hex')));
  const location =
    parsed === null
      ? new URL(parts.publicUrl)
      : landingToken === null
        ? parsed
        : withLandingToken(parsed, landingToken);
  answerEmpty(response, status, [
    'Location',
    location.href,
    'Referrer-Policy',
    'strict-origin-when-cross-origin',
    ...NEVER_STORED,
  ]);
}
