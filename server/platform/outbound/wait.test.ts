/** Work that waits after a restore, and its release, with a listening relay and a stand-in for Stripe. */
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { freePort } from '../database/embedded/process.ts';
import { MONEY_WORK, type MoneyStep } from '#server/money/books/run.ts';
import { type AdServerTest, SITE, startAdServerTest } from '#server/testing/delivery/delivery.ts';
import type { Client } from '#server/testing/client.ts';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { makePayable, payOut } from '#server/testing/money/payout-market.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { startRelay } from '#server/testing/mail/relay.ts';
import { PASSWORD, startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { startStripeServer } from '#server/testing/stripe/stripe-server.ts';
import type { Outbound } from './wait.ts';
import { OUTGOING } from './outgoing.ts';

// It plays the work of weeks, with commands in processes of their own.
vi.setConfig({ testTimeout: 300_000 });

const LONG = { timeout: 60_000, interval: 100 };
const steps: readonly MoneyStep[] = MONEY_WORK;
const TIMED_OUT = [...steps.filter(({ goesOut }) => goesOut).map(({ job }) => job), 'compare-with-provider'];
const TIMED_IN = steps.filter(({ goesOut }) => !goesOut).map(({ job }) => job);
const isOutgoing = (job: string) =>
  TIMED_OUT.includes(job) || Object.entries(OUTGOING).some(([name, what]) => name === job && what !== null);

const makeWait = async ({ owner }: TestServer) =>
  await owner
    .updateTable('outbound')
    .set({ heldSince: sql<Date>`now()` })
    .execute();

type QueuedJob = { name: string; attempts: number; isDue: boolean };
const jobsIn = async ({ ctx }: TestServer): Promise<QueuedJob[]> =>
  (
    await sql<QueuedJob>`
      select task_identifier as name, attempts, run_at <= now() as is_due from graphile_worker.jobs order by id`.execute(
      ctx.db,
    )
  ).rows;

/** Queues the timed work about money, and waits until no job is due but those that leave the installation. */
async function untilOnlyOutgoingWaits(server: TestServer): Promise<QueuedJob[]> {
  for (const job of [...TIMED_OUT, ...TIMED_IN])
    await sql`select graphile_worker.add_job(${job})`.execute(server.ctx.db);
  const outgoing = async () => (await jobsIn(server)).filter(({ name, isDue }) => isDue && !isOutgoing(name));
  await vi.waitUntil(async () => (await outgoing()).length === 0, LONG);
  return (await jobsIn(server)).filter(({ name }) => isOutgoing(name));
}

const cancel = async (advertiser: Client, ad: Ad) => {
  const { refundAmount } = (await advertiser.get(`/api/ads/${ad.publicId}/refund-quote`)).body as {
    refundAmount: string;
  };
  expect((await advertiser.post(`/api/ads/${ad.id}/cancel`, { refundAmount })).status).toBe(200);
};

const releases = async ({ ctx }: TestServer) =>
  await ctx.db
    .selectFrom('operatorActs')
    .select(['operatorId', 'act', 'reason'])
    .where('act', '=', 'release-outbound')
    .execute();

// Proves OPS-54
it('sells and counts in the sandbox, while mail, refunds and payouts wait for `outbound release`', async () => {
  const relay = await untilTestEnds(startRelay(await freePort()));
  const server: AdServerTest = await untilTestEnds(startAdServerTest({ SMTP_URL: relay.url }));
  const settings = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    SMTP_URL: relay.url,
  };
  const openslot = async (...words: string[]) => await runOpenslot([...words, '--json'], settings);
  const buyer = await server.signIn('buyer');
  const { seller } = await makePayable(server, buyer);
  const sold = await makeLiveAd(await server.signIn('seller'), buyer);
  // The earnings of a month made mails that the next full minute would remove as old.
  await server.ctx.db.updateTable('messages').set({ createdAt: server.ctx.now() }).execute();
  await makeWait(server);
  await server.app.startJobs();

  const { zone, ad } = await makeLiveAd(await server.signIn('seller'), buyer, { website: { url: SITE } });
  expect(ad.status).toBe('active');
  await server.app.refreshDelivery();
  const { view } = await server.decide(zone.publicId);
  server.clock.advance(2000);
  expect(await server.view(view)).toBe(204);
  expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({ totalImpressions: 1 });
  await cancel(buyer, sold.ad);
  expect((await payOut(seller)).status).toBe(201);
  const person = { email: 'new@example.test', password: PASSWORD, firstName: 'A', lastName: 'B' };
  await server.anyone().post('/api/auth/register', person);

  const waiting = await untilOnlyOutgoingWaits(server);
  expect(new Set(waiting.map(({ name }) => name))).toEqual(
    new Set([
      ...TIMED_OUT,
      'send-message',
      'send-refund',
      'send-payout',
      'apply-provider-event',
      'charge-consented',
    ]),
  );
  expect(waiting.filter(({ attempts }) => attempts > 0)).toEqual([]);
  expect(relay.taken).toEqual([]);
  const refunds = async () =>
    await server.ctx.db.selectFrom('refunds').select(['status', 'attempts']).execute();
  const transfers = async () =>
    await server.ctx.db.selectFrom('payoutTransfers').select(['state', 'attempts']).execute();
  expect([await refunds(), await transfers()]).toEqual([
    [{ status: 'owed', attempts: 0 }],
    [{ state: 'trying', attempts: 0 }],
  ]);
  for (const words of [
    ['jobs', 'run'],
    ['money', 'run'],
    ['money', 'reconcile'],
  ]) {
    const { code, out } = await openslot(...words);
    expect([words, code, out]).toEqual([words, 1, expect.stringContaining('openslot outbound release')]);
  }
  expect((await untilOnlyOutgoingWaits(server)).filter(({ attempts }) => attempts > 0)).toEqual([]);

  const mails = await server.ctx.db.selectFrom('messages').select('id').execute();
  const status = async () => JSON.parse((await openslot('outbound', 'status')).out) as Outbound;
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
  const known = { mail: mails.length, refunds: 1, payouts: 1, provider: expect.any(Number) as number };
  expect(await status()).toEqual({ held: true, since, waiting: known });
  // The sandbox goes on and makes more events meanwhile.
  const forProvider = waiting.filter(({ name }) => /^(?:apply-provider-event|charge-consented)$/.test(name));
  expect((await status()).waiting.provider).toBeGreaterThanOrEqual(forProvider.length);
  expect((await openslot('outbound', 'release')).code).toBe(2);
  expect((await openslot('outbound', 'release', '--reason', 'x', '--dry-run')).code).toBe(0);
  expect([await releases(server), (await status()).held]).toEqual([[], true]);

  const released = await openslot('outbound', 'release', '--reason', 'The original is gone');
  expect([released.code, JSON.parse(released.out)]).toMatchObject([0, { held: false, since: null }]);
  expect(await releases(server)).toEqual([
    { operatorId: null, act: 'release-outbound', reason: 'The original is gone' },
  ]);
  await vi.waitUntil(async () => !(await jobsIn(server)).some(({ isDue }) => isDue), LONG);
  expect([await refunds(), await transfers()]).toMatchObject([[{ status: 'done' }], [{ state: 'sent' }]]);
  const taken = relay.taken.map(({ raw }) => Number(/^Message-ID: <openslot-(\d+)@/m.exec(raw)?.[1]));
  expect(taken).toHaveLength(new Set(taken).size);
  expect(taken).toEqual(expect.arrayContaining(mails.map(({ id }) => id)));
  expect(await openslot('outbound', 'release', '--reason', 'x')).toMatchObject({
    code: 1,
    out: '{"error":"Nothing has to wait."}\n',
  });
});

