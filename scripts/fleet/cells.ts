/** The scene of cells: two of them and their marketplace, each on a host of its own, and the marketplace is cut off. */
import { sql } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServedAds } from '../../domain/delivery/wire.ts';
import { addCell, assignPublisher } from '../../server/cells/marketplace/manage.ts';
import { createDatabase, createPool, type Database } from '../../server/db/database.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { addZone, BROWSER, makeRunningAd, makeUser } from '../../server/testing/delivery/running-ads.ts';
import { startServer } from '../load.ts';
import { root } from '../node.mjs';
import { addHost, cut, GATEWAY, type Host, hostOf, rejoin, relayTo, removeHost } from './network.ts';
import type { Scene } from './scenes.ts';

/** `CELLS_AWAY_MINUTES=10 npm run -s tool fleet -- --only cells` cuts the marketplace off for longer. */
const AWAY_MS = Number(process.env['CELLS_AWAY_MINUTES'] ?? 1) * 60_000;
const BEFORE_MS = 5000;
const VISITS_PER_SECOND = 20;
const VIEW_AFTER_MS = 1100;
/** One ad of each cell reaches its goal while the marketplace is away. */
const GOALS = [100, 1_000_000];
const EQUAL_MS = 60_000;
const MAX_TAKEDOWN_MS = 2000;
const PORT = 3000;

type Installation = {
  name: string;
  host: Host;
  url: string;
  db: Database;
  start: (env: Env) => Promise<void>;
};
type Env = Record<string, string>;
type Place = { zone: string; zoneId: number; adId: number; origin: string };

export const CELLS: Scene = {
  name: 'marketplace of two cells: cut off',
  act: async () => {
    const problems = await play();
    if (problems.length > 0) throw new Error(problems.join(' '));
  },
};

async function play(): Promise<string[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-cells-'));
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const marketplace = await install('main', 4, folder, closing);
    const north = await install('north', 5, folder, closing);
    const south = await install('south', 6, folder, closing);
    await marketplace.start({ PUBLIC_URL: marketplace.url, ROLE: 'marketplace' });
    const problems: string[] = [];
    const cells = [];
    for (const cell of [north, south]) {
      const { key, places } = await makeMarket(marketplace.db, cell);
      await cell.start({
        ROLE: 'cell',
        CELL_KEY: key,
        MARKETPLACE_URL: marketplace.url,
        DELIVERY_URL: cell.url,
        TRUSTED_PROXIES: GATEWAY,
      });
      cells.push({ ...cell, places, visitors: startVisitors(cell.url, places) });
    }
    await pause(BEFORE_MS);
    await cut(marketplace.host);
    for (const until = performance.now() + AWAY_MS; performance.now() < until; await pause(1000))
      for (const { name, url } of cells)
        if ((await fetch(`${url}/api/health/delivery`)).status !== 200)
          problems.push(`The cell ${name} was not ready without its marketplace.`);
    await rejoin(marketplace.host);
    const rejoined = performance.now();
    for (const cell of cells) {
      const acknowledged = await cell.visitors.end();
      if (!(await areEqual(marketplace.db, cell)))
        problems.push(`The figures of the cell ${cell.name} are not those of the marketplace.`);
      const equalAfter = (performance.now() - rejoined) / 1000;
      const lost = acknowledged - (await countEvents(cell.db));
      if (lost !== 0) problems.push(`${lost} acknowledged views are not in the cell ${cell.name}.`);
      const takedownMs = await takeDown(marketplace.db, cell);
      if (takedownMs > MAX_TAKEDOWN_MS)
        problems.push(`A takedown took ${takedownMs} ms in the cell ${cell.name}.`);
      console.log(
        `  cell ${cell.name}: ${AWAY_MS / 1000} s alone, ${acknowledged} views acknowledged, ${lost} lost, ${cell.visitors.failed()} requests failed, equal after ${equalAfter.toFixed(1)} s, takedown in ${takedownMs} ms`,
      );
    }
    return [...problems, ...(await overDelivered(marketplace.db))];
  } finally {
    while (closing.length > 0) await closing.pop()!();
  }
}

/** A host with a database of its own. */
async function install(
  name: string,
  number: number,
  folder: string,
  closing: (() => unknown)[],
): Promise<Installation> {
  const dataDir = path.join(folder, name);
  const database = await startEmbedded({ dataDir: path.join(dataDir, 'database'), log: () => {} });
  closing.push(() => database.stop());
  const relay = await relayTo(Number(new URL(database.url('openslot')).port));
  closing.push(relay.close);
  const host = hostOf(name, number);
  closing.push(() => removeHost(host));
  // An earlier run may have left it.
  await removeHost(host);
  await addHost(host);
  const db = createDatabase(createPool(database.ownerUrl('openslot'), 3));
  closing.push(() => db.destroy());
  const byRelay = (address: string) => {
    const url = new URL(address);
    url.hostname = GATEWAY;
    url.port = String(relay.port);
    return url.href;
  };
  const own = {
    HOST: '0.0.0.0',
    DATABASE_URL: byRelay(database.url('openslot')),
    DATABASE_OWNER_URL: byRelay(database.ownerUrl('openslot')),
    DATA_DIR: dataDir,
    SMTP_URL: 'smtp://127.0.0.1:9',
    SAMPLE_DATA: '0',
  };
  return {
    name,
    host,
    url: `http://${host.address}:${PORT}`,
    db,
    start: async (env) => {
      const place = { address: host.address, command: ['ip', 'netns', 'exec', host.namespace] };
      const { child } = await startServer(root, PORT, { ...own, ...env }, place);
      closing.push(() => child.kill('SIGKILL'));
    },
  };
}

