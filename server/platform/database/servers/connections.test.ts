/** How many connections a server uses, and that it needs no second one while it holds the first. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';
import { shareConnections } from '../database.ts';

it('a server with six connections sells twenty ads at once, with its jobs beside it', async () => {
  const server = await untilTestEnds(startTestServer({ jobs: true, env: { DATABASE_POOL_SIZE: '6' } }));
  const watcher = new pg.Client({ connectionString: server.databaseUrl, application_name: 'watcher' });
  await watcher.connect();
  let most = 0;
  let isWatching = true;
  const watching = (async () => {
    while (isWatching) {
      const { rows } = await watcher.query<{ n: number }>(
        `select count(*)::integer as n from pg_stat_activity
          where datname = current_database() and application_name <> 'watcher' and backend_type = 'client backend'`,
      );
      most = Math.max(most, rows[0]!.n);
    }
  })();
  try {
    const sell = async () => {
      const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
      const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
      const ad = await pay(buyer, await approve(seller, await makeAd(buyer, product)));
      return ad.status;
    };
    const sold = await Promise.all(Array.from({ length: 20 }, sell));
    expect(new Set(sold)).toEqual(new Set(['active']));
  } finally {
    isWatching = false;
    await watching;
    await watcher.end();
  }
  expect(most).toBeGreaterThan(3);
  expect(most).toBeLessThanOrEqual(6);
  // Twenty sales wait for each other on few connections.
}, 300_000);

it('the parts of a server have all of its connections together', () => {
  for (let size = 6; size <= 100; size++) {
    const { limits, health, jobs, pages } = shareConnections(size);
    expect([jobs >= 2, pages >= 1, limits + health + jobs + pages + 2]).toEqual([true, true, size]);
  }
});
