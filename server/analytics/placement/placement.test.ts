/** Both sides read a change of an ad zone's viewability. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { makeLiveAd } from '../../testing/story.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ start: new Date('2026-08-10T12:00:00Z') });
});
afterAll(() => server.close());

// Proves RES-97
it('the publisher and the advertiser read the same change, and nobody else', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { zone, ad } = await makeLiveAd(seller, buyer, { product: { duration: 60 } });
  const note = async (hour: string, kind: string, n: number, reason = '') =>
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      values (${hour}::timestamptz, ${ad.id}, ${zone.id}, ${kind}, ${reason}, ${n})`.execute(server.ctx.db);
  const path = `/api/ads/${ad.publicId}/placement`;
  expect((await buyer.get(path)).body).toEqual({ recent: null, before: null, change: null });
  // 800 of 1,000 were viewable: the views, and what was rendered beside them.
  await note('2026-07-06T00:00:00Z', 'view', 700);
  await note('2026-08-02T23:00:00Z', 'view', 100, 'bot');
  await note('2026-08-02T23:00:00Z', 'rendered', 200);
  // Too old, or of today.
  await note('2026-07-05T23:00:00Z', 'rendered', 90_000);
  await note('2026-08-10T00:00:00Z', 'view', 90_000);
  await note('2026-08-03T00:00:00Z', 'view', 150);
  await note('2026-08-09T23:00:00Z', 'rendered', 460);
  await note('2026-08-09T23:00:00Z', 'rendered', 10, 'duplicate');
  const placement = { recent: 0.25, before: 0.8, change: 'fell' };
  expect((await buyer.get(path)).body).toEqual(placement);
  expect((await buyer.get(`/api/ads/${ad.id}/placement`)).body).toEqual(placement);
  expect((await seller.get('/api/analytics/placement-changes')).body).toEqual([
    { zone: zone.publicId, zoneName: 'Sidebar', websiteName: 'The Daily Slot', ...placement },
  ]);
  expect((await seller.get(path)).status).toBe(404);
  expect((await buyer.get('/api/analytics/placement-changes')).body).toEqual([]);
  // A day later the zone is as it was.
  await note('2026-08-10T01:00:00Z', 'rendered', 30_000);
  server.clock.set(new Date('2026-08-11T00:00:00Z'));
  expect((await seller.get('/api/analytics/placement-changes')).body).toEqual([]);
});
