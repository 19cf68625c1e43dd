import { randomInt } from 'node:crypto';
import { hourOf } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import {
  ANY_ORIGIN,
  answerEmpty,
  NEVER_STORED,
  NO_SNIFFING,
  refuse,
  type Request,
  type Response,
} from '#server/platform/http/raw-answer.ts';
import { creativeOf } from '../decision/choose-ad.ts';
import {
  adClientOf,
  decide,
  type DecisionParts,
  isOwnPage,
  isPicked,
  issueTokens,
} from '../decision/decide.ts';
import type { LiveZone } from '../snapshot/snapshot.ts';
import { EMPTY_VAST, fillVast } from '../snapshot/vast-document.ts';
import { IMA_ORIGIN, pageOf } from '../traffic/traffic.ts';

export type VastParts = DecisionParts & {
  /** `…/api/serve/` */
  serveUrl: string;
  /** Called when a player could not show an ad. */
  onPlayerError: (error: { adId: number; zoneId: number; code: string }) => void;
};

/**
 * `GET /api/serve/vast/{zone publicId}` chooses an ad for a video player, by the same rules as for the tag. A player in
 * a page fetches this by script, so the browser names the page in `Origin`. IMA's frame hides it, so the address may be signed instead. A player on a television or in an app has
 * no site that could be the zone's, so its views are never billed. Without an ad the answer is an empty document, never
 * an error.
 */
export function answerVast(
  parts: VastParts,
  request: Request,
  response: Response,
  { zonePublicId, proven }: PlayerZone,
): void {
  const client = adClientOf(parts, request, 'player');
  const headers = playerHeaders(client.origin);
  const zone = parts.snapshot.zone(zonePublicId) ?? parts.snapshot.zone(zonePublicId.toLowerCase());
  if (!zone) {
    parts.tally.decisions.unknown += 1;
    return answerText(response, XML, EMPTY_VAST, headers);
  }

  const vouched = proven ? IMA_ORIGIN : null;
  const { ad, reason } = decide(parts, client, zone, {
    among: videosOf(zone),
    vouched,
    isSampled: isPicked(parts, client, zone, vouched),
  });
  const isWatched = parts.zoneWatch.zones.size > 0;
  if (!ad?.vast) {
    if (isWatched)
      parts.zoneWatch.request(zone, null, '{}', { origin: client.origin, reason, isTest: false });
    return answerText(response, XML, EMPTY_VAST, headers);
  }
  const turn = creativeOf(ad);
  // A second creative without a stored video cannot be shown by a player.
  const shown = turn.vast === null ? ad : turn;
  const tokens = issueTokens(parts, client, ad, shown, reason, 'player');
  if (isWatched)
    parts.zoneWatch.request(zone, ad, JSON.stringify(tokens), {
      origin: client.origin,
      reason,
      isTest: false,
    });
  const addresses = {
    view: `${parts.serveUrl}view/${tokens.view}`,
    click: `${parts.serveUrl}click/${tokens.click}`,
    error: `${parts.serveUrl}vast-error/${tokens.view}`,
  };
  answerText(response, XML, fillVast(shown.vast ?? ad.vast, addresses), headers);
}

/** The zone that a player's address names, and whether the address proves that a page of the zone's own site has it. */
export type PlayerZone = { zonePublicId: string; proven: boolean };

export function readPlayerZone({ siteProof, realNow }: VastParts, name: string): PlayerZone {
  const signed = siteProof.read(name, 'player', realNow().getTime());
  return signed === null
    ? { zonePublicId: name, proven: false }
    : { zonePublicId: signed.zone, proven: signed.proven };
}

/**
 * `GET /api/serve/vast-address/{zone publicId}`: a page of the zone's own site gets the address for its video player, signed
 * for two hours. Players with Google's IMA request VAST from a frame of Google's, so `Origin` does not name the page. The signed
 * address does (docs/decisions/012-iframe.md). Any other page gets the address without a signature. [FIELD-91]
 */
export function answerVastAddress(
  parts: VastParts & { developmentMode: boolean },
  request: Request,
  response: Response,
  zonePublicId: string,
): void {
  const zone = parts.snapshot.zone(zonePublicId.toLowerCase());
  const { origin } = request.headers;
  const isOwn = zone !== undefined && isOwnPage(zone, pageOf(origin ?? ''), parts.developmentMode);
  const name = isOwn
    ? parts.siteProof.nameOf(zone.publicId, 'player', parts.realNow().getTime())
    : zonePublicId;
  // A service worker of the page may answer an address that it knows, so the player gets a new one.
  answerText(response, 'text/plain', `${parts.serveUrl}vast/${name}?${randomInt(2 ** 32)}`, ANY_ORIGIN);
}

/** IMA sends its request with credentials, and then accepts only its own origin by name. No cookie is read. */
function playerHeaders(origin: string): string[] {
  return origin === ''
    ? ANY_ORIGIN
    : ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Credentials', 'true', 'Vary', 'Origin'];
}

/** Copies of zones with only those ads that a player can show. Each is made once for each state of its zone. */
const videosOfZones = new WeakMap<LiveZone, LiveZone>();

function videosOf(zone: LiveZone): LiveZone {
  const known = videosOfZones.get(zone);
  // The forecast changes daily while the zone object stays the same.
  if (known) return Object.assign(known, { forecastPerDay: zone.forecastPerDay });
  const ads = zone.ads.filter((ad) => ad.vast !== null);
  const only = { ...zone, ads, shares: null };
  videosOfZones.set(zone, only);
  return only;
}

/**
 * `GET /api/serve/vast-error/{view token}?code=…` reports that a player could not show the ad (VAST 4.2, 2.3.6).
 * Nothing counts, because the ad was not shown. The operator finds the error in the log. Without a valid token, nothing
 * is logged.
 */
export function answerPlayerError(parts: VastParts, response: Response, token: string, query: string): void {
  const reading = parts.tokens.read(token, 'view', parts.realNow().getTime());
  if (reading.state !== 'valid') return refuse(response, 400, 'Invalid or expired token');
  const code = /^code=(\d{3})$/.exec(query)?.[1] ?? 'unknown';
  parts.onPlayerError({ adId: reading.claims.adId, zoneId: reading.claims.zoneId, code });
  answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN]);
}

/** Logs each ad at most once an hour, because a broken video fails for every visitor at once. */
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

const XML = 'application/xml';

function answerText(response: Response, type: string, text: string, headers: string[]): void {
  response.writeHead(200, [
    'Content-Type',
    `${type}; charset=utf-8`,
    'Content-Length',
    String(Buffer.byteLength(text)),
    ...NO_SNIFFING,
    ...NEVER_STORED,
    ...headers,
  ]);
  response.end(text);
}
