/** Cancels that wait for an operator who does not decide: the reminder, the alarm, the end, and other ends meanwhile. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { EndedReason } from '#domain/ads/ended.ts';
import { CANCEL_WAITS_DAYS } from '#domain/payments/cancels.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { tellAlarms } from '#server/money/books/alarms.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import { checkLedger } from '#server/money/ledger/check.ts';
import { listKept } from '#server/money/ledger/kept.ts';
import { remindOfCancels } from '#server/money/refunds/cancelling/overdue.ts';
import type { Context } from '#server/platform/context.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import { intentOf } from '#server/testing/money/payout-market.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import { applyWaitingEvents, sandboxOf } from '#server/testing/money/sandbox.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { commandOf } from '../command-line/commands.ts';
import { diagnose } from '../command-line/doctor.ts';
import { suspend } from '../decisions/suspend.ts';
import { takeDownAd } from '../decisions/reports.ts';
import { carryOutOverdueCancels } from './overdue-cancels.ts';

const { reminder, alarm, release } = CANCEL_WAITS_DAYS;
const CLI = { id: null };

const server = useOwnServer({ start: new Date('2026-03-02T08:00:00Z'), env: { METRICS_TOKEN: 'token' } });
/** Another server of the same installation. */
const second = useOwnServer({ through: async () => await Promise.resolve(server.databaseUrl) });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  await command('settings', 'set', 'CANCEL_FEE', 'buyer');
  server.ctx.config.rateLimitFactor = 1000;
});

async function command(...words: string[]) {
  const { command: found, args } = commandOf(words);
  const options = { dryRun: false, reason: 'Checked' };
  return await found.run({ ctx: server.ctx, operator: CLI, args, options });
}

/** An ad of 2,000.00 of new people, whose cancel of 1,941.70 waits. The sandbox takes 2.9 % and 30 cents, 58.30. */
async function waiting(): Promise<Ad> {
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { ad } = await makeLiveAd(seller, buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '2000.00' },
  });
  const answer = await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount: '1941.70' });
  expect(answer.status).toBe(202);
  return ad;
}

/** Runs a job on both servers, twice on each, at once. Returns the sum of what it did. */
async function onAll(job: (ctx: Context) => Promise<number>): Promise<number> {
  second.clock.set(server.clock.now());
  const done = await Promise.all([server.ctx, second.ctx, server.ctx, second.ctx].map(job));
  return done.reduce((sum, each) => sum + each, 0);
}

const read = async (ad: Ad) =>
  await server.ctx.db
    .selectFrom('ads')
    .select(['status', 'endedReason', 'cancelAskedAt'])
    .where('id', '=', ad.id)
    .executeTakeFirstOrThrow();
async function cancelOf(ad: Ad) {
  const { state, keptPublisherCents, keptCommissionCents } = await server.ctx.db
    .selectFrom('cancels')
    .innerJoin('payments', 'payments.id', 'cancels.paymentId')
    .select(['state', 'keptPublisherCents', 'keptCommissionCents'])
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  return `${state}, kept ${keptPublisherCents + keptCommissionCents}`;
}
const refundsOf = async (ad: Ad) =>
  (
    await server.ctx.db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.paymentId')
      .select(['refunds.amountCents', 'refunds.cause'])
      .where('adId', '=', ad.id)
      .orderBy('refunds.id')
      .execute()
  ).map(({ amountCents, cause }) => `${amountCents} ${cause}`);
/** The fees that were kept of an ad's payment, with the refund to which each belongs. */
async function keptOf(ad: Ad) {
  const refunds = await server.ctx.db
    .selectFrom('payments')
    .leftJoin('refunds', 'refunds.paymentId', 'payments.id')
    .select(['payments.id as paymentId', 'refunds.id', 'refunds.amountCents'])
    .where('adId', '=', ad.id)
    .execute();
  const kept = await listKept(
    server.ctx.db,
    refunds.map(({ paymentId }) => paymentId),
  );
  return kept.map(({ keptCents, refundId }) => ({
    keptCents,
    amountCents: refunds.find(({ id }) => id === refundId)?.amountCents,
  }));
}
const actsOn = async (ad: Ad) =>
  (
    await server.ctx.db
      .selectFrom('operatorActs')
      .select('act')
      .where('subject', '=', 'ad')
      .where('subjectId', '=', ad.id)
      .orderBy('id')
      .execute()
  ).map(({ act }) => act);
const mailsAbout = async (ad: Ad) =>
  (await mailToOperator(server.ctx, 'cancel-waiting')).filter(({ text }) =>
    text.includes(`release-cancel ${ad.id} `),
  );
