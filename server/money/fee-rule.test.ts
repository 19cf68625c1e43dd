/**
 * Finds the next copy of the rule of the fee. A change of it touches domain/payments/split.ts, and for taxed prices
 * domain/payments/tax.ts. Everything else reads `ads.commission_amount` or the stored parts of the payment
 * (docs/decisions/091-tax-is-a-liability.md).
 */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SOURCES = new Map(
  globSync(['{domain,server,web,tag}/**/*.{ts,tsx,sql}'])
    .filter(
      (file) =>
        !/\.test\.tsx?$|^(?:server|web)\/testing\/|^server\/platform\/database\/migrations\/|^server\/platform\/database\/tables\.ts$/.test(
          file,
        ),
    )
    .map((file) => [
      file,
      // Without comments.
      readFileSync(file, 'utf8').replaceAll(/^\s*(?:--|\*|\/\*|\/\/).*$/gm, ''),
    ]),
);
const filesWith = (pattern: RegExp): string[] =>
  [...SOURCES]
    .filter(([, text]) => pattern.test(text))
    .map(([file]) => file)
    .toSorted();

describe('the fee', () => {
  // Proves OWNS-60
  it('is computed from a percent only by its owner', () => {
    const percent = String.raw`(?:\w+\.)*(?:default_?)?commission_?percent`;
    expect(filesWith(new RegExp(String.raw`${percent}\b\)?\s*[*/]|[*/]\s*\(?${percent}\b`, 'i'))).toEqual([]);
    expect(filesWith(/\bhundredthsOf\(/)).toEqual(['domain/payments/split.ts']);
  });

  // Proves OWNS-60, OWNS-65
  it('is decided for a price and a fee as typed, for a forecast, at the submission, and with the tax of the payment', () => {
    expect(filesWith(/\bsplitPrice\(/)).toEqual(
      [
        'domain/payments/split.ts',
        'domain/payments/tax.ts',
        'server/ads/availability.ts',
        'server/ads/submit/submit.ts',
        'web/inventory/my-zones/price-suggestion.tsx',
        'web/operator/settings/setting-control.tsx',
      ].toSorted(),
    );
    expect(filesWith(/\bsplitTaxed\(/)).toEqual(
      ['domain/payments/tax-quote.ts', 'domain/payments/tax.ts', 'server/money/checkout/tax.ts'].toSorted(),
    );
  });

  // Proves OWNS-65
  it('is told apart from the tax only where a payment is stored and guarded', () => {
    expect(filesWith(/\btax(?:Split|_split)\b/)).toEqual(
      [
        'server/platform/database/functions/money/guard_payment.sql',
        'server/platform/database/functions/ads/live_ad_is_paid.sql',
        'server/money/checkout/payment.ts',
        'server/money/checkout/tax.ts',
        // What a table of tax rates would do, as the operator asks.
        'server/operator/console/settings.ts',
        'server/platform/settings/marketplace.ts',
      ].toSorted(),
    );
  });

  // Proves OP-091
  it('is rounded half up by the function that rounds all money', () => {
    expect(filesWith(/function divideHalfUp\b|\(2n? \* \w+ \+ \w+\) \/ \(2n? \* /)).toEqual([
      'domain/money.ts',
    ]);
  });
});
