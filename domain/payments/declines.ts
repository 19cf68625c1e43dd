/** The advertiser's next step after a decline, by the codes of the card provider (https://docs.stripe.com/declines/codes). */
const STEPS: Record<string, string> = {
  insufficient_funds: 'Use another card, or add money to this one.',
  expired_card: 'Use another card.',
  incorrect_number: 'Check the number.',
  incorrect_cvc: 'Check the security code on the card.',
  invalid_cvc: 'Check the security code on the card.',
  invalid_expiry_month: 'Check the expiry date.',
  invalid_expiry_year: 'Check the expiry date.',
};

/** The messages of these codes say what to do next. */
const COMPLETE = new Set([
  'processing_error',
  'payment_intent_authentication_failure',
  'setup_intent_authentication_failure',
  'sandbox_card_only',
  'card_not_kept',
]);

const OTHERWISE = 'Try another card, or ask your bank. Nothing was charged.';

/** The provider's words about a card that could not be charged or saved, and what to do next. [CHK-601] */
export function declineText({
  message,
  code,
  declineCode,
}: {
  message: string;
  code?: string | undefined;
  declineCode?: string | undefined;
}): string {
  if (COMPLETE.has(code ?? '')) return message;
  return `${message} ${STEPS[declineCode ?? ''] ?? STEPS[code ?? ''] ?? OTHERWISE}`;
}
