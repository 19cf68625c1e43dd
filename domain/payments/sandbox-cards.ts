/** The sandbox's cards, with the outcomes of Stripe's test cards (https://docs.stripe.com/testing). */

export type CardOutcome =
  | { result: 'succeeds' }
  | { result: 'requires_action' }
  | { result: 'declined'; code: string; declineCode?: string; message: string };

type SandboxCard = {
  number: string;
  label: string;
  outcome: CardOutcome;
  /** The outcome of a charge without the owner, and of saving the card, where they differ from `outcome`. */
  whenSaved?: CardOutcome;
  whileSaving?: CardOutcome;
};

const DECLINED: CardOutcome = {
  result: 'declined',
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};

export const SANDBOX_CARDS: SandboxCard[] = [
  { number: '4242424242424242', label: 'Succeeds', outcome: { result: 'succeeds' } },
  { number: '5555555555554444', label: 'Succeeds (Mastercard)', outcome: { result: 'succeeds' } },
  { number: '4000000000000259', label: 'Succeeds, then disputed', outcome: { result: 'succeeds' } },
  {
    number: '4000000000003220',
    label: 'Requires verification',
    outcome: { result: 'requires_action' },
    whenSaved: { result: 'succeeds' },
  },
  {
    number: '4000002760003184',
    label: 'Requires verification at every charge',
    outcome: { result: 'requires_action' },
    whenSaved: {
      result: 'declined',
      code: 'authentication_required',
      declineCode: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
    },
  },
  { number: '4000000000000002', label: 'Declined', outcome: DECLINED },
  {
    number: '4000000000000341',
    label: 'Can be saved, declined when charged',
    outcome: DECLINED,
    whileSaving: { result: 'succeeds' },
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

/** The last four digits of the card whose bank disputes each payment. */
export const DISPUTED_LAST4 = '0259';

const INCORRECT_NUMBER: CardOutcome = {
  result: 'declined',
  code: 'incorrect_number',
  message: 'Your card number is incorrect.',
};

const REAL_LOOKING: CardOutcome = {
  result: 'declined',
  code: 'sandbox_card_only',
  message: 'The sandbox accepts only the listed test cards. Never enter a real card.',
};

/**
 * The sandbox's outcome for a card number. Every number that is not on the list is refused, so that no real card is used.
 * The browser calls this function before it sends the form, so a real number never leaves it.
 */
export function sandboxOutcome(number: string): CardOutcome {
  const digits = number.replaceAll(/[\s-]/g, '');
  const card = SANDBOX_CARDS.find((known) => known.number === digits);
  if (card) return card.outcome;
  return passesLuhn(digits) ? REAL_LOOKING : INCORRECT_NUMBER;
}

/** The sandbox's outcome of saving a card for later charges. */
export function savingOutcome(number: string): CardOutcome {
  const digits = number.replaceAll(/[\s-]/g, '');
  return SANDBOX_CARDS.find((known) => known.number === digits)?.whileSaving ?? sandboxOutcome(number);
}

/** The sandbox's outcome of a charge to a saved card. It keeps no numbers, so the last four digits decide. */
export function savedOutcome(last4: string): CardOutcome {
  const card = SANDBOX_CARDS.find(({ number }) => number.endsWith(last4));
  return card?.whenSaved ?? card?.outcome ?? INCORRECT_NUMBER;
}

const EXPIRED_MONTH: CardOutcome = {
  result: 'declined',
  code: 'invalid_expiry_month',
  message: "Your card's expiration date is in the past.",
};

const EXPIRED_YEAR: CardOutcome = {
  result: 'declined',
  code: 'invalid_expiry_year',
  message: "Your card's expiration year is in the past.",
};

/** The decline of an expired card, or null. A card is valid until the end of its month; a two-digit year means 20xx. */
export function expiryOutcome(expMonth: number, expYear: number, today: string): CardOutcome | null {
  const year = expYear < 100 ? 2000 + expYear : expYear;
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number];
  if (year < thisYear) return EXPIRED_YEAR;
  return year === thisYear && expMonth < thisMonth ? EXPIRED_MONTH : null;
}

/** The only card data that may be stored. */
export function cardSummary(number: string): { brand: 'visa' | 'mastercard'; last4: string } {
  const digits = number.replaceAll(/[\s-]/g, '');
  return { brand: digits.startsWith('4') ? 'visa' : 'mastercard', last4: digits.slice(-4) };
}

/** The decline after a failed 3-D Secure challenge. */
export const AUTHENTICATION_FAILED = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

function passesLuhn(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  let sum = 0;
  for (let position = 0; position < digits.length; position++) {
    const digit = Number(digits[digits.length - 1 - position]);
    const doubled = digit * 2;
    if (position % 2 === 0) sum += digit;
    else sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
