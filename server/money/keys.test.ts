/**
 * We recognize our intents by random keys and by our ids in their metadata. Money that differs from the agreed payment
 * goes to suspense.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import type { PaymentIntent, PaymentProvider } from '#server/platform/provider/payment-provider.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import {
  beginPayment,
  CARD,
  makeApprovedAd,
  payByCard,
  withProvider,
} from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailToOperator } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { checkPayments } from './events/check-payments.ts';
import { adoptProvider } from './checkout/customers.ts';
import { expireUnpaidAds } from './checkout/expire-unpaid.ts';
import { ledgerImbalances } from './ledger/check.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { firstName: 'Ann', lastName: 'Bell' });
});

const paymentsOf = (ad: Ad) =>
  server.ctx.db.selectFrom('payments').selectAll().where('adId', '=', ad.id).orderBy('id').execute();
const installation = async () =>
  (await server.ctx.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;
const statusOf = async (ad: Ad): Promise<string> => (await buyer.get(`/api/ads/${ad.id}`)).body.status;
const report = (paymentIntentId: string) => buyer.post('/api/payment-success', { paymentIntentId });
const suspense = async (ad: Ad) => {
  const rows = await server.ctx.db
    .selectFrom('ledgerPostings as p')
    .innerJoin('ledgerTx as t', 't.id', 'p.txId')
    .innerJoin('ledgerAccounts as a', 'a.id', 'p.accountId')
    .select(['a.kind', 'p.amountCents'])
    .where('t.kind', '=', 'suspense')
    .where('t.adId', '=', ad.id)
    .orderBy('a.kind')
    .execute();
  return rows.map(({ kind, amountCents }) => `${kind} ${amountCents}`);
};
/** Answers every question about an intent with `changes`. */
const answeringWith = (changes: Partial<PaymentIntent>) => (real: PaymentProvider) => ({
  getIntent: async (id: string) => ({ ...(await real.getIntent(id)), ...changes }),
});

