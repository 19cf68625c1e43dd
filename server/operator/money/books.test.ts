/** The operator's books: suspense, refunds by hand, holds, disputes, and owed amounts. */
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import type {
  BalanceTransaction,
  PaymentIntent,
  PaymentProvider,
} from '#server/platform/provider/payment-provider.ts';
import type { SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import { reconcile } from '#server/money/books/reconcile.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import {
  beginPayment,
  makeApprovedAd,
  outOfReach,
  payByCard,
  withProvider,
} from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import {
  confirmOperator,
  makeOperator,
  reopenConsole,
  sendAct,
  type TestOperator,
} from '#server/testing/operator.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { type Outcome, UsageError } from '../acts/command.ts';
import { commandOf } from '../command-line/commands.ts';

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };
const reason = 'Checked by hand';

const server = useOwnServer();
let sandbox: SandboxProvider;
let operator: TestOperator;
let desk: Client;
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  sandbox = sandboxOf(server);
  operator = await makeOperator(server);
  desk = operator.client;
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});
afterEach(async () => await requireBalance(server.ctx));

async function openslot(
  line: string,
  options: { reason?: string; send?: boolean; cursor?: string; dryRun?: boolean } = {},
): Promise<Outcome> {
  const { command, args } = commandOf(line.split(' '));
  const { dryRun = false } = options;
  const operator = { id: null, dryRun };
  return await command.run({ ctx: server.ctx, operator, args, options: { ...options, dryRun } });
}

type Row = { id: string; ad: string | null; amount: string; currency: string };
type Books = {
  owed: Record<string, string>;
  covered: Record<string, string>;
  ageing: { days: string; publishers: string; refunds: string }[];
  holds: { id: number; ad: string | null; email: string; reason: string; amount: string }[];
  disputes: { id: string; ad: string; status: string; dueAt: string; evidence: string }[];
};
const listed = async () =>
  (await openslot('money list')).json as { suspense: Row[]; refundsOwed: Row[]; stuck: Row[] };
const books = async () => (await openslot('money books')).json as Books;
const acts = async (act: string) => {
  const rows = await server.ctx.db
    .selectFrom('operatorActs')
    .select(['act', 'subject', 'subjectName', 'reason', 'operatorId'])
    .orderBy('id')
    .execute();
  return rows.filter((row) => row.act === act);
};
async function intentOf({ ctx }: TestServer, ad: Ad): Promise<string> {
  const { intentId } = await ctx.db
    .selectFrom('payments')
    .select('intentId')
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  return String(intentId);
}
async function sell(): Promise<{ ad: Ad; intentId: string }> {
  const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
  return { ad, intentId: await intentOf(server, ad) };
}

