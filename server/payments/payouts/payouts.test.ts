/** Publishers are paid what they have earned, once, and only that. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Payouts } from '#domain/payments/payout-contract.ts';
import { nextPayoutAt } from '#domain/payments/payouts.ts';
import { DAY_MS, later, MINUTE_MS, SECOND_MS } from '#domain/time.ts';
import type { SandboxPlays } from '../../adapters/sandbox-payments.ts';
import { restore, suspend } from '../../operator/suspend.ts';
import { losesAnswer, outOfReach, refused, withProvider } from '../../testing/checkout.ts';
import type { Client } from '../../testing/client.ts';
import { countAt } from '../../testing/figures.ts';
import { mailTo } from '../../testing/mail.ts';
import { deliver, makeEarned, onboard, waitDays } from '../../testing/payouts.ts';
import { sandboxOf } from '../../testing/sandbox.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { checkMoney } from '../books/check.ts';
import { listMoney } from '../books/list.ts';
import { reconcile } from '../books/reconcile.ts';
import { checkPayments } from '../check-payments.ts';
import { runPayouts } from './run.ts';

let server: TestServer;
let buyer: Client;
let play: SandboxPlays;
beforeAll(async () => {
  server = await startTestServer();
  buyer = await server.signIn('buyer');
  ({ play } = sandboxOf(server));
});
afterAll(() => server.close());

const balanceOf = async (who: Client): Promise<Payouts> => {
  const answer = await who.get('/api/payouts');
  expect(answer.status).toBe(200);
  return answer.body as Payouts;
};
const payOut = (who: Client) => who.post('/api/payouts', {});
const intentOf = async ({ id }: Ad): Promise<string> =>
  (
    await server.ctx.db
      .selectFrom('payments')
      .select('intentId')
      .where('adId', '=', id)
      .executeTakeFirstOrThrow()
  ).intentId as string;
const transfersOf = async (who: Client) =>
  await server.ctx.db
    .selectFrom('payoutTransfers as t')
    .innerJoin('payouts as p', 'p.id', 't.payoutId')
    .selectAll('t')
    .where('p.userId', '=', who.user.id)
    .orderBy('t.id')
    .execute();
/** The books hold, and agree with the provider. */
async function expectSound(): Promise<void> {
  expect((await checkMoney(server.ctx)).differences).toEqual([]);
  expect((await reconcile(server.ctx)).differences).toEqual([]);
}
/** The part of a publisher's debt that later earnings have settled, in cents. */
const nettedOf = async (who: Client) =>
  (
    await server.ctx.db
      .selectFrom('ledgerTx as t')
      .innerJoin('ledgerPostings as p', 'p.txId', 't.id')
      .innerJoin('ledgerAccounts as a', 'a.id', 'p.accountId')
      .select('p.amountCents')
      .where('t.kind', '=', 'netting')
      .where('a.kind', '=', 'publisher_receivable')
      .where('a.ownerId', '=', who.user.id)
      .orderBy('t.id')
      .execute()
  ).map(({ amountCents }) => amountCents);
const plans = { price: '200.00' };
/** A publisher who can be paid 170.00. */
async function makePayable(): Promise<{ seller: Client; ad: Ad; accountId: string }> {
  const seller = await server.signIn('seller');
  const accountId = await onboard(server.ctx, seller.user.id);
  const ad = await makeEarned(server, seller, buyer, plans);
  await waitDays(server, 31);
  return { seller, ad, accountId };
}
/** The same publisher, with 170.00 on the way to their bank. */
async function makePaid() {
  const payable = await makePayable();
  expect((await payOut(payable.seller)).status).toBe(201);
  await runPayouts(server.ctx);
  return payable;
}

