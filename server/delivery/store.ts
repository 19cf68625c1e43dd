import { fillMacros } from '#domain/delivery/macros.ts';
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

export async function findPublicId(tx: Tx, adId: number): Promise<string | null> {
  const row = await tx.selectFrom('ads').select('publicId').where('id', '=', adId).executeTakeFirst();
  return row?.publicId ?? null;
}

/** The target URL of an ad that runs or has run; null for any other ad and for one that was taken down. */
export async function findTarget(tx: Tx, adId: number): Promise<string | null> {
  const { rows } = await sql<{ targetUrl: string; ad: string; zone: string; websiteUrl: string }>`
    select ads.target_url, ads.public_id as ad, z.public_id as zone, w.url as website_url
      from ads join ad_zones z on z.id = ads.ad_zone_id join websites w on w.id = z.website_id
      where ads.id = ${adId} and ads.status in ('active', 'completed') and ads.taken_down_reason is null`.execute(
    tx,
  );
  const [row] = rows;
  return row ? fillMacros(row.targetUrl, { ...row, site: URL.parse(row.websiteUrl)?.host ?? '' }) : null;
}
