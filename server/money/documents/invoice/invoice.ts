/** A document of record in the terms of EN 16931, the European standard of e-invoices. */
import { decimalOf } from '#domain/money.ts';
import { percentOf } from '#domain/payments/tax.ts';
import { readTaxId, taxIdText } from '#domain/payments/tax-ids.ts';
import { EXEMPTION_CODES, type VatCategory, vatCategoryOf } from '#domain/payments/vat-category.ts';
import { correctedReceipt, type IssuedDocument, issueDayOf } from '../issued.ts';
import type { PrintedDocument } from '#server/platform/print/printed-document.ts';
import type { Formats } from '../formats.ts';
import { noTaxText, printedDocument } from '../shown.ts';
import { type Content, type Party, type Period, servicePeriodOf } from '../store.ts';

/** A party. It has a VAT number, such as 'DE123456789', or another tax number, or neither. */
export type InvoiceParty = {
  name: string;
  /** The address without its country. */
  address: string[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  vatId: string | null;
  otherTaxId: string | null;
};

/** A line. Its amount is `quantity` times `priceCents`, because a price is never negative. */
export type InvoiceLine = { name: string; detail: string | null; quantity: 1 | -1; priceCents: number };

/** Amounts are in cents, and positive in credit notes, too: the type says that they are taken back. */
export type EInvoice = {
  number: string;
  /** UNTDID 1001: 380 invoice, 381 credit note, 389 self-billing, 261 self-billed credit note. */
  type: '380' | '381' | '389' | '261';
  /** YYYY-MM-DD */
  issued: string;
  note: string;
  currency: string;
  /** Given by the buyer, or for self-billing the number that they gave the document. */
  buyerReference: string | null;
  /** The ad, which the buyer ordered. */
  order: string | null;
  corrects: { number: string; issued: string | null } | null;
  period: Period | null;
  seller: InvoiceParty;
  buyer: InvoiceParty;
  lines: InvoiceLine[];
  netCents: number;
  taxCents: number;
  /** `percent` is null outside the scope of the tax, where no rate may stand. */
  tax: {
    category: VatCategory;
    percent: string | null;
    exemption: { code: string | null; text: string } | null;
  };
  /** UNTDID 4461: 48 bank card, 97 clearing between partners. */
  means: '48' | '97';
  /** Set if money is still to be paid: a self-billing document goes to the balance of the supplier. */
  terms: string | null;
};

/** Whether an invoice takes back what others say. */
export const isCredit = ({ type }: Pick<EInvoice, 'type'>): boolean => type === '381' || type === '261';

/** Whether the buyer issues an invoice. */
export const isSelfBilled = ({ type }: Pick<EInvoice, 'type'>): boolean => type === '389' || type === '261';

/**
 * The e-invoice of a document; null if it is no invoice, or lacks what EN 16931 requires: both countries, the supplier's
 * tax number, and for a reverse charge the customer's. Documents of earlier releases lack the country of the marketplace.
 * The VAT of a self-billing document is that of the publisher. [DOCU-15]
 */
export function eInvoiceOf(document: IssuedDocument): EInvoice | null {
  const { content, tax, amountCents, number, currency } = document;
  if (content.kind === 'statement' || content.kind === 'commission_note') return null;
  const parties = partiesOf(document);
  if (!parties) return null;
  const sale = 'sale' in content ? content.sale : null;
  const isNegative = sale === null && amountCents < 0;
  const sign = isNegative ? -1 : 1;
  const taxCents = sign * (tax?.cents ?? 0);
  const netCents = sign * amountCents - taxCents;
  const printed = printedDocument(document, PLAIN);
  return {
    number,
    type: typeOf(content, isNegative),
    issued: issueDayOf(document),
    note: [printed.label, ...printed.notes].filter((line) => line !== null).join('\n'),
    currency,
    buyerReference: sale === null ? number : (sale.reference ?? null),
    order: sale?.adPublicId ?? null,
    corrects: correctedBy(document),
    period: servicePeriodOf(document),
    seller: parties.seller,
    buyer: parties.buyer,
    lines: linesOf(document, printed, netCents),
    netCents,
    taxCents,
    tax: taxOf(document, parties.category),
    means: sale === null ? '97' : '48',
    terms: sale === null ? 'Settled with the balance of the supplier.' : null,
  };
}

function correctedBy({ content, originalOn }: IssuedDocument): EInvoice['corrects'] {
  const number = correctedReceipt(content);
  return number === null ? null : { number, issued: originalOn };
}

function taxOf({ tax, content }: IssuedDocument, category: VatCategory): EInvoice['tax'] {
  const percent = category === 'O' ? null : percentOf(tax?.rate ?? 0);
  if (category === 'S' || category === 'Z') return { category, percent, exemption: null };
  const text = tax === null ? noTaxText(content) : (tax.sentence ?? UNTAXED[category]);
  return { category, percent, exemption: { code: EXEMPTION_CODES[category] ?? null, text } };
}

/** An e-invoice takes only words from the printed document, and making the formats of a language takes milliseconds. */
const PLAIN: Formats = { money: decimalOf, day: String, month: String, rate: percentOf };

/** Where the tax table has no sentence. */
const UNTAXED = { AE: 'Reverse charge', E: 'Exempt from tax', O: 'Not subject to tax' };

/** Null if a party lacks what its role and the category of the tax require. */
function partiesOf(
  document: IssuedDocument,
): { seller: InvoiceParty; buyer: InvoiceParty; category: VatCategory } | null {
  const { content, tax, seller: supplier, customer } = document;
  const isAbroad = content.kind === 'self_billing' && content.isAbroad === true;
  if (supplier.country === null || supplier.taxId === null) return null;
  if (tax?.reason === 'reverse_charge' && customer.taxId === null) return null;
  const category = vatCategoryOf(tax, { country: supplier.country, isAbroad });
  const [seller, buyer] = [partyOf(supplier, category), partyOf(customer, category)];
  return seller && buyer && { seller, buyer, category };
}

function typeOf({ kind }: Content, isNegative: boolean): EInvoice['type'] {
  if (kind === 'self_billing') return isNegative ? '261' : '389';
  return kind === 'credit_note' ? '381' : '380';
}

/** Null without a name or a country. Outside the scope of VAT, no VAT number may stand (BR-O-02). */
function partyOf({ name, address, country, taxId }: Party, category: VatCategory): InvoiceParty | null {
  if (country === null || name.trim() === '') return null;
  const read = taxId === null || category === 'O' ? null : readTaxId(country, taxId);
  return {
    name,
    address: (address ?? '').split(/\r?\n/).filter((line) => line.trim() !== ''),
    country,
    vatId: read ? taxIdText(read) : null,
    otherTaxId: read ? null : taxId,
  };
}

/**
 * The rows of the document, with the net amount that falls to each in proportion. They add up to the net amount of the
 * document, although each is rounded.
 */
function linesOf(
  document: IssuedDocument,
  { rows, title }: PrintedDocument,
  netCents: number,
): InvoiceLine[] {
  const amounts = amountsOf(document);
  const total = amounts.reduce((sum, cents) => sum + cents, 0);
  if (total === 0) return [{ name: title, detail: null, quantity: 1, priceCents: netCents }];
  let passed = 0;
  return rows.map(({ cells, detail }, at) => {
    const before = shareOf(netCents, passed, total);
    passed += amounts[at] ?? 0;
    const cents = shareOf(netCents, passed, total) - before;
    return { name: cells[0] ?? '', detail, quantity: cents < 0 ? -1 : 1, priceCents: Math.abs(cents) };
  });
}

/** The product of two amounts may exceed the integers that a number holds exactly. */
const shareOf = (cents: number, part: number, whole: number): number =>
  Number((BigInt(cents) * BigInt(part)) / BigInt(whole));

/** The amount of each row. Only the proportions count. */
function amountsOf({ content, amountCents }: IssuedDocument): number[] {
  if (content.kind === 'self_billing') return content.rows.map(({ earnedCents }) => earnedCents);
  const keptCents = content.kind === 'credit_note' ? (content.keptCents ?? 0) : 0;
  return keptCents > 0 ? [amountCents + keptCents, -keptCents] : [amountCents];
}
