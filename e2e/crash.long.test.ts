import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { ServedAds } from '#domain/delivery/wire.ts';
import { VIEWABLE_MS } from '#domain/delivery/wire.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { startEmbedded } from '../server/platform/database/embedded/embedded.ts';
import { findRunning } from '../server/platform/database/embedded/running.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { Client } from '../server/testing/client.ts';
import { approve, makeAd, makeLiveAd, makeProduct } from '../server/testing/story.ts';
import {
  fillDisk,
  mountSmallDisk,
  newTemporaryFolder,
  NO_SMALL_DISK,
  removeFolder,
} from '../server/testing/temporary.ts';
import { killPostgres } from './support/kill-postgres.ts';
import { codeFromMail } from './support/mail.ts';
import { ready, type ServerProcess, spawnServer } from '../server/testing/server-process.ts';

const ADS_TO_PAY = 24;
const VIEWS = 600;
const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };

/** Null where this account may not mount one. It has room for a cluster and what these tests write. */
let disk: string | null;
let dataDir: string;
let server: ServerProcess | undefined;
let live: Awaited<ReturnType<typeof makeLiveAd>>;

beforeAll(() => {
  disk = mountSmallDisk('disk', 400);
  dataDir = disk ?? newTemporaryFolder('data');
});
afterAll(async () => {
  if (server) await server.stop('SIGTERM');
  removeFolder(dataDir);
});

// Proves RUN-04, HOOK-05, DEL-03, DEL-04
it('kill -9 of server and database loses no acknowledged view or payment, and leaves none counted twice or half done', async () => {
  const { url, seller, buyer } = await startWithTwoPeople();
  live = await makeLiveAd(seller, buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1_000_000 },
  });
  const { zone, product, ad } = live;
  const unpaid = await approvedAds(seller, buyer, product);
  const views = (await collectAds(url, zone.publicId, VIEWS)).map(({ view }) => view);

  // Views and payments are both in flight at the kill.
  const acknowledged = { views: new Set<string>(), payments: new Set<number>() };
  const load = Promise.allSettled([
    inTurn(2, views, async (view) => {
      if ((await report(view, url)) === 204) acknowledged.views.add(view);
      await pause(5);
    }),
    inTurn(4, unpaid, async (ad) => {
      if (await payAll(buyer, ad)) acknowledged.payments.add(ad.id);
    }),
  ]);
  while (acknowledged.views.size < 50 || acknowledged.payments.size < 5) await pause(1);
  killEverything();
  await load;
  await server?.ended;
  expect(acknowledged.views.size).toBeLessThan(VIEWS);
  expect(acknowledged.payments.size).toBeLessThan(ADS_TO_PAY);

  // The next start recovers. All views are sent again: the acknowledged ones must not count twice, the others count now.
  const again = await startAgain();
  const replayed = await Promise.all(
    views.map(async (view) => await report(view.replace(url, again), again)),
  );
  expect(new Set(replayed)).toEqual(new Set([204]));
  await server?.stop('SIGTERM');
  server = undefined;

  await readDatabase(async (database) => {
    const {
      rows: [counted],
    } = await database.query(
      'select a.total_impressions as total, (select sum(impressions)::int from ad_performance where ad_id = a.id) as daily from ads a where id = $1',
      [ad.id],
    );
    expect(counted).toEqual({ total: VIEWS, daily: VIEWS });

    const { rows: paid } = await database.query<{
      id: number;
      status: string;
      succeeded: number;
      posted: number;
    }>(
      `select a.id, a.status,
         (select count(*)::int from payments p where p.ad_id = a.id and p.status = 'succeeded') as succeeded,
         (select count(*)::int from payments p join ledger_tx t on t.external_ref = p.charge_id where p.ad_id = a.id) as posted
       from ads a where a.id = any($1)`,
      [unpaid.map(({ id }) => id)],
    );
    for (const { id, status, succeeded, posted } of paid) {
      if (acknowledged.payments.has(id)) expect({ id, status }).toEqual({ id, status: 'active' });
      const expected = status === 'active' ? 1 : 0;
      expect({ id, succeeded, posted }).toEqual({ id, succeeded: expected, posted: expected });
    }
    const { rows: unbalanced } = await database.query(
      'select tx_id from ledger_postings group by tx_id having sum(amount_cents) <> 0',
    );
    expect(unbalanced).toEqual([]);
  });
});

