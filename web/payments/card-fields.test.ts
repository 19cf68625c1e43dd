import { expect, it } from 'vitest';
import { SANDBOX_CARDS } from '#domain/payments/sandbox-cards.ts';
import { cardSchema, groupDigits } from './card-fields.ts';

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada Bell' };

function refusals(fields: Partial<typeof CARD>): string[] {
  return cardSchema.safeParse({ ...CARD, ...fields }).error?.issues.map(({ message }) => message) ?? [];
}

it('reads a card as it is written on one', () => {
  expect(cardSchema.parse(CARD)).toEqual({ ...CARD, expiry: { expMonth: 12, expYear: 2034 } });
  expect(cardSchema.parse({ ...CARD, expiry: '1/2040' }).expiry).toEqual({ expMonth: 1, expYear: 2040 });
});

it('every listed test card may be sent, the declined ones too', () => {
  expect(SANDBOX_CARDS.flatMap(({ number }) => refusals({ number: groupDigits(number) }))).toEqual([]);
});

// Proves OP-096
it('a number that could be a real card is refused before anything is sent', () => {
  expect(refusals({ number: '4111 1111 1111 1111' })).toEqual([
    'The sandbox accepts only the listed test cards. Never enter a real card.',
  ]);
});

it('a number that is none is refused in the words of the provider', () => {
  expect(refusals({ number: '4242 4242 4242 4241' })).toEqual(['Your card number is incorrect.']);
  expect(refusals({ number: '' })[0]).toBe('Your card number is incomplete.');
});

it('an expiry that is no month, or has passed, is refused', () => {
  expect(refusals({ expiry: '13 / 40' })).toEqual(["Your card's expiration date is incomplete."]);
  expect(refusals({ expiry: '1234' })).toEqual(["Your card's expiration date is incomplete."]);
  expect(refusals({ expiry: '01 / 20' })).toEqual(["Your card's expiration date is in the past."]);
});
