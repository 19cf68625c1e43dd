/** Analytics reads the tables of other modules and writes none. Amounts are cents, as text (PostgreSQL's bigint). */
import { type RawBuilder, sql } from 'kysely';
import type { Side } from '#domain/analytics/contract.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** Refunds of a payment, owed ones included. */
const refunded = sql<string>`coalesce((
  select sum(r.amount_cents) from refunds r
    where r.payment_id = payments.id), 0)`;

const deferred = (kind: string) => sql`coalesce((
  select -b.amount_cents from ledger_accounts a join ledger_balances b on b.account_id = a.id
    where a.kind = ${kind} and a.owner_id = payments.ad_id and a.book = payments.book
      and a.currency = payments.currency), 0)`;

/** From one row of `ad_earnings`: a side's part of what was delivered, less lost disputes, as far as it is posted. */
export const DELIVERED: Readonly<Record<Side, RawBuilder<string>>> = {
  seller: sql`(ad_earnings.publisher_cents - ad_earnings.taken_publisher_cents)`,
  buyer: sql`(ad_earnings.publisher_cents - ad_earnings.taken_publisher_cents
    + ad_earnings.commission_cents - ad_earnings.taken_commission_cents)`,
};

/**
 * From one row each of `payments` and `ad_earnings`: a side's part of the payment, less refunds and lost disputes. It is
 * what was delivered and what is still deferred.
 */
export const PAID: Readonly<Record<Side, RawBuilder<string>>> = {
  seller: sql`(${DELIVERED.seller} + ${deferred('deferred_publisher')})`,
  buyer: sql`(${DELIVERED.buyer} + ${deferred('deferred_publisher')} + ${deferred('deferred_commission')})`,
};

/** A user's paid ads in the present book: those in their own zones, or their own campaigns. */
export type Sales = { side: Side; userId: number; book: PaymentBook };

export function sales(tx: Tx, { side, userId, book }: Sales) {
  return paidAds(tx, book).where(side === 'seller' ? 'websites.userId' : 'ads.userId', '=', userId);
}

function paidAds(tx: Tx, book: PaymentBook) {
  return tx
    .selectFrom('websites')
    .innerJoin('adZones', 'adZones.websiteId', 'websites.id')
    .innerJoin('ads', 'ads.adZoneId', 'adZones.id')
    .innerJoin('payments', 'payments.adId', 'ads.id')
    .innerJoin('adEarnings', 'adEarnings.adId', 'ads.id')
    .where('payments.status', '=', 'succeeded')
    .where('payments.book', '=', book);
}

export type SalesSums = { total: string; delivered: string; thisMonth: string };

/** The sums of all sales, without refunds and lost disputes. `delivered` is what is posted. */
export async function sumSales(tx: Tx, of: Sales, month: Date): Promise<SalesSums> {
  const paid = PAID[of.side];
  return sales(tx, of)
    .select([
      sql<string>`coalesce(sum(${paid}), 0)`.as('total'),
      sql<string>`coalesce(sum(${DELIVERED[of.side]}), 0)`.as('delivered'),
      sql<string>`coalesce(sum(${paid}) filter (where payments.paid_at >= ${month}), 0)`.as('thisMonth'),
    ])
    .executeTakeFirstOrThrow();
}

const ID_OF = { website: 'websites.id', zone: 'adZones.id', ad: 'ads.id' } as const;

/** The sales of a website, of an ad zone, or of one ad, without refunds and lost disputes: both sides' parts. */
export async function sumSalesOf(
  tx: Tx,
  { of, id, book }: { of: keyof typeof ID_OF; id: number; book: PaymentBook },
): Promise<{ spend: string; earnings: string }> {
  return await paidAds(tx, book)
    .where(ID_OF[of], '=', id)
    .select([
      sql<string>`coalesce(sum(${PAID.buyer}), 0)`.as('spend'),
      sql<string>`coalesce(sum(${PAID.seller}), 0)`.as('earnings'),
    ])
    .executeTakeFirstOrThrow();
}

/** The ads that may have delivered something since their last accrual. */
export async function listDueSales(tx: Tx, of: Sales): Promise<number[]> {
  const rows = await sales(tx, of).select('ads.id').where('adEarnings.dueAt', 'is not', null).execute();
  return rows.map(({ id }) => id);
}

type Delivered = { impressions: string; clicks: string };

/** Views and clicks that all of the user's ads have delivered. */
export async function sumDelivered(tx: Tx, userId: number): Promise<Delivered> {
  return tx
    .selectFrom('ads')
    .select([
      sql<string>`coalesce(sum(total_impressions), 0)`.as('impressions'),
      sql<string>`coalesce(sum(total_clicks), 0)`.as('clicks'),
    ])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
}

/** Views and clicks that all of the user's ads have delivered since the UTC day `since`, 'YYYY-MM-DD'. */
export async function sumDeliveredSince(tx: Tx, userId: number, since: string): Promise<Delivered> {
  return tx
    .selectFrom('ads')
    .innerJoin('adPerformance', 'adPerformance.adId', 'ads.id')
    .select([
      sql<string>`coalesce(sum(ad_performance.impressions), 0)`.as('impressions'),
      sql<string>`coalesce(sum(ad_performance.clicks), 0)`.as('clicks'),
    ])
    .where('ads.userId', '=', userId)
    .where('adPerformance.date', '>=', since)
    .executeTakeFirstOrThrow();
}

export async function countActiveZones(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('websites')
    .innerJoin('adZones', 'adZones.websiteId', 'websites.id')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('websites.userId', '=', userId)
    .where('adZones.isActive', '=', true)
    .where('adZones.deletedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Newest payment first. `before` is the last row of the previous page. */
export function listSales(
  tx: Tx,
  of: Omit<Sales, 'side'>,
  page: { before: { paidAt: Date; id: number } | null; limit: number },
) {
  return sales(tx, { ...of, side: 'seller' })
    .innerJoin('users', 'users.id', 'ads.userId')
    .select([
      'ads.id',
      'ads.adType',
      'ads.imageUrl',
      'ads.videoUrl',
      'ads.title',
      'ads.status',
      'ads.endedReason',
      refunded.as('refundedCents'),
      'adZones.name as adZoneName',
      'websites.shownName as websiteName',
      'users.email as advertiserEmail',
      'payments.paidAt',
      'payments.amountCents',
    ])
    .$if(page.before !== null, (query) => {
      const { paidAt, id } = page.before as { paidAt: Date; id: number };
      return query.where(sql<boolean>`(payments.paid_at, ads.id) < (${paidAt}, ${id})`);
    })
    .orderBy('payments.paidAt', 'desc')
    .orderBy('ads.id', 'desc')
    .limit(page.limit)
    .execute();
}

export type SaleRow = Awaited<ReturnType<typeof listSales>>[number];
