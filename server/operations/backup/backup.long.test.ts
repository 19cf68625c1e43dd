/** `openslot backup`, `backup list`, `backup verify` and `restore`, with the sample's accounts, ads, money and files. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import { addSampleData, SAMPLE_ACCOUNTS } from '#server/app/sample/sample-data.ts';
import { Client } from '#server/testing/client.ts';
import { createBareDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { contents, query } from '#server/testing/database/contents.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { alone } from '#server/platform/jobs/alone.ts';
import { SIGN_INS } from './dump.ts';
import { ANOTHER_RUNS } from './make.ts';
import { spawnOpenslot } from '#server/testing/openslot.ts';
import { BUCKET, startBucket } from '#server/testing/s3/bucket.ts';
import { ready, spawnServer } from '#server/testing/server-process.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import {
  mountSmallDisk,
  newTemporaryFolder,
  NO_SMALL_DISK,
  removeFolder,
} from '#server/testing/temporary.ts';

const server = useOwnServer();
let backups: string;
const targets: TestDatabase[] = [];

beforeAll(async () => {
  await addSampleData(server.ctx);
  backups = newTemporaryFolder('backups');
});
afterEach(async () => {
  for (const target of targets.splice(0)) await target.drop();
});

type Answer = Record<string, unknown> & { backup: string; problems?: string[]; error?: string };

async function openslot(words: string[], settings: Record<string, string> = {}) {
  const { code, out, err } = await spawnOpenslot([...words, '--json'], {
    DATABASE_URL: server.databaseUrl,
    DATABASE_OWNER_URL: server.ownerUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
    ...settings,
  });
  if (out === '') throw new Error(err);
  return { code, answer: JSON.parse(out) as Answer };
}

const backUp = async (...more: string[]) => {
  const { code, answer } = await openslot(['backup', '--to', backups, ...more]);
  expect({ code, error: answer.error }).toEqual({ code: 0 });
  return answer;
};

/** The settings of an empty installation. */
async function emptyTarget(): Promise<{ database: TestDatabase; settings: Record<string, string> }> {
  const database = await createBareDatabase();
  targets.push(database);
  const settings = {
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: newTemporaryFolder('restored'),
  };
  return { database, settings };
}

/** The rows of the server's database as a restore gives them back: all but those of sign-ins. */
const restorable = async () => ({
  ...(await contents(server.ownerUrl)),
  ...Object.fromEntries(SIGN_INS.map((table) => [table, '0 '])),
});

const filesIn = async (dataDir: string) =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(path.join(dataDir, 'uploads'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => {
          const file = path.join(parentPath, name);
          return [path.relative(dataDir, file), (await readFile(file)).toString('base64')];
        }),
    ),
  );

