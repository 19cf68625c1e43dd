/** The hourly figures: count_events and createHourlyCounts write them, and the forecast reads them. */
import { expect, it } from 'vitest';
import { makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { createForecasts } from './forecasts.ts';
import { createStyles } from './fragments.ts';
import { loadZones } from './load.ts';
import { createSnapshot } from './snapshot.ts';
import { createHourlyCounts } from '../event-log/hourly-counts.ts';

const server = useOwnAdServer();

async function hoursOf(zoneId: number) {
  const rows = await server.ctx.db
    .selectFrom('deliveryHourly')
    .select(['hour', 'kind', 'reason', 'n'])
    .where('zoneId', '=', zoneId)
    .orderBy('hour')
    .orderBy('kind')
    .execute();
  return rows.map(({ hour, kind, reason, n }) => [hour.toISOString(), `${kind} ${reason}`.trim(), n]);
}

// Proves GEN-19
it('counts decisions, views and clicks in the hour in which they happen', async () => {
  server.clock.set(new Date('2027-03-14T09:58:00Z'));
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId, { amount: 5 });
  await server.app.refreshDelivery();
  const [first, second] = [await server.decide(zone), await server.decide(zone)];
  server.clock.set(new Date('2027-03-14T09:59:30Z'));
  expect(await server.view(first.view)).toBe(204);
  server.clock.set(new Date('2027-03-14T10:00:00Z'));
  expect(await server.view(second.view)).toBe(204);
  expect((await server.click(second.click)).status).toBe(302);
  await server.decide(zone);
  await server.app.flushDelivery();
  expect(await hoursOf(zoneId)).toEqual([
    ['2027-03-14T09:00:00.000Z', 'decision', 2],
    ['2027-03-14T09:00:00.000Z', 'view', 1],
    ['2027-03-14T10:00:00.000Z', 'click', 1],
    ['2027-03-14T10:00:00.000Z', 'decision', 1],
    ['2027-03-14T10:00:00.000Z', 'view', 1],
  ]);
});

// Proves GEN-19
it('adds up the counts of two servers for each hour', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const counts = [createHourlyCounts(server.ctx.db), createHourlyCounts(server.ctx.db)];
  const hours = [Date.parse('2027-03-14T22:00:00Z'), Date.parse('2027-03-14T23:00:00Z')] as const;
  const key = { adId: null, zoneId, kind: 'decision', reason: '' } as const;
  for (const hourlyCounts of counts) {
    hourlyCounts.add({ ...key, hourMs: hours[1] }, 2);
    hourlyCounts.add({ ...key, hourMs: hours[0] });
    hourlyCounts.add({ ...key, hourMs: hours[0] });
  }
  await Promise.all(counts.map((hourlyCounts) => hourlyCounts.flush()));
  expect(await hoursOf(zoneId)).toEqual([
    ['2027-03-14T22:00:00.000Z', 'decision', 4],
    ['2027-03-14T23:00:00.000Z', 'decision', 4],
  ]);
});

// Proves DEL-18
it('starts a zone with its publisher’s figure, then uses the forecast of whole days and renews it daily', async () => {
  server.clock.set(new Date('2027-04-10T15:00:00Z'));
  const { zoneId, zone } = await makeSiteWithZone(server.ctx, { monthlyVisitors: 300 });
  const ad = await makeRunningAd(server.ctx, zoneId);
  const row = { adId: ad.id, zoneId, kind: 'view', reason: '' } as const;
  await server.ctx.db
    .insertInto('deliveryHourly')
    .values([
      { ...row, hour: new Date('2027-04-07T23:00:00Z'), n: 500 },
      { ...row, hour: new Date('2027-04-08T00:00:00Z'), n: 40 },
      { ...row, hour: new Date('2027-04-09T22:00:00Z'), n: 60 },
      { ...row, hour: new Date('2027-04-09T23:00:00Z'), n: 20 },
      { ...row, hour: new Date('2027-04-09T23:00:00Z'), n: 100, kind: 'decision', adId: null },
      { ...row, hour: new Date('2027-04-09T23:00:00Z'), n: 7000, reason: 'bot' },
      { ...row, hour: new Date('2027-04-09T23:00:00Z'), n: 7000, kind: 'click' },
      { ...row, hour: new Date('2027-04-10T00:00:00Z'), n: 9000 },
    ])
    .execute();
  const snapshot = createSnapshot();
  const forecasts = createForecasts(server.ctx, snapshot);
  const forecast = () => snapshot.zone(zone)?.forecastPerDay;
  snapshot.replace([zoneId], await loadZones(server.ctx, [zoneId], createStyles()));
  expect(forecast()).toBe(10);
  forecasts.update();
  await forecasts.idle();
  // The median of 500, 40, and 130: 80 views plus half of the 100 decisions without an ad.
  expect(forecast()).toBe(130);
  // The zone is reloaded when an ad starts or ends. It keeps its forecast.
  snapshot.replace([zoneId], await loadZones(server.ctx, [zoneId], createStyles()));
  expect(forecast()).toBe(130);
  forecasts.update();
  await forecasts.idle();
  expect(forecast()).toBe(130);
  server.clock.set(new Date('2027-04-11T00:00:05Z'));
  forecasts.update();
  await forecasts.idle();
  expect(forecast()).toBe((130 + 500) / 2);
});
