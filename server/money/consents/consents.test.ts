/** "Pay when approved", from the consent to the charge. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { Consent } from '#domain/payments/consent-contract.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { startJobs } from '#server/app/jobs/worker.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { CARD, losesAnswer, outOfReach, payByCard, withProvider } from '#server/testing/money/checkout.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { checkPayments } from '../events/check-payments.ts';
import { ledgerImbalances } from '../ledger/check.ts';
import { chargeConsented, chargeDueConsents } from './charge.ts';
import { withdrawAbandoned } from './withdraw.ts';

const DECLINED_LATER = '4000000000000341';
const ALWAYS_CHALLENGED = '4000002760003184';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let product: Product;
let email: string;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  ({ email } = (await buyer.get('/api/auth/user')).body as { email: string });
  product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), { price: '25.00' });
});

const pendingAd = async (): Promise<Ad> => await makeAd(buyer, product);
const begin = async (ads: Ad[], limit = `${25 * ads.length}.00`, client = buyer) =>
  await client.post('/api/payment-consents', { limit, ads: ads.map(({ publicId }) => publicId) });
const confirm = async ({ id }: { id: number }, client = buyer) =>
  await client.post(`/api/payment-consents/${id}/confirm`);

/** An active consent for these ads. */
async function allow(ads: Ad[], number = CARD.number, limit?: string): Promise<Consent> {
  const begun = await begin(ads, limit);
  expect(begun.status).toBe(201);
  const { clientSecret } = begun.body;
  const saved = await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD, number });
  expect(saved.status).toBe(200);
  if (saved.body.status === 'requires_action')
    await buyer.post('/api/sandbox/authenticate', { clientSecret, outcome: 'complete' });
  const answer = await confirm(begun.body);
  expect(answer).toMatchObject({ status: 200, body: { state: 'active' } });
  return answer.body;
}

