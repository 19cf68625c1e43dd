/** The move of the embedded database from PostgreSQL 18, with the programs and the cluster of the release before. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import { createDatabaseIfMissing } from '#server/platform/database/database.ts';
import { chooseLocation, type Location } from '#server/platform/database/embedded/account.ts';
import { Cluster } from '#server/platform/database/embedded/cluster.ts';
import { fetchFormer, findFormerPrograms } from '#server/platform/database/embedded/former-programs.ts';
import { takeLock } from '#server/platform/database/embedded/lock.ts';
import {
  builtInMajor,
  findPrograms,
  type Programs,
  programsIn,
} from '#server/platform/database/embedded/programs.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import type { Finding } from '#server/operator/command-line/doctor.ts';
import { SAMPLE_ACCOUNTS } from '#server/app/sample/sample-data.ts';
import { Client } from '#server/testing/client.ts';
import { contents, query } from '#server/testing/database/contents.ts';
import { spawnOpenslot } from '#server/testing/openslot.ts';
import { FORMER_CACHE, FORMER_MAJOR, formerIsHere } from '#server/testing/programs/former-postgres.ts';
import { ready, spawnServer } from '#server/testing/server-process.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';

const FLAGS = ['-c', 'fsync=off', '-c', 'shared_buffers=16MB'];
const OWN_MAJOR = builtInMajor();
const { here, note } = formerIsHere();
const folders: string[] = [];

function newFolder(purpose: string): string {
  const folder = newTemporaryFolder(purpose);
  folders.push(folder);
  return folder;
}

describe.skipIf(!here)(`a database of PostgreSQL ${FORMER_MAJOR}${note}`, () => {
  /** The folder of the former programs, where PostgreSQL's account can read it. */
  let native: string;
  /** An installation of the release before, stopped. */
  let former: string;
  let cookie: string;
  /** The messages of the start and the doctor about the former server as one that DATABASE_URL names. */
  let said: string;
  let findings: Finding[];
  /** The doctor's lines when the collation had changed, and after its advice was followed. */
  const drift: Finding[][] = [];

  beforeAll(async () => {
    native = path.join(newFolder('former'), 'native');
    cpSync(path.join(FORMER_CACHE, 'native'), native, { recursive: true, verbatimSymlinks: true });
    former = newFolder('installation');
    const location = at(former);
    const cluster = await openCluster(location);
    await cluster.run();
    await createDatabaseIfMissing(cluster.ownerUrl('postgres'), 'openslot');
    const settings = { ...(await settingsOf(former)), ...addressesOf(cluster) };
    const server = spawnServer(settings);
    await ready(server, urlOf(settings));
    const client = new Client(urlOf(settings));
    await signIn(client);
    ({ cookie } = client);
    findings = await doctor(settings);
    await server.stop('SIGTERM');
    said = server.output();
    await cluster.stop();
    setRecordedCollation(location);
    await cluster.run();
    drift.push(await doctor(settings));
    for (const statement of [
      'reindex database openslot',
      'alter database openslot refresh collation version',
    ])
      await query(cluster.ownerUrl('openslot'), statement);
    drift.push(await doctor(settings));
    await cluster.stop();
  });

  afterAll(() => {
    for (const folder of folders.splice(0)) removeFolder(folder);
  });

  const at = (dataDir: string): Location => chooseLocation(dataDir, () => {});

  async function openCluster(location: Location, folder = 'data'): Promise<Cluster> {
    const programs = programsIn(native, FORMER_MAJOR);
    return await Cluster.open(location, FLAGS, () => {}, { folder, programs });
  }

  function copyOfFormer(): string {
    const copy = newFolder('copy');
    cpSync(former, copy, { recursive: true });
    return copy;
  }

  const move = async (dataDir: string, programs = native) =>
    await spawnOpenslot(['database', 'move', '--programs', programs], { DATA_DIR: dataDir });

  it('is named by the start and the doctor as one that can crash, if DATABASE_URL leads to it', () => {
    const sentence = `PostgreSQL 18.4 has a fault by which it can crash and cut all connections when two transactions change the same row. Upgrade the database server to 18.7 or newer.`;
    expect(said).toContain(sentence);
    expect(findings).toContainEqual({ check: 'database', state: 'warn', text: sentence });
  });

  it('is named by the doctor if its collation has another version, until its indexes are built again', () => {
    const [before, after] = drift.map((all) => all.filter(({ check }) => check === 'collation'));
    expect([before, after]).toEqual([
      [
        {
          check: 'collation',
          state: 'warn',
          text: expect.stringContaining('`alter database openslot refresh collation version`') as string,
        },
      ],
      [],
    ]);
  });

  it('is not started nor changed, and the start names both versions and the command that moves it', async () => {
    const server = spawnServer(await settingsOf(former));
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain(
      `is of PostgreSQL ${FORMER_MAJOR}, and this release has ${OWN_MAJOR}. Run \`npm run openslot -- database move\` once`,
    );
  });

  it('is not moved while a server uses it, or with other programs than those that made it', async () => {
    const cluster = await openCluster(at(former));
    await cluster.run();
    const lock = await takeLock(cluster, former, false);
    const used = await move(former);
    await lock.end();
    await cluster.stop();
    expect(used).toMatchObject({ code: 2, err: expect.stringContaining('Another Openslot (process') });

    const builtIn = path.dirname(path.dirname(findPrograms(at(former).account, at(former).copies).postgres));
    const other = await move(former, builtIn);
    expect(other).toMatchObject({
      code: 2,
      err: expect.stringContaining(`is PostgreSQL ${OWN_MAJOR}. Name a folder that has them`),
    });
    expect(entriesOf(former)).toEqual(['data']);
  });

  describe('after a move that was killed and one that was not', () => {
    let dataDir: string;
    let home: string;
    let killed: Awaited<ReturnType<typeof killMove>>;
    let moved: Awaited<ReturnType<typeof move>>;

    beforeAll(async () => {
      dataDir = copyOfFormer();
      home = path.join(dataDir, 'postgres');
      killed = await killMove(dataDir);
      moved = await move(dataDir);
    });

    it('has every row in the new cluster, and is kept as it was', async () => {
      expect(killed).toEqual({ entries: ['data', 'data.next', 'move'], version: FORMER_MAJOR });
      expect(moved).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Moved the database from PostgreSQL ${FORMER_MAJOR} to ${OWN_MAJOR}`),
      });
      expect(entriesOf(dataDir)).toEqual(['data', `data-${FORMER_MAJOR}`]);
      const clusters = [
        await openCluster(at(dataDir), `data-${FORMER_MAJOR}`),
        await Cluster.open(at(dataDir), FLAGS, () => {}),
      ];
      const found = [];
      for (const cluster of clusters) {
        await cluster.run();
        found.push(await contents(cluster.ownerUrl('openslot')));
        await cluster.stop();
      }
      expect(found[1]).toEqual(found[0]);
      expect(Object.keys(found[0]!).length).toBeGreaterThan(100);
      expect(await move(dataDir)).toMatchObject({
        code: 0,
        out: expect.stringContaining('There is nothing to move'),
      });
    });

    // Proves WARD-16
    it('is the same installation, also if the move was killed between its two renames', async () => {
      renameSync(path.join(home, 'data'), path.join(home, 'data.next'));
      mkdirSync(path.join(home, 'move'));
      const settings = await settingsOf(dataDir);
      const server = spawnServer(settings);
      await ready(server, urlOf(settings));
      const client = new Client(urlOf(settings));
      client.cookie = cookie;
      expect((await client.get('/api/auth/user')).body).toMatchObject({ email: SAMPLE_ACCOUNTS[0]!.email });
      // The copy of all rows does not stay.
      expect(entriesOf(dataDir)).toEqual(['data', `data-${FORMER_MAJOR}`]);
      await signIn(new Client(urlOf(settings)));
      expect((await client.get('/api/health')).body).toMatchObject({ held: false });
      expect((await spawnOpenslot(['money', 'check', '--all'], settings)).out).toContain('The books hold.');
      await server.stop('SIGTERM');
    });
  });

  it('is moved with a difference in its books that was there before, so that the operator can look into it', async () => {
    const dataDir = copyOfFormer();
    const cluster = await openCluster(at(dataDir));
    await cluster.run();
    await query(
      cluster.ownerUrl('openslot'),
      `alter table ledger_balances disable trigger user;
       update ledger_balances set amount_cents = amount_cents + 1
         where account_id = (select min(account_id) from ledger_balances);
       alter table ledger_balances enable trigger user`,
    );
    await cluster.stop();
    expect(await move(dataDir)).toMatchObject({ code: 0 });
    const settings = await settingsOf(dataDir);
    const server = spawnServer(settings);
    await ready(server, urlOf(settings));
    const { out } = await spawnOpenslot(['money', 'check', '--all'], settings);
    await server.stop('SIGTERM');
    expect(out).not.toContain('The books hold.');
  });

  /** Kills the move when the new cluster has some rows. Both clusters run on. */
  async function killMove(dataDir: string): Promise<{ entries: string[]; version: string }> {
    const child = spawn(
      process.execPath,
      ['server/app/openslot.ts', 'database', 'move', '--programs', native],
      {
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    const ended = once(child, 'close');
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await vi.waitUntil(() => output.includes('Writing the rows') || child.exitCode !== null, {
      timeout: 600_000,
    });
    child.kill('SIGKILL');
    await ended;
    const version = readFileSync(path.join(dataDir, 'postgres/data/PG_VERSION'), 'utf8').trim();
    return { entries: entriesOf(dataDir), version };
  }

  /** As a library of another version would: only the superuser may write to the catalog, so in single-user mode. */
  function setRecordedCollation({ home, account }: Location): void {
    const { postgres }: Programs = programsIn(native, FORMER_MAJOR);
    const { status, stderr } = spawnSync(postgres, ['--single', '-D', path.join(home, 'data'), 'postgres'], {
      ...account.ids,
      cwd: home,
      encoding: 'utf8',
      input: `update pg_database set datcollversion = '0' where datname = 'openslot'\n`,
    });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('ERROR')]);
  }
});

describe('the programs of another PostgreSQL', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('are not fetched for a version that no release had, and the sentence says how to name them', async () => {
    const copies = newFolder('copies');
    chmodSync(copies, 0o755);
    const location = { home: copies, copies, account: { ids: {} } };
    await expect(findFormerPrograms('12', undefined, location, () => {})).rejects.toThrow(
      'No release of Openslot had PostgreSQL 12',
    );
    await expect(findFormerPrograms('12', undefined, location, () => {})).rejects.toThrow(
      'openslot database move --programs DIR',
    );
  });

  it('leave nothing behind when npm cannot fetch them, and the sentence says how to name them', async () => {
    const copy = path.join(newFolder('copies'), 'programs');
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
    vi.stubEnv('npm_config_fetch_retries', '0');
    vi.stubEnv('npm_config_cache', newFolder('cache'));
    await expect(fetchFormer(FORMER_MAJOR, copy)).rejects.toThrow(
      /npm could not fetch them \(.*\).*--programs DIR/s,
    );
    expect(readdirSync(path.dirname(copy))).toEqual([]);
  });
});

const addressesOf = (cluster: Cluster) => ({
  DATABASE_URL: cluster.url('openslot'),
  DATABASE_OWNER_URL: cluster.ownerUrl('openslot'),
});

async function settingsOf(dataDir: string): Promise<Record<string, string> & { PORT: string }> {
  return { DATA_DIR: dataDir, PORT: String(await freePort()) };
}

const urlOf = ({ PORT }: { PORT: string }): string => `http://localhost:${PORT}`;

async function signIn(client: Client): Promise<void> {
  const { email } = SAMPLE_ACCOUNTS[0]!;
  expect((await client.post('/api/auth/login', { email, password: SAMPLE_PASSWORD })).status).toBe(200);
}

async function doctor(settings: Record<string, string>): Promise<Finding[]> {
  return JSON.parse((await spawnOpenslot(['doctor', '--json'], settings)).out) as Finding[];
}

/** The entries of PostgreSQL's folder besides files. */
function entriesOf(dataDir: string): string[] {
  return readdirSync(path.join(dataDir, 'postgres'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
