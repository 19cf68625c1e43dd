/** The archive as the server and the command line write it: to S3, in a process of its own, and killed in the middle. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { spawnOpenslot } from '#server/testing/openslot.ts';
import { BUCKET, startBucket, type TestBucket } from '#server/testing/s3/bucket.ts';
import { COMPILED, spawnServer } from '#server/testing/server-process.ts';
import { SESSION_SECRET, startTestServer, type TestServer } from '#server/testing/server.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

let server: TestServer;
let s3: TestBucket;
let inS3: Record<string, string>;
let day: string;
let tests = 0;

beforeAll(async () => {
  [server, s3] = await Promise.all([startTestServer(), startBucket()]);
  inS3 = { ...s3.settings, ARCHIVE_TO: `s3://${BUCKET}/archive/events` };
});
beforeEach(() => (day = utcDay(later(new Date(), -(100 + 10 * tests++) * DAY_MS))));
afterEach(() => s3.break('none'));
afterAll(async () => {
  await server.close();
  await s3.close();
});

const settings = () => ({
  DATABASE_URL: server.databaseUrl,
  DATABASE_OWNER_URL: server.ownerUrl,
  DATA_DIR: server.ctx.config.dataDir,
  PORT: String(server.ctx.config.port),
});

async function archive(words: string[], more: Record<string, string> = inS3) {
  const { code, out, err } = await spawnOpenslot(['archive', ...words, '--json'], { ...settings(), ...more });
  if (out === '') throw new Error(err);
  return { code, answer: JSON.parse(out) as Record<string, unknown> };
}

/** Counted views of one ad at noon of the day, as count_events records them. */
async function countViews(views: number): Promise<void> {
  await sql`select ensure_event_partition(${day}::date)`.execute(server.owner);
  await sql`
    insert into ad_events (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at)
      select ${day}::date, substring(uuid_send(gen_random_uuid()) from 1 for 12), 'view', 1 + n % 100, 1, at, at + interval '2 s'
        from generate_series(1, ${views}::integer) as n, (select (${day} || 'T12:00:00Z')::timestamptz as at) as noon`.execute(
    server.owner,
  );
  await sql`
    insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      select (${day} || 'T12:00:00Z')::timestamptz, ad_id, 1, 'view', count(*)
        from ad_events where issued_on = ${day}::date group by ad_id`.execute(server.owner);
}

async function isKept(): Promise<boolean> {
  const name = `ad_events_${day.replaceAll('-', '')}`;
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(
    server.ctx.db,
  );
  return rows[0]!.found;
}

const done = () => ({ archived: [day], kept: [], dropped: [day] });

it('archives in S3, and reads it back from there', async () => {
  await countViews(1000);
  expect(await archive(['run'])).toEqual({ code: 0, answer: done() });
  expect(await isKept()).toBe(false);
  const { answer } = await archive(['list']);
  const [listed] = answer['days'] as { day: string; bytes: number }[];
  expect(listed).toMatchObject({ day, rows: 1000, agrees: true });
  expect(await archive(['verify', '--day', day])).toEqual({
    code: 0,
    answer: { day, rows: 1000, bytes: listed!.bytes, agrees: true, problems: [] },
  });
  expect(s3.calls().join('\n')).toContain(`/${BUCKET}/archive/events/day`);
});

it.each([
  ['is away', 'refuse', {}, 'S3 cannot be reached'],
  [
    'gives no right to write',
    { status: 403 },
    {},
    'S3 answered PUT with 403 AccessDenied. Check S3_ACCESS_KEY_ID',
  ],
  ['is busy', { status: 503 }, {}, 'S3 answered PUT with 503'],
  [
    'has no such bucket',
    'none',
    { ARCHIVE_TO: 's3://no-such-bucket/archive' },
    'S3_BUCKET names no-such-bucket, which',
  ],
  ['has another key', 'none', { S3_SECRET_ACCESS_KEY: 'wrong-secret' }, 'S3 answered'],
] as const)(
  'keeps the day while S3 %s, says so, and archives it afterwards',
  async (_what, fault, more, sentence) => {
    await countViews(10);
    s3.break(fault, { method: 'PUT' });
    const { code, answer } = await archive(['run'], { ...inS3, ...more });
    expect({ code, answer }).toEqual({
      code: 1,
      answer: { archived: [], kept: [{ day, problems: [expect.stringContaining(sentence)] }], dropped: [] },
    });
    expect(JSON.stringify(answer)).not.toContain('wrong-secret');
    expect(await isKept()).toBe(true);
    expect((await archive(['verify', '--day', day])).code).toBe(1);
    s3.break('none');
    expect(await archive(['run'])).toEqual({ code: 0, answer: done() });
  },
);

it('starts again after it was killed in the middle, and never has a whole day in memory', async () => {
  await countViews(600_000);
  const folder = newTemporaryFolder('archive');
  const begin = () =>
    // A day in memory would take more than this heap.
    spawn(
      process.execPath,
      ['--max-old-space-size=96', 'server/app/openslot.ts', 'archive', 'run', '--json'],
      {
        cwd: ROOT,
        env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...settings(), ARCHIVE_TO: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
  const killed = begin();
  const files = async () => await readdir(path.join(folder, `day=${day}`)).catch((): string[] => []);
  while (killed.exitCode === null && !(await files()).includes('part-0.parquet')) await pause(20);
  expect(killed.exitCode).toBeNull();
  killed.kill('SIGKILL');
  await once(killed, 'close');
  expect(await isKept()).toBe(true);
  expect((await archive(['list'], { ARCHIVE_TO: folder })).answer['days']).not.toContainEqual(
    expect.objectContaining({ day }),
  );

  const again = begin();
  let output = '';
  again.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(again, 'close');
  expect(JSON.parse(output)).toEqual(done());
  expect(await files()).toEqual(['part-0.parquet', 'part-1.parquet']);
  expect((await archive(['verify', '--day', day], { ARCHIVE_TO: folder })).answer).toMatchObject({
    rows: 600_000,
    agrees: true,
  });
  removeFolder(folder);
});

it('is written by a running server without being asked, which logs the days that it keeps', async () => {
  await countViews(20);
  const other = utcDay(later(new Date(`${day}T00:00:00Z`), 3 * DAY_MS));
  await sql`select ensure_event_partition(${other}::date)`.execute(server.owner);
  await sql`insert into ad_events (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at)
    values (${other}::date, '\\x01', 'view', 1, 1, ${other}::timestamptz, ${other}::timestamptz)`.execute(
    server.owner,
  );
  const folder = newTemporaryFolder('archive');
  const port = await freePort();
  const running = spawnServer({
    ...settings(),
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SAMPLE_DATA: '0',
    SESSION_SECRET,
    ARCHIVE_TO: folder,
    LOG_FORMAT: 'json',
  });
  try {
    const isRunning = () => running.child.exitCode === null;
    while (isRunning() && (await isKept())) await pause(100);
    while (isRunning() && !running.output().includes('a day of events is kept')) await pause(100);
    expect(running.output()).toContain('ad 1, view, counted: 1 in the archive and 0 in the counters');
    expect((await readdir(folder)).toSorted()).toEqual(
      [`day=${day}`, `day=${other}`, 'openslot-installation'].toSorted(),
    );
  } finally {
    await running.stop('SIGTERM');
    removeFolder(folder);
  }
});
