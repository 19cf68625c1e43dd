/** Customers, payment intents and charges of the stand-in for Stripe. */
import { createHmac, randomBytes } from 'node:crypto';
import { type Currency, decimalOf, moneyText } from '#domain/money.ts';
import { MINIMUM_CENTS } from '#domain/payments/limits.ts';
import { sandboxOutcome } from '#domain/payments/sandbox-cards.ts';
import { metadataOf, type Operations, Refused, type StripeAccount, type StripeObject } from './account.ts';

/** The traits of a card. Like Stripe's, the fingerprint names the card without being its number. */
export function cardOf(number: string) {
  return {
    brand: number.startsWith('5') ? 'mastercard' : 'visa',
    last4: number.slice(-4),
    fingerprint: createHmac('sha256', 'stand-in').update(number).digest('base64url').slice(0, 16),
  };
}

export function openTill(account: StripeAccount) {
  const { all, add, get, remove, newId, move, pageOf, seconds, tell } = account;
  /** The cards of the intents that wait for 3-D Secure. */
  const cards = new Map<string, string>();

  function charge(intent: StripeObject, number: string, failure: Refused | null): StripeObject {
    const card = cardOf(number);
    const made = add({
      id: newId('ch'),
      object: 'charge',
      amount: intent['amount'],
      amount_refunded: 0,
      currency: intent['currency'],
      created: seconds(),
      status: failure ? 'failed' : 'succeeded',
      paid: !failure,
      payment_intent: intent.id,
      customer: intent['customer'],
      metadata: intent['metadata'],
      transfer_group: intent['transfer_group'],
      balance_transaction: null,
      payment_method_details: { type: 'card', card },
    });
    intent['latest_charge'] = made.id;
    return made;
  }

  function succeed(intent: StripeObject, number: string): StripeObject {
    charge(intent, number, null);
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent['amount'],
      last_payment_error: null,
      next_action: null,
    });
    tell('payment_intent.succeeded', intent);
    return intent;
  }

  function decline(intent: StripeObject, number: string, error: Record<string, unknown>): never {
    const refused = new Refused(402, { type: 'card_error', message: '', ...error });
    const { payment_method_details: details } = charge(intent, number, refused) as unknown as {
      payment_method_details: { card: object };
    };
    intent['status'] = 'requires_payment_method';
    intent['last_payment_error'] = {
      type: 'card_error',
      ...error,
      payment_method: { id: newId('pm'), object: 'payment_method', type: 'card', card: details.card },
    };
    tell('payment_intent.payment_failed', intent);
    const { type, message } = { type: 'card_error', ...error } as { type: string; message: string };
    throw new Refused(402, { ...refused.error, type, message });
  }

  function intentOf(clientSecret: string): StripeObject {
    const intent = get(clientSecret.split('_secret_')[0], 'payment_intent');
    if (intent['client_secret'] !== clientSecret)
      throw new Refused(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'No such payment_intent',
      });
    return intent;
  }

  function requirePayable(intent: StripeObject): void {
    if (['succeeded', 'canceled', 'processing'].includes(String(intent['status']))) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `This PaymentIntent's status is ${String(intent['status'])}.`,
      });
    }
  }

  function pay(clientSecret: string, number: string): StripeObject {
    const intent = intentOf(clientSecret);
    requirePayable(intent);
    const digits = number.replaceAll(/\D/g, '');
    const outcome = sandboxOutcome(digits);
    if (outcome.result === 'declined') {
      const { code, declineCode, message } = outcome;
      return decline(intent, digits, { code, ...(declineCode && { decline_code: declineCode }), message });
    }
    return outcome.result === 'requires_action' ? challenge(intent, digits) : succeed(intent, digits);
  }

  function challenge(intent: StripeObject, digits: string): StripeObject {
    cards.set(intent.id, digits);
    Object.assign(intent, {
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
      last_payment_error: null,
    });
    return intent;
  }

  function authenticate(clientSecret: string, outcome: 'complete' | 'fail'): StripeObject {
    const intent = intentOf(clientSecret);
    requirePayable(intent);
    const card = cards.get(intent.id) ?? '4242424242424242';
    if (outcome === 'complete') return succeed(intent, card);
    return decline(intent, card, {
      // Stripe's type of a failed challenge, although it is the bank that refused.
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different one and try again.',
    });
  }

  function makeFeesKnown(): void {
    for (const one of all('charge').toReversed()) {
      if (one['balance_transaction'] !== null || one['status'] !== 'succeeded') continue;
      const amount = Number(one['amount']);
      one['balance_transaction'] = move('charge', amount, Math.round(amount * 0.029) + 30, one.id).id;
      tell('charge.updated', one);
    }
  }

  /** A bank that takes its time. */
  function process(clientSecret: string): StripeObject {
    const intent = intentOf(clientSecret);
    requirePayable(intent);
    intent['status'] = 'processing';
    tell('payment_intent.processing', intent);
    return intent;
  }

  const operations: Operations = {
    'POST /v1/customers': ({ email, name, ...rest }) =>
      add({
        id: newId('cus'),
        object: 'customer',
        email: email ?? null,
        name: name ?? null,
        metadata: metadataOf(rest),
        created: seconds(),
        livemode: false,
      }),

    'DELETE /v1/customers/{id}': (_, [id]) => {
      get(id, 'customer');
      remove(id);
      return { id, object: 'customer', deleted: true };
    },

    'POST /v1/payment_intents': (given) => {
      const amount = Number(given['amount']);
      const currency = String(given['currency']).toUpperCase();
      const least = MINIMUM_CENTS[currency as Currency];
      if (amount < least) {
        throw new Refused(400, {
          type: 'invalid_request_error',
          code: 'amount_too_small',
          message: `Amount must be at least ${moneyText(decimalOf(least), currency as Currency)}`,
          param: 'amount',
        });
      }
      if (given['customer'] !== undefined) get(given['customer'], 'customer');
      const id = newId('pi');
      const intent = add({
        id,
        object: 'payment_intent',
        amount,
        amount_received: 0,
        automatic_payment_methods: { enabled: true },
        capture_method: 'automatic_async',
        client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
        created: seconds(),
        currency: given['currency'],
        customer: given['customer'] ?? null,
        description: given['description'] ?? null,
        last_payment_error: null,
        latest_charge: null,
        livemode: false,
        metadata: metadataOf(given),
        next_action: null,
        status: 'requires_payment_method',
        transfer_group: given['transfer_group'] ?? null,
      });
      tell('payment_intent.created', intent);
      return intent;
    },
    'GET /v1/payment_intents': (given) => pageOf(all('payment_intent'), given, '/v1/payment_intents'),
    'GET /v1/payment_intents/{id}': (_, [id]) => get(id, 'payment_intent'),
    'POST /v1/payment_intents/{id}/cancel': (_, [id]) => {
      const intent = get(id, 'payment_intent');
      requirePayable(intent);
      intent['status'] = 'canceled';
      tell('payment_intent.canceled', intent);
      return intent;
    },
  };

  return {
    operations,
    requirePayable,
    succeed,
    challenge,
    decline,
    intentOf,
    pay,
    authenticate,
    process,
    settle: (intentId: string) => succeed(get(intentId, 'payment_intent'), '4242424242424242'),
    makeFeesKnown,
  };
}
