import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { runDueJobs } from './run-due.ts';

const server = useOwnServer();

const unsent = async () =>
  await server.ctx.db.selectFrom('messages').select('kind').where('kept', '=', false).execute();

it('ends a campaign, refunds it, applies the event of the refund and sends the mails in one run', async () => {
  const { db } = server.ctx;
  const { ad } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'), {
    product: { pricingModel: 'per_impression', impressions: 1000, duration: undefined },
  });
  server.clock.advance(95 * DAY_MS);
  // The tag still requests ads.
  await db.updateTable('adZones').set({ tagSeenAt: server.clock.now() }).execute();
  expect(await unsent()).not.toEqual([]);

  const run = await runDueJobs(server.ctx, server.databaseUrl);
  expect(run).toMatchObject({ failed: [], money: { differences: [], unknown: [] } });
  const { status, endedReason } = await db
    .selectFrom('ads')
    .select(['status', 'endedReason'])
    .where('id', '=', ad.id)
    .executeTakeFirstOrThrow();
  expect([status, endedReason]).toEqual(['completed', 'quota_unfinished']);
  const refunds = await db.selectFrom('refunds').select('status').execute();
  expect(refunds).toEqual([{ status: 'done' }]);
  expect(await unsent()).toEqual([]);
  // The next step of the sandbox may have become due after the run, because it waits by the wall clock.
  const due = await sql`
    select task_identifier from graphile_worker.jobs
      where run_at <= now() and task_identifier <> 'settle-sandbox-object'`.execute(db);
  expect(due.rows).toEqual([]);
  await sql`
    select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), now() + interval '1 day')`.execute(
    server.owner,
  );
  expect((await runDueJobs(server.ctx, server.databaseUrl)).jobs).toBe(0);
});

it('does not wait for a job of a server that was killed, but does it', async () => {
  await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
  const { rows: held } = await sql`
    update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now() where run_at <= now() returning id`.execute(
    server.owner,
  );
  expect(held).not.toEqual([]);
  expect(await runDueJobs(server.ctx, server.databaseUrl)).toMatchObject({ failed: [] });
  const { rows: left } = await sql`
    select id from graphile_worker._private_jobs where locked_by is not null`.execute(server.owner);
  expect(left).toEqual([]);
});

it('is a command of openslot', async () => {
  const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.ctx.config.dataDir };
  const { code, out } = await runOpenslot(['jobs', 'run', '--json'], settings);
  // The fee of the charge may be due only now.
  const jobs = expect.any(Number) as number;
  expect([code, JSON.parse(out)]).toMatchObject([0, { jobs, failed: [], money: { holds: true } }]);
  expect(await runOpenslot(['jobs', 'run', '--dry-run'], settings)).toMatchObject({ code: 2, out: '' });
});
