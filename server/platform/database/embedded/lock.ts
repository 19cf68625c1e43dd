/** The lock of a data directory, an advisory one in its cluster, so that one process uses it at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { clientTo } from '../database.ts';
import type { Cluster } from './cluster.ts';
import { DatabaseUnusable } from './data-directory.ts';
import { isAlive } from './process.ts';

/** Another running program uses this data directory. */
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

/** The advisory lock that a process holds while it uses the data directory. The number must never change. */
const lockKey = 7_006_825;
/** The system closes the connection of a killed process at once, but PostgreSQL needs a moment to release its lock. */
const deadHolderMillis = 5000;

/**
 * Opens a connection that locks the data directory for this process until the connection ends. Throws DataDirInUse if
 * another process has locked it.
 */
export async function takeLock(cluster: Cluster, dataDir: string, shared: boolean): Promise<pg.Client> {
  const client = clientTo(cluster.ownerUrl('postgres'), `openslot ${process.pid}`);
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
export async function isLast(lock: pg.Client): Promise<boolean> {
  await lock.query('select pg_advisory_unlock_shared($1)', [lockKey]);
  const { rows } = await lock.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    lockKey,
  ]);
  return rows[0]?.taken ?? false;
}
