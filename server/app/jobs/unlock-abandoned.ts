/** Releases the jobs of killed workers, for which the queue itself would wait four hours. */
import type { WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { Database } from '#server/platform/database/database.ts';
import { MINUTE_MS } from '#domain/time.ts';

/** The advisory locks of the workers that live, each with the hash of its name. The number must never change. */
const WORKER_LOCKS = 7_305_125;

/** A worker begins a job before it is announced, or loses its connection and takes another one. */
export const ABSENT_FOR_MS = 5000;
/** A job that takes longer will not end. The slowest ones pack days of events. */
export const HUNG_FOR_MS = 10 * MINUTE_MS;

/**
 * Returns a function that announces on an idle connection that the workers of `events` live, for as long as it is open. Call
 * the function again with the connection that takes its place.
 */
export function announceWorkers(events: WorkerEvents): (client: ClientBase) => void {
  const workers: string[] = [];
  let connection: ClientBase | null = null;
  const announce = () => {
    if (connection === null || workers.length === 0) return;
    const lock = 'select pg_advisory_lock_shared($1, hashtext(worker)) from unnest($2::text[]) as worker';
    // A connection that ends here is replaced, and the next one announces all of them.
    connection.query(lock, [WORKER_LOCKS, workers]).catch(() => {});
  };
  events.on('worker:create', ({ worker }) => {
    workers.push(worker.workerId);
    announce();
  });
  return (client) => {
    connection = client;
    announce();
  };
}

/** Whether the worker that holds a job of `jobs` is announced on no connection. An `objid` has no sign. */
const isDead = sql`
  not exists (
    select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.classid = ${WORKER_LOCKS} and l.objsubid = 2 and d.datname = current_database()
        and l.objid = (hashtext(jobs.locked_by)::bigint & 4294967295)::oid)`;

/**
 * Releases the jobs of workers that have ended without a word, for example by `kill -9`, if they took them `absentForMs`
 * ago, and those that hang. The locks have the time of the database, so the comparison uses it, too.
 */
export async function unlockAbandoned(
  db: Database,
  { absentForMs = ABSENT_FOR_MS, hungForMs = HUNG_FOR_MS } = {},
): Promise<void> {
  const heldFor = (ms: number) => sql`jobs.locked_at <= now() - make_interval(secs => ${ms / 1000})`;
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs as jobs
        where locked_by is not null and (${heldFor(hungForMs)} or ${heldFor(absentForMs)} and ${isDead})))
  `.execute(db);
}

/** Whether a worker that lives has begun a due job. */
export async function isBusy(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from graphile_worker.jobs as jobs
      where run_at <= now() and attempts <= max_attempts and locked_by is not null and not ${isDead} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
