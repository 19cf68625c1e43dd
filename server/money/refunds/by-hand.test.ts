/** Refunds that the operator pays from the marketplace's bank account. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestBank, requireBalance, type TestBank } from '#server/testing/money/refunds.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';
import { settleByHand } from './by-hand.ts';
import { refundByOperator } from './by-operator.ts';
import { sendRefund } from './send.ts';

const server = useOwnServer();
let bank: TestBank;
beforeEach(() => {
  bank = openTestBank(server.ctx);
});
afterEach(async () => {
  bank.close();
  await requireBalance(server.ctx);
});

// Proves BOOK-09
it('a refund that was paid by hand is not sent to the provider by a job that began before', async () => {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), {
    pricingModel: 'per_impression',
    duration: null,
    impressions: 1000,
    price: '100.00',
  });
  const ad = await makeAd(buyer, product);
  await approve(seller, ad);
  await pay(buyer, ad);
  const { db } = server.ctx;
  await db
    .transaction()
    .execute((tx) =>
      refundByOperator(server.ctx, tx, { adId: ad.id, amountCents: 4000, reason: 'For a test' }),
    );
  const { id } = await db.selectFrom('refunds').select('id').executeTakeFirstOrThrow();
  expect(await db.transaction().execute((tx) => settleByHand(server.ctx, tx, id))).toBe(true);
  await sendRefund(server.ctx, id);
  expect(bank.refunds.size).toBe(0);
  expect(await db.selectFrom('refundTries').select('key').execute()).toEqual([]);
  expect(await db.selectFrom('refunds').select(['status', 'lookAt']).execute()).toEqual([
    { status: 'done', lookAt: null },
  ]);
});
