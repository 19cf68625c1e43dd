import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { readBooks } from '#server/money/books/books.ts';
import { makeMonthlyDocuments } from '#server/money/documents/months.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import { ledgerImbalances } from '#server/money/ledger/check.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import { sendDueRefunds } from '#server/money/refunds/send.ts';
import { outOfReach, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { countWaiting, lockAdForTest } from '#server/testing/database/locks.ts';
import { applyWaitingEvents } from '#server/testing/money/sandbox.ts';
import { confirm } from '#server/testing/money/payout-market.ts';
import { deliver, makeEarned, onboard, waitDays } from '#server/testing/money/payouts.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useOwnServer();

const remove = async (caller: Client) => await caller.delete('/api/user/account');
const giveUp = async (caller: Client, amount: string) =>
  await caller.delete(`/api/user/account?waive=${amount}`);
const adRow = async (id: number) =>
  await server.ctx.db.selectFrom('ads').selectAll().where('id', '=', id).executeTakeFirst();

/** The money that the answer 409 lists as left, as 'kind amount'. */
async function leftOf(caller: Client): Promise<string[]> {
  const { status, body } = await remove(caller);
  expect(status).toBe(409);
  return (body.left as { kind: string; amount: string; currency: string }[]).map(
    ({ kind, amount, currency }) => `${kind} ${amount} ${currency}`,
  );
}

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 100 };
const countNow = (ad: Ad, views: number) => countAt(server.ctx, ad, server.ctx.now().toISOString(), views);

