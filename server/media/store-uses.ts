import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/**
 * In how many places of the user's own ads each image and video stands, whatever became of the ads (OP-090): by its
 * `/ad-images/…` path, or its address elsewhere. What is not shown has no entry.
 */
export async function countMediaUses(tx: Tx, userId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ url: string; uses: string }>`
    select media.url, count(*) as uses
      from ads cross join lateral (values (image_url), (video_url)) as media (url)
      where ads.user_id = ${userId} and media.url is not null
      group by media.url`.execute(tx);
  return new Map(rows.map(({ url, uses }) => [url, Number(uses)]));
}
