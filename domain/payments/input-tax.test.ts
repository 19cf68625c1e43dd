import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputTaxBooked, inputTaxFormula, PUBLISHER_TAXES, taxOfEarnings } from './input-tax.ts';

describe('the tax of earnings', () => {
  // Proves BOOK-206
  it.each([
    [8500, 'on_top', 1615, 10_115],
    [8500, 'included', 1357, 8500],
    [-8500, 'on_top', -1615, -10_115],
    [-8500, 'included', -1357, -8500],
    [2550, 'on_top', 485, 3035],
    [1, 'on_top', 0, 1],
    [0, 'on_top', 0, 0],
  ] as const)('of %i cents, paid %s, is %i of %i', (earned, paid, taxCents, amountCents) => {
    expect(taxOfEarnings(earned, { rate: 19_000, paid })).toEqual({ taxCents, amountCents });
  });

  // Proves BOOK-206
  it('is that of the sum, and goes back to the cent, whatever the sum is', () => {
    const rates = fc.constantFrom(0, 7000, 8100, 19_000, 20_000, 25_000);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 13 }), rates, (cents, rate) => {
        for (const paid of PUBLISHER_TAXES) {
          const [there, back] = [taxOfEarnings(cents, { rate, paid }), taxOfEarnings(-cents, { rate, paid })];
          expect(there.taxCents + back.taxCents).toBe(0);
          expect(there.amountCents + back.amountCents).toBe(0);
        }
      }),
    );
  });

  // Proves BOOK-206
  it('is booked against the publisher, who owes what a balance does not have, or against the commission', () => {
    const accounts = { publisherId: 1, taxAccountId: 2 };
    const booked = (paid: (typeof PUBLISHER_TAXES)[number], taxCents: number, payable: number) =>
      inputTaxBooked(accounts, { paid, taxCents }, payable).map(({ account, amountCents }) => [
        account.kind,
        amountCents,
      ]);
    expect(booked('on_top', 1615, 0)).toEqual([
      ['input_tax', 1615],
      ['publisher_payable', -1615],
    ]);
    expect(booked('on_top', -1615, 1000)).toEqual([
      ['input_tax', -1615],
      ['publisher_payable', 1000],
      ['publisher_receivable', 615],
    ]);
    expect(booked('included', 1357, 0)).toEqual([
      ['input_tax', 1357],
      ['commission', -1357],
    ]);
    expect(inputTaxFormula(8500, 19_000)).toBe('85.00 × 19%');
  });
});
