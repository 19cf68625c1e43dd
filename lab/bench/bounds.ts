/**
 * Measures how many views an ad gets beyond its goal when four instances on one database serve it to the same visitors.
 * Each visitor sends the ad request to one instance. Most of them report the view later, to any instance.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServedAds } from '../../domain/delivery/wire.ts';
import { ready, type ServerProcess, spawnServer } from '../../server/testing/server-process.ts';
import { createDatabase, createPool } from '../../server/platform/database/database.ts';
import { startEmbedded } from '../../server/platform/database/embedded/embedded.ts';
import { freePort } from '../../server/platform/database/embedded/process.ts';
import { BROWSER, makeSiteWithZone, makeRunningAd, SITE } from '../../server/testing/delivery/running-ads.ts';
import type { Row } from './delivery.ts';

const SERVERS = 4;
const GOAL = 1000;
/** The longest delay of a reported view. */
const MAX_VIEW_DELAY_MS = 55_000;
const HEADERS = { origin: SITE, 'user-agent': BROWSER };

/** `viewing` is the share of visitors who report the view. */
type Crowd = { name: string; perSecond: number; viewing: number; meanDelayMs: number };
const CROWDS: Crowd[] = [
  { name: 'usual visitors', perSecond: 60, viewing: 0.7, meanDelayMs: 3000 },
  { name: 'slow visitors', perSecond: 60, viewing: 0.95, meanDelayMs: 20_000 },
];

export async function measureBounds(dataDir: string): Promise<Row[]> {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const embedded = await startEmbedded({ dataDir, log: () => {} });
  const databaseUrl = embedded.url('openslot');
  const servers: { url: string; child: ServerProcess }[] = [];
  for (let each = 0; each < SERVERS; each++) {
    const port = await freePort();
    const child = spawnServer({
      PORT: String(port),
      PUBLIC_URL: 'http://ads.example',
      SMTP_URL: 'smtp://127.0.0.1:9',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DATABASE_OWNER_URL: embedded.ownerUrl('openslot'),
      SESSION_SECRET: 'one secret for all instances of the server',
      SAMPLE_DATA: '0',
    });
    servers.push({ url: `http://127.0.0.1:${port}`, child });
  }
  await Promise.all(servers.map(async ({ url, child }) => await ready(child, url)));
  const db = createDatabase(createPool(databaseUrl));
  const anyServer = () => servers[Math.floor(Math.random() * SERVERS)]!.url;

  async function show(crowd: Crowd): Promise<Row[]> {
    const ctx = { db, now: () => new Date() };
    const { zone, zoneId } = await makeSiteWithZone(ctx, { url: SITE });
    const ad = await makeRunningAd(ctx, zoneId, { pricingModel: 'per_impression', amount: GOAL });
    await pause(2000);

    let counted = 0;
    const visits = new Set<Promise<void>>();
    async function visit(): Promise<void> {
      const answer = await fetch(`${anyServer()}/api/serve/ads?z=${zone}`, { headers: HEADERS });
      const view = ((await answer.json()) as ServedAds).ads[0]?.view;
      if (view === undefined || Math.random() > crowd.viewing) return;
      const delay = 1100 - Math.log(Math.random()) * (crowd.meanDelayMs - 1100);
      await pause(Math.min(delay, MAX_VIEW_DELAY_MS));
      const { status } = await fetch(anyServer() + new URL(view).pathname, {
        method: 'POST',
        headers: HEADERS,
      });
      if (status !== 204) throw new Error(`The server answered ${status} to a reported view`);
      counted += 1;
    }
    const from = performance.now();
    let started = 0;
    while (counted < GOAL) {
      for (; started < ((performance.now() - from) / 1000) * crowd.perSecond; started++) {
        const visiting = visit().finally(() => visits.delete(visiting));
        visits.add(visiting);
      }
      await pause(5);
    }
    const seconds = (performance.now() - from) / 1000;
    await Promise.all(visits);
    const { n } = await db
      .selectFrom('adEvents')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('adId', '=', ad.id)
      .where('reason', '=', 'over_goal')
      .executeTakeFirstOrThrow();
    const billed = await db
      .selectFrom('ads')
      .select('totalImpressions')
      .where('id', '=', ad.id)
      .executeTakeFirstOrThrow();
    const what = `four instances, a goal of ${GOAL}, ${crowd.perSecond}/s ${crowd.name}`;
    return [
      { what: `${what}: billed over goal`, value: billed.totalImpressions - GOAL, goal: '0', unit: '' },
      { what: `${what}: viewed over goal, not billed`, value: Number(n), goal: '', unit: '' },
      { what: `${what}: time to goal`, value: seconds, goal: '', unit: 's' },
    ];
  }

  try {
    return (await Promise.all(CROWDS.map(show))).flat();
  } finally {
    await Promise.all(servers.map(async ({ child }) => await child.stop('SIGTERM')));
    await db.destroy();
    await embedded.stop();
  }
}
