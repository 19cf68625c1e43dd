/**
 * The built-in PostgreSQL, which Openslot uses when DATABASE_URL is not set. It is a real server in its own process
 * group, listens on 127.0.0.1 only, and keeps its files in the data directory. If Openslot is killed, it keeps running,
 * and the next start takes it over.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createDatabaseIfMissing } from '../database.ts';
import { chooseLocation } from './account.ts';
import { Cluster } from './cluster.ts';
import { DataDirInUse, isLast, takeLock } from './lock.ts';

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

/** startEmbedded() creates this database if it does not exist. */
const database = 'openslot';

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
  let lock = await runAndLock();
  await createDatabaseIfMissing(cluster.ownerUrl('postgres'), database);

  async function runAndLock(): Promise<pg.Client> {
    for (let attempt = 1; ; attempt += 1) {
      await cluster.run();
      try {
        const client = await takeLock(cluster, dataDir, shared);
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
        lock = await runAndLock();
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
      if (!shared || (await isLast(lock).catch(() => true))) await cluster.stop();
      await lock.end().catch(() => {});
    },
  };
}