describe('the balance', () => {
  // Proves PAYO-02
  it('has what was just delivered as pending, and what has waited long enough as available', async () => {
    const seller = await server.signIn('seller');
    expect(await balanceOf(seller)).toEqual({
      currency: 'USD',
      pending: '0.00',
      available: '0.00',
      held: '0.00',
      paidOut: '0.00',
      owed: '0.00',
      holds: [],
      nextPayoutAt: nextPayoutAt(server.ctx.now()).toISOString(),
      account: { state: 'none', country: null, requirements: [] },
      history: [],
    });
    const ad = await makeEarned(server, seller, buyer, { price: '200.00', views: 50 });
    await waitDays(server, 8);
    server.clock.advance(SECOND_MS);
    await countAt(server.ctx, ad, server.ctx.now().toISOString(), 10);
    // 17.00 of these are not posted yet.
    expect(await balanceOf(seller)).toMatchObject({ pending: '102.00', available: '0.00' });
    await waitDays(server, 23);
    // 2.00 of the later 17.00 are above the first 100.00.
    expect(await balanceOf(seller)).toMatchObject({ pending: '15.00', available: '87.00' });
    await waitDays(server, 7);
    expect(await balanceOf(seller)).toMatchObject({ pending: '0.00', available: '102.00' });
  });

  // Proves PAYO-02
  it('keeps held earnings apart, with the reason and the ad', async () => {
    const { seller, ad } = await makePayable();
    await play.dispute(await intentOf(ad), 'dispute');
    await checkPayments(server.ctx);
    const held = await balanceOf(seller);
    expect(held).toMatchObject({ pending: '0.00', available: '0.00', held: '170.00' });
    expect(held.holds).toEqual([
      {
        id: expect.any(Number),
        amount: '170.00',
        reason: 'dispute',
        until: null,
        adPublicId: ad.publicId,
        adTitle: ad.title,
      },
    ]);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'held', missing: '25.00' } });
    await play.closeDispute(await intentOf(ad), 'won');
    await checkPayments(server.ctx);
    expect(await balanceOf(seller)).toMatchObject({ available: '170.00', held: '0.00', holds: [] });
  });
});

describe('a payout on demand', () => {
  // Proves PAYO-03
  it('is refused with the reason and what is missing', async () => {
    const seller = await server.signIn('seller');
    expect(await payOut(seller)).toMatchObject({
      status: 409,
      body: { reason: 'not_onboarded', missing: '25.00', message: expect.stringContaining('payout account') },
    });
    await onboard(server.ctx, seller.user.id);
    await makeEarned(server, seller, buyer, { price: '20.00' });
    expect(await payOut(seller)).toMatchObject({ body: { reason: 'below_minimum', missing: '25.00' } });
    await waitDays(server, 31);
    expect(await payOut(seller)).toMatchObject({
      status: 409,
      body: {
        reason: 'below_minimum',
        missing: '8.00',
        message: 'A payout needs $25.00, and $17.00 is available. Try again when another $8.00 is available.',
      },
    });
    expect(await transfersOf(seller)).toEqual([]);
  });

  // Proves PAYO-03, PAYO-04
  it('sends one transfer for each ad from its charge, books it once, and follows it to the bank', async () => {
    const { seller, ad, accountId } = await makePayable();
    const other = await makeEarned(server, seller, buyer, { price: '50.00' });
    await waitDays(server, 8);
    expect(await payOut(seller)).toMatchObject({ status: 201, body: { amount: '212.50', status: 'sent' } });
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'running' } });
    expect(await balanceOf(seller)).toMatchObject({ available: '0.00', paidOut: '212.50' });
    await Promise.all([runPayouts(server.ctx), runPayouts(server.ctx)]);
    const rows = await transfersOf(seller);
    expect(rows.map(({ adId, amountCents, state }) => [adId, amountCents, state])).toEqual([
      [ad.id, '17000', 'sent'],
      [other.id, '4250', 'sent'],
    ]);
    const sent = await server.ctx.payments.getTransfer(rows[0]?.providerId as string);
    expect(sent).toMatchObject({
      payeeId: accountId,
      sourceChargeId: rows[0]?.chargeId,
      amount: 17_000,
      metadata: { transfer_key: rows[0]?.key, ad_public_id: ad.publicId },
    });
    const { history } = await balanceOf(seller);
    expect(history).toEqual([
      { id: expect.any(Number), at: expect.any(String), amount: '212.50', status: 'sent', message: null },
    ]);
    await waitDays(server, 2);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid' }]);
    const month = server.ctx.now().toISOString().slice(0, 7);
    const { lines } = (await seller.get(`/api/statements/${month}`)).body as {
      lines: { kind: string; amount: string; adPublicId: string }[];
    };
    expect(lines.filter(({ kind }) => kind === 'transfer')).toMatchObject([
      { amount: '-170.00', adPublicId: ad.publicId },
      { amount: '-42.50', adPublicId: other.publicId },
    ]);
    const kindsOf = async (who: Client) =>
      (
        (await who.get(`/api/ads/${ad.id}/ledger`)).body as { entries: { kind: string; amount: string }[] }
      ).entries.map(({ kind, amount }) => `${kind} ${amount}`);
    expect(await kindsOf(seller)).toEqual(['paid 170.00', 'accrual 170.00', 'transfer 170.00']);
    expect(await kindsOf(buyer)).toEqual(['paid 200.00', 'accrual 200.00']);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'below_minimum' } });
    await expectSound();
  });

  // Proves PAYO-03
  it('begins once, however often it is asked for at the same time', async () => {
    const { seller } = await makePayable();
    const answers = await Promise.all([1, 2, 3, 4].map(() => payOut(seller)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    await runPayouts(server.ctx);
    expect(await transfersOf(seller)).toHaveLength(1);
    await expectSound();
  });
});

