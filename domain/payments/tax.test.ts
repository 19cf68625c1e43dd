import { describe, expect, it } from 'vitest';
import {
  containedTax,
  deferredTax,
  parseTaxTable,
  percentOf,
  rateText,
  reversedTax,
  splitTaxed,
  taxFor,
  type TaxTable,
} from './tax.ts';

describe('a table of tax rates', () => {
  // Proves OWNS-64
  it.each([
    'no JSON',
    '[]',
    'null',
    '{"XX": "19.00"}',
    '{"de": "19.00"}',
    '{"Default": "0"}',
    '{"DE": 19}',
    '{"DE": "-1"}',
    '{"DE": "100.001"}',
    '{"DE": "101"}',
    '{"DE": "19,00"}',
    '{"DE": "19.0000"}',
    '{"DE": ""}',
    '{"DE": null}',
    '{"DE": "19.00", "DE": "7.00"}',
  ])('is refused with a reason: %s', (text) => {
    expect(() => parseTaxTable(text)).toThrow(/^must .+/);
  });

  // Proves DOCU-04
  it('has a rate for a country, and the default for all others', () => {
    const rateOf = (table: TaxTable | null, country: string) =>
      taxFor(table, { country, isBusiness: true })?.rate ?? null;
    const rates = parseTaxTable(
      '{"default": "0.00", "DE": "19.00", "CH": "8.1", "CA": "14.975", "US": "100"}',
    );
    expect(['DE', 'CH', 'CA', 'US', 'FR'].map((country) => rateOf(rates, country))).toEqual([
      19_000, 8100, 14_975, 100_000, 0,
    ]);
    expect(rateOf(parseTaxTable('{"DE": "19.00"}'), 'FR')).toBeNull();
    expect(rateOf(parseTaxTable('{"DE": "19.00"}'), 'constructor')).toBeNull();
    expect(rateOf(null, 'DE')).toBeNull();
    expect([19_000, 8100, 14_975, 0].map(rateText)).toEqual(['19%', '8.1%', '14.975%', '0%']);
  });
});

describe('the tax inside a price', () => {
  // Proves DOCU-04
  it('is rounded half up to the cent, also for the largest price', () => {
    expect(containedTax(11_900, 19_000)).toBe(1900);
    expect(containedTax(10_000, 19_000)).toBe(1597);
    // 1.5 cents
    expect(containedTax(3, 100_000)).toBe(2);
    expect(containedTax(1, 0)).toBe(0);
    expect(containedTax(999_999_999_999_999, 100_000)).toBe(500_000_000_000_000);
  });

  // Proves DOCU-04
  it('is reversed in proportion, and ends at nothing whatever the parts are', () => {
    for (const [totalCents, rate] of [
      [10_000, 19_000],
      [9_999, 8100],
      [7, 100_000],
    ] as const) {
      const receipt = { amountCents: totalCents, taxCents: containedTax(totalCents, rate), rate };
      let reversed = 0;
      for (let refunded = 1; refunded <= totalCents; refunded++) {
        const next = reversedTax(receipt, refunded);
        expect(next).toBeGreaterThanOrEqual(reversed);
        reversed = next;
      }
      expect(reversed).toBe(receipt.taxCents);
    }
  });
});

const V2 = (countries: string, more = '') =>
  `{"version": 2, "seller": "DE", "countries": {${countries}}${more}}`;
const DE = '"DE": {"rate": "19.00", "business": "charge"}';

