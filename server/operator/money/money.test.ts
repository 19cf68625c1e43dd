/** The operator's work with money, on the command line and in the console. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS } from '#domain/time.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import { outOfReach, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import {
  confirmOperator,
  makeOperator,
  reopenConsole,
  sendAct,
  type TestOperator,
} from '#server/testing/operator.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { type Outcome, UsageError } from '../acts/command.ts';
import { commandOf } from '../command-line/commands.ts';

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };

const server = useOwnServer();
let operator: TestOperator;
let desk: Client;
beforeAll(async () => {
  operator = await makeOperator(server);
  desk = operator.client;
});

async function openslot(
  line: string,
  options: { reason?: string; amount?: string; dryRun?: boolean } = {},
): Promise<Outcome> {
  const { command, args } = commandOf(line.split(' '));
  const { dryRun = false } = options;
  return await command.run({
    ctx: server.ctx,
    operator: { id: null, dryRun },
    args,
    options: { ...options, dryRun },
  });
}

async function sell(): Promise<Ad> {
  const { ad } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'), {
    product: VIEWS,
  });
  return ad;
}

const statusOf = async (ad: Ad) =>
  await server.ctx.db
    .selectFrom('ads')
    .select(['status', 'endedReason'])
    .where('id', '=', ad.id)
    .executeTakeFirstOrThrow();
const acts = async () =>
  await server.ctx.db.selectFrom('operatorActs').select(['act', 'subject', 'reason']).orderBy('id').execute();
type Rows = { id: string; ad: string; intent: string; amount: string; currency: string; since: string }[];
const owed = async () => ((await openslot('money list')).json as { refundsOwed: Rows }).refundsOwed;

// Proves BOOK-03, LEDG-05
it('checks the books: they hold, and damage is named with exit code 1', async () => {
  await sell();
  const sound = await openslot('money check');
  expect(sound).toMatchObject({
    json: { holds: true, differences: [], suspense: [] },
    lines: ['The books hold.'],
    refused: false,
  });
  await sql`alter table ledger_postings disable trigger user`.execute(server.owner);
  try {
    const change = (cents: number) =>
      sql`update ledger_postings set amount_cents = amount_cents + ${cents}
        where (tx_id, account_id) = (select tx_id, account_id from ledger_postings order by 1, 2 limit 1)`.execute(
        server.owner,
      );
    await change(100);
    const broken = await openslot('money check');
    expect(broken.refused).toBe(true);
    expect(broken.json).toMatchObject({
      holds: false,
      differences: expect.arrayContaining([
        {
          kind: 'unbalanced_entry',
          ref: expect.any(String),
          amount: '1.00',
          currency: 'USD',
          since: expect.any(String),
        },
      ]),
    });
    await change(-100);
  } finally {
    await sql`alter table ledger_postings enable trigger user`.execute(server.owner);
  }
  expect((await openslot('money check')).refused).toBe(false);
});

describe('an operator’s refund', () => {
  // Proves REFU-06
  it('gives back a part, then the rest, and refuses more than what is left', async () => {
    const ad = await sell();
    const reason = 'Wrong audience';
    const dry = await openslot(`money refund ${ad.publicId}`, { reason, amount: '10.00', dryRun: true });
    expect(dry.lines[0]).toContain('Dry run, nothing was changed: Refunding $10.00');
    expect(await owed()).toEqual([]);
    const part = await openslot(`money refund ${ad.publicId}`, { reason, amount: '10.00' });
    expect(part.json).toMatchObject({ ad: ad.id, amount: '10.00', currency: 'USD', isEnded: false });
    expect(await statusOf(ad)).toEqual({ status: 'active', endedReason: null });
    await expect(openslot(`money refund ${ad.publicId}`, { reason, amount: '90.01' })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Only 90.00 USD is left'),
    });
    expect((await owed()).map(({ ad: of, amount }) => [of, amount])).toEqual([[ad.publicId, '10.00']]);
    const rest = await openslot(`money refund ${ad.publicId}`, { reason });
    expect(rest.json).toMatchObject({ amount: '90.00', isEnded: true });
    expect(await statusOf(ad)).toEqual({ status: 'completed', endedReason: 'operator' });
    expect((await acts()).filter(({ act }) => act === 'refund')).toEqual([
      { act: 'refund', subject: 'ad', reason: `10.00 USD. ${reason}` },
      { act: 'refund', subject: 'ad', reason: `90.00 USD. ${reason}` },
    ]);
    await openslot('money run');
    expect(await owed()).toEqual([]);
  });

  // Proves REFU-06
  it('is made in the console after a fresh code', async () => {
    const ad = await sell();
    const path = `/operator/ads/${ad.id}`;
    const form = { reason: 'Asked by mail', amount: '5.00' };
    server.clock.advance(DAY_MS);
    await reopenConsole(server, operator);
    expect((await sendAct(desk, `${path}/refund`, form)).body).toMatchObject({ code: REAUTHENTICATE });
    await confirmOperator(server, operator);
    expect((await sendAct(desk, `${path}/refund`, { ...form, amount: 'five' })).status).toBe(400);
    expect((await sendAct(desk, `${path}/refund`, { ...form, amount: '500.00' })).status).toBe(409);
    // A form that is sent twice at once refunds once.
    const ref = randomUUID();
    const twice = () => sendAct(desk, `${path}/refund`, { ...form, ref });
    const answers = await Promise.all([twice(), twice()]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const [refund, ...others] = await owed();
    expect(others).toEqual([]);
    expect(refund).toMatchObject({ ad: ad.publicId, amount: '5.00' });
    const retry = `/operator/refunds/${refund?.id}/retry`;
    expect((await desk.get('/api/operator/money')).body.refundsOwed).toMatchObject([
      {
        id: refund?.id,
        ad: { id: ad.id, title: ad.title },
        amount: '5.00',
        currency: 'USD',
        acts: [{ path: `/api${retry}` }, {}],
      },
    ]);
    expect((await sendAct(desk, retry, { reason: 'Now' })).body.said).toBe(`Refund ${refund?.id} is done.`);
    expect(await owed()).toEqual([]);
    expect((await sendAct(desk, retry, { reason: 'Again' })).status).toBe(409);
    const run = await sendAct(desk, '/operator/money/run', { reason: 'Month end' });
    expect([run.status, run.body.said]).toEqual([200, 'The money jobs have run.']);
    expect((await desk.get('/api/operator/money')).body).toMatchObject({
      disagree: null,
      provider: { differences: [] },
      acts: [{ path: '/api/operator/money/run' }],
    });
  });

  // Proves REFU-06, BOOK-01
  it('that the provider refuses is listed, and sent again under a new key', async () => {
    const ad = await sell();
    const keys: string[] = [];
    const refuse = () => ({
      refund: async (_refund: unknown, key: string) => {
        keys.push(key);
        throw new ProviderError('invalid', 'Refused', { code: 'charge_disputed' });
      },
    });
    await withProvider(server.ctx, refuse, async () => {
      await openslot(`money refund ${ad.publicId}`, { reason: 'Late' });
      await openslot('money run');
      const [refund] = await owed();
      expect(refund).toMatchObject({ ad: ad.publicId, amount: '100.00', problem: 'charge_disputed' });
      await openslot(`money retry ${refund?.id}`, { reason: 'The bank was called' });
    });
    expect(new Set(keys).size).toBe(2);
    const [refund] = await owed();
    const sent = await openslot(`money retry ${refund?.id}`, { reason: 'The dispute is closed' });
    expect(sent.json).toMatchObject({ id: refund?.id, status: 'done' });
    await expect(openslot(`money retry ${refund?.id}`, { reason: 'x' })).rejects.toMatchObject({
      status: 409,
    });
    expect((await acts()).filter(({ act }) => act === 'retry-refund')).toHaveLength(3);
  });
});

it('does all money work that is due in one run', async () => {
  const { db } = server.ctx;
  const paid = await sell();
  const { ad: daily } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
    select h, ${daily.id}, ad_zone_id, 'view', '', 1
      from ads, generate_series(date_trunc('hour', ${server.clock.now()}::timestamptz), ${new Date(server.clock.now().getTime() + 10 * DAY_MS)}, '1 hour') h
      where ads.id = ${daily.id}`.execute(db);
  server.clock.advance(95 * DAY_MS);
  // The tags of both zones still request ads.
  await db.updateTable('adZones').set({ tagSeenAt: server.clock.now() }).execute();
  const run = await openslot('money run');
  expect(run).toMatchObject({ refused: false, json: { holds: true, differences: [], unknown: [] } });
  expect(await statusOf(paid)).toEqual({ status: 'completed', endedReason: 'quota_unfinished' });
  expect(await statusOf(daily)).toEqual({ status: 'completed', endedReason: 'delivered' });
  expect(await owed()).toEqual([]);
  expect((await openslot('money check')).json).toMatchObject({ holds: true });
});

// Proves BOOK-03, REFU-06
it('refuses wrong usage, and says when the provider is away', async () => {
  for (const line of ['money', 'money refund', 'money refund 1', 'money retry', 'money retry 7']) {
    const run = async () => await openslot(line);
    expect([line, await run().catch((error: unknown) => error instanceof UsageError)]).toEqual([line, true]);
  }
  await expect(openslot('money refund 1', { reason: 'x', amount: 'one' })).rejects.toThrow(UsageError);
  await expect(openslot('money run', { dryRun: true })).rejects.toThrow(UsageError);
  const away = {
    async *balanceTransactionsSince() {
      yield await outOfReach();
    },
  };
  await withProvider(
    server.ctx,
    () => away,
    async () => {
      await expect(openslot('money reconcile')).rejects.toThrow('socket hang up');
      expect((await openslot('money check')).refused).toBe(false);
    },
  );
  const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.ctx.config.dataDir };
  const check = await runOpenslot(['money', 'check', '--json'], settings);
  expect([check.code, JSON.parse(check.out)]).toEqual([
    0,
    { holds: true, differences: [], suspense: [], since: null, postings: expect.any(Number) },
  ]);
  const wrong = await runOpenslot(['money', 'refund', '1'], settings);
  expect([wrong.code, wrong.out]).toEqual([2, '']);
});
