import { sql } from 'kysely';
import pg from 'pg';
import type { Tx } from '#server/db/database.ts';

export async function ensurePartitions(tx: Tx, days: string[]): Promise<void> {
  await sql`select ensure_event_partition(day) from unnest(${days}::date[]) as day`.execute(tx);
}

/**
 * Returns the day that was dropped, or null if each partition is of the last `daysKept` days before `today`. Fails if the partition is still being
 * read (see isLockTimeout).
 */
export async function dropOldPartition(tx: Tx, today: string, daysKept: number): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select drop_old_event_partition(${today}, ${daysKept}) as day`.execute(tx);
  return rows[0]?.day ?? null;
}

export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';
