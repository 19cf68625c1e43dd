import { sql } from 'kysely';
import type { AdTimes } from '#domain/analytics/contract.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The counted views and clicks of an ad for each hour of the day that has any, less the withdrawn ones. */
export async function sumByHourOfDay(tx: Tx, adId: number, timezone: string): Promise<AdTimes['hours']> {
  const { rows } = await sql<AdTimes['hours'][number]>`
    select extract(hour from hour at time zone ${timezone})::float8 as hour,
        coalesce(sum(n) filter (where kind = 'view'), 0)::float8 as impressions,
        coalesce(sum(n) filter (where kind = 'click'), 0)::float8 as clicks
      from net_hours
      where ad_id = ${adId} and kind in ('view', 'click')
      group by 1
      having sum(n) <> 0
      order by 1`.execute(tx);
  return rows;
}

/** The conversions of an ad on each day that has any. */
export async function countConversionsByDay(
  tx: Tx,
  adId: number,
  timezone: string,
): Promise<AdTimes['conversions']> {
  const { rows } = await sql<AdTimes['conversions'][number]>`
    select (converted_at at time zone ${timezone})::date::text as day, count(*)::float8 as count
      from conversions
      where ad_id = ${adId}
      group by 1
      order by 1`.execute(tx);
  return rows;
}
