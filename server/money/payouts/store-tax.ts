/** The SQL of the tax that self-billing documents added to the earnings of publishers. Amounts are cents. */
import { sql } from 'kysely';
import type { Accrual } from '#domain/payments/payouts.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Held } from '../ledger/held.ts';
import type { Book } from './store.ts';

const ON_TOP = sql<boolean>`(d.content ? 'publisherTax' and d.content ->> 'publisherTax' = 'on_top')`;

/**
 * The tax on top of a publisher's earnings, with what was transferred of it, or is on its way, and the tax of documents that
 * were issued after `since`, the oldest first. The ledger has the same sums (input_tax_differs).
 */
export async function findAddedTax(
  tx: Tx,
  publisherId: number,
  { book, currency }: Book,
  since: Date,
): Promise<{ adId: null; earnedCents: number; sentCents: number; recent: Accrual[] }> {
  const { rows } = await sql<{ earned: string; sent: string }>`
    select (select coalesce(sum(d.tax_cents), 0) from documents d
        where d.user_id = ${publisherId} and d.book = ${book} and d.currency = ${currency} and ${ON_TOP}) as earned,
      (select coalesce(sum(t.amount_cents - t.reversed_cents), 0)
        from payouts p join payout_transfers t on t.payout_id = p.id
        where p.user_id = ${publisherId} and p.book = ${book} and p.currency = ${currency}
          and t.ad_id is null and t.state <> 'refused') as sent`.execute(tx);
  const { rows: recent } = await sql<{ at: Date; cents: string }>`
    select d.issued_at as at, d.tax_cents as cents from documents d
      where d.user_id = ${publisherId} and d.book = ${book} and d.currency = ${currency} and ${ON_TOP}
        and d.issued_at > ${since} and d.tax_cents > 0
      order by d.id`.execute(tx);
  return {
    adId: null,
    earnedCents: Number(rows[0]?.earned),
    sentCents: Number(rows[0]?.sent),
    recent: recent.map(({ at, cents }) => ({ adId: null, at, cents: Number(cents) })),
  };
}

/**
 * These holds with the tax on top of the earnings of their ads, rounded up. A hold keeps all of it, also that of earnings
 * that were paid out, because a correction takes the tax back with them.
 */
export async function taxOfAds(
  tx: Tx,
  publisherId: number,
  { book, currency }: Book,
  held: readonly Held[],
): Promise<Held[]> {
  if (held.length === 0) return [];
  const { rows } = await sql<{ ad: string; cents: string }>`
    select r ->> 'adPublicId' as ad, ceil(sum((r ->> 'earnedCents')::numeric * d.tax_rate / 100000)) as cents
      from documents d cross join lateral jsonb_array_elements(d.content -> 'rows') as r
      where d.user_id = ${publisherId} and d.book = ${book} and d.currency = ${currency} and ${ON_TOP}
        and r ->> 'adPublicId' = any(${held.map(({ adPublicId }) => adPublicId)})
      group by 1`.execute(tx);
  const cents = new Map(rows.map((row) => [row.ad, Math.max(0, Number(row.cents))]));
  return held.map((hold) => ({ ...hold, amountCents: cents.get(hold.adPublicId) ?? 0 }));
}
