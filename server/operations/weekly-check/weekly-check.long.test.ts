/** Everything in the books is checked once a week, by one of several servers in a process of its own. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { alone } from '#server/platform/jobs/alone.ts';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { joinServers } from '#server/platform/database/servers/servers.ts';
import { reconcile } from '#server/money/books/reconcile.ts';
import { signDayRoot } from '#server/money/transparency-log/sign.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { SESSION_SECRET } from '#server/testing/accounts/sign-in.ts';
import { ready, type ServerProcess, spawnServer } from '#server/testing/server-process.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';

// They start servers and checks in processes of their own.
vi.setConfig({ testTimeout: 300_000 });

let database: TestDatabase;
let db: Database;
let owner: Database;
const running: ServerProcess[] = [];
const folders: string[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.url, 2));
  owner = createDatabase(createPool(database.ownerUrl, 2));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (server) => await server.stop('SIGTERM')));
  for (const folder of folders.splice(0)) removeFolder(folder);
  await db.destroy();
  await owner.destroy();
  await database.drop();
});

/** The limit of a test that starts two processes of the server. */
const PROCESSES_MS = 180_000;

async function start(): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const folder = newTemporaryFolder('weekly-check');
  folders.push(folder);
  const server = spawnServer({
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: folder,
    PORT: String(port),
    PUBLIC_URL: url,
    SESSION_SECRET,
    SAMPLE_DATA: '0',
  });
  running.push(server);
  await ready(server, url);
  return server;
}

const row = async () => await db.selectFrom('wholeChecks').selectAll().executeTakeFirstOrThrow();
const dueDaysAgo = async (days: number) =>
  await sql`update whole_checks set due_at = now() - make_interval(days => ${days})`.execute(db);

// Proves SCALE-93
it(
  'is made by one of two servers, and is due at the same time of the next week',
  async () => {
    await dueDaysAgo(10);
    const { dueAt } = await row();
    await sql`create table noted (at timestamptz default now());
    create function note() returns trigger language plpgsql security definer as 'begin insert into noted default values; return null; end';
    create trigger note after update on whole_checks for each row execute function note()`.execute(owner);
    await Promise.all([start(), start()]);
    await expect.poll(async () => (await row()).checkedAt).not.toBeNull();
    const { checkedAt: _, seconds: __, ...checked } = await row();
    expect(checked).toMatchObject({ postings: 0, differences: 0, firstDifference: null, error: null });
    expect(checked.dueAt.getTime() - dueAt.getTime()).toBe(14 * DAY_MS);
    const { rows } = await sql`select from noted`.execute(owner);
    expect(rows).toHaveLength(1);
  },
  PROCESSES_MS,
);

// Proves SCALE-93
it(
  'that is stopped in the middle leaves nothing behind, and the next start makes it',
  async () => {
    await dueDaysAgo(1);
    const before = await row();
    const held = await holdDocuments();
    const first = await start();
    await expect.poll(held.waiting).toBeGreaterThan(0);
    await first.stop('SIGTERM');
    // PostgreSQL sees that the process has ended when its query has.
    await held.release();
    await expect.poll(held.waiting).toBe(0);
    expect(await row()).toEqual(before);
    await start();
    await expect.poll(async () => (await row()).checkedAt).not.toBeNull();
  },
  PROCESSES_MS,
);

/** Lets the check wait, until `release`. `waiting` is the number of queries that wait. */
async function holdDocuments() {
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = owner.transaction().execute(async (tx) => {
    await sql`lock table documents_unlogged in access exclusive mode`.execute(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return {
    waiting: async () => {
      const { rows } = await sql`
        select from pg_locks where relation = 'documents_unlogged'::regclass and not granted`.execute(owner);
      return rows.length;
    },
    release: async () => {
      released.resolve();
      await holding;
    },
  };
}

it.each(['backup', 'archive', 'books'] as const)(
  'no payment, comparison or start of a server waits for the long work %s',
  async (work) => {
    const server = await untilTestEnds(startTestServer());
    await alone(server.databaseUrl, work, '', async () => {
      const others = async () => {
        await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
        await reconcile(server.ctx);
        await signDayRoot(server.ctx);
        await joinServers(server.ctx.db, { server: 'another' });
        return 'done';
      };
      expect(await Promise.race([others(), pause(60_000).then(() => 'waits')])).toBe('done');
    });
  },
  120_000,
);
