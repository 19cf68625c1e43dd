import { dayStart } from '#domain/analytics/days.ts';
import type { getTwoCounts } from '#domain/analytics/two-counts-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { ownRange } from '../over-time.ts';
import { sql } from 'kysely';
import type { CountedDay } from '#domain/analytics/two-counts.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type Range, since, until } from '../store-range.ts';

export async function twoCounts(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof getTwoCounts>,
): Promise<Reply<typeof getTwoCounts>> {
  const range = await ownRange(ctx, who, { ...query, side: 'seller', step: 'day' });
  const { timezone } = range;
  const counts = await selectTwoCounts(ctx.db, range, query.website);
  return { timezone, dayStart: dayStart(timezone, range), ...counts };
}

/** The SQL of two counts of one website: ad requests and stored page views. */
export type TwoCountsRow = {
  zoneName: string | null;
  days: CountedDay[];
  landings: { clicks: number; landings: number };
  hasPageViews: boolean;
};

/** Every day of the range, with the requests of the ad zone that had the most of them. */
export async function selectTwoCounts(tx: Tx, range: Range, website: string): Promise<TwoCountsRow> {
  const { from, to, timezone } = range;
  const { rows } = await sql<TwoCountsRow>`
    with site as (
      select id from websites where public_id = ${website}
    ), zones as (
      select z.id, z.name from site join ad_zones z on z.website_id = site.id
    ), hours as (
      select zones.id, d.hour, d.requests
        from zones cross join lateral (
          select hour, sum(n) as requests
            from counted_hours
            where zone_id = zones.id and kind = 'decision'
              and hour >= ${since(range)} and hour < ${until(range)}
            group by hour
            offset 0) as d
    ), busiest as (
      select id from hours group by id order by sum(requests) desc, id limit 1
    ), ours as (
      select (hour at time zone ${timezone})::date as date, sum(requests)::float8 as requests
        from hours where id = (select id from busiest)
        group by 1
    ), days as (
      select day::date as date from generate_series(${from}::date::timestamp, ${to}::date::timestamp, '1 day') as day
    )
    select (select name from zones where id = (select id from busiest)) as "zoneName",
        (select json_agg(json_build_object('date', days.date, 'pageViews', v.page_views,
            'requests', coalesce(ours.requests, 0)) order by days.date)
          from days
          left join ours using (date)
          left join site_page_views v on v.website_id = (select id from site) and v.date = days.date) as days,
        (select json_build_object('clicks', coalesce(sum(l.clicks), 0), 'landings', coalesce(sum(l.landings), 0))
          from zones cross join lateral (
            select clicks, landings from landing_hours
              where zone_id = zones.id and hour >= ${since(range)} and hour < ${until(range)}
              offset 0) as l) as landings,
        exists (select from site_page_views where website_id = (select id from site)) as "hasPageViews"`.execute(
    tx,
  );
  return rows[0] as TwoCountsRow;
}
