import { MAX_ZONES_PER_REQUEST, type ServedAd } from '#domain/delivery/wire.ts';
import {
  ANY_ORIGIN,
  answerJson,
  asciiJson,
  NEVER_STORED,
  refuse,
  type Request,
  type Response,
} from '#server/platform/http/raw-answer.ts';
import { creativeOf } from './decision/choose-ad.ts';
import {
  type AdClient,
  adClientOf,
  decide,
  type DecisionParts,
  isPicked,
  issueTokens,
} from './decision/decide.ts';
import type { PositionTokens } from './position/position-tokens.ts';
import type { ColdZones } from './snapshot/cold-zones.ts';
import { adAnswer, houseAnswer } from './snapshot/fragments.ts';
import type { LiveAd, LiveZone } from './snapshot/snapshot.ts';
import { answerTest } from './formats/test-zone.ts';
import { FRAME_ORIGIN } from './traffic/traffic.ts';

/** In front of the query: the client can ask again. `m`: it does, and measures the place of its zone. */
const CAN_ASK_AGAIN = /^[nm]&/;
const HEADERS = [...NEVER_STORED, ...ANY_ORIGIN, 'Timing-Allow-Origin', '*'];

type AdRequestParts = DecisionParts & {
  coldZones: ColdZones;
  /** The address of the module by which the tag asks again, with facts of the page. */
  factsUrl: string;
  /** The address of the module that measures where a zone stands; the token of its report follows. */
  positionUrl: string;
  positionTokens: PositionTokens;
};

/**
 * `GET /api/serve/ads?z=ID,ID` answers an ad for each zone. It reads the snapshot in memory, and waits for the database
 * only if a zone is not there. The tag puts `n&` in front, because it can ask again by a module: for zones whose ads are
 * limited by facts of the page, with `p`, `t` and `tz` (targeting/visitor-facts.ts), which other clients may send at once,
 * and for zones whose place on the page is to be measured, with `m&` in front and the same facts.
 */
export function answerAds(
  parts: AdRequestParts,
  request: Request,
  response: Response,
  query: string,
): Promise<void> | null {
  const canAskAgain = CAN_ASK_AGAIN.test(query);
  const zoneIds = zonesOf(canAskAgain ? query.slice(2) : query);
  if (!zoneIds) {
    refuse(response, 400, `Name 1 to ${MAX_ZONES_PER_REQUEST} zones, as in ?z=ID,ID.`);
    return null;
  }
  const answer = () =>
    answerZones(parts, request, response, { zoneIds, canAskAgain, isMeasured: query.startsWith('m') });
  const reading = parts.coldZones.untilRead(zoneIds);
  if (reading) return reading.then(answer);
  answer();
  return null;
}

function answerZones(
  parts: AdRequestParts,
  request: Request,
  response: Response,
  { zoneIds, canAskAgain, isMeasured }: Pick<Asking, 'canAskAgain' | 'isMeasured'> & { zoneIds: string[] },
): void {
  const asking: Asking = {
    client: adClientOf(parts, request, 'tag'),
    // A request for one zone cannot show an ad twice, so it needs no set.
    taken: zoneIds.length > 1 ? new Set<LiveAd>() : null,
    canAskAgain,
    isMeasured,
  };
  let json = '{"ads":';
  let separator = '[';
  for (const id of zoneIds) {
    json += separator + answerZone(parts, asking, id);
    separator = ',';
  }
  answerJson(response, 200, `${json}]}`, HEADERS);
}

type Asking = { client: AdClient; taken: Set<LiveAd> | null; canAskAgain: boolean; isMeasured: boolean };

function answerZone(parts: AdRequestParts, asking: Asking, id: string): string {
  const named = parts.snapshot.zone(id) ?? parts.snapshot.zone(id.toLowerCase());
  if (named) return show(parts, asking, named, null);
  const { client } = asking;
  // Look for a frame's proof only when no zone has this id, so that an ordinary request pays nothing for it.
  const frame = parts.siteProof.read(id, 'frame', client.realMs);
  const framed = frame && parts.snapshot.zone(frame.zone);
  if (framed) return show(parts, asking, framed, frame.proven ? FRAME_ORIGIN : null);
  const test = answerTest(parts, id, client);
  if (test !== null) return test;
  parts.tally.decisions.unknown += 1;
  if (parts.zoneWatch.zones.size > 0) parts.zoneWatch.unknown(id, client.page, client.origin);
  return asciiJson({ zone: id, kind: 'none' } satisfies ServedAd);
}

function show(parts: AdRequestParts, asking: Asking, zone: LiveZone, vouched: string | null): string {
  const { client, taken } = asking;
  const needs = asking.canAskAgain ? moduleFor(parts, asking, zone, vouched) : null;
  // Nothing is decided and counted until the tag has asked again.
  if (needs !== null) return asciiJson({ zone: zone.publicId, kind: 'none', needs } satisfies ServedAd);
  const isSampled = asking.isMeasured || isSampledAtOnce(parts, asking, zone, vouched);
  const { ad, reason } = decide(parts, client, zone, { taken, vouched, isSampled });
  let answer: string;
  if (ad) {
    taken?.add(ad);
    const shown = creativeOf(ad);
    answer = adAnswer(shown.fragment, issueTokens(parts, client, ad, shown, reason), parts.clickUrl);
  } else answer = houseAnswer(zone.house);
  if (parts.zoneWatch.zones.size > 0)
    parts.zoneWatch.request(zone, ad, answer, { origin: client.origin, reason, isTest: false });
  return answer;
}

/** The module by which the tag has to ask again, or null. The one that measures states the facts of the page, too. */
function moduleFor(
  parts: AdRequestParts,
  { client, isMeasured }: Asking,
  zone: LiveZone,
  vouched: string | null,
): string | null {
  if (isMeasured) return null;
  // A frame says nothing about the page around it.
  if (vouched === null && isPicked(parts, client, zone, null))
    return `${parts.positionUrl}?${parts.positionTokens.issue(zone.id, client.realMs)}`;
  return zone.needsPage ? parts.factsUrl : null;
}

/** Whether a request that asks for no module is sampled. One that states facts of its page was considered when it asked first. */
function isSampledAtOnce(
  parts: AdRequestParts,
  { client, canAskAgain }: Asking,
  zone: LiveZone,
  vouched: string | null,
): boolean {
  const isFirst = vouched !== null || (!canAskAgain && !zone.needsPage);
  return isFirst && isPicked(parts, client, zone, vouched);
}

/** The zone ids in `?z=A,B`, or null if there are none or too many. */
function zonesOf(query: string): string[] | null {
  // After `n&` or `m&`, the tag sends `z`, and then a number that makes the address a new one. Others may send it anywhere.
  const end = query.indexOf('&');
  const value = query.startsWith('z=')
    ? query.slice(2, end < 0 ? query.length : end)
    : /&z=([^&]*)/.exec(query)?.[1];
  if (!value) return null;
  if (!value.includes(',') && !value.includes('%')) return [value];
  const zoneIds = value.replaceAll(/%2c/gi, ',').split(',', MAX_ZONES_PER_REQUEST + 1);
  return zoneIds.length > MAX_ZONES_PER_REQUEST ? null : zoneIds.map(withoutQuotes);
}

/** Editors turn the quotation marks of pasted code into those of prose, which HTML takes for a part of the id. */
function withoutQuotes(id: string): string {
  if (!id.includes('%')) return id;
  try {
    const bare = decodeURIComponent(id).replaceAll(/^[^\w-]+|[^\w-]+$/g, '');
    return /^[\w~.-]+$/.test(bare) ? bare : id;
  } catch {
    return id;
  }
}
