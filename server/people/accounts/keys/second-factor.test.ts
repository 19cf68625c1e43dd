import { describe, expect, it } from 'vitest';
import { Secret } from 'otpauth';
import type { Client } from '#server/testing/client.ts';
import { codeFor, mailTo } from '#server/testing/mail/mail.ts';
import { appCode, turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { requireSecondFactor, secondFactorOf } from './second-factor.ts';
import { enrolmentOf, newSecret, stepOf } from './totp.ts';

const server = useOwnServer();

const STEP = 30_000;
const PATH = '/api/user/second-factor';
const signIn = async (email: string, code?: string, client = server.anyone()) =>
  await client.post('/api/auth/login', { email, password: PASSWORD, ...(code !== undefined && { code }) });
const nextStep = () => server.clock.advance(STEP);

async function personWithFactor(): Promise<{ person: Client; secret: string; recoveryCodes: string[] }> {
  const person = await server.signIn();
  const factor = await turnOnSecondFactor(person, server.clock.now());
  nextStep();
  return { person, ...factor };
}

// Proves SEC-01
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
])('accepts the code of RFC 6238 for second %i', (second, code) => {
  const secret = Buffer.from('12345678901234567890');
  const at = new Date(second * 1000);
  expect(stepOf(secret, code, at)).toBe(Math.floor(second / 30));
  expect(stepOf(secret, code, new Date(at.getTime() + 3 * STEP))).toBeNull();
  expect(stepOf(secret, code, new Date(at.getTime() - 3 * STEP))).toBeNull();
});

// Proves SEC-01
it('offers the secret as text, as an address and as a QR code', () => {
  const secret = newSecret();
  const { secret: text, uri, qr } = enrolmentOf(secret, 'ann@example.test', 'Openslot');
  expect(Buffer.from(Secret.fromBase32(text).bytes)).toEqual(secret);
  expect(uri).toContain(`secret=${text}`);
  expect(decodeURIComponent(uri)).toContain('otpauth://totp/Openslot:ann@example.test');
  expect(qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
  // The light border has four modules.
  expect(qr.path.startsWith('M4 4h1')).toBe(true);
});

describe('the set-up', () => {
  // Proves SEC-01
  it('needs the password, and changes nothing until a first code confirms it', async () => {
    const person = await server.signIn();
    const { email } = person.user;
    expect((await person.get(PATH)).body).toEqual({ isOn: false, recoveryCodesLeft: 0 });
    const refused = await person.post(PATH, { password: 'not my password' });
    expect(refused.status).toBe(400);
    expect(refused.body.issues[0].path).toBe('password');

    const { secret } = (await person.post(PATH, { password: PASSWORD })).body;
    expect((await signIn(email)).body.user).toMatchObject({ email });
    expect((await person.post(`${PATH}/confirm`, { code: '000000x' })).status).toBe(400);
    expect((await person.get(PATH)).body).toEqual({ isOn: false, recoveryCodesLeft: 0 });

    const code = appCode(secret, server.clock.now());
    const confirmed = await person.post(`${PATH}/confirm`, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(confirmed.status).toBe(200);
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(8);
    expect(confirmed.body.recoveryCodes[0]).toMatch(/^[0-9A-Z]{7}(-[0-9A-Z]{7}){3}$/);
    expect((await person.get(PATH)).body).toEqual({ isOn: true, recoveryCodesLeft: 8 });
    expect((await mailTo(server.ctx, email)).at(-1)?.subject).toContain('Two-step verification is on');
    // The code of the set-up is used, too.
    expect((await signIn(email, code)).status).toBe(401);
  });

  // Proves SEC-01
  it('keeps neither the secret nor a recovery code in clear', async () => {
    const { person, secret, recoveryCodes } = await personWithFactor();
    const dump = JSON.stringify([
      await server.ctx.db.selectFrom('secondFactors').selectAll().execute(),
      await server.ctx.db.selectFrom('recoveryCodes').selectAll().execute(),
    ]);
    expect(dump).not.toContain(recoveryCodes[0]?.replaceAll('-', ''));
    const row = await server.ctx.db
      .selectFrom('secondFactors')
      .select('secret')
      .where('userId', '=', person.user.id)
      .executeTakeFirstOrThrow();
    expect(row.secret.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false);
  });

  // Proves SEC-01
  it('is refused while the second factor is on, and without a set-up to confirm', async () => {
    const { person, secret } = await personWithFactor();
    expect((await person.post(PATH, { password: PASSWORD })).status).toBe(409);
    const code = appCode(secret, server.clock.now());
    expect((await person.post(`${PATH}/confirm`, { code })).status).toBe(409);
    expect((await (await server.signIn()).post(`${PATH}/confirm`, { code })).status).toBe(409);
  });
});

describe('signing in', () => {
  // Proves SEC-02
  it('asks for the code after the right password only, and opens no session without it', async () => {
    const { person, secret } = await personWithFactor();
    const { email } = person.user;
    const client = server.anyone();
    const asked = await signIn(email, undefined, client);
    expect(asked.status).toBe(200);
    expect(asked.body).toEqual({ requiresSecondFactor: true });
    expect((await client.get('/api/auth/user')).status).toBe(401);
    const wrongPassword = await client.post('/api/auth/login', { email, password: 'wrong' });
    expect(wrongPassword.body).toEqual({ message: 'Invalid email or password' });

    const wrong = await signIn(email, 'no code', client);
    expect(wrong.status).toBe(401);
    expect(wrong.body.message).toContain('recovery code');
    expect((await client.get('/api/auth/user')).status).toBe(401);
    const right = await signIn(email, appCode(secret, server.clock.now()), client);
    expect(right.body.user).toMatchObject({ email });
    expect((await client.get('/api/auth/user')).status).toBe(200);
  });

  // Proves SEC-03
  it('accepts a code once, also of ten parallel calls, and no earlier code after a later one', async () => {
    const { person, secret } = await personWithFactor();
    const { email } = person.user;
    const early = appCode(secret, server.clock.now());
    nextStep();
    const code = appCode(secret, server.clock.now());
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(email, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await signIn(email, early)).status).toBe(401);
  });

  // Proves SEC-03
  it('accepts each recovery code once, in any case and without dashes', async () => {
    const { person, recoveryCodes } = await personWithFactor();
    const { email } = person.user;
    const [first = '', second = ''] = recoveryCodes;
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ')} `;
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(email, typed)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await signIn(email, first)).status).toBe(401);
    expect((await signIn(email, second)).status).toBe(200);
    expect((await person.get(PATH)).body).toEqual({ isOn: true, recoveryCodesLeft: 6 });
  });

  // Proves SEC-03
  it('refuses the codes of another person', async () => {
    const one = await personWithFactor();
    const other = await personWithFactor();
    expect((await signIn(one.person.user.email, other.recoveryCodes[0])).status).toBe(401);
    expect((await signIn(one.person.user.email, appCode(other.secret, server.clock.now()))).status).toBe(401);
  });

  // Proves SEC-03
  it('refuses app codes after 20 wrong ones in a day, but still accepts a recovery code', async () => {
    const { person, secret, recoveryCodes } = await personWithFactor();
    await withRealLimits(async (strict) => {
      const { email } = person.user;
      for (let round = 0; round < 20; round++) {
        await expect(requireSecondFactor(strict, person.user.id, '000000')).rejects.toThrow('code is wrong');
      }
      const code = appCode(secret, server.clock.now());
      await expect(requireSecondFactor(strict, person.user.id, code)).rejects.toMatchObject({ status: 429 });
      await requireSecondFactor(strict, person.user.id, recoveryCodes[0] ?? '');
      expect((await signIn(email, recoveryCodes[1])).status).toBe(200);
    });
  });

  // Proves SEC-02
  it('is not replaced by a code from the mailbox', async () => {
    const { person } = await personWithFactor();
    const email = `moved-${person.user.email}`;
    await person.patch('/api/user/profile', { email });
    const client = server.anyone();
    const answer = await client.post('/api/auth/verify-email', {
      email,
      code: await codeFor(server.ctx, email),
    });
    expect(answer.body).toEqual({ requiresSecondFactor: true });
    expect((await client.get('/api/auth/user')).status).toBe(401);
    expect((await person.get('/api/auth/user')).body).toMatchObject({ email, isEmailVerified: true });
  });
});

