/** The counting report: counted and uncounted views and clicks, the same for both sides of an ad. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { CountingBucket } from '#domain/analytics/contract.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { hourOf, utcDay } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { addressOf, chooseTimezone, type Query } from '#server/testing/figures.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useOwnAdServer();

const DAY = { from: '2026-03-03', to: '2026-03-03', step: 'day' };
const UNMEASURED = { clicks: 0, landings: 0 };
const NONE = { counted: 0, uncounted: [] };

async function countingOf(client: Client, query: Query): Promise<CountingBucket[]> {
  const answer = await client.get(addressOf('counting', query));
  expect(answer.status).toBe(200);
  return (answer.body as { buckets: CountingBucket[] }).buckets;
}

async function pair() {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  return { seller, buyer, ...(await makeLiveAd(seller, buyer, { product: { duration: 60 } })) };
}

const hour = (at: Date) => new Date(hourOf(at.getTime())).toISOString();

async function write(ad: Ad, at: string, kind: string, reason: string, n: number): Promise<void> {
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
    values (${at}::timestamptz, ${ad.id}, ${ad.adZoneId}, ${kind}, ${reason}, ${n})`.execute(server.ctx.db);
}

describe('the counting report', () => {
  // Proves DEL-39, GEN-19
  it('shows each view and click as counted or with a reason, the same to both sides', async () => {
    const { seller, buyer, zone, ad } = await pair();
    await server.app.refreshDelivery();
    const decide = async () => await server.decide(zone.publicId);
    const [tooFast, clicked, again] = [await decide(), await decide(), await decide()];
    const [rendered, viewedLater] = [await decide(), await decide()];
    await server.view(tooFast.view);
    // Both ads are reported as rendered. Only the second one is viewed later.
    for (const { view } of [rendered, viewedLater])
      await server.caller.send('POST', `${new URL(view).pathname}?rendered`);
    server.clock.advance(2000);
    for (let time = 0; time < 2; time++) await server.view(clicked.view);
    await server.view(viewedLater.view);
    await server.click(clicked.click);
    await server.click(again.click);
    await server.app.flushDelivery();
    await write(ad, hour(server.clock.now()), 'view', 'data_center', 6);
    await write(ad, hour(server.clock.now()), 'view', 'activity', 2);

    const today = utcDay(server.clock.now());
    const days = { from: today, to: today, step: 'day' };
    const reports = [
      await countingOf(buyer, { side: 'buyer', ...days }),
      await countingOf(seller, { side: 'seller', ...days }),
    ];
    expect(reports[0]).toEqual([
      {
        start: today,
        decisions: 5,
        // Eleven were reported as viewable, and one only as rendered.
        rendered: 12,
        views: {
          counted: 2,
          uncounted: [
            { reason: 'too_fast', count: 1 },
            { reason: 'duplicate', count: 1 },
            { reason: 'data_center', count: 6 },
            { reason: 'activity', count: 2 },
          ],
        },
        clicks: { counted: 1, uncounted: [{ reason: 'frequency', count: 1 }] },
        landings: UNMEASURED,
      },
    ]);
    expect(reports[1]).toEqual(reports[0]);
    // All other figures show only counted events.
    const series = (await buyer.get(addressOf('series', { side: 'buyer', ...days }))).body.buckets;
    expect(series).toMatchObject([{ impressions: 2, clicks: 1 }]);
    expect((await buyer.get(`/api/ads/${ad.id}/details`)).body).toMatchObject({ totalImpressions: 2 });
  });

  // Proves DEL-39
  it('groups by day or week of the user’s timezone, including empty ones', async () => {
    const { buyer, ad } = await pair();
    await chooseTimezone(buyer, 'Asia/Tokyo');
    // 15:00 UTC is midnight in Tokyo.
    await write(ad, '2026-03-03T14:00:00Z', 'view', 'bot', 3);
    await write(ad, '2026-03-03T15:00:00Z', 'view', 'bot', 5);
    await write(ad, '2026-03-03T15:00:00Z', 'view', '', 7);
    await write(ad, '2026-03-03T16:00:00Z', 'decision', '', 10);
    await write(ad, '2026-03-03T16:00:00Z', 'decision', 'bot', 2);
    const query = { side: 'buyer', from: '2026-03-02', to: '2026-03-05' };
    expect(await countingOf(buyer, { ...query, step: 'day' })).toEqual([
      { start: '2026-03-02', decisions: 0, rendered: 0, views: NONE, clicks: NONE, landings: UNMEASURED },
      {
        start: '2026-03-03',
        decisions: 0,
        rendered: 3,
        views: { counted: 0, uncounted: [{ reason: 'bot', count: 3 }] },
        clicks: NONE,
        landings: UNMEASURED,
      },
      {
        start: '2026-03-04',
        decisions: 12,
        rendered: 12,
        views: { counted: 7, uncounted: [{ reason: 'bot', count: 5 }] },
        clicks: NONE,
        landings: UNMEASURED,
      },
      { start: '2026-03-05', decisions: 0, rendered: 0, views: NONE, clicks: NONE, landings: UNMEASURED },
    ]);
    const [week, ...more] = await countingOf(buyer, { ...query, step: 'week' });
    expect([week?.start, week?.views.uncounted, more]).toEqual([
      '2026-03-02',
      [{ reason: 'bot', count: 8 }],
      [],
    ]);
  });

  // Proves DEL-39
  it('filters by the user’s own campaign, zone or website, and answers 404 for another user’s', async () => {
    const { seller, buyer, ad, zone, website } = await pair();
    const stranger = await pair();
    await write(ad, '2026-03-03T10:00:00Z', 'view', 'wrong_site', 4);
    await write(stranger.ad, '2026-03-03T10:00:00Z', 'view', 'wrong_site', 100);
    const filters = { campaign: ad.publicId, zone: zone.publicId, website: website.publicId };
    for (const [side, owner] of [
      ['buyer', buyer],
      ['seller', seller],
    ] as const) {
      for (const [name, publicId] of Object.entries(filters)) {
        const query = { side, ...DAY, [name]: publicId };
        const [day] = await countingOf(owner, query);
        expect(day?.views.uncounted).toEqual([{ reason: 'wrong_site', count: 4 }]);
        const foreign = await stranger[side].get(addressOf('counting', query));
        expect(foreign.status).toBe(404);
      }
    }
    // The publisher of an ad is not its advertiser, so their buyer side is empty.
    expect(await countingOf(seller, { side: 'buyer', ...DAY })).toMatchObject([{ views: NONE }]);
    expect((await server.anyone().get(addressOf('counting', { side: 'buyer', ...DAY }))).status).toBe(401);
  });

  // Proves DEL-39
  it.each([
    [{ side: 'buyer', ...DAY, to: '2026-03-02' }],
    [{ side: 'nobody', ...DAY }],
    [{ side: 'buyer', ...DAY, from: 'soon' }],
    [{ side: 'buyer', ...DAY, to: '2027-12-31' }],
  ])('answers 400 to %j', async (query: Query) => {
    const caller = await server.signIn('buyer');
    expect((await caller.get(addressOf('counting', query))).status).toBe(400);
  });
});
