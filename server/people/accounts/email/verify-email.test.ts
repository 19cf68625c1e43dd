import { describe, expect, it } from 'vitest';
import { CODE_ALPHABET } from '#domain/accounts/codes.ts';
import type { Client } from '#server/testing/client.ts';
import { codeFor, linkTokenFor, mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

const MINUTE = 60_000;
const INVALID = { message: expect.stringContaining('Invalid verification code') as string };
const EXPIRED = { message: expect.stringContaining('expired') as string };

async function registered(): Promise<{ caller: Client; email: string; code: string }> {
  const email = `verify-${Math.random().toString(36).slice(2)}@example.test`;
  const caller = server.anyone();
  await caller.post('/api/auth/register', { email, password: PASSWORD, firstName: 'A', lastName: 'B' });
  return { caller, email, code: await codeFor(server.ctx, email) };
}

/** A code that differs from this one. */
const wrong = (code: string) => `${code.slice(0, 3)}${code[3] === '7' ? '8' : '7'}`;
const verify = async (caller: Client, email: string, code: string) =>
  await caller.post('/api/auth/verify-email', { email, code });
const codeRows = async (email: string) =>
  await server.ctx.db
    .selectFrom('emailVerifications')
    .selectAll()
    .where('email', '=', email)
    .orderBy('id')
    .execute();

describe('POST /api/auth/verify-email', () => {
  // Proves API-14, ENT-10, ENT-07
  it('verifies the address and signs in with the right code, which is then emptied', async () => {
    const { caller, email, code } = await registered();
    const answer = await verify(caller, ` ${email.toUpperCase()} `, code.toLowerCase());
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ email, isEmailVerified: true });
    expect((await caller.get('/api/auth/user')).body).toEqual(answer.body.user);

    expect(await codeRows(email)).toMatchObject([{ code: null, linkHash: null, isUsed: true }]);
    const row = await server.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      isEmailVerified: true,
      verificationCode: null,
      verificationCodeExpires: null,
    });
  });

  // Proves ENT-10, API-14
  it('refuses the same code a second time', async () => {
    const { caller, email, code } = await registered();
    await verify(caller, email, code);
    const again = await verify(server.anyone(), email, code);
    expect(again.status).toBe(400);
    expect(again.body).toMatchObject(INVALID);
  });

  // Proves API-14
  it('answers a wrong code with 400 and opens no session', async () => {
    const { caller, email, code } = await registered();
    const answer = await verify(caller, email, wrong(code));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(INVALID);
    expect(caller.cookie).toBe('');
    expect((await verify(caller, email, code)).status).toBe(200);
  });

  // Proves API-14
  it('accepts a code until exactly ten minutes after it was issued', async () => {
    const early = await registered();
    const late = await registered();
    server.clock.advance(10 * MINUTE - 5000);
    expect((await verify(early.caller, early.email, early.code)).status).toBe(200);
    server.clock.advance(5000);
    const answer = await verify(late.caller, late.email, late.code);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(EXPIRED);
  });

  // Proves API-14
  it('voids a code after five wrong tries and answers the right one as expired', async () => {
    const { caller, email, code } = await registered();
    for (let round = 0; round < 5; round++) {
      expect((await verify(caller, email, wrong(code))).body).toMatchObject(INVALID);
    }
    const answer = await verify(caller, email, code);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(EXPIRED);
    expect(await codeRows(email)).toMatchObject([{ code: null, tries: 5, isUsed: false }]);
  });

  // Proves API-14
  it('judges at most five of twenty parallel tries', async () => {
    const { email, code } = await registered();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => verify(server.anyone(), email, wrong(code))),
    );
    const messages = answers.map(({ body }) => body.message as string);
    expect(messages.filter((message) => message.includes('Invalid'))).toHaveLength(5);
    expect(messages.filter((message) => message.includes('expired'))).toHaveLength(15);
    expect((await verify(server.anyone(), email, code)).body).toMatchObject(EXPIRED);
  });

  // Proves ENT-10, API-14
  it('opens one session for ten parallel calls with the right code', async () => {
    const { email, code } = await registered();
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(server.anyone(), email, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  // Proves API-14
  it('accepts a code only for its own address and purpose', async () => {
    const one = await registered();
    const other = await registered();
    expect(
      (await verify(one.caller, one.email, other.code === one.code ? wrong(one.code) : other.code)).status,
    ).toBe(400);
    const reset = await one.caller.post('/api/auth/reset-password', {
      email: one.email,
      code: one.code,
      newPassword: 'another password',
    });
    expect(reset.status).toBe(400);
    expect((await verify(one.caller, one.email, one.code)).status).toBe(200);
  });

  // Proves API-14
  it('answers an unknown address like a wrong code', async () => {
    const answer = await verify(server.anyone(), 'nobody@example.test', '1234');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(INVALID);
  });

  // Proves VAL-09
  it.each([['123'], ['12345'], [''], [1234], [null], [{ length: 4 }]])(
    'refuses %j as a code',
    async (code) => {
      const { caller, email } = await registered();
      const answer = await caller.post('/api/auth/verify-email', { email, code });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe('Verification code must be 4 digits');
      expect(await codeRows(email)).toMatchObject([{ tries: 0 }]);
    },
  );

  // Proves VAL-09, API-14
  it('answers four characters of any script with 400, not with 5xx', async () => {
    const { caller, email } = await registered();
    for (const code of ['é€日本', '    x', "%_\\'", '----']) {
      expect((await verify(caller, email, code)).status).toBe(400);
    }
  });
});

describe('the one-time link', () => {
  const follow = async (caller: Client, token: string) =>
    await caller.post('/api/auth/verify-link', { token });

  // Proves AUTH-26, API-14
  it('verifies the address, signs in, and works once', async () => {
    const { caller, email, code } = await registered();
    const token = await linkTokenFor(server.ctx, email);
    const answer = await follow(caller, token);
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ email, isEmailVerified: true });
    expect((await caller.get('/api/auth/user')).status).toBe(200);
    expect((await follow(server.anyone(), token)).body).toMatchObject(INVALID);
    expect((await verify(server.anyone(), email, code)).body).toMatchObject(INVALID);
  });

  // Proves API-14
  it('has 128 bits, is stored as a hash, and ends after an hour or with a newer link', async () => {
    const { caller, email } = await registered();
    const token = await linkTokenFor(server.ctx, email);
    expect(Buffer.from(token, 'base64url')).toHaveLength(16);
    expect(JSON.stringify(await codeRows(email))).not.toContain(token);
    await caller.post('/api/auth/resend-code', { email });
    expect((await follow(caller, token)).body).toMatchObject(INVALID);

    const newer = await linkTokenFor(server.ctx, email);
    server.clock.advance(60 * MINUTE);
    const late = await follow(caller, newer);
    expect(late.status).toBe(400);
    expect(late.body).toMatchObject(EXPIRED);
  });

  // Proves API-14
  it('opens one session for ten parallel calls', async () => {
    const { caller, email } = await registered();
    const token = await linkTokenFor(server.ctx, email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => follow(caller, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  // Proves SEC-14
  it('activates nothing in an unknown browser without the password that was chosen at the sign-up', async () => {
    const { email } = await registered();
    const token = await linkTokenFor(server.ctx, email);
    const victim = server.anyone();
    const asked = await follow(victim, token);
    expect(asked.status).toBe(403);
    expect(asked.body).toMatchObject({ code: 'password-needed' });
    const wrongPassword = await victim.post('/api/auth/verify-link', { token, password: 'a guess' });
    expect(wrongPassword.status).toBe(400);
    expect(wrongPassword.body).toMatchObject({ issues: [{ path: 'password' }] });
    expect((await victim.get('/api/auth/user')).status).toBe(401);
    const stranger = await server.anyone().post('/api/auth/login', { email, password: PASSWORD });
    expect(stranger.body).toEqual({ requiresVerification: true });
    // The person who signed up can open the mail on another device.
    const answer = await victim.post('/api/auth/verify-link', { token, password: PASSWORD });
    expect(answer.body.user).toMatchObject({ email, isEmailVerified: true });
  });

  // Proves SEC-14
  it('lets the owner of the address take the account over, which ends the password of the stranger', async () => {
    const { caller: stranger, email } = await registered();
    const owner = server.anyone();
    expect((await follow(owner, await linkTokenFor(server.ctx, email))).status).toBe(403);
    await owner.post('/api/auth/forgot-password', { email });
    const token = await linkTokenFor(server.ctx, email, 'reset');
    const { code } = (await owner.post('/api/auth/reset-link', { token })).body as { code: string };
    const newPassword = 'the owner chose this';
    expect((await owner.post('/api/auth/reset-password', { email, code, newPassword, token })).status).toBe(
      200,
    );
    expect((await stranger.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(401);
    expect((await owner.post('/api/auth/login', { email, password: newPassword })).status).toBe(200);
  });

  // Proves API-14
  it('refuses invented tokens', async () => {
    expect((await follow(server.anyone(), 'A'.repeat(22))).body).toMatchObject(INVALID);
    expect((await follow(server.anyone(), 'short')).status).toBe(400);
    expect((await server.anyone().post('/api/auth/verify-link', { token: 5 })).status).toBe(400);
  });
});

describe('POST /api/auth/resend-code', () => {
  // Proves API-15
  it('issues a new code and voids the earlier one', async () => {
    const { caller, email, code } = await registered();
    const answer = await caller.post('/api/auth/resend-code', { email });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
    const newer = await codeFor(server.ctx, email);
    expect(answer.text).not.toContain(newer);
    // The two codes are equal once in a million times.
    if (newer !== code) expect((await verify(caller, email, code)).body).toMatchObject(INVALID);
    expect((await verify(caller, email, newer)).status).toBe(200);
  });

  // Proves API-15
  it('leaves exactly one valid code after ten parallel calls', async () => {
    const { caller, email } = await registered();
    await Promise.all(Array.from({ length: 10 }, () => caller.post('/api/auth/resend-code', { email })));
    const rows = await codeRows(email);
    expect(rows.filter((row) => row.code !== null)).toHaveLength(1);
    expect((await verify(caller, email, await codeFor(server.ctx, email))).status).toBe(200);
  });

  // Proves API-15, API-16
  it('answers unknown and verified addresses alike, and sends them no mail', async () => {
    const known = await server.signIn();
    for (const email of [known.user.email, 'nobody-here@example.test']) {
      const answer = await server.anyone().post('/api/auth/resend-code', { email });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ success: true });
      expect(await mailTo(server.ctx, email)).toEqual([]);
    }
    expect((await server.anyone().post('/api/auth/resend-code', { email: 'abc' })).status).toBe(400);
  });
});

// Proves AUTH-04
it('draws codes evenly from 32 characters', async () => {
  const { codeOf, newToken } = await import('../record/rules.ts');
  const key = Buffer.alloc(32, 1);
  const counts = new Map<string, number>();
  for (let round = 0; round < 8000; round++) {
    for (const character of codeOf(key, newToken())) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted().join('')).toBe(CODE_ALPHABET);
  // Each character is expected 1,000 times, with a standard deviation of 31.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200);
});
