/** Reads the marketplace. A user sees what all publishers offer, and the rest of their own. [OP-068] */
import type { Parsed } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import type {
  AdZone,
  listMyWebsites,
  listWebsites,
  MarketplaceWebsite,
  Product,
  Website,
} from '#domain/inventory/contract.ts';
import type { Sort } from '#domain/inventory/sorts.ts';
import type { Context, Caller } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { figuresOfWebsites } from '../delivery/forecast/zone-figures.ts';
import {
  decodeCursor,
  decodeKeys,
  decodeTextKey,
  encodeCursor,
  encodeKeys,
  encodeTextKey,
  pageBy,
  pageOf,
} from '../http/cursor.ts';
import { notFound } from '../http/errors.ts';
import type { Page } from '../http/route.ts';
import {
  selectOwnWebsites,
  selectProducts,
  selectVisibleWebsite,
  selectZone,
  selectZones,
  type WebsiteRow,
} from './store.ts';
import { type After, type RankedWebsiteRow, selectMarketplace } from './store-marketplace.ts';
import { viewOfferedWebsite, viewWebsite } from './view.ts';
import { viewProducts } from './view-products.ts';
import { viewZones } from './view-zones.ts';

/** Cards on one page of the marketplace. [OP-081] */
const PAGE_SIZE = 12;
/** Of the lists that people manage. */
const DEFAULT_LIMIT = 100;

export async function browseWebsites(
  ctx: Context,
  _who: Caller,
  { query }: Parsed<typeof listWebsites>,
): Promise<Page<MarketplaceWebsite>> {
  const { cursor, limit = PAGE_SIZE, sort = 'newest', ...filter } = query;
  const after = cursor === undefined ? null : decodeAfter(sort, cursor);
  const rows = await selectMarketplace(ctx.db, { ...filter, sort, after }, limit + 1);
  const page = pageBy(rows, limit, (row) => encodeAfter(sort, row));
  const figures = await figuresOfWebsites(
    ctx.db,
    page.items.map(({ id }) => id),
  );
  return {
    items: page.items.map((row) => viewOfferedWebsite(row, figures.get(row.id) ?? [])),
    next: page.next,
  };
}

/** The cursor of an order holds its key and the id of the last website. */
function encodeAfter(sort: Sort, { id, sortKey }: RankedWebsiteRow): string {
  if (sort === 'newest') return encodeCursor(id);
  return sort === 'name' ? encodeTextKey(String(sortKey), id) : encodeKeys([Number(sortKey), id]);
}

function decodeAfter(sort: Sort, cursor: string): After {
  if (sort === 'name') return decodeTextKey(cursor);
  if (sort === 'newest') {
    const [id] = decodeKeys(cursor, ['id']);
    return { key: id, id };
  }
  const [key, id] = decodeKeys(cursor, [sort === 'price' ? 'bigint' : 'integer', 'id']);
  return { key, id };
}

type ByReference = { params: { ref: Reference } };

export async function showWebsite(
  ctx: Context,
  who: Caller,
  { params }: ByReference,
): Promise<MarketplaceWebsite> {
  const website = await selectVisibleWebsite(ctx.db, params.ref, who.id);
  if (!website) throw notFound('Website not found. Please reload the page.');
  const figures = await figuresOfWebsites(ctx.db, [website.id]);
  return viewOfferedWebsite(website, figures.get(website.id) ?? []);
}

/** Shows a website that the caller's transaction has just written to its owner. */
export async function showOwnWebsite(tx: Tx, row: WebsiteRow): Promise<Website> {
  return viewWebsite(row, (await figuresOfWebsites(tx, [row.id])).get(row.id) ?? []);
}

type Paged = Pick<Parsed<typeof listMyWebsites>, 'query'>;

/** Reads one page of a list in the order of its ids. `select` reads rows with ids above `after`. [DOOR-11] */
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
      const figures = await figuresOfWebsites(ctx.db, ids);
      return websites.map((row) => viewWebsite(row, figures.get(row.id) ?? []));
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
    (zones) => viewZones(ctx, ctx.db, website.id, zones),
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
    async (products) => await viewProducts(ctx, ctx.db, zone, products),
  );
}
