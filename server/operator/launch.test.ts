/** The list of what a marketplace needs before it sells, in the console and in `openslot doctor`. */
import { beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { makeOperator, putInForce, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeWebsite } from '#server/testing/story.ts';
import { diagnose } from './command-line/doctor.ts';
import { launchSteps } from './launch.ts';

const server = useOwnServer();
let operator: TestOperator;
beforeAll(async () => {
  operator = await makeOperator(server);
});

const home = async () => (await operator.client.get('/operator')).text;
const missing = async () =>
  (await launchSteps(server.ctx.db, server.ctx.config, server.ctx.now()))
    .filter(({ isDone }) => !isDone)
    .map(({ name }) => name);

it('stands on the first page until all of it is done, and only in production', async () => {
  const { config } = server.ctx;
  expect(await home()).not.toContain('Before you sell');
  config.production = true;
  expect(await missing()).toEqual([
    'Name and logo',
    'Who sells',
    'Terms, privacy, imprint',
    'Currency and tax',
    'Mail',
    'Cards',
    'Backup',
    'First website',
  ]);
  expect(await home()).toContain('Before you sell: 0 of 8 done');
  expect(await home()).toContain(
    'Not published: Privacy Policy'.replace('Privacy Policy', 'Terms of Service, Privacy Policy, Imprint'),
  );

  await putInForce(server, {
    MARKETPLACE_NAME: 'Slot Market',
    SELLER_ADDRESS: 'Hauptstraße 5\n50667 Köln',
    SELLER_COUNTRY: 'DE',
    CURRENCY: 'EUR',
  });
  config.smtpUrl = 'smtp://127.0.0.1:1';
  expect(await missing()).toEqual(['Terms, privacy, imprint', 'Cards', 'Backup', 'First website']);

  for (const key of ['terms', 'privacy', 'imprint']) {
    await sql`insert into page_versions (key, version, text, saved_at) values (${key}, 1, 'Text', now())`.execute(
      server.owner,
    );
    await sql`insert into published_pages (key, version, published_at) values (${key}, 1, now())`.execute(
      server.owner,
    );
  }
  await putInForce(server, {});
  config.paymentBook = 'stripe-live';
  config.backup = { to: '/backups', at: '03:00', keep: 7 };
  const website = await makeWebsite(await server.signIn('seller'));
  await sql`update websites set verified_at = now() where id = ${website.id}`.execute(server.owner);
  expect(await missing()).toEqual(['Cards', 'Backup']);
  await sql`insert into provider_events (id, source, type, payload, created_at)
    values ('evt_1', 'account', 'charge.succeeded', '{}', now())`.execute(server.owner);
  await sql`insert into backups (place, backup, started_at, release, bytes, verified_at)
    values ('/backups', '/backups/1', now(), '0.3.0', 1, now())`.execute(server.owner);
  expect(await missing()).toEqual([]);
  expect(await home()).not.toContain('Before you sell');
});

it('is what the doctor says of an installation in production', async () => {
  const env = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
    PUBLIC_URL: server.url,
    SESSION_SECRET: 'x'.repeat(40),
  };
  const lines = async (more: object) =>
    (await diagnose({ ...env, ...more }, () => new Date())).filter(({ check }) => check === 'launch');
  expect(await lines({})).toEqual([]);
  const production = {
    NODE_ENV: 'production',
    SMTP_URL: 'smtp://127.0.0.1:1',
    ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
  };
  expect(await lines(production)).toContainEqual({
    check: 'launch',
    state: 'warn',
    text: 'Name and logo: The marketplace is still called Openslot. Give it a name, and perhaps a logo.',
  });
});
