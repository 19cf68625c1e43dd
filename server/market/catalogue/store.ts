import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** How many ids one sitemap covers. A sitemap may have at most 50,000 addresses (https://www.sitemaps.org/protocol.html). */
const IDS = 50_000;

/** How many paid ads have run on a website or run there now, counted up to `limit`. */
export async function countAdsRun(tx: Tx, websiteId: number, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from ad_zones z join ads a on a.ad_zone_id = z.id
        where z.website_id = ${websiteId} and a.status in ('active', 'completed') limit ${limit}) ran`.execute(
    tx,
  );
  return rows[0]!.count;
}

/** The numbers of the sitemaps that have at least one website. Sitemap n covers the ids from n × 50,000 on. */
export async function selectSitemaps(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from generate_series(0, (select max(id) / ${IDS} from websites)) number
      where exists (
        select from websites w join users publisher on publisher.id = w.user_id
          where w.verified_at is not null and is_website_listed(w, publisher)
            and w.id >= number * ${IDS} and w.id < (number + 1) * ${IDS})
      order by number`.execute(tx);
  return rows.map(({ number }) => number);
}

/** The verified websites of the catalogue in this sitemap: the names of their pages, and when they last changed. */
export async function selectSitemap(tx: Tx, number: number): Promise<{ page: string; updatedAt: Date }[]> {
  const { rows } = await sql<{ page: string; updatedAt: Date }>`
    select website_page(w) as page, w.updated_at
      from websites w join users publisher on publisher.id = w.user_id
      where w.verified_at is not null and is_website_listed(w, publisher)
        and w.id >= ${number * IDS} and w.id < ${(number + 1) * IDS}
      order by w.id`.execute(tx);
  return rows;
}
