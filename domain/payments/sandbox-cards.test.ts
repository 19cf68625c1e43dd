import { expect, it } from 'vitest';
import { cardSummary, expiryOutcome, SANDBOX_CARDS, sandboxOutcome } from './sandbox-cards.ts';

// Proves PAY-07
it.each([
  ['4242 4242 4242 4242', 'succeeds'],
  ['5555-5555-5555-4444', 'succeeds'],
  ['4000000000003220', 'requires_action'],
])('%s %s, with or without separators', (number, result) => {
  expect(sandboxOutcome(number)).toEqual({ result });
});

// Proves PAY-07
it.each([
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000000069', 'expired_card', undefined, 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
  [
    '4000000000000119',
    'processing_error',
    undefined,
    'An error occurred while processing your card. Try again in a little bit.',
  ],
])('%s is declined with %s / %s', (number, code, declineCode, message) => {
  const outcome = sandboxOutcome(number);
  expect(outcome).toMatchObject({ result: 'declined', code, message });
  expect(outcome.result === 'declined' && outcome.declineCode).toBe(declineCode);
});

// Proves PAY-07
it.each(['4242424242424241', '4000000000000000', '1234', '', 'abcd', '42424242424242424242'])(
  'declines %j as an incorrect number',
  (number) => {
    expect(sandboxOutcome(number)).toMatchObject({ result: 'declined', code: 'incorrect_number' });
  },
);

// These numbers pass the Luhn check but are not on our list: examples of other networks, and one that could be real.
// Proves PAY-07
it.each(['4111111111111111', '378282246310005', '6011111111111117', '4539578763621486'])(
  'refuses %s, which could be real',
  (number) => {
    expect(sandboxOutcome(number)).toMatchObject({
      code: 'sandbox_card_only',
      message: 'The sandbox accepts only the listed test cards. Never enter a real card.',
    });
  },
);

// Proves PAY-07
it('accepts a card until the end of its expiry month', () => {
  expect(expiryOutcome(11, 2026, '2026-11-30')).toBeNull();
  expect(expiryOutcome(11, 26, '2026-11-30')).toBeNull();
  expect(expiryOutcome(10, 2026, '2026-11-01')).toMatchObject({ code: 'invalid_expiry_month' });
  expect(expiryOutcome(12, 25, '2026-11-01')).toMatchObject({ code: 'invalid_expiry_year' });
});

// Proves PAY-07
it('keeps only the brand and the last four digits of a card', () => {
  expect(cardSummary('4242 4242 4242 4242')).toEqual({ brand: 'visa', last4: '4242' });
  expect(cardSummary('5555555555554444')).toEqual({ brand: 'mastercard', last4: '4444' });
  expect(SANDBOX_CARDS.every(({ number }) => cardSummary(number).last4 === number.slice(-4))).toBe(true);
});
