/** Old days of events take less room, and lose nothing. */
import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import { adRow, makeRunningAd, makeSiteWithZone } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { directLog } from '#server/testing/delivery/counting.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import { packEvents } from './pack-events.ts';
import { encode } from '../sharing/message.ts';
import { dropOldDays, ensureEventPartitions } from './partitions.ts';
import { countBlocks, dropPacked, findDays, packBlocks } from './store-partitions.ts';

const server = useOwnAdServer();
let today: Date;
beforeEach(async () => {
  today = new Date();
  server.clock.set(today);
  await sql`delete from packed_events`.execute(server.owner);
  await sql`delete from handed_events`.execute(server.owner);
  for (const day of await findDays(server.owner))
    await sql`drop table if exists ${sql.table(nameOf(day))}`.execute(server.owner);
  await ensureEventPartitions(server.ctx);
});

const daysAgo = (days: number) => utcDay(later(today, -days * DAY_MS));
const nameOf = (day: string) => `ad_events_${day.replaceAll('-', '')}`;
const run = async () => await packEvents({ ...server.ctx, realNow: () => new Date() });

async function hasPartition(day: string): Promise<boolean> {
  const { rows } = await server.app.pool.query<{ found: boolean }>(
    'select to_regclass($1) is not null as found',
    [nameOf(day)],
  );
  return rows[0]!.found;
}

/** Every column of all events that are kept. */
async function keptEvents() {
  return await server.ctx.db
    .selectFrom('keptEvents')
    .selectAll()
    .orderBy('decisionId')
    .orderBy('kind')
    .execute();
}

const packedRows = async () =>
  (await sql<{ n: number }>`select count(*)::integer as n from packed_events`.execute(server.owner)).rows[0]!
    .n;

/** Counts views, clicks, rendered and filtered events of two ads on these days, and events shortly before midnight. */
async function countEvents(agoDays: readonly number[], each = 3): Promise<void> {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  server.clock.set(later(today, -50 * DAY_MS));
  const ads = [
    (await makeRunningAd(server.ctx, zoneId, { amount: 90 })).id,
    (await makeRunningAd(server.ctx, zoneId, { amount: 90 })).id,
  ];
  const log = directLog(server);
  for (const ago of agoDays) {
    const began = new Date(`${daysAgo(ago)}T00:00:00Z`).getTime();
    const at = (ms: number) => server.clock.set(new Date(began + ms));
    at(123);
    const views = Array.from({ length: each }, (_, index) =>
      newEvent(server, { adId: ads[index % 2]!, zoneId, creative: index % 3 }),
    );
    at(DAY_MS / 2);
    await log.append(views.map((view) => ({ ...view, kind: 'rendered' as const })));
    await log.append([...views, { ...views[0]!, kind: 'click' }]);
    await log.append([newEvent(server, { adId: ads[0]!, zoneId, reason: 'bot' })]);
    at(DAY_MS - 5001);
    const late = newEvent(server, { adId: ads[1]!, zoneId });
    at(DAY_MS + 20_001);
    await log.append([late]);
  }
  await log.stop();
  server.clock.set(today);
}

// Proves SCALE-86
it('packs the days older than three, with every column of every event as it was, and leaves the others', async () => {
  await countEvents([6, 5, 4, 3, 0]);
  const before = await keptEvents();
  expect(before).toHaveLength(45);
  expect(await run()).toBe(27);
  expect(await keptEvents()).toEqual(before);
  const left = await Promise.all([6, 5, 4, 3, 0].map(async (ago) => await hasPartition(daysAgo(ago))));
  expect(left).toEqual([false, false, false, true, true]);
  expect(await findDays(server.ctx.db)).toEqual(expect.arrayContaining([6, 5, 4, 3, 0].map(daysAgo)));
  expect(await run()).toBe(0);
});

it('keeps a packed view and its rendered ad in 60 bytes', async () => {
  const day = daysAgo(10);
  await sql`select ensure_event_partition(${day}::date)`.execute(server.owner);
  const views = 30_000;
  const ads = 40;
  // Decision ids as they are made: nine random bytes and the place in a run.
  await sql`
    insert into ad_events (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at)
      select ${day}::date, decode(substr(md5(n::text), 1, 18) || '00000' || n % 4, 'hex'), kind, n % ${ads}::integer + 1, 1, at, at + interval '1 s'
        from generate_series(1, ${views}::integer) n
        cross join lateral (select ${day}::date::timestamp at time zone 'utc' + n * interval '2 s 7 ms' as at) as times
        cross join (values ('rendered'), ('view')) as kinds (kind)`.execute(server.owner);
  const sizeOf = async (table: string) => {
    const { rows } = await sql<{ bytes: number }>`
      select pg_total_relation_size(to_regclass(${table}))::float8 as bytes`.execute(server.owner);
    return rows[0]!.bytes;
  };
  const rowsSize = await sizeOf(nameOf(day));
  const before = await sizeOf('packed_events');
  expect(await run()).toBe(2 * views);
  const bytes = ((await sizeOf('packed_events')) - before) / views;
  expect(bytes).toBeLessThanOrEqual(60);
  expect(rowsSize / views).toBeGreaterThan(4 * bytes);
});

