/** The list of what a marketplace needs before it sells, in the console and in `openslot doctor`. */
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sql } from 'kysely';
import { createLimits } from '#server/platform/http/limits/limits.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { makeOperator, putInForce, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeWebsite } from '#server/testing/story.ts';
import { diagnose } from './command-line/doctor.ts';
import { launchSteps } from './launch.ts';
import { confirmTestMail, sendTestMail } from './test-mail.ts';

const server = useOwnServer();
let operator: TestOperator;
beforeAll(async () => {
  operator = await makeOperator(server);
});

type Step = { name: string; isDone: boolean; text: string; path: string; acts: { button: string }[] };
const launch = async (): Promise<Step[] | null> =>
  (await operator.client.get('/api/operator/today')).body.launch;
const step = async (name: string) => (await launch())?.find((each) => each.name === name);
const missing = async () =>
  (await launchSteps(server.ctx.db, server.ctx.config, server.ctx.now()))
    .filter(({ isDone }) => !isDone)
    .map(({ name }) => name);

it('stands on the first page until all of it is done, and only in production', async () => {
  const { config } = server.ctx;
  expect(await launch()).toBeNull();
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
  expect((await launch())?.map(({ isDone }) => isDone)).toEqual(Array(8).fill(false));
  expect(await step('Terms, privacy, imprint')).toEqual({
    name: 'Terms, privacy, imprint',
    isDone: false,
    text: 'Not published: Terms of Service, Privacy Policy, Imprint. Each has a text to start from.',
    path: '/operator/pages',
    acts: [],
  });

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
  expect(await missing()).toEqual(['Cards', 'Backup']);
  config.stripe = { secretKey: 'sk_live_abcd1234' } as typeof config.stripe;
  expect((await step('Cards'))?.text).toBe('Stripe has not accepted these live keys yet. Check the keys.');
  const note = async (keys: string) =>
    await sql`insert into operator_acts (acted_at, act, subject, subject_id, subject_name, reason)
      values (now(), 'check-keys', 'setting', 0, ${keys}, 'x')`.execute(server.owner);
  // Other keys were checked.
  await note('Stripe keys …9999');
  expect(await missing()).toEqual(['Cards', 'Backup']);
  await note('Stripe keys …1234');
  expect(await missing()).toEqual(['Backup']);
  await sql`insert into backups (place, backup, started_at, release, bytes, verified_at)
    values ('/backups', '/backups/1', now(), '0.3.0', 1, now())`.execute(server.owner);
  expect(await missing()).toEqual([]);
  expect(await launch()).toBeNull();
});

describe('the test mail', () => {
  const send = async () => await sendAct(operator.client, '/operator/launch/test-mail', { go: 'yes' });
  const confirm = async (code: string) =>
    await sendAct(operator.client, '/operator/launch/test-mail-code', { code });
  const bounce = async () =>
    await sql`insert into mail_bounces (recipient, kind, at)
      values (${operator.client.user.email}, 'hard', now())`.execute(server.owner);
  beforeAll(async () => {
    server.ctx.config.production = true;
    // Nobody has typed a mailed code here.
    await sql`update users set is_email_verified = false`.execute(server.owner);
  });

  it('has to arrive: its code comes back', async () => {
    const { config } = server.ctx;
    config.smtpUrl = undefined;
    expect((await confirm('123456')).status).toBe(409);
    expect((await send()).status).toBe(409);
    expect((await step('Mail'))?.acts).toEqual([]);
    config.smtpUrl = 'smtp://127.0.0.1:1';
    const { email } = operator.client.user;
    expect((await step('Mail'))?.acts.map(({ button }) => button)).toEqual([
      'Send a test mail',
      'Type its code',
    ]);
    expect((await send()).body).toEqual({
      said: `A test mail is on its way to ${email}. Type its code when it arrives.`,
      next: null,
    });
    const code = /^ +(\d{6})$/m.exec((await mailTo(server.ctx, email)).at(-1)?.text ?? '')?.[1] ?? '';
    const wrong = await confirm(code === '123456' ? '123457' : '123456');
    expect([wrong.status, wrong.body.issues]).toEqual([
      400,
      [{ path: 'code', message: 'This isn’t the code of your last test mail.' }],
    ]);
    expect(await missing()).toContain('Mail');
    expect((await confirm(code)).body.said).toBe('Mail arrives.');
    expect(await missing()).not.toContain('Mail');
  });

  it('is missing again when it bounces, until the next one arrives', async () => {
    const { email } = operator.client.user;
    await bounce();
    expect(await step('Mail')).toMatchObject({
      isDone: false,
      text: `Mail to ${email} bounced. Correct the address or the relay, then send a test mail and type its code.`,
    });
    await send();
    const code = /^ +(\d{6})$/m.exec((await mailTo(server.ctx, email)).at(-1)?.text ?? '')?.[1] ?? '';
    expect((await confirm(code)).status).toBe(200);
    expect(await missing()).not.toContain('Mail');
  });

  it('is an act of the trail, as every act', async () => {
    const acts = await server.ctx.db
      .selectFrom('operatorActs')
      .select(['act', 'operatorId'])
      .where('subject', '=', 'mail')
      .orderBy('id')
      .execute();
    const { id: operatorId } = operator.client.user;
    expect(acts).toEqual(
      ['send-test-mail', 'confirm-test-mail', 'send-test-mail', 'confirm-test-mail'].map((act) => ({
        act,
        operatorId,
      })),
    );
  });
});

it('the sandbox has no keys to check', async () => {
  const answer = await sendAct(operator.client, '/operator/launch/check-keys', { go: 'yes' });
  expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('sandbox')]);
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

it('a test mail is sent ten times an hour at most, and so many codes are tried', async () => {
  const other = await makeOperator(server);
  server.ctx.config.smtpUrl = 'smtp://127.0.0.1:1';
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 2 });
  onTestFinished(async () => await pool.end());
  const limits = createLimits(pool, 1);
  const ctx = { ...server.ctx, limits };
  const by = { id: other.client.user.id };
  for (let sent = 0; sent < 10; sent += 1) await sendTestMail(ctx, by);
  await expect(sendTestMail(ctx, by)).rejects.toMatchObject({ status: 429 });
  for (let tried = 0; tried < 10; tried += 1)
    await expect(confirmTestMail(ctx, by, { code: 'wrong!' })).rejects.toMatchObject({ status: 400 });
  await expect(confirmTestMail(ctx, by, { code: 'wrong!' })).rejects.toMatchObject({ status: 429 });
});
