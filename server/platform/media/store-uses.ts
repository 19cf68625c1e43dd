import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';

/**
 * Counts how often the user's own ads and their second creatives use each image and video, in any state of the ads. The key is the
 * `/ad-images/…` path or the address on another server. Unused media have no entry. [OP-090]
 */
export async function countMediaUses(tx: Tx, userId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ url: string; uses: string }>`
    select media.url, count(*) as uses
      from ads
      cross join lateral (
        select ads.image_url, ads.video_url
        union all
        select v.image_url, v.video_url from ad_variants v where v.ad_id = ads.id) as creative
      cross join lateral (values (creative.image_url), (creative.video_url)) as media (url)
      where ads.user_id = ${userId} and media.url is not null
      group by media.url`.execute(tx);
  return new Map(rows.map(({ url, uses }) => [url, Number(uses)]));
}
