/** The sentence of `openslot doctor` about each fault that an operator can plant, with the next step. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { later } from '#domain/time.ts';
import { createBareDatabase } from '#server/testing/database/database.ts';
import { SESSION_SECRET, startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { BUCKET, startBucket } from '#server/testing/s3/bucket.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';
import { diagnose } from './doctor.ts';

type Env = Record<string, string>;

const server = useOwnServer();
/** Answers every request with 404, as a host does that is none of ours. */
let stranger: http.Server;
const folder = newTemporaryFolder('doctor');
const file = path.join(folder, 'file');
beforeAll(async () => {
  writeFileSync(file, '');
  stranger = http.createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  stranger.close();
  removeFolder(folder);
});

/** The settings of the running server. */
const right = (): Env => ({
  DATABASE_URL: server.databaseUrl,
  DATA_DIR: server.ctx.config.dataDir,
  PORT: String(server.ctx.config.port),
  PUBLIC_URL: server.url,
  SESSION_SECRET,
});
/** Settings with which production starts. */
const PRODUCTION: Env = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://127.0.0.1:1',
  ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
};

/** The lines that are not 'ok'. The disk of the test may be nearly full. */
async function wrong(env: Env = {}): Promise<string[]> {
  const findings = await diagnose({ ...right(), ...env }, () => new Date());
  return findings
    .filter(({ state, text }) => state !== 'ok' && !/GB are free in/.test(text))
    .map(({ check, state, text }) => `${state} ${check}: ${text}`);
}

/** The lines that the settings `env` add. */
async function added(env: Env): Promise<string[]> {
  const before = new Set(await wrong());
  return (await wrong(env)).filter((each) => !before.has(each));
}

function databaseUrl(change: (url: URL) => void): Env {
  const url = new URL(server.databaseUrl);
  change(url);
  return { DATABASE_URL: url.href };
}

it('says that there is no operator', async () => {
  const ofOperators = async () => (await wrong()).filter((line) => line.includes(' operators: '));
  expect(await ofOperators()).toEqual([
    expect.stringMatching(/^warn operators: There is no operator.* `openslot operator link`\.$/),
  ]);
  await makeOperator(server);
  expect(await ofOperators()).toEqual([]);
});

describe('an address', () => {
  it.each([
    ['PUBLIC_URL', 'no page and no link of a mail can be opened'],
    ['DELIVERY_URL', 'no ad appears on any website'],
  ])('of %s that leads nowhere', async (setting, effect) => {
    expect(await added({ [setting]: 'http://127.0.0.1:1' })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^fail ${setting}: http://127.0.0.1:1 does not answer this machine \\(.+\\), so ${effect} .* correct ${setting}\\.$`,
        ),
      ),
    ]);
    expect(
      await added({ [setting]: `http://127.0.0.1:${(stranger.address() as AddressInfo).port}` }),
    ).toEqual([
      expect.stringMatching(
        new RegExp(
          `^fail ${setting}: \\S+ answers with status 404, but is no Openslot .*, so ${effect}\\. Let the proxy .* correct ${setting}\\.$`,
        ),
      ),
    ]);
  });

  it('that leads to another installation', async () => {
    const other = await untilTestEnds(startTestServer());
    // The databases of tests are copies of one, and so are their ids.
    await sql`update installation set id = gen_random_uuid()`.execute(other.owner);
    expect(await added({ DELIVERY_URL: other.url })).toEqual([
      expect.stringMatching(
        /^fail DELIVERY_URL: \S+ leads to another installation.* Correct DELIVERY_URL or its proxy, and compare DATABASE_URL\.$/,
      ),
    ]);
    const { body } = await other.anyone().get('/api/health');
    const { id } = await other.owner.selectFrom('installation').select('id').executeTakeFirstOrThrow();
    expect(body).toMatchObject({ installation: expect.stringMatching(/^[\da-f]{32}$/) });
    expect(JSON.stringify(body)).not.toContain(id);
  });
});

