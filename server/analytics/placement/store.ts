/** The SQL of the viewability of ad zones. */
import { sql, type RawBuilder } from 'kysely';
import { BEFORE_DAYS, RECENT_DAYS } from '#domain/analytics/placement.ts';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '../../db/database.ts';

type Sums = { rendered: number; viewable: number };
export type PlacementRow = {
  zone: string;
  zoneName: string;
  websiteName: string;
  recent: Sums;
  before: Sums;
};

/** Rendered and viewable ads of the zones whose ids `zoneIds` selects, before the UTC day `today`. */
async function sumZones(tx: Tx, zoneIds: RawBuilder<unknown>, today: string): Promise<PlacementRow[]> {
  const end = sql`(${today}::date::timestamp at time zone 'utc')`;
  const recent = sql`${end} - interval ${sql.lit(`${RECENT_DAYS} days`)}`;
  // The same rules as in sumReports (server/delivery/forecast/store.ts).
  const sums = (when: RawBuilder<unknown>) => sql`json_build_object(
    'rendered', greatest(0, coalesce(sum(case when reason <> 'duplicate' then n when kind = 'rendered' then -n end)
      filter (where ${when}), 0)),
    'viewable', coalesce(sum(n) filter (where kind = 'view' and reason <> 'duplicate' and ${when}), 0))`;
  const { rows } = await sql<PlacementRow>`
    select z.public_id as zone, z.name as "zoneName", w.shown_name as "websiteName", d.recent, d.before
      from (${zoneIds}) as own
      join ad_zones z on z.id = own.id
      join websites w on w.id = z.website_id
      cross join lateral (
        select ${sums(sql`hour >= ${recent}`)} as recent, ${sums(sql`hour < ${recent}`)} as before
          from delivery_hourly
          where zone_id = own.id and kind in ('view', 'rendered')
            and hour >= ${recent} - interval ${sql.lit(`${BEFORE_DAYS} days`)} and hour < ${end}
          offset 0) as d
      order by z.id`.execute(tx);
  return rows;
}

/** All of the user's own zones that are not deleted. */
export async function sumOwnZones(tx: Tx, userId: number, today: string): Promise<PlacementRow[]> {
  const ids = sql`select z.id from websites w join ad_zones z on z.website_id = w.id
    where w.user_id = ${userId} and z.deleted_at is null`;
  return await sumZones(tx, ids, today);
}

/** The zone of an ad of the user's own. */
export async function sumZoneOfAd(
  tx: Tx,
  ref: Reference,
  userId: number,
  today: string,
): Promise<PlacementRow | undefined> {
  const named = 'id' in ref ? sql`id = ${ref.id}` : sql`public_id = ${ref.publicId}`;
  const [row] = await sumZones(
    tx,
    sql`select ad_zone_id as id from ads where ${named} and user_id = ${userId}`,
    today,
  );
  return row;
}
