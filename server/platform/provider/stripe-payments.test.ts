/** Our adapter with the official client, against the stand-in for Stripe, which checks each request. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../settings/config.ts';
import type { StripeSettings } from '../settings/joint.ts';
import { startStripeServer, type StripeServer } from '#server/testing/stripe/stripe-server.ts';
import { ACCOUNT_EVENTS, CONNECT_EVENTS } from './payment-events.ts';
import { describeProvider } from './contract/describe-provider.ts';
import { type PaymentProvider, ProviderError } from './payment-provider.ts';
import { createStripe } from './stripe-payments.ts';

const settingsOf = (server: StripeServer) => readConfig(server.env).stripe as StripeSettings;
const wallClock = () => new Date();

let asked: StripeServer;
describeProvider('Stripe', async () => {
  const server = (asked = await startStripeServer());
  const provider = createStripe(settingsOf(server), { wallClock });
  return {
    provider,
    // The card form receives a decline. Our server reads it from the intent.
    pay: async (clientSecret, number) => tryOut(() => server.pay(clientSecret, number)),
    authenticate: async (clientSecret, outcome) => tryOut(() => server.authenticate(clientSecret, outcome)),
    saveCard: async (clientSecret, number) => tryOut(() => server.saveCard(clientSecret, number)),
    authenticateSetup: async (clientSecret, outcome) =>
      tryOut(() => server.authenticateSetup(clientSecret, outcome)),
    makeFeesKnown: async () => server.makeFeesKnown(),
    holdRefunds: (isHeld) => {
      server.refundsPending = isHeld;
    },
    refundOutside: async (id, amount) => server.refundOutside(id, amount).id,
    settleRefund: async (id, status) => server.settleRefund(id, status),
    dispute: async (id, kind) =>
      server.dispute(id, kind === 'inquiry' ? 'warning_needs_response' : 'needs_response').id,
    closeDispute: async (id, status) => server.closeDispute(id, status),
    appeal: async (id) => server.appeal(id),
    openReview: async (id) => server.openReview(id).id,
    closeReview: async (id) => server.closeReview(id, 'approved'),
    warnOfFraud: async (id) => server.warnOfFraud(id).id,
    finishOnboarding: async (id) => server.finishOnboarding(id),
    movePayouts: async (id, destination) => server.movePayouts(id, destination),
    restrictPayee: async (id) => server.restrictPayee(id),
    payBank: async (id) => void server.payBank(id),
    failBank: async (id) => server.failBank(id),
    // Stripe pays out again by itself.
    mendBank: async () => {},
    events: async () =>
      server.events.map((event) => {
        const body = JSON.stringify(event, null, 2);
        const [source, secret] =
          'account' in event
            ? (['connect', server.env['STRIPE_CONNECT_WEBHOOK_SECRET']] as const)
            : (['account', server.env['STRIPE_WEBHOOK_SECRET']] as const);
        const headers = { 'stripe-signature': server.sign(body, secret) };
        return provider.readEvent(Buffer.from(body), headers, source);
      }),
    close: server.close,
  };
});

// Proves STRP-02, BOOK-12, CONS-07
it('Stripe was asked for all of this within its contract, and under keys of ours', () => {
  expect(asked.violations).toEqual([]);
  expect(asked.requests.length).toBeGreaterThan(100);
});

function tryOut(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error)) throw error;
  }
}

describe('Stripe', () => {
  let server: StripeServer;
  let provider: PaymentProvider;
  beforeAll(async () => {
    server = await startStripeServer();
    provider = createStripe(settingsOf(server), { wallClock, callMs: 3000 });
  });
  afterEach(() => {
    server.faults.length = 0;
  });
  afterAll(async () => await server.close());

  const makeCustomer = () =>
    provider.createCustomer({ email: 'ann@example.test', name: 'Ann', metadata: {} }, `cus:${Math.random()}`);
  const order = async () => ({
    amount: 5000,
    currency: 'USD' as const,
    customerId: (await makeCustomer()).id,
    transferGroup: 'ad_1',
    description: 'Ad 1',
    metadata: { payment_id: '1' },
  });

  // Proves PYEE-06
  it('may refuse to tell where a payee is paid, which does not hide whether they can be', async () => {
    const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: {} };
    const { id } = await provider.createPayee(person, 'acct:refused');
    server.finishOnboarding(id);
    server.faults.push({ on: 'external_accounts', how: 'refused' });
    expect(await provider.getPayee(id)).toMatchObject({ transfersStatus: 'active', destinations: null });
    server.faults.push({ on: 'external_accounts', how: 'fails_before', times: 2 });
    await expect(provider.getPayee(id)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  // Proves STRP-03
  it('is asked with the pinned version and under our keys only', async () => {
    await provider.createIntent(await order(), 'pi:first');
    expect(server.requests.at(-1)).toMatchObject({
      call: 'POST /v1/payment_intents',
      key: 'pi:first',
      parameters: { amount: '5000', currency: 'usd', automatic_payment_methods: { enabled: 'true' } },
    });
    expect(server.requests.at(-1)?.parameters).not.toHaveProperty('payment_method_types');
  });

  // Proves STRP-03
  it('that limits our rate has not acted, and is not asked again at once', async () => {
    const customer = await order();
    server.faults.push({ on: 'POST /v1/payment_intents', how: 'rate_limited', times: 5 });
    const before = server.requests.length;
    await expect(provider.createIntent(customer, 'pi:limited')).rejects.toMatchObject({
      kind: 'rate_limited',
    });
    expect(server.requests.length - before).toBe(1);
  });

  // Proves STRP-03
  it.each(['fails_before', 'fails_after', 'breaks'] as const)(
    'that %s once is asked once more under the same key',
    async (how) => {
      const wanted = await order();
      server.faults.push({ on: 'POST /v1/payment_intents', how });
      const key = `pi:${how}`;
      // If Stripe has stored a 500 under the key, it repeats it, even though the intent exists.
      const result = await provider.createIntent(wanted, key).catch((error: unknown) => error);
      if (how === 'fails_after') expect(result).toMatchObject({ kind: 'unavailable' });
      else expect(result).toMatchObject({ status: 'requires_payment' });
      expect(server.requests.filter((request) => request.key === key)).toHaveLength(2);
    },
  );

  // Proves STRP-03
  it.each(['hangs_before', 'hangs_after'] as const)(
    'that %s is given up, and may have acted',
    async (how) => {
      const wanted = await order();
      const hasty = createStripe(settingsOf(server), { wallClock, callMs: 300 });
      server.faults.push({ on: 'POST /v1/payment_intents', how, times: 2 });
      await expect(hasty.createIntent(wanted, `pi:${how}`)).rejects.toMatchObject({ kind: 'unavailable' });
    },
  );

  // Proves STRP-03
  it('that cannot be reached is unavailable', async () => {
    const gone = createStripe({ ...settingsOf(server), apiBase: 'http://127.0.0.1:9' }, { wallClock });
    await expect(gone.getIntent('pi_1')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  // Proves STRP-03
  it('that refuses the key is unavailable, and no error holds a secret', async () => {
    const settings = settingsOf(server);
    const wrongKey = 'sk_test_revoked';
    const refused = createStripe({ ...settings, secretKey: wrongKey }, { wallClock });
    const failure = await refused.getIntent('pi_1').catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'unavailable' });
    expect(String(failure)).not.toContain(wrongKey);
    expect(server.violations.splice(0)).toEqual(['GET /v1/payment_intents/pi_1 has the wrong key']);
    const { id, clientSecret } = await provider.createIntent(await order(), 'pi:secret');
    const declined = await provider.cancelIntent(id).then(() => provider.cancelIntent(id));
    expect(declined.status).toBe('canceled');
    const errors = await Promise.all(
      [provider.getIntent('pi_x_secret_abc'), provider.getRefund(settings.secretKey)].map((call) =>
        call.catch((error: unknown) => error),
      ),
    );
    for (const error of errors) {
      expect(error).toBeInstanceOf(ProviderError);
      const all = JSON.stringify({
        ...(error as object),
        message: String(error),
        stack: (error as Error).stack,
      });
      expect(all).not.toContain(settings.secretKey);
      expect(all).not.toContain('secret_abc');
      expect(all).not.toContain(clientSecret);
    }
  });

  // Proves STRP-03
  it('may use words that we do not know', async () => {
    const { id } = await provider.createIntent(await order(), 'pi:words');
    server.object(id)['status'] = 'requires_astrology';
    expect((await provider.getIntent(id)).status).toBe('processing');
    const paid = await provider.createIntent(await order(), 'pi:words-2');
    server.pay(paid.clientSecret, '4242424242424242');
    const refund = await provider.refund({ intentId: paid.id, amount: 1, metadata: {} }, 're:words');
    server.object(refund.id)['status'] = 'thinking';
    expect((await provider.getRefund(refund.id)).status).toBe('pending');
    const dispute = server.dispute(paid.id, 'appeal_pending');
    expect((await provider.getDispute(dispute.id)).status).toBe('appeal_pending');
  });

  // Proves STRP-03
  it('may charge its fee in another currency', async () => {
    const abroad = await startStripeServer({ feeCurrency: { currency: 'eur', rate: 0.5 } });
    const there = createStripe(settingsOf(abroad), { wallClock });
    const { id: customerId } = await there.createCustomer({ email: 'a@b.c', name: 'A', metadata: {} }, 'cus');
    const intent = await there.createIntent({ ...(await order()), customerId }, 'pi');
    abroad.pay(intent.clientSecret, '4242424242424242');
    abroad.makeFeesKnown();
    expect((await there.getIntent(intent.id)).balanceTransaction).toMatchObject({
      amount: 2500,
      fee: 175,
      net: 2325,
      currency: 'EUR',
      exchangeRate: '0.5',
    });
    await abroad.close();
  });

  // Proves STRP-04
  it('lists the events that it could not deliver', async () => {
    const { id } = await provider.createIntent(await order(), 'pi:lost');
    const since = new Date(Date.now() - 1000);
    const types = async () => {
      const found: string[] = [];
      for await (const { type, objectId } of provider.undeliveredEvents(since)) {
        if (objectId === id) found.push(type);
      }
      return found;
    };
    await provider.cancelIntent(id);
    expect(await types()).toEqual(['payment_intent.canceled', 'payment_intent.created']);
    for (const event of server.events) event['pending_webhooks'] = 0;
    expect(await types()).toEqual([]);
  });

  // Proves STRP-03
  it('is read page by page', async () => {
    const since = new Date();
    const wanted = await order();
    for (let at = 0; at < 101; at++) await provider.createIntent(wanted, `pi:page:${at}`);
    const ids = new Set<string>();
    for await (const { id } of provider.intentsSince(since)) ids.add(id);
    expect(ids.size).toBeGreaterThanOrEqual(101);
  });
});

describe('an event of Stripe', () => {
  const settings = readConfig({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_new,whsec_old',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_connect',
  }).stripe as StripeSettings;
  const now = new Date('2026-11-22T12:00:00Z');
  const provider = createStripe(settings, { wallClock: () => now });
  const body = JSON.stringify(
    {
      id: 'evt_1',
      object: 'event',
      type: 'charge.updated',
      created: 1_795_000_000,
      livemode: true,
      data: { object: { id: 'ch_1', object: 'charge', metadata: { payment_id: '7' } } },
    },
    null,
    2,
  );
  let server: StripeServer;
  beforeAll(async () => {
    server = await startStripeServer();
  });
  afterAll(async () => await server.close());

  const read = (text: string, header: string | undefined, source: 'account' | 'connect' = 'account') =>
    provider.readEvent(Buffer.from(text), { 'stripe-signature': header }, source);

  // Proves STRP-04
  it('is accepted with any of the endpoint’s secrets, and keeps its mode and our ids', () => {
    for (const secret of ['whsec_new', 'whsec_old']) {
      expect(read(body, server.sign(body, secret, now))).toEqual({
        id: 'evt_1',
        type: 'charge.updated',
        objectId: 'ch_1',
        metadata: { payment_id: '7' },
        accountId: null,
        createdAt: new Date(1_795_000_000_000),
        live: true,
      });
    }
    const connected = body.replace('"livemode"', '"account": "acct_1", "livemode"');
    expect(read(connected, server.sign(connected, 'whsec_connect', now), 'connect')).toMatchObject({
      accountId: 'acct_1',
    });
  });

  // Proves HOOK-11
  it('is refused if it is dated ahead, was created at no instant, or holds a null character', () => {
    const signed = (text: string, at = now) => read(text, server.sign(text, 'whsec_new', at));
    for (const minutes of [6, 30 * 24 * 60])
      expect(() => signed(body, new Date(now.getTime() + minutes * 60_000))).toThrow(/signature/);
    expect(signed(body, new Date(now.getTime() + 4 * 60_000)).id).toBe('evt_1');
    for (const created of ['1e300', '-1e300', '1e17', '"soon"', 'null', '[]', '253402300800'])
      expect(() => signed(body.replace('1795000000', created))).toThrow(/not one of this version/);
    for (const [from, to] of [
      ['evt_1', String.raw`evt_\u0000`],
      ['charge.updated', String.raw`charge.\u0000`],
      ['ch_1', String.raw`ch_\u0000`],
      ['"7"', String.raw`"\u0000"`],
      ['payment_id', String.raw`payment\u0000`],
      ['evt_1', 'e'.repeat(256)],
      ['"evt_1"', '7'],
    ] as const)
      expect(() => signed(body.replace(from, to))).toThrow(/not one of this version/);
  });

  // Proves STRP-04, PYEE-03
  it('of the v2 API names the account that it is about, and nothing else of it', () => {
    const notice = JSON.stringify({
      id: 'evt_2',
      object: 'v2.core.event',
      type: 'v2.core.account[requirements].updated',
      created: '2026-11-22T11:59:00.000Z',
      livemode: false,
      related_object: { id: 'acct_1', type: 'v2.core.account', url: '/v2/core/accounts/acct_1' },
    });
    expect(read(notice, server.sign(notice, 'whsec_connect', now), 'connect')).toEqual({
      id: 'evt_2',
      type: 'v2.core.account[requirements].updated',
      objectId: 'acct_1',
      metadata: {},
      accountId: 'acct_1',
      createdAt: new Date('2026-11-22T11:59:00Z'),
      live: false,
    });
    expect(() => read(notice, server.sign(notice, 'whsec_other', now), 'connect')).toThrow(ProviderError);
  });

  // Proves STRP-04
  it('is refused when it is forged, changed, old, unsigned, or signed for the other endpoint', () => {
    const old = new Date(now.getTime() - 301_000);
    const wrong: [string, string | undefined][] = [
      [body, undefined],
      [body, ''],
      [body, 't=1'],
      [body, server.sign(body, 'whsec_other', now)],
      [body, server.sign(body, 'whsec_connect', now)],
      [body, server.sign(body, 'whsec_new', old)],
      [body.replace('"charge.updated"', '"refund.created"'), server.sign(body, 'whsec_new', now)],
      [JSON.stringify(JSON.parse(body)), server.sign(body, 'whsec_new', now)],
      ['{', server.sign('{', 'whsec_new', now)],
      ['{}', server.sign('{}', 'whsec_new', now)],
      ['null', server.sign('null', 'whsec_new', now)],
      ['[]', server.sign('[]', 'whsec_new', now)],
    ];
    for (const [text, header] of wrong) {
      expect(() => read(text, header), `${text} ${String(header)}`).toThrow(ProviderError);
    }
    const young = new Date(now.getTime() - 299_000);
    expect(read(body, server.sign(body, 'whsec_new', young)).id).toBe('evt_1');
  });
});

describe('the start', () => {
  const EVENTS = ['payment_intent.succeeded', 'charge.updated'];
  let server: StripeServer;
  let provider: PaymentProvider;
  beforeAll(async () => {
    server = await startStripeServer();
    provider = createStripe(settingsOf(server), { wallClock });
  });
  afterAll(async () => await server.close());
  const prepare = () =>
    provider.prepare({
      publicUrl: 'https://ads.example.com',
      events: EVENTS,
      connectEvents: ['account.updated'],
    });
  const endpoint = (path: string, types: string[], more: object = {}) => ({
    id: `we_${path}`,
    object: 'webhook_endpoint',
    url: `https://ads.example.com${path}`,
    status: 'enabled',
    enabled_events: types,
    api_version: '2026-10-28.endive',
    ...more,
  });

  it('says which webhook endpoints and events are missing', async () => {
    expect(await prepare()).toEqual([
      'No webhook endpoint at Stripe sends events to https://ads.example.com/api/webhooks/stripe. Create it.',
      'No webhook endpoint at Stripe sends events to https://ads.example.com/api/webhooks/stripe-connect. Create it.',
    ]);
    server.endpoints.push(
      endpoint('/api/webhooks/stripe', ['payment_intent.succeeded']),
      endpoint('/api/webhooks/stripe-connect', ['*'], { api_version: '2024-04-10' }),
    );
    expect(await prepare()).toEqual([
      'The webhook endpoint https://ads.example.com/api/webhooks/stripe lacks the events charge.updated. Add them.',
      'The webhook endpoint https://ads.example.com/api/webhooks/stripe-connect has the API version 2024-04-10 instead of 2026-10-28.endive. Replace the endpoint.',
    ]);
    server.endpoints.splice(
      0,
      2,
      endpoint('/api/webhooks/stripe', EVENTS),
      endpoint('/api/webhooks/stripe-connect', ['account.updated']),
    );
    expect(await prepare()).toEqual([]);
  });

  it('wants the events that the operator’s guide lists', () => {
    const guide = readFileSync(path.join(import.meta.dirname, '../../../docs/install.md'), 'utf8');
    const listed = (endpoint: string) => {
      const row = guide.split('\n').find((line) => line.includes(`\`PUBLIC_URL/api/webhooks/${endpoint}\``));
      const cell = row?.split('|').at(3) ?? '';
      return [...cell.matchAll(/`([^`]+)`/g)].map(([, type]) => type);
    };
    expect(listed('stripe')).toEqual(ACCOUNT_EVENTS);
    expect(listed('stripe-connect')).toEqual(CONNECT_EVENTS);
  });

  it('registers the domain for wallets and makes one configuration of the billing portal', async () => {
    await prepare();
    await createStripe(settingsOf(server), { wallClock }).prepare({
      publicUrl: 'https://ads.example.com',
      events: [],
      connectEvents: [],
    });
    const made = server.requests.filter(({ call }) => call.startsWith('POST'));
    expect(made.map(({ call }) => call).toSorted()).toEqual([
      'POST /v1/billing_portal/configurations',
      'POST /v1/payment_method_domains',
    ]);
  });

  it('says what it could not check', async () => {
    server.faults.push({ on: 'payment_method_domains', how: 'rate_limited' });
    expect(await prepare()).toEqual([
      'Stripe did not let us check the payment method domain: Too many requests',
    ]);
  });
});
