/**
 * A sandbox in place of a card provider, in which no money moves. It behaves like a real provider in everything the
 * product depends on: ids, idempotency keys, several tries per intent, and events that arrive later.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  AUTHENTICATION_FAILED,
  cardSummary,
  expiryOutcome,
  sandboxOutcome,
} from '#domain/payments/sandbox-cards.ts';
import { utcDay } from '#domain/time.ts';
import type { Database, Tx } from '../db/database.ts';
import { enqueue } from '../db/job-queue.ts';
import { type PaymentIntent, type PaymentProvider, ProviderError, type Refund } from './payment-provider.ts';
import { changeObject, createOnce, newId, readObject } from './sandbox-objects.ts';
import { sandboxPayouts } from './sandbox-payouts.ts';

/** The card that the form in the browser sends to the provider. Only brand and last four digits are stored. */
export type SandboxCard = { number: string; expMonth: number; expYear: number; cvc: string };

export type SandboxProvider = PaymentProvider & {
  name: 'sandbox';
  /** Pays an intent. Throws ProviderError 'declined'. An intent that is already paid stays paid. */
  confirm(clientSecret: string, card: SandboxCard): Promise<PaymentIntent>;
  /** Ends the bank's 3-D Secure check as the advertiser chose. Throws ProviderError 'declined' for 'fail'. */
  authenticate(clientSecret: string, outcome: 'complete' | 'fail'): Promise<PaymentIntent>;
};

export function isSandbox(provider: PaymentProvider): provider is SandboxProvider {
  return provider.name === 'sandbox';
}

/** '{id}_secret_{random}' -> the intent's id. */
export function intentOfSecret(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] ?? '';
}

export const SANDBOX_NOTICE = 'Sandbox payments: no money moves';

/** Stripe's minimum charge in US dollars (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const MINIMUM_CENTS = 50;

type StoredIntent = PaymentIntent & { refunded?: number };

export function createSandbox(db: Database, now: () => Date): SandboxProvider {
  return {
    name: 'sandbox',
    mode: 'sandbox',
    book: 'sandbox',
    clientConfig: () => ({ notice: SANDBOX_NOTICE }),

    async createCustomer({ metadata }, key) {
      const id = newId('cus');
      return createOnce(db, { kind: 'cus', key, parameters: { metadata }, data: { id }, id }, now());
    },

    async createIntent(intent, key) {
      if (intent.amount < MINIMUM_CENTS) {
        const message = 'The amount must be at least $0.50. Choose another pricing option.';
        throw new ProviderError('invalid', message, { code: 'amount_too_small', userMessage: message });
      }
      const id = newId('pi');
      const data: StoredIntent = {
        id,
        clientSecret: `${id}_secret_${randomBytes(18).toString('base64url')}`,
        status: 'requires_payment',
        amount: intent.amount,
        amountReceived: 0,
        currency: intent.currency,
        customerId: intent.customerId,
        chargeId: null,
        chargedAt: null,
        card: null,
        balanceTransaction: null,
        lastError: null,
        metadata: intent.metadata,
        live: false,
        createdAt: now(),
      };
      const { id: made } = await createOnce(db, { kind: 'pi', key, parameters: intent, data, id }, now());
      // With a reused key the intent may be an older one in a later state.
      return readIntent(db, made);
    },

    getIntent: (id) => readIntent(db, id),

    async cancelIntent(id) {
      return changeIntent(id, (intent) => {
        if (intent.status === 'succeeded') {
          throw new ProviderError('conflict', 'This intent has already succeeded', {
            code: 'payment_intent_unexpected_state',
          });
        }
        return intent.status === 'canceled' ? {} : { status: 'canceled' };
      });
    },

    async refund({ intentId, amount, metadata }, key) {
      const id = newId('re');
      const data: Refund = {
        id,
        intentId,
        status: 'succeeded',
        amount,
        currency: 'USD',
        failureReason: null,
        balanceTransaction: {
          id: newId('txn'),
          type: 'refund',
          sourceId: id,
          amount: -amount,
          fee: 0,
          net: -amount,
          currency: 'USD',
          exchangeRate: null,
          createdAt: now(),
          availableAt: now(),
        },
        failureBalanceTransaction: null,
        metadata,
        createdAt: now(),
      };
      let made: Refund | undefined;
      await changeObject<StoredIntent>(db, 'pi', intentId, now(), async (intent, tx) => {
        const parameters = { intentId, amount, metadata };
        made = await createOnce(tx, { kind: 're', key, parameters, data, id }, now());
        if (made.id !== id) return {};
        const refunded = (intent.refunded ?? 0) + amount;
        if (refunded > intent.amountReceived) {
          throw new ProviderError('invalid', 'Refund amount is greater than what was charged', {
            code: 'charge_already_refunded',
          });
        }
        return { refunded };
      });
      return made as Refund;
    },

    getRefund: (id) => readObject<Refund>(db, 're', id),

    async confirm(clientSecret, card) {
      const declined: { error: PaymentIntent['lastError'] } = { error: null };
      const intent = await changeIntent(intentOfSecret(clientSecret), (intent) => {
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
          declined.error = { code, declineCode, message };
          return { status: 'requires_payment', lastError: declined.error };
        }
        const kept = {
          card: { ...cardSummary(card.number), fingerprint: fingerprintOf(card.number) },
          lastError: null,
        };
        return outcome.result === 'requires_action'
          ? { ...kept, status: 'requires_action' }
          : { ...kept, ...charged(intent) };
      });
      if (declined.error) throw declinedError(declined.error);
      return intent;
    },

    async authenticate(clientSecret, outcome) {
      const intent = await changeIntent(intentOfSecret(clientSecret), (intent) => {
        requireSecret(intent, clientSecret);
        if (intent.status === 'succeeded') return {};
        if (intent.status !== 'requires_action') {
          throw new ProviderError('conflict', 'This payment does not require authentication', {
            code: 'payment_intent_unexpected_state',
          });
        }
        if (outcome === 'complete') return charged(intent);
        return { status: 'requires_payment', lastError: AUTHENTICATION_FAILED };
      });
      if (intent.status !== 'succeeded') throw declinedError(AUTHENTICATION_FAILED);
      return intent;
    },

    async billingPortal(customerId, returnUrl) {
      await readObject(db, 'cus', customerId);
      return { url: new URL('/api/sandbox/billing-portal', returnUrl).href };
    },

    async forgetCustomer(id) {
      await changeObject<{ forgotten?: boolean }>(db, 'cus', id, now(), () => ({ forgotten: true }));
    },

    ...sandboxPayouts(db, now),

    intentsSince: notBuilt,
    refundsOf: notBuilt,
    getDispute: notBuilt,
    getFraudWarning: notBuilt,
    undeliveredEvents: notBuilt,
    balanceTransactionsSince: notBuilt,
    prepare: async () => [],

    readEvent() {
      throw new ProviderError('invalid', 'The sandbox accepts no events from outside');
    },
  };

  /** Changes an intent. If its state changes, the same transaction records the event about it. */
  async function changeIntent(
    id: string,
    change: (intent: StoredIntent) => Partial<StoredIntent>,
  ): Promise<PaymentIntent> {
    const stored = await changeObject<StoredIntent>(db, 'pi', id, now(), async (intent, tx) => {
      const changes = change(intent);
      const event = eventOf(changes);
      if (event) await recordEvent(tx, event, id, now());
      return changes;
    });
    return withoutCard(stored);
  }
}

