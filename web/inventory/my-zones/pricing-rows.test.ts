import { expect, it } from 'vitest';
import { bodyOfRow, isToBeSaved, NEW_ROW, pricingSchema, type PricingRow } from './pricing-rows.ts';

const row = (fields: Partial<PricingRow>): PricingRow => ({ ...NEW_ROW, price: '20', ...fields });

function issuesOf(...rows: PricingRow[]): string[] {
  const issues = pricingSchema.safeParse({ rows }).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

// Proves GEN-13
it('starts a new row as per_day with a duration of 1', () => {
  expect(NEW_ROW).toMatchObject({ pricingModel: 'per_day', amount: '1' });
});

it('neither saves nor validates a row without a price', () => {
  const empty = row({ price: '  ', amount: 'nonsense' });
  expect(isToBeSaved(empty)).toBe(false);
  expect(issuesOf(empty)).toEqual([]);
});

it('does not save a row twice', () => {
  expect(isToBeSaved(row({ saved: true }))).toBe(false);
});

it.each([
  ['per_day', { duration: 7, impressions: null, clicks: null }],
  ['per_impression', { duration: null, impressions: 7, clicks: null }],
  ['per_click', { duration: null, impressions: null, clicks: 7 }],
] as const)('sends the amount of a %s row, and null for the other two amounts', (pricingModel, amounts) => {
  expect(bodyOfRow(row({ pricingModel, amount: '7' }))).toMatchObject({ price: '20', ...amounts });
});

it('shows each error of the contract at the field that caused it', () => {
  expect(
    issuesOf(
      row({ price: '1.999' }),
      row({ pricingModel: 'per_click', amount: '' }),
      row({ pricingModel: 'per_impression', amount: '1.5' }),
    ),
  ).toEqual([
    'rows.0.price: Enter a price like 12.50 or 1,000',
    'rows.1.amount: Clicks are required',
    'rows.2.amount: Impressions must be a whole number',
  ]);
});

it('sends a price as the server takes it, however it was typed', () => {
  expect(['10,50', '$10', '1,000.00'].map((price) => bodyOfRow(row({ price })).price)).toEqual([
    '10.50',
    '10',
    '1000.00',
  ]);
});
