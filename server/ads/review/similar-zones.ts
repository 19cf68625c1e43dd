import { sql } from 'kysely';
import type { SimilarZone } from '#domain/notifications/notices.ts';
import type { Tx } from '../../db/database.ts';

const MAX_SIMILAR = 3;
/** Enough to choose from. A category of a large marketplace has far more websites. */
const NEWEST_WEBSITES = 200;

/**
 * The zones on other websites of the same category that sell this type of ad, those of the same size first, then the
 * cheapest. Looks at the newest websites of the category only.
 */
export async function listSimilarZones(tx: Tx, adId: number): Promise<SimilarZone[]> {
  const { rows } = await sql<SimilarZone>`
    with ad as (
      select a.ad_type, z.width, z.height, z.website_id, w.category, a.user_id as advertiser_id
        from ads a join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id where a.id = ${adId}
    ), newest as (
      select w.id from ad join websites w on w.category = ad.category
        join users publisher on publisher.id = w.user_id
        where w.id <> ad.website_id and is_website_offered(w, publisher) order by w.id desc limit ${NEWEST_WEBSITES}
    )
    select z.public_id::text as "zonePublicId", w.public_id::text as "websitePublicId", z.name as "zoneName",
        w.name as "websiteName", z.width, z.height, min(p.price)::text as price
      from ad cross join newest join websites w on w.id = newest.id
      join users publisher on publisher.id = w.user_id
      join ad_zones z on z.website_id = w.id
      join ad_zone_products p on p.ad_zone_id = z.id and p.is_active and p.ad_type = ad.ad_type
      where is_zone_offered(z, w, publisher) and w.user_id <> ad.advertiser_id
      group by z.id, w.id, w.public_id, w.name, w.verified_at, ad.width, ad.height
      order by (z.width, z.height) = (ad.width, ad.height) desc, w.verified_at is null, min(p.price), z.id
      limit ${MAX_SIMILAR}`.execute(tx);
  return rows;
}
