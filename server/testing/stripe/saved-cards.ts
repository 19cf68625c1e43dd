/** The cards that the stand-in for Stripe saves, and its charges without their owners. */
import { randomBytes } from 'node:crypto';
import { savedOutcome, savingOutcome } from '#domain/payments/sandbox-cards.ts';
import { metadataOf, type Operations, Refused, type StripeAccount, type StripeObject } from './account.ts';
import { cardOf, type openTill } from './intents.ts';

export function openSavedCards(account: StripeAccount, till: ReturnType<typeof openTill>) {
  const { add, get, newId, seconds, tell } = account;
  /** The numbers of the saved cards, and of those that wait for 3-D Secure, by method or setup. */
  const numbers = new Map<string, string>();

  function setupOf(clientSecret: string): StripeObject {
    const setup = get(clientSecret.split('_secret_')[0], 'setup_intent');
    if (setup['client_secret'] === clientSecret) return setup;
    const message = 'No such setup_intent';
    throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', message });
  }

  function keep(setup: StripeObject, number: string): StripeObject {
    const method = add({
      id: newId('pm'),
      object: 'payment_method',
      type: 'card',
      customer: setup['customer'],
      card: { ...cardOf(number), exp_month: 12, exp_year: 2040 },
    });
    numbers.set(method.id, number);
    Object.assign(setup, { status: 'succeeded', payment_method: method.id, last_setup_error: null });
    tell('setup_intent.succeeded', setup);
    return setup;
  }

  function decline(setup: StripeObject, number: string, error: Record<string, unknown>): never {
    Object.assign(setup, {
      status: 'requires_payment_method',
      last_setup_error: { type: 'card_error', ...error, payment_method: { card: cardOf(number) } },
    });
    tell('setup_intent.setup_failed', setup);
    throw new Refused(402, { type: 'card_error', message: '', ...error });
  }

  function save(clientSecret: string, number: string): StripeObject {
    const setup = setupOf(clientSecret);
    if (setup['status'] === 'succeeded') return setup;
    const digits = number.replaceAll(/\D/g, '');
    const outcome = savingOutcome(digits);
    if (outcome.result === 'declined') {
      const { code, declineCode, message } = outcome;
      return decline(setup, digits, { code, ...(declineCode && { decline_code: declineCode }), message });
    }
    if (outcome.result === 'succeeds') return keep(setup, digits);
    numbers.set(setup.id, digits);
    return Object.assign(setup, { status: 'requires_action' });
  }

  function authenticate(clientSecret: string, outcome: 'complete' | 'fail'): StripeObject {
    const setup = setupOf(clientSecret);
    const number = numbers.get(setup.id) ?? '4242424242424242';
    if (outcome === 'complete') return keep(setup, number);
    return decline(setup, number, {
      code: 'setup_intent_authentication_failure',
      message: 'We are unable to authenticate your payment method.',
    });
  }

  const operations: Operations = {
    'POST /v1/setup_intents': (given) => {
      get(given['customer'], 'customer');
      const id = newId('seti');
      return add({
        id,
        object: 'setup_intent',
        client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
        created: seconds(),
        customer: given['customer'],
        last_setup_error: null,
        livemode: false,
        metadata: metadataOf(given),
        payment_method: null,
        status: 'requires_payment_method',
        usage: given['usage'],
      });
    },
    'GET /v1/setup_intents/{id}': (_, [id]) => get(id, 'setup_intent'),

    'POST /v1/payment_intents/{id}/confirm': (given, [id]) => {
      const intent = get(id, 'payment_intent');
      const method = get(given['payment_method'], 'payment_method');
      till.requirePayable(intent);
      if (method['customer'] !== intent['customer'])
        throw new Refused(400, {
          type: 'invalid_request_error',
          message: 'The provided PaymentMethod does not belong to the customer of this PaymentIntent.',
        });
      const number = String(numbers.get(method.id));
      const outcome = savedOutcome(number.slice(-4));
      if (outcome.result !== 'declined') return till.succeed(intent, number);
      const { code, declineCode, message } = outcome;
      if (code === 'authentication_required' && String(given['off_session']) !== 'true')
        return till.challenge(intent, number);
      return till.decline(intent, number, {
        code,
        ...(declineCode && { decline_code: declineCode }),
        message,
      });
    },
    'POST /v1/payment_methods/{id}/detach': (_, [id]) => {
      const method = get(id, 'payment_method');
      if (method['customer'] === null)
        throw new Refused(400, {
          type: 'invalid_request_error',
          message:
            'The payment method you provided is not attached to a customer so detachment is impossible.',
        });
      method['customer'] = null;
      return method;
    },
  };

  return { operations, save, authenticate };
}
