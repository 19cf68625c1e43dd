/** PostgreSQL on two disks: a primary, and a standby that is promoted by hand. */
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Embedded, startEmbedded } from '../../server/platform/database/embedded/embedded.ts';
import type { Program } from './scenes.ts';

/** A standby that was away finds the write-ahead log of that time. The disks are in memory, so they keep little else. */
const FLAGS = ['-c', 'wal_keep_size=256MB', '-c', 'max_wal_size=256MB'];
/** The role that copies and promotes. The built-in PostgreSQL has no superuser with a password. */
const SUPERUSER = 'fleet';

type Cluster = { disk: string; embedded: Embedded };

export type Databases = {
  primary: Program;
  standby: Program;
  /** The disk of the primary. */
  disk: () => string;
  /** The address of the primary at this moment. */
  ownerUrl: () => string;
  endStandby: () => Promise<void>;
  startStandby: () => Promise<void>;
  /** Kills the primary for good. */
  losePrimary: () => Promise<void>;
  /** Makes the standby the primary, which has none then. */
  promote: () => Promise<void>;
  /** Copies the primary to the disk of the lost one, as its standby. */
  addStandby: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts both. With `isSynchronous`, a commit waits until the standby has it. */
export async function startDatabases(
  disks: readonly [string, string],
  isSynchronous: boolean,
): Promise<Databases & Pick<Embedded, 'url'>> {
  const password = randomBytes(24).toString('hex');
  let primary = await startCluster(disks[0]);
  await addSuperuser(primary.embedded);
  let standby: Cluster = { disk: disks[1], embedded: primary.embedded };
  await addStandby();

  async function startCluster(disk: string): Promise<Cluster> {
    return { disk, embedded: await startEmbedded({ dataDir: disk, flags: FLAGS, log: () => {} }) };
  }

  /** Only single-user mode can make the first one, and only while the cluster does not run. */
  async function addSuperuser(embedded: Embedded): Promise<void> {
    const data = dataOf(embedded);
    const program = readlinkSync(`/proc/${pidOf(data)}/exe`);
    await embedded.stop();
    const { uid, gid } = statSync(data);
    const input = `create role ${SUPERUSER} login superuser password '${password}'\n`;
    const { status, stderr } = spawnSync(program, ['--single', '-D', data, 'postgres'], {
      uid,
      gid,
      cwd: '/',
      input,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The role ${SUPERUSER} could not be made: ${stderr}`);
    primary = await startCluster(disks[0]);
  }

  async function asSuperuser<T>({ embedded }: Cluster, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const address = new URL(embedded.ownerUrl('postgres'));
    address.username = SUPERUSER;
    address.password = password;
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async function addStandby(): Promise<void> {
    const { disk } = standby;
    const home = path.join(disk, 'postgres');
    rmSync(home, { recursive: true, force: true });
    await asSuperuser(primary, async (client) => {
      await client.query("select pg_backup_start('standby', fast => true)");
      await copyHome(primary.embedded.home, home);
      const { rows } = await client.query<{ label: string }>(
        'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
      );
      const { port } = new URL(primary.embedded.ownerUrl('postgres'));
      const { uid, gid } = statSync(home);
      for (const [name, text] of [
        ['backup_label', rows[0]!.label],
        ['standby.signal', ''],
        [
          'postgresql.auto.conf',
          `primary_conninfo = 'host=127.0.0.1 port=${port} user=${SUPERUSER} password=${password}'\n`,
        ],
      ] as const) {
        const file = path.join(home, 'data', name);
        writeFileSync(file, text, { mode: 0o600 });
        chownSync(file, uid, gid);
      }
      standby = await startCluster(disk);
      for (;;) {
        const { rowCount } = await client.query("select from pg_stat_replication where state = 'streaming'");
        if (rowCount === 1) break;
        await pause(100);
      }
      // Without a standby, each commit would wait for one.
      if (!isSynchronous) return;
      await client.query("alter system set synchronous_standby_names = '*'");
      await client.query('select pg_reload_conf()');
    });
  }

  return {
    primary: programOf(() => primary.embedded),
    standby: programOf(() => standby.embedded),
    disk: () => primary.disk,
    url: (name) => primary.embedded.url(name),
    ownerUrl: () => primary.embedded.ownerUrl('openslot'),
    endStandby: async () => await standby.embedded.stop(),
    startStandby: async () => {
      standby = await startCluster(standby.disk);
    },
    losePrimary: async () => {
      signalAll(primary.embedded, 'SIGKILL');
      // Otherwise it is started again.
      await primary.embedded.stop();
    },
    promote: async () => {
      await asSuperuser(standby, async (client) => await client.query('select pg_promote()'));
      [primary, standby] = [standby, primary];
    },
    addStandby,
    stop: async () => {
      await standby.embedded.stop();
      await primary.embedded.stop();
    },
  };
}

const dataOf = ({ home }: Embedded) => path.join(home, 'data');
const pidOf = (data: string) => readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]!;

/** Copies the files of a running cluster, without its write-ahead log, which the standby asks for. */
async function copyHome(from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  const archive = `${to}.tar`;
  const left = ['data/postmaster.*', 'data/pg_wal/*', 'postgres.log'].map((each) => `--exclude=./${each}`);
  await promisify(execFile)('tar', ['-C', from, ...left, '-cf', archive, '.']).catch(
    (error: { code?: number }) => {
      // Files that changed or went away meanwhile. The write-ahead log has what is needed.
      if (error.code !== 1) throw error;
    },
  );
  await promisify(execFile)('tar', ['-C', to, '-xpf', archive]);
  rmSync(archive);
}

/** Signals PostgreSQL and its processes. */
function signalAll(embedded: Embedded, name: NodeJS.Signals): void {
  const pid = pidOf(dataOf(embedded));
  const { stdout } = spawnSync('pgrep', ['-P', pid], { encoding: 'utf8' });
  // The first one does not notice the end of the others.
  for (const each of [pid, ...stdout.split('\n')].filter((text) => text !== ''))
    try {
      process.kill(Number(each), name);
    } catch {
      // It has just ended.
    }
}

/** A killed one is started again by itself. */
function programOf(current: () => Embedded): Program {
  return {
    signal: (name) => signalAll(current(), name),
    start: async () => {
      for (;;) {
        const client = new pg.Client({ connectionString: current().url('openslot') });
        client.on('error', () => {});
        const answers = await client.connect().then(
          () => true,
          () => false,
        );
        await client.end().catch(() => {});
        if (answers) break;
        await pause(200);
      }
    },
  };
}
