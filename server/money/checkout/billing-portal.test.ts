import { expect, it } from 'vitest';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { startStripeServer } from '#server/testing/stripe/stripe-server.ts';

const stripe = useStarted(startStripeServer);
const server = useOwnServer(() => ({ env: stripe.env }));

const PORTAL = '/api/billing/portal';
const sessions = () => stripe.requests.filter(({ call }) => call === 'POST /v1/billing_portal/sessions');

// Proves STRP-10
it('opens a session of Stripe for the user’s own customer, a new one for each click', async () => {
  const buyer = await server.signIn('buyer');
  await beginPayment(buyer, await makeApprovedAd(await server.signIn('seller'), buyer));
  const before = sessions().length;
  const answers = [await buyer.get(PORTAL), await buyer.get(PORTAL)];
  const { customerId } = await server.ctx.db
    .selectFrom('providerCustomers')
    .select('customerId')
    .where('userId', '=', buyer.user.id)
    .executeTakeFirstOrThrow();
  for (const answer of answers) {
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain(`${stripe.url}/portal/`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  }
  expect(answers[0]?.headers.get('location')).not.toBe(answers[1]?.headers.get('location'));
  expect(sessions().slice(before)).toMatchObject(
    [1, 2].map(() => ({
      parameters: {
        customer: customerId,
        return_url: `${server.url}/billing`,
        configuration: expect.stringMatching(/^bpc_/),
      },
    })),
  );
  const made = stripe.requests.filter(({ call }) => call === 'POST /v1/billing_portal/configurations');
  expect(made).toHaveLength(1);
  const events = (await buyer.get('/api/user/security-events')).body as { kind: string }[];
  expect(events.filter(({ kind }) => kind === 'billing-portal-opened')).toHaveLength(2);
});

// Proves STRP-10
it('creates the customer of a user who has never paid, and replaces one that Stripe has deleted', async () => {
  const person = await server.signIn('buyer');
  expect((await person.get(PORTAL)).status).toBe(303);
  const customerOf = async () =>
    (
      await server.ctx.db
        .selectFrom('providerCustomers')
        .select('customerId')
        .where('userId', '=', person.user.id)
        .executeTakeFirstOrThrow()
    ).customerId;
  const first = await customerOf();
  await server.ctx.payments.forgetCustomer(String(first));
  expect((await person.get(PORTAL)).status).toBe(303);
  expect(await customerOf()).not.toBe(first);
});

// Proves STRP-10
it('asks Stripe for nothing when another site, a prefetch or a visitor opens it', async () => {
  const person = await server.signIn('buyer');
  const before = stripe.requests.length;
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
    // Old browsers do not send Sec-Fetch-Site.
    { referer: 'https://evil.example/' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const answer = await fetch(server.url + PORTAL, {
      headers: { ...headers, cookie: person.cookie },
      redirect: 'manual',
    });
    expect([headers, answer.status]).toEqual([headers, 403]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  expect((await server.anyone().get(PORTAL)).status).toBe(401);
  expect(stripe.requests.length).toBe(before);
});

// Proves STRP-10
it('answers 503 with Retry-After while Stripe is away', async () => {
  const person = await server.signIn('buyer');
  stripe.faults.push({ on: 'billing_portal', how: 'rate_limited', times: 9 });
  const answer = await person.get(PORTAL);
  stripe.faults.length = 0;
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('10');
});
