/** Lost disputes and the operator take back money after a payout. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { SandboxPlays } from '#server/platform/provider/sandbox/payments.ts';
import { losesAnswer, refused, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import {
  balanceOf,
  expectSound,
  intentOf,
  makePaid,
  makePayable,
  payOut,
  transfersOf,
} from '#server/testing/money/payout-market.ts';
import { makeEarned, waitDays } from '#server/testing/money/payouts.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { checkPayments } from '../events/check-payments.ts';
import { runPayouts } from './run.ts';

const server = useOwnServer();
let buyer: Client;
let play: SandboxPlays;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
  ({ play } = sandboxOf(server));
});

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

describe('a loss by dispute after the payout', () => {
  async function lose(ad: Ad): Promise<void> {
    await play.dispute(await intentOf(server, ad), 'dispute');
    await checkPayments(server.ctx);
    await play.closeDispute(await intentOf(server, ad), 'lost');
    await checkPayments(server.ctx);
    await runPayouts(server.ctx);
  }

  // Proves PAYO-05
  it('is taken back from the publisher’s account, as long as the money is there', async () => {
    const { seller, ad } = await makePaid(server, buyer);
    await lose(ad);
    const after = await balanceOf(seller);
    expect(after).toMatchObject({ pending: '0.00', available: '0.00', paidOut: '0.00', owed: '0.00' });
    expect(after.history).toMatchObject([
      { amount: '170.00', status: 'reversed', message: expect.stringContaining('taken back') },
    ]);
    await expectSound(server);
  });

  // Proves PAYO-05
  it('is owed once the bank has it, and is settled from later earnings before anything is available', async () => {
    const { seller, ad } = await makePaid(server, buyer);
    await waitDays(server, 2);
    await lose(ad);
    expect(await balanceOf(seller)).toMatchObject({ paidOut: '170.00', owed: '170.00', available: '0.00' });
    await runPayouts(server.ctx);
    await expectSound(server);

    await makeEarned(server, seller, buyer, { price: '100.00' });
    expect(await balanceOf(seller)).toMatchObject({ owed: '85.00', pending: '0.00' });
    await runPayouts(server.ctx);
    await makeEarned(server, seller, buyer, { price: '200.00' });
    expect(await balanceOf(seller)).toMatchObject({ owed: '0.00', pending: '85.00' });
    await runPayouts(server.ctx);
    await waitDays(server, 31);
    expect(await balanceOf(seller)).toMatchObject({ owed: '0.00', available: '85.00', paidOut: '170.00' });
    expect(await payOut(seller)).toMatchObject({ status: 201, body: { amount: '85.00' } });
    await runPayouts(server.ctx);
    expect(await balanceOf(seller)).toMatchObject({ available: '0.00', paidOut: '255.00' });
    expect(await nettedOf(seller)).toEqual([-8500, -8500]);
    await expectSound(server);
  });

  // Proves PAYO-05
  it('that arrives while the transfer is on its way is booked as owed, and then taken back', async () => {
    const { seller, ad } = await makePayable(server, buyer);
    await payOut(seller);
    await play.dispute(await intentOf(server, ad), 'dispute');
    await checkPayments(server.ctx);
    await play.closeDispute(await intentOf(server, ad), 'lost');
    await checkPayments(server.ctx);
    await runPayouts(server.ctx);
    await runPayouts(server.ctx);
    expect(await balanceOf(seller)).toMatchObject({ paidOut: '0.00', owed: '0.00', available: '0.00' });
    await expectSound(server);
  });

  // Proves PAYO-05
  it('is taken back once, also if the answer about it was lost', async () => {
    const { seller, ad } = await makePaid(server, buyer);
    await play.dispute(await intentOf(server, ad), 'dispute');
    await checkPayments(server.ctx);
    await play.closeDispute(await intentOf(server, ad), 'lost');
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
    const [sent] = await transfersOf(server, seller);
    expect(sent).toMatchObject({ reversedCents: 17_000 });
    expect((await server.ctx.payments.getTransfer(sent?.providerId as string)).reversals).toHaveLength(1);
    await expectSound(server);
  });
});

// Proves PAYO-05
it('a reversal that the operator made at the provider is booked', async () => {
  const { seller } = await makePaid(server, buyer);
  const [sent] = await transfersOf(server, seller);
  await server.ctx.payments.reverse(
    { transferId: sent?.providerId as string, amount: 5000, metadata: {} },
    'by hand',
  );
  await checkPayments(server.ctx);
  expect(await balanceOf(seller)).toMatchObject({ paidOut: '120.00', available: '50.00' });
  expect((await balanceOf(seller)).history).toMatchObject([
    { status: 'sent', message: expect.stringContaining('50.00 of it was taken back') },
  ]);
  await expectSound(server);
});