/** Two publishers of a cell, with an ad each. */
async function makeMarket(
  db: Database,
  { name, url }: Installation,
): Promise<{ key: string; places: Place[] }> {
  const ctx = { db, now: () => new Date() };
  const { key } = await db.transaction().execute((tx) => addCell(ctx, tx, { name, deliveryUrl: url }));
  const places: Place[] = [];
  for (const amount of GOALS) {
    const userId = await makeUser(ctx);
    await db.transaction().execute((tx) => assignPublisher(tx, { userId, cellName: name }));
    const origin = `https://${name}-${amount}.example`;
    const website = await db
      .insertInto('websites')
      .values({ userId, name: 'The Daily', url: origin, category: 'Technology', monthlyVisitors: 90_000 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { zone, zoneId } = await addZone(ctx, website.id);
    const { id } = await makeRunningAd(ctx, zoneId, { pricingModel: 'per_impression', amount });
    places.push({ zone, zoneId, adId: id, origin });
  }
  return { key, places };
}

/** Visitors who look at every ad that they are shown. `end` returns how many views were acknowledged. */
function startVisitors(url: string, places: readonly Place[]) {
  let acknowledged = 0;
  let failed = 0;
  let isOver = false;
  const visits = new Set<Promise<void>>();

  async function visit({ zone, origin }: Place): Promise<void> {
    const headers = { origin, 'user-agent': BROWSER };
    const answer = await fetch(`${url}/api/serve/ads?z=${zone}`, { headers });
    const [ad] = ((await answer.json()) as ServedAds).ads;
    if (!ad?.view) return;
    await pause(VIEW_AFTER_MS);
    const { status } = await fetch(ad.view, { method: 'POST', headers });
    if (status === 204) acknowledged += 1;
    else failed += 1;
  }

  async function come(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const visiting = visit(places[n % places.length]!)
        .catch(() => void (failed += 1))
        .finally(() => visits.delete(visiting));
      visits.add(visiting);
      await pause(1000 / VISITS_PER_SECOND);
    }
  }
  const coming = come();
  return {
    failed: () => failed,
    end: async (): Promise<number> => {
      isOver = true;
      await coming;
      await Promise.all(visits);
      return acknowledged;
    },
  };
}

async function countEvents(db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ad_events where kind = 'view'`.execute(db);
  return rows[0]!.n;
}

/** Whether the marketplace has the figures of a cell, within a minute. */
async function areEqual(
  marketplace: Database,
  { db, places }: Installation & { places: Place[] },
): Promise<boolean> {
  const zoneIds = places.map(({ zoneId }) => zoneId);
  const read = async (of: Database) => {
    const { rows } = await sql`
      select hour, ad_id, zone_id, kind, reason, n from delivery_hourly
        where zone_id = any(${zoneIds}) order by hour, ad_id, zone_id, kind, reason`.execute(of);
    const ads = await sql`
      select id, status, total_impressions from ads where ad_zone_id = any(${zoneIds}) order by id`.execute(
      of,
    );
    return JSON.stringify([rows, ads.rows]);
  };
  for (const until = performance.now() + EQUAL_MS; performance.now() < until; await pause(100))
    if ((await read(marketplace)) === (await read(db))) return true;
  return false;
}

/** Suspends the ad that still runs. Returns the milliseconds until the cell does not show it any more. */
async function takeDown(
  marketplace: Database,
  { url, places }: Installation & { places: Place[] },
): Promise<number> {
  const { adId, zone, origin } = places.at(-1)!;
  await sql`update ads set suspended_at = now(), suspended_reason = 'A scene' where id = ${adId}`.execute(
    marketplace,
  );
  const began = performance.now();
  for (;;) {
    const answer = await fetch(`${url}/api/serve/ads?z=${zone}`, {
      headers: { origin, 'user-agent': BROWSER },
    });
    const ms = Math.round(performance.now() - began);
    if (!((await answer.json()) as ServedAds).ads[0]?.view || ms > 10 * MAX_TAKEDOWN_MS) return ms;
    await pause(20);
  }
}

async function overDelivered(marketplace: Database): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select 'Ad ' || a.id || ' has ' || a.total_impressions || ' billed views of ' || a.impressions || ', and ' || c.n || ' in its hours.'
        as problem
      from ads a cross join lateral (
        select coalesce(sum(d.n), 0) as n from counted_hours d where d.ad_id = a.id and d.kind = 'view') as c
      where a.total_impressions > a.impressions or a.total_impressions <> c.n`.execute(marketplace);
  return rows.map(({ problem }) => problem);
}