describe('a table of version 2', () => {
  // Proves OWNS-64
  it.each([
    [V2(`${DE}, ${DE}`), '“DE” only once'],
    [V2('"DE": {"rate": "100"}'), '“DE” a rate from "0.00" to "99.99"'],
    [V2('"DE": {"rate": "-1"}'), '“DE” a rate from'],
    [V2('"DE": {"rate": 19}'), '“DE” a rate from'],
    [V2('"DE": {}'), '“DE” a rate from'],
    [V2('"DE": "19.00"'), '“DE” an object'],
    [V2('"XX": {"rate": "1.00"}'), 'instead of “XX”'],
    [V2('"DE": {"rate": "19.00", "rates": "1"}'), 'instead of “rates”'],
    [V2(DE, ', "currency": "EUR"'), 'instead of “currency”'],
    [V2('"IT": {"rate": "22.00", "business": "reverse_charge"}'), '“IT” a sentence about the reverse charge'],
    [V2('"IT": {"rate": "22.00", "business": "reverse_charge", "sentence": " "}'), '“IT” a sentence'],
    [V2('"IT": {"rate": "22.00", "business": "exempt"}'), '“IT” the business'],
    [
      V2('"IT": {"rate": "22.00", "reason": "not_taxed"}'),
      '“IT” the reason "not_taxed" with the rate "0.00"',
    ],
    [`{"version": 3, "seller": "DE", "countries": {}}`, '"version": 2'],
    [`{"version": 2, "countries": {}}`, '"seller"'],
    [`{"version": 2, "seller": "DE"}`, '"countries"'],
    [`{"version": 2, "seller": "de", "countries": {}}`, 'instead of “de”'],
  ])('is refused: %s', (text, says) => {
    expect(() => parseTaxTable(text)).toThrow(/^must /);
    expect(() => parseTaxTable(text)).toThrow(says);
  });

  // Proves OWNS-64
  it('charges by the country, and a business with a tax number where the country says so', () => {
    const table = parseTaxTable(
      V2(
        `${DE}, "IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "Reverse charge: \\"DE\\": you owe it."}`,
        ', "default": {"rate": "0.00", "reason": "not_taxed", "sentence": "Not taxable."}',
      ),
    );
    const of = (country: string, isBusiness: boolean) => taxFor(table, { country, isBusiness });
    expect(of('DE', true)).toEqual({ country: 'DE', rate: 19_000, reason: null, sentence: null });
    expect(of('IT', false)).toEqual({ country: 'IT', rate: 22_000, reason: null, sentence: null });
    expect(of('IT', true)).toEqual({
      country: 'IT',
      rate: 0,
      reason: 'reverse_charge',
      sentence: 'Reverse charge: "DE": you owe it.',
    });
    expect(of('US', false)).toEqual({
      country: 'US',
      rate: 0,
      reason: 'not_taxed',
      sentence: 'Not taxable.',
    });
    expect(of('constructor', false)?.reason).toBe('not_taxed');
    expect(taxFor(null, { country: 'DE', isBusiness: false })).toBeNull();
    expect([19_000, 8100, 0, 14_975].map(percentOf)).toEqual(['19.00', '8.10', '0.00', '14.975']);
  });
});

describe('a price with tax', () => {
  // Proves OWNS-65
  it('is split after the tax with net, and before it with gross', () => {
    expect(splitTaxed(11_900, 15, { rate: 19_000, split: 'net' })).toEqual({
      taxCents: 1900,
      feeCents: 1500,
      commissionCents: 3400,
      earningsCents: 8500,
    });
    // The fee of 17.85 does not pay the tax, so the marketplace loses 1.15.
    expect(splitTaxed(11_900, 15, { rate: 19_000, split: 'gross' })).toEqual({
      taxCents: 1900,
      feeCents: 1785,
      commissionCents: 1785,
      earningsCents: 10_115,
    });
    expect(splitTaxed(100, 0, { rate: 25_000, split: 'gross' })).toMatchObject({
      commissionCents: 0,
      taxCents: 20,
    });
  });

  // Proves OWNS-65, OWNS-67
  it('adds up for every price to 1,000.00, and every 97th to 10,000.00, over up to six refunds', () => {
    const seen = { wrong: 0, parts: 0 };
    for (const rate of [0, 7700, 8100, 19_000, 20_000, 25_000])
      for (let amountCents = 50; amountCents <= 1_000_000; amountCents += amountCents < 100_000 ? 1 : 97) {
        for (const split of ['net', 'gross'] as const) {
          const sale = splitTaxed(amountCents, 15, { rate, split });
          const fee = sale.feeCents;
          const net = amountCents - sale.taxCents;
          if (sale.earningsCents + sale.commissionCents !== amountCents) seen.wrong++;
          if (split === 'net' ? net !== fee + sale.earningsCents : amountCents !== fee + sale.earningsCents)
            seen.wrong++;
          if (split === 'gross') continue;
          // The parts differ from price to price, and their number is 1 to 6.
          let [back, tax] = [0, 0];
          for (let part = 1 + (amountCents % 6); part >= 1; part--) {
            const next =
              part === 1
                ? amountCents
                : back + Math.floor(((amountCents - back) * (1 + (back % 7))) / (part * 8));
            const reversed = reversedTax({ amountCents, taxCents: sale.taxCents, rate }, next);
            const left = deferredTax({ amountCents, taxCents: sale.taxCents }, amountCents - next);
            if (reversed < tax || left < 0 || left > sale.taxCents) seen.wrong++;
            [back, tax] = [next, reversed];
            seen.parts++;
          }
          if (tax !== sale.taxCents) seen.wrong++;
        }
      }
    expect(seen).toEqual({ wrong: 0, parts: expect.any(Number) });
  }, 60_000);
});
