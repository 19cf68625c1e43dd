import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsOf, CURRENCIES, currencySymbol, decimalOf, divideHalfUp, moneyText } from './money.ts';

describe('money', () => {
  // Proves ENT-40, OP-091
  it('is read from decimals into whole cents', () => {
    expect(centsOf('19.99')).toBe(1999);
    expect(centsOf('0.5')).toBe(50);
    expect(centsOf('7')).toBe(700);
    expect(centsOf('-3.05')).toBe(-305);
    expect(centsOf('99999999.99')).toBe(9_999_999_999);
  });

  // Proves ENT-40
  it.each(['', '1.234', '1e3', '1,00', ' 1', 'NaN', '.5', '5.', '--1', '0x1'])(
    'is not read from %j',
    (text) => {
      expect(() => centsOf(text)).toThrow(RangeError);
    },
  );

  // Proves ENT-40
  it('is shown as Intl.NumberFormat writes it in English', () => {
    for (const currency of CURRENCIES) {
      const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
      fc.assert(
        fc.property(fc.integer({ min: -1e11, max: 1e11 }), (cents) => {
          expect(moneyText(decimalOf(cents), currency)).toBe(format.format(cents / 100));
        }),
      );
    }
    expect(moneyText('1234.5', 'CAD')).toBe('CA$1,234.50');
    expect(() => moneyText('1e3', 'USD')).toThrow(RangeError);
  });

  // Proves ENT-40, TXN-07
  it('is written with two decimals', () => {
    expect(decimalOf(1999)).toBe('19.99');
    expect(decimalOf(5)).toBe('0.05');
    expect(decimalOf(0)).toBe('0.00');
    expect(decimalOf(-305)).toBe('-3.05');
    expect(() => decimalOf(1.5)).toThrow(RangeError);
    expect(() => decimalOf(Number.NaN)).toThrow(RangeError);
  });

  // Proves ENT-40
  it('keeps every amount when it is written and read again', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), (cents) => {
        expect(decimalOf(cents)).toMatch(/^-?\d+\.\d{2}$/);
        expect(centsOf(decimalOf(cents))).toBe(cents);
      }),
    );
  });

  // Proves BOOK-06
  it.each(CURRENCIES)('has the symbol that formatted amounts in %s have', (currency) => {
    const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0);
    expect(currencySymbol(currency)).toBe(parts.find(({ type }) => type === 'currency')?.value);
  });

  // Proves OP-091
  it('is divided with rounding half up', () => {
    expect(divideHalfUp(1, 2)).toBe(1);
    expect(divideHalfUp(3, 2)).toBe(2);
    expect(divideHalfUp(149, 100)).toBe(1);
    expect(divideHalfUp(150, 100)).toBe(2);
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.integer({ min: 1, max: 10_000 }), (numerator, denominator) => {
        const quotient = divideHalfUp(numerator, denominator);
        // The error is at most one half, and exactly one half only upward.
        expect(2 * (quotient * denominator - numerator)).toBeGreaterThan(-denominator);
        expect(2 * (quotient * denominator - numerator)).toBeLessThanOrEqual(denominator);
      }),
    );
  });
});
