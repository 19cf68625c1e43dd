/** Debts of publishers after their payout: who owes, what a debt covers, and how it ends. */
import { describe, expect, it, beforeAll } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AccountKind } from '#domain/payments/ledger.ts';
import { DAY_MS } from '#domain/time.ts';
import { readBooks } from '#server/money/books/books.ts';
import { makeMonthlyDocuments } from '#server/money/documents/months.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { checkLedger } from '#server/money/ledger/check.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import type { SandboxPlays } from '#server/platform/provider/sandbox/payments.ts';
import type { Client } from '#server/testing/client.ts';
import { mailToOperator } from '#server/testing/mail/mail.ts';
import { balanceOf, confirm, intentOf, makePaid } from '#server/testing/money/payout-market.ts';
import { makeEarned, waitDays } from '#server/testing/money/payouts.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import type { Outcome } from '../acts/command.ts';
import { commandOf } from '../command-line/commands.ts';

const server = useOwnServer({ env: { OPERATOR_REFUND_LIMIT: '100.00' } });
let buyer: Client;
let play: SandboxPlays;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
  ({ play } = sandboxOf(server));
});

/** A publisher who was paid 170.00, and whose sale a bank took back afterwards. */
async function makeDebtor(): Promise<{ seller: Client; ad: Ad }> {
  const { seller, ad } = await makePaid(server, buyer);
  await waitDays(server, 2);
  await play.dispute(await intentOf(server, ad), 'dispute');
  await checkPayments(server.ctx);
  await play.closeDispute(await intentOf(server, ad), 'lost');
  await checkPayments(server.ctx);
  await runPayouts(server.ctx);
  expect(await balanceOf(seller)).toMatchObject({ owed: '170.00' });
  return { seller, ad };
}

const sumOf = async (kind: AccountKind) =>
  Number(
    (
      await server.ctx.db
        .selectFrom('ledgerPostings as p')
        .innerJoin('ledgerAccounts as a', 'a.id', 'p.accountId')
        .select((row) => row.fn.sum<string | null>('p.amountCents').as('cents'))
        .where('a.kind', '=', kind)
        .executeTakeFirstOrThrow()
    ).cents ?? 0,
  );
const debtOf = async ({ user }: Client) =>
  (await readBooks(server.ctx)).debtors.find(({ userId }) => userId === user.id);
const covered = async () => (await readBooks(server.ctx)).covered.publishersOwe;
/** Runs a command as the owner of the machine. */
async function openslot(words: string[], reason = 'Gone away'): Promise<Outcome> {
  const { command, args } = commandOf(words);
  return await command.run({
    ctx: server.ctx,
    args,
    options: { dryRun: false, reason },
    operator: { id: null },
  });
}

// Proves BOOK-220
it('a debt is named with its owner, and covers nothing once it is doubtful', async () => {
  const before = await covered();
  const { seller } = await makeDebtor();
  expect(await debtOf(seller)).toMatchObject({
    name: 'Ann Bell',
    email: seller.user.email,
    amountCents: 17_000,
    isDoubtful: false,
  });
  expect((await covered()) - before).toBe(17_000);
  const { lines } = await openslot(['money', 'books']);
  expect(lines.join()).toContain(
    `Owed by Ann Bell, ${seller.user.email}, account ${seller.user.id}: 170.00 USD`,
  );
  server.clock.advance(91 * DAY_MS);
  expect([await debtOf(seller), await covered()]).toMatchObject([{ isDoubtful: true }, 0]);
  await openslot(['money', 'write-off', seller.user.email]);
});

// Proves BOOK-220
it('a debt of a suspended account is doubtful', async () => {
  const { seller } = await makeDebtor();
  await openslot(['user', 'suspend', seller.user.email]);
  expect([await debtOf(seller), await covered()]).toMatchObject([{ isDoubtful: true }, 0]);
  await openslot(['money', 'write-off', seller.user.email]);
});

