/** Books the tax of a taxed sale. See docs/decisions/091-tax-is-a-liability.md. */
import { type Entry, taxBooked } from '#domain/payments/ledger.ts';
import { deferredTax, reversedTax } from '#domain/payments/tax.ts';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { balancesOf } from './balances.ts';
import { post } from './post.ts';
import { findPaid } from './store-earnings.ts';

/**
 * Brings the tax of an ad in line with its other entries: the tax that is owed to the state with what has gone back to
 * the advertiser, and the deferred part of it with the deferred money. Call it after each event of the ad, in its
 * transaction. `ref` names that event. The caller has locked the ad. [OWNS-67]
 */
export async function settleTax(ctx: Context, tx: Tx, adId: number, ref: string): Promise<void> {
  const paid = await findPaid(tx, adId);
  if (!paid || paid.taxCents === 0 || paid.taxAccountId === null || paid.taxRate === null) return;
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
  if (entries.length === 0) return;
  const now = ctx.now();
  await post(tx, {
    kind: 'tax',
    externalRef: `${adId}:${ref}`,
    book: paid.book,
    currency: paid.currency,
    occurredAt: now,
    recordedAt: now,
    adId,
    entries,
  });
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