describe('the keys of our calls', () => {
  // Proves HOOK-04
  it('are random ids of rows that are stored before the call, and the metadata names the installation', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const calls: { name: string; key: string; metadata: Record<string, string> }[] = [];
    await withProvider(
      server.ctx,
      (real) => ({
        createCustomer: async (customer, key) => {
          calls.push({ name: 'customer', key, metadata: customer.metadata });
          return real.createCustomer(customer, key);
        },
        createIntent: async (intent, key) => {
          calls.push({ name: 'intent', key, metadata: intent.metadata });
          return real.createIntent(intent, key);
        },
      }),
      () => beginPayment(buyer, ad),
    );
    const [payment] = await paymentsOf(ad);
    const customer = await server.ctx.db
      .selectFrom('providerCustomers')
      .selectAll()
      .where('userId', '=', buyer.user.id)
      .executeTakeFirstOrThrow();
    expect(payment?.key).toMatch(/^[0-9a-f]{8}-/);
    expect(calls).toEqual([
      {
        name: 'customer',
        key: `cus:${customer.key}`,
        metadata: { installation: await installation(), user_id: String(buyer.user.id) },
      },
      {
        name: 'intent',
        key: `pi:${payment?.key}`,
        metadata: {
          installation: await installation(),
          payment_id: String(payment?.id),
          ad_id: String(ad.id),
          ad_public_id: ad.publicId,
          buyer_id: String(buyer.user.id),
          publisher_id: String(seller.user.id),
        },
      },
    ]);
    expect(payment?.customerId).toBe(customer.customerId);
  });

  // Proves HOOK-04
  it('are repeated after an interrupted call, so that one customer and one intent exist', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const person = await server.signIn('buyer');
    const theirs = await makeApprovedAd(seller, person);
    const keys: string[] = [];
    // The provider acts, and its answer does not arrive.
    const deaf = (real: PaymentProvider) => ({
      createIntent: async (...call: Parameters<PaymentProvider['createIntent']>) => {
        keys.push(call[1]);
        await real.createIntent(...call);
        throw new ProviderError('unavailable', 'socket hang up');
      },
      intentsSince: () => {
        throw new ProviderError('unavailable', 'socket hang up');
      },
    });
    const lost = await withProvider(server.ctx, deaf, () => beginPayment(person, theirs));
    expect(lost).toMatchObject({
      status: 503,
      body: {
        message:
          'The card provider can’t be reached right now. Nothing was charged. Please try again in a moment.',
      },
    });
    expect(lost.headers.get('retry-after')).toBe('10');
    const again = await beginPayment(person, theirs);
    expect(again.status).toBe(200);
    const objects = await server.ctx.db
      .selectFrom('sandboxObjects')
      .select('id')
      .where('idempotencyKey', '=', keys[0] ?? '')
      .execute();
    expect(objects).toEqual([{ id: again.body.clientSecret.split('_secret_')[0] }]);
    expect((await beginPayment(buyer, ad)).status).toBe(200);
  });

  // Proves HOOK-04
  it('lead to the intent that the provider created before it failed, which is found by our metadata', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    let made: PaymentIntent | undefined;
    const failing = (real: PaymentProvider) => ({
      createIntent: async (...call: Parameters<PaymentProvider['createIntent']>) => {
        made ??= await real.createIntent(...call);
        throw new ProviderError('unavailable', 'Stripe answered 500');
      },
      intentsSince: async function* () {
        if (made) yield made;
      },
    });
    const answer = await withProvider(server.ctx, failing, () => beginPayment(buyer, ad));
    expect(answer).toMatchObject({ status: 200, body: { clientSecret: made?.clientSecret } });
  });

  // Proves HOOK-04
  it('are replaced if the provider repeats a failure and knows no intent of ours', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const refused: string[] = [];
    const failing = (real: PaymentProvider) => ({
      createIntent: async (...call: Parameters<PaymentProvider['createIntent']>) => {
        if (refused.length < 2) {
          refused.push(call[1]);
          throw new ProviderError('unavailable', 'Stripe answered 500');
        }
        return real.createIntent(...call);
      },
      intentsSince: async function* () {},
    });
    expect((await withProvider(server.ctx, failing, () => beginPayment(buyer, ad))).status).toBe(503);
    const second = await withProvider(server.ctx, failing, () => beginPayment(buyer, ad));
    expect(second.status).toBe(200);
    expect(refused[1]).toBe(refused[0]);
    expect(`pi:${(await paymentsOf(ad))[0]?.key}`).not.toBe(refused[0]);
  });

  // Proves HOOK-04
  it('are replaced, with the customer, if the provider has deleted the customer', async () => {
    const person = await server.signIn('buyer');
    const ad = await makeApprovedAd(seller, person);
    await beginPayment(person, await makeApprovedAd(seller, person));
    const gone = await customerOf(person);
    const without = (real: PaymentProvider) => ({
      createIntent: async (...call: Parameters<PaymentProvider['createIntent']>) => {
        if (call[0].customerId === gone)
          throw new ProviderError('not_found', 'No such customer', { code: 'resource_missing' });
        return real.createIntent(...call);
      },
    });
    expect((await withProvider(server.ctx, without, () => beginPayment(person, ad))).status).toBe(200);
    expect(await customerOf(person)).not.toBe(gone);
  });

  const customerOf = async (client: Client) =>
    (
      await server.ctx.db
        .selectFrom('users')
        .select('stripeCustomerId')
        .where('id', '=', client.user.id)
        .executeTakeFirstOrThrow()
    ).stripeCustomerId;
});