// Proves GONE-07, BOOK-221
it('a debtor confirms the debt to delete the account, and owes by name until it is written off', async () => {
  const { seller } = await makeDebtor();
  const { email, id } = seller.user;
  await confirm(seller);
  const left = [{ kind: 'debt', amount: '170.00', currency: 'USD' }];
  const deletion = async (query = '') => await seller.delete(`/api/user/account${query}`);
  expect(await deletion()).toMatchObject({
    status: 409,
    body: {
      message:
        'You owe money that was paid out to you and that a bank has taken back since. Pay it, or confirm that you keep owing it. You can delete your account once this is settled.',
      left,
    },
  });
  expect(await deletion('?owing=1.00')).toMatchObject({
    status: 409,
    body: { message: 'You owe $170.00 now. Confirm this amount.', left },
  });
  expect((await deletion('?waive=170.00')).status).toBe(409);
  expect((await deletion('?owing=170.00')).status).toBe(200);
  expect((await mailToOperator(server.ctx, 'debt-left')).map(({ subject }) => subject)).toEqual([
    'A publisher who owes $170.00 has deleted their account',
  ]);

  server.clock.advance(70 * DAY_MS);
  await makeMonthlyDocuments(server.ctx);
  expect(await debtOf(seller)).toMatchObject({
    name: 'Ann Bell',
    email,
    amountCents: 17_000,
    isDoubtful: true,
  });
  await openslot(['money', 'debt-paid', String(id)], 'Half of it came');
  expect(await debtOf(seller)).toBeUndefined();
  server.clock.advance(40 * DAY_MS);
  await makeMonthlyDocuments(server.ctx);
  const kept = await server.ctx.db
    .selectFrom('closingParties')
    .selectAll()
    .where('userId', '=', id)
    .execute();
  expect(kept).toEqual([]);
  expect(await checkLedger(server.ctx.db)).toEqual([]);
});

// Proves GONE-07
it('a deletion with a debt, a hold and an open month refuses until the debt is confirmed, and names the last documents', async () => {
  await openslot(['settings', 'set', 'SELF_BILLING', 'on']);
  const { seller } = await makeDebtor();
  const business = { taxStatus: 'business', agreesToSelfBilling: true, country: 'DE', address: 'Weg 1' };
  expect((await seller.patch('/api/user/settings', business)).status).toBe(200);
  await makeEarned(server, seller, buyer, { price: '10.00' });
  await openslot(['money', 'hold', seller.user.email]);
  await confirm(seller);
  const deletion = async (query = '') => await seller.delete(`/api/user/account${query}`);
  // The earnings of the open month have settled a part of the debt.
  expect((await deletion()).body.left).toEqual([{ kind: 'debt', amount: '161.50', currency: 'USD' }]);
  expect((await deletion('?owing=170.00')).status).toBe(409);
  expect((await deletion('?owing=161.50')).status).toBe(200);
  server.clock.advance(40 * DAY_MS);
  await makeMonthlyDocuments(server.ctx);
  const documents = await server.ctx.db
    .selectFrom('documents')
    .select(['kind', 'seller', 'customer'])
    .where('userId', '=', seller.user.id)
    .where('kind', '=', 'self_billing')
    .execute();
  expect(documents.at(-1)).toMatchObject({ seller: { name: 'Ann Bell', address: 'Weg 1', country: 'DE' } });
  expect(await debtOf(seller)).toMatchObject({ name: 'Ann Bell', amountCents: 16_150, isDoubtful: true });
  expect(await checkLedger(server.ctx.db)).toEqual([]);
});

// Proves GONE-07
it('an account that owes nothing keeps no address', async () => {
  const seller = await server.signIn('seller');
  expect(await seller.delete('/api/user/account?owing=1.00')).toMatchObject({ status: 409 });
  const { seller: paid } = await makePaid(server, buyer);
  await confirm(paid);
  expect((await paid.delete('/api/user/account')).status).toBe(200);
  const { email } = await server.ctx.db
    .selectFrom('closingParties')
    .select('email')
    .where('userId', '=', paid.user.id)
    .executeTakeFirstOrThrow();
  expect(email).toBeNull();
});

// Proves BOOK-222
it('money that a bank returns after the write-off settles the debt, and is not earned twice', async () => {
  const { seller, ad } = await makeDebtor();
  const badDebt = await sumOf('bad_debt');
  await openslot(['money', 'write-off', seller.user.email]);
  expect([await balanceOf(seller), (await sumOf('bad_debt')) - badDebt]).toMatchObject([
    { owed: '0.00', paidOut: '0.00' },
    17_000,
  ]);
  await play.appeal(await intentOf(server, ad));
  await play.closeDispute(await intentOf(server, ad), 'won');
  await checkPayments(server.ctx);
  expect(await balanceOf(seller)).toMatchObject({
    owed: '0.00',
    pending: '0.00',
    available: '0.00',
    paidOut: '170.00',
  });
  expect((await sumOf('bad_debt')) - badDebt).toBe(0);
  expect(await checkLedger(server.ctx.db)).toEqual([]);
});

