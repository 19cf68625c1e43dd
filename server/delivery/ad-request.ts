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

const CAN_ASK_AGAIN = 'n&';
const HEADERS = [...NEVER_STORED, ...ANY_ORIGIN, 'Timing-Allow-Origin', '*'];

type AdRequestParts = DecisionParts & {
  /** The address of the module by which the tag asks again, with facts of the page. */
  factsUrl: string;
};

/**
 * `GET /api/serve/ads?z=ID,ID` answers an ad for each zone. It reads the snapshot in memory, never the database. The tag
 * puts `n&` in front, because it can ask again for zones whose ads are limited by facts of the page. Then it sends `p`, `t`
 * and `tz` (targeting/visitor-facts.ts). Other clients may send them at once.
 */
export function answerAds(parts: AdRequestParts, request: Request, response: Response, query: string): void {
  const canAskAgain = query.startsWith(CAN_ASK_AGAIN);
  const zoneIds = zonesOf(canAskAgain ? query.slice(CAN_ASK_AGAIN.length) : query);
  if (!zoneIds) return refuse(response, 400, `Name 1 to ${MAX_ZONES_PER_REQUEST} zones, as in ?z=ID,ID.`);

  const asking: Asking = {
    client: adClientOf(parts, request, 'tag'),
    // A request for one zone cannot show an ad twice, so it needs no set.
    taken: zoneIds.length > 1 ? new Set<LiveAd>() : null,
    canAskAgain,
  };
  let json = '{"ads":';
  let separator = '[';
  for (const id of zoneIds) {
    json += separator + answerZone(parts, asking, id);
    separator = ',';
  }
  answerJson(response, 200, `${json}]}`, HEADERS);
}

type Asking = { client: AdClient; taken: Set<LiveAd> | null; canAskAgain: boolean };

function answerZone(parts: AdRequestParts, asking: Asking, id: string): string {
  const named = parts.snapshot.zone(id) ?? parts.snapshot.zone(id.toLowerCase());
  if (named) return show(parts, asking, named, false);
  const { client } = asking;
  // Look for a frame's proof only when no zone has this id, so that an ordinary request pays nothing for it.
  const frame = parts.frameProof.read(id, client.realMs);
  const framed = frame && parts.snapshot.zone(frame.zone);
  if (framed) return show(parts, asking, framed, frame.proven);
  const test = answerTest(parts, id, client);
  if (test !== null) return test;
  parts.tally.decisions.unknown += 1;
  if (parts.zoneWatch.zones.size > 0) parts.zoneWatch.unknown(id, client.page, client.origin);
  return asciiJson({ zone: id, kind: 'none' } satisfies ServedAd);
}

function show(
  parts: AdRequestParts,
  { client, taken, canAskAgain }: Asking,
  zone: LiveZone,
  framed: boolean,
): string {
  // Nothing is decided and counted until the tag has asked again.
  if (canAskAgain && zone.needsPage)
    return asciiJson({ zone: zone.publicId, kind: 'none', needs: parts.factsUrl } satisfies ServedAd);
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
