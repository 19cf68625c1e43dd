import { expect, it } from 'vitest';
import { price } from './inventory/contract.ts';
import { readPrice } from './price-input.ts';

it.each([
  ['12', '12'],
  ['12.50', '12.50'],
  ['12.5', '12.5'],
  ['10,50', '10.50'],
  ['10,5', '10.5'],
  ['12.', '12'],
  ['.5', '0.5'],
  [',50', '0.50'],
  ['$10', '10'],
  ['$ 10.00', '10.00'],
  ['10 USD', '10'],
  ['usd 10', '10'],
  ['10 $', '10'],
  ['1,000', '1000'],
  ['1,000.00', '1000.00'],
  ['1.000,00', '1000.00'],
  ['1 000', '1000'],
  ['1\u00a0000,50', '1000.50'],
  ["1'000.50", '1000.50'],
  ['12,345,678.90', '12345678.90'],
])('reads %s as %s', (typed, amount) => {
  expect(readPrice(typed, 'USD')).toBe(amount);
  expect(price.parse(amount)).toBe(amount);
});

it.each([
  '',
  'ten',
  '1.000',
  '1.999',
  '1,00,000',
  '1,000,00',
  '1.2.3',
  '1,000.999',
  '10 €',
  '€10',
  '1e3',
  '0x10',
  '--5',
])('refuses %s instead of guessing', (typed) => {
  expect(readPrice(typed, 'USD')).toBeNull();
});

it('leaves an amount below zero to the contract, which says why', () => {
  expect(readPrice('-5', 'USD')).toBe('-5');
  expect(price.safeParse('-5').error?.issues[0]?.message).toContain('above 0');
});

it('reads the marketplace’s own currency only', () => {
  expect(readPrice('€10,50', 'EUR')).toBe('10.50');
  expect(readPrice('10 EUR', 'EUR')).toBe('10');
  expect(readPrice('$10', 'EUR')).toBeNull();
  expect(readPrice('CA$10', 'CAD')).toBe('10');
  expect(readPrice('$10', 'CAD')).toBe('10');
  expect(readPrice('10 USD', 'CAD')).toBeNull();
});
