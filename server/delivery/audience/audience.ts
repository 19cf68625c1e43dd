import { audienceValues } from '#domain/delivery/audience.ts';
import { VOTE_MS } from '#domain/delivery/votes.ts';
import type { Facts } from '#domain/targeting/matches.ts';
import { utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Database } from '#server/platform/database/database.ts';
import { createRecentCounts, createSeed, spread, withAd } from '../traffic/recent-counts.ts';
import { addVotes, type AudienceRow, deleteVotesUntil } from './store.ts';
import { lastForgottenDay } from './read-audiences.ts';

/** Drop new rows above this size, so that requests with invented values cannot exhaust memory. */
const MAX_ROWS = 20_000;
/** The networks of ad zones to remember, in 1 MiB. Few requests are sampled. */
const MAX_NETWORKS = 1 << 18;

/**
 * Sums the facts of sampled requests by ad zone and week, each fact by itself (domain/delivery/audience.ts). A network has one
 * vote for a zone in a week, as in ../traffic/votes.ts. `flush` writes in batches, so that no decision waits for the database.
 * A crash loses the last batch.
 */
export function createAudience(db: Database) {
  let rows = new Map<string, AudienceRow>();
  const voted = createRecentCounts(VOTE_MS, MAX_NETWORKS);
  const seedOf = createSeed(VOTE_MS);

  function add(key: Omit<AudienceRow, 'n'>, n: number): void {
    const name = `${key.week}|${key.zoneId}|${key.fact}|${key.value}`;
    const row = rows.get(name);
    if (row) row.n += n;
    else if (rows.size < MAX_ROWS) rows.set(name, { ...key, n });
  }

  return {
    /** `network` is the number of ClientAddress; null does not vote. */
    vote(zoneId: number, facts: Facts, network: number | null, nowMs: number): void {
      if (network === null) return;
      const voter = spread(withAd(network ^ seedOf(nowMs), zoneId));
      if (voted.of(voter, nowMs) > 0) return;
      voted.add(voter, nowMs);
      const week = weekOf(nowMs);
      for (const [fact, value] of audienceValues(facts)) add({ zoneId, week, fact, value }, 1);
    },
    flush: async (): Promise<void> => {
      if (rows.size === 0) return;
      const flushed = rows;
      rows = new Map();
      try {
        await addVotes(db, [...flushed.values()]);
      } catch (error) {
        for (const { n, ...key } of flushed.values()) add(key, n);
        throw error;
      }
    },
  };
}
export type AudienceTally = ReturnType<typeof createAudience>;

/** The first day of the period in which a network has one vote. */
function weekOf(nowMs: number): string {
  return utcDay(new Date(Math.floor(nowMs / VOTE_MS) * VOTE_MS));
}

/** Part of the job 'remove-expired'. */
export async function removeOldAudiences({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await deleteVotesUntil(db, lastForgottenDay(now()));
}
