import { randomUUID } from 'node:crypto';
import { taxPaid } from '#domain/payments/ledger.ts';
import { decimalOf } from '#domain/money.ts';
import { utcDay } from '#domain/time.ts';
import { sql } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { post } from '../ledger/post.ts';
import { taxAccountOf } from '../ledger/tax.ts';
import { listTaxOwed, type TaxOwed, taxOwedTo } from './store-books.ts';

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
 * the cents that it still owes at this rate, less the input tax at all rates of the country. Throws 409 if it owes less, or
 * if the payment is booked already. [OWNS-69, BOOK-207]
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
  // Two payments to a state wait for each other, so that they cannot both pay the same tax.
  await sql`select id from tax_accounts where country = ${country} order by id for no key update`.execute(tx);
  const externalRef = ref ?? randomUUID();
  if (await isBooked(tx, externalRef)) throw conflict('This payment is booked already.');
  const taxes = await listTaxOwed(tx, of);
  const atRate = taxes.find((each) => each.taxAccountId === taxAccountId);
  const owed = Math.max(0, Math.min(atRate?.outputCents ?? 0, taxOwedTo(country, taxes)));
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
    entries: taxPaid(taxAccountId, paid, deductedFrom(taxes, { taxAccountId, country, paid })),
  });
  return owed - paid;
}

/** The input tax of a country that a payment at a rate uses up: that of the same rate first, at most what is left to pay. */
function deductedFrom(
  taxes: readonly TaxOwed[],
  { taxAccountId, country, paid }: { taxAccountId: number; country: string; paid: number },
): { taxAccountId: number; cents: number }[] {
  const isSame = (tax: TaxOwed) => Number(tax.taxAccountId === taxAccountId);
  let left = (taxes.find(isSame)?.outputCents ?? 0) - paid;
  return taxes
    .filter((tax) => tax.country === country && tax.inputCents > 0)
    .toSorted((one, other) => isSame(other) - isSame(one))
    .flatMap((tax) => {
      const cents = Math.min(tax.inputCents, left);
      left -= cents;
      return cents > 0 ? [{ taxAccountId: tax.taxAccountId, cents }] : [];
    });
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
