import { hourOf } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import {
  ANY_ORIGIN,
  answerEmpty,
  NEVER_STORED,
  NO_SNIFFING,
  refuse,
  type Request,
  type Response,
} from '#server/http/raw-answer.ts';
import { creativeOf } from '../decision/creative-of.ts';
import { adClientOf, decide, type DecisionParts, issueTokens } from '../decision/decide.ts';
import type { LiveZone } from '../snapshot/snapshot.ts';
import { EMPTY_VAST, fillVast } from '../snapshot/vast-document.ts';

export type VastParts = DecisionParts & {
  /** `…/api/serve/` */
  serveUrl: string;
  /** Called when a player could not show an ad. */
  onPlayerError: (error: { adId: number; zoneId: number; code: string }) => void;
};

/**
 * `GET /api/serve/vast/{zone publicId}` chooses an ad for a video player, by the same rules as for the tag. A player in
 * a page fetches this by script, so the browser names the page in `Origin`. A player on a television or in an app has
 * no site that could be the zone's, so its views are never billed. Without an ad the answer is an empty document, never
 * an error. [DEL-57]
 */
export function answerVast(
  parts: VastParts,
  request: Request,
  response: Response,
  zonePublicId: string,
): void {
  const zone = parts.snapshot.zone(zonePublicId) ?? parts.snapshot.zone(zonePublicId.toLowerCase());
  if (!zone) {
    parts.tally.decisions.unknown += 1;
    return answerXml(response, EMPTY_VAST);
  }

  const client = adClientOf(parts, request, 'player');
  const { ad, reason } = decide(parts, client, zone, { among: videosOf(zone) });
  const isWatched = parts.zoneWatch.zones.size > 0;
  if (!ad?.vast) {
    if (isWatched)
      parts.zoneWatch.request(zone, null, '{}', { origin: client.origin, reason, isTest: false });
    return answerXml(response, EMPTY_VAST);
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
  answerXml(response, fillVast(shown.vast ?? ad.vast, addresses));
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

function answerXml(response: Response, xml: string): void {
  response.writeHead(200, [
    'Content-Type',
    'application/xml; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(xml)),
    ...NO_SNIFFING,
    ...NEVER_STORED,
    ...ANY_ORIGIN,
  ]);
  response.end(xml);
}
