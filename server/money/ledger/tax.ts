/** Books the tax of a taxed sale. See docs/decisions/091-tax-is-a-liability.md. */
import { type Entry, taxBooked } from '#domain/payments/ledger.ts';
import { deferredTax, reversedTax } from '#domain/payments/tax.ts';
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import { balancesOf } from './balances.ts';
import { type LedgerTransaction, post } from './post.ts';
import { findPaid } from './store-earnings.ts';

/**
 * Posts an event of an ad, and brings the tax of its sale in line with it: the tax that is owed to the state with what has
 * gone back to the advertiser, and the deferred part of it with the deferred money. `taxRef` names the event among those of
 * the ad. Returns as `post`. The caller has locked the ad. [OWNS-67]
 */
export async function postOfSale(
  tx: Tx,
  event: LedgerTransaction & { adId: number },
  taxRef: string,
): Promise<boolean> {
  const isPosted = await post(tx, event);
  const { adId, recordedAt } = event;
  const paid = await findPaid(tx, adId);
  if (!paid || paid.taxCents === 0 || paid.taxAccountId === null || paid.taxRate === null) return isPosted;
  const sale = { amountCents: paid.amountCents, taxCents: paid.taxCents, rate: paid.taxRate };
  const left = await balancesOf(
    tx,
    ['deferred_publisher', 'deferred_commission', 'tax_deferred'],
    adId,
    paid,
  );
  const leftCents = (left.get('deferred_publisher') ?? 0) + (left.get('deferred_commission') ?? 0);
  const { owedCents, backCents } = await bookedTax(tx, adId);
  const entries: Entry[] = taxBooked(
    { adId, taxAccountId: paid.taxAccountId },
    {
      owedCents: sale.taxCents - reversedTax(sale, backCents) - owedCents,
      // Balances of debts are positive, and this account is the opposite.
      deferredCents: deferredTax(sale, leftCents) + (left.get('tax_deferred') ?? 0),
    },
  );
  if (entries.length === 0) return isPosted;
  await post(tx, {
    kind: 'tax',
    externalRef: `${adId}:${taxRef}`,
    book: paid.book,
    currency: paid.currency,
    occurredAt: recordedAt,
    recordedAt,
    adId,
    entries,
  });
  return isPosted;
}

/** The tax of an ad that is booked as owed, and the part of its price that has gone back to the advertiser, in cents. */
async function bookedTax(tx: Tx, adId: number): Promise<{ owedCents: number; backCents: number }> {
  const { rows } = await sql<{ owed: string; back: string }>`
    select -coalesce(sum(p.amount_cents) filter (where t.kind = 'tax' and a.kind = 'tax_payable'), 0) as owed,
        coalesce(sum(p.amount_cents) filter (where t.kind in ('dispute_lost', 'dispute_recovered')
            and a.kind in ('deferred_publisher', 'deferred_commission', 'publisher_payable', 'publisher_receivable',
              'commission')), 0)
          - coalesce(sum(p.amount_cents) filter (where t.kind in ('undelivered', 'goodwill') and a.kind = 'refund_payable'), 0) as back
      from ledger_tx t
      join ledger_postings p on p.tx_id = t.id
      join ledger_accounts a on a.id = p.account_id
      where t.ad_id = ${adId} and t.kind in ('tax', 'undelivered', 'goodwill', 'dispute_lost', 'dispute_recovered')`.execute(
    tx,
  );
  const { owed, back } = rows[0] as (typeof rows)[number];
  return { owedCents: Number(owed), backCents: Number(back) };
}

/** The account of a country and a rate. */
export async function taxAccountOf(
  tx: Tx,
  { country, rate }: { country: string; rate: number },
): Promise<number> {
  const find = async () =>
    await tx
      .selectFrom('taxAccounts')
      .select('id')
      .where('country', '=', country)
      .where('rate', '=', rate)
      .executeTakeFirst();
  const known = await find();
  if (known) return known.id;
  await tx
    .insertInto('taxAccounts')
    .values({ country, rate })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // A new statement sees the row of another transaction, for which the insert has waited.
  return (await find())!.id;
}
