/**
 * The built-in PostgreSQL, which Openslot uses when DATABASE_URL is not set. It is a real server in its own process
 * group, listens on 127.0.0.1 only, and keeps its files in the data directory. If Openslot is killed, it keeps running,
 * and the next start takes it over.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createDatabaseIfMissing } from './create-database.ts';
import { chooseLocation } from './embedded/account.ts';
import { Cluster } from './embedded/cluster.ts';
import { isAlive } from './embedded/process.ts';
import { DatabaseUnusable } from './embedded/database-unusable.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: (line: string) => void;
  /** Additional arguments of `postgres`, such as `-c fsync=off` for tests. */
  flags?: readonly string[];
  /** Lets several processes use one server, which the last of them stops. Only test runs set it. */
  shared?: boolean;
}

export interface Embedded {
  /**
   * Returns the address of a database, with the role of the server. It stays the same until stop(). The database
   * `openslot` always exists.
   */
  url(name: string): string;
  /** The address with the role that owns the databases, for migrations. */
  ownerUrl(name: string): string;
  /** The folder that holds the database and nothing else. */
  home: string;
  stop(): Promise<void>;
}

/** Another running program holds this data directory. */
export class DataDirInUse extends DatabaseUnusable {
  override readonly name = 'DataDirInUse';
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(
      `Another Openslot (process ${pid}) is using ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
    this.pid = pid;
  }
}

/** startEmbedded() creates this database if it does not exist. */
const database = 'openslot';
/** The advisory lock that a process holds while it uses the data directory. The number must never change. */
const lockKey = 7_006_825;
/** The system closes the connection of a killed process at once, but PostgreSQL needs a moment to release its lock. */
const deadHolderMillis = 5000;

/**
 * Starts the database of `dataDir`, or takes over the one that runs there. Throws DataDirInUse if another process uses
 * `dataDir`, and a plain error with the end of PostgreSQL's log if the database does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = path.resolve(options.dataDir);
  const { log, flags = [], shared = false } = options;
  const location = chooseLocation(dataDir, log);
  const cluster = await Cluster.open(location, flags, log);
  let stopping = false;
  let restarting: Promise<void> | undefined;
  let hold = await runAndHold();
  await createDatabaseIfMissing(cluster.ownerUrl('postgres'), database);

  async function runAndHold(): Promise<pg.Client> {
    for (let attempt = 1; ; attempt += 1) {
      await cluster.run();
      try {
        const client = await takeHold(cluster, dataDir, shared);
        if (await cluster.hasServerRole()) {
          client.on('end', onConnectionLost);
          return client;
        }
        log('The database gets a role for the server, which owns no tables…');
        await cluster.addServerRole();
      } catch (error) {
        // Another process that shared the server may have stopped it just now.
        if (error instanceof DataDirInUse || attempt === 5) throw error;
      }
    }
  }

  function onConnectionLost(): void {
    if (!stopping) restarting ??= restart().finally(() => (restarting = undefined));
  }

  async function restart(): Promise<void> {
    log('The database stopped unexpectedly. Restarting it…');
    while (!stopping) {
      try {
        hold = await runAndHold();
        log('The database is running again.');
        return;
      } catch (error) {
        log(
          `The database did not restart. Trying again. ${error instanceof Error ? error.message : String(error)}`,
        );
        await pause(1000);
      }
    }
  }

  return {
    url: (name) => cluster.url(name),
    ownerUrl: (name) => cluster.ownerUrl(name),
    home: location.home,
    stop: async () => {
      stopping = true;
      await restarting;
      if (!shared || (await isLast(hold).catch(() => true))) await cluster.stop();
      await hold.end().catch(() => {});
    },
  };
}

/**
 * Opens a connection that holds the data directory for this process until the connection ends. Throws DataDirInUse if
 * another process holds it.
 */
async function takeHold(cluster: Cluster, dataDir: string, shared: boolean): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: cluster.ownerUrl('postgres'),
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

/** Gives up this process's share of the server. Returns whether no other process shares it. */
async function isLast(hold: pg.Client): Promise<boolean> {
  await hold.query('select pg_advisory_unlock_shared($1)', [lockKey]);
  const { rows } = await hold.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    lockKey,
  ]);
  return rows[0]?.taken ?? false;
}
