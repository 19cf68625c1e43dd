import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { mailTo } from '../testing/mail.ts';
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts';
import { removeExpired } from './remove-expired.ts';
import { ABANDONED_AFTER_MS, unlockAbandoned } from './unlock-abandoned.ts';
import { startJobs } from './worker.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const lines: string[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ log: (line) => lines.push(line) });
});
afterAll(async () => await server.close());

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

// Proves AUTH-26, ENT-08
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
it('runs the jobs of a killed worker again, after ten minutes or at the next start', async () => {
  const held = async () =>
    (
      await server.app.pool.query<{ email: string }>(
        `select messages.recipient as email from graphile_worker._private_jobs jobs
         join messages on messages.id = (jobs.payload ->> 'messageId')::int where jobs.locked_by = 'dead'`,
      )
    ).rows.map(({ email }) => email);
  const die = async (minutesAgo: number) => {
    const name = `killed-${minutesAgo}@example.test`;
    await register(name);
    await server.app.pool.query(
      `update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - $1 * interval '1 minute'
       where locked_by is null`,
      [minutesAgo],
    );
    return name;
  };
  const recent = await die(9);
  await unlockAbandoned(server.ctx.db, ABANDONED_AFTER_MS);
  expect(await held()).toEqual([recent]);

  await die(11);
  await unlockAbandoned(server.ctx.db, ABANDONED_AFTER_MS);
  expect(await held()).toEqual([]);

  const last = await die(0);
  const jobs = await startJobs(server.ctx, server.databaseUrl);
  await vi.waitUntil(
    async () =>
      (
        await server.ctx.db
          .selectFrom('messages')
          .select('kept')
          .where('recipient', '=', last)
          .executeTakeFirst()
      )?.kept,
    { timeout: 60_000 },
  );
  await jobs.stop();
});

// Proves AUTH-26, RUN-04
it('finishes a job once the database accepts its end again, and sends its mail once', async () => {
  const { pool } = server.app;
  await pool.query(`
    create sequence refusals;
    create function refuse() returns trigger language plpgsql as $$
      begin perform nextval('refusals'); raise exception 'the database is away'; end $$;
    create trigger refuse before delete on graphile_worker._private_jobs for each statement execute function refuse()`);
  const refusals = async () =>
    (await pool.query<{ n: string }>('select last_value as n from refusals where is_called')).rows[0]?.n ?? 0;
  const jobs = await startJobs(server.ctx, server.databaseUrl);
  try {
    await register('patient@example.test');
    await vi.waitUntil(async () => Number(await refusals()) >= 3, { timeout: 60_000 });
    await pool.query('drop function refuse cascade');
    const left = async () => (await pool.query('select 1 from graphile_worker._private_jobs')).rows.length;
    await vi.waitUntil(async () => (await left()) === 0, { timeout: 60_000 });
    expect(await mailTo(server.ctx, 'patient@example.test')).toHaveLength(1);
  } finally {
    await jobs.stop();
    await pool.query('drop function if exists refuse cascade; drop sequence refusals');
  }
});
