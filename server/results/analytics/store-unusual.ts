/** Counted views and clicks of a zone's hours, together with those of the weeks before. */
import { type RawBuilder, sql } from 'kysely';
import { COMPARED_DAYS, MIN_VIEWS, type ViewsAndClicks } from '#domain/analytics/click-rate.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type Range, since, until } from './store-range.ts';

export type ZoneHour = ViewsAndClicks & {
  zone: string;
  zoneName: string;
  websiteName: string;
  hour: Date;
  /** In the COMPARED_DAYS before the hour. */
  before: ViewsAndClicks;
};

/**
 * The hours of the range with enough views for a comparison, in the user's own zones, newest first. Older ones than `kept` are
 * left out, because several hours may be in one row.
 */
export async function hoursOfZones(tx: Tx, range: Range, kept: Date): Promise<ZoneHour[]> {
  const { userId, zone, website } = range;
  const zones = sql`
    select z.id from ad_zones z join websites w on w.id = z.website_id
      where w.user_id = ${userId}
        and (${zone ?? null}::uuid is null or z.public_id = ${zone ?? null}::uuid)
        and (${website ?? null}::uuid is null or w.public_id = ${website ?? null}::uuid)`;
  return await compare(tx, zones, sql`greatest(${since(range)}, ${kept}::timestamptz)`, until(range));
}

/** The zones with enough views in this hour. Reads zone by zone through the index, because most zones have no views. */
export async function busyZones(tx: Tx, hour: Date): Promise<ZoneHour[]> {
  const zones = sql`
    select z.id
      from ad_zones z
      cross join lateral (
        select sum(d.n) as views from counted_hours d
          where d.zone_id = z.id and d.hour = ${hour} and d.kind = 'view'
          offset 0) as delivered
      where delivered.views >= ${MIN_VIEWS}`;
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
            from counted_hours d
            where d.zone_id = own.id and d.kind in ('view', 'click')
              and d.hour >= ${from} - ${COMPARED_DAYS} * interval '1 day' and d.hour < ${to}
            group by d.hour
            offset 0) as d
    ), compared as (
      select *, sum(views) over usual as views_before, sum(clicks) over usual as clicks_before
        from hours
        window usual as (partition by id order by hour
          range between ${sql.lit(`${COMPARED_DAYS} days`)} preceding and '1 hour' preceding)
    )
    select z.public_id as zone, z.name as zone_name, w.name as website_name, c.hour,
        c.views::float8 as views, c.clicks::float8 as clicks,
        json_build_object('views', c.views_before, 'clicks', c.clicks_before) as before
      from compared c join ad_zones z on z.id = c.id join websites w on w.id = z.website_id
      where c.hour >= ${from} and c.views >= ${MIN_VIEWS} and c.views_before >= ${MIN_VIEWS}
      order by c.hour desc, z.id`.execute(tx);
  return rows;
}
