/** Reads the marketplace. A user sees what all publishers offer, and the rest of their own. [OP-068] */
import type { Parsed } from '#domain/endpoint.ts';
import type { MeasuredPlace } from '#domain/delivery/place.ts';
import type { Reference } from '#domain/fields.ts';
import type {
  AdSpace,
  AdZone,
  getAdSpace,
  listMyWebsites,
  listWebsites,
  MarketplaceWebsite,
  Product,
  Website,
} from '#domain/inventory/contract.ts';
import { centsOf } from '#domain/money.ts';
import type { CatalogueSort } from '#domain/inventory/sorts.ts';
import { nextFreeDay } from '#server/ads/booking/zone-calendar.ts';
import { placesOfZones } from '#server/delivery/position/places.ts';
import { usualAnswerHours } from '#server/ads/review-rules/answer-clock.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { figuresOfWebsites } from '#server/delivery/forecast/zone-figures.ts';
import {
  decodeCursor,
  decodeKeys,
  decodeTextKey,
  encodeCursor,
  encodeKeys,
  encodeTextKey,
  pageBy,
  pageOf,
} from '#server/platform/http/cursor.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { subscriberOf } from '#server/platform/net/networks.ts';
import type { Page } from '#server/platform/http/route.ts';
import { knownCategories } from './categories/categories.ts';
import {
  selectAdSpace,
  selectListedWebsite,
  selectOwnWebsites,
  selectProducts,
  selectProductsOfWebsite,
  selectVisibleWebsite,
  selectZone,
  selectZones,
  type ShownWebsiteRow,
} from './store.ts';
import {
  type After,
  type Filter,
  type RankedBy,
  type RankedWebsiteRow,
  selectMarketplace,
} from './store-marketplace.ts';
import { type AboutWebsite, adSpaceReply, offeredWebsiteReply, websiteReply } from './reply.ts';
import { productsReply, zonesReply } from './reply-zones.ts';

/** Cards on one page of the marketplace. [OP-081] */
const PAGE_SIZE = 12;
/** Websites on one page of the public catalogue. */
const CATALOGUE_PAGE_SIZE = 24;
/** Of one subscriber (server/platform/net/networks.ts), signed in or not. [WARD-113] */
const SEARCHES_A_MINUTE = { points: 300, seconds: 60 };
/** Far more than a website has, unless the operator allows more zones than usual. */
const MAX_LISTED_ZONES = 1000;
/** Of the lists that people manage. */
const DEFAULT_LIMIT = 100;

export async function browseWebsites(
  ctx: Context,
  _who: Caller,
  { query }: Parsed<typeof listWebsites>,
  { ip }: { ip: string },
): Promise<Page<MarketplaceWebsite>> {
  await ctx.limits('search', SEARCHES_A_MINUTE)(subscriberOf(ip));
  const { cursor, limit = PAGE_SIZE, sort = 'newest', adType, size, maxPrice, ...filter } = query;
  if (filter.category !== undefined && !knownCategories(ctx.config).includes(filter.category))
    throw invalid(`Choose one of the categories: ${knownCategories(ctx.config).join(', ')}`, 'category');
  const [width = 0, height = 0] = size?.split('x').map(Number) ?? [];
  const offer = {
    adType,
    size: size === undefined ? undefined : { width, height },
    maxPriceCents: maxPrice === undefined ? undefined : centsOf(maxPrice),
  };
  return await readMarketplace(ctx, { filter: { ...filter, offer }, sort, cursor, limit });
}

type Search = { filter: Filter; sort: RankedBy; cursor: string | undefined; limit: number };

