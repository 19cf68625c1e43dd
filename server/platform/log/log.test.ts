/** The log of a running server: its form, the ids of requests, and what it must never have. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../database/embedded/process.ts';
import { createLog } from './log.ts';
import { RELEASE } from '../settings/release.ts';
import { requestIdOf } from './request-id.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { type Relay, startRelay } from '#server/testing/mail/relay.ts';
import { ready, type ServerProcess, spawnServer } from '#server/testing/server-process.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';

type Line = { level: string; msg: string; requestId?: string; route?: string; job?: string };

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SECRET = 'unmistakable-secret-of-all-sessions-1';

let dataDir: string;
let database: TestDatabase;
let relay: Relay;
let relayPort: number;
const servers: ServerProcess[] = [];
beforeAll(async () => {
  dataDir = newTemporaryFolder('data');
  database = await createTestDatabase();
  relayPort = await freePort();
  // The first mail is refused with its own text.
  relay = await startRelay(relayPort, [451]);
});
afterAll(async () => {
  for (const server of servers) if (server.child.exitCode === null) await server.stop('SIGKILL');
  await relay.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const production = (port: number): Record<string, string> => ({
  NODE_ENV: 'production',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  DATA_DIR: dataDir,
  DATABASE_URL: database.url,
  DATABASE_OWNER_URL: database.ownerUrl,
  SESSION_SECRET: SECRET,
  SMTP_URL: `smtp://planted:unmistakable-relay-password@127.0.0.1:${relayPort}`,
  ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
  TRUSTED_PROXIES: '127.0.0.1',
  METRICS_TOKEN: 'unmistakable-metrics-token',
  SHUTDOWN_DELAY_MS: '0',
});

const linesOf = (output: string): Line[] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

// Proves OPS-27
it('is JSON from the first line to the last, names requests by one id, and has no address, secret or token', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawnServer(production(port));
  servers.push(server);
  await ready(server, url);
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': '203.0.113.77',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  const email = 'planted.person@example.test';
  const password = 'unmistakable-password';
  // The body comes later than the headers.
  const registration = http.request(`${url}/api/auth/register`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.77',
      'x-request-id': 'not-this-one',
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    },
  });
  registration.flushHeaders();
  await pause(100);
  registration.end(JSON.stringify({ email, password, firstName: 'Planted', lastName: 'Person' }));
  const [registered] = (await once(registration, 'response')) as [http.IncomingMessage];
  registered.resume();
  expect([registered.statusCode, registered.headers['x-request-id']]).toEqual([201, TRACE]);

  const named = await send('GET', '/api/health/ready', undefined, { 'x-request-id': 'balancer.7' });
  expect(named.headers.get('x-request-id')).toBe('balancer.7');
  const unnamed = await send('GET', '/nowhere', undefined, { 'x-request-id': 'two words' });
  expect(unnamed.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);

  const token = 'unmistakable-token';
  await send('POST', '/api/auth/login', { email, password: `${password}!` });
  await send('POST', '/api/auth/login', `{"email": "${email}", "password": "${password}"`);
  await send('POST', '/api/auth/forgot-password', { email });
  await send('POST', '/api/auth/verify-link', { token });
  await send('GET', `/auth?verify=${token}&email=${email}`);
  await send('GET', `/ad-archive/${token}?email=${email}`);
  await send('GET', `/api/serve/view/${token}`);
  await send('GET', `/api/serve/click/${token}`);
  await send('GET', `/dev/mail?key=${token}`);
  await send('GET', `/api/ads/${token}`, undefined, { cookie: `openslot=${token}` });
  await send('GET', '/metrics', undefined, { authorization: `Bearer ${token}` });
  await send('GET', '/metrics', undefined, { authorization: 'Bearer unmistakable-metrics-token' });
  await send('POST', '/api/webhooks/stripe', { id: token, email }, { 'stripe-signature': token });
  await send('GET', `/%E0%A4%A?token=${token}`);
  const hasLine = (text: string) => linesOf(server.output()).some(({ msg }) => msg === text);
  await vi.waitUntil(() => hasLine('a job failed') && hasLine('a job ended'), { timeout: 60_000 });
  expect(await server.stop('SIGTERM')).toBe(0);

  const output = server.output();
  const lines = linesOf(output);
  for (const line of lines)
    expect(line).toEqual(
      expect.objectContaining({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        level: expect.stringMatching(/^(?:info|warn|error)$/) as string,
        msg: expect.any(String) as string,
        release: RELEASE,
        server: expect.stringContaining(`:${server.child.pid}`) as string,
      }),
    );
  expect(lines.map(({ msg }) => msg)).toContain('Stopping…');

  const ofRegistration = lines.filter(({ requestId }) => requestId === TRACE);
  expect(ofRegistration).toContainEqual(
    expect.objectContaining({
      method: 'POST',
      route: '/api/auth/register',
      status: 201,
      ms: expect.any(Number) as number,
    }),
  );
  expect(ofRegistration).toContainEqual(
    expect.objectContaining({ job: 'send-message', msg: 'a job failed', level: 'error' }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      job: 'send-message',
      msg: 'a job ended',
      requestId: expect.any(String) as string,
    }),
  );
  const routes = new Set(lines.flatMap(({ route }) => route ?? []));
  expect([...routes]).toEqual(expect.arrayContaining(['/api/ads/:ref', '/ad-archive/:publicId', '*']));

  for (const planted of ['203.0.113.77', 'planted', 'unmistakable', database.url, 'postgres://'])
    expect(output.toLowerCase()).not.toContain(planted);
});

it('has the reason of a start that failed, also on the error output', async () => {
  const server = spawnServer({ NODE_ENV: 'production', DATA_DIR: dataDir, LOG_FORMAT: 'text' });
  const streams = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    server.child[name]?.on('data', (chunk: Buffer) => (streams[name] += chunk.toString()));
  expect(await server.ended).toBe(1);
  for (const output of Object.values(streams)) {
    const [line, ...others] = linesOf(output);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      level: 'error',
      msg: expect.stringContaining('LOG_FORMAT cannot be text in production. Unset it.') as string,
    });
  }
});

it.each([
  [`00-${TRACE}-00f067aa0ba902b7-01`, TRACE],
  [`cc-${TRACE}-00f067aa0ba902b7-01-what-the-future-holds`, TRACE],
  [`00-${TRACE}-00f067aa0ba902b7-01-more`, 'given'],
  [`ff-${TRACE}-00f067aa0ba902b7-01`, 'given'],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'given'],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, 'given'],
  [`00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`, 'given'],
  ['', 'given'],
])('takes the id of a request from the traceparent %s: %s', (traceparent, id) => {
  expect(requestIdOf({ traceparent, 'x-request-id': 'given' })).toBe(id);
});

// Proves OPS-27
it('leaves out what others add to an error, and every e-mail address', () => {
  let output = '';
  const log = createLog({ level: 'info', stream: { write: (line) => void (output += line) } });
  const cause = new Error('postgres://openslot:hush@db.example.test/openslot did not answer');
  const error = new Error('the mail to ann.bell+ads@example.test was refused', { cause });
  Object.assign(error, { code: '23505', detail: 'Key (email)=(ann) already exists.', parameters: ['ann'] });
  log.error({ err: error }, 'for ann@example.test');
  expect(JSON.parse(output)).toMatchObject({
    level: 'error',
    msg: 'for (address)',
    err: { type: 'Error', code: '23505', message: 'the mail to (address) was refused' },
  });
  expect(output).not.toMatch(/ann|hush/);
});

it('reads a line with a long word once, and cuts what a stranger put into an error', () => {
  let output = '';
  const log = createLog({ level: 'info', stream: { write: (line) => void (output += line) } });
  // A pattern that begins anew at each letter would need hours.
  const word = 'a'.repeat(2_000_000);
  log.warn({ err: new Error(`a@b ${word}`) }, `@ ${word} ann@example.test`);
  const { msg, err } = JSON.parse(output) as { msg: string; err: { message: string; stack: string } };
  expect(msg).toBe(`@ ${word} (address)`);
  expect([err.message.length, err.stack.length]).toEqual([8001, 8001]);
});
