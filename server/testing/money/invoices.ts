/**
 * Documents of record of every kind that is an e-invoice. No registry has the Schematron of EN 16931 or Peppol, so tests check
 * the XSD and the sums. By hand, these also passed EN 16931 1.3.16 and Peppol of May 2025.
 */
import type { IssuedDocument } from '#server/money/documents/issued.ts';

/** In scripts of many kinds, and with what means something in XML or cannot stand there. */
const HARD_NAME =
  'Łódź Straße Ποδήλατα Велосипеды 上海自行车 株式会社カフェ 한국 شركة חנות विज्ञापन ร้าน Հայ 🚲 <&>"\' ]]> \u0001\u001f\ud800\ufffe';

const SELLER = {
  name: 'Slot Market GmbH',
  address: 'Main Street 1\nBack yard\n10115 Berlin',
  taxId: 'DE 123 456 789',
  country: 'DE',
  legal: 'HRB 4711\nAmtsgericht Berlin',
};
const GERMAN = { name: 'Rad AG', address: 'Weg 1\n10115 Berlin', taxId: null, country: 'DE' };
const AUSTRIAN = {
  name: 'Rad GmbH',
  address: 'Gasse 2\nHof\nStiege 3\n1010 Wien',
  taxId: 'ATU12345678',
  country: 'AT',
};
const BELGIAN = { name: 'Vélo SA', address: null, taxId: 'BE0477472701', country: 'BE' };
const SWISS = { name: 'Velo AG', address: 'Gasse 1', taxId: 'CHE123456789MWST', country: 'CH' };
const AMERICAN = { name: 'Bikes Inc.', address: '1 Main St', taxId: '12-3456789', country: 'US' };

const SOLD = {
  adPublicId: '0b8f1c1e-6d2d-4b57-9f0d-1d6a8c2b7e11',
  title: 'Bikes & more',
  zone: 'Top',
  website: 'Example',
  bought: '7 days',
  paidAt: '2026-01-10T10:00:00.000Z',
};
const REFERENCE = '04011000-12345-03';
const SALE = { ...SOLD, reference: REFERENCE, period: { from: '2026-01-11', to: '2026-01-17' } };

const taxed = (cents: number, country = 'DE', rate = 19_000) => ({
  rate,
  cents,
  country,
  reason: null,
  sentence: null,
});
const untaxed = (reason: 'reverse_charge' | 'not_taxed', country: string) => ({
  rate: 0,
  cents: 0,
  country,
  reason,
  sentence: reason === 'reverse_charge' ? 'Reverse charge: the customer owes the tax.' : null,
});

const RECEIPT: IssuedDocument = {
  id: 1,
  book: 'sandbox',
  number: 'R-2026-000001',
  issuedAt: new Date('2026-01-10T10:00:00Z'),
  issuedOn: null,
  originalOn: null,
  month: null,
  side: null,
  amountCents: 11_900,
  currency: 'EUR',
  tax: taxed(1_900),
  seller: SELLER,
  customer: GERMAN,
  content: { kind: 'receipt', sale: SALE },
  salt: Buffer.alloc(16),
};

const CREDIT_NOTE: IssuedDocument = {
  ...RECEIPT,
  number: 'C-2026-000001',
  issuedAt: new Date('2026-02-03T10:00:00Z'),
  originalOn: '2026-01-10',
  amountCents: 4_321,
  tax: taxed(690),
  content: { kind: 'credit_note', sale: SALE, receipt: RECEIPT.number, cause: 'canceled' },
};

const rowsOf = (...amounts: number[]) =>
  amounts.map((earnedCents, at) => ({
    adPublicId: `ad-${at}`,
    title: `Ad ${at}`,
    earnedCents,
    commissionCents: Math.round(earnedCents / 5),
  }));

const selfBilling = (
  earned: readonly number[],
  { taxStatus = 'business', isAbroad }: { taxStatus?: 'business' | 'small_business'; isAbroad?: true } = {},
): IssuedDocument => ({
  ...RECEIPT,
  number: 'B-2026-000001',
  month: '2026-01',
  amountCents: earned.reduce((sum, cents) => sum + cents, 0),
  tax: null,
  seller: { ...GERMAN, taxId: 'DE987654321' },
  customer: SELLER,
  content: {
    kind: 'self_billing',
    rows: rowsOf(...earned),
    commissionCents: 0,
    taxStatus,
    text: 'Self-billing (Gutschrift).',
    ...(isAbroad && { isAbroad }),
  },
});

