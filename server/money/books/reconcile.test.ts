import { beforeAll, beforeEach, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import type { BalanceTransaction } from '#server/platform/provider/payment-provider.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { makeApprovedAd, outOfReach, payByCard, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { checkPayments } from '../events/check-payments.ts';
import { listMoney } from './list.ts';
import { lastComparison, reconcile, reconcileDaily } from './reconcile.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let ad: Ad;
let intentId: string;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  ({ ad, intentId } = await sell());
});
beforeEach(async () => {
  const { differences } = await reconcile(server.ctx);
  if (differences.length > 0) throw new Error('The test before has left differences');
});

/** A sale with the entry of its fee. */
async function sell(): Promise<{ ad: Ad; intentId: string }> {
  const approved = await makeApprovedAd(seller, buyer);
  const { paymentIntentId } = await payByCard(buyer, approved);
  expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
  await processEvents();
  return { ad: approved, intentId: paymentIntentId };
}

async function processEvents(): Promise<void> {
  server.clock.advance(HOUR_MS / 2);
  // The sandbox brings the fee some time after the charge.
  await movements();
  await checkPayments(server.ctx);
}

async function* listOf<T>(items: T[]): AsyncIterable<T> {
  for (const item of items) yield await Promise.resolve(item);
}

async function movements(): Promise<BalanceTransaction[]> {
  const all = [];
  for await (const each of server.ctx.payments.balanceTransactionsSince(new Date(0))) all.push(each);
  return all;
}

/** Compares while the provider has these movements instead of its own. */
const against = async (change: (real: BalanceTransaction[]) => BalanceTransaction[]) => {
  const changed = change(await movements());
  return await withProvider(
    server.ctx,
    () => ({ balanceTransactionsSince: () => listOf(changed) }),
    async () => await reconcile(server.ctx),
  );
};

const movement = (fields: Partial<BalanceTransaction>): BalanceTransaction => ({
  id: 'txn_extra',
  type: 'adjustment',
  sourceId: null,
  amount: -1500,
  fee: 0,
  net: -1500,
  currency: 'USD',
  exchangeRate: null,
  createdAt: later(server.clock.now(), -2 * HOUR_MS),
  availableAt: server.clock.now(),
  ...fields,
});

// Proves BOOK-02
it('matches every movement of the provider’s balance with its entry', async () => {
  const rows = await server.ctx.db.selectFrom('providerTransactions').selectAll().execute();
  expect(rows).toEqual([
    expect.objectContaining({ type: 'charge', amountCents: 10_000, feeCents: 320, netCents: 9680 }),
  ]);
  expect(rows[0]?.ledgerTxId).not.toBeNull();
  expect(await lastComparison(server.ctx)).toMatchObject({ differences: [] });
});

// Proves BOOK-02
it('names a movement that no entry has after an hour, keeps its age, and changes nothing', async () => {
  const young = movement({ id: 'txn_young', createdAt: server.clock.now() });
  expect((await against((real) => [...real, young])).differences).toEqual([]);
  const entries = async () => (await server.ctx.db.selectFrom('ledgerTx').select('id').execute()).length;
  const before = await entries();
  server.clock.advance(2 * HOUR_MS);
  const found = await reconcile(server.ctx);
  expect(found.differences).toEqual([
    { kind: 'not_in_ledger', ref: 'txn_young', amountCents: -1500, currency: 'USD', since: expect.any(Date) },
  ]);
  server.clock.advance(DAY_MS);
  expect((await reconcile(server.ctx)).differences).toEqual(found.differences);
  expect(await lastComparison(server.ctx)).toMatchObject({ differences: found.differences });
  expect(await entries()).toBe(before);
  await server.ctx.db.deleteFrom('providerTransactions').where('id', '=', 'txn_young').execute();
});

// Proves BOOK-02
it('names an entry without a movement, and an entry with another amount', async () => {
  await server.ctx.db.updateTable('providerTransactions').set({ ledgerTxId: null }).execute();
  const [known] = await server.ctx.db.deleteFrom('providerTransactions').returningAll().execute();
  server.clock.advance(2 * HOUR_MS);
  expect((await against(() => [])).differences).toMatchObject([
    { kind: 'not_at_provider', ref: known?.id, amountCents: 9680 },
  ]);
  const smaller = await against((real) => real.map((each) => ({ ...each, fee: 1320, net: 8680 })));
  expect(smaller.differences.map(({ kind, amountCents }) => [kind, amountCents])).toEqual(
    expect.arrayContaining([
      ['other_amount', -1000],
      ['balance', -1000],
    ]),
  );
  await server.ctx.db.deleteFrom('providerTransactions').execute();
});

