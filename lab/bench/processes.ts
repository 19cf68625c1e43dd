/**
 * Measures what an event costs when four servers on one database count instead of one, and how often their connections wait
 * for a row that another one has locked: with one ad that all visitors see, and with twenty ads of twenty publishers. Four
 * processes on few cores disturb each other whatever they do, so it also measures what a decision costs, which counts
 * nothing and shares nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { renderProof } from '../../domain/delivery/render-proof.ts';
import { DAY_MS } from '../../domain/time.ts';
import { createDatabase, createPool } from '../../server/platform/database/database.ts';
import { freePort } from '../../server/platform/database/embedded/process.ts';
import { PARTITION_LOCKS } from '../../server/delivery/event-log/sharing/ownership.ts';
import { createTokens, subjectOf } from '../../server/delivery/tokens/tokens.ts';
import { pageOf } from '../../server/delivery/traffic/traffic.ts';
import { withDatabase } from '../../server/testing/database/fill.ts';
import {
  makeRunningAd,
  makeSiteWithZone,
  SITE,
  type Tables,
} from '../../server/testing/delivery/running-ads.ts';
import { ready, type ServerProcess, spawnServer } from '../../server/testing/server-process.ts';
import { type BenchDatabase, openBenchDatabase } from './app.ts';
import type { Row } from './delivery.ts';
import { median } from './median.ts';
import { load } from './wrk.ts';

const FLEET = 4;
const PARTITIONS = 16;
const ROUNDS = 3;
const SECONDS = 4;
/** Each server answers so many views before it is measured, so that four have compiled their code as far as one has. */
const WARM_UP_VIEWS = 15_000;
const CLIENTS_PER_SERVER = 256;
/** More views than the clients can send in a second. Of four servers, one may get twice as many as the others. */
const MAX_PER_SECOND = 16_000;
const SAMPLE_MS = 5;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;
/** The age of the tokens: old enough that a view isn't too early, and young enough that it isn't too late. */
const AGE_MS = 5000;
const UNREACHABLE = 1_000_000_000;
/** The caps of the traffic rules grow with the views of a day, so the load is usual for zones with such a past. */
const USUAL_VIEWS_PER_DAY = 500_000_000;
const MAX_CPU_RATIO = 1.15;
const MAX_WAITS_PERCENT = 2;

type Ad = { adId: number; zoneId: number; zone: string };
type Server = { url: string; process: ServerProcess };
/** The processor time for an event in microseconds, of all servers and of the database. `waits`: percent of busy samples. */
type Sample = { servers: number; database: number; waits: number; rate: number };
type Crowd = { name: string; ads: Ad[] };

export async function measureProcesses(dataDir: string): Promise<Row[]> {
  const bench = await openBenchDatabase(dataDir);
  const db = createDatabase(createPool(bench.ownerUrl, 2));
  try {
    const ctx = { db, now: () => new Date() };
    const crowds: Crowd[] = [
      { name: 'one ad', ads: await makeAds(ctx, 1) },
      { name: 'twenty ads', ads: await makeAds(ctx, 20) },
    ];
    const samples = new Map<string, Sample[]>();
    const decisions = new Map<number, number[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const count of round % 2 === 0 ? [1, FLEET] : [FLEET, 1]) {
        const servers = await startServers(bench, count);
        try {
          const all = crowds.flatMap(({ ads }) => ads);
          for (let sent = 0; sent < count * WARM_UP_VIEWS;)
            sent += (await send(bench, servers, all, SECONDS)).rate * SECONDS;
          for (const crowd of crowds) {
            const sample = await send(bench, servers, crowd.ads, SECONDS);
            samples.set(keyOf(crowd, count), [...(samples.get(keyOf(crowd, count)) ?? []), sample]);
            console.log(
              `  round ${round + 1}, servers: ${count}, ${crowd.name}: ${sample.servers.toFixed(1)} µs of the servers and ` +
                `${sample.database.toFixed(1)} µs of the database for an event, ${sample.waits.toFixed(1)} % of busy ` +
                `samples wait for a lock, ${Math.round(sample.rate)} views/s`,
            );
          }
          const { zone } = crowds[1]!.ads[0]!;
          await decide(bench, servers, zone);
          const decision = await decide(bench, servers, zone);
          decisions.set(count, [...(decisions.get(count) ?? []), decision]);
          console.log(
            `  round ${round + 1}, servers: ${count}: ${decision.toFixed(1)} µs of the servers for a decision`,
          );
        } finally {
          await Promise.all(servers.map(async (server) => await server.process.stop('SIGTERM')));
        }
      }
    }
    await expectCounted(bench);
    return [
      ...crowds.flatMap((crowd) => rowsOf(crowd, samples)),
      {
        what: 'CPU of the servers per decision, four processes ÷ one',
        value: median(decisions.get(FLEET)!.map((fleet, round) => fleet / decisions.get(1)![round]!)),
        goal: '',
        unit: '',
      },
    ];
  } finally {
    await db.destroy();
    await bench.close();
  }
}

