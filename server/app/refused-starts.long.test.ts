/** Starts that would harm an installation. Each ends with one sentence that names the setting and the way out. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Embedded, startEmbedded } from '#server/platform/database/embedded/embedded.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { spawnOpenslot } from '#server/testing/openslot.ts';
import { FAKETIME_ADVICE, searchFaketime } from '#server/testing/programs/faketime.ts';
import { startBucket } from '#server/testing/s3/bucket.ts';
import { PLANTED, productionServers, reasonsOf, SECRET } from '#server/testing/starts/production.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';

const OTHER_SECRET = `${PLANTED} secret of another installation`;

let database: TestDatabase;
let owner: pg.Client;
let servers: ReturnType<typeof productionServers>;
beforeAll(async () => {
  database = await createTestDatabase();
  servers = productionServers(database);
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterEach(async () => await servers.stop());
afterAll(async () => {
  await owner.end();
  await database.drop();
  servers.close();
});

/** What `pg_ctl promote` does. Resolves when PostgreSQL takes writes. */
async function promote(cluster: Embedded): Promise<void> {
  const data = path.join(cluster.home, 'data');
  writeFileSync(path.join(data, 'promote'), '');
  process.kill(Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGUSR1');
  await vi.waitUntil(() => !existsSync(path.join(data, 'standby.signal')), 15_000);
}

it('does not start on a standby, names DATABASE_URL, and starts on it once it is promoted', async () => {
  const dataDir = newTemporaryFolder('standby');
  const run = async () => await startEmbedded({ dataDir, log: () => {} });
  const urls = (cluster: Embedded) => ({
    DATABASE_URL: cluster.url('openslot'),
    DATABASE_OWNER_URL: cluster.ownerUrl('openslot'),
  });
  let cluster = await run();
  try {
    const { server: before } = await servers.startReady(urls(cluster));
    await before.stop('SIGTERM');
    await cluster.stop();
    writeFileSync(path.join(cluster.home, 'data/standby.signal'), '');
    cluster = await run();
    expect(await servers.refusal(urls(cluster))).toMatch(
      /DATABASE_URL leads to a standby.* promote the standby\. Then start again\./,
    );
    await promote(cluster);
    const { server } = await servers.startReady(urls(cluster));
    await server.stop('SIGTERM');
  } finally {
    await cluster.stop();
    removeFolder(dataDir);
  }
});

it('starts on a database with other formats of dates and intervals', async () => {
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of [`datestyle = 'German'`, `timezone = 'Asia/Tokyo'`, `intervalstyle = 'sql_standard'`])
    await owner.query(`alter database ${name} set ${setting}`);
  try {
    const { server } = await servers.startReady();
    expect(server.child.exitCode).toBeNull();
    await server.stop('SIGTERM');
  } finally {
    await owner.query(`alter database ${name} reset all`);
  }
});

it('does not start on a read-only database', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await owner.query(`alter database ${name} set default_transaction_read_only = on`);
  try {
    const sentence = /The database is read-only\. Set DATABASE_URL .* default_transaction_read_only off\./;
    expect(await servers.refusal()).toMatch(new RegExp(`${sentence.source} Then start again\\.`));
    const doctor = await spawnOpenslot(['doctor'], { DATABASE_URL: database.url, DATA_DIR: servers.folder });
    expect(doctor.out).toMatch(new RegExp(`^fail +database +${sentence.source}`, 'm'));
  } finally {
    await owner.query(`alter database ${name} reset default_transaction_read_only`);
  }
});

