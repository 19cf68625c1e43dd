import { MAX_ZONES_PER_REQUEST, type ServedAd } from '#domain/delivery/wire.ts';
import {
  ANY_ORIGIN,
  answerJson,
  asciiJson,
  NEVER_STORED,
  refuse,
  type Request,
  type Response,
} from '../http/raw-answer.ts';
import { creativeOf } from './decision/creative-of.ts';
import { type AdClient, adClientOf, decide, type DecisionParts, issueTokens } from './decision/decide.ts';
import type { LiveAd, LiveZone } from './snapshot/snapshot.ts';
import { answerTest } from './formats/test-zone.ts';

const HEADERS = [...NEVER_STORED, ...ANY_ORIGIN, 'Timing-Allow-Origin', '*'];

/** `GET /api/serve/ads?z=ID,ID` answers an ad for each zone. It reads the snapshot in memory, never the database. */
export function answerAds(parts: DecisionParts, request: Request, response: Response, query: string): void {
  const zoneIds = zonesOf(query);
  if (!zoneIds) return refuse(response, 400, `Name 1 to ${MAX_ZONES_PER_REQUEST} zones, as in ?z=ID,ID.`);

  const client = adClientOf(parts, request, 'tag');
  // A request for one zone cannot show an ad twice, so it needs no set.
  const taken = zoneIds.length > 1 ? new Set<LiveAd>() : null;
  let json = '{"ads":';
  let separator = '[';
  for (const id of zoneIds) {
    json += separator + answerZone(parts, client, id, taken);
    separator = ',';
  }
  answerJson(response, 200, `${json}]}`, HEADERS);
}

function answerZone(parts: DecisionParts, client: AdClient, id: string, taken: Set<LiveAd> | null): string {
  const named = parts.snapshot.zone(id) ?? parts.snapshot.zone(id.toLowerCase());
  if (named) return show(parts, client, named, taken, false);
  // Look for a frame's proof only when no zone has this id, so that an ordinary request pays nothing for it.
  const frame = parts.frameProof.read(id, client.realMs);
  const framed = frame && parts.snapshot.zone(frame.zone);
  if (framed) return show(parts, client, framed, taken, frame.proven);
  const test = answerTest(parts, id, client);
  if (test !== null) return test;
  parts.tally.decisions.unknown += 1;
  if (parts.zoneWatch.zones.size > 0) parts.zoneWatch.unknown(id, client.page, client.origin);
  return asciiJson({ zone: id, kind: 'none' } satisfies ServedAd);
}

function show(
  parts: DecisionParts,
  client: AdClient,
  zone: LiveZone,
  taken: Set<LiveAd> | null,
  framed: boolean,
): string {
  const { ad, reason } = decide(parts, client, zone, { taken, framed });
  let answer = zone.houseFragment;
  if (ad) {
    taken?.add(ad);
    const shown = creativeOf(ad);
    const tokens = issueTokens(parts, client, ad, shown, reason);
    answer = `${shown.fragment}${tokens.view}","click":"${parts.clickUrl}${tokens.click}"}`;
  }
  if (parts.zoneWatch.zones.size > 0)
    parts.zoneWatch.request(zone, ad, answer, { origin: client.origin, reason, isTest: false });
  return answer;
}

/** The zone ids in `?z=A,B`, or null if there are none or too many. */
function zonesOf(query: string): string[] | null {
  // The tag sends `z` alone. Other clients may send it among other parameters.
  const value =
    query.startsWith('z=') && !query.includes('&') ? query.slice(2) : /(?:^|&)z=([^&]*)/.exec(query)?.[1];
  if (!value) return null;
  if (!value.includes(',') && !value.includes('%')) return [value];
  const zoneIds = value.replaceAll(/%2c/gi, ',').split(',', MAX_ZONES_PER_REQUEST + 1);
  return zoneIds.length > MAX_ZONES_PER_REQUEST ? null : zoneIds;
}