describe('the weekly payout', () => {
  // Proves PAYO-03
  it('happens once in a week on two instances, of what had waited long enough on Monday', async () => {
    const seller = await server.signIn('seller');
    await onboard(server.ctx, seller.user.id);
    const unready = await server.signIn('seller');
    const monday = nextPayoutAt(server.ctx.now());
    server.clock.set(later(monday, 2 * DAY_MS));
    await makeEarned(server, seller, buyer, { price: '100.00' });
    await makeEarned(server, unready, buyer, { price: '100.00' });
    server.clock.set(later(monday, 35 * DAY_MS - SECOND_MS));
    await runPayouts(server.ctx);
    expect(await transfersOf(seller)).toEqual([]);
    server.clock.advance(2 * SECOND_MS);
    const began = await Promise.all([runPayouts(server.ctx), runPayouts({ ...server.ctx })]);
    await runPayouts(server.ctx);
    expect(began[0] + began[1]).toBe(1);
    expect(await transfersOf(seller)).toMatchObject([{ amountCents: '8500', state: 'sent' }]);
    // A publisher who was not ready on Monday waits for the next one.
    await onboard(server.ctx, unready.user.id);
    await runPayouts(server.ctx);
    expect(await transfersOf(unready)).toEqual([]);
    server.clock.advance(7 * DAY_MS);
    await runPayouts(server.ctx);
    expect(await transfersOf(unready)).toMatchObject([{ amountCents: '8500', state: 'sent' }]);
    const { requestedBy } = await server.ctx.db
      .selectFrom('payouts')
      .select('requestedBy')
      .where('userId', '=', seller.user.id)
      .executeTakeFirstOrThrow();
    expect(requestedBy).toBe('schedule');
    await expectSound();
  });

  // Proves PAYO-03
  it('passes over a suspended publisher, who is paid in the week after the suspension has ended', async () => {
    const { seller } = await makePayable();
    const about = { subject: 'person', id: seller.user.id, reason: 'Under investigation' } as const;
    await suspend(server.ctx, { id: null }, about);
    for (let week = 0; week < 2; week++) {
      server.clock.set(later(nextPayoutAt(server.ctx.now()), SECOND_MS));
      await runPayouts(server.ctx);
    }
    expect(await transfersOf(seller)).toEqual([]);
    await restore(server.ctx, { id: null }, about);
    server.clock.set(later(nextPayoutAt(server.ctx.now()), SECOND_MS));
    await runPayouts(server.ctx);
    expect(await transfersOf(seller)).toMatchObject([{ amountCents: '17000', state: 'sent' }]);
    await expectSound();
  });
});

