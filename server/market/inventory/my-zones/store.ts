/** The SQL of a publisher's ad zones in one look. It reads the ads of the zones and writes nothing. */
import { sql } from 'kysely';
import type { Reference } from '#domain/fields.ts';
import type { ZoneSales } from '#domain/inventory/my-zones-contract.ts';
import type { SimilarZone } from '#domain/inventory/similar-prices.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The ads that the overview names for each zone. */
const NAMED_ADS = 2;

export type ZonePosition = { websiteId: number; id: number };
type NamedAd = Omit<ZoneSales['ads'][number], 'endDate'> & { endDate: string | null };
export type ZoneSalesRow = ZonePosition & {
  publicId: string;
  websitePublicId: string;
  running: number;
  ads: NamedAd[];
};

/** The zones of the user's websites, by website, from the one that follows `after`. Leaves out deleted ones. */
export async function selectZoneSales(
  tx: Tx,
  userId: number,
  { after, limit }: { after: ZonePosition | null; limit: number },
): Promise<ZoneSalesRow[]> {
  const beyond = after
    ? sql`and w.id >= ${after.websiteId} and (w.id > ${after.websiteId} or z.id > ${after.id})`
    : sql``;
  const { rows } = await sql<ZoneSalesRow>`
    select z.id, z.public_id as "publicId", w.id as "websiteId", w.public_id as "websitePublicId", sold.running, sold.ads
      from websites w
      join ad_zones z on z.website_id = w.id and z.deleted_at is null
      cross join lateral (
        select count(*)::integer as running, coalesce(json_agg(json_build_object(
            'publicId', a.public_id, 'title', a.title, 'endDate', a.end_date,
            'advertiser', coalesce(nullif(s.business_name, ''), nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), '')))
            order by a.place) filter (where a.place <= ${NAMED_ADS}), '[]') as ads
          from (
            select *, row_number() over (order by start_date desc, id desc) as place
              from ads where ad_zone_id = z.id and status = 'active') a
          join users u on u.id = a.user_id
          left join user_settings s on s.user_id = u.id) sold
      where w.user_id = ${userId} and w.archived_at is null ${beyond}
      order by w.id, z.id
      limit ${limit}`.execute(tx);
  return rows;
}

export type OwnZone = { id: number; width: number; height: number; zoneType: string; category: string };

/** The user's own zone that is not deleted, with the category of its website. */
export async function findOwnZone(tx: Tx, ref: Reference, userId: number): Promise<OwnZone | undefined> {
  return await tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['adZones.id', 'adZones.width', 'adZones.height', 'adZones.zoneType', 'websites.category'])
    .where('id' in ref ? 'adZones.id' : 'adZones.publicId', '=', 'id' in ref ? ref.id : ref.publicId)
    .where('websites.userId', '=', userId)
    .where('adZones.deletedAt', 'is', null)
    .executeTakeFirst();
}

/** How many zones of a size, and of a type, are compared: the newest ones. */
const COMPARED_ZONES = 300;

/** A sale says what a zone gets for this long. */
const SALE_MONTHS = 6;

/** The newest zones of other publishers that have the size or the type of this one and can be bought. Prices in cents. */
export async function selectSimilarZones(
  tx: Tx,
  zone: OwnZone,
  userId: number,
  now: Date,
): Promise<SimilarZone[]> {
  const newest = (condition: ReturnType<typeof sql>) => sql`
    (select z as zone from ad_zones z where ${condition} and is_active and deleted_at is null
      order by id desc limit ${COMPARED_ZONES})`;
  const ofDay = (price: string) => sql.raw(`${price} * 100 / duration`);
  const ofThousand = (price: string) => sql.raw(`${price} * 100000 / impressions`);
  const { rows } = await sql<SimilarZone>`
    select w.user_id as "publisherId",
        (zone).width = ${zone.width} and (zone).height = ${zone.height} as "isSameSize",
        (zone).zone_type = ${zone.zoneType} as "isSameType", w.category = ${zone.category} as "isSameCategory",
        json_build_object('per_day', asked.day, 'per_impression', asked.thousand) as asked,
        json_build_object('per_day', paid.day, 'per_impression', paid.thousand) as paid
      from (${newest(sql`z.width = ${zone.width} and z.height = ${zone.height}`)}
        union ${newest(sql`z.zone_type = ${zone.zoneType}`)}) newest
      join websites w on w.id = (zone).website_id
      join users publisher on publisher.id = w.user_id
      cross join lateral (
        select min(${ofDay('price')})::float8 as day, min(${ofThousand('price')})::float8 as thousand
          from ad_zone_products where ad_zone_id = (zone).id and is_active) asked
      left join lateral (
        select (${ofDay('total_amount')})::float8 as day, (${ofThousand('total_amount')})::float8 as thousand
          from ads
          where ad_zone_id = (zone).id and start_date > ${now}::timestamptz - make_interval(months => ${SALE_MONTHS})
          order by start_date desc limit 1) paid on true
      where w.user_id <> ${userId} and is_zone_offered(zone, w, publisher)`.execute(tx);
  return rows;
}
