/** Counted and uncounted reports by reason, read from `delivery_hourly`. */
import { sql } from 'kysely';
import type { Step } from '#domain/analytics/days.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { ownAds, type Range, since, until } from './store-range.ts';

const KINDS = ['decision', 'rendered', 'view', 'click'];

/** `kind`, `reason` and `n` are null in an empty bucket. Measured clicks and their landings are kinds, too. */
export type CountingRow = { start: string; kind: string | null; reason: string | null; n: string | null };

/** Sums by kind and reason for every day, week or month of the range, in order. The reason of counted events is ''. */
export async function sumByReason(tx: Tx, range: Range, step: Step): Promise<CountingRow[]> {
  const { from, to, timezone } = range;
  const { rows } = await sql<CountingRow>`
    with own as (${ownAds(range)}),
    buckets as (
      select start::date from generate_series(
        date_trunc(${step}, ${from}::date::timestamp), ${to}::date::timestamp, ${`1 ${step}`}::interval) as start
    ), hours as (
      select d.hour, d.kind, d.reason, sum(d.n) as n
        from own cross join lateral (
          -- Matches the index exactly, so that only the hours of the range are read. See countedHours.
          select d.hour, d.kind, d.reason, d.n
            from judged_hours d
            where d.ad_id = own.ad_id and d.kind = any(${KINDS}) and d.reason = any(${['', ...REASONS]})
              and d.hour >= ${since(range)} and d.hour < ${until(range)}
          union all
          select l.hour, each.kind, '', each.n
            from landing_hours l cross join lateral (values ('measured', l.clicks), ('landing', l.landings)) as each (kind, n)
            where l.ad_id = own.ad_id and l.hour >= ${since(range)} and l.hour < ${until(range)}
          offset 0
        ) as d
        group by d.hour, d.kind, d.reason
    ), sums as (
      select date_trunc(${step}, hour at time zone ${timezone})::date as start, kind, reason, sum(n) as n
        from hours
        group by 1, 2, 3
    )
    select start, kind, reason, n from buckets left join sums using (start) order by start`.execute(tx);
  return rows;
}
