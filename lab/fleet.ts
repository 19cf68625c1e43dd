/**
 * `npm run lab fleet` starts two hosts of two servers as network namespaces, a balancer with TLS, NATS, PostgreSQL with a
 * standby, and S3, and breaks each of them while visitors come. After each scene, every event that was acknowledged must be
 * in the database. It exits with 1 if one is missing, was counted twice, or was billed beyond its goal, and with 2 where
 * something to run it is missing. `-- --list` prints its scenes, `-- --only TEXT` plays those whose name has the text, and
 * `-- --asynchronous` shows what a standby loses that no commit waits for. Needs Linux and root.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ServedAds } from '../domain/delivery/wire.ts';
import { createDatabase, createPool } from '../server/platform/database/database.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { createTokens } from '../server/delivery/tokens/tokens.ts';
import { BROWSER, makeRunningAd, makeSiteWithZone, SITE } from '../server/testing/delivery/running-ads.ts';
import { searchFaketime, steppableClock } from '../server/testing/programs/faketime.ts';
import { searchProxy } from '../server/testing/programs/proxies.ts';
import { searchNatsServer, startNats } from '../extensions/nats/testing/nats-server.ts';
import { settingsOfBucket } from '../server/testing/s3/bucket.ts';
import { newTemporaryFolder, removeFolder } from '../server/testing/temporary.ts';
import { build } from '../scripts/build.mjs';
import { balancerOf } from './fleet/balancer.ts';
import { type Books, openBooks } from './fleet/books.ts';
import { startDatabases } from './fleet/databases.ts';
import { mountDisk, unmountDisk } from './fleet/disks.ts';
import { startFiles, storeImage } from './fleet/files.ts';
import { GATEWAY, type Host, HOSTS, plugIn, relayTo, unplug } from './fleet/network.ts';
import { type Fleet, type Scene, SCENES } from './fleet/scenes.ts';
import { startVisitors, type Visitors } from './fleet/visitors.ts';
import { isReady, type Server, startServer, stopServer } from './load.ts';
import { root } from '../scripts/node.mjs';

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    visitors: { type: 'string', default: '40' },
    asynchronous: { type: 'boolean', default: false },
  },
});
const scenes = SCENES.filter(({ name }) => name.includes(values.only));
const VISITORS = Number(values.visitors);
/** Each host has two servers. */
const PORTS = [3000, 3001];
const BROKEN_MS = 15_000;
/** A scene is over when no request has failed for so long. */
const QUIET_MS = 5000;
const LIMIT_MS = 120_000;
/** The disks are in memory. */
const DISK_MEGABYTES = { servers: 500, nats: 200, first: 2000, second: 2000 };
/** A stream that can be filled: room for four thousand events. */
const STREAM_BYTES = 1024 ** 2;
const SHUTDOWN_DELAY_MS = 5000;
/** Two ads reach their goals while things break. */
const GOALS = [500, 2000];

if (values.list) for (const { name } of scenes) console.log(name);
else if (scenes.length === 0) fail(`No scene has ${values.only} in its name. See them with --list.`);
else {
  const missing = await whatIsMissing();
  if (missing) fail(missing);
  else process.exitCode = (await play()) ? 0 : 1;
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 2;
}

async function whatIsMissing(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'The fleet needs Linux and root, because its hosts are network namespaces.';
  for (const [program, debian] of [
    ['ip', 'iproute2'],
    ['openssl', 'openssl'],
    ['pgrep', 'procps'],
    ['tar', 'tar'],
  ] as const)
    if (spawnSync(program, ['-h']).error)
      return `${program} is missing. Install it: apt-get install ${debian}`;
  if ((await searchProxy('haproxy')) === null)
    return 'haproxy is missing. Install it: apt-get install haproxy';
  if ((await searchNatsServer()) === null)
    return 'nats-server is missing. Install it: apt-get install nats-server';
  if (searchFaketime() === null) return 'libfaketime is missing. Install it: apt-get install libfaketime';
  return null;
}

