import { containedTax, rateOf, reversedTax } from '#domain/payments/tax.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import {
  type Document,
  findCreditNote,
  findParty,
  findReceipt,
  findRefundOfNote,
  findSale,
  insertDocument,
  lockSale,
  type Party,
  sumCreditNotes,
} from './store.ts';

/** The marketplace, as its settings name it now. */
export function sellerOf({ config }: Context): Party {
  return { ...config.seller, country: null };
}

/**
 * Makes the receipt of a payment in the transaction that books it, and returns its number. A payment that has a receipt
 * keeps it. The series of receipts stays locked until the transaction ends, so call this after its other locks. [DOCU-01]
 */
export async function issueReceipt(ctx: Context, tx: Tx, paymentId: number): Promise<string> {
  await lockSale(tx, paymentId);
  const known = await findReceipt(tx, paymentId);
  if (known) return known.number;
  const { userId, book, amountCents, currency, sale } = await findSale(tx, paymentId);
  const customer = await findParty(tx, userId);
  const rate = rateOf(ctx.config.taxRates, customer.country);
  return await insertDocument(tx, {
    book,
    userId,
    paymentId,
    refundId: null,
    issuedAt: ctx.now(),
    month: null,
    side: null,
    amountCents,
    currency,
    tax: rate === null ? null : { rate, cents: containedTax(amountCents, rate) },
    seller: sellerOf(ctx),
    customer,
    content: { kind: 'receipt', sale },
  });
}

/**
 * Makes the credit note of a refund in the transaction in which the refund leaves us, and returns its number. It reverses
 * the tax of the receipt in proportion. A refund that fails and is sent again keeps its credit note. Money that was never
 * booked as a payment has neither receipt nor credit note. [DOCU-02]
 */
export async function issueCreditNote(ctx: Context, tx: Tx, refundId: number): Promise<string | null> {
  const { paymentId, amountCents, cause } = await findRefundOfNote(tx, refundId);
  if (cause === 'not_as_agreed') return null;
  await lockSale(tx, paymentId);
  const known = await findCreditNote(tx, refundId);
  if (known) return known.number;
  const number = await issueReceipt(ctx, tx, paymentId);
  const receipt = (await findReceipt(tx, paymentId)) as Document;
  const { userId, book, currency, sale } = await findSale(tx, paymentId);
  return await insertDocument(tx, {
    book,
    userId,
    paymentId,
    refundId,
    issuedAt: ctx.now(),
    month: null,
    side: null,
    amountCents,
    currency,
    tax: await taxReversedBy(tx, { receipt, paymentId, amountCents }),
    seller: sellerOf(ctx),
    customer: await findParty(tx, userId),
    content: { kind: 'credit_note', sale, receipt: number, cause },
  });
}

/** The difference to what the earlier credit notes have reversed, so that rounding never adds up. [DOCU-04] */
async function taxReversedBy(
  tx: Tx,
  { receipt, paymentId, amountCents }: { receipt: Document; paymentId: number; amountCents: number },
): Promise<Document['tax']> {
  if (receipt.tax === null) return null;
  const before = await sumCreditNotes(tx, paymentId);
  const cents =
    reversedTax(
      { totalCents: receipt.amountCents, taxCents: receipt.tax.cents },
      before.amountCents + amountCents,
    ) - before.taxCents;
  return { rate: receipt.tax.rate, cents };
}
