import { describe, expect, it } from 'vitest';
import { containedTax, parseTaxRates, rateOf, rateText, reversedTax } from './tax.ts';

describe('a table of tax rates', () => {
  // Proves DOCU-12
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
  ])('is refused with a reason: %s', (text) => {
    expect(() => parseTaxRates(text)).toThrow(/^must .+/);
  });

  // Proves DOCU-04
  it('has a rate for a country, and the default for all others', () => {
    const rates = parseTaxRates(
      '{"default": "0.00", "DE": "19.00", "CH": "8.1", "CA": "14.975", "US": "100"}',
    );
    expect(['DE', 'CH', 'CA', 'US', 'FR', null].map((country) => rateOf(rates, country))).toEqual([
      19_000, 8100, 14_975, 100_000, 0, 0,
    ]);
    expect(rateOf(parseTaxRates('{"DE": "19.00"}'), 'FR')).toBeNull();
    expect(rateOf(parseTaxRates('{"DE": "19.00"}'), 'constructor')).toBeNull();
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
      const receipt = { totalCents, taxCents: containedTax(totalCents, rate) };
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