describe('money that is not as agreed', () => {
  // Proves HOOK-03
  it.each<[string, Partial<PaymentIntent>, string[]]>([
    ['a smaller amount', { amountReceived: 9999 }, ['provider_clearing 9999', 'suspense -9999']],
    ['another amount', { amount: 1 }, ['provider_clearing 10000', 'suspense -10000']],
    ['another currency', { currency: 'EUR' }, ['provider_clearing 10000', 'suspense -10000']],
    ['another customer', { customerId: 'sbx_cus_other' }, ['provider_clearing 10000', 'suspense -10000']],
    ['no charge', { chargeId: null }, ['provider_clearing 10000', 'suspense -10000']],
    // Money of another book does not enter ours.
    ['another mode', { live: true }, []],
    ['another installation', { metadata: { payment_id: '1', installation: 'other' } }, []],
  ])(
    'because of %s goes to suspense, makes no ad live, and lets the ad expire',
    async (_what, changes, booked) => {
      const ad = await makeApprovedAd(seller, buyer);
      const { paymentIntentId } = await payByCard(buyer, ad);
      const answer = await withProvider(server.ctx, answeringWith(changes), () => report(paymentIntentId));
      expect(answer).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('not as agreed') },
      });
      expect(await statusOf(ad)).toBe('approved');
      expect((await paymentsOf(ad))[0]).toMatchObject({ status: 'suspense', problem: 'not_as_agreed' });
      expect(await suspense(ad)).toEqual(booked);
      const told = (await mailToOperator(server.ctx, 'money-in-suspense')).map(({ text }) => text);
      expect(told.filter((text) => text.includes(`for ad ${ad.id} is not as agreed`))).toHaveLength(1);
      // It stays there: neither the right answer nor another payment makes the ad live.
      expect((await report(paymentIntentId)).status).toBe(409);
      expect((await beginPayment(buyer, ad)).status).toBe(409);
      server.clock.advance(15 * DAY_MS);
      await expireUnpaidAds(server.ctx);
      expect(await statusOf(ad)).toBe('rejected');
    },
  );

  // Proves HOOK-03
  it('does not include an unpaid intent that changed, which is canceled and replaced', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const first = (await beginPayment(buyer, ad)).body.clientSecret as string;
    const changed = (real: PaymentProvider) => ({
      getIntent: async (id: string) => ({
        ...(await real.getIntent(id)),
        ...(first.startsWith(id) && { amount: 1 }),
      }),
    });
    const second = await withProvider(server.ctx, changed, () => beginPayment(buyer, ad));
    expect(second.status).toBe(200);
    expect(second.body.clientSecret).not.toBe(first);
    expect((await paymentsOf(ad)).map(({ status }) => status)).toEqual(['canceled', 'open']);
  });
});

describe('an intent that the provider does not know', () => {
  const forgetful = (intentId: string) => (real: PaymentProvider) => ({
    getIntent: async (id: string) => {
      if (id === intentId)
        throw new ProviderError('not_found', 'No such intent', { code: 'resource_missing' });
      return real.getIntent(id);
    },
  });

  // Proves HOOK-03
  it('is answered with 409, replaced at the next checkout, and does not keep its ad from expiring', async () => {
    const [ad, other] = [await makeApprovedAd(seller, buyer), await makeApprovedAd(seller, buyer)];
    const { clientSecret } = (await beginPayment(buyer, ad)).body;
    const intentId = clientSecret.split('_secret_')[0];
    await withProvider(server.ctx, forgetful(intentId), async () => {
      expect((await report(intentId)).status).toBe(409);
      const again = await beginPayment(buyer, ad);
      expect(again.status).toBe(200);
      expect(again.body.clientSecret).not.toBe(clientSecret);
    });
    const gone = (await beginPayment(buyer, other)).body.clientSecret.split('_secret_')[0];
    server.clock.advance(15 * DAY_MS);
    await withProvider(server.ctx, forgetful(gone), () => expireUnpaidAds(server.ctx));
    expect(await statusOf(other)).toBe('rejected');
  });

  // Proves HOOK-01
  it('is asked about less and less often, up to once a day, and named as a problem', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { clientSecret } = (await beginPayment(buyer, ad)).body;
    const intentId = clientSecret.split('_secret_')[0];
    const asked: number[] = [];
    const counting = (real: PaymentProvider) => ({
      getIntent: async (id: string) => {
        if (id === intentId) asked.push(server.ctx.now().getTime());
        return forgetful(intentId)(real).getIntent(id);
      },
    });
    await withProvider(server.ctx, counting, async () => {
      for (let hour = 0; hour < 24 * 6; hour++) {
        server.clock.advance(60 * MINUTE_MS);
        await checkPayments(server.ctx);
      }
    });
    const gaps = asked.slice(1).map((at, n) => Math.round((at - (asked[n] as number)) / (60 * MINUTE_MS)));
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
    expect(gaps.at(-1)).toBe(24);
    expect(asked.length).toBeLessThan(16);
    expect((await paymentsOf(ad))[0]?.problem).toBe('unknown');
  });
});

