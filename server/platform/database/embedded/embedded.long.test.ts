import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { startEmbedded, type Embedded } from './embedded.ts';
import { DataDirInUse } from './lock.ts';
import { freePort } from './process.ts';
import { findPrograms, hydrate } from './programs.ts';

const asRoot = process.getuid?.() === 0;
const leftovers: string[] = [];
const running = new Set<Embedded>();

afterEach(async () => {
  for (const server of running) await server.stop();
  running.clear();
  for (const entry of leftovers.splice(0)) rmSync(entry, { recursive: true, force: true });
});

function newDir(mode = 0o755): string {
  const dir = newTemporaryFolder('embedded');
  chmodSync(dir, mode);
  leftovers.push(dir);
  return dir;
}

/** A data directory for the tests that are not about creating one, which takes a second. Each test leaves it stopped. */
const usedDir = newTemporaryFolder('embedded');
chmodSync(usedDir, 0o755);
afterAll(() => rmSync(usedDir, { recursive: true, force: true }));

async function start(dataDir: string, lines: string[] = []): Promise<Embedded> {
  const server = await startEmbedded({
    dataDir,
    log: (line) => lines.push(line),
    flags: ['-c', 'shared_buffers=16MB'],
  });
  running.add(server);
  return server;
}

async function stop(server: Embedded): Promise<void> {
  running.delete(server);
  await server.stop();
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The process id and port that the server of this data directory wrote to its postmaster.pid. */
function postmaster(dataDir: string): { pid: number; port: number } {
  const lines = readFileSync(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Starts the embedded database in another process. Resolves when that process holds the data directory. */
async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const script = `import { startEmbedded } from '#server/platform/database/embedded/embedded.ts';
    const server = await startEmbedded({ dataDir: process.argv[1]!, log: () => {} });
    console.log(server.ownerUrl('openslot'));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script, dataDir], {
    cwd: path.resolve(import.meta.dirname, '../../../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString('utf8').trim() };
}

/** Kills the whole process group, which Ctrl-C in a terminal would also reach. */
async function killGroup(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await gone;
}

/** All that the folder of the database holds. */
const FILES = ['data', 'password', 'postgres.log', 'server-password'];

type Ids = { uid?: number; gid?: number };
const programsOf = (home: string, ids: Ids) =>
  findPrograms({ ids }, asRoot ? '/var/lib/openslot' : path.dirname(home));

/** Takes the role of the server, and the file with its password, from a stopped cluster. */
async function dropServerRole(home: string, ids: Ids): Promise<void> {
  const args = ['--single', '-D', path.join(home, 'data'), 'postgres'];
  const call = promisify(execFile)(programsOf(home, ids).postgres, args, { ...ids, cwd: home });
  call.child.stdin?.end('drop role openslot_server\n');
  await call;
  rmSync(path.join(home, 'server-password'));
}

/** Starts PostgreSQL alone, as if its Openslot had been killed. */
async function startPostgres(home: string, ids: Ids): Promise<void> {
  const flags = `-p ${await freePort()} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  const data = path.join(home, 'data');
  const args = ['start', '-w', '-D', data, '-l', path.join(data, 'start.log'), '-o', flags];
  await promisify(execFile)(programsOf(home, ids).pgCtl, args, { ...ids, cwd: home });
}

describe('the embedded database', () => {
  it('is created at the first start and still has its rows at the next', async () => {
    const dataDir = newDir();
    const lines: string[] = [];
    const first = await start(dataDir, lines);
    await query(first.ownerUrl('openslot'), 'create table kept as select 42 as answer');
    await stop(first);
    expect(existsSync(path.join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);

    const second = await start(dataDir, lines);
    expect(await query(second.ownerUrl('openslot'), 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(lines).toEqual(['Creating the database…']);
  });

  it('listens on 127.0.0.1 only, keeps its password unreadable for other accounts, and uses UTF-8, UTC and fsync', async () => {
    const dataDir = usedDir;
    const server = await start(dataDir);
    const settings = await query<{ name: string; setting: string }>(
      server.url('postgres'),
      `select name, setting from pg_settings where name in
       ('listen_addresses', 'fsync', 'TimeZone', 'server_encoding', 'password_encryption') order by name collate "C"`,
    );
    expect(settings.map(({ name, setting }) => `${name}=${setting}`)).toEqual([
      'TimeZone=UTC',
      'fsync=on',
      'listen_addresses=127.0.0.1',
      'password_encryption=scram-sha-256',
      'server_encoding=UTF8',
    ]);
    // Only a superuser may read this setting. The sixth line of postmaster.pid is the folder of the socket.
    expect(readFileSync(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[4]).toBe('');
    expect(statSync(path.join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    const wrong = new URL(server.url('postgres'));
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  // Proves DOOR-17
  it('has a role for the server and one that owns the databases, and neither can leave them', async () => {
    const dataDir = newDir();
    const server = await start(dataDir);
    const [url, ownerUrl] = [server.url('openslot'), server.ownerUrl('openslot')];
    expect(
      await query(
        url,
        `select rolname, rolcreatedb, rolsuper or rolcreaterole or rolreplication or rolbypassrls as is_more from pg_roles
          where rolcanlogin order by 1`,
      ),
    ).toEqual([
      { rolname: 'openslot', rolcreatedb: true, is_more: false },
      { rolname: 'openslot_owner', rolcreatedb: true, is_more: true },
      { rolname: 'openslot_server', rolcreatedb: false, is_more: false },
    ]);
    for (const escape of [
      "select pg_read_file('postgresql.conf')",
      "copy (select 1) to program 'true'",
      "select lo_import('/etc/passwd')",
      "alter system set listen_addresses = '*'",
      'create role helper superuser',
      'set role openslot_owner',
    ]) {
      for (const address of [url, ownerUrl])
        await expect(query(address, escape)).rejects.toThrow(/permission denied|must be superuser/);
    }
    for (const act of ['create table mine ()', 'create database mine', 'set role openslot'])
      await expect(query(url, act)).rejects.toThrow('permission denied');
    const swapped = new URL(url);
    swapped.username = 'openslot';
    await expect(query(swapped.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect(await query(ownerUrl, 'create extension pg_trgm')).toEqual([]);
    expect(readdirSync(path.join(dataDir, 'postgres')).toSorted()).toEqual(FILES);
  });

  // Proves DOOR-17
  it.each([false, true])(
    'that has lost the role of the server gets it at the next start (PostgreSQL still runs: %s)',
    async (stillRuns) => {
      const dataDir = newDir();
      const home = path.join(dataDir, 'postgres');
      const first = await start(dataDir);
      await query(first.ownerUrl('openslot'), 'create table kept as select 42 as answer');
      await stop(first);
      const { uid, gid } = statSync(path.join(home, 'data'));
      const ids = asRoot ? { uid, gid } : {};
      await dropServerRole(home, ids);
      if (stillRuns) await startPostgres(home, ids);

      const lines: string[] = [];
      const server = await start(dataDir, lines);
      const who = 'select current_user as role';
      expect(await query(server.url('openslot'), who)).toEqual([{ role: 'openslot_server' }]);
      expect(await query(server.ownerUrl('openslot'), who)).toEqual([{ role: 'openslot' }]);
      expect(await query(server.ownerUrl('openslot'), 'select answer from kept')).toEqual([{ answer: 42 }]);
      expect(lines).toEqual([expect.stringContaining('a role for the server')]);
    },
  );

  it('refuses a second Openslot on the same data directory, and the first one keeps running', async () => {
    const dataDir = usedDir;
    const first = await start(dataDir);
    const refusal = await startEmbedded({ dataDir, log: () => {} }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DataDirInUse);
    expect(refusal).toMatchObject({ pid: process.pid });
    expect(await query(first.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  // Proves RUN-04
  it('keeps running when Openslot is killed, and the next start takes it over', async () => {
    const dataDir = usedDir;
    const { child, url } = await startElsewhere(dataDir);
    await query(url, 'create table kept_by_postgresql as select 42 as answer');
    const before = postmaster(dataDir);
    await killGroup(child);

    const server = await start(dataDir);
    expect(postmaster(dataDir)).toEqual(before);
    expect(server.ownerUrl('openslot')).toBe(url);
    expect(await query(server.ownerUrl('openslot'), 'select answer from kept_by_postgresql')).toEqual([
      { answer: 42 },
    ]);
  });

  // Proves RUN-04
  it('has all its rows after Openslot and PostgreSQL were both killed', async () => {
    const dataDir = usedDir;
    const { child, url } = await startElsewhere(dataDir);
    await query(url, 'create table recovered as select 42 as answer');
    process.kill(postmaster(dataDir).pid, 'SIGKILL');
    await killGroup(child);

    const server = await start(dataDir);
    expect(await query(server.ownerUrl('openslot'), 'select answer from recovered')).toEqual([
      { answer: 42 },
    ]);
  });

  it('recovers without a call to the disk for each of its files, where the system can do that', async () => {
    const server = await start(usedDir);
    const [setting] = await query(server.ownerUrl('openslot'), 'show recovery_init_sync_method');
    const method = process.platform === 'linux' ? 'syncfs' : 'fsync';
    expect(setting).toEqual({ recovery_init_sync_method: method });
  });

  it('is restarted at the same address when PostgreSQL is killed', async () => {
    const dataDir = usedDir;
    const lines: string[] = [];
    const server = await start(dataDir, lines);
    await query(server.ownerUrl('openslot'), 'create table restarted as select 42 as answer');
    const before = postmaster(dataDir);
    process.kill(before.pid, 'SIGKILL');

    // PostgreSQL accepts connections a moment before Openslot holds the data directory again.
    await expect.poll(() => lines).toContain('The database is running again.');
    expect(await query(server.ownerUrl('openslot'), 'select answer from restarted')).toEqual([
      { answer: 42 },
    ]);
    expect(postmaster(dataDir)).toMatchObject({ port: before.port });
    expect(postmaster(dataDir).pid).not.toBe(before.pid);
    const refusal = await startEmbedded({ dataDir, log: () => {} }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DataDirInUse);
  });

  it('starts despite a stale postmaster.pid, even if another program now has the process id in it', async () => {
    const dataDir = usedDir;
    const first = await start(dataDir);
    await stop(first);
    const note = path.join(dataDir, 'postgres/data/postmaster.pid');
    writeFileSync(note, `${process.pid}\n${path.dirname(note)}\n1700000000\n5432\n\n127.0.0.1\n`);
    const server = await start(dataDir);
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is created after an interrupted first start, and the remains are deleted', async () => {
    const dataDir = newDir();
    const home = path.join(dataDir, 'postgres');
    // No process can have this id, because it is above the system's limit.
    mkdirSync(path.join(home, 'data.new-99999999-00000000'), { recursive: true });
    const server = await start(dataDir);
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(home).toSorted()).toEqual(FILES);
  });

  it('is created once when two processes start at the same time, and one of them is refused', async () => {
    const dataDir = newDir();
    const starts = await Promise.allSettled([start(dataDir), start(dataDir)]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = starts.find((attempt) => attempt.status === 'rejected');
    expect(refused?.reason).toBeInstanceOf(DataDirInUse);
  });

  it('is shared by test runs, and the last one stops it', async () => {
    const dataDir = usedDir;
    const options = { dataDir, log: () => {}, shared: true };
    const first = await startEmbedded(options);
    const second = await startEmbedded(options);
    expect(second.url('postgres')).toBe(first.url('postgres'));
    await first.stop();
    expect(await query(second.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
    await expect(query(second.url('postgres'), 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });
});

function uidOf(name: string): number {
  return Number(new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'))?.[1]);
}

function modeAndOwner(entry: string): [string, number] {
  const { mode, uid } = statSync(entry);
  return [(mode & 0o777).toString(8), uid];
}

describe('the account that runs PostgreSQL', () => {
  it('is never root', async () => {
    const dataDir = newDir();
    await start(dataDir);
    const owner = statSync(path.join(dataDir, 'postgres/data')).uid;
    expect(owner === 0).toBe(false);
    expect(owner === process.getuid?.()).toBe(!asRoot);
  });

  // Proves RUN-24
  it('is its own when root starts Openslot, and only it can enter the data directory', async () => {
    const dataDir = newDir();
    mkdirSync(path.join(dataDir, 'uploads'));
    await start(dataDir);
    const owner = asRoot ? uidOf('openslot') : process.getuid?.();
    expect(modeAndOwner(dataDir)).toEqual(['700', owner]);
    expect(modeAndOwner(path.join(dataDir, 'postgres'))).toEqual(['700', owner]);
    expect(modeAndOwner(path.join(dataDir, 'uploads'))).toEqual(['700', process.getuid?.()]);
  });

  // Proves RUN-24
  it('gets a database that belongs to the account nobody, once that is stopped', async () => {
    const dataDir = newDir();
    await stop(await start(dataDir));
    const home = path.join(dataDir, 'postgres');
    const former = asRoot ? uidOf('nobody') : process.getuid?.();
    const own = asRoot ? uidOf('openslot') : process.getuid?.();
    const ids = asRoot ? { uid: former } : {};
    await promisify(execFile)('chown', ['-R', String(former), home]);
    chmodSync(dataDir, 0o755);
    await startPostgres(home, ids);

    const lines: string[] = [];
    const first = await start(dataDir, lines);
    await query(first.ownerUrl('openslot'), 'create table kept as select 42 as answer');
    expect(modeAndOwner(dataDir)).toEqual(['700', former]);
    await stop(first);
    const second = await start(dataDir, lines);
    expect(await query(second.ownerUrl('openslot'), 'select answer from kept')).toEqual([{ answer: 42 }]);
    for (const entry of ['', 'postgres', 'postgres/data', 'postgres/data/base', 'postgres/password'])
      expect([entry, statSync(path.join(dataDir, entry)).uid]).toEqual([entry, own]);
    expect(lines).toEqual([]);
  });

  // Proves RUN-24
  it('leaves a data directory open that others use as well', async () => {
    const dataDir = newDir();
    for (const name of ['shop', 'uploads']) mkdirSync(path.join(dataDir, name));
    await start(dataDir);
    expect(modeAndOwner(dataDir)).toEqual(['755', process.getuid?.()]);
    expect(modeAndOwner(path.join(dataDir, 'shop'))).toEqual(['755', process.getuid?.()]);
    expect(modeAndOwner(path.join(dataDir, 'uploads'))).toEqual(['700', process.getuid?.()]);
  });

  // Proves RUN-24
  it('cannot lead root to another folder with a note of its own', async () => {
    const dataDir = newDir();
    const note = path.join(dataDir, 'postgres-is-in.txt');
    const elsewhere = newDir();
    writeFileSync(note, elsewhere);
    if (asRoot) chownSync(note, uidOf('nobody'), uidOf('nobody'));
    const answer = await start(dataDir).catch((error: unknown) => String(error));
    // An ordinary user needs no note.
    if (asRoot) expect(answer).toContain(`${note} does not belong to root`);
    else expect(existsSync(path.join(dataDir, 'postgres/data'))).toBe(true);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('uses a folder outside a data directory that it cannot enter, and a note there names the folder', async () => {
    const dataDir = path.join(newDir(0o700), 'data');
    const first = await start(dataDir);
    await query(first.ownerUrl('openslot'), 'create table kept as select 42 as answer');
    const note = path.join(dataDir, 'postgres-is-in.txt');
    // Only root runs PostgreSQL under another account. For an ordinary user, the database is in the data directory.
    const home = asRoot ? readFileSync(note, 'utf8').trim() : path.join(dataDir, 'postgres');
    leftovers.push(home);
    expect(home).toMatch(asRoot ? /^\/var\/lib\/openslot\/[0-9a-f]{16}$/ : /postgres$/);
    expect(existsSync(path.join(home, 'data/PG_VERSION'))).toBe(true);
    await stop(first);
    const second = await start(dataDir);
    expect(await query(second.ownerUrl('openslot'), 'select answer from kept')).toEqual([{ answer: 42 }]);
  });
});

it('hydrate creates the links of the shared libraries that npm did not, and keeps existing ones', () => {
  const home = newDir();
  mkdirSync(path.join(home, 'native/lib'), { recursive: true });
  writeFileSync(path.join(home, 'native/lib/libx.so.1.2'), 'library');
  const links = [1, 2].map((n) => ({
    source: 'native/lib/libx.so.1.2',
    target: `native/lib/libx.so${n === 1 ? '' : '.1'}`,
  }));
  writeFileSync(path.join(home, 'native/pg-symlinks.json'), JSON.stringify(links));
  symlinkSync('libx.so.1.2', path.join(home, 'native/lib/libx.so'));
  hydrate(home);
  hydrate(home);
  expect(readFileSync(path.join(home, 'native/lib/libx.so.1'), 'utf8')).toBe('library');
});
