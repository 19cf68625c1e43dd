import { describe, expect, it } from 'vitest';
import { DEV_KEY } from '#server/testing/client.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

const PRODUCTION = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtp://127.0.0.1:9',
  ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
};

const ROOMS = [
  ['GET', '/dev/mail'],
  ['GET', '/dev/mail/1'],
  ['GET', '/dev/mail/1/html'],
  ['GET', '/dev/mail.json'],
  ['GET', '/dev/clock'],
  ['POST', '/dev/clock'],
  ['POST', '/dev/sandbox'],
  ['GET', '/dev/rehearsal'],
  ['POST', '/dev/rehearsal/verify'],
  ['GET', '/dev/nothing-here'],
  ['PUT', '/dev/nothing-here'],
  ['GET', '/%64ev/mail.json'],
] as const;

/** Calls like a proxy on this machine that names neither itself nor its visitor. */
const call = async (method: string, path: string, headers: Record<string, string> = {}, at = server) =>
  await fetch(at.url + path, {
    method,
    headers: { ...headers, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { body: '{"advance":0}' }),
  });

describe('the key of the rooms under /dev', () => {
  // Proves DOOR-01
  it.each(ROOMS)('%s %s is 403 without the key and with a wrong one', async (method, path) => {
    const wrong = [
      call(method, path),
      call(method, `${path}?key=`),
      call(method, `${path}?key=${DEV_KEY}x`),
      call(method, `${path}?key=${DEV_KEY}&key=${DEV_KEY}`),
      call(method, path, { 'x-dev-key': `${DEV_KEY.slice(0, -1)}S` }),
      call(method, path, { cookie: 'openslot-dev=x' }),
      // A wrong key in the address counts, although the browser also has the right cookie.
      call(method, `${path}?key=x`, { cookie: `openslot-dev=${DEV_KEY}` }),
    ];
    for (const answer of await Promise.all(wrong)) {
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect((await answer.json()) as object).toEqual({
        message: expect.stringContaining('the terminal') as string,
      });
    }
    const right = [
      call(method, `${path}?key=${DEV_KEY}`),
      call(method, path, { 'x-dev-key': DEV_KEY }),
      call(method, path, { cookie: `openslot-dev=${DEV_KEY}` }),
    ];
    for (const answer of await Promise.all(right)) expect(answer.status).not.toBe(403);
  });

  // Proves DOOR-01
  it('is remembered by a cookie of the session, which only a GET with the key sets', async () => {
    const opened = await call('GET', `/dev/mail?key=${DEV_KEY}`);
    expect(opened.status).toBe(200);
    expect(opened.headers.getSetCookie()).toEqual([
      `openslot-dev=${DEV_KEY}; Path=/; HttpOnly; SameSite=Strict`,
    ]);
    const posted = await call('POST', `/dev/clock?key=${DEV_KEY}`);
    expect([posted.status, posted.headers.getSetCookie()]).toEqual([200, []]);
    const headed = await call('GET', '/dev/mail', { 'x-dev-key': DEV_KEY });
    expect([headed.status, headed.headers.getSetCookie()]).toEqual([200, []]);
  });

  // Proves DOOR-01
  it('is asked for by a page that says where it is', async () => {
    const answer = await call('GET', '/dev/mail', { accept: 'text/html' });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(await answer.text()).toContain('the address that the terminal of Openslot shows');
  });

  // Proves DOOR-01
  it('is made at each start without the setting, and production has no rooms', async () => {
    const made = await untilTestEnds(startTestServer({ env: { DEV_KEY: '' } }));
    const production = await untilTestEnds(startTestServer({ env: PRODUCTION }));
    const { devKey } = made.ctx.config;
    expect(devKey).toMatch(/^[\w-]{32}$/);
    expect((await call('GET', '/dev/clock', { 'x-dev-key': devKey }, made)).status).toBe(200);
    expect((await call('GET', '/dev/clock', { 'x-dev-key': DEV_KEY }, made)).status).toBe(403);
    const closed = await call('POST', `/dev/clock?key=${DEV_KEY}`, {}, production);
    expect([closed.status, closed.headers.getSetCookie()]).toEqual([404, []]);
  });
});
