import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createLog } from '#server/platform/log/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { type CountingConnection, createCountingConnection } from './connection.ts';
import { createOwnership, type Ownership } from './ownership.ts';

const PARTITIONS = 5;
const log: FastifyBaseLogger = createLog({ level: 'error', stream: { write: () => {} } });

let database: TestDatabase;
let db: Database;
let servers: { connection: CountingConnection; ownership: Ownership }[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  // With the role of the servers, which may end their connections.
  db = createDatabase(createPool(database.url, 2));
});
afterEach(async () => {
  for (const each of servers) await stop(each);
  servers = [];
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function start() {
  const connection = createCountingConnection(database.url);
  const ownership = createOwnership(connection, PARTITIONS, log);
  servers.push({ connection, ownership });
  await ownership.start(async () => {});
  return { connection, ownership };
}

async function stop({ connection, ownership }: (typeof servers)[number]): Promise<void> {
  await ownership.stop();
  await connection.close().catch(() => {});
}

const sizes = (...of: { ownership: Ownership }[]) => of.map(({ ownership }) => ownership.owned().size);

/** Whether the two own all partitions, one of them one more. */
const isShared = (...of: { ownership: Ownership }[]) => {
  const owned = sizes(...of);
  return owned.includes(2) && owned.includes(3);
};

/** The locks of partitions, as the number of them that each connection holds. */
async function locks(): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.classid = 7305116 and a.datname = current_database()
        and a.application_name = 'openslot counting'
      group by pid order by n desc`.execute(db);
  return rows.map(({ n }) => n);
}

async function countingConnections(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
      where datname = current_database() and application_name = 'openslot counting'`.execute(db);
  return rows.length;
}

it('a server owns what its connection holds the locks of, and a lost connection owns nothing', async () => {
  const first = await start();
  expect(sizes(first)).toEqual([PARTITIONS]);
  expect(await locks()).toEqual([PARTITIONS]);
  const second = await start();
  expect(sizes(second)).toEqual([0]);
  while (!isShared(first, second)) await pause(50);
  expect(await locks()).toEqual([3, 2]);
  for (const partition of first.ownership.owned())
    expect(second.ownership.owned().has(partition)).toBe(false);

  const lost = await first.connection.run(async (client) => client);
  await first.connection
    .run(async (client) => await client.query('select pg_terminate_backend(pg_backend_pid())'))
    .catch(() => {});
  expect(first.ownership.owned().size).toBe(0);
  // What the lost connection owned is free for both, and nothing is owned twice.
  const owned = await first.connection.run(async (client) => {
    expect(client).not.toBe(lost);
    return await first.ownership.ownedOn(client);
  });
  for (const partition of owned) expect(second.ownership.owned().has(partition)).toBe(false);
  while (!isShared(first, second)) await pause(50);
  await stop(first);
  while (sizes(second)[0] !== PARTITIONS) await pause(50);
});

it('the database ends a counting connection that says nothing, also in a transaction', async () => {
  const silent = createCountingConnection(database.url);
  const limits = await silent.run(async (client) => {
    const { rows } = await client.query<Record<string, string>>(
      `select name, setting from pg_settings
         where name in ('idle_session_timeout', 'idle_in_transaction_session_timeout', 'statement_timeout')`,
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
  });
  expect(limits).toEqual({
    idle_session_timeout: 3000,
    idle_in_transaction_session_timeout: 3000,
    statement_timeout: 5000,
  });
  while ((await countingConnections()) > 0) await pause(50);
  await silent
    .run(async (client) => {
      await client.query('begin');
      while ((await countingConnections()) > 0) await pause(50);
      await client.query('select 1');
    })
    .then(
      () => expect.fail('The connection goes on'),
      () => {},
    );
  // The next use opens another one.
  expect(await silent.run(async (client) => (await client.query('select 1')).rowCount)).toBe(1);
  await silent.close();
});
