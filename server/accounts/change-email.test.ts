import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeExpired } from '../jobs/remove-expired.ts';
import type { Client } from '../testing/client.ts';
import { codeFor, linkTokenFor, mailTo } from '../testing/mail.ts';
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => await server.close());

const DAY = 24 * 60 * 60 * 1000;

/** Somebody who has just changed their address. */
async function moved(): Promise<{ person: Client; old: string; email: string }> {
  const person = await server.signIn();
  const old = person.user.email;
  const email = `moved-${old}`;
  expect((await person.patch('/api/user/profile', { email })).status).toBe(200);
  return { person, old, email };
}
const me = async (client: Client) => (await client.get('/api/auth/user')).body;
const takeBack = async (client: Client) => await client.post('/api/user/email/take-back');
const follow = async (token: string) => await server.anyone().post('/api/auth/restore-email', { token });
const prove = async (email: string) =>
  await server.anyone().post('/api/auth/verify-email', { email, code: await codeFor(server.ctx, email) });
const signIn = async (email: string) =>
  (await server.anyone().post('/api/auth/login', { email, password: PASSWORD })).body;

describe('a changed address', () => {
  // Proves ACCT-06
  it('is unproven, and the old one named, until the code or the link of its mail proves it', async () => {
    for (const way of ['code', 'link']) {
      const { person, old, email } = await moved();
      expect(await me(person)).toMatchObject({ email, isEmailVerified: false, previousEmail: old });
      if (way === 'code') await prove(email);
      else {
        const token = await linkTokenFor(server.ctx, email);
        expect((await server.anyone().post('/api/auth/verify-link', { token })).status).toBe(200);
      }
      expect(await me(person)).toMatchObject({ email, isEmailVerified: true, previousEmail: null });
      expect((await takeBack(person)).status).toBe(409);
    }
  });

  // Proves ACCT-06
  it('can be sent a new code', async () => {
    const { email } = await moved();
    const first = await codeFor(server.ctx, email);
    await server.anyone().post('/api/auth/resend-code', { email });
    const old = await server.anyone().post('/api/auth/verify-email', { email, code: first });
    expect(old.status).toBe(first === (await codeFor(server.ctx, email)) ? 200 : 400);
    expect((await prove(email)).status).toBe(first === (await codeFor(server.ctx, email)) ? 400 : 200);
  });

  // Proves ACCT-06
  it('is taken back: the old one is there again, proven, and the new one opens nothing', async () => {
    const { person, old, email } = await moved();
    const code = await codeFor(server.ctx, email);
    const token = await linkTokenFor(server.ctx, email);
    const answer = await takeBack(person);
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
    // The link of the notice has nothing left to do.
    expect((await follow(await linkTokenFor(server.ctx, old, 'restore'))).status).toBe(400);
    expect((await takeBack(person)).status).toBe(409);
  });

  // Proves ACCT-06
  it('typing the old one takes the change back, too', async () => {
    const { person, old } = await moved();
    const answer = await person.patch('/api/user/profile', { email: old, firstName: 'Back' });
    expect(answer.body).toMatchObject({ email: old, isEmailVerified: true, firstName: 'Back' });
  });

  // Proves ACCT-06
  it('a mistyped one is corrected: the last proven one can still be had back, and the stranger learns nothing', async () => {
    const { person, old, email } = await moved();
    await person.patch('/api/user/profile', { email: `right-${old}` });
    expect(await me(person)).toMatchObject({ email: `right-${old}`, previousEmail: old });
    const told = (await mailTo(server.ctx, email)).filter(({ kind }) => kind === 'address-changed');
    expect(told).toHaveLength(1);
    expect(told[0]?.text).not.toMatch(/restore=|right-/);
    expect((await takeBack(person)).body.email).toBe(old);
  });

  // Proves ACCT-06
  it('a password reset by mail proves it as well', async () => {
    const { person, email } = await moved();
    const anyone = server.anyone();
    await anyone.post('/api/auth/forgot-password', { email });
    const code = await codeFor(server.ctx, email);
    await anyone.post('/api/auth/reset-password', { email, code, newPassword: PASSWORD });
    expect((await signIn(email)).user).toMatchObject({ isEmailVerified: true, previousEmail: null });
    expect((await takeBack(person)).status).toBe(401);
  });

  // Proves ACCT-06
  it('without a session nothing is taken back', async () => {
    expect((await takeBack(server.anyone())).status).toBe(401);
  });
});

describe('the link of the notice', () => {
  // Proves ACCT-07
  it('brings the old address back, proven, and ends every session; a second time it does nothing', async () => {
    const { person, old, email } = await moved();
    await prove(email);
    const elsewhere = server.anyone();
    await elsewhere.post('/api/auth/login', { email, password: PASSWORD });
    const token = await linkTokenFor(server.ctx, old, 'restore');
    const answer = await follow(token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ email: old });
    for (const client of [person, elsewhere]) expect((await client.get('/api/auth/user')).status).toBe(401);
    expect((await signIn(old)).user).toMatchObject({ email: old, isEmailVerified: true });
    expect((await server.anyone().post('/api/auth/login', { email, password: PASSWORD })).status).toBe(401);

    const again = await server.anyone().post('/api/auth/login', { email: old, password: PASSWORD });
    expect(again.status).toBe(200);
    const second = await follow(token);
    expect(second.status).toBe(400);
    expect(second.body.message).toContain('used already');
    expect((await signIn(old)).user).toBeDefined();
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
    expect(answer.body.message).toContain('too old');
    // An unproven change can be taken back by hand, however old it is: its row is not swept.
    await removeExpired(server.ctx);
    expect(await me(late.person)).toMatchObject({ previousEmail: late.old });
    expect((await takeBack(late.person)).status).toBe(200);
  });

  // Proves ACCT-07
  it('says so when the old address belongs to somebody else by now, and changes nothing', async () => {
    const { person, old, email } = await moved();
    await server
      .anyone()
      .post('/api/auth/register', { email: old, password: PASSWORD, firstName: 'N', lastName: 'N' });
    const answer = await follow(await linkTokenFor(server.ctx, old, 'restore'));
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('belongs to another account');
    expect((await takeBack(person)).status).toBe(409);
    expect(await me(person)).toMatchObject({ email });
  });

  // Proves ACCT-07
  it('whoever moved the address on twice cannot bring theirs back', async () => {
    const { person, old, email } = await moved();
    await prove(email);
    await person.patch('/api/user/profile', { email: `again-${old}` });
    await prove(`again-${old}`);
    expect((await follow(await linkTokenFor(server.ctx, old, 'restore'))).status).toBe(200);
    expect((await follow(await linkTokenFor(server.ctx, email, 'restore'))).status).toBe(400);
    expect((await signIn(old)).user).toMatchObject({ email: old });
  });

  // Proves ACCT-07
  it('of ten clicks at once one works', async () => {
    const { old } = await moved();
    const token = await linkTokenFor(server.ctx, old, 'restore');
    const answers = await Promise.all(Array.from({ length: 10 }, () => follow(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  // Proves ACCT-07
  it('a made-up token, or the link of another mail, takes nothing back', async () => {
    const { person, email } = await moved();
    expect((await follow('x'.repeat(22))).status).toBe(400);
    expect((await follow(await linkTokenFor(server.ctx, email))).status).toBe(400);
    expect((await follow('short')).status).toBe(400);
    expect(await me(person)).toMatchObject({ email });
  });

  // Proves ACCT-07
  it('is kept as a hash, goes with the account, and is swept when it is of no more use', async () => {
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
