import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { createTestDatabase, type TestDatabase } from '../server/testing/database/database.ts';
import { ready, type ServerProcess, spawnServer } from '../server/testing/server-process.ts';
import { newTemporaryFolder } from '../server/testing/temporary.ts';

const RUNNER_LIMIT_MS = 120_000;

let dataDir: string;
let database: TestDatabase;
let client: pg.Client;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  dataDir = newTemporaryFolder('data');
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  for (const server of servers) if (server.child.exitCode === null) await server.stop('SIGKILL');
  await client.end();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Returns its address, too. */
async function start(env: Record<string, string> = {}): Promise<ServerProcess & { url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawnServer({
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    SAMPLE_DATA: '0',
    ...env,
  });
  servers.push(server);
  await ready(server, url);
  return { ...server, url };
}

const numberOf = async (query: string) =>
  Number((await client.query<{ n: string }>(`select count(*) as n ${query}`)).rows[0]!.n);

it(
  'a stopping server cuts off a job that waits for a lock, and the next server runs it again',
  async () => {
    const first = await start();
    const locked = new pg.Client({ connectionString: database.url });
    await locked.connect();
    await locked.query(`insert into rate_limits (key, points, expire) values ('old', 1, 0)`);
    await locked.query(`begin; select from rate_limits where key = 'old' for update`);
    const { rows } = await client.query<{ id: string }>(
      `select id from graphile_worker.add_job('remove-expired')`,
    );
    const job = rows[0]!.id;
    await vi.waitUntil(
      async () =>
        await numberOf(
          `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      { timeout: RUNNER_LIMIT_MS },
    );

    expect(await first.stop('SIGTERM')).toBe(0);
    expect(first.output()).toContain('jobs did not end in time');
    expect(await numberOf(`from graphile_worker.jobs where id = ${job} and locked_at is null`)).toBe(1);
    expect(await numberOf(`from rate_limits where key = 'old'`)).toBe(1);

    await locked.query('rollback');
    await locked.end();
    const second = await start();
    await vi.waitUntil(async () => (await numberOf(`from graphile_worker.jobs where id = ${job}`)) === 0, {
      timeout: RUNNER_LIMIT_MS,
    });
    expect(await numberOf(`from rate_limits where key = 'old'`)).toBe(0);
    expect(await second.stop('SIGTERM')).toBe(0);
  },
  RUNNER_LIMIT_MS,
);

it(
  'a stopping server tells balancers first and goes on meanwhile; two signals at once are one, and a later one ends it',
  async () => {
    const { child, url, ended, output } = await start({ SHUTDOWN_DELAY_MS: '60000' });
    const statusOf = async (path: string) => (await fetch(url + path)).status;
    child.kill('SIGTERM');
    child.kill('SIGINT');
    await vi.waitUntil(async () => (await statusOf('/api/health/ready')) === 503, {
      timeout: RUNNER_LIMIT_MS,
    });
    expect(await statusOf('/api/health/delivery')).toBe(503);
    expect(await statusOf('/api/health/live')).toBe(200);
    expect(await statusOf('/')).toBe(200);
    await pause(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
    expect(output()).toContain('Openslot ends now');

    const other = await start({ SHUTDOWN_DELAY_MS: '1' });
    expect(await other.stop('SIGINT')).toBe(0);
  },
  RUNNER_LIMIT_MS,
);
