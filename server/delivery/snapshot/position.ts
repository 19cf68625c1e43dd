/** Positions in the changes of ad zones. Servers and cells remember up to where they have read. */
import { sql } from 'kysely';
import type { Tx } from '#server/db/database.ts';

/** Up to where the changes of a database have been read. */
export type Position = {
  horizon: string;
  /** The time at which this PostgreSQL was started. Another one is another server, or this one after a restart. */
  database: string;
};

/** No transaction is before this one. */
export const FIRST_HORIZON = '0';

export const POSITION = sql`pg_snapshot_xmin(pg_current_snapshot())::text as horizon, pg_postmaster_start_time()::text as database`;

export async function currentPosition(tx: Tx): Promise<Position> {
  const { rows } = await sql<Position>`select ${POSITION}`.execute(tx);
  return rows[0]!;
}
