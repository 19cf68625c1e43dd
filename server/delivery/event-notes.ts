import { minAgeMs } from '#domain/delivery/judge.ts';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import { hourOf } from '#domain/time.ts';
import type { Request } from '#server/platform/http/raw-answer.ts';
import type { AgentTally } from './agents/agents.ts';
import type { HourlyCounts } from './event-log/hourly-counts.ts';
import type { Tally } from './event-log/tally.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { Claims } from './tokens/tokens.ts';
import type { ClientAddress } from './traffic/client-address.ts';
import { agentOf } from './traffic/declared-agent.ts';
import { browserOf } from './traffic/traffic.ts';
import type { Traits } from './traffic/traits.ts';
import type { Votes } from './traffic/votes.ts';
import type { ZoneWatcher } from './zone-watch/zone-watch.ts';

/** The notes about a report, beside its event in the event log. */
export type EventNotes = ReturnType<typeof createEventNotes>;

export function createEventNotes(parts: {
  /** By how much the marketplace's clock is ahead of the wall clock, in whole seconds. */
  aheadMs: () => number;
  snapshot: Pick<Snapshot, 'release'>;
  hourlyCounts: HourlyCounts;
  tally: Pick<Tally, 'events'>;
  agents: Pick<AgentTally, 'note'>;
  votes: Votes;
  traits: Traits;
  zoneWatch: ZoneWatcher;
  addressOf: ClientAddress['addressOf'];
  networkNumberOf: ClientAddress['networkNumberOf'];
}) {
  const { zoneWatch } = parts;

  /** Counts what became of a report for the metrics. The counter knows which ones are accepted and repeated. */
  function tell(kind: EventKind, outcome: 'refused' | 'failed'): void {
    if (kind !== 'rendered') parts.tally.events[kind][outcome] += 1;
  }

  return {
    /** A report that gets no event. `claims` is null if its token is forged. */
    refused(kind: EventKind, reason: Reason, claims: Claims | null, nowMs: number): void {
      if (claims?.use === 'test') return;
      tell(kind, 'refused');
      parts.hourlyCounts.add({
        hourMs: hourOf(nowMs),
        adId: claims?.adId ?? null,
        zoneId: claims?.zoneId ?? null,
        kind,
        reason,
      });
    },

    /** The event log did not take the event. */
    failed(kind: EventKind): void {
      tell(kind, 'failed');
    },

    /** An event that is in the event log: its vote and, if it counts, its traits, for the hourly comparison. */
    recorded(request: Request, kind: EventKind, claims: Claims, reason: Reason | null, nowMs: number): void {
      const { zoneId, decisionId, use, adId, video, issuedAtMs } = claims;
      const report = { kind, zoneId, decisionId, reason, forPlayer: use === 'player' };
      parts.votes.cast(report, parts.networkNumberOf(request), nowMs);
      if (kind === 'rendered') return;
      const { headers } = request;
      const agent = agentOf(headers, browserOf(headers['user-agent'] ?? ''));
      // Development mode counts reports of automation, and notes them here as well.
      if (reason === 'agent' || (reason === null && agent !== null))
        parts.agents.note(`${kind}s`, zoneId, agent, nowMs);
      if (reason !== null) return;
      const delayMs = kind === 'view' ? nowMs - parts.aheadMs() - issuedAtMs - minAgeMs(kind, video) : null;
      parts.traits.event({ kind, zoneId, adId, address: parts.addressOf(request), headers, delayMs }, nowMs);
    },

    /** For the publisher who tests the zone. */
    watched(kind: EventKind, claims: Claims, reason: Reason | null, realMs: number): void {
      if (zoneWatch.zones.size > 0) zoneWatch.event(kind, claims, reason, realMs);
    },

    /** Releases the impression that decide.ts reserved. It reserves none for traffic that will be filtered. */
    settled(claims: Claims, nowMs: number): void {
      if (claims.reason === null)
        parts.snapshot.release(claims.adId, claims.issuedAtMs + parts.aheadMs(), nowMs);
    },
  };
}