const isEmpty = async ({ database, settings }: Awaited<ReturnType<typeof emptyTarget>>) =>
  (
    await query(
      database.ownerUrl,
      `select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
  ).length === 0 && (await readdir(settings['DATA_DIR']!)).length === 0;

// Proves OPS-63, WARD-16
it('gives back every row and every file but those of sign-ins, and then holds what would leave the installation', async () => {
  const rows = [
    `insert into sessions (sid, sess, expire) values ('stolen', '{"userId": 1}', now() + interval '1 day')`,
    `insert into email_verifications (email, expires_at, link_expires_at) values ('a@example.test', now(), now())`,
    `insert into passkey_challenges values ('c', 'h', 'add', now() + interval '1 day')`,
    // An hour of a month that is still to come.
    `select ensure_hour_month(now() + interval '3 months')`,
    `insert into delivery_hourly (hour, zone_id, kind, n)
      select date_trunc('hour', now() + interval '3 months'), id, 'decision', 1 from ad_zones limit 1`,
  ];
  for (const row of rows) await sql.raw(row).execute(server.ctx.db);
  const made = await backUp();
  expect(made['release']).toBe(RELEASE);
  const target = await emptyTarget();
  const restored = await openslot(['restore', '--from', made.backup], target.settings);
  expect(restored).toMatchObject({ code: 0, answer: { at: made['at'], counts: made['counts'] } });
  expect(await contents(target.database.ownerUrl)).toEqual(await restorable());
  expect(await filesIn(target.settings['DATA_DIR']!)).toEqual(await filesIn(server.ctx.config.dataDir));
  const after = `select held_since is not null as held, (select count(*)::int from delivery_changes) as changes from outbound`;
  expect(await query(target.database.url, after)).toEqual([{ held: true, changes: 0 }]);
  expect((await openslot(['money', 'check'], target.settings)).code).toBe(0);

  // It serves, and gives no number twice.
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const running = spawnServer({ ...target.settings, PORT: String(port), PUBLIC_URL: url, SAMPLE_DATA: '0' });
  try {
    await ready(running, url);
    const pat = new Client(url);
    const email = SAMPLE_ACCOUNTS[0]!.email;
    const signedIn = await pat.post('/api/auth/login', { email, password: SAMPLE_PASSWORD });
    const website = { name: 'New', url: 'https://new.example', category: 'Technology' };
    expect([signedIn.status, (await pat.post('/api/websites', website)).status]).toEqual([200, 201]);
  } finally {
    await running.stop('SIGTERM');
  }
});

// Proves OPS-63
it('keeps the newest ones of this installation, and lists them with their proofs', async () => {
  const place = newTemporaryFolder('kept');
  const to = async (...more: string[]) => (await openslot(['backup', '--to', place, ...more])).answer.backup;
  const [first, second] = [await to(), await to()];
  await cp(first, path.join(place, 'openslot-20200101T000000Z'), { recursive: true });
  await mkdir(path.join(place, 'openslot-20200102T000000Z.part'));
  await mkdir(path.join(place, `${path.basename(second)}.part`));
  // Another installation keeps its backups in the same place.
  const other = path.join(place, 'openslot-20200103T000000Z');
  await cp(first, other, { recursive: true });
  const manifest = JSON.parse(await readFile(path.join(other, 'manifest.json'), 'utf8')) as object;
  await writeFile(
    path.join(other, 'manifest.json'),
    JSON.stringify({ ...manifest, installation: '6a8a3f4e-1b7c-4d0e-9a57-1f1f6f9d6c11' }),
  );
  const third = await to('--keep', '2');
  expect((await readdir(place)).toSorted()).toEqual(
    [
      path.basename(other),
      path.basename(second),
      `${path.basename(second)}.part`,
      path.basename(third),
    ].toSorted(),
  );
  expect((await openslot(['backup', 'verify', '--from', third])).answer).toMatchObject({
    holds: true,
    problems: [],
  });
  const { code, answer } = await openslot(['backup', 'list', '--from', place]);
  expect([code, answer['backups']]).toEqual([
    0,
    [
      {
        backup: third,
        at: expect.any(String),
        release: expect.any(String),
        bytes: expect.any(Number),
        verifiedAt: expect.any(String),
      },
      expect.objectContaining({ backup: second, verifiedAt: null }),
      expect.objectContaining({ backup: other }),
    ],
  ]);
});

it('keeps the newest one that was proven, until another one is', async () => {
  const place = newTemporaryFolder('proven');
  const to = async () => (await openslot(['backup', '--to', place, '--keep', '1'])).answer.backup;
  const isProven = async (from: string) =>
    (await openslot(['backup', 'verify', '--from', from])).answer['holds'];
  const first = await to();
  expect(await isProven(first)).toBe(true);
  await to();
  const third = await to();
  const names = [first, third].map((each) => path.basename(each));
  expect((await readdir(place)).toSorted()).toEqual([names[0], `${names[0]}.verified`, names[1]]);

  // It does not hold any more, so it is no better than others.
  const [table = ''] = await readdir(path.join(first, 'database'));
  await rm(path.join(first, 'database', table));
  expect(await isProven(first)).toBe(false);
  expect(await isProven(third)).toBe(true);
  const fourth = await to();
  expect((await readdir(place)).toSorted()).toEqual([
    names[1],
    `${names[1]}.verified`,
    path.basename(fourth),
  ]);
});

describe('a restore', () => {
  let backup: string;
  beforeAll(async () => {
    backup = (await backUp()).backup;
  });

  /** A copy that a test may damage. */
  async function copyOf(): Promise<string> {
    const copy = path.join(newTemporaryFolder('damaged'), path.basename(backup));
    await cp(backup, copy, { recursive: true });
    return copy;
  }

  async function refusal(from: string, settings: Record<string, string>): Promise<string> {
    const { code, answer } = await openslot(['restore', '--from', from], settings);
    expect(code).toBe(1);
    return String(answer.error);
  }

  it('is refused, with nothing changed, over data', async () => {
    const target = await emptyTarget();
    await query(target.database.ownerUrl, 'create table notes (text text)');
    expect(await refusal(backup, target.settings)).toContain(
      'The database is not empty: it has the table notes.',
    );
    await query(target.database.ownerUrl, 'drop table notes');
    const file = path.join(target.settings['DATA_DIR']!, 'uploads/m/kept.png');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'kept');
    expect(await refusal(backup, target.settings)).toContain('it has m/kept.png');
    expect(await readFile(file, 'utf8')).toBe('kept');
    await rm(path.join(target.settings['DATA_DIR']!, 'uploads'), { recursive: true });
    expect(await isEmpty(target)).toBe(true);
  });

  it('is refused, with nothing changed, from a backup that is cut short, damaged, unfinished or newer', async () => {
    const target = await emptyTarget();
    const cut = await copyOf();
    await truncate(path.join(cut, 'database/users.0000.gz'), 40);
    expect(await refusal(cut, target.settings)).toContain('database/users.0000.gz is not as it was written');

    const changed = await copyOf();
    const [key] = Object.keys(await filesIn(server.ctx.config.dataDir));
    const file = path.join(changed, 'files', key!.slice('uploads/'.length));
    const bytes = await readFile(file);
    bytes[0]! ^= 1;
    await writeFile(file, bytes);
    expect(await refusal(changed, target.settings)).toContain('is not as it was written');
    await rm(file);
    expect(await refusal(changed, target.settings)).toContain('is missing');
    expect((await openslot(['backup', 'verify', '--from', changed])).answer).toMatchObject({
      holds: false,
      problems: [expect.stringContaining('is missing')],
    });

    const newer = await copyOf();
    const manifest = path.join(newer, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace(/"release": "[^"]+"/, '"release": "99.0.0"'));
    expect(await refusal(newer, target.settings)).toMatch(
      /made by Openslot 99\.0\.0.*Restore it with 99\.0\.0/,
    );
    await writeFile(manifest, text.slice(0, -200));
    expect(await refusal(newer, target.settings)).toContain('manifest.json cannot be read');
    await rm(manifest);
    expect(await refusal(newer, target.settings)).toContain('is no backup');
    expect(await isEmpty(target)).toBe(true);
  });

  it('that fails in the middle leaves everything empty', async () => {
    const target = await emptyTarget();
    const broken = await copyOf();
    // Its sum fits, and its rows do not.
    const { files, ...manifest } = JSON.parse(await readFile(path.join(broken, 'manifest.json'), 'utf8')) as {
      files: { path: string }[];
      database: { tables: { name: string; columns: string[] }[] };
    };
    const users = manifest.database.tables.find(({ name }) => name === 'users')!;
    users.columns = users.columns.toReversed();
    await writeFile(path.join(broken, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    expect(await refusal(broken, target.settings)).toContain('The database refused the rows of users');
    expect(await isEmpty(target)).toBe(true);
  });
});

describe('a proof', () => {
  it('finds books that do not hold, and counts that differ', async () => {
    await sql`alter table ledger_postings disable trigger user`.execute(server.owner);
    const change = async (cents: number) =>
      await sql`update ledger_postings set amount_cents = amount_cents + ${cents}
        where (tx_id, account_id) = (select tx_id, account_id from ledger_postings order by 1, 2 limit 1)`.execute(
        server.owner,
      );
    await change(1);
    const { backup } = await backUp();
    await change(-1);
    await sql`alter table ledger_postings enable trigger user`.execute(server.owner);
    const { code, answer } = await openslot(['backup', 'verify', '--from', backup]);
    expect(code).toBe(1);
    expect(answer.problems?.join('\n')).toContain('The books do not hold');

    const good = await backUp();
    const file = path.join(good.backup, 'manifest.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"users": (\d+)/, '"users": 4711'));
    expect((await openslot(['backup', 'verify', '--from', good.backup])).answer.problems).toEqual([
      expect.stringContaining('4711 for users'),
    ]);
  });

  it('takes the empty database of --scratch where the role may not create one, and drops what it made', async () => {
    const { backup } = await backUp();
    const databases = `select datname from pg_database where datname like 'openslot\\_proof\\_%'`;
    await expect(openslot(['backup', 'verify', '--from', backup])).resolves.toMatchObject({ code: 0 });
    expect(await query(server.ownerUrl, databases)).toEqual([]);
    // The role of the server may create nothing.
    const asServer = { DATABASE_OWNER_URL: '' };
    const refused = await openslot(['backup', 'verify', '--from', backup], asServer);
    const { username } = new URL(server.databaseUrl);
    expect(refused).toEqual({ code: 2, answer: { error: expect.stringContaining('--scratch') } });
    expect(refused.answer.error).toContain(`alter role "${username}" createdb`);
    const { database } = await emptyTarget();
    const words = ['backup', 'verify', '--from', backup, '--scratch', database.ownerUrl];
    expect(await openslot(words, asServer)).toMatchObject({ code: 0, answer: { holds: true } });
    // It is not empty any more.
    expect(await openslot(words, asServer)).toMatchObject({ code: 1, answer: { holds: false } });
  });
});

it('goes to S3 and comes back from there, and is no backup before it is whole', async () => {
  const s3 = await startBucket();
  try {
    const to = ['backup', '--to', `s3://${BUCKET}/nightly`];
    const { S3_BUCKET: _bucket, ...account } = s3.settings;
    s3.break({ status: 503 }, { method: 'PUT', after: 60 });
    expect(await openslot(to, account)).toMatchObject({
      code: 1,
      answer: { error: expect.stringContaining('503') },
    });
    s3.break('none');
    const place = ['backup', 'list', '--from', `s3://${BUCKET}/nightly`];
    expect((await openslot(place, account)).answer['backups']).toEqual([]);
    const { answer } = await openslot(to, account);
    expect(answer.backup).toMatch(new RegExp(`^s3://${BUCKET}/nightly/openslot-\\d{8}T\\d{6}Z$`));
    expect((await openslot(['backup', 'verify', '--from', answer.backup], account)).code).toBe(0);
    expect((await openslot(place, account)).answer['backups']).toMatchObject([
      { backup: answer.backup, verifiedAt: expect.any(String) },
    ]);
    const target = await emptyTarget();
    const settings = { ...target.settings, ...s3.settings, S3_PREFIX: 'files' };
    expect((await openslot(['restore', '--from', answer.backup], settings)).code).toBe(0);
    expect(await contents(target.database.ownerUrl)).toEqual(await restorable());
    expect(await openslot(['restore', '--from', answer.backup], settings)).toMatchObject({ code: 1 });
  } finally {
    await s3.close();
  }
});

