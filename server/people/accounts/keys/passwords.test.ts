import { expect, it } from 'vitest';
import { codeFor } from '#server/testing/mail/mail.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { refuseCommonPassword } from './passwords.ts';

const server = useServer();

const LEAKED = 'This password is on lists of leaked passwords. Choose another one.';

// Proves SEC-18
it.each(['password', 'PassWord', '12345678', 'ｐａｓｓｗｏｒｄ', 'qwertyuiop', 'iloveyou'])(
  'refuses the leaked password %s',
  (password) => {
    expect(() => refuseCommonPassword(password, 'password')).toThrow(LEAKED);
  },
);

// Proves SEC-18
it.each([PASSWORD, '# Source: src/passwords.json', ''])('accepts %j', (password) => {
  expect(() => refuseCommonPassword(password, 'password')).not.toThrow();
});

// Proves SEC-18
it('refuses a leaked password at sign-up, at a reset and at a change, and changes nothing', async () => {
  const email = 'leaky@example.test';
  const caller = server.anyone();
  const names = { firstName: 'A', lastName: 'B' };
  const signUp = await caller.post('/api/auth/register', { email, password: 'Password1', ...names });
  expect([signUp.status, signUp.body.message]).toEqual([400, LEAKED]);
  expect((await caller.post('/api/auth/check-email', { email })).body).toEqual({ available: true });

  for (const password of ['aaaaaaaa', 'abcabcabc', 'Openslot#1', 'openslot-sample']) {
    const refused = await caller.post('/api/auth/register', { email, password, ...names });
    expect([password, refused.status]).toEqual([password, 400]);
    expect(refused.body.issues[0]).toMatchObject({ path: 'password' });
  }

  const person = await server.signIn();
  for (const newPassword of ['12121212', 'openslot-sample']) {
    const body = { currentPassword: PASSWORD, newPassword };
    expect((await person.post('/api/user/password', body)).status).toBe(400);
  }
  const change = { currentPassword: PASSWORD, newPassword: 'password1' };
  const changed = await person.post('/api/user/password', change);
  expect(changed.body).toMatchObject({ message: LEAKED, issues: [{ path: 'newPassword' }] });
  await person.post('/api/auth/forgot-password', { email: person.user.email });
  const code = await codeFor(server.ctx, person.user.email);
  const reset = { email: person.user.email, code, newPassword: 'password1' };
  expect((await caller.post('/api/auth/reset-password', reset)).body.message).toBe(LEAKED);
  // The code was not used.
  const better = await caller.post('/api/auth/reset-password', {
    ...reset,
    newPassword: 'a better password',
  });
  expect(better.status).toBe(200);
});
