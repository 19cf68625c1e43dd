/**
 * Does two nights' work on a database that has grown for a year, while views are counted: one night at a stretch, and one
 * whose work is stopped again and again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from '../../server/testing/database/fill.ts';
import { headersOf } from '../../server/testing/delivery/browsers.ts';
import { SITE } from '../../server/testing/delivery/running-ads.ts';
import type { Row } from './delivery.ts';
import { DAYS_KEPT } from './growth-sizes.ts';
import type { GrowthReady } from './growth-server.ts';
import { start, stop } from './process.ts';

export type GrowthSizes = { events: number; sales: number; websites: number };
/** The size of a large marketplace. It needs about 60 GB and hours to fill. */
export const FULL_SIZES: GrowthSizes = { events: 100_000_000, sales: 10_000, websites: 1_000_000 };

/** Ad requests and views a second, as many of each. */
const RATE = 50;
/** How long the server is measured without other work. */
const QUIET_MS = 20_000;
/** The stream has views for this long. */
const MAX_STREAM_MS = 30 * 60_000;
/** How often the work of the second night is stopped. */
const STOPS = 4;
const GOALS = { nightMinutes: 10, longestMs: 1000, p99: 3 };

export async function measureGrowth(folder: string, sizes: GrowthSizes): Promise<Row[]> {
  const views = (MAX_STREAM_MS / 1000) * RATE;
  const dataDir = path.join(folder, 'server');
  const archive = path.join(folder, 'archive');
  mkdirSync(archive, { recursive: true });
  const fillFrom = performance.now();
  const { child, ready } = await start(
    'growth-server.ts',
    dataDir,
    ...[...Object.values(sizes), views].map(String),
  );
  const target = ready as GrowthReady;
  console.log(
    `  ${count(target.eventsOfDay)} events a day, ${count(target.hours)} rows of hours, ${count(sizes.sales)} ads, ${count(sizes.websites)} websites, filled in ${Math.round((performance.now() - fillFrom) / 1000)} s`,
  );
  const work = (daysKept: number) => startWork(dataDir, target.databaseUrl, archive, daysKept);
  const since = new Date();
  const stream = startStream(target);
  try {
    const before = await sumsOf(target);
    await pause(QUIET_MS);
    const quiet = stream.take();
    const pieces = await ended(work(DAYS_KEPT[0]));
    const busy = stream.take();
    const afterNight = await sumsOf(target);
    // Two days were packed. The first of them is dropped by now, but its room is not given back.
    const packedBytes = (await sizeOfPacked(target)) / (2 * target.eventsOfDay);

    await addLateHours(target);
    const lateBefore = await sumsOf(target);
    // Stops at moments that are spread over a night as long as the first.
    const nightMs = pieces.reduce((sum, { ms }) => sum + ms, 0);
    for (let at = 1; at <= STOPS; at += 1) {
      const stopped = work(DAYS_KEPT[1]);
      await Promise.race([pause((nightMs * at) / (STOPS + 1)), once(stopped.child, 'exit')]);
      stopped.child.kill('SIGTERM');
      await stopped.exit;
    }
    await ended(work(DAYS_KEPT[1]));
    const afterStops = await sumsOf(target);
    const acknowledged = await stream.stop();
    const left = await readLeft(target, since);
    const minutes = nightMs / 60_000;
    const rows: Row[] = [
      ...pieces.map(({ piece, ms }) => ({ what: piece, value: ms / 1000, unit: 's', goal: '' })),
      row('tables and indexes of a packed event', packedBytes, 'B'),
      row('a night’s work', minutes, 'min', { atMost: GOALS.nightMinutes }),
      row('99th percentile of answers meanwhile ÷ without', busy.p99Ms / quiet.p99Ms, '', {
        atMost: GOALS.p99,
      }),
      row('longest answer without', quiet.longestMs, 'ms'),
      row('longest answer meanwhile', busy.longestMs, 'ms', { atMost: GOALS.longestMs }),
      row('longest answer meanwhile ÷ without', busy.longestMs / quiet.longestMs, ''),
      row('acknowledged views', acknowledged, ''),
      row('acknowledged views that are lost or repeated', acknowledged - left.views, '', { exactly: 0 }),
      row('archived events that are missing or surplus', 2 * target.eventsOfDay - left.archived, '', {
        exactly: 0,
      }),
      row('days that stay in the database', left.oldDays, '', { exactly: 0 }),
      row('rows of hours of folded days above one a day', left.unfolded, '', { exactly: 0 }),
      row('sums that differ after the night (1 or 0)', Number(before !== afterNight), '', { exactly: 0 }),
      row(`sums that differ after ${STOPS} stops (1 or 0)`, Number(lateBefore !== afterStops), '', {
        exactly: 0,
      }),
    ];
    if (failed) process.exitCode = 1;
    return rows.map((each) => ({ ...each, what: `growth: ${each.what}` }));
  } finally {
    await stream.stop();
    await stop(child);
  }
}

let failed = false;
function row(
  what: string,
  value: number,
  unit: string,
  goal: { atMost?: number; exactly?: number } = {},
): Row {
  const { atMost, exactly } = goal;
  if ((atMost !== undefined && !(value <= atMost)) || (exactly !== undefined && value !== exactly))
    failed = true;
  const text = atMost !== undefined ? `≤ ${count(atMost)}` : exactly !== undefined ? String(exactly) : '';
  return { what, value, unit, goal: text };
}

type Piece = { piece: string; ms: number };
type Work = { child: ChildProcess; exit: Promise<{ code: number | null; pieces: Piece[] }> };

