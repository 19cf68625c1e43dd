import { type Selectable, sql } from 'kysely';
import type { SimilarZone } from '#domain/ads/contract.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Ads, AdZones, Websites } from '#server/platform/database/tables.ts';

const MAX_SIMILAR = 3;
/** Enough to choose from. A category of a large marketplace has far more websites. */
const NEWEST_WEBSITES = 200;

/**
 * The zones on other websites of the same category that sell this type of ad, those of the same size first, then the
 * cheapest. Looks at the newest websites of the category only.
 */
export async function listSimilarZones(tx: Tx, adId: number): Promise<SimilarZone[]> {
  const ad = await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select([
      'ads.adType',
      'ads.userId',
      'adZones.width',
      'adZones.height',
      'websites.id',
      'websites.category',
    ])
    .where('ads.id', '=', adId)
    .executeTakeFirstOrThrow();
  return await listZonesLike(tx, ad);
}

type Placed = Pick<Selectable<Ads>, 'adType' | 'userId'> &
  Pick<Selectable<AdZones>, 'width' | 'height'> &
  Pick<Selectable<Websites>, 'id' | 'category'>;

/** `id` is that of the ad's website. */
export async function listZonesLike(tx: Tx, ad: Placed): Promise<SimilarZone[]> {
  // The category is a constant of the statement, so that the index of the category gives the newest websites.
  const { rows } = await sql<SimilarZone>`
    with newest as (
      select w, publisher from websites w join users publisher on publisher.id = w.user_id
        where w.category = ${ad.category} and w.id <> ${ad.id} and is_website_offered(w, publisher)
        order by w.id desc limit ${NEWEST_WEBSITES}
    )
    select z.public_id::text as "zonePublicId", (n.w).public_id::text as "websitePublicId", z.name as "zoneName",
        (n.w).name as "websiteName", z.width, z.height, cheapest.price::text as price
      from newest n
      join ad_zones z on z.website_id = (n.w).id
      cross join lateral (
        select min(p.price) as price from ad_zone_products p
          where p.ad_zone_id = z.id and p.is_active and p.ad_type = ${ad.adType}) cheapest
      where is_zone_offered(z, n.w, n.publisher) and (n.w).user_id <> ${ad.userId} and cheapest.price is not null
      order by (z.width, z.height) = (${ad.width}, ${ad.height}) desc, (n.w).verified_at is null, cheapest.price, z.id
      limit ${MAX_SIMILAR}`.execute(tx);
  return rows;
}
