/** The card of "Pay when approved" at the checkout. */
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { CARD, outOfReach, withProvider } from '#server/testing/money/checkout.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const DECLINED_LATER = '4000000000000341';
const ALWAYS_CHALLENGED = '4000002760003184';

const server = useOwnServer();
let seller: Client;
let product: Product;
beforeAll(async () => {
  seller = await server.signIn('seller');
  product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), { price: '25.00' });
});

/** An advertiser whose card is kept for an ad that waits for its approval, and who has another approved ad. */
async function makeBuyer(
  number = CARD.number,
): Promise<{ buyer: Client; waiting: Ad; ad: Ad; consent: number }> {
  const buyer = await server.signIn('buyer');
  const waiting = await makeAd(buyer, product);
  const { body } = await buyer.post('/api/payment-consents', { limit: '25.00', ads: [waiting.publicId] });
  const { clientSecret, id } = body;
  const saved = await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD, number });
  if (saved.body.status === 'requires_action')
    await buyer.post('/api/sandbox/authenticate', { clientSecret, outcome: 'complete' });
  expect((await buyer.post(`/api/payment-consents/${id}/confirm`)).status).toBe(200);
  const ad = await makeAd(buyer, product);
  await approve(seller, ad);
  return { buyer, waiting, ad, consent: id };
}

const begin = async (buyer: Client, ad: Ad): Promise<string> => {
  const claim = { amount: ad.totalAmount, adPublicId: ad.publicId };
  return (await buyer.post('/api/create-payment-intent', claim)).body.clientSecret;
};
const pay = async (buyer: Client, ad: Ad, cardId: number) =>
  await buyer.post('/api/payments/saved-card', { adPublicId: ad.publicId, cardId });
const report = async (buyer: Client, paymentIntentId: string) =>
  await buyer.post('/api/payment-success', { paymentIntentId });

// Proves CHK-600
it('a saved card is offered and pays an approved ad, once', async () => {
  const { buyer, ad, consent } = await makeBuyer();
  expect((await buyer.get('/api/payments/saved-card')).body).toEqual({
    card: { id: consent, brand: 'visa', last4: '4242', expMonth: CARD.expMonth, expYear: CARD.expYear },
  });
  await begin(buyer, ad);
  const answers = await Promise.all([1, 2, 3].map(() => pay(buyer, ad, consent)));
  const [{ paymentIntentId }] = answers.flatMap(({ status, body }) => (status === 200 ? [body] : []));
  expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true);
  expect(await report(buyer, paymentIntentId)).toMatchObject({
    body: { success: true, ad: { status: 'active' } },
  });
  const payments = server.ctx.db.selectFrom('payments').select('status').where('adId', '=', ad.id);
  expect(await payments.execute()).toEqual([{ status: 'succeeded' }]);
  expect((await pay(buyer, ad, consent)).status).toBe(409);
});

// Proves CHK-601
it('a decline of the saved card says why, and another try or card pays', async () => {
  const { buyer, ad, consent } = await makeBuyer(DECLINED_LATER);
  const clientSecret = await begin(buyer, ad);
  for (const answer of [await pay(buyer, ad, consent), await pay(buyer, ad, consent)])
    expect(answer).toMatchObject({
      status: 402,
      body: { message: 'Your card was declined.', code: 'card_declined', declineCode: 'generic_decline' },
    });
  const paid = await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
  expect(await report(buyer, paid.body.paymentIntentId)).toMatchObject({ body: { success: true } });
});

// Proves CHK-600
it('a bank that wants its customer asks them', async () => {
  const { buyer, ad, consent } = await makeBuyer(ALWAYS_CHALLENGED);
  const clientSecret = await begin(buyer, ad);
  const asked = await pay(buyer, ad, consent);
  expect(asked).toMatchObject({ status: 200, body: { status: 'requires_action' } });
  await buyer.post('/api/sandbox/authenticate', { clientSecret, outcome: 'complete' });
  expect(await report(buyer, asked.body.paymentIntentId)).toMatchObject({ body: { success: true } });
});

// Proves CHK-600
it('neither another person’s card or ad, nor a removed card, nor a payment that was not begun can be used', async () => {
  const { buyer, ad, consent } = await makeBuyer();
  const other = await makeBuyer();
  expect((await pay(buyer, ad, consent)).status).toBe(409);
  await begin(buyer, ad);
  expect((await pay(buyer, ad, other.consent)).status).toBe(404);
  expect((await pay(other.buyer, ad, other.consent)).status).toBe(409);
  await withProvider(
    server.ctx,
    () => ({ chargeSaved: outOfReach }),
    async () => expect((await pay(buyer, ad, consent)).status).toBe(503),
  );
  expect((await buyer.delete(`/api/payment-consents/${consent}`)).status).toBe(200);
  expect((await buyer.get('/api/payments/saved-card')).body).toEqual({ card: null });
  expect((await pay(buyer, ad, consent)).status).toBe(404);
});