function startWork(dataDir: string, databaseUrl: string, archive: string, daysKept: number): Work {
  const program = path.join(import.meta.dirname, 'growth-work.ts');
  const child = spawn(process.execPath, [program, dataDir, databaseUrl, archive, String(daysKept)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exit = once(child, 'close').then(([code]: unknown[]) => ({
    code: code as number | null,
    pieces: text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Piece),
  }));
  return { child, exit };
}

async function ended({ exit }: Work): Promise<Piece[]> {
  const { code, pieces } = await exit;
  if (code !== 0) throw new Error(`growth-work.ts ended with ${code}`);
  return pieces;
}

type Answers = { p99Ms: number; longestMs: number };

/** Asks for ads and reports views at a fixed rate. An answer is late from the moment at which its request was due. */
function startStream({ port, zone, views }: GrowthReady) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const underWay = new Set<Promise<void>>();
  const from = performance.now();
  let latencies: number[] = [];
  let acknowledged = 0;
  let sent = 0;

  async function send(method: 'GET' | 'POST', address: string, dueAt: number, index: number): Promise<void> {
    const status = await new Promise<number>((resolve, reject) => {
      const headers = {
        ...headersOf('Chrome on Windows', 'fetch'),
        origin: SITE,
        'x-forwarded-for': `100.${64 + ((index >> 8) % 64)}.${index % 256}.9`,
      };
      const request = http.request({ agent, port, host: '127.0.0.1', method, path: address, headers });
      request.on('error', reject);
      request.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      request.end();
    });
    latencies.push(performance.now() - dueAt);
    if (method === 'POST' && status === 204) acknowledged += 1;
    else if (method === 'POST' || status !== 200)
      throw new Error(`The server answered ${status} to ${address}`);
  }
  let error: Error | undefined;
  const timer = setInterval(() => {
    const wanted = ((performance.now() - from) / 1000) * RATE;
    for (; sent < wanted && sent < views.length; sent += 1) {
      const dueAt = from + (sent / RATE) * 1000;
      for (const sending of [
        send('GET', `/api/serve/ads?z=${zone}`, dueAt, sent),
        send('POST', views[sent]!, dueAt, sent),
      ]) {
        const settled: Promise<void> = sending
          .catch((reason: unknown) => {
            error ??= reason instanceof Error ? reason : new Error(String(reason));
          })
          .then(() => void underWay.delete(settled));
        underWay.add(settled);
      }
    }
  }, 5);
  return {
    /** The answers since the last call. */
    take: (): Answers => {
      if (error !== undefined) throw error;
      const sorted = latencies.toSorted((a, b) => a - b);
      latencies = [];
      return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN, longestMs: sorted.at(-1) ?? NaN };
    },
    /** Ends, and returns how many views were acknowledged. */
    stop: async (): Promise<number> => {
      clearInterval(timer);
      while (underWay.size > 0) await Promise.all(underWay);
      agent.destroy();
      if (error !== undefined) throw error;
      return acknowledged;
    },
  };
}

/** The sum of each day, ad, kind and reason, of the ads that are not shown meanwhile, as one hash. */
async function sumsOf({ ownerUrl, adIds }: GrowthReady): Promise<string> {
  return await withDatabase(ownerUrl, async (client) => {
    const { rows } = await client.query<{ hash: string }>(
      `select md5(string_agg(md5(sums::text), '' order by day, ad_id, kind, reason)) as hash
        from (select (hour at time zone 'utc')::date as day, ad_id, kind, reason, sum(n) as n
          from delivery_hourly where ad_id <> all($1) group by 1, 2, 3, 4) as sums`,
      [adIds],
    );
    return rows[0]!.hash;
  });
}

/** For the second night: a folded day has hours again, and is due. */
async function addLateHours({ ownerUrl, adIds }: GrowthReady): Promise<void> {
  await withDatabase(ownerUrl, async (client) => {
    const { rows } = await client.query<{ day: Date }>(
      `update job_hours set hour = hour - interval '1 day' where name = 'fold-hours' returning hour as day`,
    );
    await client.query(
      `insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
        select $1::timestamptz + h * interval '1 hour', id, ad_zone_id, 'view', 3 from generate_series(1, 23) h, ads where id <> all($2)`,
      [rows[0]!.day, adIds],
    );
  });
}

async function sizeOfPacked({ ownerUrl }: GrowthReady): Promise<number> {
  return await withDatabase(ownerUrl, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_total_relation_size('packed_events') as bytes`,
    );
    return Number(rows[0]!.bytes);
  });
}

async function readLeft({ ownerUrl, adIds }: GrowthReady, since: Date) {
  return await withDatabase(ownerUrl, async (client) => {
    const { rows } = await client.query<Record<'views' | 'archived' | 'oldDays' | 'unfolded', string>>(
      `select (select count(*) from ad_events where ad_id = any($1) and kind = 'view' and counted_at >= $2) as views,
          (select sum(rows) from archived_days where error is null and differences = 0) as archived,
          (select count(*) from archived_days a where exists (select from kept_events where issued_on = a.day)) as "oldDays",
          (select count(*) - count(distinct (ad_id, (hour at time zone 'utc')::date)) from delivery_hourly
            where hour < (select hour from job_hours where name = 'fold-hours')) as unfolded`,
      [adIds, since],
    );
    const { views, archived, oldDays, unfolded } = rows[0]!;
    return {
      views: Number(views),
      archived: Number(archived),
      oldDays: Number(oldDays),
      unfolded: Number(unfolded),
    };
  });
}

const count = (value: number) => value.toLocaleString('en-US');