const keyOf = ({ name }: Crowd, count: number) => `${name}, ${count}`;

const cpuOf = ({ servers, database }: Sample) => servers + database;

function rowsOf(crowd: Crowd, samples: Map<string, Sample[]>): Row[] {
  const one = samples.get(keyOf(crowd, 1))!;
  const fleet = samples.get(keyOf(crowd, FLEET))!;
  const cpu = median(fleet.map((sample, round) => cpuOf(sample) / cpuOf(one[round]!)));
  const waits = median(fleet.map((sample) => sample.waits));
  if (cpu > MAX_CPU_RATIO || waits > MAX_WAITS_PERCENT) process.exitCode = 1;
  return [
    {
      what: `CPU per event, four processes ÷ one, ${crowd.name}`,
      value: cpu,
      goal: `≤ ${MAX_CPU_RATIO}`,
      unit: '',
    },
    {
      what: `lock waits of busy samples, four processes, ${crowd.name}`,
      value: waits,
      goal: `≤ ${MAX_WAITS_PERCENT}`,
      unit: '%',
    },
  ];
}

/** Ads of as many publishers. They are past their first weeks, so they have no ceiling. */
async function makeAds(ctx: Tables, count: number): Promise<Ad[]> {
  const ads: Ad[] = [];
  for (let each = 0; each < count; each += 1) {
    const { websiteId, zoneId, zone } = await makeSiteWithZone(ctx, { url: SITE });
    const { id } = await makeRunningAd(ctx, zoneId, { pricingModel: 'per_impression', amount: UNREACHABLE });
    const { userId } = await ctx.db
      .selectFrom('websites')
      .select('userId')
      .where('id', '=', websiteId)
      .executeTakeFirstOrThrow();
    const days = Array.from({ length: 28 }, (_, ago) => new Date(ctx.now().getTime() - (ago + 1) * DAY_MS));
    await ctx.db
      .insertInto('publisherDays')
      .values({ userId, date: ctx.now().toISOString().slice(0, 10) })
      .execute();
    await ctx.db
      .insertInto('deliveryHourly')
      .values(
        days.map((day) => ({
          hour: new Date(day.setUTCHours(12, 0, 0, 0)),
          adId: id,
          zoneId,
          kind: 'view' as const,
          reason: '' as const,
          n: USUAL_VIEWS_PER_DAY,
        })),
      )
      .execute();
    ads.push({ adId: id, zoneId, zone });
  }
  return ads;
}

async function startServers(bench: BenchDatabase, count: number): Promise<Server[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const port = await freePort();
      const child = spawnServer({
        PORT: String(port),
        PUBLIC_URL: 'http://ads.example',
        SMTP_URL: 'smtp://127.0.0.1:9',
        DATA_DIR: bench.config.dataDir,
        DATABASE_URL: bench.databaseUrl,
        DATABASE_OWNER_URL: bench.ownerUrl,
        SESSION_SECRET: bench.sessionSecret,
        SAMPLE_DATA: '0',
        TRAFFIC_RULES: 'production',
        RATE_LIMIT_FACTOR: '1000000',
        TRUSTED_PROXIES: '127.0.0.1',
        EVENT_PARTITIONS: String(PARTITIONS),
      });
      return { url: `http://127.0.0.1:${port}`, process: child };
    }),
  );
  await Promise.all(servers.map(async ({ process: child, url }) => await ready(child, url)));
  await withDatabase(bench.ownerUrl, async (client) => {
    while (!(await isShared(client, count))) await pause(200);
  });
  // The snapshots read the usual views of the zones after the start.
  await pause(3000);
  return servers;
}

