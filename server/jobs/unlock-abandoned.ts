import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** No job of ours takes a minute; the longest wait for a mail relay. */
export const ABANDONED_AFTER_MS = 10 * 60 * 1000;

/**
 * Takes jobs away from workers that died with them, such as by `kill -9`; the queue itself waits four hours. A worker
 * has one job at a time, so one that has held a job for `heldForMs` is dead. In the database's time, like the locks.
 */
export async function unlockAbandoned(db: Database, heldForMs: number): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs
      where locked_by is not null and locked_at <= now() - make_interval(secs => ${heldForMs / 1000})))
  `.execute(db);
}