it('that fills its disk says so and gives the room back, while the server goes on', async (test) => {
  const disk = mountSmallDisk('backups', 1);
  if (disk === null) return test.skip(NO_SMALL_DISK);
  try {
    // The rest of a backup whose process was killed, days ago.
    const leftover = path.join(disk, 'openslot-20200101T000000Z.part');
    await mkdir(leftover);
    await writeFile(path.join(leftover, 'part'), Buffer.alloc(200_000));
    const to = ['backup', '--to', disk];
    expect(await openslot(to)).toEqual({
      code: 1,
      answer: { error: `${disk} failed (ENOSPC). Free some space, or name another place.` },
    });
    expect(await readdir(disk)).toEqual([]);
    expect((await openslot(['backup', 'list', '--from', disk])).answer['backups']).toEqual([]);
    expect((await server.anyone().get('/api/health/ready')).status).toBe(200);
    expect((await server.signIn('buyer')).user).toBeDefined();
    await promisify(execFile)('mount', ['-o', 'remount,size=64m', disk]);
    expect((await openslot(to)).code).toBe(0);
  } finally {
    removeFolder(disk);
  }
});

it('needs a place that it can write to, and one process at a time', async () => {
  const file = path.join(newTemporaryFolder('file'), 'taken');
  await writeFile(file, '');
  expect(await openslot(['backup', '--to', file])).toMatchObject({
    code: 1,
    answer: { error: expect.stringContaining('ENOTDIR') },
  });
  expect(await openslot(['backup', '--to', 's3://elsewhere'])).toMatchObject({
    code: 2,
    answer: { error: expect.stringContaining('S3_ACCESS_KEY_ID') },
  });
  expect((await openslot(['backup'])).code).toBe(2);
  expect((await openslot(['backup', '--to', backups, '--keep', '0'])).code).toBe(2);
  await alone(server.databaseUrl, 'backup', '', async () => {
    expect(await openslot(['backup', '--to', backups])).toEqual({ code: 1, answer: { error: ANOTHER_RUNS } });
  });
});