function notBuilt(): never {
  throw new Error('The sandbox has no such call yet');
}

async function readIntent(db: Tx, id: string): Promise<PaymentIntent> {
  return withoutCard(await readObject<StoredIntent>(db, 'pi', id));
}

/**
 * Names a card as a real provider does, so that its declines can be counted. Letters only: nothing that is stored may
 * look like a card number.
 */
function fingerprintOf(number: string): string {
  const hash = createHash('sha256').update(number.replaceAll(/\D/g, '')).digest();
  return Array.from(hash.subarray(0, 16), (byte) => String.fromCodePoint(97 + (byte % 26))).join('');
}

function withoutCard(stored: StoredIntent): PaymentIntent {
  const { refunded: _refunded, ...intent } = stored;
  return intent;
}

function charged(intent: StoredIntent): Partial<StoredIntent> {
  return { status: 'succeeded', amountReceived: intent.amount, chargeId: newId('ch'), lastError: null };
}

function judge(card: SandboxCard, now: Date) {
  const outcome = sandboxOutcome(card.number);
  const expired =
    outcome.result === 'declined' ? null : expiryOutcome(card.expMonth, card.expYear, utcDay(now));
  return expired ?? outcome;
}

function declinedError({
  code,
  declineCode,
  message,
}: NonNullable<PaymentIntent['lastError']>): ProviderError {
  return new ProviderError('declined', message, { code, declineCode, userMessage: message });
}

// The client that knows the secret may pay this one intent.
function requireSecret(intent: PaymentIntent, given: string): void {
  const [right, tried] = [Buffer.from(intent.clientSecret), Buffer.from(given)];
  if (right.length !== tried.length || !timingSafeEqual(right, tried)) {
    throw new ProviderError('not_found', 'No such payment', { code: 'resource_missing' });
  }
}

function eventOf(changes: Partial<StoredIntent>): string | null {
  if (changes.status === 'succeeded') return 'payment_intent.succeeded';
  if (changes.status === 'canceled') return 'payment_intent.canceled';
  return changes.lastError ? 'payment_intent.payment_failed' : null;
}

async function recordEvent(tx: Tx, type: string, objectId: string, at: Date): Promise<void> {
  const id = newId('evt');
  await tx
    .insertInto('providerEvents')
    .values({
      id,
      source: 'account',
      type,
      payload: JSON.stringify({ objectId }),
      createdAt: at,
      receivedAt: at,
    })
    .execute();
  await enqueue(tx, 'apply-provider-event', { eventId: id });
}
