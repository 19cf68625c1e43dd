import { type RawBuilder, type Selectable, sql } from 'kysely';
import { AD_TYPES, type AdType } from '#domain/ads/types.ts';
import type { Reference } from '#domain/fields.ts';
import type { MarketplaceWebsite, ZoneOffer } from '#domain/inventory/contract.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { Quantities } from '#domain/inventory/quantity.ts';
import type { ZoneType } from '#domain/inventory/zones.ts';
import type { Excludes } from '#domain/targeting/limits.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { AdZoneProducts, AdZones, Websites } from '#server/platform/database/tables.ts';

export type WebsiteRow = Selectable<Websites>;
/** `page` is the name of the website's page in the catalogue; null if it has none. */
export type ShownWebsiteRow = WebsiteRow & { page: string | null };
export type ZoneRow = Selectable<AdZones>;
export type OfferedZoneRow = ZoneRow & { offers: ZoneOffer[]; liveAds: number };
export type ProductRow = Selectable<AdZoneProducts>;
/** A website with the ad types, cheapest option and zone sizes that can be bought on it now. */
export type OfferedWebsiteRow = ShownWebsiteRow & {
  adTypes: AdType[];
  lowestOffer: MarketplaceWebsite['lowestOffer'];
  /** In cents. */
  pricePerThousand: number | null;
  sizes: { width: number; height: number }[];
};

/** Of a shortlist, because a website can have a hundred ad zones, and a shortlist a hundred websites. */
const MAX_OFFERED_ZONES = 500;

/** The active pricing options `p` of the website's offered zones `z`. The query joins the website's `publisher`. */
export const ON_OFFER = sql`ad_zones z join ad_zone_products p on p.ad_zone_id = z.id
  where z.website_id = websites.id and is_zone_offered(z, websites, publisher) and p.is_active`;

/** The price and the plan of the smallest quantity of the option `p` that can be bought. */
const smallestPurchase = sql`json_build_object('price', (p.price * p.min_quantity)::text,
  'pricingModel', p.pricing_model, 'duration', p.duration * p.min_quantity,
  'impressions', p.impressions * p.min_quantity, 'clicks', p.clicks * p.min_quantity)`;

/** See server/platform/database/functions/market/website_page.sql. */
export const page = sql<string | null>`website_page(websites)`.as('page');

export const onOffer = [
  sql<AdType[]>`array(select distinct p.ad_type from ${ON_OFFER} order by p.ad_type)`.as('adTypes'),
  sql<MarketplaceWebsite['lowestOffer']>`(
    select ${smallestPurchase}
    from ${ON_OFFER} order by p.price * p.min_quantity, p.id limit 1)`.as('lowestOffer'),
  sql<number | null>`(
    select price_per_thousand::float8 from website_ranks where website_id = websites.id)`.as(
    'pricePerThousand',
  ),
  sql<{ width: number; height: number }[]>`array(
    select json_build_object('width', z.width, 'height', z.height) from ${ON_OFFER}
    group by z.width, z.height order by z.width desc, z.height limit 4)`.as('sizes'),
];

/** The place of an ad type in the interface. */
const typeOrder = (adType: RawBuilder<unknown>) => sql`array_position(${[...AD_TYPES]}::text[], ${adType})`;

/** The cheapest active pricing option of each ad type, in the order in which the interface shows the types. */
const offers = sql<ZoneOffer[]>`coalesce((
  select json_agg(jsonb_build_object('adType', p.ad_type, 'optionCount', option_count) || ${smallestPurchase}::jsonb
    order by ${typeOrder(sql`p.ad_type`)})
  from (
    select distinct on (p.ad_type) p.*, count(*) over (partition by p.ad_type) as option_count
    from ad_zone_products p where p.ad_zone_id = ad_zones.id and p.is_active
    order by p.ad_type, p.price * p.min_quantity, p.id
  ) p), '[]')`.as('offers');

/** The query joins the zone's website and its `publisher`. */
const liveAds = (now: Date) =>
  sql<number>`(
    select count(*)::integer from ads a join users advertiser on advertiser.id = a.user_id
      where a.ad_zone_id = ad_zones.id and is_ad_shown(a, advertiser, ad_zones, websites, publisher)
        and a.start_date <= ${now} and (a.end_date is null or a.end_date > ${now}))`.as('liveAds');

