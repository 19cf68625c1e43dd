/** Alarms: what an operator is mailed once a day, and reads in `openslot doctor` and above the pages of the console. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { OperatorMailKind } from '#domain/notifications/notices.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, utcDay } from '#domain/time.ts';
import { tellAlarms } from '#server/money/books/alarms.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import { answerDueDisputes } from '#server/money/disputes/evidence.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailToOperator } from '#server/testing/mail/mail.ts';
import { intentOf, makePayable, payOut } from '#server/testing/money/payout-market.ts';
import { waitDays } from '#server/testing/money/payouts.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { diagnose } from './command-line/doctor.ts';

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };

const server = useOwnServer();
/** Another server of the same installation. */
const second = useOwnServer({ through: async () => await Promise.resolve(server.databaseUrl) });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});

/** Runs the job of a minute, on both servers at once. */
async function tell(): Promise<void> {
  second.clock.set(server.clock.now());
  const { ctx } = second;
  await Promise.all([server.ctx, ctx, server.ctx, ctx].map(async (each) => await tellAlarms(each)));
}

/** The next day at eight, so that some hours later it is still the same day. */
function nextMorning(): void {
  server.clock.set(new Date(`${utcDay(later(server.clock.now(), DAY_MS))}T08:00:00Z`));
}

/** The mails of a kind that name this. */
const mailed = async (kind: OperatorMailKind, word: string): Promise<string[]> =>
  (await mailToOperator(server.ctx, kind)).map(({ text }) => text).filter((text) => text.includes(word));

/** The lines of `openslot doctor` about alarms. */
async function doctor(): Promise<string[]> {
  const { databaseUrl: DATABASE_URL, ctx, clock } = server;
  const settings = { DATABASE_URL, DATA_DIR: ctx.config.dataDir, PORT: String(ctx.config.port) };
  const findings = await diagnose(settings, clock.now);
  return findings.flatMap(({ check, state, text }) => (check === 'alarm' ? [`${state}: ${text}`] : []));
}

async function disputed(): Promise<{ ad: Ad; intentId: string; id: string; dueAt: Date }> {
  const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
  await countAt(server.ctx, ad, server.clock.now().toISOString(), 500, 0);
  server.clock.advance(HOUR_MS / 2);
  await runMoneyWork(server.ctx);
  const intentId = await intentOf(server, ad);
  const id = await sandboxOf(server).play.dispute(intentId, 'dispute');
  await runMoneyWork(server.ctx);
  const { dueAt } = await server.ctx.db
    .selectFrom('disputes')
    .select('dueAt')
    .where('disputeId', '=', id)
    .executeTakeFirstOrThrow();
  return { ad, intentId, id, dueAt: dueAt as Date };
}

// Proves OWNS-30
it('mails uncovered money once a day for as long as it lasts, whatever the number of servers', async () => {
  nextMorning();
  expect(await doctor()).toEqual([]);
  const { intentId } = await disputed();
  const sentence = 'The marketplace owes $3.20 more than it holds.';
  const mails = async () => (await mailed('money-uncovered', sentence)).length;
  await tell();
  expect(await mails()).toBe(1);
  expect(await doctor()).toEqual([
    expect.stringContaining(`fail: Publishers’ money is not covered. ${sentence}`),
  ]);
  server.clock.advance(10 * HOUR_MS);
  await tell();
  expect(await mails()).toBe(1);
  nextMorning();
  await tellAlarms(server.ctx);
  expect(await mails()).toBe(2);

  await sandboxOf(server).play.closeDispute(intentId, 'won');
  await runMoneyWork(server.ctx);
  nextMorning();
  await tell();
  expect(await mails()).toBe(2);
  expect(await doctor()).toEqual([]);
});

// Proves OWNS-30
it('reads the sum of the uncovered money again after ten minutes, or with the work about money', async () => {
  const measured = async () => {
    await tellAlarms(server.ctx);
    return await server.ctx.db.selectFrom('uncoveredMoney').select('measuredAt').executeTakeFirstOrThrow();
  };
  const first = await measured();
  server.clock.advance(9 * MINUTE_MS);
  expect(await measured()).toEqual(first);
  server.clock.advance(2 * MINUTE_MS);
  const next = await measured();
  expect(next.measuredAt > first.measuredAt).toBe(true);
  server.clock.advance(MINUTE_MS);
  await runMoneyWork(server.ctx);
  expect((await measured()).measuredAt > next.measuredAt).toBe(true);
});

