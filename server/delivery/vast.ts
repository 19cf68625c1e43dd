import { judgeTraffic } from '#domain/delivery/judge.ts';
import { hourOf } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { ANY_ORIGIN, answerEmpty, NEVER_STORED, refuse, type Request, type Response } from './answer.ts';
import { chooseAd } from './choose-ad.ts';
import { chooseFor, type DecisionParts, isOwnPage, promise, tallyDecision } from './decide.ts';
import type { LiveZone } from './snapshot.ts';
import { isAutomated, isSpeculative, pageOf } from './traffic.ts';
import { EMPTY_VAST, fillVast } from './vast-document.ts';

export type VastParts = DecisionParts & {
  /** `…/api/serve/` */
  serveUrl: string;
  /** A player could not show an ad. */
  onPlayerError: (error: { adId: number; zoneId: number; code: string }) => void;
};

/**
 * `GET /api/serve/vast/{zone publicId}`: the decision of a video player, by the rules of the tag's. A page's player
 * fetches it by script, so the browser names the page in `Origin`; players without a page, on a television or in an
 * app, have no site that could be the zone's, and are never billed. No ad is an empty document, never an error.
 */
export function answerVast(
  parts: VastParts,
  request: Request,
  response: Response,
  zonePublicId: string,
): void {
  const nowMs = parts.now().getTime();
  const { origin = '' } = request.headers;
  const zone = parts.snapshot.zone(zonePublicId) ?? parts.snapshot.zone(zonePublicId.toLowerCase());
  if (!zone) return answerXml(response, EMPTY_VAST);

  const page = pageOf(origin);
  const own = isOwnPage(zone, page, parts.lenient);
  const found = judgeTraffic({
    prefetch: isSpeculative(request.headers),
    automated: isAutomated(request.headers['user-agent'] ?? ''),
    dataCentre: false,
    foreignSite: !own,
  });
  const reason = parts.lenient && found === 'bot' ? null : found;
  if (own && origin !== '' && reason === null) parts.siteProof.note(zone, nowMs);

  const films = filmsOf(zone);
  const ad =
    films.ads.length > 1 && reason === null
      ? chooseFor(parts, request, films, null, nowMs)
      : chooseAd(films, null, nowMs);
  tallyDecision(parts.tally, hourOf(nowMs), ad, zone, found);
  if (!ad?.vast) return answerXml(response, EMPTY_VAST);
  const tokens = promise(parts, ad, page, reason, nowMs);
  const addresses = {
    view: `${parts.serveUrl}view/${tokens.view}`,
    click: `${parts.serveUrl}click/${tokens.click}`,
    error: `${parts.serveUrl}vast-error/${tokens.view}`,
  };
  answerXml(response, fillVast(ad.vast, addresses));
}

/** The same zone with nothing but what a player can show. Worked out once for each state of the zone. */
const filmsOfZones = new WeakMap<LiveZone, LiveZone>();

function filmsOf(zone: LiveZone): LiveZone {
  const known = filmsOfZones.get(zone);
  // The forecast is renewed while the zone stays.
  if (known) return Object.assign(known, { forecastPerDay: zone.forecastPerDay });
  const ads = zone.ads.filter((ad) => ad.vast !== null);
  const only = { ...zone, ads, weights: [], weighedAtMs: -Infinity };
  filmsOfZones.set(zone, only);
  return only;
}

/**
 * `GET /api/serve/vast-error/{view token}?code=…`: a player could not show the ad (VAST 4.2, 2.3.6). Nothing is counted,
 * since nothing was seen; whoever runs the server reads of it in the log. Tokens keep strangers from writing there.
 */
export function answerPlayerError(parts: VastParts, response: Response, token: string, query: string): void {
  const reading = parts.tokens.read(token, 'view', parts.now().getTime());
  if (reading.state !== 'valid') return refuse(response, 400, 'This is no token of ours, or it has expired');
  const code = /^code=(\d{3})$/.exec(query)?.[1] ?? 'unknown';
  parts.onPlayerError({ adId: reading.claims.adId, zoneId: reading.claims.zoneId, code });
  answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN]);
}

/** A film that does not play fails everywhere at once: one line for an ad and hour is enough. */
export function playerErrorLog(ctx: Context): VastParts['onPlayerError'] {
  let hourMs = 0;
  let logged = new Set<number>();
  return (error) => {
    const hour = hourOf(ctx.now().getTime());
    if (hour !== hourMs) logged = new Set();
    hourMs = hour;
    if (logged.has(error.adId)) return;
    logged.add(error.adId);
    ctx.log.warn(error, 'a video player could not show an ad');
  };
}

function answerXml(response: Response, xml: string): void {
  response.writeHead(200, [
    'Content-Type',
    'application/xml; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(xml)),
    'X-Content-Type-Options',
    'nosniff',
    ...NEVER_STORED,
    ...ANY_ORIGIN,
  ]);
  response.end(xml);
}
