/** Connected accounts of the stand-in for Stripe. */
import { metadataOf, type Operations, Refused, type StripeAccount } from './account.ts';

/** `url` is the address of the stand-in. */
export function openPayees(account: StripeAccount, url: () => string) {
  const { add, all, get, newId, now, pageOf, tell } = account;

  function review(payeeId: string, status: 'active' | 'restricted', asked: string[]): void {
    const payee = get(payeeId, 'v2.core.account');
    const transfers = { requested: true, status, status_details: [] };
    Object.assign(payee, {
      configuration: {
        recipient: { applied: true, capabilities: { stripe_balance: { stripe_transfers: transfers } } },
      },
      requirements: {
        entries: asked.map((description) => ({ awaiting_action_from: 'user', description })),
      },
    });
    tell('account.updated', payee, payeeId);
  }

  const finishOnboarding = (payeeId: string) => review(payeeId, 'active', []);
  const restrictPayee = (payeeId: string) =>
    review(payeeId, 'restricted', ['identity.individual.documents.primary_verification']);

  function movePayouts(payeeId: string, fingerprint: string): void {
    const payee = get(payeeId, 'v2.core.account');
    for (const old of destinationsOf(payeeId)) old.object = 'deleted';
    add({
      id: newId('ba'),
      object: 'bank_account',
      account: payeeId,
      fingerprint,
      country: 'DE',
      currency: 'eur',
    });
    tell('account.updated', payee, payeeId);
  }
  const destinationsOf = (payeeId: string | undefined) =>
    all('bank_account').filter((each) => each['account'] === payeeId);

  /** The owner withdraws the account from us. From now on, requests about it fail. */
  function withdrawPayee(payeeId: string): void {
    get(payeeId, 'v2.core.account').object = 'withdrawn';
    tell('account.application.deauthorized', { id: 'ca_1', object: 'application' }, payeeId);
  }

  const operations: Operations = {
    'POST /v2/core/accounts': (given) => {
      const account = add({
        id: newId('acct'),
        object: 'v2.core.account',
        contact_email: given['contact_email'],
        display_name: given['display_name'],
        identity: given['identity'],
        metadata: metadataOf(given),
        created: now().toISOString(),
        livemode: false,
        configuration: {
          recipient: {
            applied: true,
            capabilities: {
              stripe_balance: {
                stripe_transfers: { requested: true, status: 'restricted', status_details: [] },
              },
            },
          },
        },
        requirements: {
          entries: [
            { awaiting_action_from: 'user', description: 'identity.individual.date_of_birth' },
            { awaiting_action_from: 'user', description: 'defaults.payout_method' },
          ],
        },
      });
      tell('account.updated', account, account.id);
      return account;
    },
    'GET /v2/core/accounts/{id}': (_, [id]) => get(id, 'v2.core.account'),
    'GET /v1/accounts/{id}/external_accounts': (given, [id]) => {
      get(id, 'v2.core.account');
      return pageOf(destinationsOf(id), given, `/v1/accounts/${id}/external_accounts`);
    },
    'POST /v2/core/accounts/{id}/close': (_, [id]) => {
      const payee = get(id, 'v2.core.account');
      if (all('transfer').some(({ destination }) => destination === id)) {
        throw new Refused(400, {
          type: 'cannot_proceed',
          code: 'account_balance_not_zero',
          message: 'The account holds money, so it cannot be closed.',
        });
      }
      return Object.assign(payee, { closed: true });
    },
    'POST /v2/core/account_links': (given) => {
      get(given['account'], 'v2.core.account');
      return {
        object: 'v2.core.account_link',
        account: given['account'],
        url: `${url()}/onboarding/${newId('link')}`,
        created: now().toISOString(),
        expires_at: new Date(now().getTime() + 5 * 60_000).toISOString(),
        livemode: false,
      };
    },
  };

  return { operations, finishOnboarding, movePayouts, restrictPayee, withdrawPayee };
}