// Proves OPS-54
it('makes no call to Stripe before the release, and each one once afterwards', async () => {
  const stripe = await untilTestEnds(startStripeServer());
  const server = await untilTestEnds(startTestServer({ env: stripe.env }));
  stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const ads = [await makeApprovedAd(seller, buyer), await makeApprovedAd(seller, buyer)] as const;
  const [paid, unpaid] = ads;
  const { clientSecret } = (await beginPayment(buyer, paid)).body as { clientSecret: string };
  const [paymentIntentId] = clientSecret.split('_secret_');
  stripe.pay(clientSecret, '4242424242424242');
  expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
  await stripe.delivered();
  await makeWait(server);
  stripe.requests.length = 0;
  await server.app.startJobs();
  const prepared = server.app.preparePayments();

  await cancel(buyer, paid);
  expect(await beginPayment(buyer, unpaid)).toMatchObject({
    status: 503,
    body: {
      message: 'Payments are paused for a short time. Nothing was charged. Please try again in a moment.',
    },
  });
  const portal = await buyer.get('/api/billing/portal');
  expect([portal.status, portal.text]).toEqual([503, expect.stringContaining('Payments are paused')]);
  stripe.warnOfFraud(paymentIntentId!);
  await stripe.delivered();
  const events = async () =>
    await server.ctx.db.selectFrom('providerEvents').select(['type', 'doneAt']).execute();
  expect(await events()).toContainEqual({ type: 'radar.early_fraud_warning.created', doneAt: null });
  const waiting = await untilOnlyOutgoingWaits(server);
  expect(waiting.filter(({ attempts }) => attempts > 0)).toEqual([]);
  expect(stripe.requests).toEqual([]);

  await server.owner.updateTable('outbound').set({ heldSince: null }).execute();
  await prepared;
  await vi.waitUntil(async () => !(await jobsIn(server)).some(({ isDue }) => isDue), LONG);
  // Two jobs may send the same request, with the same key.
  const refunds = stripe.requests.filter(({ call }) => call === 'POST /v1/refunds');
  expect(new Set(refunds.map(({ key }) => key)).size).toBe(1);
  expect(stripe.requests.map(({ call }) => call)).toContain('GET /v1/webhook_endpoints');
  expect((await events()).filter(({ doneAt }) => doneAt === null)).toEqual([]);
  expect((await beginPayment(buyer, unpaid)).status).toBe(200);
});

// Proves OPS-54
it('stops while it waits for the release', async () => {
  const stripe = await untilTestEnds(startStripeServer());
  const server = await untilTestEnds(startTestServer({ env: stripe.env }));
  await makeWait(server);
  await server.app.startJobs();
  const prepared = server.app.preparePayments();
  await server.close();
  await prepared;
  expect(stripe.requests).toEqual([]);
});