// Proves OPS-72
it('a full disk stops counting and sign-in with 503, loses no acknowledged view, and needs only room to recover', async (test) => {
  if (disk === null) return test.skip(NO_SMALL_DISK);
  const url = await startAgain();
  const ads = await collectAds(url, live.zone.publicId, 60);
  const before = await storedViews();
  const acknowledged = new Set<string>();
  const reportAll = async (some: typeof ads) => {
    const statuses = new Set<number>();
    for (const { view } of some) {
      const status = await report(view, url);
      if (status === 204) acknowledged.add(view);
      statuses.add(status);
    }
    return statuses;
  };
  await reportAll(ads.slice(0, 20));
  const ballast = fillDisk(disk);
  // PostgreSQL still has some room in the files that it has.
  await reportAll(ads.slice(20, 40));
  await fillLog();

  expect(await reportAll(ads.slice(40))).toEqual(new Set([503]));
  const click = await fetch(ads[0]!.click, { redirect: 'manual' });
  expect([click.status, click.headers.get('location')]).toEqual([307, live.ad.targetUrl]);
  const login = { email: 'buyer@example.test', password: 'correct horse battery' };
  expect(await new Client(url).post('/api/auth/login', login)).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('database') },
  });
  expect((await fetch(`${url}/api/health/delivery`)).status).toBe(200);
  const health = await fetch(`${url}/api/health/ready`);
  expect([health.status, await health.json()]).toMatchObject([
    503,
    {
      reasons: [
        expect.stringContaining('end of its log'),
        expect.stringContaining('disk of DATA_DIR has 0 MB'),
      ],
    },
  ]);
  await expect.poll(() => server?.output()).toContain('No space left on device');

  rmSync(ballast);
  await expect.poll(async () => (await fetch(`${url}/api/health/ready`)).status).toBe(200);
  expect((await storedViews()) - before).toBeGreaterThanOrEqual(acknowledged.size);
  expect(await reportAll(ads)).toEqual(new Set([204]));
  expect((await storedViews()) - before).toBe(ads.length);
  expect((await new Client(url).post('/api/auth/login', login)).status).toBe(200);
});

/** The views that count, of all ads in the zone. */
async function storedViews(): Promise<number> {
  return await beside(async (database) => {
    const { rows } = await database.query<{ views: number }>(
      `select count(*)::int as views from ad_events where kind = 'view' and reason is null`,
    );
    return rows[0]!.views;
  });
}

/** Writes into the write-ahead log until it needs a new file, for which there is no room. */
async function fillLog(): Promise<void> {
  await beside(async (database) => {
    const message = `select pg_logical_emit_message(false, 'test', repeat('x', 1000000))`;
    const writeOn = async (): Promise<void> => {
      for (;;) await database.query(message);
    };
    // It ends when PostgreSQL does.
    await writeOn().catch(() => {});
  });
}

async function beside<T>(use: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = new pg.Client({ connectionString: findRunning(dataDir, 'openslot') ?? '' });
  database.on('error', () => {});
  await database.connect();
  try {
    return await use(database);
  } finally {
    await database.end().catch(() => {});
  }
}

async function startWithTwoPeople() {
  const url = await startAgain();
  const seller = new Client(url);
  const buyer = new Client(url);
  await signUp(seller, 'seller@example.test');
  await signUp(buyer, 'buyer@example.test');
  return { url, seller, buyer };
}

/** Starts on a new port each time, because the system may not have released the old one yet. */
async function startAgain(): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  server = spawnServer({
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    SAMPLE_DATA: '0',
    RATE_LIMIT_FACTOR: '1000',
  });
  await ready(server, url);
  return url;
}

async function signUp(client: Client, email: string): Promise<void> {
  const person = { email, password: 'correct horse battery', firstName: 'Ann', lastName: 'Bell' };
  expect((await client.post('/api/auth/register', person)).status).toBe(201);
  const code = await codeFromMail(client, email);
  expect((await client.post('/api/auth/verify-email', { email, code })).status).toBe(200);
}

async function approvedAds(seller: Client, buyer: Client, product: Product): Promise<Ad[]> {
  const option = await makeProduct(seller, { id: product.adZoneId } as Parameters<typeof makeProduct>[1]);
  const ads: Ad[] = [];
  for (let n = 0; n < ADS_TO_PAY; n++) ads.push(await approve(seller, await makeAd(buyer, option)));
  return ads;
}

type ServedAd = { view: string; click: string };

/** Ads whose views can be reported now. */
async function collectAds(url: string, zone: string, count: number): Promise<ServedAd[]> {
  const served: ServedAd[] = [];
  for (let n = 0; n < count; n++) {
    const response = await fetch(`${url}/api/serve/ads?z=${zone}`, { headers: { origin: url } });
    const { ads } = (await response.json()) as ServedAds;
    const [{ view = '', click = '' } = {}] = ads;
    served.push({ view, click });
  }
  // The server filters a view that arrives sooner after its decision than an ad can be viewable.
  await pause(VIEWABLE_MS + 200);
  return served;
}

/** Reports a view, and returns the status of the answer. */
async function report(view: string, url: string): Promise<number> {
  return (await fetch(view, { method: 'POST', headers: { origin: url } })).status;
}

/** Works through `items`, `workers` at a time. Ignores errors, because calls fail once the server is killed. */
async function inTurn<Item>(
  workers: number,
  items: Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        await work(item).catch(() => {});
      }
    }),
  );
}

async function payAll(buyer: Client, ad: Ad): Promise<boolean> {
  const intent = await buyer.post('/api/create-payment-intent', {
    amount: ad.totalAmount,
    adPublicId: ad.publicId,
  });
  const card = await buyer.post('/api/sandbox/confirm', { clientSecret: intent.body.clientSecret, ...CARD });
  const success = await buyer.post('/api/payment-success', { paymentIntentId: card.body.paymentIntentId });
  return success.status === 200;
}

/** Kills the database first, so that the server runs into the broken connection, then the server. */
function killEverything(): void {
  killPostgres(dataDir);
  server?.child.kill('SIGKILL');
}

async function readDatabase(read: (database: pg.Client) => Promise<void>): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: () => {} });
  const database = new pg.Client({ connectionString: embedded.url('openslot') });
  await database.connect();
  try {
    await read(database);
  } finally {
    await database.end();
    await embedded.stop();
  }
}