describe('money in suspense', () => {
  async function suspend(changes: Partial<PaymentIntent>): Promise<{ ad: Ad; id: string }> {
    const ad = await makeApprovedAd(seller, buyer);
    const { paymentIntentId } = await payByCard(buyer, ad);
    const answering = (real: PaymentProvider) => ({
      getIntent: async (id: string) => ({ ...(await real.getIntent(id)), ...changes }),
    });
    await withProvider(server.ctx, answering, async () => {
      expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(409);
    });
    const found = (await listed()).suspense.find((row) => row.ad === ad.publicId);
    return { ad, id: String(found?.id) };
  }

  // Proves BOOK-08
  it('goes back to its payer, once, also when two operators decide at the same moment', async () => {
    const { ad, id } = await suspend({ amountReceived: 9999 });
    expect((await listed()).suspense).toMatchObject([{ id, ad: ad.publicId, amount: '99.99' }]);
    expect((await beginPayment(buyer, ad)).status).toBe(409);
    await openslot(`money settle ${id} refunded`, { reason, dryRun: true });
    expect((await listed()).suspense).toHaveLength(1);
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => openslot(`money settle ${id} refunded`, { reason })),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(tries.find((each) => each.status === 'rejected')).toMatchObject({ reason: { status: 409 } });
    expect((await listed()).suspense).toEqual([]);
    expect((await books()).owed).toMatchObject({ refunds: '99.99', suspense: '0.00' });
    await runMoneyWork(server.ctx);
    expect((await listed()).refundsOwed).toEqual([]);
    const refunds = [];
    for await (const refund of sandbox.refundsOf(await intentOf(server, ad))) refunds.push(refund.amount);
    expect(refunds).toEqual([9999]);
    expect((await buyer.get('/api/billing/payments')).body[0]).toMatchObject({
      refunds: [{ amount: '99.99', reason: 'not_as_agreed', status: 'done' }],
    });
    expect(await acts('settle-suspense')).toEqual([
      { act: 'settle-suspense', subject: 'ad', subjectName: ad.title, reason, operatorId: null },
    ]);
    // The advertiser can pay for the ad now.
    expect((await beginPayment(buyer, ad)).status).toBe(200);
  });

  // Proves BOOK-08
  it('that is not in our books cannot be refunded from here, and is decided without an entry', async () => {
    const { id } = await suspend({ live: true });
    await expect(openslot(`money settle ${id} refunded`, { reason })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('provider’s dashboard'),
    });
    const settled = await openslot(`money settle ${id} written_off`, { reason });
    expect(settled.json).toMatchObject({ id, amount: null, outcome: 'written_off' });
    expect((await listed()).suspense).toEqual([]);
  });

  // Proves BOOK-08
  it('of a movement that no sale explains is booked by its kind, in the console after a fresh code', async () => {
    const odd = (id: string, net: number): BalanceTransaction => ({
      id,
      type: 'something_new',
      sourceId: null,
      amount: net,
      fee: 0,
      net,
      currency: 'USD',
      exchangeRate: null,
      createdAt: later(server.clock.now(), -2 * HOUR_MS),
      availableAt: server.clock.now(),
    });
    const more = (real: PaymentProvider): Partial<PaymentProvider> => ({
      async *balanceTransactionsSince(since) {
        yield* real.balanceTransactionsSince(since);
        yield* [odd('txn_in', 700), odd('txn_out', -25)];
      },
    });
    await withProvider(server.ctx, more, () => reconcile(server.ctx));
    const [incoming, outgoing] = (await listed()).suspense as [Row, Row];
    expect([incoming.amount, outgoing.amount, incoming.ad]).toEqual(['7.00', '-0.25', null]);
    await expect(openslot(`money settle ${incoming.id} refunded`, { reason })).rejects.toMatchObject({
      status: 409,
    });
    await openslot(`money settle ${outgoing.id} provider_fee`, { reason });
    const path = `/operator/suspense/${incoming.id.replace(':', '/')}`;
    const form = { outcome: 'own_money', reason };
    server.clock.advance(HOUR_MS);
    await reopenConsole(server, operator);
    expect((await sendAct(desk, path, form)).body).toMatchObject({ code: REAUTHENTICATE });
    await confirmOperator(server, operator);
    expect((await desk.get('/api/operator/money')).body.suspense).toMatchObject([
      {
        id: incoming.id,
        ad: null,
        amount: '7.00',
        acts: [
          {
            path: `/api${path}`,
            // Only a payment has a payer to whom it can be refunded.
            fields: [
              { choices: [{ value: 'own_money' }, { value: 'provider_fee' }, { value: 'written_off' }] },
            ],
          },
        ],
      },
    ]);
    expect((await sendAct(desk, path, { ...form, outcome: 'gone' })).status).toBe(400);
    expect((await sendAct(desk, '/operator/suspense/entry/999999', form)).status).toBe(404);
    expect((await sendAct(desk, '/operator/suspense/entry/x', form)).status).toBe(404);
    expect((await sendAct(desk, path, form)).body.said).toContain('the marketplace’s own money');
    expect((await sendAct(desk, path, form)).status).toBe(409);
    expect((await listed()).suspense).toEqual([]);
    const { rows } = await sql<{ kind: string; cents: number }>`
      select a.kind, p.amount_cents as cents from ledger_tx t
        join ledger_postings p on p.tx_id = t.id join ledger_accounts a on a.id = p.account_id
        where t.kind = 'suspense_settled' and t.ad_id is null order by t.id, a.kind`.execute(server.ctx.db);
    expect(rows).toEqual([
      { kind: 'processing_fees', cents: 25 },
      { kind: 'suspense', cents: -25 },
      { kind: 'bank', cents: -700 },
      { kind: 'suspense', cents: 700 },
    ]);
    expect((await acts('settle-suspense')).at(-1)).toMatchObject({ subject: 'job', subjectName: 'txn_in' });
    await server.ctx.db.updateTable('providerTransactions').set({ ledgerTxId: null }).execute();
    await server.ctx.db.deleteFrom('providerTransactions').execute();
  });
});