describe('the console', () => {
  let first: TestOperator;
  let second: TestOperator;
  beforeAll(async () => {
    first = await makeOperator(server);
    second = await makeOperator(server);
  });
  const ready = async () => {
    for (const operator of [first, second]) await confirmOperator(server, operator);
  };
  const send = async ({ client }: TestOperator, path: string, fields: Record<string, string>) =>
    (await sendAct(client, path, { reason: 'Insolvent', ...fields })).status;

  // Proves BOOK-221
  it('books a part as paid, writes off up to the limit, and asks a second owner above it', async () => {
    const { seller } = await makeDebtor();
    const { id } = seller.user;
    await ready();
    const debtor = async () => {
      const { body } = await first.client.get('/api/operator/books');
      return body.debtors.find((each: { userId: number }) => each.userId === id);
    };
    const { amount, acts: offered } = await debtor();
    expect([amount, offered.map((act: { button: string }) => act.button)]).toEqual([
      '170.00',
      ['It was paid', 'Write off'],
    ]);
    expect(await send(first, `/operator/debts/${id}/paid`, { amount: '170.01' })).toBe(409);
    expect(await send(first, `/operator/debts/${id}/paid`, { amount: 'all' })).toBe(400);
    expect(await send(first, `/operator/debts/${id}/write-off`, { reason: '' })).toBe(400);
    // A form that is sent twice at once is booked once.
    const { ref } = offered[0].hidden;
    const twice = () => send(first, `/operator/debts/${id}/paid`, { amount: '20.00', ref: String(ref) });
    expect((await Promise.all([twice(), twice()])).toSorted()).toEqual([200, 409]);
    expect(await debtOf(seller)).toMatchObject({ amountCents: 15_000 });

    expect(await send(first, `/operator/debts/${id}/write-off`, {})).toBe(200);
    expect(await debtOf(seller)).toMatchObject({ amountCents: 15_000 });
    const request = await server.ctx.db
      .selectFrom('operatorRequests')
      .select(['id', 'kind', 'amountCents'])
      .where('outcome', 'is', null)
      .executeTakeFirstOrThrow();
    expect(request).toMatchObject({ kind: 'write-off', amountCents: 15_000 });
    const confirmBy = async (operator: TestOperator) =>
      (await sendAct(operator.client, `/operator/requests/${request.id}/confirm`, {})).status;
    expect((await first.client.get('/api/operator/requests')).body.requests).toMatchObject([
      { words: expect.stringContaining(`Write off $150.00 that ${seller.user.email} owes`) },
    ]);
    expect(await confirmBy(first)).toBe(409);
    // A part is paid in the meantime, so the amount is not the one that was asked for.
    expect(await send(second, `/operator/debts/${id}/paid`, { amount: '60.00' })).toBe(200);
    expect(await confirmBy(second)).toBe(409);
    expect(await debtOf(seller)).toMatchObject({ amountCents: 9000 });
    // Within the limit of one owner alone.
    expect(await send(second, `/operator/debts/${id}/write-off`, {})).toBe(200);
    expect(await debtOf(seller)).toBeUndefined();
    expect(await send(second, `/operator/debts/${id}/write-off`, {})).toBe(409);
    const acts = await server.ctx.db
      .selectFrom('operatorActs')
      .select(['act', 'reason', 'affectedId'])
      .where('subjectId', '=', id)
      .orderBy('id')
      .execute();
    expect(acts).toEqual([
      { act: 'debt-paid', reason: '20.00 USD. Insolvent', affectedId: id },
      { act: 'request-write-off', reason: '150.00 USD. Insolvent', affectedId: null },
      { act: 'debt-paid', reason: '60.00 USD. Insolvent', affectedId: id },
      { act: 'write-off', reason: '90.00 USD. Insolvent', affectedId: null },
    ]);
    expect(await checkLedger(server.ctx.db)).toEqual([]);
  });

  // Proves BOOK-221
  it('writes off a large debt once, when the second owner confirms it', async () => {
    const { seller } = await makeDebtor();
    await ready();
    expect(await send(first, `/operator/debts/${seller.user.id}/write-off`, {})).toBe(200);
    const { id } = await server.ctx.db
      .selectFrom('operatorRequests')
      .select('id')
      .where('subjectId', '=', seller.user.id)
      .executeTakeFirstOrThrow();
    const answers = await Promise.all(
      [1, 2, 3].map(
        async () => (await sendAct(second.client, `/operator/requests/${id}/confirm`, {})).status,
      ),
    );
    expect(answers.toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    expect(await debtOf(seller)).toBeUndefined();
    expect(await checkLedger(server.ctx.db)).toEqual([]);
  });
});
