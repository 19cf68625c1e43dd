import { describe, expect, it } from 'vitest';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';
import type { Client } from '#server/testing/client.ts';
import { codeFor, linkTokenFor, mailTo } from '#server/testing/mail/mail.ts';
import { turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

const DAY = 24 * 60 * 60 * 1000;

/** A user who has just changed their address. */
async function moved(): Promise<{ person: Client; old: string; email: string }> {
  const person = await server.signIn();
  const old = person.user.email;
  const email = `moved-${old}`;
  expect((await person.patch('/api/user/profile', { email })).status).toBe(200);
  return { person, old, email };
}
const me = async (client: Client) => (await client.get('/api/auth/user')).body;
const undoChange = async (client: Client) => await client.post('/api/user/email/take-back');
const follow = async (token: string) => await server.anyone().post('/api/auth/restore-email', { token });
const prove = async (email: string) =>
  await server.anyone().post('/api/auth/verify-email', { email, code: await codeFor(server.ctx, email) });
const signIn = async (email: string) =>
  (await server.anyone().post('/api/auth/login', { email, password: PASSWORD })).body;

async function resetPassword(email: string) {
  const anyone = server.anyone();
  await anyone.post('/api/auth/forgot-password', { email });
  const code = await codeFor(server.ctx, email);
  return await anyone.post('/api/auth/reset-password', { email, code, newPassword: PASSWORD });
}

describe('a changed email address', () => {
  it('is no change if only its letters are in capitals', async () => {
    const person = await server.signIn();
    const { email } = person.user;
    const answer = await person.patch('/api/user/profile', { email: email.toUpperCase() });
    expect(answer.body).toMatchObject({ email, isEmailVerified: true });
    expect(await mailTo(server.ctx, email)).toEqual([]);
  });

  // Proves ACCT-06
  it('is unverified, beside the previous one, until the code or the link confirms it', async () => {
    for (const way of ['code', 'link']) {
      const { person, old, email } = await moved();
      expect(await me(person)).toMatchObject({ email, isEmailVerified: false, previousEmail: old });
      if (way === 'code') await prove(email);
      else {
        const token = await linkTokenFor(server.ctx, email);
        expect((await server.anyone().post('/api/auth/verify-link', { token })).status).toBe(403);
        expect((await person.post('/api/auth/verify-link', { token })).status).toBe(200);
      }
      expect(await me(person)).toMatchObject({ email, isEmailVerified: true, previousEmail: null });
      expect((await undoChange(person)).status).toBe(409);
    }
  });

  // Proves ACCT-06
  it('receives a new code on request, which replaces the first', async () => {
    const { email } = await moved();
    const first = await codeFor(server.ctx, email);
    await server.anyone().post('/api/auth/resend-code', { email });
    const old = await server.anyone().post('/api/auth/verify-email', { email, code: first });
    expect(old.status).toBe(first === (await codeFor(server.ctx, email)) ? 200 : 400);
    expect((await prove(email)).status).toBe(first === (await codeFor(server.ctx, email)) ? 400 : 200);
  });

  // Proves ACCT-06
  it('can be undone: the old address is verified again, and codes for the new one stop working', async () => {
    const { person, old, email } = await moved();
    const code = await codeFor(server.ctx, email);
    const token = await linkTokenFor(server.ctx, email);
    const answer = await undoChange(person);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ email: old, isEmailVerified: true, previousEmail: null });
    expect(await me(person)).toEqual(answer.body);
    const anyone = server.anyone();
    expect((await anyone.post('/api/auth/verify-email', { email, code })).status).toBe(400);
    expect((await anyone.post('/api/auth/verify-link', { token })).status).toBe(400);
    expect((await signIn(old)).user).toBeDefined();
    const left = await server.ctx.db
      .selectFrom('emailVerifications')
      .select(['code', 'linkHash'])
      .where('email', 'in', [old, email])
      .execute();
    for (const row of left) expect(row).toEqual({ code: null, linkHash: null });
    // The link in the notice to the old address no longer works either.
    expect((await follow(await linkTokenFor(server.ctx, old, 'restore'))).status).toBe(400);
    expect((await undoChange(person)).status).toBe(409);
  });

  // Proves ACCT-06
  it('is also undone when the user enters the old address again', async () => {
    const { person, old } = await moved();
    const answer = await person.patch('/api/user/profile', { email: old, firstName: 'Back' });
    expect(answer.body).toMatchObject({ email: old, isEmailVerified: true, firstName: 'Back' });
  });

  // Proves ACCT-06
  it('can be corrected after a typo: the verified address stays restorable, and the stranger learns nothing', async () => {
    const { person, old, email } = await moved();
    await person.patch('/api/user/profile', { email: `right-${old}` });
    expect(await me(person)).toMatchObject({ email: `right-${old}`, previousEmail: old });
    const told = (await mailTo(server.ctx, email)).filter(({ kind }) => kind === 'address-changed');
    expect(told).toHaveLength(1);
    expect(told[0]?.text).not.toMatch(/restore=|right-/);
    expect((await undoChange(person)).body.email).toBe(old);
  });

  // Proves WARD-01
  it('gives the owner of the new address an empty account at a password reset, and goes back itself', async () => {
    const { person, old, email } = await moved();
    await resetPassword(email);
    const { user } = await signIn(email);
    expect(user).toMatchObject({ email, isEmailVerified: true, previousEmail: null });
    expect(user.id).not.toBe(person.user.id);
    expect(await me(person)).toMatchObject({ email: old, isEmailVerified: true, previousEmail: null });
    expect((await mailTo(server.ctx, email)).at(-1)?.text).toContain('a new, empty account');
    expect((await mailTo(server.ctx, old)).at(-1)?.text).toContain('uses this address again');
    // Neither of the two can be taken over with the link of the notice.
    expect((await follow(await linkTokenFor(server.ctx, old, 'restore'))).status).toBe(400);
  });

  // Proves WARD-01
  it('keeps its new address at a password reset while another account has the former one', async () => {
    const { old, email } = await moved();
    const names = { firstName: 'N', lastName: 'N' };
    await server.anyone().post('/api/auth/register', { email: old, password: PASSWORD, ...names });
    const answer = await resetPassword(email);
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('Contact the marketplace operator');
  });

  // Proves ACCT-06
  it('cannot be undone without a session', async () => {
    expect((await undoChange(server.anyone())).status).toBe(401);
  });
});