// Proves BOOK-09
it('an owed refund that the provider refuses is paid by bank transfer, once', async () => {
  const { ad, intentId } = await sell();
  await sandbox.play.dispute(intentId, 'dispute');
  await openslot(`money refund ${ad.publicId}`, { reason });
  await openslot('money run');
  const [refund] = (await listed()).refundsOwed;
  expect(refund).toMatchObject({ ad: ad.publicId, amount: '100.00', problem: 'charge_disputed' });
  await expect(openslot(`money pay-refund ${refund?.id}`)).rejects.toThrow(UsageError);
  await confirmOperator(server, operator);
  const path = `/operator/refunds/${refund?.id}/pay`;
  expect((await desk.get('/api/operator/money')).body.refundsOwed).toMatchObject([
    { problem: 'charge disputed', acts: [{}, { path: `/api${path}`, confirm: 'Book $100.00 as paid' }] },
  ]);
  expect((await sendAct(desk, path, { reason })).status).toBe(200);
  expect((await sendAct(desk, path, { reason })).status).toBe(409);
  await expect(openslot(`money pay-refund ${refund?.id}`, { reason })).rejects.toMatchObject({ status: 409 });
  expect((await listed()).refundsOwed).toEqual([]);
  expect((await buyer.get(`/api/ads/${ad.publicId}/ledger`)).body.entries.at(-1)).toMatchObject({
    kind: 'refund_by_hand',
    amount: '100.00',
  });
  expect(await acts('pay-refund')).toHaveLength(1);
  const { body: documents } = await buyer.get('/api/documents');
  expect(documents).toContainEqual(
    expect.objectContaining({ kind: 'credit_note', adPublicId: ad.publicId, amount: '-100.00' }),
  );
  expect((await openslot('money check')).json).toMatchObject({ holds: true, differences: [] });
  await sandbox.play.closeDispute(intentId, 'won');
  await openslot('money run');
  const sent = [];
  for await (const each of sandbox.refundsOf(intentId)) sent.push(each);
  expect(sent).toEqual([]);
});

// Proves BOOK-09
it('a refund that is on its way is not paid a second time by bank transfer', async () => {
  const { ad, intentId } = await sell();
  await sandbox.play.planRefund(intentId, 'refund_pending');
  await openslot(`money refund ${ad.publicId}`, { reason });
  await openslot('money run');
  const [refund] = (await listed()).refundsOwed;
  await expect(openslot(`money pay-refund ${refund?.id}`, { reason })).rejects.toMatchObject({ status: 409 });
  server.clock.advance(8 * DAY_MS);
  await openslot('money run');
  expect((await listed()).refundsOwed).toEqual([]);
});

