import { type RawBuilder, sql } from 'kysely';
import type { Sort } from '#domain/inventory/sorts.ts';
import type { TrafficLevel } from '#domain/inventory/traffic.ts';
import type { Tx } from '../db/database.ts';
import { type OfferedWebsiteRow, onOffer, type WebsiteRow } from './store.ts';

/** The last website of a page: its key in the order of the list, and its id. */
export type After = { key: string | number; id: number };

/** `sortKey` is the key in the order of the list. PostgreSQL returns a bigint as text. */
export type RankedWebsiteRow = OfferedWebsiteRow & { sortKey: string | number };

type Order = { key: RawBuilder<unknown>; direction: 'asc' | 'desc' };

/** Except for the newest, each key must be exactly the expression of an index of website_ranks, or no index is used. */
const ORDERS: Record<Sort, Order> = {
  newest: { key: sql`websites.id`, direction: 'desc' },
  views: { key: sql`coalesce(r.views_per_day, -1)`, direction: 'desc' },
  ctr: { key: sql`coalesce(r.click_rate, -1)`, direction: 'desc' },
  price: { key: sql`coalesce(r.price_per_thousand, 999999999999999)`, direction: 'asc' },
  name: { key: sql`r.name`, direction: 'asc' },
};

function orderOf(sort: Sort, traffic: TrafficLevel | undefined): Order {
  // See the index website_ranks_views_of_traffic.
  if (sort === 'views' && traffic) return { key: sql`coalesce(r.views_per_day, -2)`, direction: 'desc' };
  return ORDERS[sort];
}

type Filter = { search?: string; category?: WebsiteRow['category']; traffic?: TrafficLevel };

/** The offered websites in the order of `sort`, from the one that follows `after`. */
export async function selectMarketplace(
  tx: Tx,
  { search, category, traffic, sort, after }: Filter & { sort: Sort; after: After | null },
  limit: number,
): Promise<RankedWebsiteRow[]> {
  const isRanked = sort !== 'newest';
  const conditions = [sql`is_website_offered(websites, publisher)`];
  if (category) conditions.push(sql`websites.category = ${category}`);
  if (traffic) conditions.push(sql`${isRanked ? sql`r` : sql`websites`}.traffic = ${traffic}`);
  // This must be exactly the expression of the index websites_search, or the index is not used.
  if (search) {
    const words = sql`websites.name || ' ' || coalesce(websites.description, '') || ' ' || websites.url`;
    conditions.push(sql`(${words}) ilike ${contains(search)}`);
  }
  const { key, direction } = orderOf(sort, traffic);
  const id = isRanked ? sql`r.website_id` : sql`websites.id`;
  const order = sql.raw(direction);
  if (after) {
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    conditions.push(
      isRanked ? sql`(${key}, ${id}) ${beyond} (${after.key}, ${after.id})` : sql`${id} < ${after.id}`,
    );
  }
  const { rows } = await sql<RankedWebsiteRow>`
    select websites.*, ${sql.join(onOffer)}, ${key} as sort_key
      from websites join users publisher on publisher.id = websites.user_id
        ${isRanked ? sql`join website_ranks r on r.website_id = websites.id` : sql``}
      where ${sql.join(conditions, sql` and `)}
      order by ${key} ${order}, ${id} ${order}
      limit ${limit}`.execute(tx);
  return rows;
}

/** A LIKE pattern that matches the text as typed, with LIKE's special characters escaped. */
function contains(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
