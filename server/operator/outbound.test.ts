/** Where operators see that everything outgoing waits after a restore, and how they release it in the console. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const METRICS_TOKEN = 'token-of-the-scrape';

let operator: TestOperator;
const server = useOwnServer({ env: { METRICS_TOKEN } });

beforeAll(async () => {
  operator = await makeOperator(server);
  await server.ctx.db.deleteFrom('messages').execute();
  await enqueue(server.ctx.db, 'forget-customer', { customerId: 'cus_1' });
});

/** What stands above every page of the console. Null: nothing about a wait. */
const notice = async () => (await operator.client.get('/api/operator/notices')).body.outbound;
const page = async () => (await operator.client.get('/api/operator/outbound')).body;
const heldIn = async (path: string) => (await server.anyone().get(path)).body as { held: boolean };
const metric = async () => {
  const { text } = await server.anyone().get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
  return /^openslot_outbound_held (.+)$/m.exec(text)?.[1];
};
const doctor = async () => {
  const { databaseUrl: DATABASE_URL, ctx } = server;
  const { out } = await runOpenslot(['doctor'], { DATABASE_URL, DATA_DIR: ctx.config.dataDir });
  return out.split('\n').filter((line) => line.includes(' outbound '));
};
const release = async (reason: string) =>
  await sendAct(operator.client, '/operator/outbound/release', { reason });

it('shows nothing about a wait while there is none', async () => {
  for (const path of ['/api/health', '/api/health/ready'])
    expect(await heldIn(path)).toMatchObject({ held: false });
  expect([await metric(), await doctor()]).toEqual(['0', []]);
  expect(await notice()).toBeNull();
  expect(await page()).toEqual({ since: null, mails: 0, refunds: 0, payouts: 0, provider: 1, acts: [] });
});

describe('while everything outgoing waits', () => {
  beforeAll(async () => {
    await server.owner
      .updateTable('outbound')
      .set({ heldSince: sql<Date>`now()` })
      .execute();
  });

  it('shows it in the health (`held`), the metrics and the doctor, and above every page of the console', async () => {
    for (const path of ['/api/health', '/api/health/ready']) {
      const { status, body } = await server.anyone().get(path);
      expect([status, body]).toMatchObject([200, { status: 'ok', reasons: [], held: true }]);
    }
    expect(await metric()).toBe('1');
    expect(await doctor()).toEqual([
      expect.stringMatching(
        /^warn +outbound +Everything outgoing has waited since 20\S+Z, .* Waiting: 0 mails, 0 refunds, 0 payouts, 1 other call to the card provider\./,
      ),
    ]);
    expect(await notice()).toBe('0 mails, 0 refunds, 0 payouts, 1 other call to the card provider');
    expect(await page()).toMatchObject({
      since: expect.any(String),
      provider: 1,
      acts: [{ button: 'Release', isHarmful: true, reason: 'required' }],
    });
  });

  // Proves OPS-54
  it('refuses acts of the console that would call the provider', async () => {
    await confirmOperator(server, operator);
    const run = await sendAct(operator.client, '/operator/money/run', { reason: 'x' });
    expect([run.status, run.body.message]).toEqual([
      409,
      expect.stringContaining('openslot outbound release'),
    ]);
    expect(
      await server.ctx.db.selectFrom('operatorActs').select('act').where('act', '=', 'retry-job').execute(),
    ).toEqual([]);
  });

  // Proves OPS-54
  it('is released in the console by a confirmed operator with a reason, once', async () => {
    server.clock.advance(16 * 60 * 1000);
    const asked = await release('The original is gone');
    expect([asked.status, asked.body.code]).toEqual([403, REAUTHENTICATE]);
    await confirmOperator(server, operator);
    expect((await release(' ')).status).toBe(400);
    expect(await heldIn('/api/health')).toMatchObject({ held: true });
    const released = await release('The original is gone');
    expect([released.status, released.body.said]).toEqual([
      200,
      'Released. Leaves within a minute: 0 mails, 0 refunds, 0 payouts, 1 other call to the card provider.',
    ]);
    expect(await heldIn('/api/health')).toMatchObject({ held: false });
    const acts = server.ctx.db.selectFrom('operatorActs').select(['operatorId', 'reason']);
    expect(await acts.where('act', '=', 'release-outbound').execute()).toEqual([
      { operatorId: operator.client.user.id, reason: 'The original is gone' },
    ]);
    expect(await notice()).toBeNull();
    const again = await release('x');
    expect([again.status, again.body.message]).toEqual([409, 'Nothing has to wait.']);
  });
});
