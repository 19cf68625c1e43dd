import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import type { PaymentProvider } from '#server/platform/provider/payment-provider.ts';
import { beginPayment, makeApprovedAd, payByCard, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { ledgerImbalances } from '../ledger/check.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller', { email: 'publisher@example.test' });
  buyer = await server.signIn('buyer', { email: 'advertiser@example.test' });
});

const read = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.id}`)).body as Ad;
const report = (client: Client, paymentIntentId: string) =>
  client.post('/api/payment-success', { paymentIntentId });
const paymentsOf = (ad: Ad) =>
  server.ctx.db.selectFrom('payments').selectAll().where('adId', '=', ad.id).orderBy('id').execute();

// Proves PAY-07
it('names the provider in the configuration and says that no money moves', async () => {
  const answer = await buyer.get('/api/payments/config');
  expect(answer.body).toEqual({
    provider: 'sandbox',
    mode: 'sandbox',
    currency: 'USD',
    notice: 'Sandbox payments: no money moves',
    rehearsal: '/dev/rehearsal',
  });
  expect((await server.anyone().get('/api/payments/config')).status).toBe(401);
});

describe('beginning a payment', () => {
  // Proves API-56, STATE-04, CHK-14
  it('returns a client secret for an approved ad', async () => {
    const answer = await beginPayment(buyer, await makeApprovedAd(seller, buyer));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      clientSecret: expect.stringMatching(/^sbx_pi_[0-9a-f]+_secret_[\w-]{20,}$/),
    });
  });

  // Proves API-56, OP-092
  it('accepts only the ad’s price, as a number or a string', async () => {
    const ad = await makeApprovedAd(seller, buyer, { product: { price: '19.90' } });
    for (const amount of [19.9, '19.90', '19.9', ' 19.90 '])
      expect((await beginPayment(buyer, ad, amount)).status).toBe(200);
    for (const amount of [
      0.01,
      19.89,
      19.91,
      '1990',
      -19.9,
      0,
      '',
      'abc',
      1e21,
      '19.900',
      'NaN',
      '0x13',
      '１９.９',
    ]) {
      const answer = await beginPayment(buyer, ad, amount);
      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'The price of this ad is $19.90. Please reload the page.' },
      });
    }
    for (const amount of [null, true, [19.9], {}])
      expect((await beginPayment(buyer, ad, amount)).status).toBe(400);
    expect((await paymentsOf(ad)).map(({ amountCents }) => amountCents)).toEqual([1990]);
  });

  // Proves STATE-30, OP-093
  it('returns the same secret and creates one payment for repeated and concurrent calls', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const answers = await Promise.all(Array.from({ length: 10 }, () => beginPayment(buyer, ad)));
    answers.push(await beginPayment(buyer, ad));
    expect(new Set(answers.map(({ body }) => body.clientSecret)).size).toBe(1);
    expect(await paymentsOf(ad)).toHaveLength(1);
    const objects = await server.ctx.db
      .selectFrom('sandboxObjects')
      .select('id')
      .where('kind', '=', 'pi')
      .execute();
    const open = await server.ctx.db.selectFrom('payments').select('intentId').execute();
    expect(new Set(open.map(({ intentId }) => intentId))).toEqual(new Set(objects.map(({ id }) => id)));
  });

  // Proves API-56, STATE-08
  it('refuses an ad that is not approved', async () => {
    const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
    const pending = await makeAd(buyer, product);
    expect(await beginPayment(buyer, pending)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('pending') },
    });
    await seller.put(`/api/ads/${pending.id}/reject`, { rejectionReason: 'No' });
    expect((await beginPayment(buyer, pending)).status).toBe(409);

    const ad = await makeApprovedAd(seller, buyer);
    const { paymentIntentId } = await payByCard(buyer, ad);
    const { ad: live } = (await report(buyer, paymentIntentId)).body;
    const again = await beginPayment(buyer, ad);
    expect(again).toMatchObject({
      status: 409,
      body: { message: 'This ad has already been paid for. You can find it under My Campaigns.' },
    });
    server.clock.set(new Date(live.endDate));
    await completeDueAds(server.ctx);
    expect((await beginPayment(buyer, ad)).status).toBe(409);
    expect(await paymentsOf(ad)).toHaveLength(1);
  });

  // Proves API-56, STATE-09, ROLE-07, OP-038
  it('answers 401 to a visitor, 403 to a publisher, and 404 to another advertiser or for an unknown ad', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    expect((await beginPayment(server.anyone(), ad)).status).toBe(401);
    expect((await beginPayment(seller, ad)).status).toBe(403);
    expect((await beginPayment(await server.signIn('both'), ad)).status).toBe(404);
    expect(
      (await beginPayment(buyer, { ...ad, publicId: '00000000-0000-4000-8000-000000000000' })).status,
    ).toBe(404);
    expect((await beginPayment(buyer, { ...ad, publicId: String(ad.id) })).status).toBe(400);
    expect(await paymentsOf(ad)).toEqual([]);
  });

  // Proves OP-099
  it('passes on the provider’s message for a price below its minimum', async () => {
    // A price from before the provider raised its minimum. No option can be offered below it.
    const ad = await makeApprovedAd(seller, buyer);
    await sql`alter table ads disable trigger guard_ad`.execute(server.owner);
    await server.owner
      .updateTable('ads')
      .set({ totalAmount: '0.49', commissionAmount: '0.07' })
      .where('id', '=', ad.id)
      .execute();
    await sql`alter table ads enable trigger guard_ad`.execute(server.owner);
    expect(await beginPayment(buyer, { ...ad, totalAmount: '0.49' })).toMatchObject({
      status: 400,
      body: { message: 'The amount must be at least $0.50. Choose another pricing option.' },
    });
    expect(
      (await beginPayment(buyer, await makeApprovedAd(seller, buyer, { product: { price: '0.50' } }))).status,
    ).toBe(200);
  });

  // Proves OP-093
  it('creates a new intent after the provider has canceled the first one', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const first = (await beginPayment(buyer, ad)).body.clientSecret as string;
    await server.ctx.payments.cancelIntent(first.split('_secret_')[0] as string);
    const second = await beginPayment(buyer, ad);
    expect(second.status).toBe(200);
    expect(second.body.clientSecret).not.toBe(first);
    expect((await paymentsOf(ad)).map(({ status }) => status)).toEqual(['canceled', 'open']);
  });

  // Proves OP-095, HOOK-05
  it('makes the ad live at the next load if the provider has received the payment', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    await payByCard(buyer, ad);
    expect((await read(ad)).status).toBe('approved');
    expect(await beginPayment(buyer, ad)).toMatchObject({
      status: 409,
      body: { message: 'This ad has already been paid for. You can find it under My Campaigns.' },
    });
    expect((await read(ad)).status).toBe('active');
  });
});

describe('reporting a payment', () => {
  // Proves API-57, STATE-05, ENT-26, LEDG-04, LEDG-01
  it('makes the ad live at once, with dates, one payment, one ledger entry and an e-mail to both sides', async () => {
    const ad = await makeApprovedAd(seller, buyer, { product: { price: '33.33', duration: 3 } });
    const { paymentIntentId, answer } = await payByCard(buyer, ad);
    expect(answer).toMatchObject({ status: 200, body: { paymentIntentId, status: 'succeeded' } });
    const reported = await report(buyer, paymentIntentId);
    expect(reported).toMatchObject({
      status: 200,
      body: { success: true, ad: { id: ad.id, status: 'active' } },
    });
    const { startDate, endDate } = reported.body.ad as { startDate: string; endDate: string };
    expect(new Date(endDate).getTime() - new Date(startDate).getTime()).toBe(3 * 86_400_000);

    const [payment] = await paymentsOf(ad);
    expect(payment).toMatchObject({
      status: 'succeeded',
      amountCents: 3333,
      commissionCents: 500,
      book: 'sandbox',
    });
    const postings = await server.ctx.db
      .selectFrom('ledgerPostings')
      .innerJoin('ledgerTx', 'ledgerTx.id', 'ledgerPostings.txId')
      .innerJoin('ledgerAccounts', 'ledgerAccounts.id', 'ledgerPostings.accountId')
      .select(['ledgerAccounts.kind', 'amountCents', 'ownerId'])
      .where('externalRef', '=', payment?.chargeId as string)
      .orderBy('ledgerAccounts.kind')
      .execute();
    expect(postings).toEqual([
      { kind: 'deferred_commission', amountCents: -500, ownerId: ad.id },
      { kind: 'deferred_publisher', amountCents: -2833, ownerId: ad.id },
      { kind: 'provider_clearing', amountCents: 3333, ownerId: null },
    ]);
    for (const address of ['publisher@example.test', 'advertiser@example.test']) {
      const mails = await mailTo(server.ctx, address);
      expect(mails.some(({ kind }) => kind === 'ad-live')).toBe(true);
    }
  });

  // Proves API-57, OP-094
  it('gives the same answer when repeated', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { paymentIntentId } = await payByCard(buyer, ad);
    const first = await report(buyer, paymentIntentId);
    expect((await report(buyer, paymentIntentId)).body).toEqual(first.body);
  });

  // Proves API-57, OP-094, OP-038
  it('does not activate an ad for an invented, unpaid or declined intent, or for another user’s', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { clientSecret } = (await beginPayment(buyer, ad)).body;
    const intentId = clientSecret.split('_secret_')[0];
    expect((await report(buyer, 'pi_invented')).status).toBe(404);
    expect((await report(buyer, '')).status).toBe(400);
    expect((await report(buyer, intentId)).status).toBe(402);
    await payByCard(buyer, ad, { number: '4000000000000002' });
    expect(await report(buyer, intentId)).toMatchObject({
      status: 402,
      body: { message: 'Your card was declined.', code: 'card_declined', declineCode: 'generic_decline' },
    });
    expect((await read(ad)).status).toBe('approved');
    await payByCard(buyer, ad);
    expect((await report(await server.signIn('buyer'), intentId)).status).toBe(404);
    expect((await report(seller, intentId)).status).toBe(403);
    expect((await report(server.anyone(), intentId)).status).toBe(401);
    expect((await read(ad)).status).toBe('approved');
  });

  // Proves API-57, OP-094
  it('does not activate an ad for an intent of another payment, amount or mode, or without a charge', async () => {
    for (const mismatch of [
      { amount: 1 },
      { amountReceived: 9999 },
      { metadata: { payment_id: '999999' } },
      { live: true },
      { chargeId: null },
    ]) {
      const ad = await makeApprovedAd(seller, buyer);
      const { paymentIntentId } = await payByCard(buyer, ad);
      const withMismatch = (real: PaymentProvider) => ({
        getIntent: async (id: string) => ({ ...(await real.getIntent(id)), ...mismatch }),
      });
      const answer = await withProvider(server.ctx, withMismatch, () => report(buyer, paymentIntentId));
      expect(answer.status).toBe(409);
      expect((await read(ad)).status).toBe('approved');
    }
  });
});

// Proves LEDG-04
it('leaves the ledger in balance after all tests of this file', async () => {
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});