async function doctor(check: string): Promise<string[]> {
  const { databaseUrl: DATABASE_URL, ctx, clock } = server;
  const settings = { DATABASE_URL, DATA_DIR: ctx.config.dataDir, PORT: String(ctx.config.port) };
  const findings = await diagnose(settings, clock.now);
  return findings.flatMap((each) => (each.check === check ? [`${each.state}: ${each.text}`] : []));
}
async function lateMetric(): Promise<string | undefined> {
  const { text } = await server.anyone().get('/metrics', { authorization: 'Bearer token' });
  return /^openslot_cancels_late (\d+)$/m.exec(text)?.[1];
}
async function requireSound(): Promise<void> {
  await runMoneyWork(server.ctx);
  await requireBalance(server.ctx);
  expect(await checkLedger(server.ctx.db)).toEqual([]);
}

// Proves REFU-200
it('reminds the operator once, then is an alarm each day, and then is carried out with the fee that was agreed', async () => {
  expect(await doctor('cancels')).toEqual(['ok: No cancel waits for you.']);
  const ad = await waiting();
  expect(await mailsAbout(ad)).toHaveLength(1);
  server.clock.advance(reminder * DAY_MS - HOUR_MS);
  expect(await onAll(remindOfCancels)).toBe(0);
  expect(await doctor('cancels')).toEqual([
    expect.stringMatching(/^ok: 1 cancel waits for you\. .*47 hours/),
  ]);
  server.clock.advance(HOUR_MS);
  expect(await onAll(remindOfCancels)).toBe(1);
  expect(await onAll(remindOfCancels)).toBe(0);
  const [, reminded, ...others] = await mailsAbout(ad);
  expect(others).toEqual([]);
  expect(reminded?.text).toMatch(/has waited for 2 days.*its advertiser gets \$1,941\.70 back/s);
  expect(reminded?.text).toContain('Mar 16, 2026');
  expect(await doctor('cancels')).toEqual([expect.stringMatching(/^warn: .*has waited for 2 days/)]);
  const { client: operator } = await makeOperator(server);
  expect((await operator.get('/api/operator/money')).body).toMatchObject({
    cancelDays: 14,
    cancels: [
      {
        ad: { id: ad.id },
        waited: '2 days',
        acts: [
          { path: `/api/operator/cancels/${ad.id}/release`, confirm: 'Refund $1,941.70' },
          { path: `/api/operator/cancels/${ad.id}/refuse` },
        ],
      },
    ],
  });
  expect((await command('money', 'list')).lines.join('\n')).toContain('for 2 days');

  server.clock.advance((alarm - reminder) * DAY_MS - HOUR_MS);
  await tellAlarms(server.ctx);
  expect(await mailsAbout(ad)).toHaveLength(2);
  expect([await doctor('alarm'), await lateMetric()]).toEqual([[], '0']);
  server.clock.advance(HOUR_MS);
  await onAll(async (ctx) => {
    await tellAlarms(ctx);
    return 0;
  });
  expect(await mailsAbout(ad)).toHaveLength(3);
  expect(await doctor('alarm')).toEqual([expect.stringMatching(/^fail: A cancel waits .*for 7 days/)]);
  expect(await lateMetric()).toBe('1');
  server.clock.advance(DAY_MS);
  await tellAlarms(server.ctx);
  expect(await mailsAbout(ad)).toHaveLength(4);

  server.clock.advance((release - alarm - 1) * DAY_MS - HOUR_MS);
  expect(await onAll(carryOutOverdueCancels)).toBe(0);
  expect(await read(ad)).toMatchObject({ status: 'active' });
  server.clock.advance(HOUR_MS);
  expect(await onAll(carryOutOverdueCancels)).toBe(1);
  expect(await read(ad)).toEqual({ status: 'completed', endedReason: 'canceled', cancelAskedAt: null });
  expect([await cancelOf(ad), await refundsOf(ad)]).toEqual(['done, kept 5830', ['194170 canceled']]);
  const ended = (await mailTo(server.ctx, buyer.user.email)).filter(({ kind }) => kind === 'ad-ended');
  expect(ended).toHaveLength(1);
  expect(ended[0]?.text).toContain('The marketplace’s check of your cancel is done.');
  expect(ended[0]?.text).toMatch(/\$1,941\.70 for the undelivered part.*fee of \$58\.30/s);
  expect(await actsOn(ad)).toEqual(['carry-out-cancel']);
  expect((await command('money', 'audit')).lines[0]).toMatch(
    /the server {2}Carried out the cancel of the ad .*: No operator decided within 14 days\.$/,
  );
  await tellAlarms(server.ctx);
  expect(await mailsAbout(ad)).toHaveLength(4);
  expect([await doctor('alarm'), await lateMetric()]).toEqual([[], '0']);
  await requireSound();
});

