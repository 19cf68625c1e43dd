/** How many websites of the public catalogue sell ad zones of a size, or up to a price. */
import { sql } from 'kysely';
import { MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type Facets = {
  sizes: { width: number; height: number; count: number }[];
  /** `upTo` is a whole amount, such as '25'. */
  prices: { upTo: string; count: number }[];
};

const SIZES = 6;
const PRICES = [10, 25, 50, 100];
/** Counting reads the ranks of all websites, and a count that is some minutes old leads to the same sites. */
const FRESH_MS = 10 * MINUTE_MS;

const known = new WeakMap<Context['db'], { at: number; facets: Promise<Facets> }>();

/** The counts of all websites, read once in ten minutes by each instance. [SITE-601] */
export async function facetsOf(ctx: Context): Promise<Facets> {
  const at = ctx.realNow().getTime();
  const before = known.get(ctx.db);
  if (before && at - before.at < FRESH_MS) return await before.facets;
  const facets = ctx.search(readFacets);
  known.set(ctx.db, { at, facets });
  try {
    return await facets;
  } catch (error) {
    known.delete(ctx.db);
    throw error;
  }
}

async function readFacets(tx: Tx): Promise<Facets> {
  const listed = sql`website_ranks r
    join websites on websites.id = r.website_id
    join users publisher on publisher.id = websites.user_id and is_website_listed(websites, publisher)`;
  const sizes = await sql<{ size: string; count: number }>`
    select size, count(*)::integer as count from ${listed} cross join unnest(r.offers) as size
      where size ~ '^\\d+x\\d+$' group by size order by count desc, size limit ${SIZES}`.execute(tx);
  const prices = await sql<{ upTo: string; count: number }>`
    select price::text as "upTo", count(websites.id)::integer as count
      from unnest(${PRICES}::integer[]) as price left join (${listed}) on r.lowest_price <= price * 100
      group by price order by price`.execute(tx);
  return {
    sizes: sizes.rows.map(({ size, count }) => {
      const [width = 0, height = 0] = size.split('x').map(Number);
      return { width, height, count };
    }),
    prices: prices.rows.filter(({ count }) => count > 0),
  };
}
