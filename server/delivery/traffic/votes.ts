import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import { REASONS_WITHOUT_VOTE, VOTE_MS, type VoteKind } from '#domain/delivery/votes.ts';
import { hourOf } from '#domain/time.ts';
import type { HourlyCounts } from '../event-log/hourly-counts.ts';
import { createRecentCounts, createSeed, spread, withAd } from './recent-counts.ts';

/** The networks of ad zones to remember, and the decisions that have voted, in 4 MiB. */
const MAX_REMEMBERED = 1 << 20;

/** A report that was recorded, whether it counts or not. */
type Report = {
  kind: EventKind;
  zoneId: number;
  decisionId: string;
  /** Why the report does not count, or null. */
  reason: Reason | null;
  /** A player reports the start of an ad, and then its view. The tag reports the start only if no view follows at once. */
  forPlayer: boolean;
};

/**
 * Lets each network vote once in a period on the published shares of an ad zone (domain/delivery/votes.ts). The memory has a
 * fixed size, and forgets the least active networks first. Each server knows only its own reports, so a network has at most
 * as many votes as there are servers. [WARD-110]
 */
export function createVotes(hourlyCounts: Pick<HourlyCounts, 'add'>) {
  const known = createRecentCounts(VOTE_MS, MAX_REMEMBERED);
  const seeds = { judged: createSeed(VOTE_MS), rendered: createSeed(VOTE_MS) };

  function count(kind: VoteKind, zoneId: number, reason: Reason | null, nowMs: number): void {
    hourlyCounts.add({ hourMs: hourOf(nowMs), adId: null, zoneId, kind, reason: reason ?? '' });
  }

  function isFirst(key: number, nowMs: number): boolean {
    const before = known.of(key, nowMs);
    known.add(key, nowMs);
    return before === 0;
  }

  return {
    /** `network` is the number of ClientAddress; null does not vote. */
    cast(
      { kind, zoneId, decisionId, reason, forPlayer }: Report,
      network: number | null,
      nowMs: number,
    ): void {
      if (network === null) return;
      const voter = (question: keyof typeof seeds) =>
        spread(withAd(network ^ seeds[question](nowMs), zoneId));
      if (kind !== 'rendered' && (reason === null || !REASONS_WITHOUT_VOTE.has(reason))) {
        if (isFirst(voter('judged'), nowMs)) count('vote_judged', zoneId, reason, nowMs);
      }
      // A click is a view, but its view is reported as well.
      if (kind === 'click' || reason !== null) return;
      const own = voter('rendered');
      const decision = spread(own ^ Number.parseInt(decisionId.slice(-8), 16));
      const isVote = isFirst(own, nowMs);
      if (kind === 'rendered') {
        if (!isVote) return;
        count('vote_rendered', zoneId, null, nowMs);
        known.add(decision, nowMs);
        return;
      }
      // The vote was for an ad that was rendered, and which has become viewable now.
      const isOfVote = known.of(decision, nowMs) === 1;
      if (!isVote && !isOfVote) return;
      if (isOfVote) known.add(decision, nowMs);
      else if (!forPlayer) count('vote_rendered', zoneId, null, nowMs);
      count('vote_viewable', zoneId, null, nowMs);
    },
  };
}
export type Votes = ReturnType<typeof createVotes>;