describe('a hold', () => {
  // Proves BOOK-11
  it('of a publisher or an ad is set and released with a reason, and neither of them twice', async () => {
    const { ad } = await sell();
    await countAt(server.ctx, ad, server.clock.now().toISOString(), 500, 0);
    await openslot('money run');
    const held = async () =>
      (await books()).holds
        .filter((hold) => hold.reason === 'operator')
        .map(({ ad: of, email, amount }) => [of, email, amount]);
    await openslot(`money hold ${ad.publicId}`, { reason });
    await expect(openslot(`money hold ${ad.id}`, { reason })).rejects.toMatchObject({ status: 409 });
    await openslot(`money hold ${seller.user.email}`, { reason });
    const [, all] = await held();
    expect(await held()).toEqual([
      [ad.publicId, seller.user.email, '42.50'],
      [null, seller.user.email, all?.[2]],
    ]);
    // Another publisher can be held as well.
    const other = await server.signIn('seller');
    await openslot(`money hold ${other.user.email}`, { reason });
    expect((await seller.get(`/api/ads/${ad.publicId}/ledger`)).body.holds).toContainEqual(
      expect.objectContaining({ reason: 'operator', amount: '42.50' }),
    );
    expect((await acts('hold')).map(({ subject, reason: why }) => [subject, why])).toEqual([
      ['ad', reason],
      ['person', reason],
      ['person', reason],
    ]);
    for (const { id } of (await books()).holds.filter((hold) => hold.reason === 'operator')) {
      await openslot(`money release ${id}`, { reason });
      await expect(openslot(`money release ${id}`, { reason })).rejects.toMatchObject({ status: 409 });
    }
    expect(await held()).toEqual([]);
    expect(await acts('release')).toHaveLength(3);
  });

  // Proves BOOK-11
  it('is set and released in the console after a fresh code', async () => {
    const { ad } = await sell();
    await confirmOperator(server, operator);
    expect((await sendAct(desk, `/operator/ads/${ad.id}/hold`, { reason: '' })).status).toBe(400);
    expect((await sendAct(desk, `/operator/ads/${ad.id}/hold`, { reason })).status).toBe(200);
    expect((await sendAct(desk, `/operator/ads/${ad.id}/hold`, { reason })).status).toBe(409);
    const hold = (await books()).holds.find((each) => each.reason === 'operator');
    expect((await desk.get('/api/operator/books')).body.holds).toContainEqual(
      expect.objectContaining({
        id: hold?.id,
        ad: { id: ad.id, title: ad.title },
        acts: [expect.objectContaining({ path: `/api/operator/holds/${hold?.id}/release` })],
      }),
    );
    expect((await sendAct(desk, `/operator/holds/${hold?.id}/release`, { reason })).status).toBe(200);
    expect((await sendAct(desk, `/operator/holds/${hold?.id}/release`, { reason })).status).toBe(409);
    expect((await sendAct(desk, '/operator/holds/999999/release', { reason })).status).toBe(404);
    server.clock.advance(HOUR_MS);
    await reopenConsole(server, operator);
    expect((await sendAct(desk, `/operator/people/${seller.user.id}/hold`, { reason })).body).toMatchObject({
      code: REAUTHENTICATE,
    });
  });

  // Proves BOOK-11
  it('of an open dispute ends only when the bank has decided, and one of an unverified site at once', async () => {
    const { ad, intentId } = await sell();
    await sandbox.play.dispute(intentId, 'dispute');
    await openslot('money run');
    const holdFor = async (why: string) =>
      (await books()).holds.find((hold) => hold.ad === ad.publicId && hold.reason === why);
    await expect(
      openslot(`money release ${(await holdFor('dispute'))?.id}`, { reason }),
    ).rejects.toMatchObject({ status: 409, message: expect.stringContaining('has not decided') });
    await openslot(`money release ${(await holdFor('unverified_site'))?.id}`, { reason });
    expect(await holdFor('unverified_site')).toBeUndefined();
  });
});

