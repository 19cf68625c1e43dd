import { sql } from 'kysely';
import { utcDay } from '#domain/time.ts';
import type { Database } from '#server/platform/database/database.ts';

/** Views at one instant, and clicks on some of them. */
export type Moment = { at: Date; views: number; clicks: number };

type Ad = { id: number; publicId: string; adZoneId: number };

/** Counts an ad's moments in order, through count_events, the function that counts all real events. */
export async function countMoments(db: Database, ad: Ad, moments: readonly Moment[]): Promise<void> {
  const days = [...new Set(moments.map(({ at }) => utcDay(at)))];
  await sql`select ensure_event_partition(day) from unnest(${days}::date[]) as day`.execute(db);
  await countInPartitions(db, ad, moments);
}

/** The same, for days whose partitions exist. */
export async function countInPartitions(db: Database, ad: Ad, moments: readonly Moment[]): Promise<void> {
  const counts = moments.map(({ at, views, clicks }) => ({ ms: at.getTime(), views, clicks }));
  await sql`
    with decisions as (
      select m.ms, n, n <= m.clicks as clicked,
          substring(decode(md5(${`${ad.publicId} `}::text || m.ms || ' ' || n), 'hex') from 1 for 12) as id
        from json_to_recordset(${JSON.stringify(counts)}::json) as m (ms float8, views integer, clicks integer),
          generate_series(1, m.views) as n
    ), events as (
      select ms, id, 'view' as kind from decisions
      union all
      select ms, id, 'click' from decisions where clicked
    ), batches as (
      select to_timestamp(ms / 1000) as at, array_agg(ms) as issued, array_agg(id) as ids, array_agg(kind) as kinds,
          array_agg(${ad.id}::integer) as ads, array_agg(${ad.adZoneId}::integer) as zones,
          array_agg(null::text) as reasons, array_agg(false) as implied
        from events
        group by ms
        order by ms
    )
    select counted.ad_id
      from batches, count_events(at, issued, ids, kinds, ads, zones, reasons, implied) as counted`.execute(
    db,
  );
}
