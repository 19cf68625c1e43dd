/** The SQL of the viewability of ad zones. */
import { sql, type RawBuilder } from 'kysely';
import { BEFORE_DAYS, RECENT_DAYS } from '#domain/analytics/position.ts';
import { PLACE_DAYS } from '#domain/delivery/place.ts';
import type { Reference } from '#domain/fields.ts';
import type { MailSettings, Side } from '#domain/notifications/notices.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { MAIL_SETTINGS } from '#server/notify/notify.ts';

type Sums = { rendered: number; viewable: number };
export type PositionRow = {
  zoneId: number;
  zone: string;
  zoneName: string;
  websiteName: string;
  recent: Sums;
  before: Sums;
};

/** The votes of networks for rendered and viewable ads in the zones whose ids `zoneIds` selects, before the UTC day `today`. */
async function sumZones(tx: Tx, zoneIds: RawBuilder<unknown>, today: string): Promise<PositionRow[]> {
  const end = sql`(${today}::date::timestamp at time zone 'utc')`;
  const recent = sql`${end} - interval ${sql.lit(`${RECENT_DAYS} days`)}`;
  const sums = (when: RawBuilder<unknown>) => sql`json_build_object(
    'rendered', coalesce(sum(n) filter (where kind = 'vote_rendered' and ${when}), 0),
    'viewable', coalesce(sum(n) filter (where kind = 'vote_viewable' and ${when}), 0))`;
  const { rows } = await sql<PositionRow>`
    select z.id as "zoneId", z.public_id as zone, z.name as "zoneName", w.shown_name as "websiteName", d.recent, d.before
      from (${zoneIds}) as own
      join ad_zones z on z.id = own.id
      join websites w on w.id = z.website_id
      cross join lateral (
        select ${sums(sql`hour >= ${recent}`)} as recent, ${sums(sql`hour < ${recent}`)} as before
          from delivery_hourly
          where zone_id = own.id and kind in ('vote_rendered', 'vote_viewable')
            and hour >= ${recent} - interval ${sql.lit(`${BEFORE_DAYS} days`)} and hour < ${end}
          offset 0) as d
      order by z.id`.execute(tx);
  return rows;
}

/** All of the user's own zones that are not deleted. */
export async function sumOwnZones(tx: Tx, userId: number, today: string): Promise<PositionRow[]> {
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
): Promise<PositionRow | undefined> {
  const named = 'id' in ref ? sql`id = ${ref.id}` : sql`public_id = ${ref.publicId}`;
  const [row] = await sumZones(
    tx,
    sql`select ad_zone_id as id from ads where ${named} and user_id = ${userId}`,
    today,
  );
  return row;
}

export type ReportingZone = { id: number; zone: string; zoneName: string; websiteName: string };

/** The user's own zones, or the one `zone`, of which page views have been measured lately, with ids above `after`. */
export async function selectReportingZones(
  tx: Tx,
  userId: number,
  { after, zone, limit }: { after: number | null; zone: string | undefined; limit: number },
  now: Date,
): Promise<ReportingZone[]> {
  const { rows } = await sql<ReportingZone>`
    select z.id, z.public_id as zone, z.name as "zoneName", w.shown_name as "websiteName"
      from websites w join ad_zones z on z.website_id = w.id
      where w.user_id = ${userId} and z.deleted_at is null and z.id > ${after ?? 0}
        and (${zone ?? null}::uuid is null or z.public_id = ${zone ?? null}::uuid)
        and exists (
          select from placement_reports
            where zone_id = z.id and reported_at > ${later(now, -PLACE_DAYS * DAY_MS)})
      order by z.id
      limit ${limit}`.execute(tx);
  return rows;
}

/** The id of an ad zone of the user's own that is not deleted. */
export async function findOwnZone(tx: Tx, userId: number, publicId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select z.id from ad_zones z join websites w on w.id = z.website_id
      where z.public_id = ${publicId} and z.deleted_at is null and w.user_id = ${userId}`.execute(tx);
  return rows[0]?.id;
}

export async function sumZonesById(tx: Tx, ids: readonly number[], today: string): Promise<PositionRow[]> {
  return await sumZones(tx, sql`select unnest(${ids}::integer[]) as id`, today);
}

/** The next zones with a running ad after `after`, in order. */
export async function nextLiveZones(tx: Tx, after: number, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('ads')
    .select('adZoneId')
    .distinct()
    .where('status', '=', 'active')
    .where('adZoneId', '>', after)
    .orderBy('adZoneId')
    .limit(limit)
    .execute();
  return rows.map(({ adZoneId }) => adZoneId);
}

/** Returns whether the caller may tell about the zone now: nobody has since `toldBefore`, nor does at the same time. */
export async function claimTelling(
  tx: Tx,
  zoneId: number,
  { at, toldBefore }: { at: Date; toldBefore: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into told_placements as t (zone_id, told_at) values (${zoneId}, ${at})
      on conflict (zone_id) do update set told_at = excluded.told_at where t.told_at <= ${toldBefore}
      returning zone_id`.execute(tx);
  return rows.length > 0;
}

type PersonOfZone = MailSettings & {
  email: string;
  side: Side;
  /** The public id of the newest of the advertiser's running ads in the zone; null for the publisher. */
  campaign: string | null;
};

/** The publisher of a zone, and the advertisers with a running ad in it. */
export async function peopleOfZone(tx: Tx, zoneId: number): Promise<PersonOfZone[]> {
  const { rows } = await sql<PersonOfZone>`
    select concerned.side, concerned.campaign, ${MAIL_SETTINGS}
      from (
        select w.user_id, 'publisher' as side, null as campaign
          from ad_zones z join websites w on w.id = z.website_id
          where z.id = ${zoneId}
        union all
        (select distinct on (a.user_id) a.user_id, 'advertiser', a.public_id::text
          from ads a
          where a.ad_zone_id = ${zoneId} and a.status = 'active'
          order by a.user_id, a.id desc)
      ) as concerned
      join users u on u.id = concerned.user_id
      left join user_settings s on s.user_id = u.id
      order by concerned.side desc, u.id`.execute(tx);
  return rows;
}
