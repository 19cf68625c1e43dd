/** What the console says of the installation and its backups, which `doctor` and the metrics say too. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Reply } from '#domain/endpoint.ts';
import { spanText } from '#domain/format.ts';
import type { getSystem } from '#domain/operator/console/system-contract.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { serverName } from '#server/platform/database/servers/servers.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import type { Client } from '#server/testing/client.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { intentOf } from '#server/testing/money/payout-market.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { diagnose } from '../command-line/doctor.ts';

const server = useOwnServer({ env: { METRICS_TOKEN: 'token' } });
let desk: Client;
beforeAll(async () => {
  desk = (await makeOperator(server)).client;
});
beforeEach(async () => {
  await server.owner.deleteFrom('backups').execute();
});

async function read(): Promise<Reply<typeof getSystem>> {
  const { status, body } = await desk.get('/api/operator/system');
  expect(status).toBe(200);
  return body;
}
const problemsShown = async () => (await read()).backups.problems.join(' ');

async function doctor(env: Record<string, string> = {}) {
  const { databaseUrl: DATABASE_URL, ctx } = server;
  const settings = { DATABASE_URL, DATA_DIR: ctx.config.dataDir, PORT: String(ctx.config.port), ...env };
  const findings = await diagnose(settings, server.clock.now);
  return findings.find(({ check }) => check === 'backup');
}

/** The two ages of the metrics, in whole hours. Undefined where the series is absent. */
async function hours(): Promise<(number | undefined)[]> {
  const { text } = await server.anyone().get('/metrics', { authorization: 'Bearer token' });
  return ['', '_verified'].map((kind) => {
    const [, seconds] = new RegExp(`^openslot_backup${kind}_age_seconds (\\S+)$`, 'm').exec(text) ?? [];
    return seconds === undefined ? undefined : Math.floor(Number(seconds) / 3600);
  });
}

const ago = (hoursAgo: number) => later(server.ctx.now(), -hoursAgo * HOUR_MS - 60_000);

/** A backup that was made so many hours ago, and restored as a proof `proof` hours ago. */
async function made(hoursAgo: number, { proof, ...row }: { proof?: number; verifyError?: string } = {}) {
  const startedAt = ago(hoursAgo);
  const backup = `/backups/openslot-${startedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  await server.ctx.db
    .insertInto('backups')
    .values({
      place: '/backups',
      backup,
      startedAt,
      release: '0.1.9',
      bytes: 1_234_567_890,
      seconds: 95,
      verifiedAt: proof === undefined ? null : ago(proof),
      ...row,
    })
    .execute();
  return backup;
}

async function failed(hoursAgo: number, error: string) {
  await server.ctx.db
    .insertInto('backups')
    .values({ place: '/backups', startedAt: ago(hoursAgo), release: '0.1.9', error })
    .execute();
}

it('shows the release of the server, of the database and of each server that runs', async () => {
  const { db } = server.ctx;
  await sql`insert into servers (server, release, seen) values
    ('other:7 on port 1', '0.1.7', now() - interval '20 seconds'),
    ('gone:8 on port 1', '0.1.8', now() - interval '40 seconds')`.execute(db);
  await server.owner.updateTable('openslotRelease').set({ compatibleFrom: '0.0.5' }).execute();
  const system = await read();
  expect(system).toMatchObject({
    release: RELEASE,
    database: { release: RELEASE, compatibleFrom: '0.0.5' },
  });
  expect(system.instances).toContainEqual({
    name: serverName(server.ctx.config.port),
    release: RELEASE,
    seenSeconds: expect.any(Number),
  });
  const other = system.instances.find(({ name }) => name === 'other:7 on port 1');
  expect(other?.release).toBe('0.1.7');
  expect(other?.seenSeconds).toBeGreaterThanOrEqual(20);
  expect(system.instances.map(({ name }) => name)).not.toContain('gone:8 on port 1');
  await db.deleteFrom('servers').execute();
  expect((await read()).instances).toEqual([]);
});

it('counts the work that waits', async () => {
  const { db, payments } = server.ctx;
  const work = async () => (await read()).work;
  expect(await work()).toEqual({
    jobsWaiting: expect.any(Number),
    jobsFailed: 0,
    oldestJobSeconds: expect.any(Number),
    mailWaiting: expect.any(Number),
    uncovered: '0.00',
    differences: 0,
  });
  // The balance does not cover the owed amounts by as much as the fees of a dispute and of the card.
  const product = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };
  const { ad } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'), { product });
  await sandboxOf(server).play.dispute(await intentOf(server, ad), 'dispute');
  // The provider tells its fee after a while.
  server.clock.advance(20 * MINUTE_MS);
  await runMoneyWork(server.ctx);
  await db.deleteFrom('messages').execute();
  await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs`.execute(db);
  await sql`select graphile_worker.add_job('remove-expired', run_at => now() - interval '3 hours')`.execute(
    db,
  );
  await sql`select graphile_worker.add_job('remove-expired', run_at => now() + interval '1 day')`.execute(db);
  await sql`
    update graphile_worker._private_jobs set last_error = 'broken', attempts = max_attempts
      where id = (select max(id) from graphile_worker._private_jobs)`.execute(db);
  const mail = { subject: 'Hello', heading: 'Hello', paragraphs: [] };
  for (const recipient of ['kept@example.test', 'bounced@example.test'])
    await postMessage(server.ctx, db, { recipient, kind: 'test', mail });
  await db.updateTable('messages').set({ kept: false }).execute();
  const bounced = db.updateTable('messages').where('recipient', '=', 'bounced@example.test');
  await bounced.set({ suppressed: true }).execute();
  await sql`
    insert into differences (book, kind, ref, amount_cents, currency, since)
      values (${payments.book}, 'not_at_provider', 'x', 100, 'USD', now())`.execute(db);
  const now = await work();
  expect(now).toMatchObject({
    // One is due, and each mail has one.
    jobsWaiting: 3,
    jobsFailed: 1,
    mailWaiting: 1,
    uncovered: '3.20',
    differences: 1,
  });
  expect(spanText(now.oldestJobSeconds)).toBe('3 hours');
  await db.deleteFrom('differences').execute();
});

