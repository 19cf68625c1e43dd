import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { removeOldMessages } from '#server/notify/outbox.ts';
import { sendMessage } from '#server/notify/send-message.ts';
import type { Answer } from '#server/testing/client.ts';
import { codeFor, linkTokenFor } from '#server/testing/mail/mail.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { startRelay } from '#server/testing/mail/relay.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import type { Options } from './acts/command.ts';
import { commandOf } from './command-line/commands.ts';

const TOKEN = 'a-token-of-the-relay';
const OPERATOR = 'desk@ads.example';

const relay = useStarted(async () => await startRelay(await freePort()));
const server = useOwnServer(() => ({
  env: {
    SMTP_URL: relay.url,
    BOUNCE_TOKEN: TOKEN,
    BOUNCE_ADDRESS: 'Bounce@ads.example',
    OPERATOR_MAIL: OPERATOR,
  },
}));

const report = async (body: unknown, authorization = `Bearer ${TOKEN}`): Promise<Answer> =>
  await server.anyone().send('POST', '/api/webhooks/bounces', JSON.stringify(body), {
    'content-type': 'application/json',
    ...(authorization !== '' && { authorization }),
  });

/** Reports bounces of this kind, a second apart, the last one now. */
async function bounce(recipient: string, times: number, kind = 'hard'): Promise<void> {
  for (let n = times - 1; n >= 0; n -= 1) {
    const at = later(server.clock.now(), -n * 1000).toISOString();
    expect((await report({ recipient, kind, at })).status).toBe(204);
  }
}

/** Posts a mail, runs its job, and returns its number. */
async function mail(recipient: string, kind = 'ad-live'): Promise<number> {
  await server.ctx.db.transaction().execute((tx) =>
    postMessage(server.ctx, tx, {
      recipient,
      kind,
      mail: { subject: 'News', heading: 'News', paragraphs: ['News.'] },
    }),
  );
  return await sendLast(recipient);
}

async function sendLast(recipient: string): Promise<number> {
  const { id } = await server.ctx.db
    .selectFrom('messages')
    .select('id')
    .where('recipient', '=', recipient)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await sendMessage(server.ctx, id);
  return id;
}

const arrived = (recipient: string) => relay.taken.filter(({ to }) => to === recipient).length;
const stored = async () => await server.ctx.db.selectFrom('mailBounces').selectAll().orderBy('at').execute();

async function run(words: string[], options: Partial<Options> = {}) {
  const { command, args } = commandOf(words);
  const input = { ctx: server.ctx, operator: { id: null }, args, options: { dryRun: false, ...options } };
  return await command.run(input);
}
const list = async (to?: string) => await run(['mail', 'list'], { to });

describe('POST /api/webhooks/bounces', () => {
  const good = { recipient: 'a@example.test', kind: 'soft', at: '2026-01-02T03:04:05Z' };

  it('answers 401 without the token, 400 for a malformed report, and stores nothing of them', async () => {
    const before = await stored();
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
      const { status, headers } = await report(good, authorization);
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    // The token comes first.
    expect((await report({}, '')).status).toBe(401);
    const wrong = [
      {},
      [],
      'text',
      null,
      { ...good, recipient: 'no address' },
      { ...good, recipient: 5 },
      { ...good, recipient: `${'a'.repeat(250)}@example.test` },
      { ...good, recipient: 'nul\u0000@example.test' },
      { ...good, kind: 'other' },
      { ...good, at: 'yesterday' },
      { ...good, at: '2026-13-01T00:00:00Z' },
      { recipient: good.recipient, kind: good.kind },
    ];
    for (const body of wrong) expect([body, (await report(body)).status]).toEqual([body, 400]);
    expect(await stored()).toEqual(before);
  });

  it('answers 204 and stores a report once, however often and in whatever spelling it arrives', async () => {
    for (const recipient of ['a@example.test', 'A@Example.Test ', 'a@example.test'])
      expect((await report({ ...good, recipient, extra: 1 })).status).toBe(204);
    expect((await report({ ...good, at: '2026-01-02T05:04:05+02:00' })).status).toBe(204);
    expect(await stored()).toEqual([{ ...good, at: new Date(good.at) }]);
  });

  it('does not exist without BOUNCE_TOKEN', async () => {
    const without = await untilTestEnds(startTestServer());
    expect((await without.anyone().post('/api/webhooks/bounces', good)).status).toBe(404);
  });
});

