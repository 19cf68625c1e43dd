import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import { isRenderProof } from '#domain/delivery/render-proof.ts';
import {
  ANY_ORIGIN,
  answerBusy,
  answerEmpty,
  NEVER_STORED,
  refuse,
  type Request,
  type Response,
} from '#server/platform/http/raw-answer.ts';
import { within } from '#server/platform/net/within.ts';
import { type ClickTargets, REDIRECT_MS } from './clicks/click-target.ts';
import { isOwnPage } from './decision/decide.ts';
import type { EventJudge } from './event-judge.ts';
import type { AdEvent, EventLog, LandingEvent } from './event-log/event-log.ts';
import type { EventNotes } from './event-notes.ts';
import type { TestViews } from './formats/test-zone.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { LandingTokens } from './tokens/landing-tokens.ts';
import type { Claims, Tokens } from './tokens/tokens.ts';
import { isSpeculative, pageOf } from './traffic/traffic.ts';
import type { ZoneWatcher } from './zone-watch/zone-watch.ts';

const RENDERED = 'rendered';

type Clocks = {
  realNow: () => Date;
  /** By how much the marketplace's clock is ahead of the wall clock, in whole seconds. */
  aheadMs: () => number;
};

/** The steps of a report: its token is read, it is judged, and it goes to the event log. */
type EventParts = Clocks & {
  tokens: Tokens;
  judge: EventJudge;
  eventLog: EventLog;
  notes: EventNotes;
  zoneWatch: ZoneWatcher;
  snapshot: Pick<Snapshot, 'ad' | 'zoneById'>;
  /** Whether only an ad that a browser has rendered counts: under the traffic rules of production. */
  needsProof: boolean;
};

type ViewParts = EventParts & { testViews: TestViews; developmentMode: boolean };
type ClickParts = EventParts & { landingTokens: LandingTokens; targets: ClickTargets };
type LandingParts = Clocks & { landingTokens: LandingTokens; eventLog: EventLog };

/**
 * `POST /api/serve/view/{token}`, or GET from a video player. 204 says that the event is committed, either counted or
 * filtered with a reason. A speculative GET, such as a prefetch, does not use up the token. The query is the proof that a
 * browser rendered the ad. With `?rendered` or `?rendered=PROOF`, the ad was rendered or began to play, and its view may
 * follow with the same token. [DEL-04, DEL-58, DEL-70, IVT-09]
 */
export async function answerView(
  parts: ViewParts,
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
    parts.notes.refused(kind, reading.state, reading.state === 'forged' ? null : reading.claims, nowMs);
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
    parts.notes.refused(kind, 'prefetch', claims, nowMs);
    return answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN]);
  }
  const page = pageOf(originOf(request));
  const zone = claims.use === 'player' ? parts.snapshot.zoneById(claims.zoneId) : undefined;
  // IMA decides in its own frame and may report from the page.
  const isOwn = zone !== undefined && isOwnPage(zone, page, false);
  const foreignSite = !parts.developmentMode && page.hash !== claims.origin && !isOwn;
  const proof = kind === 'view' ? query : query.slice(RENDERED.length + 1);
  const proven = !parts.needsProof || isRenderProof(token, proof);
  const reason = parts.judge(request, { kind, claims, nowMs, foreignSite, proven });
  try {
    await parts.eventLog.append([eventOf(claims, kind, reason, false)]);
  } catch {
    parts.notes.failed(kind);
    return answerBusy(response);
  }
  parts.notes.recorded(request, kind, claims, reason, nowMs);
  parts.notes.watched(kind, claims, reason, realMs);
  if (kind === 'view') parts.notes.settled(claims, nowMs);
  answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN]);
}

/**
 * `GET /api/serve/click/{token}` redirects even if the token is invalid, because a visitor is waiting. It redirects
 * only to the stored target URL. 302 says that the click is committed, either counted or filtered with a reason; 307
 * says that it was not recorded within 1.5 seconds. A prefetch gets 204. [DEL-07]
 */
export async function answerClick(
  parts: ClickParts,
  request: Request,
  response: Response,
  token: string,
): Promise<void> {
  const realMs = parts.realNow().getTime();
  const nowMs = realMs + parts.aheadMs();
  const reading = parts.tokens.read(token, 'click', realMs);
  const speculative = isSpeculative(request.headers, 'click');
  if (reading.state !== 'valid') {
    parts.notes.refused('click', reading.state, reading.state === 'forged' ? null : reading.claims, nowMs);
    if (speculative) return answerEmpty(response, 204, NEVER_STORED);
    // A forged token can name any ad, so it leads to our home page, not to that ad. [DEL-07]
    if (reading.state === 'forged') return parts.targets.redirect(response, 302, null);
    return parts.targets.redirect(response, 302, await parts.targets.find(reading.claims));
  }
  const { claims } = reading;
  if (claims.use === 'test') {
    if (speculative) return answerEmpty(response, 204, NEVER_STORED);
    parts.zoneWatch.event('click', claims, null, realMs);
    return parts.targets.redirect(response, 302, parts.targets.shown(claims));
  }
  if (speculative) {
    // Do not redirect: the browser then discards the prefetch, and the real click comes here again.
    parts.notes.refused('click', 'prefetch', claims, nowMs);
    return answerEmpty(response, 204, NEVER_STORED);
  }

  const reason = parts.judge(request, { kind: 'click', claims, nowMs, foreignSite: false, proven: true });
  const ad = parts.snapshot.ad(claims.adId);
  const measured = reason === null && ad?.measuresLandings === true && !isPrivate(request);
  const events = clickEvents(claims, reason, parts.needsProof);
  const click = measured ? [landingEvent('measured', claims, nowMs)] : [];
  const recorded = within(
    REDIRECT_MS,
    parts.eventLog.append([...events, ...click]).then(
      () => true,
      () => false,
    ),
    false,
  );
  parts.notes.watched('click', claims, reason, realMs);
  const target = await parts.targets.find(claims);
  const isRecorded = await recorded;
  if (isRecorded) parts.notes.recorded(request, 'click', claims, reason, nowMs);
  else parts.notes.failed('click');
  const landingToken =
    measured && isRecorded ? parts.landingTokens.issue({ ...claims, clickedAtMs: realMs }) : null;
  parts.targets.redirect(response, isRecorded ? 302 : 307, target, landingToken);
  parts.notes.settled(claims, nowMs);
}

/**
 * `POST /api/serve/landings/{token}` from the landing script. It answers a token that is invalid, too old or used like any
 * other, because the page can do nothing about it. 503: the landing could not be recorded. [EVID-03]
 */
export async function answerLanding(parts: LandingParts, response: Response, token: string): Promise<void> {
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

/** An image request has no Origin header. Its Referer names the page, unless the page's referrer policy hides it. */
function originOf({ method, headers }: Request): string {
  const named = headers.origin ?? (method === 'GET' ? URL.parse(headers.referer ?? '')?.origin : undefined);
  return named ?? '';
}

function eventOf(claims: Claims, kind: EventKind, reason: Reason | null, implied: boolean): AdEvent {
  const { decisionId, adId, zoneId, issuedAtMs, creative } = claims;
  return { decisionId, kind, adId, zoneId, issuedAtMs, reason, implied, creative };
}
