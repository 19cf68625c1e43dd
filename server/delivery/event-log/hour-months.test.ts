/** delivery_hourly lies in months: the upgrade of a table in use, new months, and queries that read one of them. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { DAY_MS, later } from '#domain/time.ts';
import { readMigrations, takeSteps } from '#server/db/migrate.ts';
import { adRow, makeRunningAd, makeSiteWithZone } from '#server/testing/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { directLog } from '#server/testing/delivery/counting.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import { planOf } from '#server/testing/database/query-plans.ts';
import { ensureEventPartitions } from './partitions.ts';

const fileOf = (end: string) => readMigrations().find(({ name }) => name.endsWith(end))!;
const FILE = fileOf('-hours-in-months.sql');
/** The views are made before the steps of FILE, and made to read all months by steps after them. */
const VIEWS = fileOf('-net-hours.sql');
const VIEW_STEPS = fileOf('-views-of-hours.sql');

const server = useOwnAdServer();

const months = async () => {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'delivery_hourly'::regclass
      order by 1`.execute(server.owner);
  return rows.map(({ name }) => name);
};
const monthOf = (day: Date) => `delivery_hourly_${day.toISOString().slice(0, 7).replace('-', '')}`;
const monthsFromNow = (n: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 15));
};
const insertAt = async (hour: Date, n = 1) =>
  await sql`insert into delivery_hourly as d (hour, zone_id, kind, n) values (${hour}, 1, 'decision', ${n})
    on conflict (ad_id, kind, reason, hour, zone_id) do update set n = d.n + excluded.n`.execute(
    server.ctx.db,
  );
const sumOf = async (table = 'delivery_hourly') =>
  (await sql<{ n: string }>`select sum(n) as n from ${sql.table(table)}`.execute(server.ctx.db)).rows[0]!.n;

/** The table as the release before made it, with a year of hours. */
async function undivide(): Promise<void> {
  await sql`
    drop view net_hours, judged_hours, counted_hours;
    alter table delivery_hourly detach partition delivery_hourly_before;
    drop table delivery_hourly;
    alter table delivery_hourly_before rename to delivery_hourly;
    alter table delivery_hourly rename constraint delivery_hourly_before_once to delivery_hourly_once;
    alter index delivery_hourly_before_zone rename to delivery_hourly_zone;
    alter index delivery_hourly_before_hour rename to delivery_hourly_hour;
    delete from applied_files where name in (${sql.lit(FILE.name)}, ${sql.lit(VIEW_STEPS.name)});
    delete from migrations where name = ${sql.lit(FILE.name)};
    ${sql.raw(VIEWS.sql)}
    insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      select date_trunc('hour', now() - make_interval(hours => n), 'utc'), 7, 7, 'view', 3 from generate_series(1, 8760) n`.execute(
    server.owner,
  );
  const { rows } = await sql<{ role: string }>`
    select substring(${server.databaseUrl} from '//([^:@]+)') as role`.execute(server.owner);
  await sql
    .raw(
      `grant select, insert, update, delete on delivery_hourly, judged_hours, net_hours, counted_hours to ${rows[0]!.role}`,
    )
    .execute(server.owner);
}

it('a table in use is divided without a lost or repeated count, also after a step that was stopped', async () => {
  await undivide();
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  let isOver = false;
  let counted = 0;
  const counting = (async () => {
    for (; !isOver; counted += 1) await insertAt(new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000));
  })();
  try {
    // The first step alone, as a killed start leaves it.
    await client.query(/do \$\$[\s\S]*?\$\$/.exec(FILE.sql)![0]);
    // A reader of the release before is under way.
    const reading = sql`select pg_sleep(1.5) from (select from delivery_hourly limit 1) as one`.execute(
      server.ctx.db,
    );
    await takeSteps(client, [FILE, VIEW_STEPS]);
    await reading;
    await pause(100);
  } finally {
    isOver = true;
    await counting;
    await client.end();
  }
  expect(counted).toBeGreaterThan(10);
  expect(await sumOf()).toBe(String(3 * 8760 + counted));
  expect(await months()).toEqual(['delivery_hourly_before', 'delivery_hourly_rest']);
});

it('months are made before they begin, and take the hours that came without one', async () => {
  const sum = Number(await sumOf());
  await insertAt(monthsFromNow(2), 5);
  await insertAt(monthsFromNow(9), 6);
  for (const view of ['judged_hours', 'net_hours', 'counted_hours'])
    expect(await sumOf(view)).toBe(String(sum + 11));
  await ensureEventPartitions(server.ctx);
  await ensureEventPartitions(server.ctx);
  const next = monthOf(monthsFromNow(2));
  expect(await months()).toEqual([next, 'delivery_hourly_before', 'delivery_hourly_rest'].toSorted());
  const { rows } = await sql<{ n: string }>`
    select sum(n) as n from ${sql.table(next)} union all select sum(n) from delivery_hourly_rest`.execute(
    server.owner,
  );
  expect(rows.map(({ n }) => n)).toEqual(['5', '6']);
  await insertAt(monthsFromNow(2), 5);
  expect(Number(await sumOf())).toBe(sum + 16);
  // A rehearsal has moved the clock.
  server.clock.set(monthsFromNow(8));
  await ensureEventPartitions(server.ctx);
  expect(await months()).toContain(monthOf(monthsFromNow(9)));
  expect(Number(await sumOf())).toBe(sum + 16);
  server.clock.set(new Date());
});

it('a month is not made while somebody reads all of them, and nobody waits for it', async () => {
  server.clock.set(monthsFromNow(20));
  await server.owner.transaction().execute(async (tx) => {
    await sql`select count(*) from delivery_hourly`.execute(tx);
    await ensureEventPartitions(server.ctx);
    await sql`set local lock_timeout = '1s'`.execute(tx);
    await sql`select count(*) from delivery_hourly`.execute(tx);
  });
  expect(await months()).not.toContain(monthOf(monthsFromNow(20)));
  await ensureEventPartitions(server.ctx);
  expect(await months()).toContain(monthOf(monthsFromNow(22)));
  server.clock.set(new Date());
});

it('a range of hours reads its months only, and a view is counted in its own', async () => {
  const from = later(monthsFromNow(2), -DAY_MS);
  const plan = await planOf(server.owner, async (tx) => {
    await sql`select sum(n) from delivery_hourly where hour >= ${from} and hour < ${later(from, DAY_MS)}`.execute(
      tx,
    );
  });
  expect(plan.map((node) => node['Relation Name']).filter(Boolean)).toEqual(['delivery_hourly']);
  const { rows } = await sql<Record<string, string>>`
    explain select sum(n) from delivery_hourly
      where hour >= ${sql.lit(from.toISOString())}::timestamptz and hour < ${sql.lit(later(from, DAY_MS).toISOString())}::timestamptz`.execute(
    server.owner,
  );
  const text = rows.map((row) => Object.values(row)[0]).join('\n');
  const read = text.match(/delivery_hourly_[a-z0-9]+/g);
  expect(new Set(read)).toEqual(new Set([monthOf(from)]));

  const { zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId);
  await directLog(server).append([newEvent(server, { adId: ad.id, zoneId })]);
  expect((await adRow(server.ctx, ad.id)).totalImpressions).toBe(1);
});
