import { type PublisherTax, taxOfEarnings } from '#domain/payments/input-tax.ts';
import { type Tax, taxOfSupply } from '#domain/payments/tax.ts';
import { readTaxId } from '#domain/payments/tax-ids.ts';
import { later, MINUTE_MS, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { postInputTax } from '../ledger/input-tax.ts';
import { isRefusedTaxId } from '../tax-ids/check.ts';
import { sumBefore } from '../transparency-log/balance.ts';
import { businessDay, issuedNow } from './business-day.ts';
import { forgetClosingParties } from './closing-party.ts';
import { sellerOf } from './issue.ts';
import {
  type Content,
  type Document,
  type DocumentTax,
  earningsOf,
  findLastBilled,
  findParty,
  findTaxStatus,
  insertDocument,
} from './store.ts';
import {
  type Due,
  findLastClosed,
  firstEntryAt,
  hasDocument,
  insertClosedMonths,
  listDue,
  listUndocumentedMonths,
  lockUndocumented,
  markDocumented,
  sumCommission,
  sumLines,
  type Window,
} from './store-months.ts';

/** Instances whose clocks differ a little still agree about which month it is. */
const CLOSE_AFTER_MS = MINUTE_MS;

/**
 * Closes the months that are over, and makes their commission notes and statements. The job calls it every minute, on all
 * instances. Returns how many documents it made. [DOCU-03]
 */
export async function makeMonthlyDocuments(ctx: Context): Promise<number> {
  await closeMonths(ctx);
  let made = 0;
  for (const { month, ...commission } of await listUndocumentedMonths(ctx.db))
    made += await documentMonth(ctx, { ...windowOf(month), commission });
  return made;
}

/** A month is over when it is over in UTC, which statements follow, and in the time zone of the marketplace. */
async function closeMonths(ctx: Context): Promise<void> {
  const current = earlierMonth(ctx, later(ctx.now(), -CLOSE_AFTER_MS));
  const first = await firstOpenMonth(ctx);
  if (first === null) return;
  const months: string[] = [];
  for (let month = first; month < current; month = monthAfter(month)) months.push(month);
  if (months.length === 0) return;
  const { businessTimeZone: timeZone } = ctx.config;
  await ctx.db
    .transaction()
    .execute((tx) => insertClosedMonths(tx, months, { timeZone, closedAt: ctx.now() }));
}

/** The month after the last closed one, or that of the first entry; null without entries. */
async function firstOpenMonth(ctx: Context): Promise<string | null> {
  const last = await findLastClosed(ctx.db);
  if (last !== null) return monthAfter(last);
  const first = await firstEntryAt(ctx.db);
  return first && earlierMonth(ctx, first);
}

/** The month of an instant in UTC or in the time zone of the marketplace, whichever is earlier. */
function earlierMonth(ctx: Context, instant: Date): string {
  const [inUtc, ofBusiness] = [monthOf(instant), businessDay(ctx, instant).slice(0, 7)];
  return inUtc < ofBusiness ? inUtc : ofBusiness;
}

/** Each document has its own transaction, so that no series is locked for long. */
async function documentMonth(ctx: Context, window: Window): Promise<number> {
  let made = 0;
  const due = inBatches<Due>((_after, limit) => listDue(ctx.db, window, limit));
  for await (const each of due) made += await makeOne(ctx, window, each);
  await markDocumented(ctx.db, window.month, ctx.now());
  await forgetClosingParties(ctx.db, new Date(Math.min(Number(window.to), Number(window.commission.to))));
  return made;
}

/** Returns 0 if another instance has made it meanwhile. */
async function makeOne(ctx: Context, window: Window, due: Due): Promise<number> {
  return await ctx.db.transaction().execute(async (tx) => {
    const isOpen = await lockUndocumented(tx, window.month);
    if (!isOpen || (await hasDocument(tx, window, due))) return 0;
    const publisher = await findParty(tx, due.userId);
    const made = await (due.kind === 'statement'
      ? statementOf(tx, window, due)
      : commissionOf(tx, window, due, await selfBillingOf(ctx, tx, window, due)));
    const isSelfBilling = made.content.kind === 'self_billing';
    // The document is made last, because its series stays locked.
    await postTaxOf(ctx, tx, window, due, made);
    await insertDocument(tx, {
      book: due.book,
      userId: due.userId,
      paymentId: null,
      refundId: null,
      disputeId: null,
      ...issuedNow(ctx),
      month: window.month,
      side: due.kind === 'statement' ? due.side : null,
      currency: due.currency,
      tax: null,
      ...made,
      // The publisher supplies the ad space, and the marketplace makes the document.
      seller: isSelfBilling ? publisher : sellerOf(ctx),
      customer: isSelfBilling ? sellerOf(ctx) : publisher,
    });
    return 1;
  });
}

type Made = { content: Content; amountCents: number; tax?: Document['tax'] };

type SelfBilling = {
  taxStatus: 'small_business' | 'business';
  text: string;
  isAbroad?: true;
  /** The tax of the supply; null if none is shown. */
  tax: Tax | null;
  publisherTax: PublisherTax;
};

/** The tax that a document shows, and how it is paid; null for a document from before there was input tax. */
type ShownTax = { tax: Omit<DocumentTax, 'cents'> | null; paid: PublisherTax | null };

/**
 * How this publisher is billed, if the operator offers self-billing and the publisher agrees to it. A business has a tax
 * number that VIES has not refused. [OWNS-126]
 */
async function selfBillingOf(ctx: Context, tx: Tx, { to }: Window, due: Due): Promise<SelfBilling | null> {
  const { selfBilling, taxTable } = ctx.config;
  if (!selfBilling.isOffered) return null;
  const { taxStatus, chargesTax, country, taxId, agreesToSelfBilling, isClosed } = await findTaxStatus(
    tx,
    due.userId,
  );
  if (!agreesToSelfBilling || (taxStatus !== 'business' && taxStatus !== 'small_business')) return null;
  // Nothing more can be paid to an account that was deleted: what it was paid, or gave up, contained the tax.
  const publisherTax = isClosed ? 'included' : selfBilling.publisherTax;
  const billing = { taxStatus, text: selfBilling.text, publisherTax };
  if (!country) return { ...billing, tax: null };
  const isBusiness =
    taxStatus === 'business' &&
    Boolean(taxId && readTaxId(country, taxId) !== null) &&
    !(await isRefusedTaxId(ctx, tx, due.userId, { country, taxId }));
  // The supply of a month is complete at its end.
  const day = utcDay(later(to, -1));
  const supply = taxOfSupply(taxTable, { country, chargesTax, isBusiness, day });
  return { ...billing, ...(supply.isAbroad && { isAbroad: true }), tax: supply.tax };
}

async function statementOf(tx: Tx, window: Window, due: Due): Promise<Made> {
  const openingCents = await sumBefore(tx, due, window.from);
  const rows = await sumLines(tx, due, window);
  return {
    content: {
      kind: 'statement',
      openingCents,
      lines: rows.reduce((sum, { lines }) => sum + lines, 0),
      rows: rows.filter(({ cents }) => cents !== 0),
    },
    amountCents: rows.reduce((sum, { cents }) => sum + cents, openingCents),
  };
}

async function commissionOf(
  tx: Tx,
  window: Window,
  due: Due,
  selfBilling: SelfBilling | null,
): Promise<Made> {
  const rows = await sumCommission(tx, due, window.commission);
  const earnedCents = rows.reduce((sum, row) => sum + row.earnedCents, 0);
  const commissionCents = rows.reduce((sum, row) => sum + row.commissionCents, 0);
  const corrected = earnedCents < 0 ? await findCorrected(tx, due) : null;
  const billed = selfBilling ?? (corrected?.publisherTax ? corrected : null);
  if (billed === null)
    return { content: { kind: 'commission_note', earnedCents, rows }, amountCents: commissionCents };
  const { tax, publisherTax, ...billing } = billed;
  const shown: ShownTax = corrected
    ? { tax: corrected.tax, paid: corrected.publisherTax }
    : {
        // Any other sentence of the table is about sales to this country.
        tax: tax && (tax.reason === 'reverse_charge' ? tax : { ...tax, reason: null, sentence: null }),
        paid: publisherTax,
      };
  const { taxCents, amountCents } = taxOfEarnings(earnedCents, {
    rate: shown.tax?.rate ?? 0,
    paid: shown.paid ?? 'included',
  });
  return {
    content: {
      kind: 'self_billing',
      rows,
      commissionCents,
      ...billing,
      ...(taxCents !== 0 && shown.paid && { publisherTax: shown.paid }),
    },
    amountCents,
    tax: shown.tax && { ...shown.tax, cents: taxCents },
  };
}

/**
 * How the month was billed that a month below zero corrects: as the last document above zero, so that a publisher who begins
 * or ceases to charge tax, or to agree to self-billing, gives back what they received. Null if there is none. [BOOK-206]
 */
async function findCorrected(
  tx: Tx,
  due: Due,
): Promise<(Omit<SelfBilling, 'publisherTax'> & { publisherTax: PublisherTax | null }) | null> {
  const last = await findLastBilled(tx, due);
  if (last === null || last.content.kind !== 'self_billing') return null;
  const { taxStatus, text, isAbroad, publisherTax = null } = last.content;
  return { taxStatus, text, ...(isAbroad && { isAbroad }), tax: last.tax, publisherTax };
}

/** Books the tax of a self-billing document that will have the mark of it. [BOOK-206] */
async function postTaxOf(
  ctx: Context,
  tx: Tx,
  { month }: Window,
  { userId, book, currency }: Due,
  { content, amountCents, tax }: Made,
): Promise<void> {
  if (content.kind !== 'self_billing' || !content.publisherTax || !tax) return;
  await postInputTax(tx, {
    publisherId: userId,
    book,
    currency,
    month,
    tax: { country: tax.country, rate: tax.rate, cents: tax.cents },
    paid: content.publisherTax,
    earnedCents: earningsOf({ content, amountCents, tax }),
    at: ctx.now(),
  });
}

const monthOf = (instant: Date): string => instant.toISOString().slice(0, 7);

const monthAfter = (month: string): string => monthOf(windowOf(month).to);

function windowOf(month: string): Omit<Window, 'commission'> {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return { month, from: new Date(Date.UTC(year, number - 1)), to: new Date(Date.UTC(year, number)) };
}