async function isShared(client: pg.Client, count: number): Promise<boolean> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::integer as n from pg_locks
      where locktype = 'advisory' and classid = $1 and granted and mode = 'ExclusiveLock' group by pid`,
    [PARTITION_LOCKS],
  );
  const owned = rows.map(({ n }) => n);
  const sum = owned.reduce((total, n) => total + n, 0);
  return owned.length === count && sum === PARTITIONS && Math.max(...owned) - Math.min(...owned) <= 1;
}

/** Sends views to all servers at once, and waits until they are counted. */
async function send(
  bench: BenchDatabase,
  servers: readonly Server[],
  ads: readonly Ad[],
  seconds: number,
): Promise<Sample> {
  const folder = bench.config.dataDir;
  const tokens = (seconds * MAX_PER_SECOND) / Math.min(2, servers.length);
  const sides = servers.map(({ url }, index) => {
    const paths = path.join(folder, `views-${index}.txt`);
    writeFileSync(paths, views(bench.sessionSecret, ads, tokens).join('\n'));
    return { url, paths, folder, connections: CLIENTS_PER_SERVER };
  });
  // With the role of the servers, because others do not see what its connections wait for.
  return await withDatabase(bench.databaseUrl, async (client) => {
    const { rows } = await client.query<{ own: number }>('select pg_backend_pid() as own');
    const { own } = rows[0]!;
    const database = Number(statOf(own)[1]);
    const cpu = () => ({
      servers: cpuMs(servers.map(({ process: { child } }) => child.pid!)),
      database: cpuMs([database, ...childrenOf(database).filter((pid) => pid !== own)]),
    });
    const before = cpu();
    const ended = Promise.allSettled(sides.map(async (side) => await load(side, seconds)));
    const waits = await percentWaiting(client, ended);
    const loads = (await ended).map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
    while (await isWaiting(client)) await pause(20);
    const after = cpu();
    const answers = loads.reduce((sum, each) => sum + each.answers, 0);
    const perEvent = (part: 'servers' | 'database') => ((after[part] - before[part]) * 1000) / answers;
    return {
      servers: perEvent('servers'),
      database: perEvent('database'),
      waits,
      rate: loads.reduce((sum, { rate }) => sum + rate, 0),
    };
  });
}

/** Asks all servers at once for ads. Returns the processor time of the servers for a decision in microseconds. */
async function decide(bench: BenchDatabase, servers: readonly Server[], zone: string): Promise<number> {
  const pids = servers.map(({ process: { child } }) => child.pid!);
  const before = cpuMs(pids);
  const sides = servers.map(({ url }) => ({
    url: `${url}/api/serve/ads?z=${zone}`,
    folder: bench.config.dataDir,
    connections: CLIENTS_PER_SERVER,
  }));
  const loads = await Promise.all(sides.map(async (side) => await load(side, SECONDS)));
  return ((cpuMs(pids) - before) * 1000) / loads.reduce((sum, { answers }) => sum + answers, 0);
}

function views(secret: string, ads: readonly Ad[], count: number): string[] {
  const tokens = createTokens([secret]);
  const origin = pageOf(SITE).hash;
  const issuedAt = Date.now() - AGE_MS;
  return Array.from({ length: count }, (_, index) => {
    const subject = subjectOf({ ...ads[index % ads.length]!, video: false, creative: 0 });
    const { view } = tokens.issue({ subject, reason: null, origin }, issuedAt);
    return `/api/serve/view/${view}?${renderProof(view)}`;
  });
}

/** Looks at the connections that run a statement, until `ended` resolves. Returns the percentage that waits for a lock. */
async function percentWaiting(client: pg.Client, ended: Promise<unknown>): Promise<number> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  const sum = { busy: 0, waiting: 0 };
  while (!isOver) {
    const { rows } = await client.query<typeof sum>(
      `select count(*)::integer as busy, (count(*) filter (where wait_event_type = 'Lock'))::integer as waiting
        from pg_stat_activity
        where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
    );
    sum.busy += rows[0]!.busy;
    sum.waiting += rows[0]!.waiting;
    await pause(SAMPLE_MS);
  }
  if (sum.busy === 0) throw new Error('No connection of the servers was busy.');
  return (100 * sum.waiting) / sum.busy;
}

async function isWaiting(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ waits: boolean }>(
    'select exists (select from handed_events) as waits',
  );
  return rows[0]!.waits;
}

/** Throws if the traffic rules filtered more than a hundredth of the views, because such views cost less to count. */
async function expectCounted({ ownerUrl }: BenchDatabase): Promise<void> {
  await withDatabase(ownerUrl, async (client) => {
    const { rows } = await client.query<{ reason: string; n: number }>(
      `select coalesce(reason, 'counted') as reason, count(*)::integer as n from ad_events group by 1 order by 2 desc`,
    );
    const sum = rows.reduce((total, { n }) => total + n, 0);
    console.log(`  ${rows.map(({ reason, n }) => `${n} ${reason}`).join(', ')}`);
    if ((rows.find(({ reason }) => reason === 'counted')?.n ?? 0) < sum * 0.99)
      throw new Error('The traffic rules filtered more than a hundredth of the views.');
  });
}

/** The processor time that these processes and their ended children have used. */
function cpuMs(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => statOf(pid).slice(11, 15).map(Number));
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
}

/** The fields of the process after its name: its state, its parent, and so on (proc_pid_stat(5)). */
const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
