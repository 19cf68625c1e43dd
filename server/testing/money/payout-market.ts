/** Publishers with a payout of 170.00, and the calls and queries about it for the tests of payouts. */
import { expect } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Payouts } from '#domain/payments/payout-contract.ts';
import { checkMoney } from '#server/money/books/check.ts';
import { reconcile } from '#server/money/books/reconcile.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import type { Answer, Client } from '../client.ts';
import { PASSWORD } from '../accounts/sign-in.ts';
import { makeEarned, onboard, waitDays } from './payouts.ts';
import type { TestServer } from '../server.ts';

export async function balanceOf(publisher: Client): Promise<Payouts> {
  const answer = await publisher.get('/api/payouts');
  expect(answer.status).toBe(200);
  return answer.body as Payouts;
}

export async function payOut(publisher: Client): Promise<Answer> {
  await confirm(publisher);
  return await publisher.post('/api/payouts', {});
}

/** Repeats the password, because tests let days pass, and what moves money needs a session confirmed lately. */
export async function confirm(person: Client): Promise<void> {
  expect((await person.post('/api/user/reauthenticate', { password: PASSWORD })).status).toBe(200);
}

/** The provider's id of the payment of an ad. */
export async function intentOf({ ctx }: TestServer, { id }: Ad): Promise<string> {
  const payment = ctx.db.selectFrom('payments').select('intentId').where('adId', '=', id);
  return (await payment.executeTakeFirstOrThrow()).intentId as string;
}

export async function transfersOf({ ctx }: TestServer, publisher: Client) {
  return await ctx.db
    .selectFrom('payoutTransfers as t')
    .innerJoin('payouts as p', 'p.id', 't.payoutId')
    .selectAll('t')
    .where('p.userId', '=', publisher.user.id)
    .orderBy('t.id')
    .execute();
}

/** Expects that the books hold and agree with the provider. */
export async function expectSound({ ctx }: TestServer): Promise<void> {
  expect((await checkMoney(ctx)).differences).toEqual([]);
  expect((await reconcile(ctx)).differences).toEqual([]);
}

/** A publisher who can be paid 170.00. */
export async function makePayable(
  server: TestServer,
  buyer: Client,
): Promise<{ seller: Client; ad: Ad; accountId: string }> {
  const seller = await server.signIn('seller');
  const accountId = await onboard(server.ctx, seller.user.id);
  const ad = await makeEarned(server, seller, buyer, { price: '200.00' });
  await waitDays(server, 31);
  return { seller, ad, accountId };
}

/** The same publisher, with 170.00 on the way to their bank. */
export async function makePaid(server: TestServer, buyer: Client): ReturnType<typeof makePayable> {
  const payable = await makePayable(server, buyer);
  expect((await payOut(payable.seller)).status).toBe(201);
  await runPayouts(server.ctx);
  return payable;
}
