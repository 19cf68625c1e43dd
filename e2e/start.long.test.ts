import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import pg from 'pg';
import { hashPassword } from '../server/people/accounts/keys/passwords.ts';
import { findRunning } from '../server/platform/database/embedded/running.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { newTemporaryFolder } from '../server/testing/temporary.ts';
import { Client } from '../server/testing/client.ts';
import { createTestDatabase } from '../server/testing/database/database.ts';
import { spawnOpenslot } from '../server/testing/openslot.ts';
import { startTransactionPooler } from '../server/testing/database/transaction-pooler.ts';
import { ready, type ServerProcess, spawnServer } from '../server/testing/server-process.ts';

let dataDir: string;
const servers: ServerProcess[] = [];

beforeEach(() => {
  dataDir = newTemporaryFolder('data');
});
afterEach(async () => {
  for (const server of servers.splice(0)) if (server.child.exitCode === null) await server.stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

function start(env: Record<string, string>): ServerProcess {
  const server = spawnServer({ DATA_DIR: dataDir, ...env });
  servers.push(server);
  return server;
}

it('the server does not start on a taken port, says so, and leaves no files behind', async () => {
  const holder = net.createServer().listen(0, '127.0.0.1');
  const port = await new Promise<number>((resolve) => {
    holder.on('listening', () => resolve((holder.address() as net.AddressInfo).port));
  });
  const server = start({ PORT: String(port) });
  expect(await server.ended).toBe(1);
  holder.close();
  expect(server.output()).toContain(`Port ${port} is already taken`);
  expect(readdirSync(dataDir)).toEqual([]);
});

it('with PORT=0 the server prints the port that the system chose, and the command line finds it by DATA_DIR', async () => {
  const server = start({ PORT: '0', SAMPLE_DATA: '0' });
  const address = () => /Openslot is ready: (http:\/\/localhost:(\d+))\n/.exec(server.output());
  await expect.poll(() => address() !== null || server.child.exitCode !== null).toBe(true);
  const [, url, port] = address() ?? [];
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
  const doctor = await spawnOpenslot(['doctor'], { DATA_DIR: dataDir });
  expect(doctor.out).toContain(`It answers on port ${port}.`);
});

it('behind a proxy, the server prints its own port beside the public address', async () => {
  const port = await freePort();
  const server = start({ PORT: String(port), PUBLIC_URL: 'http://localhost', SAMPLE_DATA: '0' });
  await ready(server, `http://127.0.0.1:${port}`);
  expect(server.output()).toContain(
    `Openslot is ready: http://localhost\nIt listens on port ${port} of 127.0.0.1.\n`,
  );
});

it('a second server on the same data directory is refused, the command line works, and Ctrl-C ends the first', async () => {
  const [first, second] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${first}`;
  const running = start({ PORT: String(first), SAMPLE_DATA: '0' });
  await ready(running, url);

  const refused = start({ PORT: String(second), SAMPLE_DATA: '0' });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain(`process ${running.child.pid}`);
  expect(refused.output()).toContain('DATA_DIR');

  const openslot = async () => await spawnOpenslot(['operator', 'list', '--json'], { DATA_DIR: dataDir });
  expect(await openslot()).toMatchObject({ code: 0, out: '[]\n' });

  const health = await fetch(`${url}/api/health`);
  expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ status: 'ok' })]);
  expect(await running.stop('SIGINT')).toBe(0);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow('fetch failed');
  // The command line starts the database of a stopped server for as long as it needs it.
  expect(await openslot()).toMatchObject({ code: 0, out: '[]\n' });
  expect(findRunning(dataDir, 'openslot')).toBeNull();
});

// Proves RUN-06, DOOR-02
it.each([
  [{ PORT: 'eighty' }, 'PORT must be a port number'],
  [{ TRUSTED_PROXY: '10.0.0.1' }, 'TRUSTED_PROXY is not a setting of Openslot. Set TRUSTED_PROXIES'],
  [{ NODE_ENV: 'production' }, 'SESSION_SECRET is required in production'],
])('the server does not start with %o and says why in one sentence', async (env, sentence) => {
  const server = start(env);
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain(sentence);
  expect(server.output()).not.toContain('    at ');
});

// Proves OPS-10
it.each([
  [
    { SESSION_SECRET: 'x'.repeat(32), SESSION_SECRET_FILE: '/run/secrets/session' },
    'SESSION_SECRET and SESSION_SECRET_FILE are both set.',
  ],
  [{ DATABASE_URL_FILE: '/nowhere/database' }, 'DATABASE_URL_FILE must be a file that can be read (ENOENT)'],
])('the server does not start with %o and names the setting of the file', async (env, sentence) => {
  const server = start(env);
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain(sentence);
  expect(server.output()).not.toContain('    at ');
});

// Proves OPS-10
it('the server reads its database from a file, and logs no less and no more than LOG_LEVEL says', async () => {
  const database = await createTestDatabase();
  const folder = newTemporaryFolder('secrets');
  const files = { DATABASE_URL_FILE: 'database', DATABASE_OWNER_URL_FILE: 'owner' };
  writeFileSync(path.join(folder, files.DATABASE_URL_FILE), `${database.url}\n`);
  writeFileSync(path.join(folder, files.DATABASE_OWNER_URL_FILE), `${database.ownerUrl}\n`);
  for (const [level, refusals] of [
    ['info', 1],
    ['warn', 0],
  ] as const) {
    const port = await freePort();
    const server = start({
      PORT: String(port),
      SAMPLE_DATA: '0',
      ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, path.join(folder, file)])),
      ...(level !== 'info' && { LOG_LEVEL: level }),
    });
    const url = `http://127.0.0.1:${port}`;
    await ready(server, url);
    expect((await fetch(`${url}/api/auth/user`)).status).toBe(401);
    expect(await server.stop('SIGTERM')).toBe(0);
    expect([level, server.output().match(/"refused":401/g)?.length ?? 0]).toEqual([level, refusals]);
    expect(server.output()).not.toContain('incoming request');
  }
  await database.drop();
});

it('the server does not start without its database, and does not print the password', async () => {
  const server = start({
    // The server may already be running on its default port on this machine.
    PORT: String(await freePort()),
    DATABASE_URL: 'postgres://openslot:hush-hush@127.0.0.1:9/openslot',
  });
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain('DATABASE_URL cannot be used');
  expect(server.output()).not.toContain('hush-hush');
});

// Proves DOOR-17
it('the server does not start with its own role alone, or with two different databases, and says what to set', async () => {
  const [one, other] = [await createTestDatabase(), await createTestDatabase()];
  for (const [settings, sentence] of [
    [
      { DATABASE_URL: one.url },
      /The database cannot be upgraded: .*\. Set DATABASE_OWNER_URL to the address/,
    ],
    [
      { DATABASE_URL: one.url, DATABASE_OWNER_URL: other.ownerUrl },
      /DATABASE_OWNER_URL and DATABASE_URL must lead to the same database/,
    ],
    [
      { DATABASE_URL: one.url, DATABASE_OWNER_URL: 'postgres://openslot:hush-hush@127.0.0.1:9/openslot' },
      /DATABASE_OWNER_URL cannot be used/,
    ],
  ] as const) {
    const server = start({ PORT: String(await freePort()), ...settings });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(sentence);
    expect(server.output()).not.toMatch(/hush-hush|\n\s+at /);
  }
  await Promise.all([one.drop(), other.drop()]);
});

it.each([true, false])(
  'the server does not start at a transaction pooler and asks for the direct address (parameters ignored: %s)',
  async (ignoresParameters) => {
    const database = await createTestDatabase();
    const pooler = await startTransactionPooler(database.url, { backends: 2, ignoresParameters });
    const server = start({ PORT: String(await freePort()), DATABASE_URL: pooler.url });
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain('Set DATABASE_URL to the direct address of PostgreSQL.');
    expect(server.output()).not.toContain('    at ');
    await pooler.stop();
    await database.drop();
  },
);

// Proves GEN-01
it('the first start creates sample campaigns with past dates, which no job changes to today', async () => {
  const database = await createTestDatabase();
  const port = await freePort();
  const running = start({
    PORT: String(port),
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
  });
  await ready(running, `http://127.0.0.1:${port}`);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Record<string, number>>(
    `select count(*)::integer as paid, count(*) filter (where start_date > created_at + interval '1 day')::integer as late,
        count(*) filter (where end_date <> start_date + duration * interval '1 day')::integer as wrong
      from ads where start_date is not null`,
  );
  await client.end();
  expect(rows).toEqual([{ paid: 14, late: 0, wrong: 0 }]);
  expect(await running.stop('SIGTERM')).toBe(0);
  await database.drop();
});

// Proves RUN-06, RUN-14
it('production uses DATABASE_URL, PUBLIC_URL and DELIVERY_URL, sets secure cookies and shows no mail at /dev/mail', async () => {
  const database = await createTestDatabase();
  const port = await freePort();
  const running = start({
    NODE_ENV: 'production',
    SHUTDOWN_DELAY_MS: '1',
    PORT: String(port),
    PUBLIC_URL: 'https://ads.example.com',
    DELIVERY_URL: 'https://cdn.example.com',
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    SMTP_URL: 'smtp://127.0.0.1:9',
    SESSION_SECRET: 'thirty-two characters of a secret',
    TRUSTED_PROXIES: '127.0.0.1',
    ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(running, url);
  expect(running.output()).toContain('https://ads.example.com');
  expect(running.output()).toContain('Ad blockers remove everything from ads.example.com');
  expect(running.output()).not.toContain('Ad blockers remove everything from cdn.example.com');
  // A proxy in front of the server terminates HTTPS and forwards these headers.
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };
  const seller = await accountIn(database.url, 'seller@example.test');
  const client = new Client(url);
  const login = await client.post('/api/auth/login', seller, proxied);
  expect(login.headers.getSetCookie()[0]).toMatch(/^__Host-openslot=.*HttpOnly; Secure; SameSite=Lax$/);

  const website = await client.post(
    '/api/websites',
    { name: 'Daily', url: 'https://daily.example', category: 'Food' },
    proxied,
  );
  const zone = await client.post(
    '/api/ad-zones',
    { websiteId: website.body.id, name: 'Side', zoneType: 'banner', width: 728, height: 90 },
    proxied,
  );
  expect(zone.body.embedCode).toContain('src="https://cdn.example.com/api/serve/zone/');
  const upload = await client.post('/api/ad-images/upload', undefined, proxied);
  expect(upload.body.uploadURL).toMatch(/^https:\/\/ads\.example\.com\/api\/uploads\//);
  expect((await client.get('/dev/mail')).text).not.toContain('Development mail');
  expect(await running.stop('SIGTERM')).toBe(0);
  await database.drop();
});

/** Inserts a verified account into the database, because production sends the codes only by SMTP. */
async function accountIn(databaseUrl: string, email: string): Promise<{ email: string; password: string }> {
  const password = 'correct horse battery';
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query('insert into users (email, password, is_email_verified) values ($1, $2, true)', [
    email,
    await hashPassword(password),
  ]);
  await database.end();
  return { email, password };
}