async function play(): Promise<boolean> {
  await build();
  // PostgreSQL's account may enter it. Otherwise the database would lie on another disk than the one that is filled.
  const folder = newTemporaryFolder('fleet');
  const closing: (() => unknown)[] = [() => removeFolder(folder)];
  const closeAll = async () => {
    while (closing.length > 0)
      try {
        await closing.pop()!();
      } catch (error) {
        // The others end all the same.
        console.error(error);
      }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void closeAll().finally(() => process.exit(130)));
  try {
    await plugIn();
    closing.push(unplug);
    const disks = {
      servers: path.join(folder, 'servers'),
      nats: path.join(folder, 'nats'),
      first: path.join(folder, 'first'),
      second: path.join(folder, 'second'),
    };
    for (const [name, disk] of Object.entries(disks)) {
      await mountDisk(disk, DISK_MEGABYTES[name as keyof typeof disks]);
      closing.push(() => unmountDisk(disk));
    }
    const database = await startDatabases([disks.first, disks.second], !values.asynchronous);
    closing.push(() => database.stop());
    const nats = await startNats(['-js', '-sd', disks.nats]);
    closing.push(() => nats.close());
    const files = await startFiles(path.join(folder, 'files'));
    closing.push(() => files.signal('SIGKILL'));
    const toDatabase = await relayTo(portOf(database.ownerUrl()));
    const toNats = await relayTo(nats.port);
    const toFiles = await relayTo(files.port);
    closing.push(toDatabase.close, toNats.close, toFiles.close);
    const byRelay = (address: string) => {
      const url = new URL(address);
      url.hostname = GATEWAY;
      url.port = String(toDatabase.port);
      return url.href;
    };
    const bucket = `http://${GATEWAY}:${toFiles.port}`;
    const port = await freePort();
    const secret = randomBytes(32).toString('hex');
    const env = {
      HOST: '0.0.0.0',
      PUBLIC_URL: `https://localhost:${port}`,
      TRUSTED_PROXIES: GATEWAY,
      DATABASE_URL: byRelay(database.url('openslot')),
      DATABASE_OWNER_URL: byRelay(database.ownerUrl()),
      EVENT_LOG_URL: `nats://${GATEWAY}:${toNats.port}`,
      EVENT_LOG_BYTES: String(STREAM_BYTES),
      ...settingsOfBucket(bucket),
      SESSION_SECRET: secret,
      DATA_DIR: disks.servers,
      SMTP_URL: 'smtp://127.0.0.1:9',
      SAMPLE_DATA: '0',
      SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
    };
    const clock = steppableClock(searchFaketime()!, path.join(folder, 'clock'));
    const servers = HOSTS.flatMap((host, n) =>
      PORTS.map((each) => serverOn(host, each, n === 1 ? { ...env, ...clock.env } : env)),
    );
    closing.push(() => servers.map(({ signal }) => signal('SIGKILL')));
    // The first one migrates.
    for (const server of servers) await server.start();
    const balancer = balancerOf(
      folder,
      port,
      HOSTS.flatMap(({ name, address }) => PORTS.map((each) => `  server ${name}${each} ${address}:${each}`)),
    );
    closing.push(() => balancer.signal('SIGKILL'));
    await balancer.start();

    // Reading thousands of events again takes longer on a busy machine than a page may wait.
    const db = createDatabase(createPool(env.DATABASE_OWNER_URL, 10, 'fleet', 120_000));
    closing.push(() => db.destroy());
    const { zones, spare } = await makeMarket(db, bucket);
    const certificate = readFileSync(path.join(folder, 'certificate.pem'), 'utf8');
    await pause(SHUTDOWN_DELAY_MS);
    const visitors = startVisitors({ port, certificate, zones }, VISITORS);
    const fleet: Fleet = {
      servers,
      balancer,
      nats: { signal: nats.signal, start: nats.start },
      files,
      database: {
        ...database,
        promote: async () => {
          await database.promote();
          toDatabase.leadTo(portOf(database.ownerUrl()));
        },
      },
      disks,
      setClock: clock.setOffset,
      setRate: visitors.setRate,
      usualRate: VISITORS,
      failures: visitors.failures,
      restart: async (n) => {
        await servers[n]!.end();
        await servers[n]!.start();
        await pause(SHUTDOWN_DELAY_MS);
      },
      takeDown: async () => {
        // The first connections may be those to the lost primary.
        for (;;) {
          const query = db.updateTable('ads').set({ status: 'completed' }).where('id', '=', spare.adId);
          if (
            await query.execute().then(
              () => true,
              () => false,
            )
          )
            break;
          await pause(20);
        }
        const began = performance.now();
        await Promise.all(
          servers.map(async ({ kindOf }) => {
            while ((await kindOf(spare.zone)) === 'text') await pause(20);
          }),
        );
        return performance.now() - began;
      },
    };
    const books = openBooks(db, createTokens([secret]), visitors.acknowledged);
    const problems: string[] = [];
    console.log(
      `${'scene'.padEnd(46)}  failed   back after  acknowledged   lost  twice  beyond a goal  failed requests`,
    );
    for (const scene of scenes) problems.push(...(await playScene(scene, fleet, visitors, books)));
    await visitors.end();
    problems.push(...(await books.close()));
    for (const problem of problems) console.log(problem);
    console.log(
      problems.length === 0
        ? 'Nothing was lost, counted twice or billed beyond its goal.'
        : 'It does not hold.',
    );
    return problems.length === 0;
  } finally {
    await closeAll();
  }
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}

