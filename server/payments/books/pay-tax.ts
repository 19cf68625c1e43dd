import { taxPaid } from '#domain/payments/ledger.ts';
import { decimalOf } from '#domain/money.ts';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { conflict } from '../../http/errors.ts';
import { taxAccountOf } from '../checkout/payment.ts';
import { post } from '../ledger/post.ts';
import { listTaxOwed } from './store-books.ts';

/**
 * Books that the marketplace has paid tax to a state from its bank account, in the caller's transaction, and returns the
 * cents that it still owes at this rate. Throws 409 if it owes less. [OWNS-69]
 */
export async function bookTaxPaid(
  ctx: Context,
  tx: Tx,
  { country, rate, paid }: { country: string; rate: number; paid: number },
): Promise<number> {
  const of = { book: ctx.payments.book, currency: ctx.config.currency };
  const taxAccountId = await taxAccountOf(tx, { country, rate });
  // Two payments wait for each other, so that they cannot both pay the same tax.
  await sql`select id from tax_accounts where id = ${taxAccountId} for no key update`.execute(tx);
  const owed =
    (await listTaxOwed(tx, of)).find((each) => each.taxAccountId === taxAccountId)?.amountCents ?? 0;
  if (paid > owed)
    throw conflict(
      `Only ${decimalOf(owed)} ${of.currency} of tax is owed to ${country} at this rate. See openslot money books.`,
    );
  const now = ctx.now();
  const { rows } = await sql<{ ref: string }>`select gen_random_uuid()::text as ref`.execute(tx);
  await post(tx, {
    kind: 'tax_paid',
    externalRef: rows[0]!.ref,
    ...of,
    occurredAt: now,
    recordedAt: now,
    adId: null,
    entries: taxPaid(taxAccountId, paid),
  });
  return owed - paid;
}