describe('at the end of the wait', () => {
  // Proves REFU-200
  it.each(['refuse-cancel', 'release-cancel'])(
    'an operator’s %s of the same moment and the jobs of two servers decide once',
    async (words) => {
      for (let round = 0; round < 4; round++) {
        const ad = await waiting();
        server.clock.advance(release * DAY_MS);
        const operator = async () =>
          await command('money', words, ad.publicId).then(
            () => true,
            (error: Error) => {
              expect(error.message).toContain('No cancel of this ad waits');
              return false;
            },
          );
        const [byServers, byOperator] = await Promise.all([onAll(carryOutOverdueCancels), operator()]);
        expect(byServers).toBe(byOperator ? 0 : 1);
        expect(await actsOn(ad)).toEqual([byOperator ? words : 'carry-out-cancel']);
        const isRefused = byOperator && words === 'refuse-cancel';
        expect(await read(ad)).toMatchObject({
          status: isRefused ? 'active' : 'completed',
          cancelAskedAt: null,
        });
        expect(await cancelOf(ad)).toBe(isRefused ? 'refused, kept 0' : 'done, kept 5830');
        expect(await refundsOf(ad)).toEqual(isRefused ? [] : ['194170 canceled']);
        if (isRefused) await takeDownAd(server.ctx, CLI, { id: ad.id, reason: 'Ends the test' });
      }
      await requireSound();
    },
  );

  // Proves REFU-200
  it('a campaign that was delivered meanwhile has nothing to refund, and its cancel is closed', async () => {
    const ad = await waiting();
    await countAt(server.ctx, ad, server.clock.now().toISOString(), 1000);
    expect(await read(ad)).toMatchObject({ status: 'completed', endedReason: 'delivered' });
    server.clock.advance(release * DAY_MS);
    expect(await onAll(carryOutOverdueCancels)).toBe(0);
    expect([await cancelOf(ad), await refundsOf(ad), await actsOn(ad)]).toEqual(['done, kept 0', [], []]);
    expect(await read(ad)).toMatchObject({ cancelAskedAt: null });
    await requireSound();
  });
});

const ENDS: [EndedReason, (ad: Ad) => Promise<unknown>][] = [
  [
    'quota_unfinished',
    // The servers were off until the campaign was overdue.
    async () => {
      server.clock.advance(91 * DAY_MS);
      await runMoneyWork(server.ctx);
    },
  ],
  ['taken_down', async (ad: Ad) => await takeDownAd(server.ctx, CLI, { id: ad.id, reason: 'Forbidden' })],
  [
    'publisher_suspended',
    async () => await suspend(server.ctx, CLI, { subject: 'person', id: seller.user.id, reason: 'Fraud' }),
  ],
];

describe('a campaign that ends for another reason while its cancel waits', () => {
  // Proves REFU-201
  it.each(ENDS)('keeps the fee that was agreed: %s', async (endedReason, end) => {
    const ad = await waiting();
    server.clock.advance(HOUR_MS);
    await end(ad);
    expect(await read(ad)).toEqual({ status: 'completed', endedReason, cancelAskedAt: null });
    expect([await cancelOf(ad), await refundsOf(ad)]).toEqual(['done, kept 5830', ['194170 canceled']]);
    await requireSound();
    const kind = endedReason === 'taken_down' ? 'ad-taken-down' : 'ad-ended';
    const mails = (await mailTo(server.ctx, buyer.user.email)).filter((mail) => mail.kind === kind);
    expect(mails.map(({ text }) => text)).toEqual([
      expect.stringMatching(/\$1,941\.70 for the undelivered part.*fee of \$58\.30/s),
    ]);
    // The fee stands beside the refund in the credit note, the statement and the list of payments.
    expect(await keptOf(ad)).toEqual([{ keptCents: 5830, amountCents: 194_170 }]);
    server.clock.advance(release * DAY_MS);
    expect(await onAll(carryOutOverdueCancels)).toBe(0);
    expect(await refundsOf(ad)).toHaveLength(1);
  });

  // Proves REFU-201
  it('is refunded in full where the operator does it by hand, or the payment is reported as fraudulent', async () => {
    const [byHand, reported] = [await waiting(), await waiting()];
    await command('money', 'refund', byHand.publicId);
    await sandboxOf(server).play.warnOfFraud(await intentOf(server, reported));
    await applyWaitingEvents(server.ctx);
    expect([await cancelOf(byHand), await refundsOf(byHand)]).toEqual(['done, kept 0', ['200000 operator']]);
    expect([await cancelOf(reported), await refundsOf(reported)]).toEqual([
      'done, kept 0',
      ['200000 fraud_warning'],
    ]);
    await requireSound();
  });

  // Proves REFU-201
  it('has no refund after a lost dispute, and its cancel is closed', async () => {
    const ad = await waiting();
    server.clock.advance(HOUR_MS);
    await runMoneyWork(server.ctx);
    const intentId = await intentOf(server, ad);
    await sandboxOf(server).play.dispute(intentId, 'dispute');
    await runMoneyWork(server.ctx);
    await sandboxOf(server).play.closeDispute(intentId, 'lost');
    await runMoneyWork(server.ctx);
    expect(await read(ad)).toMatchObject({ status: 'completed', cancelAskedAt: null });
    server.clock.advance(release * DAY_MS);
    expect(await onAll(carryOutOverdueCancels)).toBe(0);
    expect([await cancelOf(ad), await refundsOf(ad)]).toEqual(['done, kept 0', []]);
    await requireSound();
  });
});