it('does not start, and does not stay ready, when a newer release has taken away what this one needs', async () => {
  const { url } = await servers.startReady();
  await owner.query("update openslot_release set release = '99.1.0', compatible_from = '98.0.0'");
  try {
    const sentence = `This is Openslot ${RELEASE}, and Openslot 99.1.0 has upgraded the database. Start Openslot 98.0.0 or newer`;
    expect(await reasonsOf(url)).toContain(sentence);
    expect(await servers.refusal()).toContain(sentence);
    // Beside a newer release that has taken nothing away, it goes on.
    await owner.query("update openslot_release set compatible_from = '0.1.0'");
    expect(await reasonsOf(url)).toBe('');
  } finally {
    await owner.query('update openslot_release set release = $1', [RELEASE]);
  }
});

it('does not start beside a server that signs with another secret, unless it accepts that one as well', async () => {
  const { server } = await servers.startReady();
  expect(await servers.refusal({ SESSION_SECRET: OTHER_SECRET })).toMatch(
    /^Openslot did not start\. SESSION_SECRET is not the one with which the running server \S+ on port \d+ signs.* Set the same SESSION_SECRET on all servers, or list the new secret and then the old one/,
  );
  const { rows } = await owner.query<{ row: string }>('select servers::text as row from servers');
  expect(rows).toHaveLength(1);
  expect(rows[0]!.row).not.toContain(SECRET);
  const { server: rotated } = await servers.startReady({ SESSION_SECRET: `${OTHER_SECRET},${SECRET}` });
  await server.stop('SIGTERM');
  // Those that are left sign with the new secret.
  await servers.startReady({ SESSION_SECRET: OTHER_SECRET });
  expect(await servers.refusal()).toContain('SESSION_SECRET is not the one');
  await rotated.stop('SIGTERM');
});

it('is not ready as long as an older server with another secret is back, which could not renew its row', async () => {
  const { server, url } = await servers.startReady();
  const older = `insert into servers (server, release, secrets, started_at, seen)
    values ('host:1 on port 1', $1, '{other}', now() - interval '1 hour', now())`;
  await owner.query(older, [RELEASE]);
  await vi.waitFor(
    async () => expect(await reasonsOf(url)).toContain('SESSION_SECRET is not the one'),
    15_000,
  );
  expect(server.output().match(/SESSION_SECRET is not the one/g)).toHaveLength(1);
  const delivery = await fetch(`${url}/api/health/delivery`);
  expect(delivery.status).toBe(200);
  // A server that comes later has to give way itself.
  await owner.query("update servers set started_at = now() where server = 'host:1 on port 1'");
  await vi.waitFor(async () => expect(await reasonsOf(url)).toBe(''), 15_000);
  await owner.query("delete from servers where server = 'host:1 on port 1'");
});

// Proves OPS-74
it('does not start with a clock that is over 30 seconds off, and does with one that is nearly so', async (test) => {
  const library = searchFaketime();
  if (library === null) return test.skip(FAKETIME_ADVICE);
  const clock = (offset: string) => ({
    LD_PRELOAD: library,
    FAKETIME: offset,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  expect(await servers.refusal(clock('+40'))).toMatch(/The clock of .* differ by (39|40) seconds\./);
  expect(await servers.refusal(clock('-40'))).toMatch(/The clock of .* differ by (40|41) seconds\./);
  await servers.startReady(clock('+20'));
});

it('does not start with the bucket of another installation, and does with that of a backup it was restored from', async () => {
  const s3 = await startBucket();
  try {
    const { server } = await servers.startReady(s3.settings);
    await server.stop('SIGTERM');
    const { rows } = await owner.query<{ id: string }>('select id from installation');
    await owner.query('update installation set id = $1', [randomUUID()]);
    expect(await servers.refusal(s3.settings)).toContain(
      'S3_BUCKET belongs to another installation of Openslot. Set S3_BUCKET or S3_PREFIX to a place of its own.',
    );
    const { server: another } = await servers.startReady({ ...s3.settings, S3_PREFIX: 'another' });
    await another.stop('SIGTERM');
    await owner.query('update installation set id = $1', [rows[0]!.id]);
    await servers.startReady(s3.settings);
  } finally {
    await s3.close();
  }
});