it('says where the uploads are and how large the database is', async () => {
  const { uploads, database } = await read();
  expect(uploads).toBe(`${server.ctx.config.dataDir}/uploads`);
  expect(database.bytes).toBeGreaterThan(1_000_000);
});

it('says how to make the first backup, and the doctor warns that there is none', async () => {
  expect(await problemsShown()).toContain('`openslot backup --to DIR`');
  expect(await doctor()).toEqual({
    check: 'backup',
    state: 'warn',
    text: 'No backup was made yet. Set `BACKUP_TO` to make one each day, or run `openslot backup --to DIR` now.',
  });
  expect((await doctor({ BACKUP_TO: '/backups', BACKUP_AT: '04:30' }))?.text).toBe(
    'No backup was made yet. The server makes one each day at 04:30 UTC. To make one now, run `openslot backup --to /backups`.',
  );
  expect(await hours()).toEqual([undefined, undefined]);
  await failed(1, 'The disk is full');
  expect(await problemsShown()).toContain(
    'The last backup failed: The disk is full. No backup was made yet.',
  );
  expect(await hours()).toEqual([undefined, undefined]);
});

it('shows age, last proof, size and duration of backups in the console, in the doctor and in the metrics', async () => {
  // An older backup can be the last proof.
  const first = await made(50, { proof: 20 });
  await made(25, { proof: 24 });
  const newest = await made(3);
  const ages = 'The newest backup is 3 hours old. One was last restored as a proof 20 hours ago.';
  expect(await doctor({ BACKUP_TO: '/backups' })).toEqual({ check: 'backup', state: 'ok', text: ages });
  expect(await hours()).toEqual([3, 20]);
  const { backups } = await read();
  expect([backups.ages, backups.problems]).toEqual([ages, []]);
  expect(backups.last[0]).toMatchObject({
    backup: newest,
    bytes: 1_234_567_890,
    seconds: 95,
    release: '0.1.9',
  });
  expect(backups.last.at(-1)?.backup).toBe(first);
  expect(backups.last.filter(({ verifiedAt }) => verifiedAt !== null)).toHaveLength(2);

  for (let hour = 4; hour < 20; hour += 1) await made(hour);
  expect((await read()).backups.last).toHaveLength(10);
});

it('warns of a failed backup, of an old one, and of missing proofs', async () => {
  const problems = async (env: Record<string, string> = {}) => {
    const found = await doctor(env);
    return found?.state === 'warn' ? found.text : null;
  };
  const daily = { BACKUP_TO: '/backups' };
  await made(27, { proof: 26 });
  expect(await problems()).toBeNull();
  expect(await problems(daily)).toMatch(/^The newest backup is 27 hours old\. .* \/backups can be written/);

  await server.owner.deleteFrom('backups').execute();
  await made(1);
  expect(await problems(daily)).toMatch(/^No backup was restored as a proof yet\. .*backup verify/);
  await made(73, { proof: 71 });
  expect(await problems(daily)).toBeNull();
  await server.ctx.db
    .updateTable('backups')
    .set({ verifiedAt: ago(73) })
    .where('verifiedAt', 'is not', null)
    .execute();
  expect(await problems(daily)).toBe(
    'No backup was restored as a proof for 3 days. Run `openslot backup verify --from BACKUP`.',
  );
  // A backup that held once and is damaged now is no proof.
  const damaged = await made(0, { proof: 0, verifyError: 'part 3 is cut <short>.' });
  expect(await problems(daily)).toBe(
    'The last backup did not hold as a proof: part 3 is cut <short>. No backup was restored as a proof for 3 days. Run `openslot backup verify --from BACKUP`.',
  );
  expect(await hours()).toEqual([0, 73]);
  expect(await problemsShown()).toMatch(/^The last backup did not hold.*`openslot backup verify/);
  expect((await read()).backups.last[0]).toMatchObject({
    backup: damaged,
    verifyError: 'part 3 is cut <short>.',
  });

  await server.owner.deleteFrom('backups').execute();
  await made(2, { proof: 1 });
  await failed(1, '/backups cannot be written: EACCES');
  expect(await problems(daily)).toBe('The last backup failed: /backups cannot be written: EACCES.');
  expect((await read()).backups.last[0]).toMatchObject({
    place: '/backups',
    backup: null,
    error: '/backups cannot be written: EACCES',
  });
  await made(0);
  expect(await problems(daily)).toBeNull();
});

it('takes ages by the marketplace’s clock', async () => {
  await made(1, { proof: 1 });
  await server.anyone().post('/dev/clock', { advance: (4 * DAY_MS) / 1000 });
  expect(await hours()).toEqual([97, 97]);
  expect((await read()).backups.ages).toContain('The newest backup is 4 days old.');
  expect((await doctor({ BACKUP_TO: '/backups' }))?.text).toMatch(/^The newest backup is 4 days old\./);
});
