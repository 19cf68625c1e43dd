/** Zones that are in memory of no server when they are asked for. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeLiveAd } from '#server/testing/story.ts';
import {
  addZone,
  BROWSER,
  makeRunningAd,
  makeSiteWithZone,
  SITE,
} from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { followChanges } from './changes/changes.ts';
import { createColdZones } from './cold-zones.ts';
import { createSnapshot } from './snapshot.ts';

const server = useOwnAdServer();

const kindOf = async (zone: string) => (await server.ask([zone]))[0]?.kind;

/** The memory of another server on the same database. `reads` has the names of each query. */
async function startMemory() {
  const snapshot = createSnapshot();
  const changes = followChanges(
    { ...server.ctx, config: { ...server.ctx.config, port: 1 } },
    { databaseUrl: server.databaseUrl, snapshot, recentlyServedAds: () => [] },
  );
  const reads: string[][] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const coldZones = createColdZones(snapshot, async (names) => {
    reads.push([...names]);
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    await changes.readNames(names).finally(() => (atOnce -= 1));
  });
  await changes.start();
  await changes.refresh();
  return { snapshot, changes, coldZones, reads, mostAtOnce: () => mostAtOnce };
}

describe('the memory of a server', () => {
  let memory: Awaited<ReturnType<typeof startMemory>>;
  beforeEach(async () => {
    memory = await startMemory();
  });
  afterEach(async () => await memory.changes.stop());

  it('has the zones with live ads, and reads another one once for all who ask at that moment', async () => {
    const { snapshot, coldZones, reads } = memory;
    const sold = await makeSiteWithZone(server.ctx);
    await makeRunningAd(server.ctx, sold.zoneId);
    const first = await makeSiteWithZone(server.ctx);
    const second = await addZone(server.ctx, first.websiteId);
    await memory.changes.refresh();
    expect(snapshot.zone(sold.zone)?.ads).toHaveLength(1);
    expect([snapshot.zone(first.zone), snapshot.zone(second.zone)]).toEqual([undefined, undefined]);

    const asking = Array.from({ length: 40 }, (_, at) =>
      coldZones.untilRead([sold.zone, at % 2 ? first.zone : second.zone.toUpperCase()]),
    );
    // These ask while the query is under way.
    await Promise.resolve();
    await Promise.resolve();
    asking.push(coldZones.untilRead([first.zone]), coldZones.untilRead([`${second.zone}~test`]));
    await Promise.all(asking.map(async (each) => await each));
    await expect.poll(() => snapshot.zone(second.zone)?.id).toBe(second.zoneId);
    expect(reads.map((names) => names.toSorted())).toEqual([[first.zone, second.zone].toSorted()]);
    expect([snapshot.zone(first.zone)?.id, snapshot.zone(second.zone)?.id]).toEqual([
      first.zoneId,
      second.zoneId,
    ]);
    expect(coldZones.untilRead([first.zone, second.zone])).toBe(null);
  });

  it('serves the ads of a zone that is asked for before all live ads are read', async () => {
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    await makeRunningAd(server.ctx, zoneId);
    const starting = createSnapshot();
    const changes = followChanges(server.ctx, {
      databaseUrl: server.databaseUrl,
      snapshot: starting,
      recentlyServedAds: () => [],
    });
    await createColdZones(starting, changes.readNames).untilRead([zone]);
    expect(starting.zone(zone)?.ads).toHaveLength(1);
    expect([changes.isLoaded(), memory.changes.isLoaded()]).toEqual([false, true]);
  });

  it('does not ask the database again for an unknown name, and never for what is no name of a zone', async () => {
    const { coldZones, reads, snapshot } = memory;
    const unknown = randomUUID();
    await coldZones.untilRead([unknown]);
    await expect.poll(() => snapshot.isUnknown(unknown)).toBe(true);
    const asked = [
      unknown,
      unknown.toUpperCase(),
      `${unknown}~test`,
      'demo~test',
      '',
      '~',
      "'; drop table users; --",
      unknown.replace('-', '_'),
      `${unknown}a`,
      'x'.repeat(2000),
    ];
    for (const each of asked) expect([each, coldZones.untilRead([each])]).toEqual([each, null]);
    expect(reads).toEqual([[unknown]]);
  });

  it('reads at most 500 names by one query at a time, and lets the names beyond that go unread', async () => {
    const { coldZones, reads, snapshot, mostAtOnce } = memory;
    const invented = Array.from({ length: 20_000 }, () => randomUUID());
    const first = invented.slice(0, 500).map((name) => coldZones.untilRead([name]));
    await Promise.resolve();
    await Promise.resolve();
    const rest = invented.slice(500).map((name) => coldZones.untilRead([name]));
    expect(rest.filter((each) => each !== null)).toHaveLength(500);
    expect(first.filter((each) => each !== null)).toHaveLength(500);
    await expect.poll(() => snapshot.sizes().unknown).toBe(1000);
    expect(reads.map((names) => names.length)).toEqual([500, 500]);
    expect(mostAtOnce()).toBe(1);
  });

  it('lets nobody wait for a query that hangs already', async () => {
    const { coldZones, snapshot } = memory;
    const [first, second] = [await makeSiteWithZone(server.ctx), await makeSiteWithZone(server.ctx)];
    await server.owner.transaction().execute(async (tx) => {
      await sql`lock table ad_zones in access exclusive mode`.execute(tx);
      await coldZones.untilRead([first.zone]);
      expect(snapshot.zone(first.zone)).toBe(undefined);
      await expect.poll(() => coldZones.untilRead([first.zone, second.zone]) === null).toBe(true);
    });
    await expect.poll(() => snapshot.zone(first.zone)?.id).toBe(first.zoneId);
    await coldZones.untilRead([second.zone]);
    expect(snapshot.zone(second.zone)?.id).toBe(second.zoneId);
  });

  it('learns within a second that a name exists, and that a zone without an ad is paused or has another price', async () => {
    const { coldZones, snapshot } = memory;
    const { websiteId } = await makeSiteWithZone(server.ctx);
    const name = randomUUID();
    await coldZones.untilRead([name]);
    expect(snapshot.isUnknown(name)).toBe(true);
    const { id } = await server.ctx.db
      .insertInto('adZones')
      .values({ websiteId, publicId: name, name: 'New', width: 300, height: 250, zoneType: 'rectangle' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await expect.poll(() => snapshot.isUnknown(name)).toBe(false);
    await coldZones.untilRead([name]);
    const before = snapshot.zone(name);
    expect(before?.id).toBe(id);
    await server.ctx.db
      .insertInto('adZoneProducts')
      .values({ adZoneId: id, adType: 'text', price: '10.00', pricingModel: 'per_day', duration: 7 })
      .execute();
    await expect.poll(() => snapshot.zone(name)?.house.before).toContain('$10');
    await server.ctx.db.updateTable('adZones').set({ isActive: false }).where('id', '=', id).execute();
    await expect.poll(() => snapshot.zone(name)).toBe(undefined);
    await coldZones.untilRead([name]);
    expect(snapshot.isUnknown(name)).toBe(true);
  });

  it('reads a zone after a change that was read at the same moment, whichever comes first', async () => {
    const { changes, coldZones, snapshot } = memory;
    for (let round = 0; round < 20; round++) {
      const { zone, zoneId } = await makeSiteWithZone(server.ctx);
      const isActive = round % 2 === 0;
      if (isActive)
        await server.ctx.db
          .updateTable('adZones')
          .set({ isActive: false })
          .where('id', '=', zoneId)
          .execute();
      await Promise.all([
        server.ctx.db.updateTable('adZones').set({ isActive }).where('id', '=', zoneId).execute(),
        coldZones.untilRead([zone]),
        changes.refresh(),
      ]);
      await changes.refresh();
      await coldZones.untilRead([zone]);
      expect([round, snapshot.zone(zone) !== undefined]).toEqual([round, isActive]);
    }
  });
});

it('shows the first ad of a zone, its last one, a pause and a deletion without a restart', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  expect(await kindOf(zone)).toBe('house');
  const { id } = await makeRunningAd(server.ctx, zoneId);
  await expect.poll(() => kindOf(zone)).toBe('text');
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', id).execute();
  await expect.poll(() => kindOf(zone)).toBe('house');
  const set = (values: { isActive: boolean; deletedAt?: Date }) =>
    server.ctx.db.updateTable('adZones').set(values).where('id', '=', zoneId).execute();
  await set({ isActive: false });
  await expect.poll(() => kindOf(zone)).toBe('none');
  await set({ isActive: true });
  await expect.poll(() => kindOf(zone)).toBe('house');
  await set({ isActive: false, deletedAt: server.clock.now() });
  await expect.poll(() => kindOf(zone)).toBe('none');
});

it('answers every kind of request for a zone that is not in memory', async () => {
  const zones = await Promise.all(Array.from({ length: 7 }, () => makeSiteWithZone(server.ctx)));
  const [alone, one, two, shouted, framed, tested, played] = zones.map(({ zone }) => zone) as [
    string,
    ...string[],
  ];
  expect((await server.ask([alone])).map(({ kind }) => kind)).toEqual(['house']);
  const several = await server.ask([one!, randomUUID(), two!, shouted!.toUpperCase()]);
  expect(several.map(({ kind }) => kind)).toEqual(['house', 'none', 'house', 'house']);
  // Only the document for the zone's own site holds a proof.
  const frame = await server.caller.get(`/z/${framed}`, { referer: `${SITE}/`, 'sec-fetch-dest': 'iframe' });
  expect(frame.text).toContain(`zone="${framed}~`);
  expect(await kindOf(`${tested}~test`)).toBe('house');
  const video = await server.caller.get(`/api/serve/vast/${played}`, { origin: SITE, 'user-agent': BROWSER });
  expect(video.text).toContain('<VAST');
  await server.app.flushDelivery();
  const decisions = await server.ctx.db
    .selectFrom('deliveryHourly')
    .select('n')
    .where('zoneId', '=', zones[6]!.zoneId)
    .where('kind', '=', 'decision')
    .executeTakeFirst();
  expect(decisions).toEqual({ n: 1 });
});

it('notes that a page loaded the script of a zone that is not in memory', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  expect((await server.caller.get(`/api/serve/zone/${zone}`)).status).toBe(200);
  const loads = async () => {
    await server.app.flushDelivery();
    return await server.ctx.db.selectFrom('tagLoads').select('n').where('zoneId', '=', zoneId).execute();
  };
  await expect.poll(loads).toEqual([{ n: 1 }]);
});

