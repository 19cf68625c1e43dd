/** Analytics reads the tables of other modules and writes none. Amounts are cents, as text (PostgreSQL's bigint). */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/** Refunds of a payment, owed ones included: the full amount, and the publisher's share of it. */
const refunded = sql<string>`coalesce((
  select sum(r.amount_cents) from refunds r
    where r.payment_id = payments.id), 0)`;
const refundedEarnings = sql<string>`coalesce((
  select sum(r.publisher_cents) from refunds r
    where r.payment_id = payments.id), 0)`;
/** The amount that lost disputes took from the publisher. */
const lostEarnings = sql<string>`coalesce((
  select sum(d.lost_publisher_cents + d.borne_cents) from disputes d
    where d.payment_id = payments.id), 0)`;

/**
 * From one row of `payments`: the publisher's earnings, less refunds and lost disputes, and the advertiser's spending,
 * less refunds.
 */
export const earnings = sql<string>`payments.amount_cents - payments.commission_cents - ${refundedEarnings} - ${lostEarnings}`;
export const spending = sql<string>`payments.amount_cents - ${refunded}`;

/** Paid ads in the user's own zones. */
function sales(tx: Tx, userId: number) {
  return tx
    .selectFrom('websites')
    .innerJoin('adZones', 'adZones.websiteId', 'websites.id')
    .innerJoin('ads', 'ads.adZoneId', 'adZones.id')
    .innerJoin('payments', 'payments.adId', 'ads.id')
    .where('websites.userId', '=', userId)
    .where('payments.status', '=', 'succeeded');
}

export async function sumEarnings(
  tx: Tx,
  userId: number,
  month: Date,
): Promise<{ total: string; thisMonth: string }> {
  return sales(tx, userId)
    .select([
      sql<string>`coalesce(sum(${earnings}), 0)`.as('total'),
      sql<string>`coalesce(sum(${earnings}) filter (where payments.paid_at >= ${month}), 0)`.as('thisMonth'),
    ])
    .executeTakeFirstOrThrow();
}

export async function sumSpending(
  tx: Tx,
  userId: number,
  month: Date,
): Promise<{ total: string; thisMonth: string }> {
  return tx
    .selectFrom('payments')
    .select([
      sql<string>`coalesce(sum(${spending}), 0)`.as('total'),
      sql<string>`coalesce(sum(${spending}) filter (where payments.paid_at >= ${month}), 0)`.as('thisMonth'),
    ])
    .where('userId', '=', userId)
    .where('status', '=', 'succeeded')
    .executeTakeFirstOrThrow();
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
  userId: number,
  page: { before: { paidAt: Date; id: number } | null; limit: number },
) {
  return sales(tx, userId)
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
      earnings.as('earningsCents'),
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
