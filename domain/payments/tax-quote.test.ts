import { expect, it } from 'vitest';
import { parseTaxTable } from './tax-table.ts';
import { type QuotedSale, taxQuote } from './tax-quote.ts';

const TABLE = parseTaxTable(`{"version": 2, "seller": "DE", "countries": {
  "DE": [{"rate": "19.00"}, {"from": "2027-07-01", "rate": "16.00"}],
  "FR": {"rate": "20.00", "business": "reverse_charge", "sentence": "Reverse charge."},
  "US": {"rate": "0.00", "reason": "not_taxed"}}}`);
const SALE: QuotedSale = {
  country: 'DE',
  buyer: 'private',
  day: '2027-01-15',
  priceCents: 11_900,
  commissionPercent: 15,
  split: 'net',
  currency: 'USD',
};
const quoted = (changes: Partial<QuotedSale>, table = TABLE as Parameters<typeof taxQuote>[0]) =>
  taxQuote(table, { ...SALE, ...changes });

// Proves OWNS-65
it('says what an advertiser pays, the tax inside it, and what publisher and marketplace have of it', () => {
  expect(quoted({})).toBe(
    'A private person in Germany pays $119.00 for an option of $119.00. It contains $19.00 of tax (19%), so $100.00 is the net amount. The publisher earns $85.00, and your commission is $15.00.',
  );
  expect(quoted({ buyer: 'company_with_number', split: 'gross' })).toBe(
    'A company in Germany with a tax number pays $119.00 for an option of $119.00. It contains $19.00 of tax (19%), so $100.00 is the net amount. The publisher earns $101.15, and your commission is $17.85.',
  );
  expect(quoted({ day: '2027-07-01', priceCents: 11_600 })).toContain('It contains $16.00 of tax (16%)');
});

it('says why a sale contains no tax, and what the receipt says about it', () => {
  expect(quoted({ country: 'FR', buyer: 'company_with_number', priceCents: 10_000 })).toBe(
    'A company in France with a tax number pays $100.00 for an option of $100.00. It contains no tax, because the company accounts for it (reverse charge). The receipt says: “Reverse charge.” The publisher earns $85.00, and your commission is $15.00.',
  );
  expect(quoted({ country: 'FR', buyer: 'company', priceCents: 12_000 })).toContain(
    'A company in France without a tax number pays $120.00 for an option of $120.00. It contains $20.00 of tax (20%)',
  );
  expect(quoted({ country: 'US' })).toContain('It contains no tax, because the sale is not taxed.');
  expect(quoted({ country: 'JP' })).toContain('No tax is shown, because no rule applies to this country.');
  expect(quoted({}, null)).toContain('No tax is shown, because no rule applies to this country.');
});
