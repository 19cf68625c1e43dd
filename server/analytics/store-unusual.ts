/** What each hour of a zone counted, beside the weeks before it. */
import { type RawBuilder, sql } from 'kysely';
import { LEAST_VIEWS, type Seen, USUAL_DAYS } from '#domain/analytics/click-rate.ts';
import type { Tx } from '../db/database.ts';
import { type Range, since, until } from './store-range.ts';

export type ZoneHour = Seen & {
  zone: string;
  zoneName: string;
  websiteName: string;
  hour: Date;
  /** In the USUAL_DAYS before the hour. */
  before: Seen;
};

/** The hours of the range with enough views to say something, on the user's own zones, newest first. */
export async function hoursOfZones(tx: Tx, range: Range): Promise<ZoneHour[]> {
  const { userId, zone, website } = range;
  const zones = sql`
    select z.id from ad_zones z join websites w on w.id = z.website_id
      where w.user_id = ${userId}
        and (${zone ?? null}::uuid is null or z.public_id = ${zone ?? null}::uuid)
        and (${website ?? null}::uuid is null or w.public_id = ${website ?? null}::uuid)`;
  return await compare(tx, zones, since(range), until(range));
}

/** The zones that had enough views in this hour. Zone by zone, by the index: there are many, and most had none. */
export async function busyZones(tx: Tx, hour: Date): Promise<ZoneHour[]> {
  const zones = sql`
    select z.id
      from ad_zones z
      cross join lateral (
        select sum(d.n) as views from delivery_hourly d
          where d.zone_id = z.id and d.hour = ${hour} and d.kind = 'view' and d.reason = ''
          offset 0) as seen
      where seen.views >= ${LEAST_VIEWS}`;
  return await compare(tx, zones, sql`${hour}::timestamptz`, sql`${hour}::timestamptz + interval '1 hour'`);
}

async function compare(
  tx: Tx,
  zones: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): Promise<ZoneHour[]> {
  const { rows } = await sql<ZoneHour>`
    with hours as (
      select own.id, d.hour, d.views, d.clicks
        from (${zones}) as own
        cross join lateral (
          select d.hour, coalesce(sum(d.n) filter (where d.kind = 'view'), 0) as views,
              coalesce(sum(d.n) filter (where d.kind = 'click'), 0) as clicks
            from delivery_hourly d
            where d.zone_id = own.id and d.kind in ('view', 'click') and d.reason = ''
              and d.hour >= ${from} - ${USUAL_DAYS} * interval '1 day' and d.hour < ${to}
            group by d.hour
            offset 0) as d
    ), compared as (
      select *, sum(views) over usual as views_before, sum(clicks) over usual as clicks_before
        from hours
        window usual as (partition by id order by hour
          range between ${sql.lit(`${USUAL_DAYS} days`)} preceding and '1 hour' preceding)
    )
    select z.public_id as zone, z.name as zone_name, w.name as website_name, c.hour,
        c.views::float8 as views, c.clicks::float8 as clicks,
        json_build_object('views', c.views_before, 'clicks', c.clicks_before) as before
      from compared c join ad_zones z on z.id = c.id join websites w on w.id = z.website_id
      where c.hour >= ${from} and c.views >= ${LEAST_VIEWS} and c.views_before >= ${LEAST_VIEWS}
      order by c.hour desc, z.id`.execute(tx);
  return rows;
}
