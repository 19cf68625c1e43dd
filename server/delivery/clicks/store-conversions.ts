import { sql } from 'kysely';
import type { Reference } from '#domain/fields.ts';
import { MAX_CONVERSIONS_PER_CLICK } from '#domain/delivery/conversions.ts';
import type { CreativeResults } from '#domain/delivery/conversions-contract.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * Locks the click, so that its reports are decided one after the other, and settles it if its proof has come. Returns
 * whether it is a counted click.
 */
export async function lockCountedClick(tx: Tx, decisionId: Buffer): Promise<boolean> {
  const { rows } = await sql<{ counted: boolean | null }>`
    select counted from measured_clicks where decision_id = ${decisionId} for update`.execute(tx);
  if (rows[0]?.counted !== null) return rows[0]?.counted ?? false;
  await sql`select settle_measured_clicks(array[${decisionId}]::bytea[])`.execute(tx);
  const settled = await sql<{ counted: boolean | null }>`
    select counted from measured_clicks where decision_id = ${decisionId}`.execute(tx);
  return settled.rows[0]?.counted ?? false;
}

export type NewConversion = {
  adId: number;
  zoneId: number;
  decisionId: Buffer;
  orderHash: Buffer | null;
  valueCents: number | null;
  at: Date;
  /** Whether the advertiser's key came with the order. */
  isProven: boolean;
};

/** The advertiser of an ad. */
export async function findAdvertiser(tx: Tx, adId: number): Promise<number | undefined> {
  return (await tx.selectFrom('ads').select('userId').where('id', '=', adId).executeTakeFirst())?.userId;
}

/** Lets the reports of one order of an advertiser be decided one after the other. Comes before the lock of the click. */
export async function lockOrder(tx: Tx, userId: number, orderHash: Buffer): Promise<void> {
  const order = orderHash.toString('hex');
  await sql`select pg_advisory_xact_lock(hashtext('order'), hashtext(${`${userId} ${order}`}))`.execute(tx);
}

/** Takes back what pages have reported about an order that the advertiser's key proves now. */
export async function dropUnproven(tx: Tx, userId: number, orderHash: Buffer): Promise<void> {
  await sql`
    delete from conversions
      where user_id = ${userId} and order_hash = ${orderHash}::bytea and not is_proven`.execute(tx);
}

/**
 * Counts the conversion, unless its order is known, the click converted before and no order is named, or the click has
 * brought too many orders. A page's report knows the orders of its own click and the proven ones, because a click can be
 * anybody's. The caller has locked the order and the click. [RES-01]
 */
export async function insertConversion(tx: Tx, one: NewConversion): Promise<boolean> {
  const { isOrderKnown, isClickSpent } = await findCounted(tx, one);
  if (isOrderKnown || isClickSpent) return false;
  const { rows } = await sql`
    insert into conversions
        (ad_id, zone_id, user_id, decision_id, order_hash, value_cents, converted_at, creative, is_proven)
      select ads.id, ${one.zoneId}, ads.user_id, ${one.decisionId}::bytea, ${one.orderHash}::bytea,
          ${one.valueCents}::integer, ${one.at},
          (select creative from measured_clicks where decision_id = ${one.decisionId}), ${one.isProven}
        from ads
        where ads.id = ${one.adId}
      on conflict do nothing
      returning id`.execute(tx);
  return rows.length > 0;
}

/** Whether the order is known, and whether the click can bring no more conversions. */
export async function findCounted(
  tx: Tx,
  {
    adId,
    decisionId,
    orderHash,
    isProven,
  }: Pick<NewConversion, 'adId' | 'decisionId' | 'orderHash' | 'isProven'>,
): Promise<{ isOrderKnown: boolean; isClickSpent: boolean }> {
  // Reports of pages neither stand in the way of a proven order nor use up its click.
  const isRival = isProven ? sql`c.is_proven` : sql`true`;
  const { rows } = await sql<{ isOrderKnown: boolean; isClickSpent: boolean }>`
    select exists (
        select from conversions c join ads on ads.user_id = c.user_id
          where ads.id = ${adId} and c.order_hash = ${orderHash}::bytea
            and (c.is_proven or (c.decision_id = ${decisionId} and ${isRival}))) as is_order_known,
      (select count(*) from conversions c where c.decision_id = ${decisionId} and ${isRival})
        >= ${mostOf(orderHash)} as is_click_spent`.execute(tx);
  return rows[0]!;
}

/** How many conversions a click can have before a report is refused. */
const mostOf = (orderHash: Buffer | null): number => (orderHash === null ? 1 : MAX_CONVERSIONS_PER_CLICK);

