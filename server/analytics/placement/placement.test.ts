/** Both sides read a change of an ad zone's viewability, and get one mail about it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { mailTo } from '../../testing/mail.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { makeLiveAd } from '../../testing/story.ts';
import { tellPlacements } from './tell.ts';

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

// Proves RES-99
it('both sides get one mail about a change, at one hour of the day, unless they have turned it off', async () => {
  const start = Date.parse('2027-02-01T01:05:00Z');
  server.clock.set(new Date(start - 30 * DAY_MS));
  const [seller, buyer, quiet] = [
    await server.signIn('seller'),
    await server.signIn('buyer'),
    await server.signIn('seller'),
  ];
  const product = { pricingModel: 'per_impression', impressions: 1_000_000, duration: null, price: '100.00' };
  const live = await makeLiveAd(seller, buyer, { product, zone: { name: 'Top' } });
  const other = await makeLiveAd(quiet, buyer, { product, zone: { name: 'Quiet' } });
  await quiet.patch('/api/user/settings', { campaignUpdates: false });
  const note = async ({ ad, zone }: typeof live, daysAgo: number, kind: string, n: number) =>
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      values (date_trunc('hour', ${new Date(start - daysAgo * DAY_MS)}::timestamptz, 'utc'), ${ad.id}, ${zone.id}, ${kind}, ${n})`.execute(
      server.ctx.db,
    );
  for (const each of [live, other]) {
    await note(each, 20, 'view', 600);
    await note(each, 20, 'rendered', 400);
    await note(each, 3, 'view', 250);
    await note(each, 3, 'rendered', 750);
  }
  const mails = async (client: typeof seller) =>
    (await mailTo(server.ctx, client.user.email)).filter(({ kind }) => kind === 'placement-changed');
  server.clock.set(new Date(start + HOUR_MS));
  await tellPlacements(server.ctx);
  expect(await mails(seller)).toEqual([]);
  server.clock.set(new Date(start));
  await Promise.all([1, 2, 3].map(async () => await tellPlacements(server.ctx)));
  server.clock.set(new Date(start + DAY_MS));
  await tellPlacements(server.ctx);
  const [toPublisher, ...more] = await mails(seller);
  expect(more).toEqual([]);
  expect(toPublisher?.subject).toBe('The viewability of Top fell to 25.0%');
  expect(toPublisher?.text).toContain(`${server.url}/results`);
  expect(toPublisher?.text.replaceAll(/\s+/g, ' ')).toContain(
    '25.0% were viewable. In the 28 days before, it was 60.0%.',
  );
  const toAdvertiser = await mails(buyer);
  expect(toAdvertiser.map(({ subject }) => subject).toSorted()).toEqual([
    'The viewability of Quiet fell to 25.0%',
    'The viewability of Top fell to 25.0%',
  ]);
  expect(toAdvertiser.map(({ text }) => text).join('')).toContain(
    `${server.url}/campaigns/${live.ad.publicId}`,
  );
  expect(await mails(quiet)).toEqual([]);

  // 35 days later, another change is told again.
  const again = start + 35 * DAY_MS + 10 * MINUTE_MS;
  await note(live, -30, 'view', 100);
  await note(live, -30, 'rendered', 1400);
  await note(live, -10, 'view', 1000);
  server.clock.set(new Date(again));
  await tellPlacements(server.ctx);
  expect((await mails(seller)).map(({ subject }) => subject)).toEqual([
    'The viewability of Top fell to 25.0%',
    'The viewability of Top fell to 6.7%',
  ]);
});
