/** Two cells and their marketplace, each a process with a database of its own. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { localBlobs } from '../adapters/local-blobs.ts';
import { createDatabase, createPool } from '../db/database.ts';
import { makeRunningAd, SITE } from '../testing/delivery/running-ads.ts';
import {
  ask,
  cellsTest,
  command,
  makePublisher,
  makeZoneOfCell,
  type Running,
  type StartedCell,
  tablesOf,
  view,
} from '../testing/cells/start.ts';

const test = cellsTest();
let marketplace: Running;
let north: StartedCell;
let south: StartedCell;
beforeAll(async () => {
  marketplace = await test.marketplace();
  north = await test.addCell(marketplace, 'north');
  south = await test.addCell(marketplace, 'south');
  await north.start();
  await south.start();
});
afterAll(async () => await test.close(), 60_000);

type AdOfCell = { id: number; zone: string; zoneId: number };

/** An ad that is paid in the marketplace, in an ad zone of a cell. */
async function adOf(cell: StartedCell, amount: number): Promise<AdOfCell> {
  const { zone, zoneId } = await makeZoneOfCell(marketplace, cell.name);
  const { id } = await makeRunningAd(tablesOf(marketplace), zoneId, {
    pricingModel: 'per_impression',
    amount,
  });
  return { id, zone, zoneId };
}

const isServed = async (server: Running, zone: string) => (await ask(server, zone))?.kind === 'text';
const WAIT = { timeout: 60_000, interval: 100 };

const untilServed = async (cell: StartedCell, zone: string) => await untilShown(cell, zone, 'text');

