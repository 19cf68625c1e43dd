/** The daily backup of BACKUP_TO, made by servers in processes of their own. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { SESSION_SECRET } from '#server/testing/accounts/sign-in.ts';
import { ready, type ServerProcess, spawnServer } from '#server/testing/server-process.ts';
import { startTestServer } from '#server/testing/server.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { startBackups } from './schedule.ts';

let database: TestDatabase;
let db: Database;
let place: string;
const running: ServerProcess[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.url, 2));
  place = path.join(newTemporaryFolder('daily'), 'backups');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (server) => await server.stop('SIGTERM')));
  await db.destroy();
  await database.drop();
});

/** A server that makes backups in `place`. */
async function start(): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = spawnServer({
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: newTemporaryFolder('server'),
    PORT: String(port),
    PUBLIC_URL: url,
    SESSION_SECRET,
    SAMPLE_DATA: '0',
    BACKUP_TO: place,
    BACKUP_KEEP: '2',
  });
  running.push(server);
  await ready(server, url);
  return server;
}

/** Reads again until `isDone`; the test's own limit ends an endless wait. */
async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await pause(200);
  }
}

const rows = async () => await db.selectFrom('backups').selectAll().orderBy('id').execute();

it('is made once by two servers, and proven', async () => {
  await Promise.all([start(), start()]);
  const [made, ...more] = await until(rows, ([first]) => Boolean(first?.verifiedAt));
  expect([made?.place, made?.error, made?.verifyError, more]).toEqual([place, null, null, []]);
  const name = path.basename(String(made?.backup));
  expect((await readdir(place)).toSorted()).toEqual([name, `${name}.verified`]);
});

it('that cannot be proven is mailed to the operator with the role and the statement that mends it', async () => {
  const server = await startTestServer({ env: { BACKUP_TO: place } });
  // The commands of the schedule have the environment of their server. Without an owner, their role may create no database.
  for (const [name, value] of Object.entries({
    DATABASE_URL: server.databaseUrl,
    DATABASE_OWNER_URL: '',
    DATA_DIR: newTemporaryFolder('unproven'),
    BACKUP_TO: place,
  }))
    vi.stubEnv(name, value);
  const backups = startBackups(server.ctx);
  try {
    const mails = async () =>
      await server.ctx.db.selectFrom('messages').selectAll().where('kind', '=', 'backup-failed').execute();
    const [mail] = await until(mails, ({ length }) => length > 0);
    const { username } = new URL(server.databaseUrl);
    expect(mail?.subject).toContain('A backup was not proven');
    expect(mail?.bodyText).toContain(`alter role "${username}" createdb`);
  } finally {
    await backups.stop();
    vi.unstubAllEnvs();
    await server.close();
  }
  const guide = await readFile(path.resolve(import.meta.dirname, '../../../docs/install.md'), 'utf8');
  expect(guide).toContain('create role openslot_owner login createdb password');
});

it('that fails is kept with its reason, mailed to the operator, and not tried again at once', async () => {
  await writeFile(path.dirname(place) + '/backups', 'a file in its place');
  const first = await start();
  const [failed] = await until(rows, ({ length }) => length > 0);
  expect([failed?.backup, failed?.error]).toEqual([
    null,
    expect.stringContaining(`${place} failed (ENOTDIR)`),
  ]);
  const mails = async () =>
    await db.selectFrom('messages').selectAll().where('kind', '=', 'backup-failed').execute();
  const [mail] = await until(mails, ({ length }) => length > 0);
  expect(mail?.bodyText).toContain('ENOTDIR');
  await first.stop('SIGTERM');
  await rm(place);
  await mkdir(place);
  // A server looks as soon as it has started.
  await start();
  await pause(2000);
  expect(await rows()).toHaveLength(1);
  const hourAgo = new Date(Date.now() - 61 * 60_000);
  await db.updateTable('backups').set({ startedAt: hourAgo }).execute();
  expect(await until(rows, ({ length }) => length > 1)).toMatchObject([{ backup: null }, { error: null }]);
});