describe('money that is left', () => {
  // Proves GONE-01, API-27
  it('of a running campaign keeps both sides, with the part that is undelivered up to now', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
    expect([await leftOf(buyer), await leftOf(seller)]).toEqual([
      ['campaign 100.00 USD'],
      ['campaign 85.00 USD'],
    ]);
    await countNow(ad, 40);
    expect([await leftOf(buyer), await leftOf(seller)]).toEqual([
      ['campaign 60.00 USD'],
      ['campaign 51.00 USD', 'earnings 34.00 USD'],
    ]);
    const both = await server.signIn('both');
    await makeLiveAd(both, both, { product: VIEWS });
    expect(await leftOf(both)).toEqual(['campaign 100.00 USD']);
  });

  // Proves GONE-01, GONE-02
  it('of a completed campaign keeps its publisher only, whose books stay as they are', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
    await countNow(ad, 100);
    expect((await adRow(ad.id))?.status).toBe('completed');
    const answer = await remove(seller);
    expect(answer).toMatchObject({
      status: 409,
      body: {
        message:
          'You have earnings that are not paid out. Have them paid out, or give them up. You can delete your account once this is settled.',
        left: [{ kind: 'earnings', amount: '85.00', currency: 'USD' }],
      },
    });
    const month = server.ctx.now().toISOString().slice(0, 7);
    await accrueDue(server.ctx, { early: true });
    const before = (await seller.get(`/api/statements/${month}`)).body;
    expect((await remove(buyer)).status).toBe(200);
    expect((await seller.get(`/api/statements/${month}`)).body).toEqual(before);
    const payment = await server.ctx.db
      .selectFrom('payments')
      .select(['status', 'amountCents', 'card'])
      .where('adId', '=', ad.id)
      .executeTakeFirstOrThrow();
    expect(payment).toEqual({ status: 'succeeded', amountCents: 10_000, card: null });
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  });

  // Proves GONE-04
  it('can be paid out below the minimum for a deletion, but not while a campaign runs', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const running = await makeEarned(server, seller, buyer, { price: '10.00', views: 99 });
    await onboard(server.ctx, seller.user.id);
    await waitDays(server, 31);
    const payOut = async (final: boolean) => {
      await confirm(seller);
      return await seller.post('/api/payouts', { final });
    };
    const refused = { status: 409, body: { reason: 'below_minimum' } };
    for (const final of [false, true]) expect(await payOut(final)).toMatchObject(refused);
    await deliver(server, running, 1);
    await waitDays(server, 31);
    expect(await payOut(false)).toMatchObject(refused);
    expect(await payOut(true)).toMatchObject({ status: 201, body: { amount: '8.50' } });
    await seller.post('/api/user/reauthenticate', { password: PASSWORD });
    expect(await leftOf(seller)).toEqual(['earnings 8.50 USD']);
    await runPayouts(server.ctx);
    expect((await remove(seller)).status).toBe(200);
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  });

  // Proves GONE-06
  it('can be given up by its exact amount, which the statement and the books show', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const ad = await makeEarned(server, seller, buyer, { price: '40.00', views: 50 });
    expect(await giveUp(seller, '17.00')).toMatchObject({
      status: 409,
      body: { left: [{ kind: 'campaign' }, { kind: 'earnings', amount: '17.00' }] },
    });
    await deliver(server, ad, 50);
    expect(await giveUp(seller, '17.00')).toMatchObject({
      status: 409,
      body: {
        message: 'Your earnings that are not paid out are $34.00 now. Confirm this amount.',
        left: [{ kind: 'earnings', amount: '34.00', currency: 'USD' }],
      },
    });
    for (const amount of ['all', '34', '']) expect((await giveUp(seller, amount)).status).toBe(400);

    const before = await readBooks(server.ctx);
    expect((await giveUp(seller, '34.00')).status).toBe(200);
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
    const after = await readBooks(server.ctx);
    expect([after.waived - before.waived, before.owed.publishers - after.owed.publishers]).toEqual([
      3400, 3400,
    ]);
    server.clock.advance(40 * DAY_MS);
    await makeMonthlyDocuments(server.ctx);
    const statement = await server.ctx.db
      .selectFrom('documents')
      .select(['amountCents', 'content'])
      .where('userId', '=', seller.user.id)
      .where('kind', '=', 'statement')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(statement.amountCents).toBe(0);
    expect(JSON.stringify(statement.content)).toContain('"earnings_waived"');
  });

  // Proves GONE-06
  it('is given up although the weekly payout waits for the deletion', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const ad = await makeEarned(server, seller, buyer, { price: '40.00', views: 100 });
    await onboard(server.ctx, seller.user.id);
    await waitDays(server, 40);
    await seller.post('/api/user/reauthenticate', { password: PASSWORD });
    const { db } = server.ctx;
    const lock = await lockAdForTest(db, ad.id);
    // The deletion has locked the account and waits for the ad.
    const deleted = giveUp(seller, '34.00');
    await expect.poll(() => countWaiting(db)).toBe(1);
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(server.ctx.log), { error: (each: unknown) => errors.push(each) });
    const run = runPayouts({ ...server.ctx, log });
    await expect.poll(() => countWaiting(db)).toBe(2);
    await lock.release();
    expect((await deleted).status).toBe(200);
    await run;
    expect(errors).toEqual([]);
    const payouts = await db
      .selectFrom('payouts')
      .select('id')
      .where('userId', '=', seller.user.id)
      .execute();
    expect(payouts).toEqual([]);
  });

  // Proves GONE-06
  it('is paid out or given up, and never both, when a payout begins at the same time', async () => {
    const sellers = await Promise.all(Array.from({ length: 4 }, async () => await server.signIn('seller')));
    const buyer = await server.signIn('buyer');
    for (const seller of sellers) {
      await makeEarned(server, seller, buyer, { price: '40.00' });
      await onboard(server.ctx, seller.user.id);
    }
    await waitDays(server, 40);
    for (const seller of sellers) await seller.post('/api/user/reauthenticate', { password: PASSWORD });
    const answers = await Promise.all([
      runPayouts(server.ctx),
      ...sellers.map(async (seller) => (await giveUp(seller, '34.00')).status),
    ]);
    const paid = await server.ctx.db
      .selectFrom('payouts')
      .select('userId')
      .where(
        'userId',
        'in',
        sellers.map(({ user }) => user.id),
      )
      .execute();
    expect(answers.slice(1)).toEqual(
      sellers.map(({ user }) => (paid.some(({ userId }) => userId === user.id) ? 409 : 200)),
    );
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  });

  // Proves GONE-01
  it('of an open dispute keeps both sides until the bank has decided', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
    const play = (name: string) => server.anyone().post('/dev/sandbox', { play: name, ad: ad.id });
    expect((await play('dispute')).status).toBe(200);
    await applyWaitingEvents(server.ctx);
    expect([await leftOf(buyer), await leftOf(seller)]).toEqual([
      ['campaign 100.00 USD', 'dispute 100.00 USD'],
      ['campaign 85.00 USD', 'dispute 100.00 USD'],
    ]);
    await play('dispute_lost');
    await applyWaitingEvents(server.ctx);
    for (const person of [buyer, seller]) expect((await remove(person)).status).toBe(200);
  });

  // Proves GONE-01
  it('of a refund keeps the advertiser until it has arrived', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
    await withProvider(
      server.ctx,
      () => ({ refund: outOfReach }),
      () => buyer.post(`/api/ads/${ad.id}/cancel`, { refundAmount: '100.00' }),
    );
    expect(await leftOf(buyer)).toEqual(['refund 100.00 USD']);
    server.clock.advance(10 * MINUTE_MS);
    await sendDueRefunds(server.ctx);
    await applyWaitingEvents(server.ctx);
    for (const person of [buyer, seller]) expect((await remove(person)).status).toBe(200);
  });

  // Proves GONE-01
  it('never disappears with an account that is deleted while its earnings are posted', async () => {
    for (let round = 0; round < 5; round++) {
      const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
      const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
      const answers = await Promise.all([
        remove(seller),
        countNow(ad, 100),
        accrueDue(server.ctx, { early: true }),
        remove(seller),
      ]);
      expect([answers[0].status, answers[3].status]).toEqual([409, 409]);
      expect(await leftOf(seller)).toEqual(['earnings 85.00 USD']);
    }
  });
});