// Proves BOOK-02
it('books payouts to the bank and the provider’s own fees, and puts unknown movements into suspense', async () => {
  const extra = [
    movement({ id: 'txn_payout', type: 'payout', amount: -5000, net: -5000 }),
    movement({ id: 'txn_fee', type: 'stripe_fee', amount: -25, net: -25 }),
    movement({ id: 'txn_odd', type: 'something_new', amount: -7, net: -7 }),
  ];
  expect(await against((real) => [...real, ...extra])).toEqual({ differences: [], unknown: [] });
  const { rows } = await server.app.pool.query<{ ref: string; kind: string; amount: number }>(
    `select t.external_ref as ref, a.kind, p.amount_cents as amount
       from ledger_tx t join ledger_postings p on p.tx_id = t.id join ledger_accounts a on a.id = p.account_id
       where t.external_ref like 'txn!_%' escape '!' and a.kind <> 'provider_balance' order by 1`,
  );
  expect(rows).toEqual([
    { ref: 'txn_fee', kind: 'processing_fees', amount: 25 },
    { ref: 'txn_odd', kind: 'suspense', amount: 7 },
    { ref: 'txn_payout', kind: 'bank', amount: 5000 },
  ]);
});

// Proves BOOK-02
it('names a charge that no payment knows, as after a restored backup, and a payment without a charge', async () => {
  const real = await server.ctx.payments.getIntent(intentId);
  const lost = {
    ...real,
    id: 'pi_lost',
    metadata: { ...real.metadata, payment_id: '4711' },
    createdAt: server.clock.now(),
  };
  const foreign = { ...lost, id: 'pi_foreign', metadata: { ...lost.metadata, installation: 'another' } };
  const withIntents = async (intents: (typeof real)[]) =>
    await withProvider(
      server.ctx,
      () => ({ intentsSince: () => listOf(intents) }),
      async () => await reconcile(server.ctx),
    );
  expect(await withIntents([real, lost, foreign])).toMatchObject({
    differences: [{ kind: 'unknown_payment', ref: 'pi_lost', amountCents: 10_000 }],
    unknown: ['pi_lost'],
  });
  expect(await withIntents([])).toMatchObject({
    differences: [{ kind: 'no_such_charge', ref: intentId }],
    unknown: [],
  });
});

// Proves BOOK-02
it('compares once a day, and keeps its findings while the provider is away', async () => {
  let asked = 0;
  const away = {
    async *balanceTransactionsSince() {
      asked++;
      yield await outOfReach();
    },
  };
  await withProvider(
    server.ctx,
    () => away,
    async () => {
      await reconcileDaily(server.ctx);
      expect(asked).toBe(0);
      server.clock.advance(DAY_MS);
      await expect(reconcileDaily(server.ctx)).rejects.toThrow('socket hang up');
    },
  );
  expect(asked).toBe(1);
  await reconcileDaily(server.ctx);
  expect((await lastComparison(server.ctx))?.at.getTime()).toBeGreaterThan(
    server.clock.now().getTime() - HOUR_MS,
  );
});

// Proves BOOK-01
it('lists payments and events that failed several times, and money in suspense', async () => {
  const { db } = server.ctx;
  const [odd] = (await listMoney(server.ctx)).suspense;
  expect(await listMoney(server.ctx)).toEqual({ stuck: [], suspense: [odd], refundsOwed: [] });
  expect(odd).toMatchObject({ ad: null, amountCents: -7, problem: 'unexplained movement txn_odd' });
  const next = await makeApprovedAd(seller, buyer);
  await buyer.post('/api/create-payment-intent', { amount: next.totalAmount, adPublicId: next.publicId });
  await db
    .updateTable('payments')
    .set({ problem: 'unreachable', checks: 3 })
    .where('adId', '=', next.id)
    .execute();
  await db
    .insertInto('providerEvents')
    .values({
      id: 'evt_odd',
      source: 'account',
      type: 'charge.updated',
      payload: JSON.stringify({ objectId: intentId }),
      createdAt: server.clock.now(),
      receivedAt: server.clock.now(),
      tries: 3,
      lastError: 'no such charge',
    })
    .execute();
  const { stuck } = await listMoney(server.ctx);
  expect(stuck).toMatchObject([
    {
      id: expect.stringMatching(/^payment:\d+$/),
      ad: next.publicId,
      amountCents: 10_000,
      problem: 'unreachable',
    },
    { id: 'event:evt_odd', ad: ad.publicId, intent: intentId, problem: 'charge.updated: no such charge' },
  ]);
  await db
    .updateTable('payments')
    .set({ status: 'suspense', problem: 'not_as_agreed' })
    .where('adId', '=', next.id)
    .execute();
  expect((await listMoney(server.ctx)).suspense).toMatchObject([
    { ad: next.publicId, problem: 'not_as_agreed' },
    { ad: null, problem: 'unexplained movement txn_odd' },
  ]);
  await db.deleteFrom('providerEvents').where('id', '=', 'evt_odd').execute();
});
