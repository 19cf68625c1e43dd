import { isSecond, secondNumber } from '#domain/ads/variants.ts';
import { fillMacros } from '#domain/delivery/macros.ts';
import type { Reference } from '#domain/fields.ts';
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** The id of the ad that the reference names, or whose second creative it names. */
export async function findCampaign(tx: Tx, ref: Reference): Promise<number | null> {
  const is = 'id' in ref ? sql`id = ${ref.id}` : sql`public_id = ${ref.publicId}`;
  const { rows } = await sql<{ id: number }>`
    select id from ads where ${is} union all select ad_id from ad_variants where ${is}`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * The target URL of this creative of an ad that runs or has run; null for any other ad and for one that was taken down. If
 * the creative was taken away because of its target, that of the ad.
 */
export async function findTarget(
  tx: Tx,
  { adId, creative }: { adId: number; creative: number },
): Promise<string | null> {
  const number = isSecond(creative) ? secondNumber(creative) : null;
  const { rows } = await sql<{ targetUrl: string; ad: string; zone: string; websiteUrl: string }>`
    select coalesce(v.target_url, ads.target_url) as target_url, coalesce(v.public_id, ads.public_id) as ad,
        z.public_id as zone, w.url as website_url
      from ads
      left join ad_variants v on v.ad_id = ads.id and v.number = ${number}::smallint
        and (v.removed_for is null or v.removed_for = 'advertiser')
      join ad_zones z on z.id = ads.ad_zone_id join websites w on w.id = z.website_id
      where ads.id = ${adId} and ads.status in ('active', 'completed') and ads.taken_down_reason is null`.execute(
    tx,
  );
  const [row] = rows;
  return row ? fillMacros(row.targetUrl, { ...row, site: URL.parse(row.websiteUrl)?.host ?? '' }) : null;
}
