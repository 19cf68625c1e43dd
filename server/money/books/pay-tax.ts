import { randomUUID } from 'node:crypto';
import { taxPaid } from '#domain/payments/ledger.ts';
import { decimalOf } from '#domain/money.ts';
import { utcDay } from '#domain/time.ts';
import { sql } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { taxAccountOf } from '../checkout/payment.ts';
import { post } from '../ledger/post.ts';
import { listTaxOwed } from './store-books.ts';

// Nobody sold anything here before. PostgreSQL knows no year 0.
const FIRST_DAY = '2000-01-01';

/** `day` is that of the payment; null for now. Two payments with one `ref` are the same one. */
export type TaxPayment = {
  country: string;
  rate: number;
  paid: number;
  day: string | null;
  ref?: string | undefined;
};

/**
 * Books that the marketplace has paid tax to a state from its bank account, in the caller's transaction, and returns
 * the cents that it still owes at this rate. Throws 409 if it owes less, or if the payment is booked already. [OWNS-69]
 */
export async function bookTaxPaid(
  ctx: Context,
  tx: Tx,
  { country, rate, paid, day, ref }: TaxPayment,
): Promise<number> {
  const now = ctx.now();
  if (day !== null && (day > utcDay(now) || day < FIRST_DAY))
    throw invalid('Please enter today or an earlier day.');
  const of = { book: ctx.payments.book, currency: ctx.config.currency };
  const taxAccountId = await taxAccountOf(tx, { country, rate });
  // Two payments wait for each other, so that they cannot both pay the same tax.
  await sql`select id from tax_accounts where id = ${taxAccountId} for no key update`.execute(tx);
  const externalRef = ref ?? randomUUID();
  if (await isBooked(tx, externalRef)) throw conflict('This payment is booked already.');
  const owed =
    (await listTaxOwed(tx, of)).find((each) => each.taxAccountId === taxAccountId)?.amountCents ?? 0;
  if (paid > owed)
    throw conflict(
      `Only ${decimalOf(owed)} ${of.currency} of tax is owed to ${country} at this rate. See openslot money books.`,
    );
  await post(tx, {
    kind: 'tax_paid',
    externalRef,
    ...of,
    // A day has no time. Noon is on this day in most time zones.
    occurredAt: day === null || day === utcDay(now) ? now : new Date(`${day}T12:00:00Z`),
    recordedAt: now,
    adId: null,
    entries: taxPaid(taxAccountId, paid),
  });
  return owed - paid;
}

async function isBooked(tx: Tx, externalRef: string): Promise<boolean> {
  const row = await tx
    .selectFrom('ledgerTx')
    .select('id')
    .where('kind', '=', 'tax_paid')
    .where('externalRef', '=', externalRef)
    .executeTakeFirst();
  return row !== undefined;
}
