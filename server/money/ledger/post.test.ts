import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decimalOf } from '#domain/money.ts';
import { MAXIMUM_CENTS } from '#domain/payments/limits.ts';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { checkLedger, ledgerImbalances } from './check.ts';
import { type LedgerTransaction, post } from './post.ts';

const server = useOwnServer();
let db: Database;
beforeAll(async () => {
  db = createDatabase(createPool(server.databaseUrl));
});
afterAll(async () => {
  await db.destroy();
});

const orphanPaid = (externalRef: string, adId: number, cents = 100): LedgerTransaction => ({
  kind: 'orphan_paid',
  externalRef,
  book: 'sandbox',
  currency: 'USD',
  occurredAt: new Date('2026-11-21T12:00:00Z'),
  recordedAt: new Date('2026-11-21T12:00:00Z'),
  adId: null,
  entries: [
    { account: { kind: 'provider_clearing', ownerId: null }, amountCents: cents },
    { account: { kind: 'refund_payable', ownerId: adId }, amountCents: -cents },
  ],
});

// Proves LEDG-04
it('posts the same event only once, even when twenty transactions post it concurrently', async () => {
  const posted = await Promise.all(
    Array.from({ length: 20 }, () => db.transaction().execute((tx) => post(tx, orphanPaid('once', 1)))),
  );
  expect(posted.filter(Boolean)).toHaveLength(1);
  expect(await post(db, orphanPaid('once', 1))).toBe(false);
});

// Proves LEDG-04
it('creates each account only once for concurrent postings', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      db.transaction().execute((tx) => post(tx, orphanPaid(`many-${n}`, 2))),
    ),
  );
  const accounts = await db.selectFrom('ledgerAccounts').selectAll().where('ownerId', '=', 2).execute();
  expect(accounts).toHaveLength(1);
});

// Proves LEDG-04
it('refuses an unbalanced transaction and stores none of it', async () => {
  const wrong = orphanPaid('wrong', 3);
  const first = wrong.entries[0];
  if (first) first.amountCents = 101;
  await expect(db.transaction().execute((tx) => post(tx, wrong))).rejects.toThrow(/out of balance by 1 USD/);
  expect(await db.selectFrom('ledgerTx').select('id').where('externalRef', '=', 'wrong').execute()).toEqual(
    [],
  );
});

// Proves LEDG-04
it('reports money owed without a refund, and payments that are missing in the ledger', async () => {
  const before = await checkLedger(db);
  expect(before).toContainEqual(
    expect.objectContaining({ kind: 'refund_differs', ref: '1', amountCents: 100, currency: 'USD' }),
  );
  expect(before.some(({ kind }) => kind.startsWith('unbalanced'))).toBe(false);
  expect(await ledgerImbalances(db)).toContain(
    'The amount owed to the advertiser of an ad differs from its refunds (refund_differs 1: 1.00 USD).',
  );
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const ad = await makeApprovedAd(seller, buyer);
  const { paymentIntentId } = await payByCard(buyer, ad);
  const payment = await db.transaction().execute(async (tx) => {
    const now = new Date();
    const charge = { status: 'succeeded' as const, chargeId: 'ch_off_the_books', paidAt: now };
    const { id } = await tx
      .updateTable('payments')
      .set(charge)
      .where('adId', '=', ad.id)
      .returning('id')
      .executeTakeFirstOrThrow();
    const live = { status: 'active' as const, paymentIntentId, startDate: now, endDate: now };
    await tx.updateTable('ads').set(live).where('id', '=', ad.id).execute();
    return String(id);
  });
  const found = (await checkLedger(db)).filter(({ kind }) => kind !== 'refund_differs');
  expect(found).toEqual([
    expect.objectContaining({
      kind: 'payment_not_booked',
      ref: payment,
      amountCents: 10_000,
      currency: 'USD',
    }),
  ]);
});

// Proves LEDG-01, ENT-30
it('charges, splits, books and reports any price to the cent', async () => {
  const books = await untilTestEnds(startTestServer());
  const [seller, buyer] = [await books.signIn('seller'), await books.signIn('buyer')];
  let total = 0;
  let earned = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.integer({ min: 50, max: 9999 }), fc.integer({ min: 50, max: MAXIMUM_CENTS })),
      async (cents) => {
        const price = decimalOf(cents);
        const ad = await makeApprovedAd(seller, buyer, { product: { price } });
        expect(ad.totalAmount).toBe(price);
        const { paymentIntentId } = await payByCard(buyer, ad);
        const { body } = await buyer.post('/api/payment-success', { paymentIntentId });
        expect(body.ad.status).toBe('active');
        total += cents;
        earned += cents - Math.round(Number(ad.commissionAmount) * 100);
        expect((await seller.get('/api/analytics/earnings')).body.totalEarnings).toBe(decimalOf(earned));
        expect((await buyer.get('/api/analytics/spending')).body.totalSpending).toBe(decimalOf(total));
      },
    ),
    { numRuns: 25, examples: [[50], [MAXIMUM_CENTS], [3333], [99], [103]] },
  );
  expect(await ledgerImbalances(books.ctx.db)).toEqual([]);
});
