import { describe, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { codeFor, mailTo } from '#server/testing/mail/mail.ts';
import { appCode, turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

const MINUTE = 60_000;
const NEW = 'another horse battery';
const confirm = async (person: Client, body: object) => await person.post('/api/user/reauthenticate', body);

/** The calls that could take over or end an account. The last one ends it. */
const GUARDED: [name: string, call: (person: Client) => ReturnType<Client['send']>][] = [
  ['change the e-mail', (person) => person.patch('/api/user/profile', { email: `x-${person.user.email}` })],
  [
    'change the password',
    (person) => person.post('/api/user/password', { currentPassword: PASSWORD, newPassword: NEW }),
  ],
  ['export', (person) => person.post('/api/user/export-data')],
  [
    'end another session',
    async (person) => await person.delete(`/api/user/sessions/${await elsewhere(person)}`),
  ],
  ['end all other sessions', (person) => person.delete('/api/user/sessions')],
  ['delete the account', (person) => person.delete('/api/user/account')],
];

/** Returns a session of the person on another device. */
async function elsewhere(person: Client): Promise<string> {
  const { email } = person.user;
  await server.anyone().post('/api/auth/login', { email, password: PASSWORD });
  const sessions = (await person.get('/api/user/sessions')).body as { id: string; isCurrent: boolean }[];
  return sessions.find(({ isCurrent }) => !isCurrent)?.id ?? '';
}

// Proves SEC-07, KEY-06
it.each(GUARDED)('refuses an older session to %s until the password is repeated', async (_name, call) => {
  const person = await server.signIn();
  server.clock.advance(15 * MINUTE + 1000);
  const refused = await call(person);
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ code: 'reauthenticate', message: expect.stringMatching(/password/) });
  const unchanged = await person.get('/api/auth/user');
  expect(unchanged.body).toMatchObject({ email: person.user.email, isEmailVerified: true });
  expect((await confirm(person, { password: 'wrong' })).status).toBe(400);
  expect((await call(person)).status).toBe(403);
  expect((await confirm(person, { password: PASSWORD })).status).toBe(200);
  expect((await call(person)).status).toBe(200);
});

// Proves SEC-07
it('needs no password in the first 15 minutes of a session, and never to change a name', async () => {
  const person = await server.signIn();
  server.clock.advance(15 * MINUTE - 5000);
  expect((await person.post('/api/user/export-data')).status).toBe(200);
  server.clock.advance(MINUTE);
  const names = await person.patch('/api/user/profile', { firstName: 'New', email: person.user.email });
  expect(names.status).toBe(200);
  // Another session of the same person is not confirmed by this one.
  const other = server.anyone();
  await other.post('/api/auth/login', { email: person.user.email, password: PASSWORD });
  expect((await other.post('/api/user/export-data')).status).toBe(200);
  expect((await person.post('/api/user/export-data')).status).toBe(403);
});

// Proves KEY-06
it('signs the current session out at any time', async () => {
  const person = await server.signIn();
  const [{ id }] = (await person.get('/api/user/sessions')).body as [{ id: string }];
  server.clock.advance(16 * MINUTE);
  expect((await person.delete(`/api/user/sessions/${id}`)).status).toBe(200);
  expect((await person.get('/api/auth/user')).status).toBe(401);
});

// Proves KEY-06
it('gives a confirmed session a new id, and the old one stops working', async () => {
  const person = await server.signIn();
  const before = (await person.get('/api/user/sessions')).body[0];
  const stolen = server.anyone();
  stolen.cookie = person.cookie;
  expect((await stolen.get('/api/auth/user')).status).toBe(200);
  const expires = async () =>
    await server.ctx.db.selectFrom('sessions').select('expire').where('publicId', '=', before.id).execute();
  const until = await expires();
  expect((await confirm(person, { password: 'wrong' })).status).toBe(400);
  expect(person.cookie).toBe(stolen.cookie);

  server.clock.advance(MINUTE);
  expect((await confirm(person, { password: PASSWORD })).status).toBe(200);
  expect(person.cookie).not.toBe(stolen.cookie);
  expect((await stolen.get('/api/auth/user')).status).toBe(401);
  // The list shows the same session, which ends when it would have ended.
  const after = (await person.get('/api/user/sessions')).body;
  expect(after).toEqual([{ ...before, lastUsedAt: after[0].lastUsedAt }]);
  expect(await expires()).toEqual(until);
  expect((await person.patch('/api/user/settings', { currency: 'EUR' })).status).toBe(200);
  expect(await expires()).toEqual(until);
});

