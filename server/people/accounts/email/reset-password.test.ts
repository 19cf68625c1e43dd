import { describe, expect, it } from 'vitest';
import { codeFor, linkTokenFor, mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

const NEW = 'a brand new password';
const signInWith = async (email: string, password: string) =>
  (await server.anyone().post('/api/auth/login', { email, password })).status;
const forget = async (email: string) => await server.anyone().post('/api/auth/forgot-password', { email });
const reset = async (email: string, code: string, newPassword = NEW) =>
  await server.anyone().post('/api/auth/reset-password', { email, code, newPassword });
const wrong = (code: string) => `${code.slice(0, 3)}${code[3] === '7' ? '8' : '7'}`;

describe('POST /api/auth/forgot-password', () => {
  // Proves API-16
  it('answers a known and an unknown address alike, and mails only the known one', async () => {
    const known = await server.signIn();
    const one = await forget(known.user.email);
    const other = await forget('nobody@example.test');
    expect(one.status).toBe(200);
    expect(other.status).toBe(200);
    expect(other.text).toBe(one.text);
    const code = await codeFor(server.ctx, known.user.email);
    expect(one.text).not.toContain(code);
    expect(await mailTo(server.ctx, 'nobody@example.test')).toEqual([]);
    const row = await server.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', known.user.id)
      .executeTakeFirstOrThrow();
    expect(row.passwordResetCode).toMatch(/^[\w-]{43}$/);
    expect(row.verificationCode).toBeNull();
  });

  // Proves API-16
  it('answers a malformed address with 400 and a message', async () => {
    const answer = await forget('abc');
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('Invalid email address');
  });
});

describe('POST /api/auth/reset-password', () => {
  // Proves API-17
  it('sets the new password with the right code, which then becomes void', async () => {
    const known = await server.signIn();
    const { email } = known.user;
    await forget(email);
    const code = await codeFor(server.ctx, email);
    const answer = await reset(email, code);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
    expect(await signInWith(email, PASSWORD)).toBe(401);
    expect(await signInWith(email, NEW)).toBe(200);

    const again = await reset(email, code, 'yet another password');
    expect(again.status).toBe(400);
    expect(again.body.message).toBe('Invalid reset code');
    const row = await server.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', known.user.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ passwordResetCode: null, passwordResetExpires: null });
    expect((await mailTo(server.ctx, email)).at(-1)?.kind).toBe('password-changed');
  });

  // Proves API-17, ENT-07
  it('ends every session of the user and of no other user', async () => {
    const one = await server.signIn();
    const bystander = await server.signIn();
    const second = server.anyone();
    await second.post('/api/auth/login', { email: one.user.email, password: PASSWORD });
    await forget(one.user.email);
    await reset(one.user.email, await codeFor(server.ctx, one.user.email));
    expect((await one.get('/api/auth/user')).status).toBe(401);
    expect((await second.get('/api/auth/user')).status).toBe(401);
    expect((await bystander.get('/api/auth/user')).status).toBe(200);
  });

  // Proves API-17, ENT-07
  it('leaves no session open that started with the old password during the reset', async () => {
    const { user } = await server.signIn();
    await forget(user.email);
    const code = await codeFor(server.ctx, user.email);
    const callers = Array.from({ length: 8 }, () => server.anyone());
    await Promise.all([
      ...callers.map(async (caller) => {
        await caller.post('/api/auth/login', { email: user.email, password: PASSWORD });
      }),
      reset(user.email, code),
    ]);
    for (const caller of callers) expect((await caller.get('/api/auth/user')).status).toBe(401);
  });

  // Proves API-17
  it('answers a wrong code with 400, and voids the code after five wrong tries, also in parallel', async () => {
    const { user } = await server.signIn();
    await forget(user.email);
    const code = await codeFor(server.ctx, user.email);
    expect((await reset(user.email, wrong(code))).body.message).toBe('Invalid reset code');
    const answers = await Promise.all(Array.from({ length: 9 }, () => reset(user.email, wrong(code))));
    const messages = answers.map(({ body }) => body.message as string);
    expect(messages.filter((message) => message === 'Invalid reset code')).toHaveLength(4);
    const answer = await reset(user.email, code);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('Reset code has expired');
    expect(await signInWith(user.email, PASSWORD)).toBe(200);
  });

  // Proves API-17
  it('refuses a code that has expired or been replaced by a newer one', async () => {
    const { user } = await server.signIn();
    await forget(user.email);
    const first = await codeFor(server.ctx, user.email);
    await forget(user.email);
    const second = await codeFor(server.ctx, user.email);
    if (first !== second) expect((await reset(user.email, first)).body.message).toBe('Invalid reset code');
    server.clock.advance(10 * 60_000);
    expect((await reset(user.email, second)).body.message).toContain('expired');
  });

  // Proves API-17
  it('refuses a verification code', async () => {
    const email = 'purpose@example.test';
    const body = { email, password: PASSWORD, firstName: 'A', lastName: 'B' };
    await server.anyone().post('/api/auth/register', body);
    const code = await codeFor(server.ctx, email);
    expect((await reset(email, code)).body.message).toBe('Invalid reset code');
  });

  // Proves API-12, API-17
  it('lets the owner of an address take over an account that someone else opened with it', async () => {
    const email = 'taken-over@example.test';
    const body = { email, password: PASSWORD, firstName: 'A', lastName: 'B' };
    await server.anyone().post('/api/auth/register', body);
    await forget(email);
    expect((await reset(email, await codeFor(server.ctx, email))).status).toBe(200);
    expect(await signInWith(email, PASSWORD)).toBe(401);
    const caller = server.anyone();
    const answer = await caller.post('/api/auth/login', { email, password: NEW });
    expect(answer.body.user).toMatchObject({ email, isEmailVerified: true });
  });

  // Proves VAL-11
  it('refuses a code of the wrong length and a short password without counting a try', async () => {
    const { user } = await server.signIn();
    await forget(user.email);
    const code = await codeFor(server.ctx, user.email);
    expect((await reset(user.email, '123')).body.message).toBe('Reset code must be 4 digits');
    const short = await reset(user.email, code, 'seven77');
    expect(short.status).toBe(400);
    expect(short.body.message).toBe('Password must be at least 8 characters');
    expect((await reset(user.email, code, 'eight-8c')).status).toBe(200);
  });

  // Proves API-17
  it('answers an unknown address like a wrong code', async () => {
    const answer = await reset('nobody@example.test', '1234');
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('Invalid reset code');
  });
});

describe('the link in the password mail', () => {
  const open = async (token: string) => await server.anyone().post('/api/auth/reset-link', { token });
  const requested = async () => {
    const { email } = (await server.signIn()).user;
    await forget(email);
    return { email, token: await linkTokenFor(server.ctx, email, 'reset') };
  };

  it('returns address and code each time it is opened, until the code is used', async () => {
    const { email, token } = await requested();
    const code = await codeFor(server.ctx, email);
    for (let round = 0; round < 3; round++) expect((await open(token)).body).toEqual({ email, code });
    expect((await reset(email, code)).status).toBe(200);
    const used = await open(token);
    expect(used.status).toBe(400);
    expect(used.body.message).toContain('already been used');
  });

  it('says when it has expired, and stops working after a newer mail', async () => {
    const { email, token } = await requested();
    await forget(email);
    expect((await open(token)).status).toBe(400);
    const newer = await linkTokenFor(server.ctx, email, 'reset');
    expect((await open(newer)).status).toBe(200);
    // The link works longer than its code.
    server.clock.advance(59 * 60_000);
    expect((await open(newer)).status).toBe(200);
    server.clock.advance(61_000);
    const late = await open(newer);
    expect(late.status).toBe(400);
    expect(late.body.message).toContain('expired');
  });

  // Proves SEC-16
  it('is the only way after ten wrong codes in a day, which a stranger can enter', async () => {
    const { email } = await requested();
    for (let mail = 0; mail < 2; mail++) {
      await forget(email);
      const code = await codeFor(server.ctx, email);
      for (let round = 0; round < 5; round++) expect((await reset(email, wrong(code))).status).toBe(400);
    }
    await forget(email);
    const refused = await reset(email, await codeFor(server.ctx, email));
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('Open the link in our latest email');
    expect(await signInWith(email, PASSWORD)).toBe(200);

    const token = await linkTokenFor(server.ctx, email, 'reset');
    const { code } = (await open(token)).body as { code: string };
    const body = { email, code, newPassword: NEW, token };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.anyone().post('/api/auth/reset-password', body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await signInWith(email, NEW)).toBe(200);

    server.clock.advance(24 * 60 * 60_000);
    await forget(email);
    expect((await reset(email, await codeFor(server.ctx, email), PASSWORD)).status).toBe(200);
  });

  // Proves SEC-16
  it('is not voided by more than five requests in an hour', async () => {
    const { email } = await requested();
    for (let round = 0; round < 4; round++) await forget(email);
    const token = await linkTokenFor(server.ctx, email, 'reset');
    for (let round = 0; round < 3; round++) expect((await forget(email)).status).toBe(200);
    expect(await linkTokenFor(server.ctx, email, 'reset')).toBe(token);
    expect((await open(token)).status).toBe(200);
    server.clock.advance(61 * 60_000);
    await forget(email);
    expect(await linkTokenFor(server.ctx, email, 'reset')).not.toBe(token);
  });

  it('verifies no address, and a verification link opens no reset', async () => {
    const { email, token } = await requested();
    expect((await server.anyone().post('/api/auth/verify-link', { token })).status).toBe(400);
    const fresh = 'fresh-link@example.test';
    const person = { email: fresh, password: PASSWORD, firstName: 'F', lastName: 'L' };
    await server.anyone().post('/api/auth/register', person);
    expect((await open(await linkTokenFor(server.ctx, fresh))).status).toBe(400);
    expect((await open('x'.repeat(22))).status).toBe(400);
    expect((await open(token)).body.email).toBe(email);
  });
});