it('tells the publisher what a zone that is not in memory would show', async () => {
  const seller = await server.signIn('seller');
  const { zone } = await makeLiveAd(seller, await server.signIn('buyer'));
  await sql`update ads set status = 'completed' where ad_zone_id = ${zone.id}`.execute(server.ctx.db);
  await server.app.refreshDelivery();
  const answer = await seller.get(`/api/ad-zones/${zone.publicId}/showing`);
  expect([answer.status, answer.body]).toMatchObject([200, { rule: null, houseShare: 1 }]);
});

it('answers a zone in memory at once while the database hangs, and another one without an ad after a second', async () => {
  const known = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, known.zoneId);
  const cold = await makeSiteWithZone(server.ctx);
  await expect.poll(() => kindOf(known.zone)).toBe('text');
  await server.owner.transaction().execute(async (tx) => {
    await sql`lock table ad_zones in access exclusive mode`.execute(tx);
    const waiting = server.ask([cold.zone]);
    expect(await kindOf(known.zone)).toBe('text');
    expect((await waiting)[0]?.kind).toBe('none');
    expect(await kindOf(cold.zone)).toBe('none');
    expect(await kindOf(known.zone)).toBe('text');
  });
  await expect.poll(() => kindOf(cold.zone)).toBe('house');
});
