import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { codeFor } from '../testing/mail.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  for (const email of ['first@example.test', 'second@example.test']) {
    const person = { email, password: 'long enough', firstName: 'A', lastName: 'B' };
    await server.anyone().post('/api/auth/register', person);
  }
});
afterAll(async () => await server.close());

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

  // Proves AUTH-26
  it('the mailbox does not exist in production or where mail is sent', async () => {
    const production = {
      NODE_ENV: 'production',
      SESSION_SECRET: 'x'.repeat(32),
      SMTP_URL: 'smtp://127.0.0.1:9',
      ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
    };
    for (const env of [{ SMTP_URL: 'smtp://127.0.0.1:9' }, production]) {
      const other = await startTestServer({ env });
      try {
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
      } finally {
        await other.close();
      }
    }
  });
});
