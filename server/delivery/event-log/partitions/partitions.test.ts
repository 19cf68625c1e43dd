import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import { adRow, makeRunningAd, makeSiteWithZone } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { ensureEventPartitions } from './partitions.ts';

const server = useOwnAdServer();
beforeAll(() => {
  // The database drops only days that are old by its own clock.
  server.clock.advance(-50 * DAY_MS);
});

/** A transaction that reads all events, as a backup does. */
async function openReader(): Promise<pg.Client> {
  const reader = new pg.Client({ connectionString: server.databaseUrl });
  await reader.connect();
  await reader.query('begin isolation level repeatable read; select count(*) from ad_events');
  return reader;
}

const nameOf = (day: Date) => `ad_events_${utcDay(day).replaceAll('-', '')}`;

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'ad_events'::regclass and not inhdetachpending`.execute(server.ctx.db);
  return rows.map(({ name }) => name);
}

const exists = async (name: string) =>
  (await server.app.pool.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]))
    .rows[0]!.found;

/** Reports views of new decisions until `work` has ended, and a few more. Returns the statuses of the answers. */
async function viewsDuring(zone: string, work: () => Promise<unknown>): Promise<number[]> {
  let ended = false;
  const done = work().finally(() => (ended = true));
  const statuses: number[] = [];
  const views = async () => {
    do {
      const batch = await Promise.all(Array.from({ length: 5 }, async () => await server.decide(zone)));
      server.clock.advance(2000);
      statuses.push(...(await Promise.all(batch.map(async ({ view }) => await server.view(view)))));
    } while (!ended && !statuses.includes(503));
  };
  try {
    await views();
    await views();
  } finally {
    await reader?.end();
    reader = undefined;
    await done;
  }
  return statuses;
}
let reader: pg.Client | undefined;

it('counts all views while a partition is made, and while one is dropped, beside a long reader', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, { amount: 100 });
  await server.app.refreshDelivery();
  await ensureEventPartitions(server.ctx);
  const old = nameOf(server.clock.now());

  server.clock.advance(DAY_MS);
  const ahead = nameOf(later(server.clock.now(), 7 * DAY_MS));
  expect(await partitions()).not.toContain(ahead);
  reader = await openReader();
  let madeBesideReader = false;
  const making = await viewsDuring(zone, async () => {
    await ensureEventPartitions(server.ctx);
    madeBesideReader = reader !== undefined && (await partitions()).includes(ahead);
  });
  expect(new Set(making)).toEqual(new Set([204]));
  expect(madeBesideReader).toBe(true);

  server.clock.advance(36 * DAY_MS);
  await sql`select ensure_event_partition(${utcDay(server.clock.now())}::date)`.execute(server.ctx.db);
  await server.app.refreshDelivery();
  reader = await openReader();
  let keptBesideReader = false;
  const dropping = await viewsDuring(zone, async () => {
    await ensureEventPartitions(server.ctx);
    keptBesideReader = reader !== undefined && (await exists(old));
  });
  expect(new Set(dropping)).toEqual(new Set([204]));
  expect(keptBesideReader).toBe(true);

  // The reader is gone, so the next run finishes what the last one began.
  expect(await ensureEventPartitions(server.ctx)).toBeGreaterThan(0);
  expect(await exists(old)).toBe(false);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({
    totalImpressions: making.length + dropping.length,
  });
});

it('keeps the days of EVENTS_KEPT_DAYS before today, and drops the one before them', async () => {
  const kept = async (eventsKeptDays: number) => {
    const config = { ...server.ctx.config, eventsKeptDays };
    await ensureEventPartitions({ ...server.ctx, config, realNow: () => new Date() });
    return await Promise.all(days.map((day) => exists(nameOf(day))));
  };
  const daysAgo = (days: number) => later(new Date(), -days * DAY_MS);
  const days = [daysAgo(6), daysAgo(5)];
  for (const day of days)
    await sql`select ensure_event_partition(${utcDay(day)}::date)`.execute(server.ctx.db);
  expect(await kept(server.ctx.config.eventsKeptDays)).toEqual([true, true]);
  expect(await kept(5)).toEqual([false, true]);
});

it('lets a later migration replace a rule of the attached partitions', async () => {
  await ensureEventPartitions(server.ctx);
  await sql`alter table ad_events drop constraint ad_events_kind_known`.execute(server.owner);
  await sql`alter table ad_events add constraint ad_events_kind_known
    check (kind in ('view', 'click', 'rendered', 'heard'))`.execute(server.owner);
  const { rows } = await sql<{ rule: string }>`
    select distinct pg_get_constraintdef(oid) as rule from pg_constraint
      where conname = 'ad_events_kind_known'`.execute(server.ctx.db);
  expect(rows).toEqual([{ rule: expect.stringContaining('heard') }]);
});
