import { reversedTax } from '#domain/payments/tax.ts';
import { readEuTaxId } from '#domain/payments/tax-ids.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { businessDay, issuedNow } from './business-day.ts';
import {
  type Content,
  type Document,
  findCreditNote,
  findDisputeDocument,
  findLoss,
  findReceipt,
  findRefundOfNote,
  findSale,
  insertDocument,
  lockSale,
  type Party,
  type Sale,
  sumReversed,
} from './store.ts';

export { findLeftToNote } from './store.ts';

/** The marketplace, as its settings name it now. */
export const sellerOf = (ctx: Pick<Context, 'config'>): Party => ({
  ...ctx.config.seller,
  country: homeOf(ctx),
});

/** The country of the marketplace; null if no setting says it. */
export const homeOf = ({ config: { seller, taxTable } }: Pick<Context, 'config'>): string | null =>
  seller.country ?? taxTable?.seller ?? readEuTaxId(seller.taxId ?? '')?.country ?? null;

/**
 * Makes the receipt of a payment in the transaction that books it, and returns its number. A payment that has a receipt
 * keeps it. The series of receipts stays locked until the transaction ends, so call this after its other locks. `chargedAt`
 * is the instant of the charge, whose day decides about the tax; null if the provider does not say it. [DOCU-01]
 */
export async function issueReceipt(
  ctx: Context,
  tx: Tx,
  { paymentId, chargedAt }: { paymentId: number; chargedAt: Date | null },
): Promise<string> {
  await lockSale(tx, paymentId);
  const known = await findReceipt(tx, paymentId);
  if (known) return known.number;
  const { userId, customer, book, amountCents, currency, tax, sale } = await findSale(tx, paymentId);
  return await insertDocument(tx, {
    book,
    userId,
    paymentId,
    refundId: null,
    disputeId: null,
    ...issuedNow(ctx),
    month: null,
    side: null,
    amountCents,
    currency,
    tax,
    seller: sellerOf(ctx),
    customer,
    content: {
      kind: 'receipt',
      sale: { ...sale, paidOn: businessDay(ctx, chargedAt ?? new Date(sale.paidAt)) },
    },
  });
}

/**
 * Makes the credit note of a refund in the transaction in which the refund leaves us, and returns its number. It
 * reverses the tax of the receipt in proportion, so the tax inside a kept fee stays owed. A refund that fails and is
 * sent again keeps its credit note. That of a refund that was made outside leaves out what another one names. Money that was
 * never booked as a payment has neither receipt nor credit note.
 * [DOCU-01]
 */
export async function issueCreditNote(ctx: Context, tx: Tx, refundId: number): Promise<string | null> {
  const { paymentId, amountCents, cause, keptCents } = await findRefundOfNote(tx, refundId);
  if (cause === 'not_as_agreed' || amountCents === 0) return null;
  await lockSale(tx, paymentId);
  const known = await findCreditNote(tx, refundId);
  if (known) return known.number;
  return await reverse(ctx, tx, { paymentId, refundId, disputeId: null, amountCents, cause, keptCents });
}

/**
 * Makes the credit note of a lost dispute in the transaction that books it, and returns its number. It covers the
 * amount that the dispute took from the sale. An owed refund that the bank has taken has a credit note of its own. Null
 * if the amount is zero. [DOCU-14]
 */
export async function issueLossNote(ctx: Context, tx: Tx, disputeId: number): Promise<string | null> {
  const loss = await findLoss(tx, disputeId);
  if (loss === null || loss.amountCents === 0) return null;
  await lockSale(tx, loss.paymentId);
  return await reverse(ctx, tx, { ...loss, refundId: null, disputeId, cause: 'dispute_lost' });
}

/** Makes the receipt of a disputed payment that came back after its credit note, in the transaction that books it. [DOCU-14] */
export async function issueReturnReceipt(
  ctx: Context,
  tx: Tx,
  { disputeId, paymentId }: { disputeId: number; paymentId: number },
): Promise<void> {
  await lockSale(tx, paymentId);
  const note = await findDisputeDocument(tx, disputeId, 'credit_note');
  if (!note) return;
  const receipt = (await findReceipt(tx, paymentId)) as Document;
  const { amountCents } = note;
  const { userId, customer, book, currency, sale } = await findSale(tx, paymentId);
  const tax = await taxReversedBy(tx, { receipt, paymentId, amountCents: -amountCents });
  await insertDocument(tx, {
    book,
    userId,
    paymentId,
    refundId: null,
    disputeId,
    ...issuedNow(ctx),
    month: null,
    side: null,
    amountCents,
    currency,
    tax: tax && { ...tax, cents: -tax.cents },
    seller: sellerOf(ctx),
    customer,
    content: {
      kind: 'receipt',
      sale: paidAsIn(receipt, sale),
      returned: { receipt: receipt.number, creditNote: note.number },
    },
  });
}

/** Makes a credit note. The caller has locked the sale. */
async function reverse(
  ctx: Context,
  tx: Tx,
  credit: {
    paymentId: number;
    refundId: number | null;
    disputeId: number | null;
    amountCents: number;
    cause: Extract<Content, { kind: 'credit_note' }>['cause'];
    keptCents?: number;
  },
): Promise<string> {
  const { cause, keptCents = 0, ...columns } = credit;
  const { paymentId } = credit;
  const receipt = (await findReceipt(tx, paymentId)) as Document;
  const { userId, customer, book, currency, sale } = await findSale(tx, paymentId);
  return await insertDocument(tx, {
    ...columns,
    book,
    userId,
    ...issuedNow(ctx),
    month: null,
    side: null,
    currency,
    tax: await taxReversedBy(tx, { receipt, ...credit }),
    seller: sellerOf(ctx),
    customer,
    content: {
      kind: 'credit_note',
      sale: paidAsIn(receipt, sale),
      receipt: receipt.number,
      cause,
      ...(keptCents > 0 && { keptCents }),
    },
  });
}

/** The sale with the day of its payment that the receipt prints. */
function paidAsIn({ content }: Document, sale: Sale): Sale {
  return 'sale' in content && content.sale.paidOn ? { ...sale, paidOn: content.sale.paidOn } : sale;
}

/** The tax that earlier documents have not reversed yet, so that rounding errors never add up. [DOCU-04] */
async function taxReversedBy(
  tx: Tx,
  { receipt, paymentId, amountCents }: { receipt: Document; paymentId: number; amountCents: number },
): Promise<Document['tax']> {
  if (receipt.tax === null) return null;
  const before = await sumReversed(tx, paymentId);
  const { rate, cents: taxCents } = receipt.tax;
  const sale = { amountCents: receipt.amountCents, taxCents, rate };
  const back = before.amountCents + amountCents;
  return { ...receipt.tax, cents: reversedTax(sale, back) - before.taxCents };
}
