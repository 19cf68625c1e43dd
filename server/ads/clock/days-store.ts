/** The days of a per-day ad and their views, as both of its sides read them. */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

export type EndedDay = { beganAt: Date; endedAt: Date; views: number; minViews: number; isSilent: boolean };

/** A day that its advertiser's pause touches needs no counted view (is_day_silent.sql). */
const viewsNeeded = (minViews: 'min_views' | 'd.min_day_views', day: RawBuilder<unknown>) =>
  sql`case when is_day_paused(${day}) then 0 else ${sql.ref(minViews)} end as min_views`;

/** The latest days that are over, the latest first. The views are those by which each was judged. */
export async function listEndedDays(tx: Tx, adId: number, limit: number): Promise<EndedDay[]> {
  const { rows } = await sql<EndedDay>`
    select began_at, ended_at, net_views(ad_id, counts_from, began_at + interval '24 hours')::float8 as views,
        ${viewsNeeded('min_views', sql`ad_id, counts_from, began_at + interval '24 hours'`)}, is_silent
      from ad_days where ad_id = ${adId}
      order by began_at desc limit ${limit}`.execute(tx);
  return rows;
}

/** The day of a running ad that is not over; null if the ad is not judged by its views. */
export async function findOpenDay(
  tx: Tx,
  adId: number,
): Promise<{ beganAt: Date; views: number; minViews: number } | null> {
  const { rows } = await sql<{ beganAt: Date; views: number; minViews: number }>`
    select d.began_at,
        ${viewsNeeded('d.min_day_views', sql`d.id, d.counts_from, d.began_at + interval '24 hours'`)},
        net_views(d.id, d.counts_from, d.began_at + interval '24 hours')::float8 as views
      from (
        select id, min_day_views, coalesce(day_began_at, start_date) as began_at,
            coalesce(day_counts_from, day_began_at, start_date) as counts_from
          from ads where id = ${adId} and status = 'active' and min_day_views is not null) as d`.execute(tx);
  return rows[0] ?? null;
}