// Proves OWNS-30
it('mails a dispute from three days before its deadline until the bank has an answer', async () => {
  nextMorning();
  const { id, intentId, dueAt } = await disputed();
  const mails = async () => await mailed('dispute-due', id);
  server.clock.set(later(dueAt, -3 * DAY_MS - HOUR_MS));
  await tell();
  expect(await mails()).toEqual([]);
  server.clock.advance(2 * HOUR_MS);
  await tell();
  expect(await mails()).toEqual([
    expect.stringMatching(/has to be answered by .*\s*Look at the evidence, and send it/),
  ]);
  expect((await mails())[0]).toContain(`/operator/evidence/${id}`);
  server.clock.set(later(dueAt, HOUR_MS));
  await tell();
  expect((await mails())[1]).toContain('and was not.');
  expect((await doctor()).filter((line) => line.includes(id))).toHaveLength(1);

  await answerDueDisputes(server.ctx);
  nextMorning();
  await tell();
  expect(await mails()).toHaveLength(2);
  expect((await doctor()).filter((line) => line.includes(id))).toEqual([]);

  // Stripe also reports appeals that wait for us. The sandbox does not.
  await sandboxOf(server).play.closeDispute(intentId, 'lost');
  await sandboxOf(server).play.appeal(intentId);
  await checkPayments(server.ctx);
  const appealed = { status: 'appeal_needs_response', dueAt: later(server.clock.now(), DAY_MS) };
  await server.ctx.db.updateTable('disputes').set(appealed).where('disputeId', '=', id).execute();
  nextMorning();
  await tell();
  expect((await mails())[2]).toContain('Nothing is sent automatically for an appeal.');
  await sandboxOf(server).play.closeDispute(intentId, 'won');
  await checkPayments(server.ctx);
  expect((await doctor()).filter((line) => line.includes(id))).toEqual([]);
});

describe('a failed payout', () => {
  // Proves OWNS-30
  it('that the provider refused is mailed each day until a later one is on its way', async () => {
    nextMorning();
    const { seller: publisher, accountId } = await makePayable(server, buyer);
    const { play } = sandboxOf(server);
    const who = `to the publisher with the number ${publisher.user.id} failed`;
    const mails = async () => (await mailed('payout-failed', who)).length;
    expect((await payOut(publisher)).status).toBe(201);
    await play.reviewPayee(accountId, false);
    nextMorning();
    await runPayouts(server.ctx);
    await tell();
    expect(await mails()).toBe(1);
    expect((await doctor()).filter((line) => line.includes(who))).toEqual([
      expect.stringMatching(
        /^fail: A payout failed\. The payout \d+ of \$170\.00 .*complete what is missing/,
      ),
    ]);
    nextMorning();
    await tell();
    expect(await mails()).toBe(2);

    await play.reviewPayee(accountId, true);
    expect((await payOut(publisher)).status).toBe(201);
    await runPayouts(server.ctx);
    nextMorning();
    await tell();
    expect(await mails()).toBe(2);
    expect((await doctor()).filter((line) => line.includes(who))).toEqual([]);
  });

  // Proves OWNS-30
  it('that the bank sent back is mailed until it is paid out with the next one, for 30 days at most', async () => {
    nextMorning();
    const paid = [await makePayable(server, buyer), await makePayable(server, buyer)];
    const mails = async () =>
      await Promise.all(
        paid.map(async ({ seller: { user } }) => {
          const each = await mailed('payout-failed', `to the publisher with the number ${user.id} failed`);
          return each.length;
        }),
      );
    for (const { seller: publisher } of paid) expect((await payOut(publisher)).status).toBe(201);
    await runPayouts(server.ctx);
    await waitDays(server, 2);
    for (const { accountId } of paid) await sandboxOf(server).play.failLastPayout(accountId);
    await checkPayments(server.ctx);
    expect(await mails()).toEqual([1, 1]);
    nextMorning();
    await tell();
    expect(await mails()).toEqual([2, 2]);
    server.clock.advance(30 * DAY_MS);
    await tell();
    expect(await mails()).toEqual([2, 2]);
  });
});

// Proves OWNS-30
it('tells a difference to the card provider by mail, above the pages of the console, and by exit 1 of the doctor', async () => {
  nextMorning();
  const sentence = 'The last comparison of the ledger with the card provider found a difference';
  const desk = (await makeOperator(server)).client;
  const alarms = async () => (await desk.get('/api/operator/notices')).body.alarms;
  expect(await alarms()).toEqual([]);
  const since = server.clock.now();
  const row = {
    book: 'sandbox',
    kind: 'not_in_ledger',
    ref: 'txn_1',
    amountCents: 100,
    currency: 'USD',
    since,
  } as const;
  await server.ctx.db.insertInto('differences').values(row).execute();
  await tell();
  expect(await mailed('books-differ', sentence)).toHaveLength(1);
  expect(await alarms()).toEqual([
    {
      title: expect.any(String),
      text: expect.stringContaining(sentence),
      label: 'Open the money page',
      path: '/operator/money',
    },
  ]);
  const { code, out } = await runOpenslot(['doctor'], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
  });
  expect([code, out.split('\n').filter((line) => line.includes(sentence))]).toEqual([
    1,
    [expect.stringMatching(/^fail +alarm /)],
  ]);
  await server.ctx.db.deleteFrom('differences').execute();
  expect(await alarms()).toEqual([]);
  nextMorning();
  await tell();
  expect(await mailed('books-differ', sentence)).toHaveLength(1);
});
