/** The effect of each play on the marketplace, through the same events as a real provider's. */
import { beforeAll, expect, it } from 'vitest';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { ledgerImbalances } from '#server/money/ledger/check.ts';
import { sendDueRefunds } from '#server/money/refunds/send.ts';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

const play = async (body: object) => {
  const answer = await server.anyone().post('/dev/sandbox', body);
  expect(answer).toMatchObject({ status: 200 });
};
const advance = async (seconds: number) =>
  expect((await server.anyone().post('/dev/clock', { advance: seconds })).status).toBe(200);

/** Does the work of one minute's jobs. */
async function work(): Promise<void> {
  await advance(60);
  await checkPayments(server.ctx);
  await sendDueRefunds(server.ctx);
  await checkPayments(server.ctx);
}
const adNow = async ({ id }: { id: number }) => (await buyer.get(`/api/ads/${id}`)).body;
const refundsOf = async ({ publicId }: { publicId: string }) => {
  const { body } = await buyer.get('/api/billing/payments');
  const rows = body as {
    adPublicId: string;
    refunds: { amount: string; status: string; reason: string }[];
  }[];
  return rows.find(({ adPublicId }) => adPublicId === publicId)?.refunds;
};

it('a disputed campaign pauses, and resumes when the dispute is won', async () => {
  const { ad } = await makeLiveAd(seller, buyer);
  await play({ play: 'dispute', ad: ad.publicId });
  await work();
  expect(await adNow(ad)).toMatchObject({ status: 'active', paused: 'dispute' });
  await play({ play: 'dispute_won', ad: ad.publicId });
  await work();
  expect(await adNow(ad)).toMatchObject({ status: 'active', paused: null });
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});

// Proves LEDG-10
it('a lost dispute ends the campaign and takes the undelivered part and the earnings', async () => {
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100 };
  const { ad } = await makeLiveAd(seller, buyer, { product });
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 40, 0);
  const earnings = async () =>
    Number(((await seller.get('/api/analytics/earnings')).body as { totalEarnings: string }).totalEarnings);
  const before = await earnings();
  await play({ play: 'dispute', ad: ad.publicId });
  await work();
  await play({ play: 'dispute_lost', ad: ad.publicId });
  await work();
  expect(await adNow(ad)).toMatchObject({ status: 'completed', endedReason: 'fraud_warning', paused: null });
  // The bank took the money itself, so nothing else goes back.
  expect(await refundsOf(ad)).toMatchObject([{ reason: 'chargeback', amount: '100.00', status: 'done' }]);
  const ledgerOf = async (who: Client) => (await who.get(`/api/ads/${ad.publicId}/ledger`)).body;
  expect(await ledgerOf(seller)).toMatchObject({
    total: '85.00',
    earned: '0.00',
    refunded: '85.00',
    open: '0.00',
  });
  const { entries, ...sums } = (await ledgerOf(buyer)) as { entries: { kind: string; amount: string }[] };
  expect(sums).toMatchObject({ total: '100.00', earned: '0.00', refunded: '100.00', open: '0.00' });
  expect(entries.at(-1)).toMatchObject({ kind: 'dispute_lost', amount: '100.00' });
  expect(before - (await earnings())).toBe(85);
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});

// Proves LEDG-10
it('a lost dispute completes a refund that was still owed', async () => {
  const { ad } = await makeLiveAd(seller, buyer);
  const { body: quote } = await buyer.get(`/api/ads/${ad.publicId}/refund-quote`);
  const { refundAmount } = quote as { refundAmount: string };
  expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount })).status).toBe(200);
  await play({ play: 'dispute', ad: ad.publicId });
  await work();
  expect(await refundsOf(ad)).toMatchObject([{ status: 'owed' }]);
  await play({ play: 'dispute_lost', ad: ad.publicId });
  await work();
  expect(await refundsOf(ad)).toMatchObject([{ amount: refundAmount, status: 'done' }]);
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});

it('a payment with the disputed card goes live and is disputed', async () => {
  const ad = await makeApprovedAd(seller, buyer);
  const { paymentIntentId } = await payByCard(buyer, ad, { number: '4000000000000259' });
  expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
  await work();
  await work();
  expect(await adNow(ad)).toMatchObject({ status: 'active', paused: 'dispute' });
});

it('a refund that fails is owed again, and is sent again until it arrives', async () => {
  const { ad } = await makeLiveAd(seller, buyer);
  await play({ play: 'refund_fails', ad: ad.publicId });
  const { body: quote } = await buyer.get(`/api/ads/${ad.publicId}/refund-quote`);
  const { refundAmount } = quote as { refundAmount: string };
  expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount })).status).toBe(200);
  await work();
  await advance(3);
  await checkPayments(server.ctx);
  expect(await refundsOf(ad)).toMatchObject([{ amount: refundAmount, status: 'owed' }]);
  for (let hour = 0; hour < 24 && (await refundsOf(ad))?.[0]?.status !== 'done'; hour++) {
    await advance(3600);
    await work();
  }
  expect(await refundsOf(ad)).toMatchObject([{ amount: refundAmount, status: 'done' }]);
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});

it('a refund that waits is shown as sent, and arrives after days of the marketplace’s clock', async () => {
  const { ad } = await makeLiveAd(seller, buyer);
  await play({ play: 'refund_pending', ad: ad.publicId });
  const { body: quote } = await buyer.get(`/api/ads/${ad.publicId}/refund-quote`);
  const { refundAmount } = quote as { refundAmount: string };
  expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount })).status).toBe(200);
  await work();
  expect(await refundsOf(ad)).toMatchObject([{ status: 'sent' }]);
  await advance(8 * 86_400);
  await work();
  expect(await refundsOf(ad)).toMatchObject([{ status: 'done' }]);
});

it('a fraud warning ends the campaign and refunds the undelivered part', async () => {
  const { ad } = await makeLiveAd(seller, buyer);
  await play({ play: 'fraud_warning', ad: ad.publicId });
  await work();
  expect(await adNow(ad)).toMatchObject({ status: 'completed', endedReason: 'fraud_warning' });
  await work();
  expect(await refundsOf(ad)).toMatchObject([{ reason: 'fraud_warning' }]);
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});
