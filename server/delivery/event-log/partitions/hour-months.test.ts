/** delivery_hourly lies in months: new months, and queries that read one of them. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS, later } from '#domain/time.ts';
import { adRow, makeRunningAd, makeSiteWithZone } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { directLog } from '#server/testing/delivery/counting.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import { planOf } from '#server/testing/database/query-plans.ts';
import { ensureEventPartitions } from './partitions.ts';

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

it('months are made before they begin, and take the hours that came without one', async () => {
  // The clock of a test server may be an hour ahead, and so in the next month.
  server.clock.set(new Date());
  await insertAt(monthsFromNow(-9), 7);
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
