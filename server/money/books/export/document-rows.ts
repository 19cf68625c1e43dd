/** Documents as the rows of files, and what tax returns need of them. */
import type { CsvCell } from '#domain/csv.ts';
import { decimalOf } from '#domain/money.ts';
import { shownCents } from '#domain/payments/documents.ts';
import { quarterOf } from '#domain/payments/periods.ts';
import { createReturns, type ReturnedDocument, taxCodeOf, vatNumberOf } from '#domain/payments/returns.ts';
import { percentOf } from '#domain/payments/tax.ts';
import type { Context } from '#server/platform/context.ts';
import { homeOf } from '../../documents/issue.ts';
import {
  correctedReceipt,
  type IssuedDocument,
  issueDayOf,
  partyOf,
  servicePeriodOf,
} from '../../documents/issued.ts';

/** A document for the books. Amounts are cents, below zero for credit notes, so that columns add up to what was sold. */
export type BookedDocument = ReturnedDocument & {
  number: string;
  ad: string | null;
  amountCents: number;
  currency: string;
  /** Whether its tax is shown. Otherwise the net amount is the amount. */
  isTaxed: boolean;
  taxReason: string | null;
  party: { name: string; country: string | null };
  service: { from: string; to: string | null } | null;
  corrects: string | null;
};

/** Returns what prepares documents for the books, with the days that they print. */
export function bookingOf(ctx: Pick<Context, 'config'>): (document: IssuedDocument) => BookedDocument {
  const home = homeOf(ctx);
  return (document) => {
    const { content, tax, number, amountCents, currency, originalOn } = document;
    const { kind } = content;
    const party = partyOf(document);
    const taxCents = tax === null ? 0 : shownCents(kind, tax.cents);
    const amount = shownCents(kind, amountCents);
    return {
      number,
      kind,
      date: issueDayOf(document),
      originalDate: originalOn,
      ad: 'sale' in content ? content.sale.adPublicId : null,
      country: tax?.country ?? party.country,
      vatNumber: vatNumberOf(party),
      code: taxCodeOf(tax, home),
      rate: tax?.rate ?? null,
      isTaxed: tax !== null,
      isDeducted: 'publisherTax' in content,
      taxReason: tax?.reason ?? null,
      netCents: amount - taxCents,
      taxCents,
      amountCents: amount,
      currency,
      party: { name: party.name, country: party.country },
      service: servicePeriodOf(document),
      corrects: correctedReceipt(content),
    };
  };
}

/** The columns of `documents.csv`. `amount` is the gross amount. Columns may be added, not renamed. [BOOK-201] */
export const DOCUMENT_COLUMNS = [
  'number',
  'kind',
  'date',
  'ad',
  'country',
  'rate',
  'net',
  'tax',
  'amount',
  'currency',
  'party',
  'party_country',
  'vat_number',
  'tax_code',
  'reason',
  'service_from',
  'service_to',
  'corrects',
  'original_quarter',
];

export const documentRow = (document: BookedDocument): CsvCell[] => [
  document.number,
  document.kind,
  document.date,
  document.ad,
  document.country,
  document.rate === null ? null : percentOf(document.rate),
  ...(document.isTaxed ? [decimalOf(document.netCents), decimalOf(document.taxCents)] : [null, null]),
  decimalOf(document.amountCents),
  document.currency,
  document.party.name,
  document.party.country,
  document.vatNumber,
  document.code,
  document.taxReason,
  document.service?.from ?? null,
  document.service?.to ?? null,
  document.corrects,
  document.originalDate && quarterOf(document.originalDate),
];

/** The columns of `outgoing-invoices.csv`, the register of what the marketplace sells. */
export const OUTGOING_COLUMNS = [
  'number',
  'date',
  'kind',
  'corrects',
  'party',
  'party_country',
  'vat_number',
  'service_from',
  'service_to',
  'tax_code',
  'country',
  'rate',
  'net',
  'tax',
  'gross',
  'currency',
];

export const outgoingRow = (document: BookedDocument): CsvCell[] => [
  document.number,
  document.date,
  document.kind,
  document.corrects,
  document.party.name,
  document.party.country,
  document.vatNumber,
  document.service?.from ?? null,
  document.service?.to ?? null,
  document.code,
  document.country,
  document.rate === null ? null : percentOf(document.rate),
  decimalOf(document.netCents),
  decimalOf(document.taxCents),
  decimalOf(document.amountCents),
  document.currency,
];

export const RECAPITULATIVE_COLUMNS = ['month', 'country', 'vat_number', 'documents', 'net', 'currency'];
export const OSS_COLUMNS = [
  'quarter',
  'kind',
  'original_quarter',
  'country',
  'rate',
  'documents',
  'net',
  'tax',
  'currency',
];

export const TAX_RETURN_COLUMNS = [
  'month',
  'country',
  'rate',
  'output_net',
  'output_tax',
  'input_net',
  'input_tax',
  'owed',
  'currency',
];

/** The rows of `recapitulative-statement.csv`, `oss.csv` and `tax-return.csv`. [BOOK-202, BOOK-207] */
export async function returnRows(
  documents: AsyncIterable<BookedDocument>,
  currency: string,
): Promise<{ recapitulative: CsvCell[][]; oss: CsvCell[][]; tax: CsvCell[][] }> {
  const returns = createReturns();
  for await (const document of documents) returns.add(document);
  const { recapitulative, oss, tax } = returns.rows();
  return {
    recapitulative: recapitulative.map((row) => [
      row.month,
      row.country,
      row.vatNumber,
      row.documents,
      decimalOf(row.netCents),
      currency,
    ]),
    oss: oss.map((row) => [
      row.quarter,
      row.originalQuarter === null ? 'sales' : 'correction',
      row.originalQuarter,
      row.country,
      percentOf(row.rate),
      row.documents,
      decimalOf(row.netCents),
      decimalOf(row.taxCents),
      currency,
    ]),
    tax: tax.map((row) => [
      row.month,
      row.country,
      percentOf(row.rate),
      decimalOf(row.outputNetCents),
      decimalOf(row.outputTaxCents),
      decimalOf(row.inputNetCents),
      decimalOf(row.inputTaxCents),
      decimalOf(row.outputTaxCents - row.inputTaxCents),
      currency,
    ]),
  };
}
