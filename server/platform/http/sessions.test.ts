import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { Role } from '#domain/accounts/roles.ts';
import { query } from '#server/testing/database/contents.ts';
import { PASSWORD, startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useServer } from '#server/testing/starts/use-server.ts';
import { makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();

// Proves OP-035, ENT-07, API-01
it('sends a cookie for its own pages only, and stores the session for seven days', async () => {
  const { user } = await server.signIn();
  const answer = await server.anyone().post('/api/auth/login', { email: user.email, password: PASSWORD });
  const cookie = answer.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^openslot=/);
  for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute);
  expect(cookie).not.toContain('Secure');
  const rows = await server.ctx.db.selectFrom('sessions').selectAll().execute();
  const own = rows.filter(({ sess }) => (sess as { userId?: number }).userId === user.id);
  expect(own).toHaveLength(2);
  for (const { expire, sid } of own) {
    const days = (expire.getTime() - Date.now()) / (24 * 60 * 60 * 1000);
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7.01);
    expect(sid.length).toBeGreaterThanOrEqual(32);
  }
});

// Proves OP-035
it('starts no session for a visitor who does not sign in', async () => {
  const before = await server.ctx.db.selectFrom('sessions').select('sid').execute();
  for (const path of ['/api/health', '/api/auth/user', '/api/websites']) {
    expect((await server.anyone().get(path)).headers.has('set-cookie')).toBe(false);
  }
  expect(await server.ctx.db.selectFrom('sessions').select('sid').execute()).toEqual(before);
});

// Proves OP-035
it('changes the session id at sign-in, so that the earlier id stops working', async () => {
  const person = await server.signIn();
  const known = server.anyone();
  known.cookie = person.cookie;
  await person.post('/api/auth/login', { email: person.user.email, password: PASSWORD });
  expect(person.cookie).not.toBe(known.cookie);
  expect((await person.get('/api/auth/user')).status).toBe(200);
  expect((await known.get('/api/auth/user')).status).toBe(401);
});

// Proves OP-035
it('ignores a forged or altered session cookie', async () => {
  const person = await server.signIn();
  const value = decodeURIComponent(person.cookie.slice('openslot='.length));
  const [sid = ''] = value.split('.');
  for (const forged of [
    'x',
    sid,
    `${sid}.x`,
    `${value}x`,
    `${'A'.repeat(sid.length)}.${value.split('.')[1]}`,
  ]) {
    const caller = server.anyone();
    caller.cookie = `openslot=${encodeURIComponent(forged)}`;
    expect((await caller.get('/api/auth/user')).status).toBe(401);
  }
});

// Proves OP-035, RUN-13
it('applies a changed role at once, and ends the session of a deleted user', async () => {
  const person = await server.signIn('buyer');
  const site = { name: 'Mine', url: 'https://mine.example', category: 'Food' };
  expect((await person.post('/api/websites', site)).status).toBe(403);
  const change = (fields: { role?: Role; deletedAt?: Date }) =>
    server.ctx.db.updateTable('users').set(fields).where('id', '=', person.user.id).execute();
  await change({ role: 'seller' });
  expect((await person.post('/api/websites', site)).status).toBe(201);
  await change({ deletedAt: new Date() });
  expect((await person.post('/api/websites', site)).status).toBe(401);
});

// Proves ACCT-01
it('refuses a call whose session ends while its body arrives', async () => {
  const person = await server.signIn();
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ firstName: 'Late' });
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const arrives = once(server.app.fastify.server, 'request');
  socket.write(
    [
      'PATCH /api/user/profile HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Cookie: ${person.cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body.slice(0, 5),
    ].join('\r\n'),
  );
  await arrives;
  // The server has read the session of the first call when it answers a later one.
  expect((await person.get('/api/auth/user')).status).toBe(200);
  expect((await person.post('/api/auth/logout')).status).toBe(200);
  socket.write(body.slice(5));
  const [answer] = (await once(socket, 'data')) as [string];
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

// Proves OP-035
it.each([
  ['a trusted proxy', { TRUSTED_PROXIES: '127.0.0.1' }],
  ['a proxy that is not listed as trusted', {}],
])('binds the cookie of an https address to the host and to HTTPS behind %s', async (_, trust) => {
  const secure = await untilTestEnds(
    startTestServer({ env: { PUBLIC_URL: 'https://ads.example.com', ...trust } }),
  );
  const answer = await fetch(`http://127.0.0.1:${secure.ctx.config.port}/api/auth/user`);
  expect(answer.headers.get('strict-transport-security')).toContain('max-age=');
  const email = 'secure@example.test';
  const { user } = await server.signIn();
  const { password } = await server.ctx.db
    .selectFrom('users')
    .select('password')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  await secure.ctx.db.insertInto('users').values({ email, password, isEmailVerified: true }).execute();
  const login = await fetch(`http://127.0.0.1:${secure.ctx.config.port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const cookie = login.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^__Host-openslot=/);
  expect(cookie).toContain('Secure');
});

it('names a job after the request of a signed-in person, not after the request that opened the connection', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const ad = {
    adZoneId: product.adZoneId,
    productId: product.id,
    adType: 'text',
    title: 'Fresh coffee',
    description: 'Roasted on Monday.',
    targetUrl: 'https://coffee.example/start',
    totalAmount: product.price,
    pricingModel: product.pricingModel,
    duration: product.duration,
  };
  // All connections are open by now, each by another request.
  const answer = await buyer.post('/api/ads', ad, { 'x-request-id': 'this-very-request' });
  expect(answer.status).toBe(201);
  const jobs = await query<{ task: string; request: string }>(
    server.ownerUrl,
    `select t.identifier as task, j.payload ->> 'requestId' as request
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where (j.payload ->> 'adId')::integer = ${answer.body.id}`,
  );
  expect(jobs).toContainEqual({ task: 'check-target', request: 'this-very-request' });
});
