/** Compares what visitors were told with what the database has. */
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../server/platform/database/database.ts';
import type { Tokens } from '../../server/delivery/tokens/tokens.ts';
import type { Acknowledged } from './visitors.ts';

export type Check = {
  /** The events that were acknowledged since the last check. */
  acknowledged: number;
  /** Those of them that the database has neither as an event nor as a figure of refused clicks. */
  lost: number;
  /** Those of them that it has twice. */
  twice: number;
  /** All views so far that were billed beyond the goals of their ads. */
  beyond: number;
};

export type Books = {
  check: () => Promise<Check>;
  /** Sentences about all events: those that are lost, were counted twice, or billed beyond the goal. */
  close: () => Promise<string[]>;
};

/** `patienceMs`: how long acknowledged events may wait in NATS until somebody counts them. */
export function openBooks(
  db: Database,
  tokens: Tokens,
  acknowledged: readonly Acknowledged[],
  patienceMs = 60_000,
): Books {
  let from = 0;
  /** The refused clicks that earlier checks have found. */
  let refusedBefore = 0;

  async function compare(events: readonly Acknowledged[]): Promise<{ lost: number; twice: number }> {
    const ids = events.map(({ kind, token }) => {
      const reading = tokens.read(token, kind, Date.now());
      if (reading.state === 'forged') throw new Error('The fleet acknowledged a token that it did not make');
      return reading.claims.decisionId;
    });
    const { rows } = await sql<{ lost: number; twice: number }>`
      select count(*) filter (where n = 0)::integer as lost, count(*) filter (where n > 1)::integer as twice
        from unnest(${ids}::text[], ${events.map(({ kind }) => kind)}::text[]) as a (id, kind)
        cross join lateral (
          select count(*) as n from ad_events e where e.kind = a.kind and decision_id = decode(a.id, 'hex')) found`.execute(
      db,
    );
    return rows[0]!;
  }

  /** A click whose token is too old, or too young by another clock, leads to its target, but is kept as a figure only. */
  async function countRefusedClicks(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(n), 0)::integer as n from delivery_hourly where kind = 'click' and reason = 'expired'`.execute(
      db,
    );
    return rows[0]!.n;
  }

  async function countBeyond(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(greatest(0, e.n - a.impressions)), 0)::integer as n from ads a cross join lateral (
        select count(*) as n from ad_events where ad_id = a.id and kind = 'view' and reason is null) e`.execute(
      db,
    );
    return rows[0]!.n;
  }

  async function check(): Promise<Check> {
    const until = acknowledged.length;
    const events = acknowledged.slice(from, until);
    from = until;
    const begun = performance.now();
    for (;;) {
      const { lost: missing, twice } = await compare(events);
      const refused = await countRefusedClicks();
      const lost = Math.max(0, missing - (refused - refusedBefore));
      if (lost > 0 && performance.now() - begun <= patienceMs) {
        await pause(500);
        continue;
      }
      refusedBefore = refused;
      return { acknowledged: events.length, lost, twice, beyond: await countBeyond() };
    }
  }

  return {
    check,
    close: async () => {
      // NATS may still hold what the visitors were told since the last check.
      await check();
      const { rows } = await sql<{ problem: string }>`
        select 'Decision ' || encode(decision_id, 'hex') || ' has ' || count(*) || ' ' || kind || 's.' as problem
          from ad_events group by decision_id, kind having count(*) > 1
        union all
        select 'Ad ' || a.id || ' has ' || a.total_impressions || ' counted views, ' || e.n || ' events of them, and a goal of '
            || coalesce(a.impressions::text, 'none') || '.'
          from ads a cross join lateral (
            select count(*) as n from ad_events where ad_id = a.id and kind = 'view' and reason is null) e
          where a.total_impressions <> e.n or e.n > a.impressions`.execute(db);
      // Also those that an earlier check has found.
      const lost = (await compare(acknowledged)).lost - (await countRefusedClicks());
      return [
        ...(lost > 0 ? [`${lost} acknowledged events are not in the database.`] : []),
        ...rows.map(({ problem }) => problem),
      ];
    },
  };
}
