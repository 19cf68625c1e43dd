import type { Stripe } from 'stripe';
import { isLoopback } from '../../net/networks.ts';
import { ProviderError } from '../payment-provider.ts';
import { API_VERSION, type StripeClient } from './client.ts';

type Needs = { publicUrl: string; events: readonly string[]; connectEvents: readonly string[] };

/** Returns a sentence for each thing that the operator has to do at Stripe. */
export async function prepareAccount(client: StripeClient, needs: Needs): Promise<string[]> {
  const problems = [
    await checked('the payment method domain', () => registerDomain(client, needs.publicUrl)),
    await checked('the webhook endpoints', () => compareEndpoints(client, needs)),
  ];
  return problems.flat();
}

/** Runs a check. Its failure is a problem of its own, because a restricted key may not be allowed to look. */
export async function checked(subject: string, check: () => Promise<string[]>): Promise<string[]> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ProviderError) return [`Stripe did not let us check ${subject}: ${error.message}`];
    throw error;
  }
}

/** Apple Pay, Google Pay and Link appear only on registered domains. Cards work without. */
async function registerDomain({ ask }: StripeClient, publicUrl: string): Promise<string[]> {
  // Wallets work over HTTPS only, and Stripe cannot reach this machine's own names.
  if (isLoopback(publicUrl) || !publicUrl.startsWith('https:')) return [];
  const domain = new URL(publicUrl).hostname;
  const known = await ask((stripe) => stripe.paymentMethodDomains.list({ domain_name: domain, limit: 1 }));
  const registered =
    known.data[0] ??
    (await ask((stripe) =>
      stripe.paymentMethodDomains.create({ domain_name: domain }, { idempotencyKey: `domain:${domain}` }),
    ));
  if (!registered.enabled)
    return [
      `The payment method domain ${domain} is disabled, so the card form shows no wallets. Enable it in Stripe’s dashboard.`,
    ];
  const { apple_pay: apple, google_pay: google } = registered;
  return [
    ...(apple.status === 'inactive'
      ? [`Apple Pay is not active for ${domain}. Check the domain in Stripe’s dashboard.`]
      : []),
    ...(google.status === 'inactive'
      ? [`Google Pay is not active for ${domain}. Check the domain in Stripe’s dashboard.`]
      : []),
  ];
}

async function compareEndpoints(
  client: StripeClient,
  { publicUrl, events, connectEvents }: Needs,
): Promise<string[]> {
  const endpoints: Stripe.WebhookEndpoint[] = [];
  const listed = client.list(
    (stripe) => stripe.webhookEndpoints.list({ limit: 100 }),
    (endpoint) => endpoint,
  );
  for await (const endpoint of listed) endpoints.push(endpoint);
  return [
    { path: '/api/webhooks/stripe', wanted: events },
    { path: '/api/webhooks/stripe-connect', wanted: connectEvents },
  ].flatMap(({ path, wanted }) => {
    const url = publicUrl + path;
    const enabled = endpoints.filter((endpoint) => endpoint.url === url && endpoint.status === 'enabled');
    if (enabled.length === 0) return [`No webhook endpoint at Stripe sends events to ${url}. Create it.`];
    const subscribed = new Set(enabled.flatMap((endpoint) => endpoint.enabled_events));
    const missing = subscribed.has('*') ? [] : wanted.filter((type) => !subscribed.has(type));
    return [
      ...(missing.length > 0
        ? [`The webhook endpoint ${url} lacks the events ${missing.join(', ')}. Add them.`]
        : []),
      ...enabled
        .filter(({ api_version: version }) => version !== API_VERSION)
        .map(
          ({ api_version: version }) =>
            `The webhook endpoint ${url} has the API version ${version ?? 'of the account'} instead of ${API_VERSION}. Replace the endpoint.`,
        ),
    ];
  });
}
