import { describe, expect, it } from 'vitest';
import { containedTax, deferredTax, reversedTax, splitTaxed } from './tax.ts';

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