/** Runs `work` with a context whose limits are those of production. */
async function withRealLimits(work: (ctx: typeof server.ctx) => Promise<void>): Promise<void> {
  const { createLimits } = await import('#server/platform/http/limits/limits.ts');
  await work({ ...server.ctx, limits: createLimits(server.app.pool, 1) });
}

describe('turning it off', () => {
  // Proves SEC-04
  it('needs the password and a code', async () => {
    const { person, secret, recoveryCodes } = await personWithFactor();
    const remove = async (password: string, code: string) =>
      await person.post(`${PATH}/remove`, { password, code });
    const code = appCode(secret, server.clock.now());
    expect((await remove('wrong', code)).status).toBe(400);
    expect((await remove(PASSWORD, 'wrong')).status).toBe(400);
    expect((await person.get(PATH)).body).toMatchObject({ isOn: true });
    expect((await remove(PASSWORD, code)).status).toBe(200);
    expect((await person.get(PATH)).body).toEqual({ isOn: false, recoveryCodesLeft: 0 });
    expect((await signIn(person.user.email)).body.user).toMatchObject({ email: person.user.email });
    const kinds = (await mailTo(server.ctx, person.user.email)).map(({ subject }) => subject);
    expect(kinds).toContain('Two-step verification is off for your Openslot account');
    // It is off already, and the recovery codes are gone.
    expect((await remove(PASSWORD, recoveryCodes[0] ?? '')).status).toBe(403);
  });

  // Proves SEC-04
  it('happens with the deletion of the account', async () => {
    const { person } = await personWithFactor();
    expect((await person.delete('/api/user/account')).status).toBe(200);
    expect(await secondFactorOf(server.ctx.db, person.user.id)).toEqual({
      isOn: false,
      recoveryCodesLeft: 0,
    });
  });
});

// Proves SEC-03
it('replaces all recovery codes after the password and a code', async () => {
  const { person, secret, recoveryCodes } = await personWithFactor();
  const code = appCode(secret, server.clock.now());
  const path = `${PATH}/recovery-codes`;
  expect((await person.post(path, { password: 'wrong', code })).status).toBe(400);
  const answer = await person.post(path, { password: PASSWORD, code });
  expect(answer.body.recoveryCodes).toHaveLength(8);
  expect((await signIn(person.user.email, recoveryCodes[0])).status).toBe(401);
  expect((await signIn(person.user.email, answer.body.recoveryCodes[0])).status).toBe(200);
  expect((await (await server.signIn()).post(path, { password: PASSWORD, code })).status).toBe(403);
});
