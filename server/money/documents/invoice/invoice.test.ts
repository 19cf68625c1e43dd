/** The e-invoices of every kind of document, against the schema of Factur-X and the rules of EN 16931 about amounts. */
import { describe, expect, it } from 'vitest';
import { centsOf } from '#domain/money.ts';
import { containedTax } from '#domain/payments/tax.ts';
import { schemaErrorsIn } from '#server/testing/money/factur-x-schema.ts';
import { INVOICES } from '#server/testing/money/invoices.ts';
import type { IssuedDocument } from '../issued.ts';
import { facturX } from './cii.ts';
import { type EInvoice, eInvoiceOf } from './invoice.ts';
import { ublOf } from './ubl.ts';

const CASES = Object.entries<IssuedDocument>(INVOICES);
const of = (name: keyof typeof INVOICES): EInvoice => invoiceOf(INVOICES[name]);

function invoiceOf(document: IssuedDocument): EInvoice {
  const invoice = eInvoiceOf(document);
  if (!invoice) throw new Error(`${document.number} has no e-invoice`);
  return invoice;
}

/** The texts of all elements of a name, such as 'ram:LineTotalAmount'. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)<`, 'g'))].map(([, text]) => text as string);
const centsIn = (xml: string, name: string): number[] =>
  textsOf(xml, name).map((text) => (text.startsWith('-') ? -centsOf(text.slice(1)) : centsOf(text)));

describe('an e-invoice', () => {
  // Proves DOCU-15
  it.each(CASES)('of %s follows the schema of Factur-X', async (_name, document) => {
    expect(await schemaErrorsIn(facturX(invoiceOf(document)))).toEqual([]);
  });

  it('that breaks the schema would be found', async () => {
    const xml = facturX(of('a standard rate')).replace('<ram:TypeCode>380</ram:TypeCode>', '');
    expect((await schemaErrorsIn(xml)).join('\n')).toContain('IssueDateTime');
  });

  // Proves DOCU-15
  it.each(CASES)('of %s adds up, to the amounts of the document', (_name, document) => {
    const xml = facturX(invoiceOf(document));
    const [grand = NaN] = centsIn(xml, 'ram:GrandTotalAmount');
    const [tax = NaN] = centsIn(xml, 'ram:TaxTotalAmount');
    const [basis = NaN] = centsIn(xml, 'ram:TaxBasisTotalAmount');
    const [sumOfLines, ...others] = centsIn(xml, 'ram:LineTotalAmount').toReversed();
    const [prepaid = 0] = centsIn(xml, 'ram:TotalPrepaidAmount');
    expect([grand, tax]).toEqual([Math.abs(document.amountCents), Math.abs(document.tax?.cents ?? 0)]);
    // BR-CO-10, 13, 15 and 16.
    expect(sumOfLines).toBe(others.reduce((sum, cents) => sum + cents, 0));
    expect([basis, grand]).toEqual([sumOfLines, basis + tax]);
    expect(centsIn(xml, 'ram:DuePayableAmount')).toEqual([grand - prepaid]);
    // BR-CO-14 and BR-S-08.
    expect(centsIn(xml, 'ram:CalculatedAmount')).toEqual([tax]);
    expect(centsIn(xml, 'ram:BasisAmount')).toEqual([basis]);
    // BR-27: a price is never negative, and an amount is the price times the quantity.
    const prices = centsIn(xml, 'ram:ChargeAmount');
    const quantities = textsOf(xml, 'ram:BilledQuantity').map(Number);
    expect(others.toReversed()).toEqual(prices.map((price, at) => price * (quantities[at] ?? NaN) + 0));
    expect(prices.every((price) => price >= 0)).toBe(true);
  });

  // Proves DOCU-15
  it.each(CASES)('of %s has the same amounts and codes as UBL', (_name, document) => {
    const [cii, ubl] = [facturX(invoiceOf(document)), ublOf(invoiceOf(document))];
    for (const [ours, theirs] of [
      ['ram:GrandTotalAmount', 'cbc:TaxInclusiveAmount'],
      ['ram:TaxBasisTotalAmount', 'cbc:TaxExclusiveAmount'],
      ['ram:BasisAmount', 'cbc:TaxableAmount'],
      ['ram:DuePayableAmount', 'cbc:PayableAmount'],
      ['ram:TotalPrepaidAmount', 'cbc:PrepaidAmount'],
      ['ram:ChargeAmount', 'cbc:PriceAmount'],
      ['ram:ExemptionReasonCode', 'cbc:TaxExemptionReasonCode'],
      ['ram:ExemptionReason', 'cbc:TaxExemptionReason'],
      ['ram:BuyerReference', 'cbc:BuyerReference'],
      ['ram:Content', 'cbc:Note'],
    ] as const)
      expect([ours, textsOf(ubl, theirs).slice(0, textsOf(cii, ours).length)]).toEqual([
        ours,
        textsOf(cii, ours),
      ]);
  });

  // Proves DOCU-15
  it('has the tax of each price within a cent of the rate, and rounds nothing away', () => {
    for (const rate of [2_100, 5_500, 8_100, 19_000, 25_500, 27_000])
      for (let cents = 1; cents < 400; cents++) {
        const tax = { rate, cents: containedTax(cents, rate), country: 'DE', reason: null, sentence: null };
        const made = invoiceOf({ ...INVOICES['a standard rate'], amountCents: cents, tax });
        expect(made.netCents + made.taxCents).toBe(cents);
        // BR-S-09 allows less than one unit of the currency.
        expect(Math.abs(made.taxCents - (made.netCents * rate) / 100_000)).toBeLessThanOrEqual(1);
      }
  });
});

// Proves DOCU-15
it.each([
  ['on_top', 1190, 190],
  ['included', 1000, 160],
] as const)('1,000 lines of 0.01 with the tax %s add up', async (publisherTax, amountCents, cents) => {
  const publisher = INVOICES['a taxed publisher'];
  const rows = Array.from({ length: 1000 }, (_, n) => ({
    adPublicId: '0b8f1c1e-6d2d-4b57-9f0d-1d6a8c2b7e11',
    title: `Ad ${n}`,
    earnedCents: 1,
    commissionCents: 0,
  }));
  const content = { ...publisher.content, rows, publisherTax } as IssuedDocument['content'];
  const made = invoiceOf({ ...publisher, content, amountCents, tax: { ...publisher.tax, cents } });
  expect(made.lines).toHaveLength(1000);
  const net = made.lines.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0);
  expect([net, made.netCents, made.taxCents]).toEqual([amountCents - cents, amountCents - cents, cents]);
  expect(await schemaErrorsIn(facturX(made))).toEqual([]);
});

describe('the codes', () => {
  // Proves DOCU-15
  it.each([
    ['a standard rate', '380', 'S', '19.00', '48'],
    ['a rate of another country', '380', 'S', '27.00', '48'],
    ['a rate of zero', '380', 'Z', '0.00', '48'],
    ['a reverse charge', '380', 'AE', '0.00', '48'],
    ['not taxable', '380', 'O', null, '48'],
    ['a small seller', '380', 'E', '0.00', '48'],
    ['a seller outside of VAT', '380', 'O', null, '48'],
    ['a part of a sale', '381', 'S', '19.00', '48'],
    ['returned money', '380', 'S', '19.00', '48'],
    ['a taxed publisher', '389', 'S', '19.00', '97'],
    ['a month of corrections', '261', 'S', '19.00', '97'],
    ['a small publisher', '389', 'E', '0.00', '97'],
    ['a publisher abroad', '389', 'AE', '0.00', '97'],
    ['a publisher abroad without a rule', '389', 'O', null, '97'],
  ] as const)('of %s are %s, %s at %s, and %s', (name, type, category, percent, means) => {
    expect(of(name)).toMatchObject({ type, tax: { category, percent }, means });
  });

  // Proves DOCU-15
  it('name the reason why no tax is charged, in the words of the document', () => {
    expect(of('a reverse charge').tax.exemption).toEqual({
      code: 'VATEX-EU-AE',
      text: 'Reverse charge: the customer owes the tax.',
    });
    expect(of('not taxable').tax.exemption).toEqual({ code: 'VATEX-EU-O', text: 'Not subject to tax' });
    expect(of('a small publisher').tax.exemption).toEqual({
      code: null,
      text: 'The supplier states to be a small business that charges no tax.',
    });
    expect(of('a standard rate').tax.exemption).toBeNull();
  });

  // Proves DOCU-15
  it('tell VAT numbers from others, and leave them out where there is no VAT', () => {
    expect(of('a reverse charge')).toMatchObject({
      seller: { vatId: 'DE123456789', otherTaxId: null },
      buyer: { vatId: 'ATU12345678', otherTaxId: null, country: 'AT' },
    });
    expect(of('a small seller').seller).toMatchObject({ vatId: null, otherTaxId: '27/123/45678' });
    expect(of('a reverse charge without a known form').buyer).toMatchObject({
      vatId: null,
      otherTaxId: '12-3456789',
    });
    for (const { vatId } of [of('not taxable').seller, of('not taxable').buyer]) expect(vatId).toBeNull();
  });
});

describe('the contents', () => {
  // Proves DOCU-15
  it('of a credit note name the receipt, its day and the kept fee', () => {
    const { corrects, lines, netCents } = of('a kept fee');
    expect(corrects).toEqual({ number: 'R-2026-000001', issued: '2026-01-10' });
    expect(lines).toMatchObject([
      { quantity: 1, name: 'Advertising: “Bikes & more”' },
      { quantity: -1, name: 'Fee of the card provider, not refunded' },
    ]);
    expect((lines[0]?.priceCents ?? 0) - (lines[1]?.priceCents ?? 0)).toBe(netCents);
  });

  // Proves DOCU-15
  it('keep eleven scripts, and escape what means something in XML', async () => {
    const xml = facturX(of('hard texts'));
    const name = textsOf(xml, 'ram:Name').at(-1);
    expect(name).toBe(
      'Łódź Straße Ποδήλατα Велосипеды 上海自行车 株式会社カフェ 한국 شركة חנות विज्ञापन ร้าน Հայ 🚲 &lt;&amp;&gt;&quot;&#39; ]]&gt; ',
    );
    expect(textsOf(xml, 'ram:LineOne')[0]).toBe(name);
    expect(textsOf(xml, 'ram:LineThree')).toEqual(['10115 Berlin']);
    // The elements of UBL are the same texts in other names, so its well-formedness is what is left to ask.
    expect((await schemaErrorsIn(ublOf(of('hard texts')))).join('\n')).not.toContain('parser error');
  });

  const [taxed, reversed] = [INVOICES['a standard rate'], INVOICES['a reverse charge']];
  const lacking: [string, Partial<IssuedDocument>][] = [
    ['a marketplace without a country', { seller: { ...taxed.seller, country: null } }],
    ['a marketplace without a tax number', { seller: { ...taxed.seller, taxId: null } }],
    ['a customer without a country', { customer: { ...taxed.customer, country: null } }],
    ['a reverse charge without a number', { ...reversed, customer: { ...reversed.customer, taxId: null } }],
    ['a commission note', { content: { kind: 'commission_note', rows: [], earnedCents: 0 } }],
    ['a statement', { content: { kind: 'statement', rows: [], lines: 0, openingCents: 0 } }],
  ];
  // Proves DOCU-15
  it.each(lacking)('are no e-invoice for %s', (_name, changed) => {
    expect(eInvoiceOf({ ...taxed, ...changed })).toBeNull();
  });
});

describe('the rules that UBL follows', () => {
  const rulesIn = (name: keyof typeof INVOICES) => textsOf(ublOf(of(name)), 'cbc:CustomizationID');
  const endpointsIn = (name: keyof typeof INVOICES) =>
    [...ublOf(of(name)).matchAll(/<cbc:EndpointID schemeID="(\d+)">([^<]+)</g)].map(([, ...found]) => found);

  // Proves DOCU-16
  it('are those of Peppol where both parties have an address there', () => {
    const billing = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
    expect(rulesIn('a reverse charge')).toEqual([billing]);
    expect(endpointsIn('a reverse charge')).toEqual([
      ['9930', 'DE123456789'],
      ['9914', 'ATU12345678'],
    ]);
    expect(rulesIn('two Belgian parties')).toEqual([billing]);
    expect(endpointsIn('two Belgian parties')).toEqual([
      ['0208', '0477472701'],
      ['0208', '0202239951'],
    ]);
    expect(rulesIn('a publisher abroad')).toEqual([billing.replace('billing:3.0', 'selfbilling:3.0')]);
  });

  // Proves DOCU-16
  it('are those of EN 16931 for a person, and where a national rule asks for more', () => {
    for (const name of ['a standard rate', 'not taxable', 'a taxed publisher'] as const)
      expect([name, rulesIn(name)]).toEqual([name, ['urn:cen.eu:en16931:2017']]);
  });
});
