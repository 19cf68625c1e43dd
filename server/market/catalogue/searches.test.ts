/** Searches of visitors leave the server enough connections for everything else. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Tx } from '#server/platform/database/database.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

const SEARCH = '/sites?q=bakery&sort=price';
const search = async (of: TestServer, headers: Record<string, string> = {}) =>
  await fetch(`${of.url}${SEARCH}`, { headers: { accept: 'application/json', ...headers } });

/** How many statements wait for the ranks. */
async function waitingFor(tx: Tx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from pg_locks where relation = 'website_ranks'::regclass and not granted`.execute(
    tx,
  );
  return rows[0]!.n;
}

// Proves WARD-113
it('stays ready while 32 searches are slow, which are answered with 503 and a time to try again', async () => {
  const buyer = await server.signIn('buyer');
  // No search can read the ranks, as if each took forever.
  const { answers, ready, other, waiting } = await server.owner.transaction().execute(async (tx) => {
    await sql`lock table website_ranks in access exclusive mode`.execute(tx);
    const searches = Promise.all(Array.from({ length: 32 }, async () => await search(server)));
    let isSearching = true;
    const whileSearching = async (ask: () => Promise<{ status: number }>) => {
      const statuses: number[] = [];
      while (isSearching) statuses.push((await ask()).status);
      return statuses;
    };
    const asked = Promise.all([
      whileSearching(async () => await fetch(`${server.url}/api/health/ready`)),
      whileSearching(async () => await buyer.get('/api/user/settings')),
      whileSearching(async () => ({ status: await waitingFor(tx) })),
    ]);
    const ended = await searches;
    isSearching = false;
    const [of, others, locks] = await asked;
    return { answers: ended, ready: of, other: others, waiting: locks };
  });
  expect(ready.length).toBeGreaterThan(0);
  expect([new Set(ready), new Set(other)]).toEqual([new Set([200]), new Set([200])]);
  // A quarter of the four connections for pages.
  expect(Math.max(...waiting)).toBe(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  for (const answer of answers) {
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await answer.json()).toMatchObject({
      message: 'Searching takes too long right now. Please try again in a few seconds.',
    });
  }
  expect((await search(server)).status).toBe(200);
});

// Proves WARD-113
it('answers forty ordinary searches at once', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, async () => await search(server)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

// Proves WARD-113
it('is ready while pages use all of their connections, because it asks on one of its own', async () => {
  const { pool } = server.app;
  const taken = await Promise.all(Array.from({ length: pool.options.max }, async () => await pool.connect()));
  try {
    expect((await server.anyone().get('/api/health/ready')).status).toBe(200);
  } finally {
    for (const client of taken) client.release();
  }
});

// Proves WARD-113
it('a subscriber searches 300 times in a minute, on the page and by the API together', async () => {
  const strict = await untilTestEnds(
    startTestServer({ env: { RATE_LIMIT_FACTOR: '0.01', TRUSTED_PROXIES: '127.0.0.1' } }),
  );
  const buyer = await strict.signIn('buyer');
  const from = { 'x-forwarded-for': '82.1.2.3' };
  expect((await search(strict, from)).status).toBe(200);
  expect((await buyer.get('/api/websites?search=bakery', from)).status).toBe(200);
  expect((await search(strict, from)).status).toBe(200);
  const refused = await search(strict, from);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await buyer.get('/api/websites?search=bakery', from)).status).toBe(429);
  expect((await search(strict, { 'x-forwarded-for': '82.1.2.4' })).status).toBe(200);
});
