import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** Views, and clicks on some of them, counted at one instant by the function that counts all events. */
export async function countDay(
  db: Database,
  ad: { id: number; publicId: string; adZoneId: number },
  at: Date,
  seen: { views: number; clicks: number },
): Promise<void> {
  await sql`select ensure_event_partition(${at.toISOString().slice(0, 10)}::date)`.execute(db);
  await sql`
    with decisions as (
      select n, substring(decode(md5(${`${ad.publicId} ${at.toISOString()} `}::text || n), 'hex') from 1 for 12) as id
        from generate_series(1, ${seen.views}::integer) n
    ), events as (
      select id, 'view' as kind from decisions
      union all
      select id, 'click' from decisions where n <= ${seen.clicks}::integer
    ), arrays as (
      select array_agg(${at.getTime()}::float8) as issued, array_agg(id) as ids, array_agg(kind) as kinds,
          array_agg(${ad.id}::integer) as ads, array_agg(${ad.adZoneId}::integer) as zones,
          array_agg(null::text) as reasons, array_agg(false) as implied
        from events
    )
    select counted.ad_id
      from arrays, count_events(${at}::timestamptz, issued, ids, kinds, ads, zones, reasons, implied) as counted`.execute(
    db,
  );
}