/** A website that is offered, or owned by this user and not deleted. */
export function selectVisibleWebsite(
  tx: Tx,
  ref: Reference,
  userId: number,
): Promise<OfferedWebsiteRow | undefined> {
  return tx
    .selectFrom('websites')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .selectAll('websites')
    .select([page, ...onOffer])
    .where(matchesReference('websites', ref))
    .where('websites.archivedAt', 'is', null)
    .where((eb) =>
      eb.or([sql<boolean>`is_website_offered(websites, publisher)`, eb('websites.userId', '=', userId)]),
    )
    .executeTakeFirst();
}

/** The website in the public catalogue that `name`, a host or a public id, leads to. */
export async function selectListedWebsite(
  tx: Tx,
  name: { host: string } | { publicId: string },
): Promise<OfferedWebsiteRow | undefined> {
  const isNamed =
    'publicId' in name
      ? sql<boolean>`websites.public_id = ${name.publicId}`
      : sql<boolean>`page_host(websites) = ${name.host}`;
  const website = await tx
    .selectFrom('websites')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .selectAll('websites')
    .select([page, ...onOffer])
    .where(isNamed)
    .where(sql<boolean>`is_website_listed(websites, publisher)`)
    .orderBy(sql`websites.verified_at is null`)
    .orderBy('websites.id')
    .limit(1)
    .executeTakeFirst();
  // A verified website that isn't listed keeps its host.
  return 'host' in name && website?.page !== name.host ? undefined : website;
}

export type AdSpaceRow = Pick<ZoneRow, 'name' | 'width' | 'height'> & {
  offers: ZoneOffer[];
  websiteName: string;
  websiteUrl: string;
  page: string | null;
};

/** An offered zone of this website. `page` is null if the website isn't in the public catalogue. */
export function selectAdSpace(tx: Tx, website: Reference, zone: Reference): Promise<AdSpaceRow | undefined> {
  return tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .select(['adZones.name', 'adZones.width', 'adZones.height'])
    .select(['websites.name as websiteName', 'websites.url as websiteUrl'])
    .select([offers, page])
    .where(matchesReference('websites', website))
    .where(matchesReference('adZones', zone))
    .where(sql<boolean>`is_zone_offered(ad_zones, websites, publisher)`)
    .executeTakeFirst();
}

/** The active pricing options of the website's zones, the cheapest of each ad type first. */
export async function selectProductsOfWebsite(tx: Tx, websiteId: number): Promise<ProductRow[]> {
  return await tx
    .selectFrom('adZoneProducts')
    .innerJoin('adZones', 'adZones.id', 'adZoneProducts.adZoneId')
    .selectAll('adZoneProducts')
    .where('adZones.websiteId', '=', websiteId)
    .where('adZoneProducts.isActive', '=', true)
    .orderBy(typeOrder(sql`ad_zone_products.ad_type`))
    .orderBy('adZoneProducts.price')
    .orderBy('adZoneProducts.id')
    .execute();
}

/** The rows with ids above `after`, in the order of their ids. */
export type IdPage = { after: number | null; limit: number };

