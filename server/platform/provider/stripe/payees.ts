import type { Stripe } from 'stripe';
import { type Payee, type PaymentProvider, ProviderError } from '../payment-provider.ts';
import type { StripeClient } from './client.ts';
import { randomUUID } from 'node:crypto';

const INCLUDE = ['configuration.recipient', 'requirements'] as const;

/**
 * Publishers as recipients of the Accounts v2 API, with Stripe's own onboarding. The platform collects its fees and bears
 * losses, which separate charges and transfers require.
 */
export function stripePayees({
  ask,
}: StripeClient): Pick<PaymentProvider, 'createPayee' | 'getPayee' | 'payeeLink' | 'closePayee'> {
  return {
    createPayee: async (payee, key) => ({
      ...readPayee(
        await ask((stripe) => stripe.v2.core.accounts.create(recipientOf(payee), { idempotencyKey: key })),
      ),
      // The payee enters them later.
      destinations: [],
    }),

    getPayee: async (id) => ({
      ...readPayee(await ask((stripe) => stripe.v2.core.accounts.retrieve(id, { include: [...INCLUDE] }))),
      destinations: await destinationsOf(id),
    }),

    async payeeLink(id, urls) {
      const link = await ask((stripe) =>
        stripe.v2.core.accountLinks.create(
          {
            account: id,
            use_case: {
              type: 'account_onboarding',
              account_onboarding: { refresh_url: urls.refresh, return_url: urls.return },
            },
          },
          // A link can be used once, so every click needs its own.
          { idempotencyKey: `link:${randomUUID()}` },
        ),
      );
      return { url: link.url, expiresAt: new Date(link.expires_at) };
    },

    async closePayee(id) {
      try {
        await ask((stripe) =>
          stripe.v2.core.accounts.close(
            id,
            { applied_configurations: ['recipient'] },
            // Each try has its own key. Otherwise Stripe would repeat the refusal of an account that held money.
            { idempotencyKey: `close:${randomUUID()}` },
          ),
        );
        return 'closed';
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (error.kind === 'not_found') return 'closed';
        if (error.code === 'cannot_proceed') return 'balance_not_zero';
        throw error;
      }
    },
  };

  /** The v2 account does not contain them, so the v1 list of the same account is read. */
  async function destinationsOf(id: string): Promise<string[] | null> {
    try {
      const { data } = await ask((stripe) => stripe.accounts.listExternalAccounts(id, { limit: 100 }));
      return data.flatMap(({ fingerprint }) => fingerprint ?? []).toSorted();
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'invalid') return null;
      throw error;
    }
  }
}

function recipientOf({
  email,
  name,
  country,
  metadata,
}: Parameters<PaymentProvider['createPayee']>[0]): Stripe.V2.Core.AccountCreateParams {
  return {
    contact_email: email,
    display_name: name,
    dashboard: 'express',
    identity: { country },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
    metadata,
    include: [...INCLUDE],
  };
}

function readPayee(account: Stripe.V2.Core.Account): Omit<Payee, 'destinations'> {
  const { status } = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers ?? {};
  return {
    id: account.id,
    transfersStatus: status === 'active' || status === 'pending' ? status : 'inactive',
    requirements: (account.requirements?.entries ?? [])
      .filter((entry) => entry.awaiting_action_from === 'user')
      .map(({ description }) => description),
  };
}