it('tells a clock that differs from a machine that is slow', async () => {
  const clockAfter = async (times: number, ms: number) => {
    let asked = 0;
    const now = () => later(new Date(), ++asked > times ? ms : 0);
    return (await diagnose(right(), now)).find(({ check }) => check === 'clock');
  };
  expect(await clockAfter(0, -3000)).toMatchObject({
    state: 'warn',
    text: expect.stringMatching(/differ by 3\.\d s/),
  });
  expect(await clockAfter(0, 3000)).toMatchObject({ state: 'warn' });
  expect(await clockAfter(1, 3000)).toMatchObject({ state: 'ok' });
  expect(await clockAfter(2, 3000)).toMatchObject({ state: 'ok' });
});

const databaseUrlWith = {
  password: (url: URL) => void (url.password = 'hush'),
  name: (url: URL) => void (url.pathname = '/elsewhere'),
  port: (url: URL) => void (url.href = 'postgres://openslot:hush@127.0.0.1:1/none'),
};

describe('the database', () => {
  it.each([
    [
      'refuses the password',
      databaseUrlWith.password,
      /^fail database: PostgreSQL at \S+ refuses the password of the role \w+ \(28P01\)\. Correct it in DATABASE_URL, or set it there/,
    ],
    [
      'is not on the server',
      databaseUrlWith.name,
      /^fail database: PostgreSQL at \S+ has no database elsewhere \(3D000\)\. Correct the name in DATABASE_URL, or create it/,
    ],
    [
      'does not answer',
      databaseUrlWith.port,
      /^fail database: It does not answer: ECONNREFUSED\. Check that PostgreSQL runs at 127\.0\.0\.1:1 /,
    ],
  ] as const)('%s', async (_name, change, line) => {
    const lines = await wrong(databaseUrl(change));
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(lines.join('')).not.toContain('hush');
  });

  it('is empty', async () => {
    const bare = await createBareDatabase();
    try {
      expect(await wrong({ DATABASE_URL: bare.url })).toEqual([
        expect.stringMatching(
          /^fail database: No server has started on the database \S+, .* start the server once\. If not, correct the name in DATABASE_URL\.$/,
        ),
      ]);
    } finally {
      await bare.drop();
    }
  });

  it('has taken a right from the role of the server', async () => {
    const role = new URL(server.databaseUrl).username;
    await sql`revoke select on operators from ${sql.id(role)}`.execute(server.owner);
    try {
      expect(await wrong()).toEqual([
        `fail database: The role ${role} lacks a right: permission denied for table operators (42501). Restart a server with DATABASE_OWNER_URL, which gives the role of DATABASE_URL all that it needs. See “The roles of the database” in docs/install.md.`,
      ]);
    } finally {
      await sql`grant select on operators to ${sql.id(role)}`.execute(server.owner);
    }
  });

  it('is read-only', async () => {
    const name = new URL(server.databaseUrl).pathname.slice(1);
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(server.owner);
    try {
      expect(await wrong()).toContainEqual(
        expect.stringMatching(/^fail database: The database is read-only\. /),
      );
    } finally {
      await sql`alter database ${sql.id(name)} reset default_transaction_read_only`.execute(server.owner);
    }
  });

  it('has a guard of the ledger turned off', async () => {
    await sql`alter table ledger_postings disable trigger user`.execute(server.owner);
    try {
      expect(await wrong()).toContainEqual(
        expect.stringMatching(
          /^fail guards: .*: \w+.* of ledger_postings\. As the owner of the tables, run `alter table ledger_postings enable trigger user`\. Then `openslot money check --all` /,
        ),
      );
    } finally {
      await sql`alter table ledger_postings enable trigger user`.execute(server.owner);
    }
  });
});

