/** How many websites sell ad zones of a size, or something up to a price. */
import { type RawBuilder, sql } from 'kysely';
import type { Facets } from '#domain/inventory/contract.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';

const SIZES = 6;
const PRICES = [10, 25, 50, 100];
/** Counting reads the ranks of all websites, and a count that is some minutes old leads to the same sites. */
const FRESH_MS = 10 * MINUTE_MS;

type Counted = { until: number; facets: Promise<Facets> };
const known = {
  listed: new WeakMap<Context['db'], Counted>(),
  offered: new WeakMap<Context['db'], Counted>(),
};

/** `listed`: of the public catalogue. `offered`: of the marketplace. */
type Of = keyof typeof known;

/**
 * The counts of all websites, read once in ten minutes by each instance. If they can't be read, the last ones hold for another
 * minute, or none are shown: a list without them is better than no list. [MKT-600]
 */
export async function facetsOf(ctx: Context, of: Of): Promise<Facets> {
  const at = ctx.realNow().getTime();
  const before = known[of].get(ctx.db);
  if (before && at < before.until) return await before.facets;
  const facets = ctx
    .search((tx) => readFacets(tx, of))
    .catch(async (error: unknown) => {
      ctx.log.warn({ err: error }, 'the websites cannot be counted; the last counts are shown');
      known[of].set(ctx.db, { until: at + MINUTE_MS, facets });
      return (await before?.facets) ?? { sizes: [], prices: [] };
    });
  known[of].set(ctx.db, { until: at + FRESH_MS, facets });
  return await facets;
}

/** The websites that are counted, with what they offer. */
export function rankedWebsites(of: Of): RawBuilder<unknown> {
  const condition =
    of === 'listed'
      ? sql`is_website_listed(websites, publisher)`
      : sql`is_website_offered(websites, publisher)`;
  return sql`website_ranks r
    join websites on websites.id = r.website_id
    join users publisher on publisher.id = websites.user_id and ${condition}`;
}

async function readFacets(tx: Tx, of: Of): Promise<Facets> {
  const ranked = rankedWebsites(of);
  const sizes = await sql<{ size: string; count: number }>`
    select size, count(*)::integer as count from ${ranked} cross join unnest(r.offers) as size
      where size ~ '^\\d+x\\d+$' group by size order by count desc, size limit ${SIZES}`.execute(tx);
  const prices = await sql<{ upTo: string; count: number }>`
    select price::text as "upTo", count(websites.id)::integer as count
      from unnest(${PRICES}::integer[]) as price left join (${ranked}) on r.lowest_price <= price * 100
      group by price order by price`.execute(tx);
  return {
    sizes: sizes.rows.map(({ size, count }) => {
      const [width = 0, height = 0] = size.split('x').map(Number);
      return { width, height, count };
    }),
    prices: prices.rows.filter(({ count }) => count > 0),
  };
}