/** Follows the link of the newest password mail and sets the usual password again. */
async function setPasswordByMail(email: string): Promise<void> {
  const token = await linkTokenFor(server.ctx, email, 'reset');
  const { code } = (await server.anyone().post('/api/auth/reset-link', { token })).body as { code: string };
  const body = { email, code, newPassword: PASSWORD };
  expect((await server.anyone().post('/api/auth/reset-password', body)).status).toBe(200);
}

describe('the link in the notice to the old address', () => {
  // Proves ACCT-07
  it('restores the old address as verified, ends every session, and works once', async () => {
    const { person, old, email } = await moved();
    await prove(email);
    const elsewhere = server.anyone();
    await elsewhere.post('/api/auth/login', { email, password: PASSWORD });
    const token = await linkTokenFor(server.ctx, old, 'restore');
    const answer = await follow(token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ email: old });
    for (const client of [person, elsewhere]) expect((await client.get('/api/auth/user')).status).toBe(401);
    expect((await server.anyone().post('/api/auth/login', { email, password: PASSWORD })).status).toBe(401);

    const second = await follow(token);
    expect(second.status).toBe(400);
    expect(second.body.message).toContain('already been used');
    await setPasswordByMail(old);
    expect((await signIn(old)).user).toMatchObject({ email: old, isEmailVerified: true });
  });

  // Proves SEC-13
  it('ends the password and the second factor of the person who made the change, and mails a link for a new password', async () => {
    const { person, old, email } = await moved();
    await prove(email);
    await turnOnSecondFactor(person, server.clock.now());
    await follow(await linkTokenFor(server.ctx, old, 'restore'));
    const withOldPassword = await server.anyone().post('/api/auth/login', { email: old, password: PASSWORD });
    expect(withOldPassword.status).toBe(401);
    const empty = await server.anyone().post('/api/auth/login', { email: old, password: ' ' });
    expect(empty.status).toBe(401);
    await setPasswordByMail(old);
    // The sign-in needs no code.
    expect((await signIn(old)).user).toMatchObject({ email: old });
  });

  // Proves ACCT-07
  it('voids codes of both addresses', async () => {
    const { old, email } = await moved();
    await server.anyone().post('/api/auth/forgot-password', { email });
    const code = await codeFor(server.ctx, email);
    await follow(await linkTokenFor(server.ctx, old, 'restore'));
    for (const address of [old, email]) {
      const answer = await server
        .anyone()
        .post('/api/auth/reset-password', { email: address, code, newPassword: 'a thief’s password' });
      expect(answer.status).toBe(400);
    }
  });

  // Proves ACCT-07
  it('works for 7 days', async () => {
    const [early, late] = [await moved(), await moved()];
    const tokens = [
      await linkTokenFor(server.ctx, early.old, 'restore'),
      await linkTokenFor(server.ctx, late.old, 'restore'),
    ];
    server.clock.advance(7 * DAY - 60_000);
    expect((await follow(tokens[0] ?? '')).status).toBe(200);
    server.clock.advance(61_000);
    const answer = await follow(tokens[1] ?? '');
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('expired');
    // The user can undo an unverified change in Settings at any time, so its row stays.
    await removeExpired(server.ctx);
    expect(await me(late.person)).toMatchObject({ previousEmail: late.old });
    expect((await undoChange(late.person)).status).toBe(200);
  });

  // Proves ACCT-07
  it('changes nothing and says so when the old address belongs to another user by now', async () => {
    const { person, old, email } = await moved();
    await server
      .anyone()
      .post('/api/auth/register', { email: old, password: PASSWORD, firstName: 'N', lastName: 'N' });
    const answer = await follow(await linkTokenFor(server.ctx, old, 'restore'));
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('belongs to another account');
    expect((await undoChange(person)).status).toBe(409);
    expect(await me(person)).toMatchObject({ email });
  });

  // Proves ACCT-07
  it('voids the links of later changes, so that a thief cannot restore theirs', async () => {
    const { person, old, email } = await moved();
    await prove(email);
    await person.patch('/api/user/profile', { email: `again-${old}` });
    await prove(`again-${old}`);
    expect((await follow(await linkTokenFor(server.ctx, old, 'restore'))).status).toBe(200);
    expect((await follow(await linkTokenFor(server.ctx, email, 'restore'))).status).toBe(400);
    await setPasswordByMail(old);
    expect((await signIn(old)).user).toMatchObject({ email: old });
  });

  // Proves ACCT-07
  it('works for one of ten parallel clicks', async () => {
    const { old } = await moved();
    const token = await linkTokenFor(server.ctx, old, 'restore');
    const answers = await Promise.all(Array.from({ length: 10 }, () => follow(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  // Proves ACCT-07
  it('rejects an invented token and the link of another mail', async () => {
    const { person, email } = await moved();
    expect((await follow('x'.repeat(22))).status).toBe(400);
    expect((await follow(await linkTokenFor(server.ctx, email))).status).toBe(400);
    expect((await follow('short')).status).toBe(400);
    expect(await me(person)).toMatchObject({ email });
  });

  // Proves ACCT-07
  it('is stored as a hash and removed with the account or once it has expired', async () => {
    const rows = async () => await server.ctx.db.selectFrom('emailChanges').selectAll().execute();
    const { person, old } = await moved();
    const token = await linkTokenFor(server.ctx, old, 'restore');
    expect(JSON.stringify(await rows())).not.toContain(token);
    await person.delete('/api/user/account');
    expect((await rows()).map(({ oldEmail }) => oldEmail)).not.toContain(old);

    const kept = await moved();
    await prove(kept.email);
    await removeExpired(server.ctx);
    expect((await rows()).map(({ oldEmail }) => oldEmail)).toContain(kept.old);
    server.clock.advance(8 * DAY);
    await removeExpired(server.ctx);
    expect((await rows()).map(({ oldEmail }) => oldEmail)).not.toContain(kept.old);
  });
});
