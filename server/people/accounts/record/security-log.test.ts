import { expect, it } from 'vitest';
import type { SecurityEvent } from '#domain/accounts/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { codeFor, linkTokenFor, mailTo } from '#server/testing/mail/mail.ts';
import { turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { PASSWORD, startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';

const server = useOwnServer();

const DAY = 24 * 60 * 60_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const events = async (person: Client, query = '') =>
  (await person.get(`/api/user/security-events${query}`)).body as SecurityEvent[];
const kinds = async (person: Client) => (await events(person)).map(({ kind }) => kind);

// Proves SEC-20
it('records sign-ins, failures and changes of one account, newest first, without addresses in clear', async () => {
  const person = await server.signIn('buyer');
  const { email } = person.user;
  await server.anyone().post('/api/auth/login', { email, password: 'wrong' }, { 'user-agent': FIREFOX });
  await person.post('/api/user/role', { role: 'both' });
  await person.post('/api/user/role', { role: 'both' });
  const { recoveryCodes } = await turnOnSecondFactor(person, server.clock.now());
  await person.post('/api/auth/login', { email, password: PASSWORD, code: '000' });
  await person.post('/api/auth/login', { email, password: PASSWORD, code: recoveryCodes[0] });
  await person.post('/api/user/password', { currentPassword: PASSWORD, newPassword: 'another horse' });
  await person.post('/api/user/export-data');
  await person.delete('/api/user/sessions');
  await person.patch('/api/user/profile', { email: `moved-${email}` });
  expect(await kinds(person)).toEqual([
    'email-changed',
    'signed-out-everywhere',
    'data-exported',
    'password-changed',
    'signed-in',
    'recovery-code-used',
    'second-factor-failed',
    'second-factor-on',
    'role-changed',
    'sign-in-failed',
    'signed-in',
  ]);
  const list = await events(person);
  expect(list.find(({ kind }) => kind === 'sign-in-failed')?.device).toBe('Firefox on Windows');
  // All calls came from one network.
  expect(new Set(list.map(({ network }) => network)).size).toBe(1);
  expect(list[0]?.network).toMatch(/^[\w-]{12}$/);
  const rows = await server.ctx.db.selectFrom('securityEvents').selectAll().execute();
  expect(JSON.stringify(rows)).not.toMatch(/127\.0\.0|Gecko|@/);

  const code = await linkTokenFor(server.ctx, email, 'restore');
  await server.anyone().post('/api/auth/restore-email', { token: code });
  const reset = { email, code: await codeFor(server.ctx, email), newPassword: PASSWORD };
  await server.anyone().post('/api/auth/reset-password', { ...reset, code: '----' });
  await server.anyone().post('/api/auth/reset-password', reset);
  await person.post('/api/auth/login', { email, password: PASSWORD });
  expect((await kinds(person)).slice(0, 4)).toEqual([
    'signed-in',
    'password-reset',
    'code-failed',
    'email-restored',
  ]);
});

// Proves KEY-07
it('records repeated passwords, ended sessions and sign-outs', async () => {
  const person = await server.signIn();
  const { email } = person.user;
  await person.post('/api/user/reauthenticate', { password: 'wrong' });
  await person.post('/api/user/reauthenticate', { password: PASSWORD });
  const other = server.anyone();
  await other.post('/api/auth/login', { email, password: PASSWORD });
  const third = server.anyone();
  await third.post('/api/auth/login', { email, password: PASSWORD });
  await other.post('/api/auth/logout');
  await other.post('/api/auth/logout');
  await third.get('/api/logout', { 'sec-fetch-site': 'same-origin' });
  const fourth = server.anyone();
  await fourth.post('/api/auth/login', { email, password: PASSWORD });
  const sessions = (await person.get('/api/user/sessions')).body as { id: string; isCurrent: boolean }[];
  await person.delete(`/api/user/sessions/${sessions.find(({ isCurrent }) => !isCurrent)?.id}`);
  expect((await kinds(person)).filter((kind) => !['new-device', 'signed-in'].includes(kind))).toEqual([
    'session-ended',
    'signed-out',
    'signed-out',
    'reauthenticated',
    'reauthentication-failed',
  ]);
});

// Proves KEY-07
it('writes every failed sign-in to the log of the process, also of an address without an account', async () => {
  const lines: string[] = [];
  const logged = await untilTestEnds(
    startTestServer({
      env: { RATE_LIMIT_FACTOR: '1' },
      log: (line) => lines.push(line),
    }),
  );
  const person = await logged.signIn();
  const nobody = { email: 'nobody@example.test', password: 'wrong' };
  const answer = await logged.anyone().post('/api/auth/login', nobody);
  for (let round = 0; round < 2; round++)
    await logged.anyone().post('/api/auth/login', { email: person.user.email, password: 'wrong' });
  // The limit of the table is used up.
  const limit = logged.ctx.limits('security-log', { points: 100, seconds: 24 * 60 * 60 });
  await expect(
    (async () => {
      for (;;) await limit(String(person.user.id));
    })(),
  ).rejects.toThrow('Too many');
  await logged.anyone().post('/api/auth/login', { email: person.user.email, password: 'wrong' });
  const failures = lines
    .map(
      (line) =>
        JSON.parse(line) as { security?: string; userId?: number | null; level: string; network: string },
    )
    .filter(({ security }) => security === 'sign-in-failed');
  const { id } = person.user;
  expect(failures.map(({ userId }) => userId)).toEqual([null, id, id, id]);
  expect(failures[0]).toMatchObject({
    level: 'warn',
    network: expect.stringMatching(/^[\w-]{12}$/) as string,
  });
  expect(lines.join('')).not.toContain('nobody@example.test');
  expect(answer.status).toBe(401);
});

// Proves KEY-07
it('writes each refused call to the log of the process, with its account and without its content', async () => {
  const lines: string[] = [];
  const logged = await untilTestEnds(startTestServer({ log: (line) => lines.push(line) }));
  const person = await logged.signIn('buyer');
  await person.post('/api/websites', { name: 'Unmistakable' });
  await person.patch('/api/user/passkeys/1', { name: 'Unmistakable' });
  await person.patch('/api/user/profile', { email: 'unmistakable' });
  await logged.anyone().get('/api/user/sessions');
  const { id: userId } = person.user;
  const refusals = lines
    .map((line) => JSON.parse(line) as { refused?: number; route?: string; userId?: number | null })
    .filter(({ refused }) => refused !== undefined)
    .map(({ refused, route, userId: who }) => [refused, route, who]);
  expect(refusals).toEqual([
    [403, '/api/websites', userId],
    [404, '/api/user/passkeys/:id', userId],
    [400, '/api/user/profile', userId],
    [401, '/api/user/sessions', null],
  ]);
  expect(lines.join('').toLowerCase()).not.toContain('unmistakable');
});

// Proves SEC-20
it('shows a person their own events only, in pages, and forgets them with the account', async () => {
  const person = await server.signIn();
  const other = await server.signIn();
  for (let round = 0; round < 4; round++) {
    await server.anyone().post('/api/auth/login', { email: person.user.email, password: 'wrong' });
  }
  expect(await kinds(other)).toEqual(['signed-in']);
  const first = await person.get('/api/user/security-events?limit=3');
  expect(first.body).toHaveLength(3);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await person.get(next);
  expect((second.body as SecurityEvent[]).map(({ kind }) => kind)).toEqual(['sign-in-failed', 'signed-in']);
  expect(second.headers.get('link')).toBeNull();
  expect((await person.get('/api/user/security-events?cursor=bad!')).status).toBe(400);
  await person.delete('/api/user/account');
  const left = await server.ctx.db
    .selectFrom('securityEvents')
    .select('id')
    .where('userId', '=', person.user.id)
    .execute();
  expect(left).toEqual([]);
});

// Proves SEC-20
it('records at most 100 failures of an account in a day, and one lock-out in an hour', async () => {
  const strict = await untilTestEnds(startTestServer({ env: { RATE_LIMIT_FACTOR: '1' } }));
  const person = await strict.signIn();
  const { email } = person.user;
  for (let round = 0; round < 30; round++) {
    await strict.anyone().post('/api/auth/login', { email, password: 'wrong' });
  }
  const list = (await person.get('/api/user/security-events?limit=100')).body as SecurityEvent[];
  const count = (wanted: string) => list.filter(({ kind }) => kind === wanted).length;
  expect([count('sign-in-failed'), count('locked-out')]).toEqual([20, 1]);
});

// Proves SEC-20
it('removes events after a year', async () => {
  const person = await server.signIn();
  server.clock.advance(364 * DAY);
  await removeExpired(server.ctx);
  expect(await kinds(person)).toEqual(['signed-in']);
  server.clock.advance(2 * DAY);
  await removeExpired(server.ctx);
  const { id } = person.user;
  const left = await server.ctx.db
    .selectFrom('securityEvents')
    .select('id')
    .where('userId', '=', id)
    .execute();
  expect(left).toEqual([]);
});

// Proves SEC-19
it('mails a notice for a sign-in from an unknown browser, and none for a known one', async () => {
  const person = await server.signIn();
  const { email } = person.user;
  const notices = async () => (await mailTo(server.ctx, email)).filter(({ kind }) => kind === 'new-device');
  await person.post('/api/auth/login', { email, password: PASSWORD });
  expect(await notices()).toEqual([]);
  const other = server.anyone();
  await other.post('/api/auth/login', { email, password: 'wrong' }, { 'user-agent': FIREFOX });
  expect(await notices()).toEqual([]);
  await other.post('/api/auth/login', { email, password: PASSWORD }, { 'user-agent': FIREFOX });
  await other.post('/api/auth/logout');
  await other.post('/api/auth/login', { email, password: PASSWORD }, { 'user-agent': FIREFOX });
  const [notice, ...more] = await notices();
  expect(notice?.text).toContain('Firefox on Windows');
  expect(more).toEqual([]);
  expect((await kinds(person))[0]).toBe('signed-in');
  expect(await kinds(person)).toContain('new-device');
});

// Proves SEC-22
it('ends a session that was not used for SESSION_IDLE_DAYS, and no other', async () => {
  const idle = await untilTestEnds(startTestServer({ env: { SESSION_IDLE_DAYS: '2' } }));
  const person = await idle.signIn();
  const { email } = person.user;
  const other = idle.anyone();
  await other.post('/api/auth/login', { email, password: PASSWORD });
  idle.clock.advance(1.5 * DAY);
  expect((await other.get('/api/auth/user')).status).toBe(200);
  idle.clock.advance(DAY);
  expect((await other.get('/api/auth/user')).status).toBe(200);
  expect((await person.get('/api/auth/user')).status).toBe(401);
  expect((await other.get('/api/user/sessions')).body).toHaveLength(1);
});