/** By what is special about them. */
export const INVOICES = {
  'a standard rate': RECEIPT,
  'no reference and no end': {
    ...RECEIPT,
    content: {
      kind: 'receipt',
      sale: { ...SOLD, period: { from: '2026-01-11', to: null } },
    },
  },
  'no period': { ...RECEIPT, content: { kind: 'receipt', sale: { ...SOLD, reference: REFERENCE } } },
  'one cent': { ...RECEIPT, amountCents: 1, tax: taxed(0) },
  'one cent that is tax': { ...CREDIT_NOTE, amountCents: 1, tax: taxed(1) },
  'a rate with decimals': {
    ...RECEIPT,
    amountCents: 99_999,
    tax: taxed(7_493, 'CH', 8_100),
    customer: SWISS,
  },
  'a rate of another country': { ...RECEIPT, tax: taxed(2_479, 'HU', 27_000) },
  'a rate of zero': { ...RECEIPT, tax: taxed(0, 'US', 0), customer: AMERICAN },
  'a reverse charge': { ...RECEIPT, tax: untaxed('reverse_charge', 'AT'), customer: AUSTRIAN },
  'a reverse charge without a known form': {
    ...RECEIPT,
    tax: untaxed('reverse_charge', 'US'),
    customer: AMERICAN,
  },
  'not taxable': { ...RECEIPT, tax: untaxed('not_taxed', 'CH'), customer: SWISS },
  'a small seller': {
    ...RECEIPT,
    tax: null,
    seller: { ...SELLER, taxId: '27/123/45678' },
    customer: AUSTRIAN,
  },
  'a seller outside of VAT': { ...RECEIPT, tax: null, currency: 'USD', seller: { ...AMERICAN, legal: null } },
  'two Belgian parties': {
    ...RECEIPT,
    tax: taxed(2_065, 'BE', 21_000),
    seller: { ...BELGIAN, legal: null },
    customer: { ...BELGIAN, taxId: '0202.239.951' },
  },
  'a part of a sale': CREDIT_NOTE,
  'a kept fee': {
    ...CREDIT_NOTE,
    content: { ...CREDIT_NOTE.content, keptCents: 333 } as IssuedDocument['content'],
  },
  'a lost dispute': {
    ...CREDIT_NOTE,
    content: { kind: 'credit_note', sale: SALE, receipt: RECEIPT.number, cause: 'dispute_lost' },
  },
  'returned money': {
    ...RECEIPT,
    originalOn: '2026-01-10',
    content: {
      kind: 'receipt',
      sale: SALE,
      returned: { receipt: RECEIPT.number, creditNote: CREDIT_NOTE.number },
    },
  },
  'hard texts': {
    ...RECEIPT,
    seller: { ...SELLER, name: HARD_NAME, address: `${HARD_NAME}\r\n\r\n${HARD_NAME}\n10115 Berlin` },
    customer: { ...GERMAN, name: HARD_NAME, taxId: '<&>"\'' },
    content: { kind: 'receipt', sale: { ...SALE, title: HARD_NAME, reference: HARD_NAME } },
  },
  'a taxed publisher': { ...selfBilling([3_333, 3_333, 3_334, 1_900]), tax: taxed(1_900) },
  'a month with corrections': { ...selfBilling([10_001, -101, 0, 2_000]), tax: taxed(1_900) },
  'a month of corrections': { ...selfBilling([-3_001, 7, -206]), tax: taxed(-511) },
  'corrections that cancel each other out': { ...selfBilling([500, -500]), tax: taxed(0) },
  'a small publisher': selfBilling([8_501, 1], { taxStatus: 'small_business' }),
  'a publisher who charges no tax': selfBilling([8_501]),
  'a publisher abroad': {
    ...selfBilling([8_501], { isAbroad: true }),
    tax: untaxed('reverse_charge', 'AT'),
    seller: AUSTRIAN,
  },
  'a publisher abroad without a rule': { ...selfBilling([8_501], { isAbroad: true }), seller: AMERICAN },
} satisfies Record<string, IssuedDocument>;