/** After the window, a conversion no longer names its click. */
export async function forgetClicks(tx: Tx, before: Date): Promise<void> {
  await sql`update conversions set decision_id = null where decision_id is not null and converted_at < ${before}`.execute(
    tx,
  );
}

export type Sums = {
  adId: number;
  clicks: number;
  landings: number;
  conversions: number;
  valueCents: string;
  deliveredCents: string;
};

const named = (table: 'ads' | 'ad_zones', ref: Reference) =>
  'id' in ref ? sql`${sql.ref(table)}.id = ${ref.id}` : sql`${sql.ref(table)}.public_id = ${ref.publicId}`;

/** The results of the advertiser's own ad. */
export async function findResults(
  tx: Tx,
  { ref, ownerId, book }: { ref: Reference; ownerId: number; book: PaymentBook },
): Promise<Sums | undefined> {
  const { rows } = await sql<Sums>`
    select ads.id as "adId", coalesce(h.clicks, 0)::float8 as clicks, coalesce(h.landings, 0)::float8 as landings,
        c.conversions::float8 as conversions, c.value_cents as "valueCents",
        coalesce((
          select sum(e.publisher_cents - e.taken_publisher_cents + e.commission_cents - e.taken_commission_cents)
            from ad_earnings e
            where e.ad_id = ads.id and exists (
              select from payments p where p.ad_id = ads.id and p.status = 'succeeded' and p.book = ${book})
          ), 0)::text as "deliveredCents"
      from ads
      cross join lateral (
        select sum(clicks) as clicks, sum(landings) as landings from landing_hours where ad_id = ads.id) as h
      cross join lateral (
        select count(*) as conversions, coalesce(sum(value_cents), 0)::text as value_cents
          from conversions where ad_id = ads.id) as c
      where ${named('ads', ref)} and ads.user_id = ${ownerId}`.execute(tx);
  return rows[0];
}

/** The two creatives that an ad shows in turn, or the last two that it has shown, the first one first. */
export async function findCreatives(tx: Tx, adId: number): Promise<CreativeResults[]> {
  const { rows } = await sql<CreativeResults>`
    with compared as (
      select v.ad_id, v.public_id, v.title, v.number from ad_variants v
        where v.ad_id = ${adId} and v.decided_at is not null and v.status <> 'rejected'
        order by v.number desc limit 1
    ), pair as (
      select a.id as ad_id, a.public_id, a.title, 2 * c.number - 1 as creative
        from compared c join ads a on a.id = c.ad_id
      union all
      select ad_id, public_id, title, 2 * number from compared
    )
    select b.public_id::text as ref, b.title, coalesce(n.views, 0)::float8 as impressions,
        coalesce(n.clicks, 0)::float8 as clicks, coalesce(n.landings, 0)::float8 as landings,
        (select count(*) from conversions c where c.ad_id = b.ad_id and c.creative = b.creative)::float8 as conversions
      from pair b
      cross join lateral (
        select sum(n) filter (where kind = 'view') as views, sum(n) filter (where kind = 'click') as clicks,
            sum(n) filter (where kind = 'landing') as landings
          from creative_counts where ad_id = b.ad_id and creative = b.creative) as n
      order by b.creative`.execute(tx);
  return rows;
}

export async function findZoneResults(
  tx: Tx,
  ref: Reference,
  ownerId: number,
): Promise<{ landings: number; conversions: number } | undefined> {
  const { rows } = await sql<{ landings: number; conversions: number }>`
    select coalesce((select sum(landings) from landing_hours where zone_id = ad_zones.id), 0)::float8 as landings,
        (select count(*) from conversions where zone_id = ad_zones.id)::float8 as conversions
      from ad_zones join websites on websites.id = ad_zones.website_id
      where ${named('ad_zones', ref)} and websites.user_id = ${ownerId}`.execute(tx);
  return rows[0];
}

/** The sums of each ad of the advertiser that has conversions. */
export async function sumConversions(
  tx: Tx,
  ownerId: number,
): Promise<{ adPublicId: string; conversions: number; valueCents: string }[]> {
  const { rows } = await sql<{ adPublicId: string; conversions: number; valueCents: string }>`
    select ads.public_id as ad_public_id, count(*)::float8 as conversions,
        coalesce(sum(c.value_cents), 0)::text as value_cents
      from ads join conversions c on c.ad_id = ads.id
      where ads.user_id = ${ownerId}
      group by ads.id order by ads.id`.execute(tx);
  return rows;
}