describe('a run that is stopped, or not alone', () => {
  // Proves SCALE-86
  it('goes on where another one stopped', async () => {
    await countEvents([6, 5]);
    const before = await keptEvents();
    const day = daysAgo(6);
    const blocks = await countBlocks(server.ctx.db, day);
    expect(blocks).toBeGreaterThan(0);
    // What is not packed keeps its partition, whoever asks for its end.
    await dropPacked(server.ctx.db, day, utcDay(today));
    expect(await keptEvents()).toEqual(before);
    await packBlocks(server.ctx.db, day, { today: utcDay(today), first: 0, next: blocks });
    expect(await hasPartition(day)).toBe(true);
    expect(await keptEvents()).toEqual(before);
    expect(await run()).toBe(9);
    expect([await keptEvents(), await hasPartition(day)]).toEqual([before, false]);
  });

  // Proves SCALE-86
  it('moves each event once when two run at the same time', async () => {
    await countEvents([6, 5, 4], 20);
    const before = await keptEvents();
    const moved = await Promise.all([run(), run(), run()]);
    expect(moved.reduce((sum, each) => sum + each)).toBe(before.length);
    expect(await keptEvents()).toEqual(before);
  });

  // Proves SCALE-86
  it('packs an event that comes after its day was packed', async () => {
    await countEvents([6]);
    await run();
    const before = await keptEvents();
    await countEvents([6]);
    expect(await hasPartition(daysAgo(6))).toBe(true);
    const all = await keptEvents();
    expect(all).toHaveLength(2 * before.length);
    await run();
    expect([await keptEvents(), await hasPartition(daysAgo(6))]).toEqual([all, false]);
  });

  // Proves SCALE-86
  it('counts an event of a packed day, also on a server that knew its partition when it was new', async () => {
    const { zoneId } = await makeSiteWithZone(server.ctx);
    server.clock.set(later(today, -50 * DAY_MS));
    const { id: adId } = await makeRunningAd(server.ctx, zoneId, { amount: 90 });
    server.clock.set(later(today, -6 * DAY_MS));
    const log = directLog(server);
    vi.useFakeTimers({ now: server.clock.now(), toFake: ['Date'] });
    try {
      await log.append([newEvent(server, { adId, zoneId })]);
    } finally {
      vi.useRealTimers();
    }
    for (const views of [1, 2, 3]) {
      expect(await run()).toBe(1);
      expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: views });
      await log.append([newEvent(server, { adId, zoneId })]);
    }
    await log.stop();
  });

  // Proves SCALE-86
  it('packs nothing while events wait that were received more than a day ago', async () => {
    await countEvents([6]);
    const waiting = async (receivedAtMs: number) => {
      await sql`delete from handed_events`.execute(server.owner);
      await sql`insert into handed_events (partition, content)
        values (1, 'damaged'), (2, ${encode({ receivedAtMs, events: [] })})`.execute(server.owner);
    };
    await waiting(Date.now() - DAY_MS - 60_000);
    expect(await run()).toBe(0);
    await waiting(Date.now() - DAY_MS + 60_000);
    expect(await run()).toBe(9);
  });

  // Proves SCALE-86
  it('waits for nobody who reads a packed partition', async () => {
    await countEvents([6]);
    const reader = new pg.Client({ connectionString: server.databaseUrl });
    await reader.connect();
    try {
      await reader.query('begin; select count(*) from ad_events');
      expect(await run()).toBe(9);
      expect(await hasPartition(daysAgo(6))).toBe(true);
      // A vacuum would be another one that keeps it.
      const { rows } = await sql<{ options: string[] | null }>`
        select reloptions as options from pg_class where relname = ${nameOf(daysAgo(6))}`.execute(
        server.owner,
      );
      expect(rows).toEqual([{ options: ['autovacuum_enabled=false'] }]);
    } finally {
      await reader.end();
    }
    await expect.poll(async () => [await run(), await hasPartition(daysAgo(6))]).toEqual([0, false]);
  });
});

it('drops a packed day as any other', async () => {
  await countEvents([45, 44, 43]);
  const realNow = () => new Date();
  await run();
  // One of them has an event that came late.
  await sql`select ensure_event_partition(${daysAgo(43)}::date)`.execute(server.ctx.db);
  expect(await dropOldDays({ ...server.ctx, realNow })).toEqual([daysAgo(45), daysAgo(44), daysAgo(43)]);
  expect([await packedRows(), await hasPartition(daysAgo(43))]).toEqual([0, false]);
});

it('packs none of the last three days, whatever a server says about today, and no server changes what is packed', async () => {
  await countEvents([4, 3]);
  expect(await packBlocks(server.ctx.db, daysAgo(3), { today: '2100-01-01', first: 0, next: 100 })).toBe(0);
  expect(await packBlocks(server.ctx.db, daysAgo(4), { today: daysAgo(0), first: 0, next: 100 })).toBe(9);
  for (const statement of [
    'delete from packed_events',
    'update packed_events set ad_id = 1',
    'insert into packed_events select * from packed_events',
    'delete from kept_events',
  ])
    await expect(server.app.pool.query(statement)).rejects.toThrow(
      /permission denied|cannot delete from view/,
    );
  expect(await packedRows()).toBeGreaterThan(0);
});
