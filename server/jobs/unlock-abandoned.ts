import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** No job takes longer than a minute. The slowest ones wait for a mail relay. */
export const ABANDONED_AFTER_MS = 10 * 60 * 1000;

/**
 * Releases the jobs of workers that were killed, for example by `kill -9`. The queue itself would wait four hours. A
 * worker runs one job at a time, so one that has held a job for `heldForMs` is dead. The locks have the time of the
 * database, so the comparison uses it, too.
 */
export async function unlockAbandoned(db: Database, heldForMs: number): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs
      where locked_by is not null and locked_at <= now() - make_interval(secs => ${heldForMs / 1000})))
  `.execute(db);
}
