import { expect, it } from 'vitest';
import { advertiseHereUrl, houseText } from './house.ts';

// Proves API-55
it('gives an empty zone a text with its price, or a text that it is available', () => {
  const day = { pricingModel: 'per_day', duration: 1, impressions: null, clicks: null } as const;
  const views = {
    pricingModel: 'per_impression',
    duration: null,
    impressions: 10_000,
    clicks: null,
  } as const;
  expect(houseText({ price: '25.00', plan: day }, 'USD')).toBe('from $25.00 for 1 day');
  expect(houseText({ price: '9.50', plan: views }, 'USD')).toBe('from $9.50 for 10,000 impressions');
  expect(houseText({ price: '25.00', plan: day }, 'EUR')).toBe('from €25.00 for 1 day');
  expect(houseText(null, 'USD')).toBe('This ad space is available.');
});

// Proves API-55
it('links an empty zone to the wizard with this ad zone selected', () => {
  expect(advertiseHereUrl('https://ads.example', 'w', 'z')).toBe(
    'https://ads.example/create-ad?website=w&zone=z',
  );
});