describe('the evidence of a dispute', () => {
  async function dispute(): Promise<{ ad: Ad; id: string }> {
    const { ad, intentId } = await sell();
    const id = await sandbox.play.dispute(intentId, 'dispute');
    await openslot('money run');
    return { ad, id };
  }

  // Proves DISP-02
  it('is read and sent once on the command line', async () => {
    const { ad, id } = await dispute();
    expect((await books()).disputes).toContainEqual(
      expect.objectContaining({ id, ad: ad.publicId, status: 'needs_response', evidence: 'staged' }),
    );
    const shown = await openslot(`money evidence ${id}`);
    expect(shown.json).toMatchObject({ id, evidence: { customerEmail: buyer.user.email } });
    expect((await sandbox.getDispute(id)).submissions).toBe(0);
    await openslot(`money evidence ${id}`, { send: true, dryRun: true });
    expect((await sandbox.getDispute(id)).submissions).toBe(0);
    await openslot(`money evidence ${id}`, { send: true });
    expect(await sandbox.getDispute(id)).toMatchObject({ submissions: 1, status: 'under_review' });
    await expect(openslot(`money evidence ${id}`, { send: true })).rejects.toMatchObject({ status: 409 });
    await openslot('money run');
    expect((await books()).disputes).toContainEqual(
      expect.objectContaining({ id, status: 'under_review', evidence: 'sent' }),
    );
    expect(await acts('send-evidence')).toHaveLength(1);
    await expect(openslot('money evidence dp_unknown', { send: true })).rejects.toMatchObject({
      status: 404,
    });
    await expect(openslot('money evidence')).rejects.toThrow(UsageError);
  });

  // Proves DISP-02
  it('is sent in the console, and again by the server if the provider was away', async () => {
    const { id } = await dispute();
    await confirmOperator(server, operator);
    expect((await desk.get('/api/operator/books')).body.disputes).toContainEqual(
      expect.objectContaining({ id, stage: 'needs_response', isAnswerable: true }),
    );
    const shown = (await desk.get(`/api/operator/evidence/${id}`)).body;
    expect(JSON.stringify(shown.evidence)).toContain('The publisher approved this submission');
    expect(shown.acts).toMatchObject([{ path: `/api/operator/evidence/${id}/send` }]);
    const path = `/operator/evidence/${id}/send`;
    await withProvider(
      server.ctx,
      () => ({ submitEvidence: outOfReach }),
      async () => {
        const refused = await sendAct(desk, path, { reason });
        expect([refused.status, refused.body.message]).toEqual([
          409,
          expect.stringContaining('We try again'),
        ]);
      },
    );
    expect((await books()).disputes).toContainEqual(expect.objectContaining({ id, evidence: 'sending' }));
    server.clock.advance(HOUR_MS);
    await openslot('money run');
    expect((await sandbox.getDispute(id)).submissions).toBe(1);
    await confirmOperator(server, operator);
    expect((await sendAct(desk, path, { reason })).status).toBe(409);
    expect((await desk.get(`/api/operator/evidence/${id}`)).body.acts).toEqual([]);
    expect((await desk.get('/api/operator/evidence/nope')).status).toBe(404);
  });
});

// Proves OPER-04
it('the acts about money are listed with operator and reason, newest first and page by page', async () => {
  const { ad } = await sell();
  const page = async (cursor?: string) =>
    (await openslot('money audit', cursor === undefined ? {} : { cursor })).json as {
      items: object[];
      next: string | null;
    };
  const before = (await page()).items.length;
  await openslot(`money hold ${ad.publicId}`, { reason: 'First' });
  await openslot(`suspend ad ${ad.publicId}`, { reason: 'Not about money' });
  await confirmOperator(server, operator);
  const hold = (await books()).holds.find((each) => each.ad === ad.publicId && each.reason === 'operator');
  await sendAct(desk, `/operator/holds/${hold?.id}/release`, { reason: 'Second' });
  const { lines, refused = false } = await openslot('money audit');
  expect(refused).toBe(false);
  const { items } = await page();
  expect(items.slice(0, 2)).toMatchObject([
    { act: 'release', subject: 'ad', subjectId: ad.id, operatorId: desk.user.id, reason: 'Second' },
    { act: 'hold', subject: 'ad', subjectId: ad.id, operatorId: null, reason: 'First' },
  ]);
  expect(items).toHaveLength(before + 2);
  expect(lines[0]).toMatch(`${desk.user.email}  Released held earnings of the ad`);
  expect(lines[1]).toMatch(/ {2}command line {2}Held the earnings of the ad .*: First$/);
  await server.ctx.db
    .insertInto('operatorActs')
    .values(
      Array.from({ length: 60 }, () => ({
        act: 'hold' as const,
        subject: 'ad' as const,
        subjectId: ad.id,
        subjectName: '',
        operatorId: null,
        affectedId: null,
        reason: 'Later',
        actedAt: server.clock.now(),
      })),
    )
    .execute();
  const { next, items: newest } = await page();
  const { items: rest } = await page(String(next));
  expect([newest.length, rest.length]).toEqual([50, before + 12]);
});

