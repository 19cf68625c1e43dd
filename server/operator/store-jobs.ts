/** Reads and changes the job queue by graphile-worker's own view and functions. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

export type JobRow = {
  id: number;
  name: string;
  attempts: number;
  maxAttempts: number;
  /** The queue retries a job that failed, later and later, until `maxAttempts`. */
  runAt: Date;
  createdAt: Date;
  isRunning: boolean;
  lastError: string | null;
};

// The queue is short, except when something is broken, and then the newest jobs are enough. It is read by its key.
const COLUMNS = sql`
  id::integer as id, task_identifier as name, attempts, max_attempts, run_at, created_at,
  locked_at is not null as is_running, last_error`;

/** Newest first, with ids below `before`. */
export async function selectJobs(
  tx: Tx,
  { failed, before, limit }: { failed: boolean; before: number | null; limit: number },
): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select ${COLUMNS} from graphile_worker.jobs
      where ${failed ? sql`last_error is not null` : sql`true`}
        and ${before === null ? sql`true` : sql`id < ${before}`}
      order by id desc
      limit ${limit}`.execute(tx);
  return rows;
}

export async function findJob(tx: Tx, id: number): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select ${COLUMNS} from graphile_worker.jobs where id = ${id}`.execute(tx);
  return rows[0];
}

export async function countFailedJobs(tx: Tx): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from graphile_worker.jobs where last_error is not null`.execute(tx);
  return Number(rows[0]?.n ?? 0);
}

/** Returns false if the job is running. */
export async function retryQueued(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := now(), attempts := 0)`.execute(
    tx,
  );
  return rows.length === 1;
}

/** Returns false if the job is running. */
export async function dropQueued(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`.execute(tx);
  return rows.length === 1;
}