describe('after a change of provider', () => {
  /** The sandbox, as if it were another provider. */
  const other = (real: PaymentProvider): Partial<PaymentProvider> => ({
    name: 'stripe',
    mode: 'test',
    book: 'stripe-test',
    createCustomer: (customer, key) => real.createCustomer(customer, `other:${key}`),
    getIntent: async (id) => {
      const intent = await real.getIntent(id);
      if (!intent.metadata['payment_id'] || (await bookOf(id)) !== 'stripe-test')
        throw new ProviderError('not_found', 'No such intent', { code: 'resource_missing' });
      return intent;
    },
  });
  const bookOf = async (intentId: string) =>
    (
      await server.ctx.db
        .selectFrom('payments')
        .select('book')
        .where('intentId', '=', intentId)
        .executeTakeFirst()
    )?.book;
  const customerIdOf = async () =>
    (
      await server.ctx.db
        .selectFrom('users')
        .select('stripeCustomerId')
        .where('id', '=', buyer.user.id)
        .executeTakeFirstOrThrow()
    ).stripeCustomerId;

  // Proves HOOK-06
  it('the open payment is closed and a new one made, for a customer of the present provider', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const first = (await beginPayment(buyer, ad)).body.clientSecret as string;
    const before = await customerIdOf();
    await withProvider(server.ctx, other, async () => {
      await adoptProvider(server.ctx);
      expect(await customerIdOf()).toBeNull();
      expect((await report(first.split('_secret_')[0] as string)).status).toBe(409);
      const second = await beginPayment(buyer, ad);
      expect(second.status).toBe(200);
      expect(second.body.clientSecret).not.toBe(first);
      expect((await paymentsOf(ad)).map(({ status, book }) => `${book} ${status}`)).toEqual([
        'sandbox canceled',
        'stripe-test open',
      ]);
      expect(await customerIdOf()).not.toBe(before);
      // The other provider's payments are not asked about.
      server.clock.advance(DAY_MS);
      await checkPayments(server.ctx);
    });
    await adoptProvider(server.ctx);
    expect(await customerIdOf()).toBe(before);
    const [kept] = await paymentsOf(ad);
    expect(kept?.problem).toBeNull();
  });

  // Proves HOOK-06
  it('money that had already arrived at the provider before is found when it is back, and refunded', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { paymentIntentId } = await payByCard(buyer, ad);
    await server.ctx.db.deleteFrom('providerEvents').where('doneAt', 'is', null).execute();
    await withProvider(server.ctx, other, () => beginPayment(buyer, ad));
    server.clock.advance(DAY_MS);
    await checkPayments(server.ctx);
    expect((await paymentsOf(ad))[0]).toMatchObject({ intentId: paymentIntentId, status: 'orphaned' });
  });
});

// Proves HOOK-08
it('takes no payment for an ad zone or website that the publisher has paused', async () => {
  const ad = await makeApprovedAd(seller, buyer);
  const { websiteId } = await server.ctx.db
    .selectFrom('adZones')
    .select('websiteId')
    .where('id', '=', ad.adZoneId)
    .executeTakeFirstOrThrow();
  const sell = async (what: 'zone' | 'website', isActive: boolean) => {
    if (what === 'zone') await seller.patch(`/api/ad-zones/${ad.adZoneId}`, { isActive });
    else await server.ctx.db.updateTable('websites').set({ isActive }).where('id', '=', websiteId).execute();
  };
  for (const what of ['zone', 'website'] as const) {
    await sell(what, false);
    expect(await beginPayment(buyer, ad)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('paused') },
    });
    await sell(what, true);
  }
  const answer = await beginPayment(buyer, ad);
  expect(answer.status).toBe(200);
  expect((await buyer.post('/api/sandbox/confirm', { ...answer.body, ...CARD })).status).toBe(200);
});

// Proves LEDG-04
it('leaves the ledger in balance after all tests of this file', async () => {
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});
