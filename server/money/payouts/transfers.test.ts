/** Each transfer of a payout is sent and booked once, and followed to the publisher's bank. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import type { SandboxPlays } from '#server/platform/provider/sandbox/payments.ts';
import { losesAnswer, outOfReach, refused, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import {
  balanceOf,
  expectSound,
  makePaid,
  makePayable,
  payOut,
  transfersOf,
} from '#server/testing/money/payout-market.ts';
import { waitDays } from '#server/testing/money/payouts.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { listMoney } from '../books/list.ts';
import { checkPayments } from '../events/check-payments.ts';
import { runPayouts } from './run.ts';

const server = useOwnServer();
let buyer: Client;
let play: SandboxPlays;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
  ({ play } = sandboxOf(server));
});

/** The provider makes the transfers that are due, but its answers are lost. */
const loseAnswer = async () =>
  await withProvider(
    server.ctx,
    (real) => ({
      transfer: losesAnswer((...given: Parameters<typeof real.transfer>) => real.transfer(...given)),
    }),
    () => runPayouts(server.ctx),
  );

it('a payout that was sent, in full or in part, is mailed once with the amount, and not to those who turned the switch off', async () => {
  const sentTo = async (person: Client) =>
    (await mailTo(server.ctx, person.user.email)).filter(({ kind }) => kind === 'payout-sent');
  const { seller } = await makePayable(server, buyer);
  const { seller: quiet } = await makePayable(server, buyer);
  expect((await quiet.patch('/api/user/settings', { paymentAlerts: false })).status).toBe(200);
  for (const person of [seller, quiet]) expect((await payOut(person)).status).toBe(201);
  expect(await sentTo(seller)).toEqual([]);
  await runPayouts(server.ctx);
  // The sweep looks at transfers again, and the payout is closed already.
  server.clock.advance(4 * DAY_MS);
  await runPayouts(server.ctx);
  const mails = await sentTo(seller);
  expect(mails).toMatchObject([{ subject: 'Your payout is on its way' }]);
  expect(mails[0]?.text).toContain('We have sent $170.00');
  expect(await sentTo(quiet)).toEqual([]);
});

describe('a transfer', () => {
  // Proves PAYO-04, PAYO-06
  it('to an account that has lost its capability is not booked, and its money is available again', async () => {
    const { seller, accountId } = await makePayable(server, buyer);
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
    expect(
      (await mailTo(server.ctx, seller.user.email)).filter(({ kind }) => kind === 'payout-sent'),
    ).toEqual([]);
    const told = (await mailToOperator(server.ctx, 'payout-failed')).map(({ text }) => text);
    const who = `of $170.00 to the publisher with the number ${seller.user.id} failed`;
    expect(told.filter((text) => text.includes(who))).toHaveLength(1);
    await play.reviewPayee(accountId, true);
    expect((await payOut(seller)).status).toBe(201);
    await runPayouts(server.ctx);
    expect((await transfersOf(server, seller)).map(({ state }) => state)).toEqual(['refused', 'sent']);
    await expectSound(server);
  });

  // Proves PAYO-04
  it('that was not made is repeated with its key until the provider is back', async () => {
    const { seller } = await makePayable(server, buyer);
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
    const [waiting] = await transfersOf(server, seller);
    expect(waiting).toMatchObject({ state: 'trying', attempts: 3 });
    expect([...keys]).toEqual([`tr:${waiting?.key}`]);
    expect((await listMoney(server.ctx)).stuck).toMatchObject([
      { id: `transfer:${waiting?.id}`, amountCents: 17_000, problem: 'unavailable' },
    ]);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'running' } });
    await runPayouts(server.ctx);
    expect(await transfersOf(server, seller)).toMatchObject([{ state: 'sent', key: waiting?.key }]);
    expect(await balanceOf(seller)).toMatchObject({ paidOut: '170.00', available: '0.00' });
    expect((await listMoney(server.ctx)).stuck).toEqual([]);
    await expectSound(server);
  });

  // Proves PAYO-04
  it('whose answer was lost is looked for before it is repeated, because its repetition may be refused', async () => {
    const { seller } = await makePayable(server, buyer);
    await payOut(seller);
    await loseAnswer();
    server.clock.advance(10 * MINUTE_MS);
    await withProvider(
      server.ctx,
      () => ({ transfer: refused }),
      () => runPayouts(server.ctx),
    );
    expect(await transfersOf(server, seller)).toMatchObject([{ state: 'sent' }]);
    expect(await balanceOf(seller)).toMatchObject({ paidOut: '170.00', available: '0.00' });
    await expectSound(server);
  });

  // Proves PAYO-04
  it('is recorded from the provider’s event if our server never got its answer', async () => {
    const { seller } = await makePayable(server, buyer);
    await payOut(seller);
    await loseAnswer();
    await checkPayments(server.ctx);
    expect(await transfersOf(server, seller)).toMatchObject([{ state: 'sent' }]);
    await expectSound(server);
  });

  // Proves PAYO-06
  it('that the bank sends back is mailed with the next step, and is paid by the next payout', async () => {
    const { seller, accountId } = await makePaid(server, buyer);
    await waitDays(server, 2);
    await play.failLastPayout(accountId);
    await checkPayments(server.ctx);
    expect((await balanceOf(seller)).history).toMatchObject([
      { status: 'failed', message: expect.stringContaining('Update your bank details.') },
    ]);
    // We ask about the account again.
    await waitDays(server, 3);
    await runPayouts(server.ctx);
    const mails = (await mailTo(server.ctx, seller.user.email)).filter(
      ({ kind }) => kind === 'payout-failed',
    );
    expect(mails).toHaveLength(1);
    const told = (await mailToOperator(server.ctx, 'payout-failed')).map(({ text }) => text);
    const who = `of $170.00 to the publisher with the number ${seller.user.id} failed`;
    expect(told.filter((text) => text.includes(who))).toHaveLength(1);
    await play.reviewPayee(accountId, true);
    await waitDays(server, 4);
    await runPayouts(server.ctx);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid', message: null }]);
    await expectSound(server);
  });

  // Proves PAYO-06
  it('is followed to the bank, also if no event about it arrives', async () => {
    const { seller } = await makePaid(server, buyer);
    server.clock.advance(4 * DAY_MS);
    await sandboxOf(server).settle();
    await server.ctx.db.deleteFrom('providerEvents').where('doneAt', 'is', null).execute();
    await runPayouts(server.ctx);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid' }]);
  });
});

// Proves PAYO-07
it('the database refuses transfers above the earnings, reversals above a transfer, and changes of either', async () => {
  const { seller, ad } = await makePaid(server, buyer);
  const [sent] = await transfersOf(server, seller);
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
    await expect(sql.raw(statement).execute(server.owner)).rejects.toThrow(refusal);
  await expectSound(server);
});