it('gives each mail a return path of its own, by which a receiver names the person', async () => {
  const to = 'verp@example.test';
  const id = await mail(to);
  const { from, raw } = relay.taken.at(-1)!;
  expect(from).toMatch(new RegExp(`^Bounce\\+${id}-[0-9a-f]{20}@ads\\.example$`));
  expect(raw).toContain('From: Openslot <no-reply@127.0.0.1>');

  const at = server.clock.now().toISOString();
  expect((await report({ recipient: from.toLowerCase(), kind: 'hard', at })).status).toBe(204);
  expect((await stored()).filter(({ recipient }) => recipient === to)).toHaveLength(1);

  // Strangers cannot turn off an address with a made-up return path.
  const before = await stored();
  const forged = [
    from.replace(`+${id}-`, `+${id - 1}-`),
    from.replace(/[0-9a-f]{20}/, '0'.repeat(20)),
    from.replace(/[0-9a-f]{20}/, 'x'),
    'bounce+verp=example.test@ads.example',
    'bounce@ads.example',
  ];
  for (const recipient of forged)
    expect([recipient, (await report({ recipient, kind: 'hard', at })).status]).toEqual([recipient, 400]);
  expect(await stored()).toEqual(before);
});

describe('an address whose mail has bounced three times', () => {
  it('gets no mail any more; soft bounces and two hard ones do not turn it off', async () => {
    const to = 'gone@example.test';
    await bounce(to, 5, 'soft');
    await bounce(to, 2);
    await mail(to);
    expect(arrived(to)).toBe(1);
    server.clock.advance(MINUTE_MS);
    await bounce(to, 1);
    const id = await mail(to);
    await mail(to, 'reset-code');
    await mail(to, 'password-changed');
    expect(arrived(to)).toBe(1);
    // The queue has nothing left to do.
    await sendMessage(server.ctx, id);
    expect(arrived(to)).toBe(1);
  });

  it('is mailed again after its owner has proven it with a mailed code', async () => {
    const person = await server.signIn('buyer', { email: 'back@example.test' });
    const to = person.user.email;
    await bounce(to, 3);
    const forgot = async () => {
      expect((await server.anyone().post('/api/auth/forgot-password', { email: to })).status).toBe(200);
      await sendLast(to);
    };
    await forgot();
    expect(arrived(to)).toBe(0);
    // A stranger can ask for the code, too, so it is sent only an hour after the last bounce.
    server.clock.advance(HOUR_MS);
    await mail(to);
    expect(arrived(to)).toBe(0);
    const mails = async () =>
      await server.ctx.db.selectFrom('messages').select('bodyText').where('recipient', '=', to).execute();
    await server.anyone().post('/api/auth/forgot-password', { email: to });
    const code = await codeFor(server.ctx, to);
    await sendLast(to);
    expect(arrived(to)).toBe(1);
    expect((await mails()).length).toBeGreaterThan(2);
    const password = { email: to, code, newPassword: 'another long one' };
    expect((await server.anyone().post('/api/auth/reset-password', password)).status).toBe(200);
    await mail(to);
    expect(arrived(to)).toBe(2);
    expect((await stored()).filter(({ recipient }) => recipient === to)).toEqual([]);
  });

  it('gets the code by which a person signs up with it, and is mailed again after that', async () => {
    const to = 'again@example.test';
    await bounce(to, 3);
    const person = { email: to, password: 'long enough', firstName: 'A', lastName: 'B' };
    const client = server.anyone();
    await client.post('/api/auth/register', person);
    const code = await codeFor(server.ctx, to);
    await sendLast(to);
    expect(arrived(to)).toBe(1);
    await mail(to);
    expect(arrived(to)).toBe(1);
    expect((await client.post('/api/auth/verify-email', { email: to, code })).status).toBe(200);
    await mail(to);
    expect(arrived(to)).toBe(2);
  });

  it('is mailed again after its owner has opened a link that was mailed to it', async () => {
    const to = 'left@example.test';
    const person = await server.signIn('buyer', { email: to });
    expect((await person.patch('/api/user/profile', { email: 'new@example.test' })).status).toBe(200);
    const token = await linkTokenFor(server.ctx, to, 'restore');
    await bounce(to, 3);
    expect((await server.anyone().post('/api/auth/restore-email', { token })).status).toBe(200);
    await mail(to);
    expect(arrived(to)).toBe(1);
  });

  it('stays turned off, while older bounces of other addresses are forgotten after a year', async () => {
    await bounce('off@example.test', 3);
    await bounce('once@example.test', 2);
    server.clock.advance(366 * DAY_MS);
    await removeOldMessages(server.ctx);
    const recipients = (await stored()).map(({ recipient }) => recipient);
    expect(recipients.filter((each) => each === 'off@example.test')).toHaveLength(3);
    expect(recipients).not.toContain('once@example.test');
  });

  it('is named by `openslot mail list`, with the mail that was not sent, and by the console', async () => {
    const to = 'listed@example.test';
    await bounce(to, 3);
    const id = await mail(to);
    const named = await list(to);
    expect(named.lines[0]).toMatch(/^listed@example\.test gets no mail: 3 hard bounces, the last one at /);
    expect(named.lines[1]).toMatch(new RegExp(`^${id} .* not sent, because mail to this address bounced$`));
    expect(named.json).toMatchObject({ turnedOff: [{ recipient: to, hardBounces: 3 }] });
    const all = await list();
    expect(all.lines.some((line) => line.startsWith(`${to} gets no mail`))).toBe(true);
    expect(all.lines.some((line) => line.startsWith(`${id} `))).toBe(false);
    expect((await list('reachable@example.test')).json).toMatchObject({ items: [], turnedOff: [] });

    const { client: desk } = await makeOperator(server);
    const turnedOff = { address: to, hardBounces: 3, lastBounceAt: expect.any(String) };
    const listed = '/api/operator/mail/turned-off';
    expect((await desk.get(`${listed}?to=${to}`)).body).toEqual([turnedOff]);
    expect((await desk.get(listed)).body).toContainEqual(turnedOff);
    expect((await desk.get(`/api/operator/mail?to=${to}`)).body).toMatchObject([
      { id, recipient: to, state: 'not sent, because mail to this address bounced' },
    ]);
    await expect(run(['mail', 'resend', String(id)], { reason: 'x' })).rejects.toThrow(
      'Mail to this address bounced too often. Ask the person to prove the address',
    );
  });
});

it('mail to OPERATOR_MAIL is sent even if it bounces, and the doctor fails then', async () => {
  const doctor = async () =>
    await runOpenslot(['doctor'], {
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.ctx.config.dataDir,
      OPERATOR_MAIL: OPERATOR,
    });
  await bounce('one@example.test', 3);
  expect((await doctor()).out).toMatch(/^ok +bounces +\d+ addresses get no mail, because it bounced\.$/m);
  await bounce(OPERATOR, 3);
  await mail(OPERATOR, 'ad-reported');
  expect(arrived(OPERATOR)).toBe(1);
  const { code, out } = await doctor();
  expect(code).toBe(1);
  expect(out).toMatch(/^fail +bounces +Mail to you at desk@ads\.example bounces\. Set OPERATOR_MAIL to /m);
});
