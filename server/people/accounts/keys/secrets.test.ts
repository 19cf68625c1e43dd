import { expect, it } from 'vitest';
import type { Answer } from '#server/testing/client.ts';
import { codeFor, linkTokenFor } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const lines: string[] = [];

const server = useOwnServer({ log: (line) => lines.push(line) });

// Proves AUTH-26, API-10
it('keeps codes, links and passwords out of all answers and log lines', async () => {
  const email = 'secretive@example.test';
  const password = 'unmistakable-password-1';
  const newPassword = 'unmistakable-password-2';
  const caller = server.anyone();
  const answers: Answer[] = [];
  const secrets = [password, newPassword];
  const post = async (path: string, body: unknown) => {
    answers.push(await caller.post(path, body));
  };

  await post('/api/auth/register', { email, password, firstName: 'A', lastName: 'B' });
  secrets.push(await codeFor(server.ctx, email), await linkTokenFor(server.ctx, email));
  await post('/api/auth/resend-code', { email });
  const code = await codeFor(server.ctx, email);
  const token = await linkTokenFor(server.ctx, email);
  secrets.push(code, token);
  await post('/api/auth/login', { email, password });
  // A browser opens the link of the mail like this.
  await caller.get(`/auth?verify=${token}`);
  await post('/api/auth/verify-email', { email, code: '----' });
  await post('/api/auth/verify-email', { email, code });
  await post('/api/auth/verify-email', { email, code });
  await post('/api/auth/verify-link', { token });
  await post('/api/auth/forgot-password', { email });
  const resetCode = await codeFor(server.ctx, email);
  secrets.push(resetCode);
  await post('/api/auth/reset-password', { email, code: resetCode, newPassword });
  await post('/api/auth/login', { email, password: newPassword });
  answers.push(await caller.get('/api/auth/user'), await caller.get('/api/user/settings'));

  // Ids and times may contain the four characters by chance, so only whole words count.
  const holds = (text: string, secret: string) => new RegExp(`(?<![\\w-])${secret}(?![\\w-])`).test(text);
  expect(lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(10);
  for (const secret of secrets) {
    for (const { text } of answers) expect(holds(text, secret)).toBe(false);
    for (const line of lines) expect(holds(line, secret)).toBe(false);
  }
});
