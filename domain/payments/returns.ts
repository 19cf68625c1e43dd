/** Documents of record, as tax returns take them. */
import { quarterOf } from './periods.ts';
import { isInVies, readTaxId, taxIdText } from './tax-ids.ts';
import type { DocumentKind } from './documents.ts';
import type { TaxReason } from './tax.ts';

/**
 * How a document is taxed. `domestic`: with the tax of the marketplace's own country. `oss`: with that of another country
 * of the EU. `abroad`: with that of any other country. `taxed`: with tax, while the marketplace's country is not known.
 * `zero`: at a rate of zero without a reason. `none`: no tax is shown.
 */
export type TaxCode = 'domestic' | 'oss' | 'abroad' | 'taxed' | TaxReason | 'zero' | 'none';

/** The tax of a document, and the country of the marketplace; null if it is not known. */
export function taxCodeOf(
  tax: { country: string; rate: number; reason: TaxReason | null } | null,
  home: string | null,
): TaxCode {
  if (tax === null) return 'none';
  if (tax.rate === 0) return tax.reason ?? 'zero';
  if (home === null) return 'taxed';
  if (tax.country === home) return 'domestic';
  return isInVies(tax.country) ? 'oss' : 'abroad';
}

/** A VAT number as returns want it, such as 'IT12345678901', or as the person wrote it. */
export function vatNumberOf({
  country,
  taxId,
}: {
  country: string | null;
  taxId: string | null;
}): string | null {
  const read = country !== null && taxId !== null ? readTaxId(country, taxId) : null;
  return read ? taxIdText(read) : taxId;
}

/** A document of a return. Amounts are cents, below zero for credit notes. Days are 'YYYY-MM-DD'. */
export type ReturnedDocument = {
  kind: DocumentKind;
  /** The day of its issue, and that of the receipt that it corrects. */
  date: string;
  originalDate: string | null;
  country: string | null;
  vatNumber: string | null;
  code: TaxCode;
  rate: number | null;
  netCents: number;
  taxCents: number;
  /** Whether it is a publisher's document whose tax was booked as input tax. */
  isDeducted: boolean;
};

/** Whether the marketplace sells with this document. Self-billing documents are its purchases. */
export const isSale = ({ kind }: Pick<ReturnedDocument, 'kind'>): boolean =>
  kind === 'receipt' || kind === 'credit_note';

export type RecapitulativeRow = {
  month: string;
  country: string;
  vatNumber: string;
  documents: number;
  netCents: number;
};

/** `originalQuarter` is null for what was sold, or taken back, in the same quarter. */
export type OssRow = {
  quarter: string;
  originalQuarter: string | null;
  country: string;
  rate: number;
  documents: number;
  netCents: number;
  taxCents: number;
};

/** The tax of the sales of a month, and that of publishers' documents, which may be deducted from it. */
export type TaxReturnRow = {
  month: string;
  country: string;
  rate: number;
  outputNetCents: number;
  outputTaxCents: number;
  inputNetCents: number;
  inputTaxCents: number;
};

/**
 * The rows of the recapitulative statement (sales to businesses of other countries of the EU under reverse charge, by
 * month and VAT number) and of the OSS return (by quarter, country and rate; what corrects an earlier quarter stands
 * under that one), and output and input tax by month, country and rate. Takes the documents one by one, so that a year of
 * any size needs little memory. [BOOK-202, BOOK-207]
 */
export function createReturns() {
  const recapitulative = new Map<string, RecapitulativeRow>();
  const oss = new Map<string, OssRow>();
  const tax = new Map<string, TaxReturnRow>();
  return {
    add(document: ReturnedDocument): void {
      const { country, code, rate, netCents, taxCents } = document;
      if (country === null) return;
      if (rate !== null && rate > 0 && (isSale(document) || document.isDeducted)) {
        const row = rowOf(tax, { month: document.date.slice(0, 7), country, rate }, NO_TAX);
        row.outputNetCents += document.isDeducted ? 0 : netCents;
        row.outputTaxCents += document.isDeducted ? 0 : taxCents;
        row.inputNetCents += document.isDeducted ? netCents : 0;
        row.inputTaxCents += document.isDeducted ? taxCents : 0;
      }
      if (!isSale(document)) return;
      if (code === 'reverse_charge' && isInVies(country)) {
        const month = document.date.slice(0, 7);
        const vatNumber = document.vatNumber ?? '';
        const row = rowOf(recapitulative, { month, country, vatNumber }, { documents: 0, netCents: 0 });
        row.documents++;
        row.netCents += netCents;
      }
      if (code === 'oss' && rate !== null) {
        const quarter = quarterOf(document.date);
        const original = document.originalDate === null ? quarter : quarterOf(document.originalDate);
        const key = { quarter, originalQuarter: original === quarter ? null : original, country, rate };
        const row = rowOf(oss, key, { documents: 0, netCents: 0, taxCents: 0 });
        row.documents++;
        row.netCents += netCents;
        row.taxCents += taxCents;
      }
    },
    rows: () => ({ recapitulative: inOrder(recapitulative), oss: inOrder(oss), tax: inOrder(tax) }),
  };
}

const NO_TAX = { outputNetCents: 0, outputTaxCents: 0, inputNetCents: 0, inputTaxCents: 0 };

function rowOf<Key extends object, Sums extends object>(
  rows: Map<string, Key & Sums>,
  key: Key,
  none: Sums,
): Key & Sums {
  const name = Object.values(key).map(String).join(' ');
  const known = rows.get(name) ?? { ...key, ...none };
  rows.set(name, known);
  return known;
}

const inOrder = <Row>(rows: Map<string, Row>): Row[] =>
  [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
