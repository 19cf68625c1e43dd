import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

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

/** Adds an ad's decisions, rendered ads and uncounted views and clicks, in proportion to what was counted. */
export async function addUncounted(db: Database, ad: { id: number }): Promise<void> {
  const shares = SHARES.map(([kind, reason, of, share]) => ({ kind, reason, of, share }));
  await sql`
    with days as (
      select min(hour) as hour, ad_id, zone_id, kind, sum(n) as counted
        from delivery_hourly
        where ad_id = ${ad.id} and reason = '' and kind in ('view', 'click')
        group by date_trunc('day', hour, 'utc'), ad_id, zone_id, kind
    ), parts as (
      select hour, ad_id, zone_id, s.kind, reason, round(counted * share)::bigint as n
        from days
        join json_to_recordset(${JSON.stringify(shares)}::json)
          as s (kind text, reason text, "of" text, share numeric) on s."of" = days.kind
    )
    insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      select hour, ad_id, zone_id, kind, reason, n from parts where n > 0`.execute(db);
}