/**
 * Four publishers with a zone each. Two of the ads end at their goals, and one has an image. No visitor comes to the spare
 * zone.
 */
async function makeMarket(db: ReturnType<typeof createDatabase>, bucket: string) {
  const ctx = { db, now: () => new Date() };
  const zones: { zone: string; origin: string }[] = [];
  const imageUrl = await storeImage(ctx, bucket);
  for (const goal of [...GOALS, null, null]) {
    const origin = `https://site-${zones.length}.example`;
    const { zone, zoneId } = await makeSiteWithZone(ctx, { url: origin });
    if (goal !== null) await makeRunningAd(ctx, zoneId, { pricingModel: 'per_impression', amount: goal });
    // Pages go on to show an ad when the first one has reached its goal.
    await makeRunningAd(ctx, zoneId, goal === null ? { adType: 'image', imageUrl } : {});
    zones.push({ zone, origin });
  }
  const { zone, zoneId } = await makeSiteWithZone(ctx);
  const { id: adId } = await makeRunningAd(ctx, zoneId);
  return { zones, spare: { zone, adId } };
}

async function playScene(scene: Scene, fleet: Fleet, visitors: Visitors, books: Books): Promise<string[]> {
  visitors.failures.clear();
  const began = performance.now();
  const notHeld = (await scene.act(fleet, () => pause(BROKEN_MS))) ?? [];
  const mended = performance.now();
  while (
    performance.now() - Math.max(visitors.failedAt(), mended) < QUIET_MS &&
    performance.now() - mended < LIMIT_MS
  )
    await pause(100);
  const failures = [...visitors.failures];
  const failed = failures.reduce((sum, [, n]) => sum + n, 0);
  const backAfter = failed === 0 ? '–' : `${((visitors.failedAt() - began) / 1000).toFixed(1)} s`;
  const { acknowledged, lost, twice, beyond } = await books.check();
  console.log(
    `${scene.name.padEnd(46)}  ${String(failed).padStart(6)}  ${backAfter.padStart(11)}  ${String(acknowledged).padStart(12)}  ${String(lost).padStart(5)}  ${String(twice).padStart(5)}  ${String(beyond).padStart(13)}  ${failures.map(([name, n]) => `${n} ${name}`).join(', ')}`.trimEnd(),
  );
  const isBack = performance.now() - visitors.failedAt() >= QUIET_MS;
  const { mayFail } = scene;
  const wrong = failures.filter(([name]) => mayFail && !mayFail.test(name)).map(([name]) => name);
  return [
    ...notHeld.map((sentence) => `${scene.name}: ${sentence}`),
    ...(wrong.length > 0
      ? [`${scene.name}: requests failed that have nothing to do with it: ${wrong.join(', ')}.`]
      : []),
    ...(lost > 0 ? [`${scene.name}: ${lost} acknowledged events are not in the database.`] : []),
    ...(isBack ? [] : [`${scene.name}: requests still fail ${LIMIT_MS / 1000} seconds after it was mended.`]),
  ];
}

type ServerProgram = Fleet['servers'][number] & {
  end: () => Promise<void>;
  /** The kind of ad that it shows in the zone. */
  kindOf: (zone: string) => Promise<string | undefined>;
};

function serverOn({ namespace, address }: Host, port: number, env: Record<string, string>): ServerProgram {
  let running: Server | undefined;
  const place = { address, command: ['ip', 'netns', 'exec', namespace] };
  return {
    signal: (name) => void running?.child.kill(name),
    start: async () => {
      running = await startServer(root, port, env, place);
    },
    end: async () => {
      await stopServer(running!);
    },
    isReady: async () => await isReady(port, address),
    kindOf: async (zone) => {
      const answer = await fetch(`http://${address}:${port}/api/serve/ads?z=${zone}`, {
        headers: { origin: SITE, 'user-agent': BROWSER },
      });
      return ((await answer.json()) as ServedAds).ads[0]?.kind;
    },
  };
}
