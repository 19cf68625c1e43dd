/** The events of a cell's counts are with the cell, so the archive of the marketplace does not compare them with its own. */
import { expect, it } from 'vitest';
import { hourOf, utcDay } from '#domain/time.ts';
import { addCell, assignPublisher, removeCell } from '../cells/marketplace/manage.ts';
import { addZone, makeRunningAd } from '../testing/delivery.ts';
import { useOwnAdServer } from '../testing/starts/use-server.ts';
import { makeUser, SITE } from '../testing/delivery/running-ads.ts';
import { sumsOfCounters } from './store.ts';

const server = useOwnAdServer();

// Proves WARD-100
it('compares no hour of a cell, also after the cell was removed', async () => {
  const { ctx } = server;
  const { db } = ctx;
  const userId = await makeUser(ctx);
  const name = 'north';
  await db.transaction().execute(async (tx) => {
    await addCell(ctx, tx, { name, deliveryUrl: 'https://north.example' });
    await assignPublisher(tx, { userId, cellName: name });
  });
  const { id: websiteId } = await db
    .insertInto('websites')
    .values({ userId, name: 'The Daily', url: SITE, category: 'Technology' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { zoneId } = await addZone(ctx, websiteId);
  const { id: adId } = await makeRunningAd(ctx, zoneId, { pricingModel: 'per_impression', amount: 100 });
  const at = ctx.now();
  const hour = new Date(hourOf(at.getTime()));
  await db
    .insertInto('deliveryHourly')
    .values({ adId, zoneId, hour, kind: 'view', reason: '', n: 4 })
    .execute();
  const compared = async () => [...(await sumsOfCounters(db, utcDay(hour)))];
  expect(await compared()).toEqual([]);

  await db
    .updateTable('ads')
    .set({ status: 'completed', endedReason: 'canceled', endDate: at })
    .where('id', '=', adId)
    .execute();
  await db.updateTable('adZones').set({ isActive: false, deletedAt: at }).where('id', '=', zoneId).execute();
  await db.transaction().execute(async (tx) => await removeCell(tx, { name, isLost: true }));
  expect(await compared()).toEqual([]);
});