const adNow = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.publicId}`)).body;
const approveAndCharge = async (ad: Ad): Promise<Ad> => {
  await approve(seller, ad);
  await chargeConsented(server.ctx, ad.id);
  return await adNow(ad);
};
const paymentsOf = async (ad: Ad) =>
  await server.ctx.db.selectFrom('payments').selectAll().where('adId', '=', ad.id).execute();
const mailsOf = async (kind: string) =>
  (await mailTo(server.ctx, email)).filter((mail) => mail.kind === kind);

describe('a consent', () => {
  // Proves CONS-02
  it('is begun without a card, becomes active with one, and shows what is used and left', async () => {
    const ads = [await pendingAd(), await pendingAd()];
    const begun = await begin(ads, '60');
    expect(begun).toMatchObject({
      status: 201,
      body: {
        id: expect.any(Number),
        state: 'needs_card',
        limit: '60.00',
        clientSecret: expect.stringContaining('_secret_'),
        card: null,
        ads: ads.map(({ publicId }) => ({ publicId, amount: '25.00' })),
      },
    });
    expect((await adNow(ads[0]!)).consent).toBeNull();
    expect(await confirm(begun.body)).toMatchObject({ status: 402, body: { code: 'setup_not_confirmed' } });

    const { clientSecret } = begun.body;
    const saved = await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
    expect(saved).toMatchObject({
      status: 200,
      body: { setupIntentId: clientSecret.split('_secret_')[0], status: 'succeeded' },
    });
    const active = {
      id: begun.body.id,
      state: 'active',
      limit: '60.00',
      used: '0.00',
      left: '60.00',
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 },
    };
    expect(await confirm(begun.body)).toMatchObject({ status: 200, body: active });
    expect(await confirm(begun.body)).toMatchObject({ status: 200, body: active });
    expect((await buyer.get('/api/payment-consents')).body[0]).toMatchObject(active);
    expect((await adNow(ads[0]!)).consent).toEqual({
      id: begun.body.id,
      state: 'active',
      last4: '4242',
      limit: '60.00',
    });

    expect((await approveAndCharge(ads[0]!)).status).toBe('active');
    expect((await buyer.get('/api/payment-consents')).body[0]).toMatchObject({
      used: '25.00',
      left: '35.00',
      ads: [{ state: 'paid' }, { state: 'active' }],
    });
  });

  // Proves CONS-02
  it('is refused below the sum of its ads, for paid ads, for ads that have one, and for ads of others', async () => {
    const ad = await pendingAd();
    const low = await begin([ad, await pendingAd()], '49.99');
    expect(low).toMatchObject({ status: 400, body: { message: expect.stringContaining('$50.00') } });
    for (const body of [{}, { limit: '25' }, { limit: '-1', ads: [ad.id] }, { limit: '25', ads: [] }])
      expect((await buyer.post('/api/payment-consents', body)).status).toBe(400);
    for (const ads of [[999_999], [ad.publicId, 999_999]])
      expect((await buyer.post('/api/payment-consents', { limit: '99', ads })).status).toBe(404);
    expect((await begin([ad], '25.00', await server.signIn('buyer'))).status).toBe(404);

    const first = await begin([ad]);
    expect((await begin([ad])).status).toBe(409);
    await buyer.delete(`/api/payment-consents/${first.body.id}`);
    await allow([ad]);
    expect((await begin([ad])).status).toBe(409);

    const paid = await approve(seller, await pendingAd());
    const { paymentIntentId } = await payByCard(buyer, paid);
    await buyer.post('/api/payment-success', { paymentIntentId });
    expect((await begin([paid])).status).toBe(409);
    const rejected = await pendingAd();
    await seller.put(`/api/ads/${rejected.publicId}/reject`, { rejectionReason: 'No' });
    expect((await begin([rejected])).status).toBe(409);
  });

  // Proves CONS-02
  it('exists once for an ad, however many are begun at once', async () => {
    const ad = await pendingAd();
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin([ad])));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
  });

  // Proves CONS-04
  it('belongs to its advertiser, and the publisher learns nothing about it', async () => {
    const ad = await pendingAd();
    const { id } = await allow([ad]);
    const stranger = await server.signIn('buyer');
    expect((await confirm({ id }, stranger)).status).toBe(404);
    expect((await stranger.delete(`/api/payment-consents/${id}`)).status).toBe(404);
    expect((await stranger.get('/api/payment-consents')).body).toEqual([]);
    const begun = (await begin([await pendingAd()])).body;
    const { clientSecret } = begun;
    expect((await stranger.post('/api/sandbox/confirm', { clientSecret, ...CARD })).status).toBe(404);
    expect((await seller.get(`/api/ads/${ad.publicId}/details`)).body.consent).toBeNull();
    const pending: Ad[] = (await seller.get('/api/ads/pending?limit=100')).body;
    expect(pending.find(({ publicId }) => publicId === ad.publicId)?.consent).toBeNull();
    const approved = await seller.put(`/api/ads/${ad.publicId}/approve`, {});
    expect(approved).toMatchObject({ status: 200, body: { consent: null } });
    expect(approved.text).not.toContain('4242');
  });

  // Proves CONS-05
  it('keeps the sentences that were accepted, and leaves nothing if the provider is away', async () => {
    const ad = await pendingAd();
    await withProvider(
      server.ctx,
      () => ({ createSetup: outOfReach }),
      async () => {
        expect((await begin([ad])).status).toBe(503);
      },
    );
    const { id } = await allow([ad]);
    const row = await server.ctx.db
      .selectFrom('paymentConsents')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.agreedText).toContain('charge it $25.00 once, when the publisher approves my ad');
    expect(row.network).toMatch(/^[\w-]{43}$/);
  });

  // Proves CONS-05
  it('without a card ends after a day', async () => {
    const ad = await pendingAd();
    await begin([ad]);
    server.clock.advance(24 * 60 * MINUTE_MS);
    await withdrawAbandoned(server.ctx);
    expect((await allow([ad])).state).toBe('active');
  });
});

// Proves CONS-02
it('a consent for a plan covers its ads, and the plan shows it', async () => {
  const creative = {
    adType: 'text',
    title: 'Plan',
    description: 'One card for all',
    targetUrl: 'https://plan.example/',
  };
  const placement = { adZoneId: product.adZoneId, productId: product.id, quantity: 1 };
  const requestId = crypto.randomUUID();
  const made = await buyer.post('/api/plans', {
    requestId,
    name: 'Two places',
    creative,
    placements: [placement, placement],
  });
  expect(made.status).toBe(201);
  const plan = made.body.publicId as string;
  const ask = async (body: object, client = buyer) => await client.post('/api/payment-consents', body);
  expect((await ask({ limit: '49.99', plan })).status).toBe(400);
  expect((await ask({ limit: '50.00', plan }, await server.signIn('buyer'))).status).toBe(404);
  const begun = await ask({ limit: '50.00', plan });
  expect(begun).toMatchObject({ status: 201, body: { limit: '50.00', ads: [{}, {}] } });
  const { clientSecret } = begun.body;
  await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
  await confirm(begun.body);
  const shown = async () => (await buyer.get(`/api/plans/${plan}`)).body;
  expect((await shown()).consent).toMatchObject({ id: begun.body.id, state: 'active', last4: '4242' });
  for (const ad of (await shown()).ads as Ad[]) expect((await approveAndCharge(ad)).status).toBe('active');
  expect(await shown()).toMatchObject({ paid: '50.00', consent: { state: 'paid' } });
  expect((await ask({ limit: '50.00', plan })).status).toBe(409);
});

describe('the charge', () => {
  // Proves CONS-06
  it('makes the ad live on approval, through a payment with ledger and receipt', async () => {
    const ad = await pendingAd();
    await allow([ad]);
    await approve(seller, ad);
    expect((await mailsOf('ad-approved')).at(-1)?.text).toContain('card ending in 4242');
    await chargeConsented(server.ctx, ad.id);
    expect(await adNow(ad)).toMatchObject({
      status: 'active',
      consent: { state: 'paid', last4: '4242' },
    });
    expect(await paymentsOf(ad)).toMatchObject([{ status: 'succeeded', amountCents: 2500 }]);
    const payments = (await buyer.get('/api/billing/payments')).body;
    expect(payments[0]).toMatchObject({ adPublicId: ad.publicId, receipt: expect.stringMatching(/^R-/) });
  });

  // Proves CONS-06
  it('comes by itself within ten seconds of the approval, and of the consent of an approved ad', async () => {
    const jobs = await startJobs(server.ctx, server.databaseUrl);
    try {
      const later = await pendingAd();
      const before = await approve(seller, await pendingAd());
      await allow([later]);
      await approve(seller, later);
      await allow([before]);
      for (const ad of [later, before])
        await expect.poll(async () => (await adNow(ad)).status).toBe('active');
    } finally {
      await jobs.stop();
    }
  });

  // Proves CONS-07
  it('happens once, however often and at how many servers it is asked for', async () => {
    const ads = [await pendingAd(), await pendingAd(), await pendingAd()];
    await allow(ads);
    for (const ad of ads) await approve(seller, ad);
    await Promise.all([
      ...ads.flatMap((ad) => Array.from({ length: 3 }, () => chargeConsented(server.ctx, ad.id))),
      chargeDueConsents(server.ctx),
      chargeDueConsents(server.ctx),
    ]);
    for (const ad of ads) {
      expect(await adNow(ad)).toMatchObject({ status: 'active', consent: { state: 'paid' } });
      expect(await paymentsOf(ad)).toMatchObject([{ status: 'succeeded' }]);
    }
  });

  // Proves CONS-08
  it.each([
    ['is declined', DECLINED_LATER, 'failed', 'declined'],
    ['needs the advertiser', ALWAYS_CHALLENGED, 'needs_action', 'confirm your payment'],
  ])('that %s leaves the ad approved, with a mail and Pay Now', async (_, number, state, subject) => {
    const ad = await pendingAd();
    await allow([ad], number);
    expect(await approveAndCharge(ad)).toMatchObject({ status: 'approved', consent: { state } });
    expect((await mailsOf('charge-failed')).at(-1)?.subject).toContain(subject);
    const mails = (await mailsOf('charge-failed')).length;
    await chargeConsented(server.ctx, ad.id);
    await chargeDueConsents(server.ctx);
    expect(await mailsOf('charge-failed')).toHaveLength(mails);
    const { answer, paymentIntentId } = await payByCard(buyer, await adNow(ad));
    expect(answer.status).toBe(200);
    await buyer.post('/api/payment-success', { paymentIntentId });
    expect(await adNow(ad)).toMatchObject({ status: 'active', consent: { state: 'paid' } });
  });

  // Proves CONS-08
  it('of a card that expires between the consent and the approval is declined', async () => {
    const [ad, { db }] = [await pendingAd(), server.ctx];
    const { id } = await allow([ad]);
    const { cardId } = await db
      .selectFrom('paymentConsents')
      .select('cardId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const card = db.selectFrom('sandboxObjects').select('data').where('id', '=', String(cardId));
    const { data } = await card.executeTakeFirstOrThrow();
    const expired = JSON.stringify({ ...(data as object), expYear: 2020 });
    await db.updateTable('sandboxObjects').set({ data: expired }).where('id', '=', String(cardId)).execute();
    expect(await approveAndCharge(ad)).toMatchObject({ status: 'approved', consent: { state: 'failed' } });
  });

  // Proves CONS-07
  it('whose answer is lost is made once, and its end is found', async () => {
    const ad = await pendingAd();
    await allow([ad]);
    await approve(seller, ad);
    await withProvider(
      server.ctx,
      (real) => ({ chargeSaved: losesAnswer(real.chargeSaved.bind(real)) }),
      async () => await chargeConsented(server.ctx, ad.id),
    );
    expect((await adNow(ad)).consent?.state).toBe('charging');
    server.clock.advance(5 * MINUTE_MS);
    await chargeDueConsents(server.ctx);
    await checkPayments(server.ctx);
    expect(await adNow(ad)).toMatchObject({ status: 'active', consent: { state: 'paid' } });
    expect(await paymentsOf(ad)).toMatchObject([{ status: 'succeeded' }]);
  });

  // Proves CONS-08
  it('that never gets an answer ends, and the advertiser is asked to pay', async () => {
    const ad = await pendingAd();
    await allow([ad]);
    await approve(seller, ad);
    await withProvider(
      server.ctx,
      () => ({ chargeSaved: outOfReach }),
      async () => {
        for (let n = 0; n < 10; n++) {
          server.clock.advance(3 * 60 * MINUTE_MS);
          await chargeDueConsents(server.ctx);
        }
      },
    );
    expect(await adNow(ad)).toMatchObject({ status: 'approved', consent: { state: 'failed' } });
  });

  // Proves CONS-09
  it('waits while the ad cannot be paid for', async () => {
    const zone = await makeZone(seller, await makeWebsite(seller));
    const ad = await makeAd(buyer, await makeProduct(seller, zone, { price: '25.00' }));
    await allow([ad]);
    await approve(seller, ad);
    const pause = async (isActive: boolean) =>
      expect((await seller.patch(`/api/ad-zones/${zone.publicId}`, { isActive })).status).toBe(200);
    await pause(false);
    await chargeConsented(server.ctx, ad.id);
    expect(await adNow(ad)).toMatchObject({ status: 'approved', consent: { state: 'active' } });
    await pause(true);
    server.clock.advance(6 * MINUTE_MS);
    await chargeDueConsents(server.ctx);
    expect((await adNow(ad)).status).toBe('active');
  });

  // Proves CONS-09
  it('never exceeds the limit', async () => {
    const ads = [await pendingAd(), await pendingAd()];
    const { id } = await allow(ads);
    await server.ctx.db
      .updateTable('paymentConsents')
      .set({ limitCents: 2500 })
      .where('id', '=', id)
      .execute();
    for (const ad of ads) await approve(seller, ad);
    await Promise.all(ads.map((ad) => chargeConsented(server.ctx, ad.id)));
    const states = await Promise.all(ads.map(async (ad) => (await adNow(ad)).status));
    expect(states.toSorted()).toEqual(['active', 'approved']);
  });
});

describe('a withdrawal', () => {
  // Proves CONS-10
  it('before the approval means that nothing is charged, and the provider forgets the card', async () => {
    const [ad, kept] = [await pendingAd(), await pendingAd()];
    const { id } = await allow([ad, kept]);
    const one = await buyer.delete(`/api/payment-consents/${id}?ad=${ad.publicId}`);
    expect(one).toMatchObject({ status: 200, body: { state: 'withdrawn' } });
    expect(await approveAndCharge(ad)).toMatchObject({
      status: 'approved',
      consent: { state: 'withdrawn' },
    });
    expect((await adNow(kept)).consent?.state).toBe('active');
    for (const _ of [1, 2]) {
      const all = await buyer.delete(`/api/payment-consents/${id}`);
      expect(all).toMatchObject({ status: 200, body: { state: 'withdrawn' } });
    }
    expect(await approveAndCharge(kept)).toMatchObject({ status: 'approved' });
    await chargeDueConsents(server.ctx);
    expect(await paymentsOf(kept)).toEqual([]);
    expect((await confirm({ id })).status).toBe(409);
    const { rows } = await server.app.pool.query(
      `select payload from graphile_worker._private_jobs where payload ->> 'cardId' =
        (select card_id from payment_consents where id = $1)`,
      [id],
    );
    expect(rows).toHaveLength(1);
    await allow([ad]);
  });

  // Proves CONS-10
  it('after the charge changes nothing about it', async () => {
    const ad = await pendingAd();
    const { id } = await allow([ad]);
    await approveAndCharge(ad);
    expect((await buyer.delete(`/api/payment-consents/${id}?ad=${ad.publicId}`)).body).toEqual({
      state: 'paid',
    });
    expect((await buyer.delete(`/api/payment-consents/${id}`)).body).toEqual({ state: 'withdrawn' });
    expect(await adNow(ad)).toMatchObject({ status: 'active', consent: { state: 'paid' } });
  });

  // Proves CONS-10
  it('at the same moment as the charge leaves either, and never half of both', async () => {
    for (let n = 0; n < 5; n++) {
      const ad = await pendingAd();
      const { id } = await allow([ad]);
      await approve(seller, ad);
      await Promise.all([
        chargeConsented(server.ctx, ad.id),
        buyer.delete(`/api/payment-consents/${id}`),
        chargeConsented(server.ctx, ad.id),
      ]);
      const { status, consent } = await adNow(ad);
      expect([`active paid`, `approved withdrawn`]).toContain(`${status} ${consent?.state}`);
    }
  });
});

// Proves CONS-06
it('all of this leaves the books balanced', async () => {
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});
