/** The ways to pay an intent: by the form in the browser, and by a saved card. */
import { AUTHENTICATION_FAILED, expiryOutcome, savedOutcome } from '#domain/payments/sandbox-cards.ts';
import { utcDay } from '#domain/time.ts';
import {
  AUTHENTICATION_REQUIRED,
  type PaymentIntent,
  type PaymentProvider,
  ProviderError,
} from '../payment-provider.ts';
import { declinedError, judge, listedCard, type SandboxCard } from './cards.ts';
import { intentOfSecret, requireSecret } from './client-secret.ts';
import type { Sandbox } from './events.ts';
import { changeIntent, charge } from './intents.ts';
import { readObject } from './objects.ts';
import type { StoredCard } from './setups.ts';

export type SandboxPaying = Pick<PaymentProvider, 'chargeSaved'> & {
  /** Pays an intent. Throws ProviderError 'declined'. An intent that is already paid stays paid. */
  confirm(clientSecret: string, card: SandboxCard): Promise<PaymentIntent>;
  /** Ends the bank's 3-D Secure check as the advertiser chose. Throws ProviderError 'declined' for 'fail'. */
  authenticate(clientSecret: string, outcome: 'complete' | 'fail'): Promise<PaymentIntent>;
};

export function sandboxPaying(sandbox: Sandbox): SandboxPaying {
  const { db, now } = sandbox;
  return {
    async confirm(clientSecret, card) {
      const declined: { error: PaymentIntent['lastError'] } = { error: null };
      const intent = await changeIntent(sandbox, intentOfSecret(clientSecret), async (intent, tx) => {
        requireSecret(intent, clientSecret);
        if (intent.status === 'succeeded') return {};
        if (intent.status === 'canceled') {
          throw new ProviderError('conflict', 'This payment was canceled', {
            code: 'payment_intent_unexpected_state',
          });
        }
        const outcome = judge(card, now());
        if (outcome.result === 'declined') {
          const { code, declineCode, message } = outcome;
          declined.error = { code, ...(declineCode !== undefined && { declineCode }), message };
          return { status: 'requires_payment', card: listedCard(intent, card), lastError: declined.error };
        }
        const kept = { card: listedCard(intent, card), lastError: null };
        return outcome.result === 'requires_action'
          ? { ...kept, status: 'requires_action' }
          : { ...kept, ...(await charge(sandbox, tx, intent)) };
      });
      if (declined.error) throw declinedError(declined.error);
      return intent;
    },

    async authenticate(clientSecret, outcome) {
      const intent = await changeIntent(sandbox, intentOfSecret(clientSecret), async (intent, tx) => {
        requireSecret(intent, clientSecret);
        if (intent.status === 'succeeded') return {};
        if (intent.status !== 'requires_action') {
          throw new ProviderError('conflict', 'This payment does not require authentication', {
            code: 'payment_intent_unexpected_state',
          });
        }
        if (outcome === 'complete') return charge(sandbox, tx, intent);
        return { status: 'requires_payment', lastError: AUTHENTICATION_FAILED };
      });
      if (intent.status !== 'succeeded') throw declinedError(AUTHENTICATION_FAILED);
      return intent;
    },

    async chargeSaved({ intentId, cardId, isPresent = false }, key) {
      const card = await readObject<StoredCard>(db, 'pm', cardId);
      return await changeIntent(sandbox, intentId, async (intent, tx) => {
        if (card.isForgotten || card.customerId !== intent.customerId)
          throw new ProviderError('invalid', 'The card is not attached to the customer of this payment');
        if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.chargeKey === key)
          return {};
        const expired = expiryOutcome(card.expMonth, card.expYear, utcDay(now()));
        // A bank declines an expired card with this code.
        const outcome = expired
          ? { result: 'declined' as const, code: 'expired_card', message: 'Your card has expired.' }
          : savedOutcome(card.last4);
        const { brand, last4, fingerprint } = card;
        const tried = { chargeKey: key, card: { brand, last4, fingerprint } };
        if (outcome.result !== 'declined') return { ...tried, ...(await charge(sandbox, tx, intent)) };
        return { ...tried, ...refusedCharge(outcome, isPresent) };
      });
    },
  };
}

/** Payments after a declined saved card: a bank that wants its customer waits for one who is there. */
function refusedCharge(
  { code, declineCode, message }: { code: string; declineCode?: string; message: string },
  isPresent: boolean,
): Pick<PaymentIntent, 'status' | 'lastError'> {
  if (isPresent && code === AUTHENTICATION_REQUIRED) return { status: 'requires_action', lastError: null };
  const lastError = { code, ...(declineCode !== undefined && { declineCode }), message };
  return { status: 'requires_payment', lastError };
}