describe('a transfer', () => {
  // Proves PAYO-04, PAYO-06
  it('to an account that has lost its capability is not booked, and its money is available again', async () => {
    const { seller, accountId } = await makePayable();
    expect((await payOut(seller)).status).toBe(201);
    await play.reviewPayee(accountId, false);
    await runPayouts(server.ctx);
    const after = await balanceOf(seller);
    expect(after).toMatchObject({ available: '170.00', paidOut: '0.00' });
    expect(after.history).toMatchObject([
      {
        amount: '170.00',
        status: 'failed',
        message: expect.stringContaining('complete what is missing. The money is available again.'),
      },
    ]);
    const mails = (await mailTo(server.ctx, seller.user.email)).filter(
      ({ kind }) => kind === 'payout-failed',
    );
    expect(mails).toHaveLength(1);
    await play.reviewPayee(accountId, true);
    expect((await payOut(seller)).status).toBe(201);
    await runPayouts(server.ctx);
    expect((await transfersOf(seller)).map(({ state }) => state)).toEqual(['refused', 'sent']);
    await expectSound();
  });

  // Proves PAYO-04
  it('that was not made is repeated with its key until the provider is back', async () => {
    const { seller } = await makePayable();
    await payOut(seller);
    const keys = new Set<string>();
    const away = () => ({
      transfer: async (_request: unknown, key: string) => {
        keys.add(key);
        return await outOfReach();
      },
    });
    await withProvider(server.ctx, away, async () => {
      for (let n = 0; n < 3; n++) {
        await runPayouts(server.ctx);
        server.clock.advance(10 * MINUTE_MS);
      }
    });
    const [waiting] = await transfersOf(seller);
    expect(waiting).toMatchObject({ state: 'trying', attempts: 3 });
    expect([...keys]).toEqual([`tr:${waiting?.key}`]);
    expect((await listMoney(server.ctx)).stuck).toMatchObject([
      { id: `transfer:${waiting?.id}`, amountCents: 17_000, problem: 'unavailable' },
    ]);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'running' } });
    await runPayouts(server.ctx);
    expect(await transfersOf(seller)).toMatchObject([{ state: 'sent', key: waiting?.key }]);
    expect(await balanceOf(seller)).toMatchObject({ paidOut: '170.00', available: '0.00' });
    expect((await listMoney(server.ctx)).stuck).toEqual([]);
    await expectSound();
  });

  // Proves PAYO-04
  it('whose answer was lost is looked for before it is repeated, because its repetition may be refused', async () => {
    const { seller } = await makePayable();
    await payOut(seller);
    await withProvider(
      server.ctx,
      (real) => ({
        transfer: losesAnswer((...given: Parameters<typeof real.transfer>) => real.transfer(...given)),
      }),
      () => runPayouts(server.ctx),
    );
    server.clock.advance(10 * MINUTE_MS);
    await withProvider(
      server.ctx,
      () => ({ transfer: refused }),
      () => runPayouts(server.ctx),
    );
    expect(await transfersOf(seller)).toMatchObject([{ state: 'sent' }]);
    expect(await balanceOf(seller)).toMatchObject({ paidOut: '170.00', available: '0.00' });
    await expectSound();
  });

  // Proves PAYO-04
  it('is known by the event of the provider, if our server never heard its answer', async () => {
    const { seller } = await makePayable();
    await payOut(seller);
    await withProvider(
      server.ctx,
      (real) => ({
        transfer: losesAnswer((...given: Parameters<typeof real.transfer>) => real.transfer(...given)),
      }),
      () => runPayouts(server.ctx),
    );
    await checkPayments(server.ctx);
    expect(await transfersOf(seller)).toMatchObject([{ state: 'sent' }]);
    await expectSound();
  });

  // Proves PAYO-06
  it('that the bank sends back is told with the step that mends it, and is paid by the next payout', async () => {
    const { seller, accountId } = await makePaid();
    await waitDays(server, 2);
    await play.failLastPayout(accountId);
    await checkPayments(server.ctx);
    expect((await balanceOf(seller)).history).toMatchObject([
      { status: 'failed', message: expect.stringContaining('Update your bank details.') },
    ]);
    // The account is asked about again.
    await waitDays(server, 3);
    await runPayouts(server.ctx);
    const mails = (await mailTo(server.ctx, seller.user.email)).filter(
      ({ kind }) => kind === 'payout-failed',
    );
    expect(mails).toHaveLength(1);
    await play.reviewPayee(accountId, true);
    await waitDays(server, 4);
    await runPayouts(server.ctx);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid', message: null }]);
    await expectSound();
  });

  // Proves PAYO-06
  it('is followed to the bank, also if no event about it arrives', async () => {
    const { seller } = await makePaid();
    server.clock.advance(4 * DAY_MS);
    await sandboxOf(server).settle();
    await server.ctx.db.deleteFrom('providerEvents').where('doneAt', 'is', null).execute();
    await runPayouts(server.ctx);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid' }]);
  });
});