// Proves KEY-06
it('does not bring a session back that ends while it is being confirmed', async () => {
  const person = await server.signIn();
  const { email } = person.user;
  const isRenewing = async () => {
    const parked = server.ctx.db.selectFrom('sessions').select('sid').where('sid', 'like', 'renewing-%');
    return (await parked.execute()).length > 0;
  };
  for (let round = 0; round < 30; round++) {
    const there = server.anyone();
    await there.post('/api/auth/login', { email, password: PASSWORD });
    let isAnswered = false;
    const confirming = confirm(there, { password: PASSWORD }).finally(() => (isAnswered = true));
    // Every other time, the session ends while its row is between its two ids.
    while (round % 2 === 1 && !isAnswered && !(await isRenewing()));
    const ended = await person.delete('/api/user/sessions');
    expect(ended.status).toBe(200);
    expect([200, 401]).toContain((await confirming).status);
    expect((await there.get('/api/auth/user')).status).toBe(401);
  }
  expect((await person.get('/api/user/sessions')).body).toHaveLength(1);
});

// Proves SEC-07
it('needs a code as well if the second factor is on', async () => {
  const person = await server.signIn();
  const { secret, recoveryCodes } = await turnOnSecondFactor(person, server.clock.now());
  server.clock.advance(16 * MINUTE);
  const missing = await confirm(person, { password: PASSWORD });
  expect([missing.status, missing.body.issues[0].path]).toEqual([400, 'code']);
  expect((await confirm(person, { password: PASSWORD, code: '12' })).status).toBe(400);
  expect((await person.post('/api/user/export-data')).status).toBe(403);
  const code = appCode(secret, server.clock.now());
  expect((await confirm(person, { password: PASSWORD, code })).status).toBe(200);
  expect((await person.post('/api/user/export-data')).status).toBe(200);
  expect((await confirm(person, { password: PASSWORD, code })).status).toBe(400);
  expect((await confirm(person, { password: PASSWORD, code: recoveryCodes[0] })).status).toBe(200);
});

describe('POST /api/user/password', () => {
  const change = async (person: Client, currentPassword: string, newPassword = NEW) =>
    await person.post('/api/user/password', { currentPassword, newPassword });
  const signIn = async (email: string, password: string) =>
    (await server.anyone().post('/api/auth/login', { email, password })).status;

  // Proves SEC-08
  it('changes the password, ends every other session, voids a reset code and mails a notice', async () => {
    const person = await server.signIn();
    const { email } = person.user;
    const other = server.anyone();
    await other.post('/api/auth/login', { email, password: PASSWORD });
    await person.post('/api/auth/forgot-password', { email });
    const code = await codeFor(server.ctx, email);
    expect((await change(person, PASSWORD)).body).toEqual({ success: true });
    expect((await person.get('/api/auth/user')).status).toBe(200);
    expect((await other.get('/api/auth/user')).status).toBe(401);
    expect(await signIn(email, PASSWORD)).toBe(401);
    expect(await signIn(email, NEW)).toBe(200);
    const reset = await other.post('/api/auth/reset-password', { email, code, newPassword: PASSWORD });
    expect(reset.status).toBe(400);
    const mail = (await mailTo(server.ctx, email)).find(({ kind }) => kind === 'password-changed');
    expect(mail?.text).toContain('Every other device was signed out');
  });

  // Proves SEC-08
  it('refuses a wrong current password and a new one that is too short', async () => {
    const person = await server.signIn();
    expect((await change(person, 'wrong')).body).toMatchObject({ issues: [{ path: 'currentPassword' }] });
    expect((await change(person, PASSWORD, 'short')).status).toBe(400);
    expect(await signIn(person.user.email, PASSWORD)).toBe(200);
  });

  // Proves SEC-08
  it('lets one of ten parallel changes win', async () => {
    const person = await server.signIn();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, round) => change(person, PASSWORD, `${NEW} ${round}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await signIn(person.user.email, `${NEW} ${winner}`)).toBe(200);
  });
});
