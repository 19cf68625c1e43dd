/** Card payments through Stripe. Only this adapter and the files of ./stripe know Stripe's API. */
import type { StripeSettings } from '../settings/joint.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { type CallOptions, createClient, createdSince, PAGE } from './stripe/client.ts';
import { stripeCustomers } from './stripe/customers.ts';
import { stripeDisputes } from './stripe/disputes.ts';
import { readEvent, verifyEvent } from './stripe/events.ts';
import { stripeIntents } from './stripe/intents.ts';
import { readBalanceTransaction } from './stripe/objects.ts';
import { stripeSavedCards } from './stripe/saved-cards.ts';
import { stripePayees } from './stripe/payees.ts';
import { createPortalConfiguration } from './stripe/portal.ts';
import { checked, prepareAccount } from './stripe/prepare.ts';
import { stripeRefunds } from './stripe/refunds.ts';
import { stripeTransfers } from './stripe/transfers.ts';

/**
 * `wallClock` is the time by which a signature's age is checked. `beforeCall` may refuse a call by throwing. `callMs`
 * shortens the timeout in tests.
 */
export function createStripe(
  settings: StripeSettings,
  { wallClock, ...calls }: { wallClock: () => Date } & CallOptions,
): PaymentProvider {
  const client = createClient(settings, calls);
  const { list } = client;
  const isLive = /^[a-z]+_live_/.test(settings.secretKey);
  const portalConfigurationFor = createPortalConfiguration(client, settings.portalConfiguration);
  const intents = stripeIntents(client);

  return {
    name: 'stripe',
    mode: isLive ? 'live' : 'test',
    book: isLive ? 'stripe-live' : 'stripe-test',

    clientConfig: () => ({
      publishableKey: settings.publishableKey,
      ...(!isLive && { notice: 'Stripe test mode: no money moves' }),
    }),

    ...stripeCustomers(client, portalConfigurationFor),
    ...intents,
    ...stripeSavedCards(client, intents.getIntent),

    ...stripeRefunds(client),
    ...stripeDisputes(client),

    ...stripePayees(client),
    ...stripeTransfers(client),

    readEvent: (raw, headers, source) =>
      verifyEvent(settings, { raw, signature: headers['stripe-signature'], source, now: wallClock() }),

    undeliveredEvents: (since) =>
      list(
        (stripe) =>
          stripe.events.list({ created: createdSince(since), delivery_success: false, limit: PAGE }),
        readEvent,
      ),

    balanceTransactionsSince: (since) =>
      list(
        (stripe) => stripe.balanceTransactions.list({ created: createdSince(since), limit: PAGE }),
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