describe('what a lost dispute takes after the payout', () => {
  async function lose(ad: Ad): Promise<void> {
    await play.dispute(await intentOf(ad), 'dispute');
    await checkPayments(server.ctx);
    await play.closeDispute(await intentOf(ad), 'lost');
    await checkPayments(server.ctx);
    await runPayouts(server.ctx);
  }

  // Proves PAYO-05
  it('is taken back from the publisher’s account, as long as the money is there', async () => {
    const { seller, ad } = await makePaid();
    await lose(ad);
    const after = await balanceOf(seller);
    expect(after).toMatchObject({ pending: '0.00', available: '0.00', paidOut: '0.00', owed: '0.00' });
    expect(after.history).toMatchObject([
      { amount: '170.00', status: 'reversed', message: expect.stringContaining('taken back') },
    ]);
    await expectSound();
  });

  // Proves PAYO-05
  it('is owed once the bank has it, and is settled from later earnings before anything is available', async () => {
    const { seller, ad } = await makePaid();
    await waitDays(server, 2);
    await lose(ad);
    expect(await balanceOf(seller)).toMatchObject({ paidOut: '170.00', owed: '170.00', available: '0.00' });
    await runPayouts(server.ctx);
    await expectSound();

    await makeEarned(server, seller, buyer, { price: '100.00' });
    expect(await balanceOf(seller)).toMatchObject({ owed: '85.00', pending: '0.00' });
    await runPayouts(server.ctx);
    await makeEarned(server, seller, buyer, plans);
    expect(await balanceOf(seller)).toMatchObject({ owed: '0.00', pending: '85.00' });
    await runPayouts(server.ctx);
    await waitDays(server, 31);
    expect(await balanceOf(seller)).toMatchObject({ owed: '0.00', available: '85.00', paidOut: '170.00' });
    expect(await payOut(seller)).toMatchObject({ status: 201, body: { amount: '85.00' } });
    await runPayouts(server.ctx);
    expect(await balanceOf(seller)).toMatchObject({ available: '0.00', paidOut: '255.00' });
    expect(await nettedOf(seller)).toEqual(['-8500', '-8500']);
    await expectSound();
  });

  // Proves PAYO-05
  it('that arrives while the transfer is on its way is booked as owed, and then taken back', async () => {
    const { seller, ad } = await makePayable();
    await payOut(seller);
    await play.dispute(await intentOf(ad), 'dispute');
    await checkPayments(server.ctx);
    await play.closeDispute(await intentOf(ad), 'lost');
    await checkPayments(server.ctx);
    await runPayouts(server.ctx);
    await runPayouts(server.ctx);
    expect(await balanceOf(seller)).toMatchObject({ paidOut: '0.00', owed: '0.00', available: '0.00' });
    await expectSound();
  });

  // Proves PAYO-05
  it('is taken back once, also if the answer about it was lost', async () => {
    const { seller, ad } = await makePaid();
    await play.dispute(await intentOf(ad), 'dispute');
    await checkPayments(server.ctx);
    await play.closeDispute(await intentOf(ad), 'lost');
    await checkPayments(server.ctx);
    await withProvider(
      server.ctx,
      (real) => ({
        reverse: losesAnswer((...given: Parameters<typeof real.reverse>) => real.reverse(...given)),
      }),
      () => runPayouts(server.ctx),
    );
    // The provider refuses the repetition, so the reversal must be found.
    server.clock.advance(10 * MINUTE_MS);
    await withProvider(
      server.ctx,
      () => ({ reverse: refused }),
      async () => await Promise.all([runPayouts(server.ctx), runPayouts(server.ctx)]),
    );
    const [sent] = await transfersOf(seller);
    expect(sent).toMatchObject({ reversedCents: '17000' });
    expect((await server.ctx.payments.getTransfer(sent?.providerId as string)).reversals).toHaveLength(1);
    await expectSound();
  });
});

