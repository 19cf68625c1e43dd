import { type RawBuilder, sql } from 'kysely';
import type { AdType } from '#domain/ads/types.ts';
import type { Sort } from '#domain/inventory/sorts.ts';
import type { TrafficLevel } from '#domain/inventory/traffic.ts';
import { type Tx, containing } from '#server/platform/database/database.ts';
import { type OfferedWebsiteRow, ON_OFFER, onOffer, page, type WebsiteRow } from './store.ts';

/** The last website of a page: its key in the order of the list, and its id. */
export type After = { key: string | number; id: number };

/** `sortKey` is the key in the order of the list. PostgreSQL returns a bigint as text. */
export type RankedWebsiteRow = OfferedWebsiteRow & { sortKey: string | number };

/** `lowest` is the lowest price of the website, `price` that of 1,000 views. */
export type RankedBy = Sort | 'lowest';

type Order = { key: RawBuilder<unknown>; direction: 'asc' | 'desc' };

/** Except for the newest, each key must be exactly the expression of an index of website_ranks, or no index is used. */
const ORDERS: Record<RankedBy, Order> = {
  newest: { key: sql`websites.id`, direction: 'desc' },
  views: { key: sql`coalesce(r.views_per_day, -1)`, direction: 'desc' },
  ctr: { key: sql`coalesce(r.click_rate, -1)`, direction: 'desc' },
  price: { key: sql`coalesce(r.price_per_thousand, 999999999999999)`, direction: 'asc' },
  lowest: { key: sql`coalesce(r.lowest_price, 999999999999999)`, direction: 'asc' },
  name: { key: sql`r.name`, direction: 'asc' },
};

function orderOf(sort: RankedBy, traffic: TrafficLevel | undefined): Order {
  // See the index website_ranks_views_of_traffic.
  if (sort === 'views' && traffic) return { key: sql`coalesce(r.views_per_day, -2)`, direction: 'desc' };
  return ORDERS[sort];
}

export type Filter = {
  search?: string | undefined;
  category?: WebsiteRow['category'] | undefined;
  traffic?: TrafficLevel | undefined;
  offer?: OfferFilter | undefined;
  /** Only websites that are in the public catalogue. */
  isListed?: true;
};

/** The conditions that one single option of a website has to meet. */
export type OfferFilter = {
  adType?: AdType | undefined;
  size?: { width: number; height: number } | undefined;
  maxPriceCents?: number | undefined;
  /** A UTC day, as 'YYYY-MM-DD', on which the zone can still be booked. */
  openOn?: string | undefined;
};

/** The conditions of an offer. `website_ranks` finds the websites by index; the options themselves decide. */
function offerConditions({ adType, size, maxPriceCents, openOn }: OfferFilter): RawBuilder<unknown>[] {
  const sizeText = size && `${size.width}x${size.height}`;
  const wanted = [adType, sizeText].filter((part) => part !== undefined).join(' ');
  const found = wanted === '' ? [] : [sql`r.offers @> array[${wanted}]`];
  if (maxPriceCents !== undefined) found.push(sql`${ORDERS.lowest.key} <= ${maxPriceCents}::bigint`);
  const option = [
    adType && sql`p.ad_type = ${adType}`,
    size && sql`z.width = ${size.width} and z.height = ${size.height}`,
    maxPriceCents !== undefined && sql`p.price * p.min_quantity * 100 <= ${maxPriceCents}::bigint`,
    openOn !== undefined && sql`is_zone_open_on(z, ${openOn}::date)`,
  ].filter((part) => part !== undefined && part !== false);
  // The ranks already say whether there is an option of this type and size, or one of this price.
  if ((wanted === '' || maxPriceCents === undefined) && openOn === undefined) return found;
  return [...found, sql`exists (select from ${ON_OFFER} and ${sql.join(option, sql` and `)})`];
}

/** The offered websites in the order of `sort`, from the one that follows `after`. */
export async function selectMarketplace(
  tx: Tx,
  {
    search,
    category,
    traffic,
    offer = {},
    isListed,
    sort,
    after,
  }: Filter & { sort: RankedBy; after: After | null },
  limit: number,
): Promise<RankedWebsiteRow[]> {
  const ofOffer = offerConditions(offer);
  const isSorted = sort !== 'newest';
  const isRanked = isSorted || ofOffer.length > 0;
  const conditions = [
    isListed ? sql`is_website_listed(websites, publisher)` : sql`is_website_offered(websites, publisher)`,
    ...ofOffer,
  ];
  if (category) conditions.push(sql`websites.category = ${category}`);
  if (traffic) conditions.push(sql`${isSorted ? sql`r` : sql`websites`}.traffic = ${traffic}`);
  // This must be exactly the expression of the index websites_search, or the index is not used.
  if (search) {
    const words = sql`websites.name || ' ' || coalesce(websites.description, '') || ' ' || websites.url`;
    conditions.push(sql`(${words}) ilike ${containing(search)}`);
  }
  const { key, direction } = orderOf(sort, traffic);
  const id = isSorted ? sql`r.website_id` : sql`websites.id`;
  const order = sql.raw(direction);
  if (after) {
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    conditions.push(
      isSorted ? sql`(${key}, ${id}) ${beyond} (${after.key}, ${after.id})` : sql`${id} < ${after.id}`,
    );
  }
  const { rows } = await sql<RankedWebsiteRow>`
    select websites.*, ${page}, ${sql.join(onOffer)}, ${key} as sort_key
      from websites join users publisher on publisher.id = websites.user_id
        ${isRanked ? sql`join website_ranks r on r.website_id = websites.id` : sql``}
      where ${sql.join(conditions, sql` and `)}
      order by ${key} ${order}, ${id} ${order}
      limit ${limit}`.execute(tx);
  return rows;
}
