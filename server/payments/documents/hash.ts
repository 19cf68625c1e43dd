import { leafHash } from '../transparency-log/merkle.ts';
import type { Document } from './store.ts';

/**
 * All that a document says: one line of JSON, whose field order is part of the format. The database returns the fields of
 * the parties and of the content in an order of its own, which is always the same.
 */
export function documentText(document: Document): string {
  const { book, number, issuedAt, month, side, amountCents, currency, tax, seller, customer, content } =
    document;
  return JSON.stringify({
    book,
    document: number,
    issuedAt: issuedAt.toISOString(),
    month,
    side,
    amountCents,
    currency,
    tax: tax && {
      rate: tax.rate,
      cents: tax.cents,
      country: tax.country,
      reason: tax.reason,
      sentence: tax.sentence,
    },
    seller,
    customer,
    content,
  });
}

/** In hexadecimal digits. [OWNS-108] */
export const documentHash = (document: Document): string => leafHash(documentText(document)).toString('hex');
