/** The test cards: how each of them behaves, and what is stored of it. */
import { createHash } from 'node:crypto';
import { cardSummary, expiryOutcome, sandboxOutcome, savingOutcome } from '#domain/payments/sandbox-cards.ts';
import { utcDay } from '#domain/time.ts';
import { type PaymentIntent, ProviderError, type SavedCard } from '../payment-provider.ts';

/** The card that the form in the browser sends to the provider. Only brand and last four digits are stored. */
export type SandboxCard = { number: string; expMonth: number; expYear: number; cvc: string };

type Buyer = { customerId: string | null };

/**
 * Names a card as a real provider does, so that its declines can be counted. Everybody rehearses with the same few numbers,
 * so each buyer has cards of their own. It has only letters, because no stored text may look like a card number.
 */
function fingerprintOf({ customerId }: Buyer, number: string): string {
  const hash = createHash('sha256')
    .update(`${customerId} ${number.replaceAll(/\D/g, '')}`)
    .digest();
  return Array.from(hash.subarray(0, 16), (byte) => String.fromCodePoint(97 + (byte % 26))).join('');
}

/** The behaviour of a card that is being saved, and its traits if it is on the list. */
export type Saving = {
  error: { code: string; declineCode?: string; message: string } | null;
  isChallenged: boolean;
  card: Omit<SavedCard, 'id'> | null;
};

/** Null for a number that is not on the list. It may be a real one, of which no part may be stored. */
export function listedCard(buyer: Buyer, { number }: SandboxCard): PaymentIntent['card'] {
  const outcome = sandboxOutcome(number);
  const isListed =
    outcome.result !== 'declined' || !['sandbox_card_only', 'incorrect_number'].includes(outcome.code);
  return isListed ? { ...cardSummary(number), fingerprint: fingerprintOf(buyer, number) } : null;
}

export function judge(card: SandboxCard, now: Date) {
  const outcome = sandboxOutcome(card.number);
  const expired =
    outcome.result === 'declined' ? null : expiryOutcome(card.expMonth, card.expYear, utcDay(now));
  return expired ?? outcome;
}

export function savingOf(buyer: Buyer, card: SandboxCard, now: Date): Saving {
  const { expMonth, expYear } = card;
  const outcome = savingOutcome(card.number);
  const expired = outcome.result === 'declined' ? null : expiryOutcome(expMonth, expYear, utcDay(now));
  const last = expired ?? outcome;
  const listed = listedCard(buyer, card);
  return {
    error: last.result === 'declined' ? last : null,
    isChallenged: last.result === 'requires_action',
    card: listed && { ...listed, expMonth, expYear: expYear < 100 ? 2000 + expYear : expYear },
  };
}

export function declinedError({
  code,
  declineCode,
  message,
}: NonNullable<PaymentIntent['lastError']>): ProviderError {
  return new ProviderError('declined', message, {
    code,
    ...(declineCode !== undefined && { declineCode }),
    userMessage: message,
  });
}