/** Resolves with the first ad of this kind that the cell shows in a zone. */
async function untilShown(cell: StartedCell, zone: string, kind: 'text' | 'image'): Promise<ServedAd> {
  return await vi.waitUntil(
    async () => {
      const ad = await ask(cell, zone);
      return ad?.kind === kind && ad;
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Shows an ad so many times. */
async function show(cell: StartedCell, zone: string, times: number): Promise<ServedAd[]> {
  return await Promise.all(Array.from({ length: times }, async () => (await ask(cell, zone))!));
}

async function viewAll(ads: readonly ServedAd[]): Promise<void> {
  for (const ad of ads) expect(await view(ad.view!)).toBe(204);
}

async function totals({ db }: Running, id: number) {
  return await db
    .selectFrom('ads')
    .select(['status', 'totalImpressions', 'totalClicks'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The figures of an ad and of the decisions of its zone, by hour, kind and reason. */
async function hours({ db }: Running, { id, zoneId }: AdOfCell) {
  const rows = await db
    .selectFrom('deliveryHourly')
    .select(['hour', 'kind', 'reason', 'n'])
    .where('zoneId', '=', zoneId)
    .where((where) => where.or([where('adId', '=', id), where('adId', 'is', null)]))
    .orderBy('hour')
    .orderBy('kind')
    .orderBy('reason')
    .orderBy('n')
    .execute();
  return rows.map(({ hour, kind, reason, n }) => `${hour.toISOString()} ${kind} ${reason} ${n}`);
}

const untilEqual = async (cell: StartedCell, ad: AdOfCell) => {
  await vi.waitFor(async () => expect(await hours(marketplace, ad)).toEqual(await hours(cell, ad)), {
    timeout: 60_000,
    interval: 100,
  });
  expect(await totals(marketplace, ad.id)).toEqual(await totals(cell, ad.id));
};

// Proves SCALE-76
it('serves an ad that was paid in the marketplace by the cell of its publisher, and by no other server', async () => {
  const ad = await adOf(north, 1000);
  await untilServed(north, ad.zone);
  for (const other of [south, marketplace])
    expect(await ask(other, ad.zone)).toEqual({ zone: ad.zone, kind: 'none' });
  const shown = await ask(north, ad.zone);
  expect(shown!.view).toMatch(new RegExp(`^${north.url}/`));
  expect(shown!.why).toMatch(new RegExp(`^${marketplace.url}/`));
  // A cell knows of people no more than visitors see.
  const people = await north.db.selectFrom('users').select(['email', 'password', 'lastName']).execute();
  expect(
    people.every(
      ({ email, password, lastName }) =>
        email.endsWith('@cell.invalid') && password === '' && lastName === null,
    ),
  ).toBe(true);
});

// Proves SCALE-77
it('stops to serve an ad that was suspended, and serves it again when it is restored', async () => {
  const ad = await adOf(north, 1000);
  await untilServed(north, ad.zone);
  await command(marketplace, ['suspend', 'ad', String(ad.id), '--reason', 'Not allowed here']);
  // No test asserts how long something took; `npm run tool fleet` measures it.
  await vi.waitUntil(async () => !(await isServed(north, ad.zone)), { timeout: 60_000, interval: 20 });
  await command(marketplace, ['restore', 'ad', String(ad.id), '--reason', 'A mistake']);
  expect(await untilServed(north, ad.zone)).toMatchObject({ kind: 'text' });
});

// Proves SCALE-78, SCALE-79, SCALE-85
it('goes on while the marketplace is away, and then both have the same figures, with an ad completed once', async () => {
  const [short, long] = [await adOf(north, 4), await adOf(south, 1000)];
  const first = await untilServed(north, short.zone);
  await untilServed(south, long.zone);
  await marketplace.stop();
  const shown = [first, ...(await show(north, short.zone, 3))];
  const others = await show(south, long.zone, 5);
  await pause(1200);
  await viewAll(shown);
  await viewAll(others);
  expect(await isServed(north, short.zone)).toBe(false);
  for (const cell of [north, south])
    expect((await fetch(`${cell.url}/api/health/delivery`)).status).toBe(200);
  expect(await totals(marketplace, short.id)).toMatchObject({ totalImpressions: 0 });
  await marketplace.start();
  await untilEqual(north, short);
  await untilEqual(south, long);
  expect(await totals(marketplace, short.id)).toEqual({
    status: 'completed',
    totalImpressions: 4,
    totalClicks: 0,
  });
  expect(await totals(marketplace, long.id)).toMatchObject({ status: 'active', totalImpressions: 5 });
  const told = async () =>
    await marketplace.db.selectFrom('messages').select('id').where('kind', '=', 'ad-completed').execute();
  // The job that tells the publisher ran once.
  await vi.waitFor(async () => expect(await told()).toHaveLength(1), { timeout: 60_000, interval: 100 });
  const days = await marketplace.db
    .selectFrom('adPerformance')
    .select('impressions')
    .where('adId', '=', short.id)
    .execute();
  expect(days.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(4);
  const zone = await marketplace.db
    .selectFrom('adZones')
    .select('tagSeenAt')
    .where('id', '=', short.zoneId)
    .executeTakeFirstOrThrow();
  expect(zone.tagSeenAt).not.toBeNull();
});

// Proves SCALE-90
it('shows the publisher who tests an ad zone what its cell sees, while they watch', async () => {
  const ad = await adOf(north, 1000);
  await untilServed(north, ad.zone);
  const sightings = async ({ db }: Running) =>
    await db
      .selectFrom('zoneSightings')
      .select(['kind', 'origin', 'adId', 'reason'])
      .where('zoneId', '=', ad.zoneId)
      .orderBy('id')
      .execute();
  await marketplace.db
    .insertInto('zoneWatches')
    .values({ zoneId: ad.zoneId, until: new Date(Date.now() + 60_000) })
    .execute();
  const request = { kind: 'request', origin: SITE, adId: ad.id, reason: null };
  // Both sides follow within seconds.
  await vi.waitFor(async () => {
    await viewAll(await show(north, ad.zone, 1));
    const seen = await sightings(marketplace);
    expect(seen).toContainEqual(request);
    expect(seen.some(({ kind, adId }) => kind === 'view' && adId === ad.id)).toBe(true);
  }, WAIT);
  await vi.waitFor(async () => expect(await sightings(north)).toEqual([]), WAIT);
  expect(await sightings(south)).toEqual([]);
});

// Proves SCALE-76
it('gets the picture of an ad before it shows the ad', async () => {
  const bytes = Buffer.from('the bytes of a picture');
  const rendition = `${createHash('sha256').update(bytes).digest('hex')}.png`;
  await localBlobs(path.join(marketplace.env['DATA_DIR']!, 'uploads')).put(`m/${rendition}`, bytes);
  const { zone, zoneId, publisherId } = await makeZoneOfCell(marketplace, 'north');
  const name = 'a-picture-of-twenty-characters';
  const now = new Date();
  const size = { contentType: 'image/png' as const, byteSize: bytes.length, width: 300, height: 250 };
  await marketplace.db
    .insertInto('uploads')
    .values({ name, userId: publisherId, rendition, ...size, storedAt: now, expiresAt: now })
    .execute();
  const imageUrl = `/ad-images/${name}`;
  await makeRunningAd(tablesOf(marketplace), zoneId, { adType: 'image', imageUrl });
  const shown = await untilShown(north, zone, 'image');
  expect(shown).toMatchObject({ src: `${north.url}/m/${rendition}`, width: 300, height: 250 });
  const file = await fetch(shown.src!);
  expect([file.status, await file.text()]).toEqual([200, bytes.toString()]);
});

// Proves SCALE-79
it('delivers again what was withdrawn as invalid in the marketplace', async () => {
  const ad = await adOf(north, 2);
  const shown = [await untilServed(north, ad.zone), ...(await show(north, ad.zone, 1))];
  await pause(1200);
  await viewAll(shown);
  await vi.waitFor(
    async () => expect(await totals(marketplace, ad.id)).toMatchObject({ status: 'completed' }),
    WAIT,
  );
  expect(await isServed(north, ad.zone)).toBe(false);
  await sql`
    select withdraw_traffic(now(), ${ad.zoneId}, now() - interval '3 hours', now() + interval '1 hour',
        '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(marketplace.db);
  const again = await untilServed(north, ad.zone);
  expect(await totals(north, ad.id)).toEqual({ status: 'active', totalImpressions: 0, totalClicks: 0 });
  await pause(1200);
  await viewAll([again]);
  await vi.waitFor(
    async () => expect(await totals(marketplace, ad.id)).toMatchObject({ totalImpressions: 1 }),
    WAIT,
  );
  expect(await totals(north, ad.id)).toMatchObject({ status: 'active', totalImpressions: 1 });
});

// Proves SCALE-74
it('answers only the ad server, health and metrics', async () => {
  for (const path of [
    '/',
    '/auth',
    '/api/auth/user',
    '/sites',
    '/api/openapi.json',
    '/api/cells/v1/zones?after=0',
    '/dev/mail',
  ])
    expect([path, (await fetch(`${north.url}${path}`)).status]).toEqual([path, 404]);
  expect((await fetch(`${north.url}/api/health/live`)).status).toBe(200);
});

// Proves SCALE-72, SCALE-73
it('lists the cells, and assigns only a publisher without an ad zone', async () => {
  const { email } = await makePublisher(marketplace);
  await command(marketplace, ['cell', 'assign', email, 'north']);
  await expect(command(marketplace, ['cell', 'assign', email, 'west'])).rejects.toThrow('no cell “west”');
  await expect(
    command(marketplace, ['cell', 'add', 'north', '--delivery-url', 'https://x.example']),
  ).rejects.toThrow('already');
  const { zoneId } = await makeZoneOfCell(marketplace, 'north');
  const owner = await marketplace.db
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users', 'users.id', 'websites.userId')
    .select('users.email')
    .where('adZones.id', '=', zoneId)
    .executeTakeFirstOrThrow();
  await expect(command(marketplace, ['cell', 'assign', owner.email, 'south'])).rejects.toThrow(
    'has an ad zone already',
  );
  const { cells } = (await command(marketplace, ['cell', 'list'])) as { cells: Record<string, unknown>[] };
  expect(cells).toMatchObject([
    {
      name: 'north',
      deliveryUrl: north.url,
      publishers: expect.any(Number) as number,
      release: expect.any(String) as string,
    },
    { name: 'south', deliveryUrl: south.url },
  ]);
  expect(JSON.stringify(cells)).not.toContain(north.key);
  const rows = JSON.stringify(await marketplace.db.selectFrom('cells').selectAll().execute());
  expect(rows).not.toContain(north.key);
});

// Proves WARD-99
it('goes on while its key has ended, and sends with the new key what it has counted', async () => {
  const ad = await adOf(north, 1000);
  await untilServed(north, ad.zone);
  const { key } = (await command(marketplace, ['cell', 'rotate', 'north'])) as { key: string };
  const health = async () => await (await fetch(`${north.url}/api/health/ready`)).text();
  await vi.waitFor(async () => expect(await health()).toContain('CELL_KEY is not the key'), WAIT);
  const shown = await show(north, ad.zone, 3);
  await pause(1200);
  await viewAll(shown);
  await vi.waitFor(
    async () => expect(await totals(north, ad.id)).toMatchObject({ totalImpressions: 3 }),
    WAIT,
  );
  expect(await totals(marketplace, ad.id)).toMatchObject({ totalImpressions: 0 });
  await north.stop();
  north.env['CELL_KEY'] = key;
  north = { ...north, key };
  await north.start();
  await untilEqual(north, ad);
  expect(await totals(marketplace, ad.id)).toMatchObject({ totalImpressions: 3 });
});

// Proves SCALE-82
it('hands the work for the marketplace to another server of the cell when one is stopped', async () => {
  const ad = await adOf(north, 1000);
  await untilServed(north, ad.zone);
  const second = await test.secondServer(north);
  north.server().child.kill('SIGSTOP');
  try {
    await command(marketplace, ['suspend', 'ad', String(ad.id), '--reason', 'Not allowed here']);
    await vi.waitUntil(async () => !(await isServed(second, ad.zone)), { timeout: 60_000, interval: 50 });
  } finally {
    north.server().child.kill('SIGCONT');
  }
  await vi.waitFor(async () => expect(await isServed(north, ad.zone)).toBe(false), {
    timeout: 60_000,
    interval: 50,
  });
});

// Proves SCALE-75, SCALE-83
it('does not start with a wrong key, with that of another cell or marketplace, or on the wrong database', async () => {
  const refusal = async (server: Running, more: Record<string, string>) => {
    await expect(server.start(more)).rejects.toThrow('Openslot did not start');
    return server.server().output();
  };
  await south.stop();
  expect(await refusal(south, { CELL_KEY: `cell_${'x'.repeat(43)}` })).toContain(
    `CELL_KEY is not the key of a cell of the marketplace at ${marketplace.url}.`,
  );
  expect(await refusal(south, { CELL_KEY: north.key })).toMatch(
    /CELL_KEY is the key of another cell or marketplace .* the cell south\. Set the key/,
  );
  const installation = async (id: string) =>
    await marketplace.db.updateTable('installation').set({ id }).execute();
  const { id } = await marketplace.db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  await installation('00000000-0000-4000-8000-000000000000');
  try {
    expect(await refusal(south, {})).toContain('CELL_KEY is the key of another cell or marketplace');
  } finally {
    await installation(id);
  }
  const { DATABASE_URL = '', DATABASE_OWNER_URL = '' } = marketplace.env;
  expect(await refusal(south, { DATABASE_URL, DATABASE_OWNER_URL })).toContain(
    'DATABASE_URL leads to the database of a marketplace',
  );
  expect(await refusal(south, { ROLE: 'all', CELL_KEY: '', MARKETPLACE_URL: '' })).toContain(
    'DATABASE_URL leads to the database of a cell',
  );
  const asServer = createDatabase(createPool(DATABASE_URL, 1));
  await expect(sql`insert into cell_self default values`.execute(asServer)).rejects.toThrow(
    'permission denied',
  );
  await asServer.destroy();
  // The right key, with the marketplace away, is no reason to refuse.
  await marketplace.stop();
  await south.start();
  await marketplace.start();
});

// Proves SCALE-85
it('is not ready before it has read all ad zones once', async () => {
  const west = await test.addCell(marketplace, 'west');
  await marketplace.stop();
  const { child, output } = west.spawn();
  await vi.waitUntil(() => output().includes('Openslot is ready') || child.exitCode !== null, {
    timeout: 60_000,
  });
  const answer = await fetch(`${west.url}/api/health/ready`);
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { reasons: [expect.stringContaining(`MARKETPLACE_URL (${marketplace.url})`) as string] },
  ]);
  await marketplace.start();
  await vi.waitFor(async () => expect((await fetch(`${west.url}/api/health/ready`)).status).toBe(200), {
    timeout: 60_000,
    interval: 100,
  });
});
