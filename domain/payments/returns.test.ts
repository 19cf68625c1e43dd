import { describe, expect, it } from 'vitest';
import { createReturns, type ReturnedDocument, taxCodeOf, vatNumberOf } from './returns.ts';

const RECEIPT: ReturnedDocument = {
  kind: 'receipt',
  date: '2027-02-10',
  originalDate: null,
  country: 'FR',
  vatNumber: null,
  code: 'oss',
  rate: 20_000,
  netCents: 10_000,
  taxCents: 2000,
  isDeducted: false,
};
const ITALIAN = {
  ...RECEIPT,
  country: 'IT',
  vatNumber: 'IT12345678901',
  code: 'reverse_charge',
  rate: 0,
} as const;

function returnsOf(...documents: ReturnedDocument[]) {
  const returns = createReturns();
  for (const document of documents) returns.add(document);
  return returns.rows();
}

describe('the rows of returns', () => {
  // Proves BOOK-207
  it('have output and input tax by month, country and rate, without documents from before there was input tax', () => {
    const domestic = { ...RECEIPT, code: 'domestic', country: 'DE', rate: 19_000, taxCents: 1900 } as const;
    const bought = { ...domestic, kind: 'self_billing', netCents: 8500, taxCents: 1615 } as const;
    const { tax } = returnsOf(
      domestic,
      { ...domestic, kind: 'credit_note', netCents: -5000, taxCents: -950 },
      { ...bought, isDeducted: true },
      bought,
      ITALIAN,
    );
    expect(tax).toEqual([
      {
        month: '2027-02',
        country: 'DE',
        rate: 19_000,
        outputNetCents: 5000,
        outputTaxCents: 950,
        inputNetCents: 8500,
        inputTaxCents: 1615,
      },
    ]);
  });

  // Proves BOOK-202
  it('add up sales and corrections of a quarter, and keep those of an earlier quarter under that one', () => {
    const note = { ...RECEIPT, kind: 'credit_note', netCents: -4000, taxCents: -800 } as const;
    const { oss, recapitulative } = returnsOf(
      RECEIPT,
      { ...note, date: '2027-03-31', originalDate: '2027-02-10' },
      { ...note, date: '2027-04-01', originalDate: '2027-02-10' },
      { ...RECEIPT, code: 'domestic', country: 'DE' },
      { ...RECEIPT, kind: 'self_billing' },
    );
    expect(recapitulative).toEqual([]);
    expect(oss).toEqual([
      {
        quarter: '2027-Q1',
        originalQuarter: null,
        country: 'FR',
        rate: 20_000,
        documents: 2,
        netCents: 6000,
        taxCents: 1200,
      },
      {
        quarter: '2027-Q2',
        originalQuarter: '2027-Q1',
        country: 'FR',
        rate: 20_000,
        documents: 1,
        netCents: -4000,
        taxCents: -800,
      },
    ]);
  });

  // Proves BOOK-202
  it('have one line for each VAT number and month, of the EU and under reverse charge alone', () => {
    const { oss, recapitulative } = returnsOf(
      { ...ITALIAN, taxCents: 0 },
      { ...ITALIAN, kind: 'credit_note', netCents: -2500, taxCents: 0 },
      { ...ITALIAN, date: '2027-03-01', taxCents: 0 },
      { ...ITALIAN, country: 'CH', vatNumber: 'CHE123456789', taxCents: 0 },
    );
    expect(oss).toEqual([]);
    expect(recapitulative.map(({ month, vatNumber, netCents }) => [month, vatNumber, netCents])).toEqual([
      ['2027-02', 'IT12345678901', 7500],
      ['2027-03', 'IT12345678901', 10_000],
    ]);
  });

  it('tell a tax of our own country from that of others', () => {
    const at = (country: string, rate = 20_000) => ({ country, rate, reason: null });
    expect(taxCodeOf(at('DE'), 'DE')).toBe('domestic');
    expect(taxCodeOf(at('FR'), 'DE')).toBe('oss');
    expect(taxCodeOf(at('GR'), 'DE')).toBe('oss');
    expect(taxCodeOf(at('CH'), 'DE')).toBe('abroad');
    expect(taxCodeOf(at('FR'), null)).toBe('taxed');
    expect(taxCodeOf(at('FR', 0), 'DE')).toBe('zero');
    expect(taxCodeOf({ ...at('IT', 0), reason: 'reverse_charge' }, 'DE')).toBe('reverse_charge');
    expect(taxCodeOf(null, 'DE')).toBe('none');
    expect(vatNumberOf({ country: 'GR', taxId: '123 456 789' })).toBe('EL123456789');
    expect(vatNumberOf({ country: 'DE', taxId: '12/345/67890' })).toBe('12/345/67890');
    expect(vatNumberOf({ country: 'DE', taxId: null })).toBeNull();
  });
});