async function readMarketplace(
  ctx: Context,
  { filter, sort, cursor, limit }: Search,
): Promise<Page<MarketplaceWebsite>> {
  const after = cursor === undefined ? null : decodeAfter(sort, cursor);
  const rows = await ctx.search(
    async (tx) => await selectMarketplace(tx, { ...filter, sort, after }, limit + 1),
  );
  const page = pageBy(rows, limit, (row) => encodeAfter(sort, row));
  const about = await aboutWebsites(
    ctx.db,
    page.items.map(({ id }) => id),
  );
  return {
    items: page.items.map((row) => offeredWebsiteReply(ctx.config, row, about(row.id))),
    next: page.next,
  };
}

/** The cursor of an order holds its key and the id of the last website. */
function encodeAfter(sort: RankedBy, { id, sortKey }: RankedWebsiteRow): string {
  if (sort === 'newest') return encodeCursor(id);
  return sort === 'name' ? encodeTextKey(String(sortKey), id) : encodeKeys([Number(sortKey), id]);
}

function decodeAfter(sort: RankedBy, cursor: string): After {
  if (sort === 'name') return decodeTextKey(cursor);
  if (sort === 'newest') {
    const [id] = decodeKeys(cursor, ['id']);
    return { key: id, id };
  }
  const isPrice = sort === 'price' || sort === 'lowest';
  const [key, id] = decodeKeys(cursor, [isPrice ? 'bigint' : 'integer', 'id']);
  return { key, id };
}

/** Reads a page of the public catalogue. Throws 404 if the operator has turned it off. */
export async function browseCatalogue(
  ctx: Context,
  { sort, filter, ...search }: Omit<Search, 'sort' | 'limit'> & { sort: CatalogueSort },
  ip: string,
): Promise<Page<MarketplaceWebsite>> {
  requireCatalogue(ctx);
  await ctx.limits('search', SEARCHES_A_MINUTE)(subscriberOf(ip));
  return await readMarketplace(ctx, {
    ...search,
    filter: { ...filter, isListed: true },
    sort: sort === 'price' ? 'lowest' : sort,
    limit: CATALOGUE_PAGE_SIZE,
  });
}

/** `nextFreeDay` is null for a zone without slots, and where no day is free. */
export type ListedZone = AdZone & {
  products: Product[];
  nextFreeDay: string | null;
  places: MeasuredPlace[];
};

/** A website of the public catalogue as visitors see it, and the name of its page. */
export type ListedWebsite = { website: MarketplaceWebsite; page: string; id: number; zones: ListedZone[] };

/**
 * Finds the website of the public catalogue at this host or with this public id. Throws 404 if there is none, or if the
 * operator has turned the catalogue off.
 */
export async function findListed(
  ctx: Context,
  name: { host: string } | { publicId: string },
): Promise<ListedWebsite> {
  requireCatalogue(ctx);
  const row = await selectListedWebsite(ctx.db, name);
  if (!row || row.page === null) throw notFound(NOT_LISTED);
  const { id, page } = row;
  const about = await aboutWebsites(ctx.db, [id]);
  const everything = { after: null, limit: MAX_LISTED_ZONES };
  const rows = await selectZones(ctx.db, id, 'offered', everything, ctx.now());
  const products = Map.groupBy(await selectProductsOfWebsite(ctx.db, id), ({ adZoneId }) => adZoneId);
  const zones = await zonesReply(ctx, ctx.db, id, rows);
  const placesOf = await placesOfZones(
    ctx.db,
    rows.map((zone) => zone.id),
    ctx.now(),
  );
  return {
    website: offeredWebsiteReply(ctx.config, row, about(id)),
    page,
    id,
    zones: await Promise.all(
      zones.map(async (zone) => ({
        ...zone,
        products: await productsReply(ctx, ctx.db, zone, products.get(zone.id) ?? []),
        places: placesOf(zone.id),
        nextFreeDay: zone.slots === null ? null : await nextFreeDay(ctx, zone.id),
      })),
    ),
  };
}

