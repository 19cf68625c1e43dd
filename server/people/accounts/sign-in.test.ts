import { createHook } from 'node:async_hooks';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { Client } from '#server/testing/client.ts';
import { codeFor, mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD, startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const sessionsOf = async (userId: number) =>
  (
    await server.ctx.db
      .selectFrom('sessions')
      .selectAll()
      .where(sql`sess ->> 'userId'`, '=', String(userId))
      .execute()
  ).map(({ sid, expire, sess }) => ({ sid, expire, sess }));

/** How many Argon2 hashes this process computes during `work`. Almost all of the time of a sign-in is spent on them. */
async function countHashes(work: () => Promise<void>): Promise<number> {
  let hashes = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') hashes += 1;
    },
  }).enable();
  await work().finally(() => hook.disable());
  return hashes;
}

async function registered(): Promise<{ caller: Client; email: string }> {
  const email = `unverified-${Math.random().toString(36).slice(2)}@example.test`;
  const caller = server.anyone();
  await caller.post('/api/auth/register', { email, password: PASSWORD, firstName: 'A', lastName: 'B' });
  return { caller, email };
}

describe('POST /api/auth/login', () => {
  // Proves API-13, ENT-07
  it('opens a session of seven days and answers with the user', async () => {
    const known = await server.signIn();
    const caller = server.anyone();
    const answer = await caller.post('/api/auth/login', {
      email: ` ${known.user.email.toUpperCase()}`,
      password: PASSWORD,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ id: known.user.id, email: known.user.email });
    expect(answer.body.requiresVerification).toBeUndefined();
    expect((await caller.get('/api/auth/user')).body).toEqual(answer.body.user);

    const cookie = answer.headers.getSetCookie().join();
    expect(cookie).toMatch(/^openslot=/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    const newest = (await sessionsOf(known.user.id)).at(-1);
    expect(Math.abs(Number(newest?.expire) - Date.now() - WEEK_MS)).toBeLessThan(24 * 60 * 60 * 1000);
  });

  // Proves API-10, ENT-01
  it('never shows a hash, a code or a provider id', async () => {
    const known = await server.signIn();
    await server.ctx.db
      .updateTable('users')
      .set({ stripeCustomerId: 'cus_secret', verificationCode: 'AAAA', passwordResetCode: 'BBBB' })
      .where('id', '=', known.user.id)
      .execute();
    const { text, body } = await known.get('/api/auth/user');
    expect(text).not.toMatch(/argon2|cus_secret|AAAA|BBBB/);
    expect(Object.keys(body).toSorted()).toEqual([
      'createdAt',
      'email',
      'firstName',
      'hasCompletedOnboarding',
      'id',
      'isEmailVerified',
      'lastName',
      'previousEmail',
      'profileImageUrl',
      'role',
      'suspendedReason',
      'timezone',
      'updatedAt',
    ]);
  });

  // Proves API-13
  it('answers a wrong password and an unknown address with the same 401', async () => {
    const known = await server.signIn();
    const wrong = await server
      .anyone()
      .post('/api/auth/login', { email: known.user.email, password: `${PASSWORD}!` });
    const unknown = await server
      .anyone()
      .post('/api/auth/login', { email: 'nobody@example.test', password: PASSWORD });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({ message: 'Invalid email or password' });
    expect(unknown.status).toBe(401);
    expect(unknown.text).toBe(wrong.text);
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  // Proves API-13
  it('computes one hash for an unknown address as for a wrong password', async () => {
    const known = await server.signIn();
    for (const email of [known.user.email, 'nobody-at-all@example.test']) {
      const hashes = await countHashes(async () => {
        const answer = await server.anyone().post('/api/auth/login', { email, password: 'wrong password' });
        expect(answer.status).toBe(401);
      });
      expect([email, hashes]).toEqual([email, 1]);
    }
  });

  // Proves API-13, ENT-04
  it('asks an unverified account for its code, without user or session', async () => {
    const { caller, email } = await registered();
    const answer = await caller.post('/api/auth/login', { email, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ requiresVerification: true });
    expect((await caller.get('/api/auth/user')).status).toBe(401);
    // The first code is still valid, so no second one is sent.
    expect(await mailTo(server.ctx, email)).toHaveLength(1);
  });

  // Proves API-13
  it('does not reveal that an account is unverified before the password is right', async () => {
    const { caller, email } = await registered();
    const answer = await caller.post('/api/auth/login', { email, password: 'wrong password' });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ message: 'Invalid email or password' });
  });

  // Proves API-13
  it('issues a new code when no code is valid', async () => {
    const { caller, email } = await registered();
    const first = await codeFor(server.ctx, email);
    server.clock.advance(10 * 60 * 1000);
    await caller.post('/api/auth/login', { email, password: PASSWORD });
    expect(await mailTo(server.ctx, email)).toHaveLength(2);
    const second = await codeFor(server.ctx, email);
    expect((await caller.post('/api/auth/verify-email', { email, code: second })).status).toBe(200);
    expect(first).toHaveLength(4);
  });

  // Proves API-13
  it('refuses malformed bodies with 400', async () => {
    for (const body of [
      {},
      { email: 'abc', password: 'x' },
      { email: 'a@b.example', password: '' },
      { email: 'a@b.example', password: { $ne: null } },
      { email: 'a@b.example', password: 'x'.repeat(201) },
      [],
      'text',
    ]) {
      const answer = await server
        .anyone()
        .post('/api/auth/login', JSON.stringify(body), { 'content-type': 'application/json' });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual(expect.any(String));
    }
  });

  // Proves API-01, ENT-07
  it('replaces the session id at sign-in, and never adopts one from the client', async () => {
    const victim = await server.signIn();
    const before = victim.cookie;
    const answer = await victim.post('/api/auth/login', { email: victim.user.email, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(victim.cookie).not.toBe(before);
    const attacker = server.anyone();
    attacker.cookie = before;
    expect((await attacker.get('/api/auth/user')).status).toBe(401);

    // The server does not adopt an id that an attacker invented.
    const fixed = server.anyone();
    fixed.cookie = 'openslot=made-up-by-an-attacker.signature';
    await fixed.post('/api/auth/login', { email: victim.user.email, password: PASSWORD });
    expect(fixed.cookie).not.toContain('made-up');
    expect((await fixed.get('/api/auth/user')).status).toBe(200);
  });

  // Proves ENT-07
  it('gives no access to a session whose user was removed', async () => {
    const caller = await server.signIn();
    await server.ctx.db.deleteFrom('users').where('id', '=', caller.user.id).execute();
    expect((await caller.get('/api/auth/user')).status).toBe(401);
  });
});

// Proves API-01, ENT-07
it('binds the cookie to this host and to HTTPS when PUBLIC_URL is an https address', async () => {
  const secure = await untilTestEnds(startTestServer({ env: { PUBLIC_URL: 'https://ads.example.com' } }));
  // The client sends plain HTTP, like a proxy that ends TLS.
  const caller = new Client(`http://127.0.0.1:${secure.ctx.config.port}`);
  const person = { email: 'https@example.test', password: PASSWORD, firstName: 'A', lastName: 'B' };
  await caller.post('/api/auth/register', person, { origin: 'https://ads.example.com' });
  const code = await codeFor(secure.ctx, person.email);
  const answer = await caller.post('/api/auth/verify-email', { email: person.email, code });
  const cookie = answer.headers.getSetCookie().join();
  expect(cookie).toMatch(/^__Host-openslot=/);
  expect(cookie).toMatch(/; Secure/i);
  expect(cookie).toMatch(/; Path=\//i);
  expect(cookie).not.toMatch(/; Domain/i);
  expect((await caller.get('/api/auth/user')).status).toBe(200);
  expect(caller.device).toMatch(/^__Host-openslot-device=/);
  const options = await caller.post('/api/auth/passkey/options');
  expect(options.headers.getSetCookie().join()).toMatch(/^__Host-openslot-passkey=.*; Secure/);
});

// Proves SEC-24
it('does not read the plain names of cookies when PUBLIC_URL is an https address', async () => {
  const secure = await untilTestEnds(
    startTestServer({
      env: { PUBLIC_URL: 'https://ads.example.com', RATE_LIMIT_FACTOR: '0.05' },
    }),
  );
  const url = `http://127.0.0.1:${secure.ctx.config.port}`;
  const caller = new Client(url);
  const person = { email: 'plain@example.test', password: PASSWORD, firstName: 'A', lastName: 'B' };
  await caller.post('/api/auth/register', person);
  const code = await codeFor(secure.ctx, person.email);
  await caller.post('/api/auth/verify-email', { email: person.email, code });
  expect((await caller.get('/api/auth/user')).status).toBe(200);

  const planted = new Client(url);
  planted.cookie = caller.cookie.replace('__Host-', '');
  expect((await planted.get('/api/auth/user')).status).toBe(401);
  // Others of the network have used up the limit of wrong passwords. The browser that is known may go on.
  const wrong = { email: person.email, password: 'wrong' };
  expect((await new Client(url).post('/api/auth/login', wrong)).status).toBe(401);
  expect((await new Client(url).post('/api/auth/login', wrong)).status).toBe(429);
  const known = new Client(url);
  known.device = caller.device.replace('__Host-', '');
  expect((await known.post('/api/auth/login', wrong)).status).toBe(429);
  known.device = caller.device;
  expect((await known.post('/api/auth/login', wrong)).status).toBe(401);
});

describe('signing out', () => {
  // Proves API-18, ENT-07
  it('POST /api/auth/logout ends the session on the server', async () => {
    const caller = await server.signIn();
    const { cookie } = caller;
    const answer = await caller.post('/api/auth/logout');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
    expect(await sessionsOf(caller.user.id)).toEqual([]);
    const thief = server.anyone();
    thief.cookie = cookie;
    const after = await thief.get('/api/auth/user');
    expect(after.status).toBe(401);
    expect(after.body).toEqual({ message: 'Unauthorized' });
  });

  // Proves API-18
  it('ends only this session, and works without one', async () => {
    const caller = await server.signIn();
    const other = server.anyone();
    await other.post('/api/auth/login', { email: caller.user.email, password: PASSWORD });
    await caller.post('/api/auth/logout');
    expect((await other.get('/api/auth/user')).status).toBe(200);
    expect((await server.anyone().post('/api/auth/logout')).status).toBe(200);
  });

  // Proves SEC-12
  it('GET /api/logout ends a session only for a page of ours', async () => {
    const ours = `${server.url}/settings`;
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', referer: ours },
      { referer: 'https://evil.example/' },
      { referer: `https://evil.example/${server.url}/` },
      { referer: 'not an address' },
      { origin: 'null' },
      { origin: 'https://evil.example', referer: ours },
    ];
    const caller = await server.signIn();
    for (const headers of foreign) {
      const answer = await caller.get('/api/logout', headers);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/']);
      expect([headers, (await caller.get('/api/auth/user')).status]).toEqual([headers, 200]);
    }
    const own: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { referer: ours },
      { origin: server.url },
    ];
    for (const headers of own) {
      const person = await server.signIn();
      await person.get('/api/logout', headers);
      expect([headers, (await person.get('/api/auth/user')).status]).toEqual([headers, 401]);
    }
  });

  // Proves API-19
  it('GET /api/logout ends the session and redirects to the public page', async () => {
    const caller = await server.signIn();
    const { cookie } = caller;
    const answer = await caller.get('/api/logout', { 'sec-fetch-site': 'same-origin' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/');
    const thief = server.anyone();
    thief.cookie = cookie;
    expect((await thief.get('/api/auth/user')).status).toBe(401);
    expect((await server.anyone().get('/api/logout')).status).toBe(302);
  });
});

describe('calls from other sites with the user’s cookie', () => {
  // Proves API-01
  it.each([
    ['sec-fetch-site', { 'sec-fetch-site': 'cross-site' }],
    ['sec-fetch-site of a sibling', { 'sec-fetch-site': 'same-site' }],
    ['origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
  ])('are refused because of %s', async (_what, headers: Record<string, string>) => {
    const caller = await server.signIn();
    const answer = await caller.patch('/api/user/role', { role: 'buyer' }, headers);
    expect(answer.status).toBe(403);
    expect((await caller.get('/api/auth/user')).body.role).toBe('both');
  });

  // Proves API-02
  it('are refused with 415 when their body is a form', async () => {
    const caller = await server.signIn();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await caller.post('/api/user/role', '{"role":"buyer"}', { 'content-type': type });
      expect(answer.status).toBe(415);
    }
    expect((await caller.get('/api/auth/user')).body.role).toBe('both');
  });

  // Proves API-01
  it('are accepted when they come from a page of the server itself', async () => {
    const caller = await server.signIn();
    const headers = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    expect((await caller.patch('/api/user/role', { role: 'buyer' }, headers)).status).toBe(200);
  });
});
