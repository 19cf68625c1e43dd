import { decimalOf, type Currency } from '#domain/money.ts';
import { type LeftBehind, LEFT_KINDS, type LeftKind } from '#domain/payments/left-behind.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { accrueAd } from '../ledger/accrue.ts';
import { postNetting } from '../ledger/debts.ts';
import { sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';

/**
 * The money that a user would leave behind: running campaigns on either side, earnings that are not paid out, open
 * disputes about their purchases and sales, refunds that have not arrived, and debts. Posts first the earnings of `adIds`
 * up to now, and settles debts from them. The caller has locked these ads. Money of test books counts only while their provider is the present one.
 * [GONE-01]
 */
export async function leftBehindBy(
  ctx: Context,
  tx: Tx,
  { userId, adIds }: { userId: number; adIds: readonly number[] },
): Promise<LeftBehind> {
  for (const adId of await listDueOf(tx, adIds)) await accrueAd(ctx, tx, adId, ctx.now());
  const books: PaymentBook[] = [ctx.payments.book, 'stripe-live'];
  for (const book of new Set(books))
    await postNetting(tx, { publisherId: userId, book, currency: ctx.config.currency }, ctx.now());
  const rows = await sumLeft(tx, userId, books);
  return rows.map(({ kind, cents, currency }) => ({ kind, amount: decimalOf(Number(cents)), currency }));
}

/** The ads, out of `adIds`, whose earnings may not be posted up to now, by publisher: a posting locks their balance. */
export async function listDueOf(tx: Tx, adIds: readonly number[]): Promise<number[]> {
  if (adIds.length === 0) return [];
  const rows = await tx
    .selectFrom('adEarnings as e')
    .innerJoin('ads as a', 'a.id', 'e.adId')
    .innerJoin('adZones as z', 'z.id', 'a.adZoneId')
    .innerJoin('websites as w', 'w.id', 'z.websiteId')
    .select('e.adId')
    .where('e.adId', 'in', adIds)
    .where('e.dueAt', 'is not', null)
    .orderBy('w.userId')
    .orderBy('e.adId')
    .execute();
  return rows.map(({ adId }) => adId);
}

/**
 * Sums of the money that is left for a user, by kind and currency. For a running campaign, that is the undelivered part
 * of the price (advertiser) or of the earnings (publisher). It is listed even if that part is zero.
 */
export async function sumLeft(tx: Tx, userId: number, books: readonly PaymentBook[]) {
  const balance = (kinds: string[], owner: string) => sql`
    coalesce((select -sum(b.amount_cents) from ledger_accounts l join ledger_balances b on b.account_id = l.id
      where l.kind = any(${kinds}) and l.owner_id = ${sql.ref(owner)} and l.book = p.book and l.currency = p.currency), 0)`;
  const { rows } = await sql<{ kind: LeftKind; cents: string; currency: Currency }>`
    with bought as (select p.id, p.ad_id, p.book, p.currency from payments p where p.user_id = ${userId}),
      sold as (
        select p.id, p.ad_id, p.book, p.currency
          from websites w join ad_zones z on z.website_id = w.id join ads a on a.ad_zone_id = z.id
          join payments p on p.ad_id = a.id
          where w.user_id = ${userId} and p.user_id <> ${userId} and p.status = 'succeeded'),
      lefts as (
        select 'campaign' as kind, p.currency, ${balance(['deferred_publisher', 'deferred_commission'], 'p.ad_id')} as cents
          from bought p join payments paid on paid.id = p.id and paid.status = 'succeeded'
          join ads a on a.id = p.ad_id and a.status = 'active'
        union all
        select 'campaign', p.currency, ${balance(['deferred_publisher'], 'p.ad_id')}
          from sold p join ads a on a.id = p.ad_id and a.status = 'active'
        union all
        select 'earnings', l.currency, -b.amount_cents
          from ledger_accounts l join ledger_balances b on b.account_id = l.id
          where l.kind = 'publisher_payable' and l.owner_id = ${userId} and l.book = any(${books}) and b.amount_cents < 0
        union all
        select 'debt', l.currency, b.amount_cents
          from ledger_accounts l join ledger_balances b on b.account_id = l.id
          where l.kind = 'publisher_receivable' and l.owner_id = ${userId} and l.book = any(${books}) and b.amount_cents > 0
        union all
        select 'dispute', d.currency, d.amount_cents
          from (select * from bought union all select * from sold) p join disputes d on d.payment_id = p.id
          where d.closed_at is null and p.book = any(${books})
        union all
        select 'refund', p.currency, r.amount_cents
          from bought p join refunds r on r.payment_id = p.id
          where r.status <> 'done' and p.book = any(${books}))
    select kind, currency, sum(cents)::text as cents from lefts
      group by kind, currency
      order by array_position(${[...LEFT_KINDS]}::text[], kind), currency`.execute(tx);
  return rows;
}
