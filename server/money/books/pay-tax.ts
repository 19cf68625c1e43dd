/** Tax that the marketplace pays to a state, and tax that a state pays back to it. [OWNS-69] */
import { randomUUID } from 'node:crypto';
import { type Entry, taxPaid, taxRefunded } from '#domain/payments/ledger.ts';
import { decimalOf } from '#domain/money.ts';
import { sql } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { businessDay, instantOn } from '../documents/business-day.ts';
import { isPosted, post } from '../ledger/post.ts';
import { taxAccountOf } from '../ledger/tax.ts';
import { listTaxOwed, payableAt, refundableBy, type TaxOwed } from './store-books.ts';

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
export async function bookTaxPaid(ctx: Context, tx: Tx, payment: TaxPayment): Promise<number> {
  const { country, paid } = payment;
  return await bookTax(ctx, tx, 'tax_paid', payment, (taxes, taxAccountId) => {
    const owed = payableAt(taxAccountId, country, taxes);
    if (paid > owed)
      throw conflict(
        `Only ${decimalOf(owed)} ${ctx.config.currency} of tax is owed to ${country} at this rate. See openslot money books.`,
      );
    const left = (taxes.find((tax) => tax.taxAccountId === taxAccountId)?.outputCents ?? 0) - paid;
    const inputTax = takeOf(inputIn(country, taxes), { taxAccountId, cents: left });
    const deducted = sumOf(inputTax);
    return {
      // The payment also uses up the input tax of the country, which leaves less at this rate and more at others.
      left: Math.min(owed - paid, left - deducted),
      entries: taxPaid(taxAccountId, paid, inputTax),
    };
  });
}

/**
 * Books that a state has paid tax back to the marketplace's bank account, in the caller's transaction, and returns the cents
 * that it still owes to the marketplace: tax of sales that were refunded after it was paid, and then input tax. Throws 409 if
 * it owes less, or if the payment is booked already. [BOOK-240]
 */
export async function bookTaxRefunded(ctx: Context, tx: Tx, payment: TaxPayment): Promise<number> {
  const { country, paid } = payment;
  return await bookTax(ctx, tx, 'tax_refunded', payment, (taxes, taxAccountId) => {
    const owed = refundableBy(country, taxes);
    if (paid > owed)
      throw conflict(
        `${country} owes you only ${decimalOf(owed)} ${ctx.config.currency} of tax. See openslot money books.`,
      );
    const output = takeOf(overpaidIn(country, taxes), { taxAccountId, cents: paid });
    const input = takeOf(inputIn(country, taxes), { taxAccountId, cents: paid - sumOf(output) });
    return { left: owed - paid, entries: taxRefunded(paid, { output, input }) };
  });
}

async function bookTax(
  ctx: Context,
  tx: Tx,
  kind: 'tax_paid' | 'tax_refunded',
  { country, rate, day, ref }: TaxPayment,
  reckon: (taxes: readonly TaxOwed[], taxAccountId: number) => { left: number; entries: Entry[] },
): Promise<number> {
  const now = ctx.now();
  const today = businessDay(ctx, now);
  if (day !== null && (day > today || day < FIRST_DAY))
    throw invalid('Please enter today or an earlier day.');
  const of = { book: ctx.payments.book, currency: ctx.config.currency };
  const taxAccountId = await taxAccountOf(tx, { country, rate });
  // Two payments of a country wait for each other, so that they cannot both be of the same tax.
  await sql`select id from tax_accounts where country = ${country} order by id for no key update`.execute(tx);
  const externalRef = ref ?? randomUUID();
  if (await isPosted(tx, kind, externalRef)) throw conflict('This payment is booked already.');
  const { left, entries } = reckon(await listTaxOwed(tx, of), taxAccountId);
  await post(tx, {
    kind,
    externalRef,
    ...of,
    occurredAt: day === null || day === today ? now : instantOn(ctx, day),
    recordedAt: now,
    adId: null,
    entries,
  });
  return left;
}

type Part = { taxAccountId: number; cents: number };

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { cents }) => sum + cents, 0);

const inputIn = (country: string, taxes: readonly TaxOwed[]): Part[] =>
  taxes
    .filter((tax) => tax.country === country && tax.inputCents > 0)
    .map(({ taxAccountId, inputCents: cents }) => ({ taxAccountId, cents }));

/** Tax of sales that were refunded after it was paid to the state. */
const overpaidIn = (country: string, taxes: readonly TaxOwed[]): Part[] =>
  taxes
    .filter((tax) => tax.country === country && tax.outputCents < 0)
    .map(({ taxAccountId, outputCents }) => ({ taxAccountId, cents: -outputCents }));

/** At most `cents` of what there is by account, that of one rate first. */
function takeOf(there: readonly Part[], { taxAccountId, cents }: Part): Part[] {
  const isSame = (part: Part) => Number(part.taxAccountId === taxAccountId);
  let left = cents;
  return there
    .toSorted((one, other) => isSame(other) - isSame(one))
    .flatMap((part) => {
      const taken = Math.min(part.cents, left);
      left -= taken;
      return taken > 0 ? [{ ...part, cents: taken }] : [];
    });
}
