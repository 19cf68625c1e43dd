/** Server processes that share the counting on one database, some of which are stopped, with each of the two event logs. */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '../server/platform/database/database.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { openStream, STREAM, subjectOf as subjectOfPartition } from '../extensions/nats/stream.ts';
import { createTokens, subjectOf } from '../server/delivery/tokens/tokens.ts';
import { createTestDatabase } from '../server/testing/database/database.ts';
import { adRow, makeRunningAd, makeSiteWithZone } from '../server/testing/delivery/delivery.ts';
import { natsIsHere, type NatsServer, startNats } from '../extensions/nats/testing/nats-server.ts';
import { ready, type ServerProcess, spawnServer } from '../server/testing/server-process.ts';
import { newTemporaryFolder } from '../server/testing/temporary.ts';

const SECRET = 'one secret for all instances of the server';
const METRICS_TOKEN = 'a-token-for-the-scrapes-of-this-test';
const PARTITIONS = 16;
/** Longer than any of it takes on a busy machine. */
const WAIT_MS = 60_000;
const { here, note } = await natsIsHere();
const logs = [
  { name: 'PostgreSQL', overNats: false, run: true },
  { name: `NATS${note}`, overNats: true, run: here },
];

type Server = { url: string; process: ServerProcess };

describe.each(logs)('counting through $name', ({ overNats, run }) => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let nats: NatsServer | null = null;
  let dataDir: string;
  let ctx: { db: Database; now: () => Date };
  let servers: Server[] = [];

  beforeAll(async () => {
    if (!run) return;
    dataDir = newTemporaryFolder('data');
    database = await createTestDatabase();
    if (overNats) nats = await startNats();
    ctx = { db: createDatabase(createPool(database.ownerUrl, 2)), now: () => new Date() };
  });
  afterEach(async () => {
    await Promise.all(servers.map(async ({ process: child }) => await child.stop('SIGTERM')));
    servers = [];
  });
  afterAll(async () => {
    if (!run) return;
    await ctx.db.destroy();
    await nats?.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function spawn(partitions = PARTITIONS): Promise<Server> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = spawnServer({
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      SESSION_SECRET: SECRET,
      SAMPLE_DATA: '0',
      METRICS_TOKEN,
      EVENT_PARTITIONS: String(partitions),
      ...(nats && { EVENT_LOG_URL: nats.url }),
    });
    return { url, process: child };
  }

  async function startServer(partitions?: number): Promise<Server> {
    const server = await spawn(partitions);
    servers.push(server);
    await ready(server.process, server.url);
    return server;
  }

  /** The number of partitions that each server says it owns. */
  async function owned(...of: Server[]): Promise<number[]> {
    return await Promise.all(
      of.map(async ({ url }) => {
        const response = await fetch(`${url}/metrics`, {
          headers: { authorization: `Bearer ${METRICS_TOKEN}` },
        });
        return Number(/^openslot_partitions_owned (\d+)$/m.exec(await response.text())?.[1]);
      }),
    );
  }

  /** Waits until `isTrue`. How many seconds that takes on an idle machine is measured by `npm run lab fleet`. */
  async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    while (!(await isTrue())) {
      if (Date.now() > deadline) throw new Error(`Not within ${WAIT_MS} ms: ${what}`);
      await pause(100);
    }
  }

  const isShared = async (...of: Server[]) => {
    const counts = await owned(...of);
    const sum = counts.reduce((total, each) => total + each, 0);
    return sum === PARTITIONS && Math.max(...counts) - Math.min(...counts) <= 1;
  };

  /** Ads of so many publishers that each server owns some of them. */
  async function makeAds(goal: number): Promise<{ id: number; zoneId: number }[]> {
    const ads: { id: number; zoneId: number }[] = [];
    for (let publisher = 0; publisher < PARTITIONS; publisher++) {
      const { zoneId } = await makeSiteWithZone(ctx);
      const { id } = await makeRunningAd(ctx, zoneId, { pricingModel: 'per_impression', amount: goal });
      ads.push({ id, zoneId });
    }
    return ads;
  }

  const tokens = createTokens([SECRET]);
  function mint({ id: adId, zoneId }: { id: number; zoneId: number }): string {
    const decision = {
      subject: subjectOf({ adId, zoneId, video: false, creative: 0 }),
      reason: null,
      origin: '0000',
    };
    return `/api/serve/view/${tokens.issue(decision, Date.now() - 3000).view}`;
  }

  async function report({ url }: Server, view: string): Promise<number> {
    return await fetch(url + view, {
      method: 'POST',
      headers: { origin: url },
      signal: AbortSignal.timeout(2000),
    }).then(
      (response) => response.status,
      () => 0,
    );
  }

  async function stored(adId: number): Promise<{ views: number; overGoal: number }> {
    const row = await ctx.db
      .selectFrom('adEvents')
      .select(({ fn }) => [
        fn.countAll<string>().filterWhere('reason', 'is', null).as('views'),
        fn.countAll<string>().filterWhere('reason', '=', 'over_goal').as('overGoal'),
      ])
      .where('adId', '=', adId)
      .executeTakeFirstOrThrow();
    return { views: Number(row.views), overGoal: Number(row.overGoal) };
  }

  async function countingConnections(): Promise<number> {
    const { rows } = await sql`
      select from pg_stat_activity
        where application_name = 'openslot counting' and datname = current_database()`.execute(ctx.db);
    return rows.length;
  }

  /** With the role of the servers, because only it may end their connections. */
  async function cutCountingConnections(): Promise<void> {
    const db = createDatabase(createPool(database.url, 1));
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'openslot counting' and datname = current_database()`.execute(db);
    await db.destroy();
  }

  it.runIf(run)(
    'servers that start and end share the partitions evenly, as openslot_partitions_owned says',
    async () => {
      const first = await startServer();
      expect(await owned(first)).toEqual([PARTITIONS]);
      const second = await startServer();
      await until('two servers own eight each', async () => await isShared(first, second));
      const third = await startServer();
      await until('three servers share', async () => await isShared(first, second, third));
      await third.process.stop('SIGTERM');
      await until('two servers share again', async () => await isShared(first, second));
      await second.process.stop('SIGKILL');
      await until('one server owns everything', async () => (await owned(first))[0] === PARTITIONS);
      expect(await countingConnections()).toBe(1);
    },
  );

  // Proves RUN-04
  it.runIf(run)(
    'a server that is stopped is replaced, and all acknowledged views count once and up to the goal',
    async () => {
      const goal = 12;
      const first = await startServer();
      const second = await startServer();
      await until('two servers share', async () => await isShared(first, second));
      const ads = await makeAds(goal);
      const acknowledged = new Map(ads.map(({ id }) => [id, 0]));
      const sent: { ad: (typeof ads)[number]; view: string }[] = [];
      const send = async (server: Server, ad: (typeof ads)[number]) => {
        const view = mint(ad);
        sent.push({ ad, view });
        if ((await report(server, view)) === 204) acknowledged.set(ad.id, acknowledged.get(ad.id)! + 1);
      };
      for (let round = 0; round < 4; round++)
        await Promise.all(ads.flatMap((ad) => [send(first, ad), send(second, ad)]));
      // In the middle of its work, so that it may hold rows locked or messages fetched.
      const during = Promise.all(ads.flatMap((ad) => [send(first, ad), send(second, ad)]));
      first.process.child.kill('SIGSTOP');
      await during;
      await Promise.all(ads.map(async (ad) => await send(second, ad)));
      await until('the other server owns everything', async () => {
        return (await owned(second))[0] === PARTITIONS;
      });
      await until('all acknowledged views are counted', async () => {
        const sums = await Promise.all(ads.map(async ({ id }) => await stored(id)));
        return ads.every(
          ({ id }, index) => sums[index]!.views + sums[index]!.overGoal >= acknowledged.get(id)!,
        );
      });

      first.process.child.kill('SIGCONT');
      await until('two servers share again', async () => await isShared(first, second));
      // Report every view again, each to the other server, also those that were not acknowledged.
      const again = await Promise.all(
        sent.map(async ({ view }, index) => await report(index % 2 === 0 ? second : first, view)),
      );
      expect(new Set(again)).toEqual(new Set([204]));
      const all = sent.length / ads.length;
      await until('all views are counted', async () => {
        const sums = await Promise.all(ads.map(async ({ id }) => await stored(id)));
        return sums.every(({ views, overGoal }) => views + overGoal >= all);
      });
      for (const { id } of ads) {
        expect(await stored(id)).toEqual({ views: Math.min(all, goal), overGoal: Math.max(0, all - goal) });
        expect((await adRow(ctx, id)).totalImpressions).toBe(Math.min(all, goal));
      }
    },
  );

  // Proves RUN-04
  it.runIf(run)('a server that loses its counting connection loses and repeats no view', async () => {
    const first = await startServer();
    const second = await startServer();
    await until('two servers share', async () => await isShared(first, second));
    const ads = await makeAds(1000);
    const sent: { ad: (typeof ads)[number]; view: string; isAcknowledged: boolean }[] = [];
    for (let round = 0; round < 6; round++) {
      const views = ads.flatMap((ad) => [first, second].map((server) => ({ ad, server, view: mint(ad) })));
      const reporting = views.map(async ({ ad, server, view }) => {
        sent.push({ ad, view, isAcknowledged: (await report(server, view)) === 204 });
      });
      await cutCountingConnections();
      await Promise.all(reporting);
    }
    const acknowledged = (id: number) =>
      sent.filter(({ ad, isAcknowledged }) => ad.id === id && isAcknowledged).length;
    const totals = async () => await Promise.all(ads.map(async ({ id }) => (await stored(id)).views));
    await until('all acknowledged views are counted', async () =>
      (await totals()).every((views, index) => views >= acknowledged(ads[index]!.id)),
    );
    for (const [index, views] of (await totals()).entries()) {
      const ad = ads[index]!;
      expect(views).toBeLessThanOrEqual(sent.filter((each) => each.ad.id === ad.id).length);
      expect((await adRow(ctx, ad.id)).totalImpressions).toBe(views);
    }
    await until('two servers share again', async () => await isShared(first, second));
  });

  it.runIf(run)(
    'EVENT_PARTITIONS is stored by the first start, cannot shrink, and grows only while nothing runs and nothing waits',
    async () => {
      const refusal = async (partitions: number) => {
        const { process: child } = await spawn(partitions);
        expect(await child.ended).toBe(1);
        return child.output();
      };
      const running = await startServer();
      expect(await refusal(8)).toMatch(
        /Openslot did not start\.\nEVENT_PARTITIONS is 8, but .*16 partitions/,
      );
      expect(await refusal(32)).toMatch(/EVENT_PARTITIONS is 32, but other servers .*16 partitions/);
      await running.process.stop('SIGTERM');
      servers = [];
      expect(await refusal(8)).toMatch(/EVENT_PARTITIONS is 8, but .*16 partitions/);

      if (nats) {
        const { connection, jsm } = await openStream(nats.url);
        await jsm.jetstream().publish(subjectOfPartition(3), 'not counted yet');
        await connection.close();
      } else
        await ctx.db
          .insertInto('handedEvents')
          .values({ partition: 3, content: 'not counted yet' })
          .execute();
      expect(await refusal(32)).toMatch(
        /EVENT_PARTITIONS is 32, but events in 16 partitions are not counted yet/,
      );
      // A server with the stored number works off what waits.
      const worker = await startServer();
      await until('nothing waits', async () => {
        if (!nats) {
          const rows = await ctx.db.selectFrom('handedEvents').select('refused').execute();
          return rows.every(({ refused }) => refused !== null);
        }
        const { connection, jsm } = await openStream(nats.url);
        const { messages } = (await jsm.streams.info(STREAM)).state;
        await connection.close();
        return messages === 0;
      });
      await worker.process.stop('SIGTERM');
      servers = [];
      const grown = await startServer(32);
      expect(await owned(grown)).toEqual([32]);
      expect(await ctx.db.selectFrom('eventPartitions').select('partitions').execute()).toEqual([
        { partitions: 32 },
      ]);
    },
  );
});
