/** The sandbox's cards, as Stripe documents its test cards (docs.stripe.com/testing). */

export type CardOutcome =
  | { result: 'succeeds' }
  | { result: 'requires_action' }
  | { result: 'declined'; code: string; declineCode?: string; message: string };

export const SANDBOX_CARDS: { number: string; label: string; outcome: CardOutcome }[] = [
  { number: '4242424242424242', label: 'Succeeds', outcome: { result: 'succeeds' } },
  { number: '5555555555554444', label: 'Succeeds (Mastercard)', outcome: { result: 'succeeds' } },
  { number: '4000000000003220', label: 'Asks for confirmation', outcome: { result: 'requires_action' } },
  {
    number: '4000000000000002',
    label: 'Declined',
    outcome: {
      result: 'declined',
      code: 'card_declined',
      declineCode: 'generic_decline',
      message: 'Your card was declined.',
    },
  },
  {
    number: '4000000000009995',
    label: 'Insufficient funds',
    outcome: {
      result: 'declined',
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  },
  {
    number: '4000000000000069',
    label: 'Expired card',
    outcome: { result: 'declined', code: 'expired_card', message: 'Your card has expired.' },
  },
  {
    number: '4000000000000127',
    label: 'Wrong security code',
    outcome: {
      result: 'declined',
      code: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
    },
  },
  {
    number: '4000000000000119',
    label: 'Processing error',
    outcome: {
      result: 'declined',
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
];

const INCORRECT_NUMBER: CardOutcome = {
  result: 'declined',
  code: 'incorrect_number',
  message: 'Your card number is incorrect.',
};

const REAL_LOOKING: CardOutcome = {
  result: 'declined',
  code: 'sandbox_card_only',
  message: 'Sandbox accepts only the listed test cards. Never enter a real card.',
};

/**
 * What the sandbox does with a card. A number that could be real is refused before anything else happens to it;
 * the browser asks this first, so such a number is never even sent.
 */
export function sandboxOutcome(number: string): CardOutcome {
  const digits = number.replaceAll(/[\s-]/g, '');
  const card = SANDBOX_CARDS.find((known) => known.number === digits);
  if (card) return card.outcome;
  return passesLuhn(digits) ? REAL_LOOKING : INCORRECT_NUMBER;
}

function passesLuhn(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = digit * 2;
    if (place % 2 === 0) sum += digit;
    else sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
