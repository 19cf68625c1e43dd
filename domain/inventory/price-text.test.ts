import { expect, it } from 'vitest';
import { amountText, offerText, productText, unitPriceText } from './price-text.ts';
import { planOf } from './pricing.ts';

const perDay = (duration: number) =>
  planOf({ pricingModel: 'per_day', duration, impressions: null, clicks: null });
const perImpression = (impressions: number) =>
  planOf({ pricingModel: 'per_impression', duration: null, impressions, clicks: null });
const perClick = (clicks: number) =>
  planOf({ pricingModel: 'per_click', duration: null, impressions: null, clicks });

// Proves CRE-14
it('shows a per-click option by its price per click', () => {
  expect(unitPriceText(5000, perClick(100), 'USD')).toBe('$0.50 per click');
});

// Proves CRE-14
it('shows a per-impression option by its price per 1,000 impressions', () => {
  expect(unitPriceText(2000, perImpression(10_000), 'USD')).toBe('$2.00 per 1K impressions');
});

it('shows a per-day option by its price per day', () => {
  expect(unitPriceText(123_456_00, perDay(7), 'USD')).toBe('$17,636.57 per day');
});

it('names the quantity that is bought, in the singular for one', () => {
  expect([perDay(1), perDay(30), perImpression(10_000), perClick(1)].map(amountText)).toEqual([
    '1 day',
    '30 days',
    '10,000 impressions',
    '1 click',
  ]);
});

it('shows a price as a product, whose factor may be rounded', () => {
  expect(
    (
      [
        [1400, perDay(7)],
        [2500, perDay(7)],
        [4000, perImpression(20_000)],
        [90, perClick(3)],
      ] as const
    ).map(([cents, plan]) => productText(cents, plan, 'USD')),
  ).toEqual(['7 days × $2.00', '7 days × about $3.57', '20,000 views × $2.00 per 1,000', '3 clicks × $0.30']);
});

it('shows a price with what it buys', () => {
  expect(
    (
      [
        ['25.00', perDay(7)],
        ['4.00', perDay(1)],
        ['0.40', perClick(1)],
        ['50.00', perClick(100)],
        ['90.00', perImpression(20_000)],
        ['1.00', perImpression(1)],
      ] as const
    ).map(([price, plan]) => offerText(price, plan, 'USD')),
  ).toEqual([
    '$25.00 per 7 days',
    '$4.00 per day',
    '$0.40 per click',
    '$50.00 per 100 clicks',
    '$90.00 per 20,000 views',
    '$1.00 per view',
  ]);
});
