import { expect, it } from 'vitest';
import { SANDBOX_CARDS } from '#domain/payments/sandbox-cards.ts';
import { cardSchema, groupDigits } from './card-fields.ts';

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada Bell' };

function errorsOf(fields: Partial<typeof CARD>): string[] {
  return cardSchema.safeParse({ ...CARD, ...fields }).error?.issues.map(({ message }) => message) ?? [];
}

it('reads the expiry date as it is printed on a card', () => {
  expect(cardSchema.parse(CARD)).toEqual({ ...CARD, expiry: { expMonth: 12, expYear: 2034 } });
  expect(cardSchema.parse({ ...CARD, expiry: '1/2040' }).expiry).toEqual({ expMonth: 1, expYear: 2040 });
});

it('accepts every listed test card, including those that are declined later', () => {
  expect(SANDBOX_CARDS.flatMap(({ number }) => errorsOf({ number: groupDigits(number) }))).toEqual([]);
});

// Proves OP-096
it('rejects a number that could be a real card before anything is sent', () => {
  expect(errorsOf({ number: '4111 1111 1111 1111' })).toEqual([
    'The sandbox accepts only the listed test cards. Never enter a real card.',
  ]);
});

it('rejects an invalid number with the provider’s message', () => {
  expect(errorsOf({ number: '4242 4242 4242 4241' })).toEqual(['Your card number is incorrect.']);
  expect(errorsOf({ number: '' })[0]).toBe('Your card number is incomplete.');
});

it('rejects an expiry date that is invalid or in the past', () => {
  expect(errorsOf({ expiry: '13 / 40' })).toEqual(["Your card's expiration date is incomplete."]);
  expect(errorsOf({ expiry: '1234' })).toEqual(["Your card's expiration date is incomplete."]);
  expect(errorsOf({ expiry: '01 / 20' })).toEqual(["Your card's expiration date is in the past."]);
});
