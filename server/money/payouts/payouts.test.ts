/** Publishers are paid their earnings once, and nothing more. */
import { beforeAll, describe, expect, it } from 'vitest';
import { lastPayoutAt, nextPayoutAt } from '#domain/payments/payouts.ts';
import { DAY_MS, later, SECOND_MS } from '#domain/time.ts';
import type { SandboxPlays } from '#server/platform/provider/sandbox/payments.ts';
import { restore, suspend } from '#server/operator/decisions/suspend.ts';
import { withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import {
  balanceOf,
  confirm,
  expectSound,
  intentOf,
  makePayable,
  payOut,
  transfersOf,
} from '#server/testing/money/payout-market.ts';
import { deliver, makeEarned, onboard, waitDays } from '#server/testing/money/payouts.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { checkPayments } from '../events/check-payments.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { runPayouts } from './run.ts';

const server = useOwnServer();
let buyer: Client;
let play: SandboxPlays;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
  ({ play } = sandboxOf(server));
});

describe('the balance', () => {
  // Proves PAYO-02
  it('has new earnings as pending, and matured earnings as available', async () => {
    const seller = await server.signIn('seller');
    expect(await balanceOf(seller)).toEqual({
      currency: 'USD',
      pending: '0.00',
      available: '0.00',
      held: '0.00',
      paidOut: '0.00',
      owed: '0.00',
      tax: '0.00',
      holds: [],
      commissionPercent: 15,
      method: 'connect',
      bankAccount: null,
      nextPayoutAt: nextPayoutAt(server.ctx.now()).toISOString(),
      expected: [],
      minimum: '25.00',
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

  // Proves PAYO-600
  it('has the dates and amounts of the coming payouts, which the weekly run then pays', async () => {
    const { seller } = await makePayable(server, buyer);
    await makeEarned(server, seller, buyer, { price: '100.00' });
    const first = nextPayoutAt(server.ctx.now());
    const second = nextPayoutAt(first);
    const { available, pending, expected } = await balanceOf(seller);
    expect({ available, pending }).toEqual({ available: '170.00', pending: '85.00' });
    expect(expected).toEqual([
      { at: first.toISOString(), amount: '170.00' },
      { at: second.toISOString(), amount: '85.00' },
    ]);
    await confirm(seller);
    expect((await seller.post('/api/payouts/account', { country: 'DE' })).status).toBe(200);
    const held = await balanceOf(seller);
    expect(held).toMatchObject({ available: '0.00', held: '255.00' });
    const until = new Date(held.holds[0]!.until!);
    expect(held.expected[0]).toEqual({
      at: (until > first ? until : first).toISOString(),
      amount: until > second ? '255.00' : '170.00',
    });
    server.clock.set(later(until > first ? until : first, SECOND_MS));
    await runPayouts(server.ctx);
    expect((await balanceOf(seller)).history).toMatchObject([{ amount: held.expected[0]!.amount }]);
  });

  // Proves PAYO-02
  it('keeps held earnings apart, with the reason and the ad', async () => {
    const { seller, ad } = await makePayable(server, buyer);
    await play.dispute(await intentOf(server, ad), 'dispute');
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
    await play.closeDispute(await intentOf(server, ad), 'won');
    await checkPayments(server.ctx);
    expect(await balanceOf(seller)).toMatchObject({ available: '170.00', held: '0.00', holds: [] });
  });
});

describe('a payout on demand', () => {
  // Proves PAYO-03
  it('is refused with the reason and the missing amount', async () => {
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
    expect(await transfersOf(server, seller)).toEqual([]);
  });

  // Proves PAYO-03, PAYO-04
  it('sends one transfer for each ad from its charge, books it once, and follows it to the bank', async () => {
    const { seller, ad, accountId } = await makePayable(server, buyer);
    const other = await makeEarned(server, seller, buyer, { price: '50.00' });
    await waitDays(server, 8);
    expect(await payOut(seller)).toMatchObject({ status: 201, body: { amount: '212.50', status: 'sent' } });
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'running' } });
    expect(await balanceOf(seller)).toMatchObject({ available: '0.00', paidOut: '212.50' });
    await Promise.all([runPayouts(server.ctx), runPayouts(server.ctx)]);
    const rows = await transfersOf(server, seller);
    expect(rows.map(({ adId, amountCents, state }) => [adId, amountCents, state])).toEqual([
      [ad.id, 17_000, 'sent'],
      [other.id, 4250, 'sent'],
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
    await expectSound(server);
  });

  // Proves PAYO-03
  it('begins once, however often it is asked for at the same time', async () => {
    const { seller } = await makePayable(server, buyer);
    await confirm(seller);
    const answers = await Promise.all([1, 2, 3, 4].map(() => seller.post('/api/payouts', {})));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    await runPayouts(server.ctx);
    expect(await transfersOf(server, seller)).toHaveLength(1);
    await expectSound(server);
  });
});

describe('the weekly payout', () => {
  // Proves PAYO-03
  it('happens once in a week on two instances, of the earnings that had matured on Monday', async () => {
    const seller = await server.signIn('seller');
    await onboard(server.ctx, seller.user.id);
    const unready = await server.signIn('seller');
    const monday = nextPayoutAt(server.ctx.now());
    server.clock.set(later(monday, 2 * DAY_MS));
    await makeEarned(server, seller, buyer, { price: '100.00' });
    await makeEarned(server, unready, buyer, { price: '100.00' });
    server.clock.set(later(monday, 35 * DAY_MS - SECOND_MS));
    await runPayouts(server.ctx);
    expect(await transfersOf(server, seller)).toEqual([]);
    server.clock.advance(2 * SECOND_MS);
    const began = await Promise.all([runPayouts(server.ctx), runPayouts({ ...server.ctx })]);
    await runPayouts(server.ctx);
    expect(began[0] + began[1]).toBe(1);
    expect(await transfersOf(server, seller)).toMatchObject([{ amountCents: 8500, state: 'sent' }]);
    // A publisher who was not ready on Monday waits for the next one.
    await onboard(server.ctx, unready.user.id);
    await runPayouts(server.ctx);
    expect(await transfersOf(server, unready)).toEqual([]);
    server.clock.advance(7 * DAY_MS);
    await runPayouts(server.ctx);
    expect(await transfersOf(server, unready)).toMatchObject([{ amountCents: 8500, state: 'sent' }]);
    const { requestedBy } = await server.ctx.db
      .selectFrom('payouts')
      .select('requestedBy')
      .where('userId', '=', seller.user.id)
      .executeTakeFirstOrThrow();
    expect(requestedBy).toBe('schedule');
    await expectSound(server);
  });

  // Proves PAYO-03
  it('looks once at a publisher with too little, who is paid by the first Monday with enough', async () => {
    const seller = await server.signIn('seller');
    await onboard(server.ctx, seller.user.id);
    await makeEarned(server, seller, buyer, { price: '20.00' });
    const turn = async () =>
      (
        await server.ctx.db
          .selectFrom('payoutWeeks')
          .select('week')
          .where('userId', '=', seller.user.id)
          .executeTakeFirstOrThrow()
      ).week;
    await waitDays(server, 35);
    await runPayouts(server.ctx);
    expect(await turn()).toEqual(lastPayoutAt(server.ctx.now()));
    expect(await transfersOf(server, seller)).toEqual([]);
    const ad = await makeEarned(server, seller, buyer, { price: '20.00', views: 20 });
    await waitDays(server, 28);
    // The rest was delivered before Monday and is not posted yet, as after an outage. The turn waits for it.
    await countAt(server.ctx, ad, server.ctx.now().toISOString(), 80);
    server.clock.set(later(nextPayoutAt(server.ctx.now()), SECOND_MS));
    await runPayouts(server.ctx);
    expect(await turn()).not.toEqual(lastPayoutAt(server.ctx.now()));
    await accrueDue(server.ctx);
    await runPayouts(server.ctx);
    expect(await turn()).toEqual(lastPayoutAt(server.ctx.now()));
    server.clock.advance(35 * DAY_MS);
    await runPayouts(server.ctx);
    expect(await transfersOf(server, seller)).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
    await expectSound(server);
  });

  // Proves PAYO-03
  it('passes over a suspended publisher, who is paid in the week after the suspension has ended', async () => {
    const { seller } = await makePayable(server, buyer);
    const about = { subject: 'person', id: seller.user.id, reason: 'Under investigation' } as const;
    await suspend(server.ctx, { id: null }, about);
    for (let week = 0; week < 2; week++) {
      server.clock.set(later(nextPayoutAt(server.ctx.now()), SECOND_MS));
      await runPayouts(server.ctx);
    }
    expect(await transfersOf(server, seller)).toEqual([]);
    await restore(server.ctx, { id: null }, about);
    server.clock.set(later(nextPayoutAt(server.ctx.now()), SECOND_MS));
    await runPayouts(server.ctx);
    expect(await transfersOf(server, seller)).toMatchObject([{ amountCents: 17_000, state: 'sent' }]);
    await expectSound(server);
  });
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
  expect((await transfersOf(server, seller)).map(({ adId }) => adId)).toEqual([ad.id, ad.id]);
  await expectSound(server);
});

// Proves PAYO-02
it('earnings of another book stay there', async () => {
  const { seller } = await makePayable(server, buyer);
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
  const { seller } = await makePayable(server, buyer);
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
  await expectSound(server);
});
