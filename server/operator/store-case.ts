/** The SQL of case files that only the console shows. It only reads tables of other domains. */
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { RefundStatus } from '#domain/payments/refund-status.ts';
import type { RefundCause } from '#domain/payments/refunds.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { UUID } from './store-find.ts';

/** A payment that arrived. */
export type PaidRow = {
  id: number;
  adId: number;
  title: string;
  amountCents: number;
  currency: Currency;
  paidAt: Date;
};

const PAID = sql`p.id, p.ad_id as "adId", a.title, p.amount_cents as "amountCents", p.currency, p.paid_at as "paidAt"`;

/** What a person paid, the newest first. */
export async function listPaidBy(tx: Tx, userId: number, limit: number): Promise<PaidRow[]> {
  const { rows } = await sql<PaidRow>`
    select ${PAID} from payments p join ads a on a.id = p.ad_id
      where p.user_id = ${userId} and p.paid_at is not null
      order by p.paid_at desc, p.id desc limit ${limit}`.execute(tx);
  return rows;
}

/** What was paid for these ads, the newest first. */
export async function listPaidFor(tx: Tx, ads: readonly number[], limit: number): Promise<PaidRow[]> {
  const { rows } = await sql<PaidRow>`
    select ${PAID} from payments p join ads a on a.id = p.ad_id
      where p.ad_id = any(${ads}::integer[]) and p.paid_at is not null
      order by p.paid_at desc, p.id desc limit ${limit}`.execute(tx);
  return rows;
}

export type RefundRow = {
  id: number;
  paymentId: number;
  cause: RefundCause;
  status: RefundStatus;
  note: string | null;
  amountCents: number;
  createdAt: Date;
};

/** The refunds of these payments, the newest first. */
export async function listRefundsOf(
  tx: Tx,
  payments: readonly number[],
  limit: number,
): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select id, payment_id as "paymentId", cause, status, note, amount_cents as "amountCents", created_at as "createdAt"
      from refunds where payment_id = any(${payments}::integer[])
      order by created_at desc, id desc limit ${limit}`.execute(tx);
  return rows;
}

/** The newest ads in the websites of a person. */
export async function listSoldBy(tx: Tx, userId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select sold.id from websites w join ad_zones z on z.website_id = w.id
      cross join lateral (
        select a.id, a.start_date from ads a
          where a.ad_zone_id = z.id and a.start_date is not null
          order by a.start_date desc limit ${limit}) sold
      where w.user_id = ${userId}
      order by sold.start_date desc, sold.id desc limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function findPicture(tx: Tx, userId: number): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .select('profileImageUrl')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.profileImageUrl ?? null;
}

/** What the head of a website's file shows. `page` is the name of its page in the catalogue; null without one. */
export type SiteHead = { category: string; picture: string | null; page: string | null };

export async function findSiteHead(tx: Tx, websiteId: number): Promise<SiteHead | null> {
  const { rows } = await sql<SiteHead>`
    select category, picture, website_page(websites) as page from websites where id = ${websiteId}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** A payment, named by an id that the card provider gave it. */
export type FoundPayment = {
  id: number;
  adId: number;
  title: string;
  status: string;
  amountCents: number;
  currency: Currency;
  intentId: string | null;
};

/** The payment of an intent, a charge or one of our refunds. */
export async function findPayment(tx: Tx, named: string): Promise<FoundPayment | null> {
  const ofRefund = UUID.test(named)
    ? sql`union all select payment_id from refunds where ref = ${named}`
    : sql``;
  const { rows } = await sql<FoundPayment>`
    select p.id, p.ad_id as "adId", a.title, p.status, p.amount_cents as "amountCents", p.currency,
        p.intent_id as "intentId"
      from payments p join ads a on a.id = p.ad_id
      where p.id in (
        select id from payments where intent_id = ${named}
        union all select id from payments where charge_id = ${named}
        ${ofRefund})`.execute(tx);
  return rows[0] ?? null;
}
