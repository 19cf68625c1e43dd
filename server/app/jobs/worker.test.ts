import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { removeExpired } from './remove-expired.ts';
import { announceWorkers, unlockAbandoned } from './unlock-abandoned.ts';
import { startJobs } from './worker.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const lines: string[] = [];

const count = async (table: 'rateLimits' | 'messages' | 'emailVerifications') =>
  Number(
    (
      await server.ctx.db
        .selectFrom(table)
        .select((row) => row.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

async function register(email: string): Promise<void> {
  const person = { email, password: PASSWORD, firstName: 'A', lastName: 'B' };
  await server.anyone().post('/api/auth/register', person);
}

const server = useOwnServer({ log: (line) => lines.push(line) });

// Proves AUTH-26, ENT-07
it('removes expired counters, codes and messages, and keeps the rest', async () => {
  await register('swept@example.test');
  expect(await count('rateLimits')).toBeGreaterThan(0);
  await removeExpired(server.ctx);
  expect(await mailTo(server.ctx, 'swept@example.test')).toHaveLength(1);
  expect(await count('emailVerifications')).toBe(1);
  expect(await count('rateLimits')).toBeGreaterThan(0);

  server.clock.advance(31 * DAY_MS);
  await removeExpired(server.ctx);
  expect(await count('messages')).toBe(0);
  expect(await count('emailVerifications')).toBe(0);
  expect(await count('rateLimits')).toBe(0);
  const user = { email: 'swept@example.test', password: PASSWORD };
  expect((await server.anyone().post('/api/auth/login', user)).body).toEqual({ requiresVerification: true });
});

// Proves STATE-06
it('runs every scheduled job without an error on two instances at once', async () => {
  const instances = [
    await startJobs(server.ctx, server.databaseUrl),
    await startJobs(server.ctx, server.databaseUrl),
  ];
  const names = [
    'complete-due-ads',
    'expire-unpaid-ads',
    'check-payments',
    'remove-expired',
    'unlock-abandoned',
    'ensure-event-partitions',
  ];
  try {
    for (const name of names) await sql`select graphile_worker.add_job(${name})`.execute(server.ctx.db);
    await register('served@example.test');
    const waiting = async () =>
      (
        await server.app.pool.query<{ task: string; error: string | null }>(
          'select task_identifier as task, last_error as error from graphile_worker.jobs',
        )
      ).rows;
    await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 60_000 });
  } finally {
    for (const instance of instances) await instance.stop();
  }
  expect(lines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  const { kept } = await server.ctx.db
    .selectFrom('messages')
    .select('kept')
    .where('recipient', '=', 'served@example.test')
    .executeTakeFirstOrThrow();
  expect(kept).toBe(true);
});

// Proves AUTH-26
it('takes over the jobs of a killed worker, and leaves those of one that lives', async () => {
  const { pool } = server.app;
  const held = async () =>
    (
      await pool.query<{ by: string }>(
        `select locked_by as by from graphile_worker._private_jobs where locked_by is not null order by 1`,
      )
    ).rows.map(({ by }) => by);
  const hold = async (worker: string, ago: string) => {
    const email = `${worker}@example.test`;
    await register(email);
    await pool.query(
      `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - $2::interval where locked_by is null`,
      [worker, ago],
    );
    return email;
  };
  const events: WorkerEvents = new EventEmitter();
  const connection = new pg.Client({ connectionString: server.databaseUrl });
  await connection.connect();
  const announce = announceWorkers(events);
  for (const workerId of ['alive', 'hanging'])
    events.emit('worker:create', { worker: { workerId } } as never);
  announce(connection);
  await hold('alive', '9 minutes');
  await hold('hanging', '11 minutes');
  await hold('killed', '6 seconds');
  const began = await hold('began', '0 seconds');
  await unlockAbandoned(server.ctx.db);
  expect(await held()).toEqual(['alive', 'began']);

  await connection.end();
  await vi.waitUntil(async () => {
    await unlockAbandoned(server.ctx.db);
    return !(await held()).includes('alive');
  });

  // The next start takes over the rest, and announces its own workers.
  const jobs = await startJobs(server.ctx, server.databaseUrl);
  const announced = `select from pg_locks l join pg_database d on d.oid = l.database
    where locktype = 'advisory' and classid = 7305125 and d.datname = current_database()`;
  await vi.waitUntil(async () => (await pool.query(announced)).rowCount! > 0);
  const isKept = async (recipient: string) =>
    (
      await server.ctx.db
        .selectFrom('messages')
        .select('kept')
        .where('recipient', '=', recipient)
        .executeTakeFirst()
    )?.kept;
  await vi.waitUntil(async () => await isKept(began), { timeout: 60_000 });
  await jobs.stop();
});

describe('while the database refuses the ends of jobs', () => {
  const LOCK = 4711;
  let other: pg.Client;
  let jobs: Awaited<ReturnType<typeof startJobs>>;
  let recipients: string[];
  let registered = 0;

  const waitUntil = async (condition: () => Promise<boolean>) =>
    await vi.waitUntil(condition, { timeout: 60_000 });
  const numberOf = async (query: string) =>
    Number((await server.app.pool.query<{ n: string }>(`select (select ${query}) as n`)).rows[0]!.n);
  const refusals = async () => await numberOf('last_value from refusals');
  const waiting = async () =>
    await numberOf(`count(*) from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`);

  /** Makes the database refuse the ends of two jobs at the same time, each in its own statement. */
  beforeEach(async () => {
    other = new pg.Client({ connectionString: server.ownerUrl });
    await other.connect();
    // A refusal waits as long as `other` holds the lock.
    await other.query(`
      create sequence refusals;
      grant select, usage on refusals to public;
      create function refuse() returns trigger language plpgsql as $$
        begin
          perform nextval('refusals');
          perform pg_advisory_xact_lock_shared(${LOCK});
          raise exception 'the database is away';
        end $$;
      create trigger refuse before delete on graphile_worker._private_jobs for each statement execute function refuse();
      select pg_advisory_lock(${LOCK})`);
    jobs = await startJobs(server.ctx, server.databaseUrl);
    recipients = [];
    for (const refused of [1, 2]) {
      recipients.push(`refused-${++registered}@example.test`);
      await register(recipients.at(-1)!);
      await waitUntil(async () => (await waiting()) >= refused);
    }
  });
  const accept = async () => await other.query('drop function refuse cascade; drop sequence refusals');
  afterEach(async () => {
    // Ending the session of `other` releases its lock. Otherwise `stop` would wait for the refusals.
    await other.end();
    await jobs.stop();
  });

  // Proves AUTH-26, RUN-04
  it('keeps running jobs, finishes them afterwards, and sends each mail once', async () => {
    await other.query(`select pg_advisory_unlock(${LOCK})`);
    await waitUntil(async () => (await refusals()) >= 4);
    await accept();
    await waitUntil(async () => (await numberOf('count(*) from graphile_worker._private_jobs')) === 0);
    for (const recipient of recipients) expect(await mailTo(server.ctx, recipient)).toHaveLength(1);
  });

  // Proves RUN-04
  it('stops, also in the middle of its next start', async () => {
    // The next start reads this table, so it waits.
    await other.query(`begin; lock table graphile_worker.migrations; select pg_advisory_unlock(${LOCK})`);
    await waitUntil(async () => (await waiting()) > 0);
    const stopped = jobs.stop();
    await other.query('rollback');
    await expect(stopped).resolves.toBeUndefined();
    await accept();
  });
});
