import { expect, it } from 'vitest';
import { suggestedDayPrice } from './suggested-price.ts';

const of = (likely: number, basis: 'zone' | 'declared' = 'zone') =>
  suggestedDayPrice({ basis, viewsPerDay: { low: 1, likely, high: likely * 2 } });

it('suggests half a cent for each view of a day, in steps of fifty cents and at least 1.00', () => {
  expect(of(1700)).toEqual({
    price: '8.50',
    reason: 'Suggested for 1,700 views a day. You can change it at any time.',
  });
  expect(of(1740).price).toBe('8.50');
  expect(of(1760).price).toBe('9.00');
  expect(of(12).price).toBe('1.00');
});

it('suggests a price to start with for a zone without traffic figures', () => {
  expect(of(1, 'declared')).toEqual({
    price: '5.00',
    reason: 'A price to start with. You can change it at any time.',
  });
});
