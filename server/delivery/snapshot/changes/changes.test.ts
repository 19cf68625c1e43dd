import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { RELEASE } from '#server/platform/settings/release.ts';
import { makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { anotherInstance } from '#server/testing/starts/another-instance.ts';
import { untilTestEnds, useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { removeOldChanges } from './change-reader.ts';
import { MAX_CHANGES } from '../store.ts';

const server = useOwnAdServer();

const kindOf = async (zone: string) => (await server.ask([zone]))[0]?.kind;

// Proves DEL-08, STATE-05
it('applies a payment, a pause and a completion without a restart', async () => {
  const { zone, zoneId, websiteId } = await makeSiteWithZone(server.ctx);
  await expect.poll(() => kindOf(zone)).toBe('house');
  const { id } = await makeRunningAd(server.ctx, zoneId);
  await expect.poll(() => kindOf(zone)).toBe('text');

  const setZone = (isActive: boolean) =>
    server.ctx.db.updateTable('adZones').set({ isActive }).where('id', '=', zoneId).execute();
  await setZone(false);
  await expect.poll(() => kindOf(zone)).toBe('none');
  await setZone(true);
  await expect.poll(() => kindOf(zone)).toBe('text');

  const setSite = (isActive: boolean) =>
    server.ctx.db.updateTable('websites').set({ isActive }).where('id', '=', websiteId).execute();
  await setSite(false);
  await expect.poll(() => kindOf(zone)).toBe('none');
  await setSite(true);
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', id).execute();
  await expect.poll(() => kindOf(zone)).toBe('house');
});

// Proves DEL-08, STATE-05
it('applies a change without NOTIFY, after the listening connection was cut', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const client = await server.app.pool.connect();
  try {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'openslot on port %' and datname = current_database()`,
    );
    await makeRunningAd(server.ctx, zoneId);
  } finally {
    client.release();
  }
  await expect.poll(() => kindOf(zone)).toBe('text');
});

// Proves STATE-05
it('applies the changes of a transaction that began before the last update and committed after it', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId);
  await server.app.refreshDelivery();
  const client = await server.app.pool.connect();
  try {
    await client.query('begin');
    await client.query('update ad_zones set is_active = false where id = $1', [zoneId]);
    // The server applies later transactions while this one is still open.
    const other = await makeSiteWithZone(server.ctx);
    await server.app.refreshDelivery();
    expect(await kindOf(other.zone)).toBe('house');
    expect(await kindOf(zone)).toBe('text');
    await client.query('commit');
  } finally {
    client.release();
  }
  await server.app.refreshDelivery();
  expect(await kindOf(zone)).toBe('none');
});

// Proves STATE-05
it('applies all changes when more zones change at once than are read at once', async () => {
  await sql`select setval(pg_get_serial_sequence('ad_zones', 'id'), 100000)`.execute(server.owner);
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  expect(zoneId).toBeGreaterThan(3 * MAX_CHANGES);
  expect(await kindOf(zone)).toBe('house');
  await server.ctx.db.transaction().execute(async (tx) => {
    await sql`insert into delivery_changes (zone_id) select generate_series(1, ${3 * MAX_CHANGES})`.execute(
      tx,
    );
    await tx.updateTable('adZones').set({ isActive: false }).where('id', '=', zoneId).execute();
  });
  await server.app.refreshDelivery();
  expect(await kindOf(zone)).toBe('none');
});

it('a server has a row with its release while it runs', async () => {
  const rows = async () =>
    await server.ctx.db.selectFrom('servers').select(['server', 'release', 'seen']).execute();
  const other = await untilTestEnds(anotherInstance(server));
  const [first, second] = await rows();
  expect([first?.release, second?.release]).toEqual([RELEASE, RELEASE]);
  expect(first?.server).not.toBe(second?.server);
  const seen = first!.seen.getTime();
  await expect
    .poll(async () => (await rows()).find((row) => row.server === first!.server)?.seen.getTime() ?? 0)
    .toBeGreaterThan(seen);
  await other.close();
  expect(await rows()).toHaveLength(1);
});

it('removes changes of another cluster, which a restore by other tools brings, and keeps its own', async () => {
  const { ctx } = server;
  const { zoneId } = await makeSiteWithZone(ctx);
  await ctx.db
    .insertInto('deliveryChanges')
    .values([{ zoneId, xid: '4000000000' }, { zoneId: zoneId }])
    .execute();
  const xids = async () =>
    await ctx.db.selectFrom('deliveryChanges').select('xid').where('zoneId', '=', zoneId).execute();
  expect((await xids()).map(({ xid }) => xid)).toContain('4000000000');
  await removeOldChanges(ctx);
  const left = (await xids()).map(({ xid }) => xid);
  expect(left).not.toContain('4000000000');
  expect(left.length).toBeGreaterThan(0);
});

// This test must be the last one: for a minute after it, this server reserves as if the other were still running.
// Proves DEL-65
it('a server that starts is counted before any server serves an ad that is paid for after that', async () => {
  await untilTestEnds(anotherInstance(server));
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId, { pricingModel: 'per_impression', amount: 40 });
  await expect.poll(() => kindOf(zone)).toBe('text');
  let reserved = 1;
  while ((await kindOf(zone)) === 'text') reserved++;
  // One of two servers reserves at most a fourth of the goal. Alone, it would reserve all of it (decision 013).
  expect(reserved).toBe(10);
});