// Proves BOOK-10
it('the books show owed amounts, what covers them, and their age', async () => {
  const own = await untilTestEnds(startTestServer());
  const read = async () =>
    (
      await commandOf(['money', 'books']).command.run({
        ctx: own.ctx,
        operator: { id: null },
        args: [],
        options: { dryRun: false },
      })
    ).json as Books;
  const zero = {
    publishers: '0.00',
    refunds: '0.00',
    deferred: '0.00',
    suspense: '0.00',
    tax: '0.00',
    total: '0.00',
  };
  expect((await read()).owed).toEqual(zero);
  const [publisher, person] = [await own.signIn('seller'), await own.signIn('buyer')];
  const { ad } = await makeLiveAd(publisher, person, { product: VIEWS });
  // The first sale is no alarm about the card fee: nobody is owed the commission of what is not delivered.
  own.clock.advance(HOUR_MS / 2);
  await runMoneyWork(own.ctx);
  expect(await read()).toMatchObject({
    owed: { deferred: '100.00' },
    covered: { providerBalance: '96.80', unearnedCommission: '15.00', missing: '0.00' },
  });
  await countAt(own.ctx, ad, own.clock.now().toISOString(), 400, 0);
  own.clock.advance(HOUR_MS / 2);
  await runMoneyWork(own.ctx);
  expect(await read()).toMatchObject({
    owed: { publishers: '34.00', refunds: '0.00', deferred: '60.00', suspense: '0.00', total: '94.00' },
    covered: {
      providerBalance: '96.80',
      providerClearing: '0.00',
      unearnedCommission: '9.00',
      total: '105.80',
      missing: '0.00',
    },
    ageing: [{ days: '0-7', publishers: '34.00', refunds: '0.00' }, {}, {}, {}],
    holds: [{ ad: ad.publicId, reason: 'unverified_site', amount: '34.00' }],
    disputes: [],
  });
  own.clock.advance(20 * DAY_MS);
  await own.ctx.db.updateTable('adZones').set({ tagSeenAt: own.clock.now() }).execute();
  await countAt(own.ctx, ad, own.clock.now().toISOString(), 100, 0);
  await runMoneyWork(own.ctx);
  const later = await read();
  expect(later.owed).toMatchObject({ publishers: '42.50', deferred: '50.00' });
  expect(later.ageing.map(({ days, publishers }) => `${days} ${publishers}`)).toEqual([
    '0-7 8.50',
    '8-30 34.00',
    '31-90 0.00',
    '91+ 0.00',
  ]);
  await sandboxOf(own).play.dispute(await intentOf(own, ad), 'dispute');
  await runMoneyWork(own.ctx);
  expect(await read()).toMatchObject({
    covered: {
      providerBalance: '-18.20',
      disputed: '100.00',
      unearnedCommission: '7.50',
      total: '89.30',
      missing: '3.20',
    },
    disputes: [{ ad: ad.publicId, status: 'needs_response', evidence: 'staged', dueAt: expect.any(String) }],
  });
});
