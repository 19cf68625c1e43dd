/** Card payments through Stripe. Only this adapter and the files of ./stripe know Stripe's API. */
import { randomUUID } from 'node:crypto';
import type { Stripe } from 'stripe';
import type { StripeSettings } from '../settings/joint.ts';
import { type PaymentIntent, type PaymentProvider, ProviderError } from './payment-provider.ts';
import { type CallOptions, createClient } from './stripe/client.ts';
import { stripeDisputes } from './stripe/disputes.ts';
import { readEvent, verifyEvent } from './stripe/events.ts';
import { readBalanceTransaction, readIntent, readRefund } from './stripe/objects.ts';
import { stripeSavedCards } from './stripe/saved-cards.ts';
import { stripePayees } from './stripe/payees.ts';
import { findPortalConfiguration } from './stripe/portal.ts';
import { checked, prepareAccount } from './stripe/prepare.ts';
import { stripeTransfers } from './stripe/transfers.ts';

const INTENT_PARTS = ['latest_charge.balance_transaction'];
const REFUND_PARTS = ['balance_transaction', 'failure_balance_transaction'];
/** The largest page that Stripe's lists have. */
const PAGE = 100;

const inList = (parts: string[]) => parts.map((part) => `data.${part}`);
const from = (since: Date) => ({ gte: Math.floor(since.getTime() / 1000) });

/**
 * `wallClock` is the time by which a signature's age is checked. `beforeCall` may refuse a call by throwing. `callMs`
 * shortens the timeout in tests.
 */
export function createStripe(
  settings: StripeSettings,
  { wallClock, ...calls }: { wallClock: () => Date } & CallOptions,
): PaymentProvider {
  const client = createClient(settings, calls);
  const { ask, list } = client;
  const isLive = /^[a-z]+_live_/.test(settings.secretKey);
  let portalConfiguration: Promise<string> | undefined;

  /** Finds the configuration once. A failed search is repeated by the next caller. */
  async function portalConfigurationFor(returnUrl: string): Promise<string> {
    if (settings.portalConfiguration !== undefined) return settings.portalConfiguration;
    portalConfiguration ??= findPortalConfiguration(client, returnUrl);
    try {
      return await portalConfiguration;
    } catch (error) {
      portalConfiguration = undefined;
      throw error;
    }
  }

  async function getIntent(id: string): Promise<PaymentIntent> {
    return readIntent(await ask((stripe) => stripe.paymentIntents.retrieve(id, { expand: INTENT_PARTS })));
  }

  return {
    name: 'stripe',
    mode: isLive ? 'live' : 'test',
    book: isLive ? 'stripe-live' : 'stripe-test',

    clientConfig: () => ({
      publishableKey: settings.publishableKey,
      ...(!isLive && { notice: 'Stripe test mode: no money moves' }),
    }),

    async createCustomer({ email, name, metadata }, key) {
      const { id } = await ask((stripe) =>
        stripe.customers.create({ email, name, metadata }, { idempotencyKey: key }),
      );
      return { id };
    },

    async forgetCustomer(id) {
      try {
        await ask((stripe) => stripe.customers.del(id));
      } catch (error) {
        // A customer that is already deleted is unknown to Stripe.
        if (!(error instanceof ProviderError && error.kind === 'not_found')) throw error;
      }
    },

    async billingPortal(customerId, returnUrl) {
      const configuration = await portalConfigurationFor(returnUrl);
      const { url } = await ask((stripe) =>
        stripe.billingPortal.sessions.create(
          { customer: customerId, return_url: returnUrl, configuration },
          { idempotencyKey: `portal-session:${randomUUID()}` },
        ),
      );
      return { url };
    },

    async createIntent({ amount, currency, customerId, transferGroup, description, metadata }, key) {
      const made = await ask((stripe) =>
        stripe.paymentIntents.create(
          {
            amount,
            currency: currency.toLowerCase(),
            customer: customerId,
            automatic_payment_methods: { enabled: true },
            transfer_group: transferGroup,
            description,
            metadata,
            expand: INTENT_PARTS,
          },
          { idempotencyKey: key },
        ),
      );
      // A repeated key returns the intent as it was when it was created.
      return isReplayed(made) ? getIntent(made.id) : readIntent(made);
    },

    getIntent,

    async cancelIntent(id) {
      try {
        return readIntent(
          await ask((stripe) =>
            stripe.paymentIntents.cancel(
              id,
              { expand: INTENT_PARTS },
              // Each try has its own key. Otherwise Stripe would repeat the refusal of a payment that was being
              // processed.
              { idempotencyKey: `cancel:${randomUUID()}` },
            ),
          ),
        );
      } catch (error) {
        if (!(error instanceof ProviderError && error.kind === 'conflict')) throw error;
        const intent = await getIntent(id);
        if (intent.status === 'canceled') return intent;
        throw error;
      }
    },

    intentsSince: (since) =>
      list(
        (stripe) =>
          stripe.paymentIntents.list({ created: from(since), limit: PAGE, expand: inList(INTENT_PARTS) }),
        readIntent,
      ),

    ...stripeSavedCards(client, getIntent),

    async refund({ intentId, amount, metadata }, key) {
      const made = await ask((stripe) =>
        stripe.refunds.create(
          { payment_intent: intentId, amount, metadata, expand: REFUND_PARTS },
          { idempotencyKey: key },
        ),
      );
      if (!isReplayed(made)) return readRefund(made);
      return readRefund(await ask((stripe) => stripe.refunds.retrieve(made.id, { expand: REFUND_PARTS })));
    },

    getRefund: async (id) =>
      readRefund(await ask((stripe) => stripe.refunds.retrieve(id, { expand: REFUND_PARTS }))),

    refundsOf: (intentId) =>
      list(
        (stripe) =>
          stripe.refunds.list({ payment_intent: intentId, limit: PAGE, expand: inList(REFUND_PARTS) }),
        readRefund,
      ),

    ...stripeDisputes(client),

    ...stripePayees(client),
    ...stripeTransfers(client),

    readEvent: (raw, headers, source) =>
      verifyEvent(settings, { raw, signature: headers['stripe-signature'], source, now: wallClock() }),

    undeliveredEvents: (since) =>
      list(
        (stripe) => stripe.events.list({ created: from(since), delivery_success: false, limit: PAGE }),
        readEvent,
      ),

    balanceTransactionsSince: (since) =>
      list(
        (stripe) => stripe.balanceTransactions.list({ created: from(since), limit: PAGE }),
        readBalanceTransaction,
      ),

    async prepare(needs) {
      const problems = await prepareAccount(client, needs);
      const portal = await checked('the billing portal', async () => {
        await portalConfigurationFor(`${needs.publicUrl}/billing`);
        return [];
      });
      return [...problems, ...portal];
    },
  };
}

function isReplayed(answer: { lastResponse: Stripe.Response<unknown>['lastResponse'] }): boolean {
  return answer.lastResponse.headers['idempotent-replayed'] === 'true';
}
