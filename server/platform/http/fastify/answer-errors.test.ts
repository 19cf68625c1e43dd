import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { answerErrors } from './answer-errors.ts';
import { cardDeclined, conflict, invalid, notFound, tooMany, unauthorized } from '../errors.ts';

const FRAME = {
  brand: { name: 'Brot & Rad', tagline: 'Bread', logo: null, icon: null, accent: null },
  hasCatalogue: true,
  pages: {},
  announcement: null,
  isSandbox: false,
  font: null,
};

/** The response to a call that throws this error. */
async function answerTo(
  error: Error,
): Promise<{ status: number; body: Record<string, unknown>; headers: Record<string, unknown> }> {
  const app = Fastify();
  app.decorate('frame', () => FRAME);
  answerErrors(app);
  app.get('/', () => {
    throw error;
  });
  const response = await app.inject('/');
  await app.close();
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

// Proves RUN-09, OP-108
it('a known error keeps its status, message and details', async () => {
  expect(await answerTo(invalid('No name', 'name'))).toMatchObject({
    status: 400,
    body: { message: 'No name', issues: [{ path: 'name', message: 'No name' }] },
  });
  expect(await answerTo(unauthorized())).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
  expect(await answerTo(notFound())).toMatchObject({ status: 404, body: { message: 'Not found' } });
  expect(await answerTo(conflict('Taken'))).toMatchObject({ status: 409, body: { message: 'Taken' } });
  expect(await answerTo(cardDeclined('No money', 'card_declined', 'insufficient_funds'))).toMatchObject({
    status: 402,
    body: { message: 'No money', code: 'card_declined', declineCode: 'insufficient_funds' },
  });
  expect(await answerTo(tooMany(2.1))).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
});

// Proves RUN-09, OP-108
it('an unexpected error is a 500 with a reference and no internals', async () => {
  const { status, body } = await answerTo(new Error('select password from users where secret'));
  expect(status).toBe(500);
  expect(Object.keys(body)).toEqual(['message', 'reference']);
  expect(JSON.stringify(body)).not.toMatch(/select|password|secret|\.ts/);
});

// Proves RUN-09, OPS-72
it('an unreachable, full or read-only database is a 503 with retry-after', async () => {
  const away = [
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
    Object.assign(new Error('x'), { code: '08006' }),
    Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' }),
    Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' }),
    new Error('Connection terminated unexpectedly'),
  ];
  for (const error of away) {
    expect(await answerTo(error)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { message: expect.stringContaining('database') },
    });
  }
});

// Proves RUN-09, OP-108
it('a browser gets the error as a page, escaped and with a link to continue', async () => {
  const app = Fastify();
  app.decorate('frame', () => FRAME);
  answerErrors(app);
  app.get('/page/:kind', { config: { page: true } }, (request) => {
    const { kind } = request.params as { kind: string };
    if (kind === 'session') throw unauthorized();
    if (kind === 'markup') throw notFound('No <b>such</b> thing');
    throw new Error('select password from users where secret');
  });
  const read = (kind: string, accept: string) => app.inject({ url: `/page/${kind}`, headers: { accept } });
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';

  const session = await read('session', browser);
  expect([session.statusCode, session.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  expect(session.body).toContain('href="/auth"');
  expect(session.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect((await read('markup', browser)).body).toContain('No &lt;b&gt;such&lt;/b&gt; thing');
  const unexpected = await read('other', browser);
  expect(unexpected.statusCode).toBe(500);
  expect(unexpected.body).toMatch(/include this reference: [0-9a-f-]{36}</);
  expect(unexpected.body).not.toMatch(/password|secret/);
  expect((await read('session', '*/*')).json()).toEqual({ message: 'Unauthorized' });
  await app.close();
});
