import { once } from 'node:events';
import http from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEV_KEY } from '#server/testing/client.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useServer } from '#server/testing/starts/use-server.ts';
import { codeFor } from '#server/testing/mail/mail.ts';

/** `fetch` sends no Host header of the caller's choice. */
async function raw(url: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const request = http.get(url, { headers: { 'x-dev-key': DEV_KEY, ...headers }, agent: false });
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = Buffer.concat(await answer.toArray()).toString();
  return { status: answer.statusCode ?? 0, text };
}

const server = useServer();
beforeAll(async () => {
  for (const email of ['first@example.test', 'second@example.test']) {
    const person = { email, password: 'long enough', firstName: 'A', lastName: 'B' };
    await server.anyone().post('/api/auth/register', person);
  }
});

describe('mail that development keeps', () => {
  // Proves AUTH-26
  it('/dev/mail lists the mail, newest first, without the codes', async () => {
    const { status, text, headers } = await server.anyone().get('/dev/mail');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text.indexOf('second@example.test')).toBeGreaterThan(0);
    expect(text.indexOf('second@example.test')).toBeLessThan(text.indexOf('first@example.test'));
    expect(text).not.toContain(await codeFor(server.ctx, 'second@example.test'));
  });

  // Proves AUTH-26
  it('/dev/mail/:id shows a mail as text, and as HTML in a frame that runs no scripts', async () => {
    const [newest] = (await server.anyone().get('/dev/mail.json')).body as { id: number }[];
    const code = await codeFor(server.ctx, 'second@example.test');
    const page = await server.anyone().get(`/dev/mail/${newest?.id}`);
    expect(page.text).toContain(`src="/dev/mail/${newest?.id}/html" sandbox="`);
    expect(page.text).not.toMatch(/allow-(scripts|same-origin)/);
    expect((await server.anyone().get(`/dev/mail/${newest?.id}?view=text`)).text).toContain(code);
    const html = await server.anyone().get(`/dev/mail/${newest?.id}/html`);
    expect(html.text).toContain(code);
    const policy = html.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|https?:/);
    for (const id of ['999999', '0', 'abc', '-1', '99999999999']) {
      expect((await server.anyone().get(`/dev/mail/${id}`)).status).toBe(404);
    }
  });

  // Proves AUTH-26
  it('/dev/mail.json?to= answers scripts', async () => {
    const { body } = await server.anyone().get('/dev/mail.json?to=First@example.test');
    expect(body).toEqual([
      expect.objectContaining({
        recipient: 'first@example.test',
        kind: 'verification-code',
        subject: 'Verify your email for Openslot',
        text: expect.stringContaining(await codeFor(server.ctx, 'first@example.test')) as string,
      }),
    ]);
    for (const nobody of ['nobody@example.test', '%00']) {
      expect((await server.anyone().get(`/dev/mail.json?to=${nobody}`)).body).toEqual([]);
    }
  });

  // Proves DOOR-01
  it.each<Record<string, string>>([
    { host: 'ads.example.com' },
    { host: 'rebound.example:3000' },
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-host': 'ads.example.com' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '203.0.113.9' },
    { 'cf-connecting-ip': '203.0.113.9' },
    { 'x-client-ip': '203.0.113.9' },
    { 'fly-client-ip': '203.0.113.9' },
  ])('is closed to a request through a proxy or for another host: %j', async (headers) => {
    for (const path of ['/dev/mail', '/dev/mail/1', '/dev/mail/1/html', '/dev/mail.json']) {
      const { status, text } = await raw(server.url + path, headers);
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain('open only on the machine that runs Openslot');
      expect(text).not.toContain('example.test');
    }
  });

  // Proves DOOR-01
  it('is closed to another machine, and open at each name of this one', async () => {
    const port = Number(new URL(server.url).port);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await raw(`${server.url}/dev/mail.json`, { host })).status).toBe(200);
    }
    const request = { url: '/dev/mail.json', headers: { host: `localhost:${port}`, 'x-dev-key': DEV_KEY } };
    const from = async (remoteAddress: string) =>
      (await server.app.fastify.inject({ ...request, remoteAddress })).statusCode;
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await from(address)).toBe(200);
    for (const address of ['192.0.2.7', '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '1::1']) {
      expect([address, await from(address)]).toEqual([address, 403]);
    }
  });

  // Proves AUTH-26
  it('the mailbox does not exist in production or where mail is sent', async () => {
    const production = {
      NODE_ENV: 'production',
      SESSION_SECRET: 'x'.repeat(32),
      SMTP_URL: 'smtp://127.0.0.1:9',
      ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
    };
    for (const env of [{ SMTP_URL: 'smtp://127.0.0.1:9' }, production]) {
      const other = await untilTestEnds(startTestServer({ env }));
      const person = { email: 'x@example.test', password: 'long enough', firstName: 'A', lastName: 'B' };
      await other.anyone().post('/api/auth/register', person);
      for (const path of [
        '/dev/mail',
        '/dev/mail/1',
        '/dev/mail/1/html',
        '/dev/mail.json?to=x@example.test',
      ]) {
        expect((await other.anyone().get(path)).text).not.toContain('x@example.test');
        expect((await other.anyone().get(path)).text).not.toContain('Verify your email');
      }
    }
  });
});