// Proves PAYO-05
it('a reversal that the operator made at the provider is booked', async () => {
  const { seller } = await makePaid();
  const [sent] = await transfersOf(seller);
  await server.ctx.payments.reverse(
    { transferId: sent?.providerId as string, amount: 5000, metadata: {} },
    'by hand',
  );
  await checkPayments(server.ctx);
  expect(await balanceOf(seller)).toMatchObject({ paidOut: '120.00', available: '50.00' });
  expect((await balanceOf(seller)).history).toMatchObject([
    { status: 'sent', message: expect.stringContaining('50.00 of it was taken back') },
  ]);
  await expectSound();
});

// Proves PAYO-02
it('a delivery after the payout is paid by the next one', async () => {
  const seller = await server.signIn('seller');
  await onboard(server.ctx, seller.user.id);
  const ad = await makeEarned(server, seller, buyer, { price: '400.00', views: 50 });
  await waitDays(server, 31);
  await payOut(seller);
  await runPayouts(server.ctx);
  await deliver(server, ad, 30);
  expect(await balanceOf(seller)).toMatchObject({ paidOut: '170.00', pending: '102.00' });
  await waitDays(server, 8);
  expect(await payOut(seller)).toMatchObject({ status: 201, body: { amount: '102.00' } });
  await runPayouts(server.ctx);
  expect((await transfersOf(seller)).map(({ adId }) => adId)).toEqual([ad.id, ad.id]);
  await expectSound();
});

// Proves PAYO-02
it('earnings of another book stay there', async () => {
  const { seller } = await makePayable();
  await withProvider(
    server.ctx,
    () => ({ book: 'stripe-test' }),
    async () => {
      expect(await balanceOf(seller)).toMatchObject({ pending: '0.00', available: '0.00', paidOut: '0.00' });
      expect((await payOut(seller)).status).toBe(409);
    },
  );
  expect(await balanceOf(seller)).toMatchObject({ available: '170.00' });
});

// Proves PAYO-04
it('a payout that the end of a month divides stands in the month in which it was sent', async () => {
  const { seller } = await makePayable();
  const now = server.ctx.now();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  server.clock.set(later(next, -30 * SECOND_MS));
  await payOut(seller);
  server.clock.set(later(next, 30 * SECOND_MS));
  await runPayouts(server.ctx);
  const statementOf = async (instant: Date) =>
    (await seller.get(`/api/statements/${instant.toISOString().slice(0, 7)}`)).body as {
      opening: string;
      closing: string;
      lines: { kind: string; amount: string; balance: string }[];
    };
  const [before, after] = [await statementOf(later(next, -1)), await statementOf(next)];
  expect(before.lines.map(({ kind }) => kind)).not.toContain('transfer');
  expect([before.closing, after.opening]).toEqual(['170.00', '170.00']);
  expect(after.lines).toMatchObject([{ kind: 'transfer', amount: '-170.00', balance: '0.00' }]);
  await expectSound();
});

// Proves PAYO-07
it('the database refuses transfers above the earnings, reversals above a transfer, and changes of either', async () => {
  const { seller, ad } = await makePaid();
  const [sent] = await transfersOf(seller);
  const payout = Number(sent?.payoutId);
  const of = `where id = ${sent?.id}`;
  for (const [statement, refusal] of [
    [
      `insert into payout_transfers (payout_id, ad_id, charge_id, amount_cents, began_at)
        select ${payout - 1}, ${ad.id}, 'ch', 1, now()`,
      /would exceed what it has earned/,
    ],
    [
      `insert into transfer_reversals (transfer_id, amount_cents, began_at) values (${sent?.id}, 17001, now())`,
      /would exceed what was sent/,
    ],
    [`update payout_transfers set amount_cents = 1 ${of}`, /only moves forward/],
    [`update payout_transfers set state = 'refused', provider_id = null ${of}`, /only moves forward/],
    [`delete from payout_transfers ${of}`, /never deleted/],
    [`update payouts set amount_cents = 1 where id = ${payout}`, /only closed/],
    [`delete from payouts where id = ${payout}`, /never deleted/],
    ['truncate payouts cascade', /never deleted/],
  ] as const)
    await expect(sql.raw(statement).execute(server.ctx.db)).rejects.toThrow(refusal);
  await expectSound();
});
