/** The answers that a balancer and a monitor get, also while the database hangs, refuses writes or is away. */
import pg from 'pg';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { RELEASE } from '../settings/release.ts';
import { freezable, type FreezableDatabase } from '#server/testing/database/freezable.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { mountSmallDisk, NO_SMALL_DISK, removeFolder } from '#server/testing/temporary.ts';

let database: FreezableDatabase;
afterAll(() => {
  database.close();
});
const server = useOwnServer({
  through: async (databaseUrl) => {
    database = await freezable(databaseUrl);
    return database.url;
  },
});

const ok = { status: 'ok', release: RELEASE, reasons: [] };

it('is live, ready and delivering with status, release and no reasons while it can serve pages and ads', async () => {
  expect(RELEASE).toMatch(/^\d+\.\d+\.\d+$/);
  for (const path of ['/api/health', '/api/health/live', '/api/health/ready', '/api/health/delivery'])
    expect(await server.anyone().get(path)).toMatchObject({ status: 200, body: ok });
});

it('stays ready on a disk that is nearly full, and says so', async (test) => {
  const disk = mountSmallDisk('nearly-full', 64);
  if (disk === null) return test.skip(NO_SMALL_DISK);
  onTestFinished(() => removeFolder(disk));
  const small = await untilTestEnds(startTestServer({ env: { DATA_DIR: disk } }));
  expect(await small.anyone().get('/api/health/ready')).toMatchObject({
    status: 200,
    body: { status: 'ok', reasons: [expect.stringMatching(/^The disk of DATA_DIR has \d+ MB left\. /)] },
  });
});

/** An ad, and a decision for it that a test may report. */
let live: Awaited<ReturnType<typeof makeLiveAd>>;
const decide = async () => {
  const { body } = await server.anyone().get(`/api/serve/ads?z=${live.zone.publicId}`);
  return (body as { ads: { click: string; view: string }[] }).ads[0]!;
};
const report = async (view: string) =>
  (await fetch(view, { method: 'POST', headers: { origin: server.url } })).status;

it('serves ads, redirects clicks and says that pages cannot be served, while the database hangs', async () => {
  live = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
  await server.app.refreshDelivery();
  const served = await decide();
  database.freeze();
  try {
    const answers: string[] = [];
    const view = report(served.view).then((status) => void answers.push(`view ${status}`));
    const click = fetch(served.click, { redirect: 'manual' }).then(
      ({ status, headers }) => void answers.push(`click ${status} ${headers.get('location')}`),
    );
    expect(await server.anyone().get('/api/health/ready')).toMatchObject({
      status: 503,
      body: {
        status: 'unavailable',
        reasons: [expect.stringContaining('The database did not answer within 1.5 seconds.')],
      },
    });
    for (const path of ['/api/health/live', '/api/health/delivery'])
      expect((await server.anyone().get(path)).status).toBe(200);
    await decide();
    // The click does not wait until the event log gives the view up.
    await Promise.all([view, click]);
    expect(answers).toEqual([`click 307 ${live.ad.targetUrl}`, 'view 503']);
  } finally {
    database.thaw();
  }
  await vi.waitUntil(async () => (await server.anyone().get('/api/health/ready')).status === 200, {
    timeout: 60_000,
  });
});

// Proves OPS-72
it('says that a database is read-only, acknowledges nothing meanwhile, and goes on by itself', async () => {
  const served = await decide();
  const seller = await server.signIn('seller');
  const name = new URL(server.databaseUrl).pathname.slice(1);
  const owner = new pg.Client({ connectionString: server.ownerUrl });
  await owner.connect();
  const setReadOnly = async (value: 'on' | 'off') => {
    await owner.query('begin read write');
    await owner.query(`alter database ${name} set default_transaction_read_only = ${value}`);
    await owner.query('commit');
    // New connections get the setting.
    database.cut();
  };
  await setReadOnly('on');
  const ready = async () => await server.anyone().get('/api/health/ready');
  await expect.poll(ready).toMatchObject({
    status: 503,
    body: { reasons: [expect.stringContaining('The database is read-only.')] },
  });
  expect(await report(served.view)).toBe(503);
  const click = await fetch(served.click, { redirect: 'manual' });
  expect([click.status, click.headers.get('location')]).toEqual([307, live.ad.targetUrl]);
  const website = { name: 'New', url: 'https://new.example', category: 'Technology' };
  expect(await seller.post('/api/websites', website)).toMatchObject({
    status: 503,
    body: { message: 'The server can’t use its database right now. Please try again in a moment.' },
  });
  await setReadOnly('off');
  await owner.end();
  await expect.poll(ready).toMatchObject({ status: 200 });
  expect([await report(served.view), (await seller.post('/api/websites', website)).status]).toEqual([
    204, 201,
  ]);
});

it('says that it stops, and goes on with everything else', async () => {
  server.app.announceStop();
  for (const path of ['/api/health', '/api/health/ready', '/api/health/delivery'])
    expect(await server.anyone().get(path)).toMatchObject({
      status: 503,
      body: { status: 'stopping', release: RELEASE, reasons: ['The server is stopping.'] },
    });
  expect((await server.anyone().get('/api/health/live')).status).toBe(200);
  expect((await server.anyone().get('/')).status).toBe(200);
  await server.signIn('buyer');
});
