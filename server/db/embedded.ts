/**
 * The built-in PostgreSQL: what serves when no DATABASE_URL is set. A real server of its own process group, on
 * 127.0.0.1 only, kept in the data directory. It outlives a killed Openslot and is taken over by the next start.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createDatabaseIfMissing } from './create-database.ts';
import { choosePlace } from './embedded/account.ts';
import { Cluster } from './embedded/cluster.ts';
import { isAlive } from './embedded/process.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: (line: string) => void;
  /** More arguments of `postgres`, such as `-c fsync=off` for tests. */
  flags?: readonly string[];
  /** Tests that run side by side share one server; the last one stops it. Openslot itself never shares. */
  shared?: boolean;
}

export interface Embedded {
  /** The address of a database of this server; `openslot` is there from the start. It stays the same until stop(). */
  url(name: string): string;
  /** The folder that holds the database and nothing else. */
  home: string;
  stop(): Promise<void>;
}

/** Another running program holds this data directory. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(
      `Openslot already runs on ${dataDir} (process ${pid}): stop that one first, or set another DATA_DIR.`,
    );
    this.pid = pid;
  }
}

/** The database that every start finds in the server. */
const database = 'openslot';
/** Any number, the same in every version: it is what two programs on one data directory meet at. */
const lockKey = 7_006_825;
/** A killed holder's connection is closed by the system at once, but the server needs a moment to notice. */
const deadHolderMillis = 5000;

/** Throws DataDirInUse if another program uses `dataDir`, and plain errors with the server's last words. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = path.resolve(options.dataDir);
  const { log, flags = [], shared = false } = options;
  const place = choosePlace(dataDir);
  const cluster = await Cluster.open(place, flags, log);
  let stopping = false;
  let revival: Promise<void> | undefined;
  let hold = await runAndHold();
  await createDatabaseIfMissing(cluster.url('postgres'), database);

  async function runAndHold(): Promise<pg.Client> {
    for (let attempt = 1; ; attempt += 1) {
      await cluster.run();
      try {
        const client = await takeHold(cluster, dataDir, shared);
        client.on('end', lost);
        return client;
      } catch (error) {
        // Whoever shared the server before us may have stopped it just now.
        if (error instanceof DataDirInUse || attempt === 5) throw error;
      }
    }
  }

  function lost(): void {
    if (!stopping) revival ??= revive().finally(() => (revival = undefined));
  }

  async function revive(): Promise<void> {
    log('The database ended unexpectedly; starting it again');
    while (!stopping) {
      try {
        hold = await runAndHold();
        log('The database runs again');
        return;
      } catch (error) {
        log(
          `The database could not be started again: ${error instanceof Error ? error.message : String(error)}`,
        );
        await pause(1000);
      }
    }
  }

  return {
    url: (name) => cluster.url(name),
    home: place.home,
    stop: async () => {
      stopping = true;
      await revival;
      if (!shared || (await isLast(hold).catch(() => true))) await cluster.stop();
      await hold.end().catch(() => {});
    },
  };
}

/** A connection that holds the data directory for this process, for as long as it lives. */
async function takeHold(cluster: Cluster, dataDir: string, shared: boolean): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: cluster.url('postgres'),
    application_name: `openslot ${process.pid}`,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const deadline = Date.now() + deadHolderMillis;
    for (;;) {
      const lock = shared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
      const { rows } = await client.query<{ taken: boolean }>(`select ${lock}($1) as taken`, [lockKey]);
      if (rows[0]?.taken) return client;
      const holder = await holderOf(client);
      if (holder !== undefined && (isAlive(holder) || Date.now() > deadline))
        throw new DataDirInUse(dataDir, holder);
      await pause(25);
    }
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function holderOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.objid = $1 and l.granted and a.datname = current_database()`,
    [lockKey],
  );
  const name = rows[0]?.name;
  return name === undefined ? undefined : Number(name.split(' ')[1]);
}

async function isLast(hold: pg.Client): Promise<boolean> {
  await hold.query('select pg_advisory_unlock_shared($1)', [lockKey]);
  const { rows } = await hold.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    lockKey,
  ]);
  return rows[0]?.taken ?? false;
}