/** Leaves out deleted websites. */
export function selectOwnWebsites(
  tx: Tx,
  userId: number,
  { after, limit }: IdPage,
): Promise<ShownWebsiteRow[]> {
  return tx
    .selectFrom('websites')
    .selectAll()
    .select(page)
    .where('userId', '=', userId)
    .where('archivedAt', 'is', null)
    .where('id', '>', after ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Leaves out deleted websites. */
export async function countWebsites(tx: Tx, userId: number): Promise<number> {
  const { n } = await tx
    .selectFrom('websites')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('userId', '=', userId)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Leaves out deleted zones. */
export async function countZones(tx: Tx, websiteId: number): Promise<number> {
  const { n } = await tx
    .selectFrom('adZones')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('websiteId', '=', websiteId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Counts withdrawn pricing options, too. */
export async function countProducts(tx: Tx, zoneId: number): Promise<number> {
  const { n } = await tx
    .selectFrom('adZoneProducts')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('adZoneId', '=', zoneId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Leaves out deleted websites. */
export function selectOwnWebsite(tx: Tx, ref: Reference, userId: number): Promise<WebsiteRow | undefined> {
  return tx
    .selectFrom('websites')
    .selectAll()
    .where(matchesReference('websites', ref))
    .where('userId', '=', userId)
    .where('archivedAt', 'is', null)
    .executeTakeFirst();
}

/** Leaves out deleted zones. */
export function selectZones(
  tx: Tx,
  websiteId: number,
  only: 'all' | 'offered',
  page: IdPage,
  now: Date,
): Promise<OfferedZoneRow[]> {
  let query = tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .selectAll('adZones')
    .select([offers, liveAds(now)])
    .where('adZones.websiteId', '=', websiteId)
    .where('adZones.deletedAt', 'is', null)
    .where('adZones.id', '>', page.after ?? 0);
  if (only === 'offered') query = query.where(sql<boolean>`is_zone_offered(ad_zones, websites, publisher)`);
  return query.orderBy('adZones.id').limit(page.limit).execute();
}

/**
 * Offered zones with a price: those with these public ids, and those of websites with these public ids. Each comes with
 * its website.
 */
export async function selectOfferedZones(
  tx: Tx,
  publicIds: readonly string[],
  now: Date,
): Promise<(OfferedZoneRow & { website: ShownWebsiteRow })[]> {
  const rows = await tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .selectAll('adZones')
    .select([offers, liveAds(now)])
    .where((eb) => {
      const among = sql<string>`any(${publicIds}::uuid[])`;
      return eb.or([
        eb('adZones.publicId', '=', among),
        eb(
          'adZones.websiteId',
          'in',
          eb.selectFrom('websites as named').select('named.id').where('named.publicId', '=', among),
        ),
      ]);
    })
    .where(sql<boolean>`is_zone_offered(ad_zones, websites, publisher)`)
    .where(
      sql<boolean>`exists (select from ad_zone_products p where p.ad_zone_id = ad_zones.id and p.is_active)`,
    )
    .orderBy('adZones.id')
    .limit(MAX_OFFERED_ZONES)
    .execute();
  const websites = await tx
    .selectFrom('websites')
    .selectAll()
    .select(page)
    .where('id', '=', sql<number>`any(${rows.map(({ websiteId }) => websiteId)}::integer[])`)
    .execute();
  const byId = new Map(websites.map((website) => [website.id, website]));
  return rows.flatMap((row) => {
    const website = byId.get(row.websiteId);
    return website ? [{ ...row, website }] : [];
  });
}

/** The active pricing options of these zones, oldest first. */
export function selectActiveProducts(tx: Tx, zoneIds: readonly number[]): Promise<ProductRow[]> {
  return tx
    .selectFrom('adZoneProducts')
    .selectAll()
    .where('adZoneId', '=', sql<number>`any(${zoneIds}::integer[])`)
    .where('isActive', '=', true)
    .orderBy('id')
    .execute();
}

/** A zone that is not deleted, with its owner and whether it is offered. Other users see offered zones only. */
export function selectZone(
  tx: Tx,
  ref: Reference,
): Promise<(ZoneRow & { ownerId: number; isOffered: boolean }) | undefined> {
  return tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .selectAll('adZones')
    .select('websites.userId as ownerId')
    .select(sql<boolean>`is_zone_offered(ad_zones, websites, publisher)`.as('isOffered'))
    .where(matchesReference('adZones', ref))
    .where('adZones.deletedAt', 'is', null)
    .executeTakeFirst();
}

/**
 * Locks the owner's zone until the transaction ends, so that it is not deleted and gets no new ad in the meantime.
 * Other transactions can still write rows that refer to it, because counting holds an ad while it writes such rows, and
 * the caller may wait for that ad.
 */
export function lockOwnZone(tx: Tx, ref: Reference, userId: number): Promise<ZoneRow | undefined> {
  return tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .selectAll('adZones')
    .where(matchesReference('adZones', ref))
    .where('websites.userId', '=', userId)
    .where('adZones.deletedAt', 'is', null)
    .forNoKeyUpdate('adZones')
    .executeTakeFirst();
}

export function selectProducts(
  tx: Tx,
  zoneId: number,
  only: 'all' | 'active',
  page: IdPage,
): Promise<ProductRow[]> {
  let query = tx
    .selectFrom('adZoneProducts')
    .selectAll()
    .where('adZoneId', '=', zoneId)
    .where('id', '>', page.after ?? 0);
  if (only === 'active') query = query.where('isActive', '=', true);
  return query.orderBy('id').limit(page.limit).execute();
}

export type RuleColumns = Pick<WebsiteRow, 'refusedSubjects' | 'refusedDomains' | 'refusedWords'>;

/** A website about which its publisher says nothing in their own words. */
export const NO_TEXTS = { description: null, audience: null } as const;
export type WebsiteTexts = Pick<WebsiteRow, keyof typeof NO_TEXTS>;

export function insertWebsite(
  tx: Tx,
  website: {
    userId: number;
    name: string;
    url: string;
    category: WebsiteRow['category'];
    monthlyVisitors: number;
    isActive: boolean;
    isListed: boolean;
  } & Partial<RuleColumns & WebsiteTexts & Pick<WebsiteRow, 'review' | 'reviewSince'>>,
  now: Date,
): Promise<ShownWebsiteRow> {
  return tx
    .insertInto('websites')
    .values({ ...website, pausedAt: website.isActive ? null : now, createdAt: now, updatedAt: now })
    .returningAll()
    .returning(page)
    .executeTakeFirstOrThrow();
}

export function insertZone(
  tx: Tx,
  zone: {
    websiteId: number;
    name: string;
    width: number;
    height: number;
    zoneType: ZoneType;
    isActive: boolean;
    slots: number | null;
    blockedDays: string[];
    excludes: Excludes | null;
  },
  now: Date,
): Promise<OfferedZoneRow> {
  return tx
    .insertInto('adZones')
    .values({ ...zone, pausedAt: zone.isActive ? null : now, createdAt: now, updatedAt: now })
    .returningAll()
    .returning([offers, sql<number>`0`.as('liveAds')])
    .executeTakeFirstOrThrow();
}

export function insertProduct(
  tx: Tx,
  product: {
    adZoneId: number;
    adType: AdType;
    price: string;
    pricingModel: PricingModel;
    duration: number | null;
    impressions: number | null;
    clicks: number | null;
    isActive: boolean;
  } & Quantities,
  now: Date,
): Promise<ProductRow> {
  return tx
    .insertInto('adZoneProducts')
    .values({ ...product, volumePrices: JSON.stringify(product.volumePrices), createdAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function writeZone(
  tx: Tx,
  id: number,
  change: Partial<
    Pick<
      ZoneRow,
      'name' | 'isActive' | 'pausedAt' | 'houseTitle' | 'houseDescription' | 'houseUrl' | 'look' | 'accent'
    >
  > & { excludes?: Excludes | null | undefined },
  now: Date,
): Promise<OfferedZoneRow> {
  return tx
    .updateTable('adZones')
    .from('websites')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .set({ ...change, updatedAt: now })
    .whereRef('websites.id', '=', 'adZones.websiteId')
    .where('adZones.id', '=', id)
    .returningAll('adZones')
    .returning([offers, liveAds(now)])
    .executeTakeFirstOrThrow();
}

export async function hideZone(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('adZones')
    .set({ deletedAt: now, isActive: false, updatedAt: now })
    .where('id', '=', id)
    .execute();
}

/** Returns undefined if the pricing option is unknown, belongs to a deleted zone or to another publisher. */
export async function lockOwnProduct(
  tx: Tx,
  id: number,
  userId: number,
): Promise<(ProductRow & { websiteId: number }) | undefined> {
  return await tx
    .selectFrom('adZoneProducts')
    .innerJoin('adZones', 'adZones.id', 'adZoneProducts.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .selectAll('adZoneProducts')
    .select('adZones.websiteId')
    .where('adZoneProducts.id', '=', id)
    .where('websites.userId', '=', userId)
    .where('adZones.deletedAt', 'is', null)
    .forNoKeyUpdate('adZoneProducts')
    .executeTakeFirst();
}

/** The caller has locked the pricing option. */
export async function writeProduct(
  tx: Tx,
  id: number,
  { isActive, volumePrices, ...quantities }: Quantities & { isActive: boolean },
): Promise<ProductRow> {
  return await tx
    .updateTable('adZoneProducts')
    .set({ ...quantities, isActive, volumePrices: JSON.stringify(volumePrices) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function matchesReference(table: 'websites' | 'adZones', ref: Reference) {
  return 'id' in ref
    ? sql<boolean>`${sql.ref(`${table}.id`)} = ${ref.id}`
    : sql<boolean>`${sql.ref(`${table}.publicId`)} = ${ref.publicId}`;
}
