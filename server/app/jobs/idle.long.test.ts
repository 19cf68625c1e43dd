/** Several servers without work write hardly more rows than one. */
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { type App, buildApp } from '../app.ts';
import { SESSION_SECRET } from '#server/testing/accounts/sign-in.ts';
import { countWrites } from '#server/testing/database/writes.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const SERVERS = 6;
const MINUTE_MS = 60_000;

const server = useOwnServer();
const apps: App[] = [];
afterAll(async () => {
  for (const app of apps) await app.close();
});

it('six servers without work write at most 1.2 times as many rows in a minute as one', async () => {
  const writes = await countWrites(server.owner);
  await startServers(1);
  // The first minute does what is due once, such as the root of the day.
  await writesOfMinute(writes);
  const one = await writesOfMinute(writes);
  await startServers(SERVERS);
  const six = await writesOfMinute(writes);
  const ratio = sum(six) / sum(one);
  process.stdout.write(
    `idle: ${sum(one)} rows a minute with one server, ${sum(six)} with six, ratio ${ratio.toFixed(2)}\n`,
  );
  expect(sum(one)).toBeGreaterThan(60);
  expect([ratio, ratio <= 1.2, six, one]).toEqual([ratio, true, six, one]);
});

async function startServers(count: number): Promise<void> {
  while (apps.length < count) {
    const app = await buildApp({
      config: server.ctx.config,
      databaseUrl: server.databaseUrl,
      sessionSecrets: [SESSION_SECRET],
      now: server.clock.now,
      logger: false,
    });
    apps.push(app);
    await app.refreshDelivery();
    await app.startJobs();
  }
}

type Writes = Record<string, number>;
const CRONTABS = 'graphile_worker._private_known_crontabs';

/** The rows that are written from now until each job of a minute was added once more, and all have ended. */
async function writesOfMinute(writes: () => Promise<Writes>): Promise<Writes> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::integer as jobs from graphile_worker._private_known_crontabs`.execute(server.owner);
  const before = await writes();
  const isQuiet = async () => {
    const { rows: left } = await sql`select from graphile_worker._private_jobs`.execute(server.owner);
    const added = ((await writes())[CRONTABS] ?? 0) - (before[CRONTABS] ?? 0);
    return [added > 0 && added >= (rows[0]?.jobs ?? 0), left.length];
  };
  await expect.poll(isQuiet, { timeout: 2 * MINUTE_MS, interval: 500 }).toEqual([true, 0]);
  const { servers: _heartbeats, ...after } = await writes();
  return Object.fromEntries(
    Object.entries(after)
      .map(([table, n]) => [table, n - (before[table] ?? 0)] as const)
      .filter(([, n]) => n > 0),
  );
}

const sum = (written: Writes) => Object.values(written).reduce((total, n) => total + n, 0);