/** Says where an ad-space link leads, for the sign-up that follows it. */
export async function showAdSpace(
  ctx: Context,
  _who: Caller | null,
  { query }: Pick<Parsed<typeof getAdSpace>, 'query'>,
): Promise<AdSpace> {
  requireCatalogue(ctx);
  const row = await selectAdSpace(ctx.db, query.website, query.zone);
  if (!row || row.page === null) throw notFound('Ad zone not found. See all websites at /sites.');
  return adSpaceReply(ctx.config, row, row.page);
}

const NOT_LISTED = 'No website in the catalogue has this address. See all websites at /sites.';

function requireCatalogue({ config }: Context): void {
  if (!config.hasCatalogue)
    throw notFound('This marketplace has no public catalogue. Sign in to see its websites.');
}

type ByReference = { params: { ref: Reference } };

export async function showWebsite(
  ctx: Context,
  who: Caller,
  { params }: ByReference,
): Promise<MarketplaceWebsite> {
  const website = await selectVisibleWebsite(ctx.db, params.ref, who.id);
  if (!website) throw notFound('Website not found. Please reload the page.');
  const about = await aboutWebsites(ctx.db, [website.id]);
  return offeredWebsiteReply(ctx.config, website, about(website.id));
}

/** Reads what the views of websites show beside their rows. */
async function aboutWebsites(tx: Tx, ids: number[]): Promise<(id: number) => AboutWebsite> {
  const figures = await figuresOfWebsites(tx, ids);
  const hours = await usualAnswerHours(tx, ids);
  return (id) => ({ figures: figures.get(id) ?? [], usualAnswerHours: hours.get(id) ?? null });
}

/** Shows a website that the caller's transaction has just written to its owner. */
export async function showOwnWebsite(ctx: Context, tx: Tx, row: ShownWebsiteRow): Promise<Website> {
  return websiteReply(ctx.config, row, (await aboutWebsites(tx, [row.id]))(row.id));
}

type Paged = Pick<Parsed<typeof listMyWebsites>, 'query'>;

/** Reads one page of a list in the order of its ids. `select` reads rows with ids above `after`. */
async function readPage<Row extends { id: number }, Item>(
  { cursor, limit = DEFAULT_LIMIT }: Paged['query'],
  select: (page: { after: number | null; limit: number }) => Promise<Row[]>,
  view: (rows: Row[]) => Promise<Item[]>,
): Promise<Page<Item>> {
  const rows = await select({ after: decodeCursor(cursor), limit: limit + 1 });
  const { items, next } = pageOf(rows, limit);
  return { items: await view(items), next };
}

export async function showOwnWebsites(ctx: Context, who: Caller, { query }: Paged): Promise<Page<Website>> {
  return await readPage(
    query,
    (page) => selectOwnWebsites(ctx.db, who.id, page),
    async (websites) => {
      const ids = websites.map(({ id }) => id);
      const about = await aboutWebsites(ctx.db, ids);
      return websites.map((row) => websiteReply(ctx.config, row, about(row.id)));
    },
  );
}

export async function browseZones(
  ctx: Context,
  who: Caller,
  { params, query }: ByReference & Paged,
): Promise<Page<AdZone>> {
  const website = await selectVisibleWebsite(ctx.db, params.ref, who.id);
  if (!website) throw notFound('Website not found. Please reload the page.');
  const only = website.userId === who.id ? 'all' : 'offered';
  return await readPage(
    query,
    (page) => selectZones(ctx.db, website.id, only, page, ctx.now()),
    (zones) => zonesReply(ctx, ctx.db, website.id, zones),
  );
}

export async function browseProducts(
  ctx: Context,
  who: Caller,
  { params, query }: ByReference & Paged,
): Promise<Page<Product>> {
  const zone = await selectZone(ctx.db, params.ref);
  const own = zone?.ownerId === who.id;
  if (!zone || !(own || zone.isOffered)) throw notFound('Ad zone not found. Please reload the page.');
  const only = own ? 'all' : 'active';
  return await readPage(
    query,
    (page) => selectProducts(ctx.db, zone.id, only, page),
    async (products) => await productsReply(ctx, ctx.db, zone, products),
  );
}
