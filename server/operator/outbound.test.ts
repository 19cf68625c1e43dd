/** Where operators see that everything outgoing waits after a restore, and how they release it in the console. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { confirmOperator, makeOperator, sendForm, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const METRICS_TOKEN = 'token-of-the-scrape';
const BAR = 'Everything outgoing has waited since';

let operator: TestOperator;
const server = useOwnServer({ env: { METRICS_TOKEN } });

beforeAll(async () => {
  operator = await makeOperator(server);
  await server.ctx.db.deleteFrom('messages').execute();
  await enqueue(server.ctx.db, 'forget-customer', { customerId: 'cus_1' });
});

const pages = async (): Promise<string[]> => {
  const { paths } = (await server.anyone().get('/api/openapi.json')).body as {
    paths: Record<string, { get?: { 'x-access': string } }>;
  };
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get?.['x-access'] === 'operator' && !/[{]|\.csv$/.test(path) ? [path] : [],
  );
};
const textOf = async (path: string) => (await operator.client.get(path)).text;
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
  await sendForm(operator.client, '/operator/outbound/release', { reason });

it('shows nothing about a wait while there is none', async () => {
  for (const path of ['/api/health', '/api/health/ready'])
    expect(await heldIn(path)).toMatchObject({ held: false });
  expect([await metric(), await doctor()]).toEqual(['0', []]);
  for (const path of await pages()) expect(await textOf(path)).not.toContain(BAR);
  const page = await textOf('/operator/outbound');
  expect([page.includes('Nothing has to wait'), page.includes('name="reason"')]).toEqual([true, false]);
});

describe('while everything outgoing waits', () => {
  beforeAll(async () => {
    await server.owner
      .updateTable('outbound')
      .set({ heldSince: sql<Date>`now()` })
      .execute();
  });

  it('shows it in the health (`held`), the metrics and the doctor, and on every page of the console with the way to the release', async () => {
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
    const paths = await pages();
    expect(paths.length).toBeGreaterThan(12);
    for (const path of paths) {
      const text = await textOf(path);
      expect([path, text.includes(BAR), text.includes('1 other call')]).toEqual([path, true, true]);
    }
    expect(await textOf(`/operator/people/${operator.client.user.id}`)).toContain(BAR);
  });

  // Proves OPS-54
  it('refuses acts of the console that would call the provider', async () => {
    await confirmOperator(server, operator);
    const run = await sendForm(operator.client, '/operator/money/run', { reason: 'x' });
    expect([run.status, run.text.includes('openslot outbound release'), run.text.includes(BAR)]).toEqual([
      409,
      true,
      true,
    ]);
    expect(
      await server.ctx.db.selectFrom('operatorActs').select('act').where('act', '=', 'retry-job').execute(),
    ).toEqual([]);
  });

  // Proves OPS-54
  it('is released in the console by a confirmed operator with a reason, once', async () => {
    server.clock.advance(16 * 60 * 1000);
    expect((await release('The original is gone')).headers.get('location')).toBe(
      '/operator/confirm?to=%2Foperator%2Foutbound',
    );
    await confirmOperator(server, operator);
    expect((await release(' ')).status).toBe(400);
    expect(await heldIn('/api/health')).toMatchObject({ held: true });
    expect((await release('The original is gone')).headers.get('location')).toBe('/operator/outbound');
    expect(await heldIn('/api/health')).toMatchObject({ held: false });
    expect([await textOf('/operator/audit'), await textOf('/operator')]).toEqual([
      expect.stringMatching(
        /Released mail, refunds, payouts and calls to the card provider<\/bdi>: <bdi>The original is gone/,
      ),
      expect.not.stringContaining(BAR),
    ]);
    const again = await release('x');
    expect([again.status, again.text.includes('Nothing has to wait.')]).toEqual([409, true]);
  });
});
