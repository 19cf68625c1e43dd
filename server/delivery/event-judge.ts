import { capScale } from '#domain/delivery/caps.ts';
import { judgeEvent } from '#domain/delivery/judge.ts';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import type { Request } from '#server/platform/http/raw-answer.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { Claims } from './tokens/tokens.ts';
import type { ClientAddress } from './traffic/client-address.ts';
import { agentOf, isFiltered } from './traffic/declared-agent.ts';
import type { DataCentres } from './traffic/data-centres/data-centres.ts';
import type { RefusedFactsTally } from './traffic/refused-facts.ts';
import type { HeaderRules } from './traffic/request-headers.ts';
import { browserOf, isSpeculative } from './traffic/traffic.ts';
import type { Visitors } from './traffic/visitors.ts';

type Reported = {
  kind: EventKind;
  claims: Claims;
  nowMs: number;
  foreignSite: boolean;
  /** Whether the report carries the proof that a browser rendered the ad. */
  proven: boolean;
};

/** Why an event must not count; null if it may. An event that may counts towards the velocity caps. */
export type EventJudge = (request: Request, reported: Reported) => Reason | null;

export function createEventJudge(parts: {
  /** By how much the marketplace's clock is ahead of the wall clock, in whole seconds. */
  aheadMs: () => number;
  snapshot: Pick<Snapshot, 'zoneById'>;
  visitors: Visitors;
  refusedFacts: Pick<RefusedFactsTally, 'limited'>;
  dataCentres: DataCentres;
  addressOf: ClientAddress['addressOf'];
  developmentMode: boolean;
  /** Null under the traffic rules of development. */
  headerRules: HeaderRules | null;
}): EventJudge {
  return (request, { kind, claims, nowMs, foreignSite, proven }) => {
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
        agent: isFiltered(agentOf(headers, browser), parts.developmentMode),
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
  };
}
