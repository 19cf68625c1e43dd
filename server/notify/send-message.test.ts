import { expect, it, vi } from 'vitest';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { createMailer, MailRefused } from '#server/platform/outbound/mail.ts';
import { type Relay, startRelay as openRelay } from '#server/testing/mail/relay.ts';
import { DEV_KEY } from '#server/testing/client.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { sendMessage } from './send-message.ts';

const startRelay = async (port: number, refusals?: number[]): Promise<Relay> =>
  await untilTestEnds(openRelay(port, refusals));

const startWith = async (env: Record<string, string>, options: { jobs: boolean }): Promise<TestServer> =>
  await untilTestEnds(startTestServer({ env, ...options }));

async function register(server: TestServer, email: string): Promise<number> {
  const person = { email, password: 'long enough', firstName: 'A', lastName: 'B' };
  await server.anyone().post('/api/auth/register', person);
  return (await messageTo(server, email)).id;
}

const messageTo = async (server: TestServer, email: string) =>
  await server.ctx.db
    .selectFrom('messages')
    .selectAll()
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow();

/** Makes the queue retry now instead of in a few seconds. */
const hurry = async (server: TestServer) => {
  await server.app.pool.query(
    'update graphile_worker._private_jobs set run_at = now() where locked_at is null',
  );
};

// Proves AUTH-26
it('the relay gets each message once, and then its text is deleted', async () => {
  const port = await freePort();
  const { taken } = await startRelay(port);
  const server = await startWith({ SMTP_URL: `smtp://127.0.0.1:${port}` }, { jobs: true });
  const id = await register(server, 'ann@example.test');
  await vi.waitUntil(async () => (await messageTo(server, 'ann@example.test')).sentAt, { timeout: 60_000 });

  expect(taken).toHaveLength(1);
  expect(taken[0]?.to).toBe('ann@example.test');
  expect(taken[0]?.raw).toContain('Subject: Verify your email for Openslot');
  expect(taken[0]?.raw).toContain(`Message-ID: <openslot-${id}@127.0.0.1>`);
  expect(taken[0]?.raw).toContain('Content-Type: multipart/alternative');
  expect(await messageTo(server, 'ann@example.test')).toMatchObject({
    bodyText: '',
    bodyHtml: '',
    kept: false,
  });

  // The job runs again, as after a crash of the queue, and sends nothing.
  await sendMessage(server.ctx, id);
  expect(taken).toHaveLength(1);
});

// Proves AUTH-26
it('messages wait while the relay is down and are sent when it is back', async () => {
  const port = await freePort();
  const server = await startWith({ SMTP_URL: `smtp://127.0.0.1:${port}` }, { jobs: true });
  await register(server, 'patient@example.test');
  const waiting = () => messageTo(server, 'patient@example.test');
  await vi.waitUntil(async () => (await waiting()).attempts > 0, { timeout: 60_000 });
  const failed = await waiting();
  expect(failed.lastError).toContain('ESOCKET');
  expect(failed.bodyText).not.toBe('');

  const { taken } = await startRelay(port);
  await hurry(server);
  await vi.waitUntil(async () => (await waiting()).sentAt, { timeout: 60_000 });
  expect(taken).toHaveLength(1);
  expect((await waiting()).lastError).toBeNull();
});

// Proves AUTH-26
it('a refused message is kept, and neither the row nor the error quotes it', async () => {
  const port = await freePort();
  const { taken } = await startRelay(port, [451]);
  const server = await startWith({ SMTP_URL: `smtp://127.0.0.1:${port}` }, { jobs: false });
  const id = await register(server, 'refused@example.test');
  const failure: unknown = await sendMessage(server.ctx, id).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MailRefused);
  expect((failure as Error).message).toContain('451');
  expect((failure as Error).message).not.toContain('Refused');
  const { attempts, lastError, sentAt } = await messageTo(server, 'refused@example.test');
  expect({ attempts, sentAt }).toEqual({ attempts: 1, sentAt: null });
  expect(lastError).toBe((failure as Error).message);

  await sendMessage(server.ctx, id);
  expect(taken).toHaveLength(1);
});

it('messages wait while the relay refuses all of them for good, and each is sent once when it takes them', async () => {
  const port = await freePort();
  const refusals = Array.from({ length: 100 }, () => 554);
  const { taken } = await startRelay(port, refusals);
  const server = await startWith({ SMTP_URL: `smtp://127.0.0.1:${port}` }, { jobs: true });
  const people = ['one@example.test', 'two@example.test'];
  for (const email of people) await register(server, email);
  const messages = async () => await Promise.all(people.map(async (email) => await messageTo(server, email)));
  const isAll = async (holds: (message: Awaited<ReturnType<typeof messageTo>>) => boolean) =>
    (await messages()).every(holds);
  await vi.waitUntil(async () => await isAll(({ attempts }) => attempts > 0), { timeout: 60_000 });
  await hurry(server);
  await vi.waitUntil(async () => await isAll(({ attempts }) => attempts > 1), { timeout: 60_000 });
  for (const { lastError, bodyText, sentAt } of await messages())
    expect([lastError, bodyText === '', sentAt]).toEqual([expect.stringContaining('554'), false, null]);

  refusals.length = 0;
  await hurry(server);
  await vi.waitUntil(async () => await isAll(({ sentAt }) => sentAt !== null), { timeout: 60_000 });
  expect(taken.map(({ to }) => to).toSorted()).toEqual(people);
});

// Proves AUTH-26
it('a message of a failed call is never sent', async () => {
  const server = await startWith({}, { jobs: false });
  await register(server, 'once@example.test');
  await register(server, 'once@example.test');
  const { rows } = await server.app.pool.query('select task_identifier from graphile_worker.jobs');
  expect(rows).toEqual([{ task_identifier: 'send-message' }]);
});

// Proves AUTH-26
it('without a relay, a message is kept and the terminal shows one line without the code', async () => {
  const server = await startWith({}, { jobs: false });
  const lines: string[] = [];
  const mailer = createMailer(server.ctx.config, (line) => lines.push(line));
  const id = await register(server, 'kept@example.test');
  await sendMessage({ ...server.ctx, mailer }, id);
  await sendMessage({ ...server.ctx, mailer }, id);
  expect(lines).toEqual([
    `Mail for kept@example.test: Verify your email for Openslot (${server.url}/dev/mail/${id}?key=${DEV_KEY})`,
  ]);
  const message = await messageTo(server, 'kept@example.test');
  expect(message).toMatchObject({ kept: true, sentAt: null });
  expect(message.bodyText).not.toBe('');
});

// Proves AUTH-26
it('an address is never read as a list of addresses', async () => {
  const port = await freePort();
  const { taken } = await startRelay(port);
  const server = await startWith({ SMTP_URL: `smtp://127.0.0.1:${port}` }, { jobs: false });
  const mail = { id: 1, subject: 'S', text: 'T', html: '<p>T</p>' };
  const recipient = 'a@example.test, b@example.test';
  await server.ctx.mailer.send({ ...mail, recipient }).catch(() => {});
  expect(taken.map(({ to }) => to)).not.toContain('a@example.test,b@example.test');
});
