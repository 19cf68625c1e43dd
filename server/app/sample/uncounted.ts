import { sql } from 'kysely';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { VoteKind } from '#domain/delivery/votes.ts';
import type { Database } from '#server/platform/database/database.ts';

/** Other records of an ad on a day, as shares of its counted views or clicks. They are typical of an honest website. */
const SHARES: readonly [kind: string, reason: string, of: 'view' | 'click', share: number][] = [
  ['decision', '', 'view', 1.9],
  ['decision', 'bot', 'view', 0.05],
  ['rendered', '', 'view', 0.46],
  ['view', 'bot', 'view', 0.021],
  ['view', 'data_center', 'view', 0.017],
  ['view', 'duplicate', 'view', 0.008],
  ['view', 'prefetch', 'view', 0.006],
  ['view', 'frequency', 'view', 0.004],
  ['click', 'frequency', 'click', 0.12],
  ['click', 'bot', 'click', 0.08],
];

/** The votes of the website's networks (domain/delivery/votes.ts), as shares of the counted views. */
const VOTES: readonly [kind: VoteKind, reason: Reason | '', share: number][] = [
  ['vote_rendered', '', 0.5],
  ['vote_viewable', '', 0.34],
  ['vote_judged', '', 0.47],
  ['vote_judged', 'bot', 0.014],
  ['vote_judged', 'data_center', 0.008],
];

/** Their reports leave no event. */
const WITHOUT_EVENT = ['duplicate', 'prefetch'];

/** Adds an ad's decisions, rendered ads, uncounted views and clicks and the votes, in proportion to what was counted. */
export async function addUncounted(db: Database, ad: { id: number }): Promise<void> {
  const votes = VOTES.map(([kind, reason, share]) => ({ kind, reason, share }));
  const shares = SHARES.map(([kind, reason, of, share]) => ({ kind, reason, of, share }));
  await sql`
    with days as (
      select min(hour) as hour, ad_id, zone_id, kind, sum(n) as counted
        from counted_hours
        where ad_id = ${ad.id} and kind in ('view', 'click')
        group by date_trunc('day', hour, 'utc'), ad_id, zone_id, kind
    ), parts as (
      select hour, ad_id, zone_id, s.kind, reason, round(counted * share)::bigint as n
        from days
        join json_to_recordset(${JSON.stringify(shares)}::json)
          as s (kind text, reason text, "of" text, share numeric) on s."of" = days.kind
    ), events as (
      insert into ad_events (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at, reason)
        select (hour at time zone 'utc')::date, substring(uuid_send(gen_random_uuid()) from 1 for 12), kind, ad_id, zone_id,
            hour, hour, nullif(reason, '')
          from parts, generate_series(1, n)
          where kind <> 'decision' and reason <> all (${WITHOUT_EVENT}::text[])
    )
    insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      select hour, ad_id, zone_id, kind, reason, n from parts where n > 0`.execute(db);
  await sql`
    insert into delivery_hourly as d (hour, ad_id, zone_id, kind, reason, n)
      select day.hour, null, day.zone_id, s.kind, s.reason, round(day.views * s.share)::bigint
        from (
          select min(hour) as hour, zone_id, sum(n) as views
            from counted_hours
            where ad_id = ${ad.id} and kind = 'view'
            group by date_trunc('day', hour, 'utc'), zone_id) as day
        join json_to_recordset(${JSON.stringify(votes)}::json) as s (kind text, reason text, share numeric)
          on round(day.views * s.share) > 0
      on conflict (ad_id, kind, reason, hour, zone_id) do update set n = d.n + excluded.n`.execute(db);
}
