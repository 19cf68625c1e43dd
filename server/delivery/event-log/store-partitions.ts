import { sql } from 'kysely';
import pg from 'pg';
import type { Database, Tx } from '#server/db/database.ts';

/** Any number works, as long as every instance of the server uses the same one. */
const LOCK = 7_305_113;
/** Counting never waits for these locks. The limit lets the job end, so that its next run tries again. */
const LOCK_TIMEOUT = '1s';

/**
 * A partition is dropped in three steps, and an earlier run may have ended after any of them. 'detaching': it waits for
 * transactions that may still read it. 'detached': it is an ordinary table.
 */
export type Partition = { day: string; state: 'attached' | 'detaching' | 'detached' };

/**
 * Calls `work` with one connection, on which no lock is waited for longer than a second, unless another instance does the
 * same now. The connection is not in a transaction, because DETACH PARTITION CONCURRENTLY must not be.
 */
export async function inTurn(db: Database, work: (connection: Database) => Promise<void>): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${LOCK}) as taken`.execute(
      connection,
    );
    if (!rows[0]?.taken) return;
    try {
      await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(connection);
      await work(connection);
    } finally {
      await sql`reset lock_timeout`.execute(connection);
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
}

export async function ensurePartition(tx: Tx, day: string): Promise<void> {
  await sql`select ensure_event_partition(${day})`.execute(tx);
}

/** All partitions. Those that are being detached come first, because PostgreSQL detaches only one at a time. */
export async function findPartitions(tx: Tx): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select to_char(to_date(substr(c.relname, 11), 'YYYYMMDD'), 'YYYY-MM-DD') as day,
        case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as state
      from pg_class c
      left join pg_inherits i on i.inhrelid = c.oid
      where c.relname ~ '^ad_events_\\d{8}$' and c.relkind = 'r'
        and c.relnamespace = (select relnamespace from pg_class where oid = 'ad_events'::regclass)
      order by i.inhdetachpending desc nulls last, 1`.execute(tx);
  return rows;
}

/** Fails if the partition is still being read (see isLockTimeout). The next call continues where this one ended. */
export async function dropPartition(connection: Database, { day, state }: Partition): Promise<void> {
  const partition = sql.id(`ad_events_${day.replaceAll('-', '')}`);
  if (state === 'attached')
    await sql`alter table ad_events detach partition ${partition} concurrently`.execute(connection);
  if (state === 'detaching')
    await sql`alter table ad_events detach partition ${partition} finalize`.execute(connection);
  await sql`drop table ${partition}`.execute(connection);
}

export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';