it.each<[string, () => Env, RegExp]>([
  [
    'another SESSION_SECRET than the running server',
    () => ({ SESSION_SECRET: 'x'.repeat(32) }),
    /^fail secret: SESSION_SECRET is not the one with which the running server \S+ on port \d+ signs.* Set the SESSION_SECRET of that server here, too\.$/,
  ],
  [
    'a BACKUP_TO that is no folder',
    () => ({ BACKUP_TO: path.join(file, 'backups') }),
    /^fail backup: BACKUP_TO cannot be written\. .* failed \(ENOTDIR\)\. Check that the folder exists/,
  ],
  [
    'a METRICS_TOKEN that can be guessed',
    () => ({ METRICS_TOKEN: 'x' }),
    /^warn metrics: METRICS_TOKEN has fewer than 16 characters.* Set at least 32 random ones/,
  ],
  [
    'a relay that is away',
    () => ({ SMTP_URL: 'smtp://127.0.0.1:1' }),
    /^fail mail: The mail relay does not accept our connection: ESOCKET CONN\. Nothing that speaks SMTP answers as 127\.0\.0\.1 at port 1\. Check that the relay runs/,
  ],
  [
    'one role for everything',
    () => ({ DATABASE_URL: server.ownerUrl }),
    /^warn database role: .* Set DATABASE_OWNER_URL, and name another role in DATABASE_URL\./,
  ],
  [
    'a country file that is missing',
    () => ({ COUNTRY_DATABASE_FILE: '/none.mmdb' }),
    /^warn countries: .* Set COUNTRY_DATABASE_FILE to an MMDB file/,
  ],
  [
    'a tax file that is missing',
    () => ({ TAX_RATES_FILE: '/none.json' }),
    /^fail settings: TAX_RATES_FILE must be a file that can be read/,
  ],
])('names %s', async (_name, env, line) => {
  expect(await added(env())).toEqual([expect.stringMatching(line)]);
});

it('names a DATA_DIR that is missing, and a proxy without TRUSTED_PROXIES', async () => {
  expect(await wrong({ DATA_DIR: '/none' })).toContainEqual(
    expect.stringMatching(/^fail disk: DATA_DIR \/none cannot be written: ENOENT\.$/),
  );
  expect(await wrong({ ...PRODUCTION, PUBLIC_URL: 'https://127.0.0.1:1' })).toContainEqual(
    expect.stringMatching(/^warn proxy headers: .* Set it to the address of the proxy\.$/),
  );
});

it('names sandbox cards in production', async () => {
  expect(await wrong(PRODUCTION)).toContainEqual(
    expect.stringMatching(/^warn cards: Cards are those of the sandbox, .* Set STRIPE_SECRET_KEY /),
  );
  expect(await wrong()).not.toContainEqual(expect.stringMatching(/ cards: /));
});

it('writes a file to the place of the backups, and leaves none there', async () => {
  const ofBackups = async (env: Env) =>
    (await wrong(env)).filter((line) => line.includes('BACKUP_TO cannot'));
  const backups = path.join(folder, 'backups');
  expect(await ofBackups({ BACKUP_TO: backups })).toEqual([]);
  expect(existsSync(backups)).toBe(false);
  mkdirSync(backups);
  expect(await ofBackups({ BACKUP_TO: backups })).toEqual([]);
  expect(readdirSync(backups)).toEqual([]);

  const s3 = await startBucket();
  try {
    const { S3_BUCKET: _uploads, ...account } = s3.settings;
    const env = { ...account, BACKUP_TO: `s3://${BUCKET}/daily` };
    s3.break('none');
    expect(await ofBackups(env)).toEqual([]);
    expect(s3.calls().filter((call) => call.includes('daily/openslot-check'))).toEqual([
      expect.stringMatching(/^PUT /),
      expect.stringMatching(/^DELETE /),
    ]);
    s3.break({ status: 403 }, { method: 'PUT' });
    expect(await ofBackups(env)).toEqual([
      expect.stringMatching(/^fail backup: BACKUP_TO cannot be written\. \S/),
    ]);
  } finally {
    await s3.close();
  }
});
