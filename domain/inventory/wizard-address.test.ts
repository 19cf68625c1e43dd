import { expect, it } from 'vitest';
import { quantityFrom } from './quantity.ts';
import { adSpaceAddress, firstType, wizardAddress } from './wizard-address.ts';

it('a link to the wizard has the choices that it makes, and no others', () => {
  expect(wizardAddress({ website: 'w', zone: 'z' })).toBe('/create-ad?website=w&zone=z');
  expect(
    wizardAddress({ website: 'w', zone: 'z', type: undefined, option: 7, quantity: 2, start: '2026-12-03' }),
  ).toBe('/create-ad?website=w&zone=z&option=7&quantity=2&start=2026-12-03');
});

it('the link of an ad zone names the type only where no text ads are sold', () => {
  expect(adSpaceAddress('w', 'z', ['image', 'text'])).toBe('/create-ad?website=w&zone=z');
  expect(adSpaceAddress('w', 'z', ['video', 'image'])).toBe('/create-ad?website=w&zone=z&type=image');
  expect(firstType([])).toBe('text');
});

it('a wish is met by the next quantity that is sold, or by the largest', () => {
  const option = { price: '1.00', minQuantity: 2, maxQuantity: 9, step: 3, volumePrices: [] };
  expect([0, 2, 2.1, 5, 6, 8, 9, 100].map((wish) => quantityFrom(option, wish))).toEqual([
    2, 2, 5, 5, 8, 8, 8, 8,
  ]);
});
