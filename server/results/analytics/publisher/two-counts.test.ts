/** The page views that a publisher stores, beside our counts. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MAX_DAYS } from '#domain/analytics/page-views.ts';
import type { TwoCounts } from '#domain/analytics/two-counts-contract.ts';
import type { Client } from '#server/testing/client.ts';
import { chooseTimezone } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useOwnServer({ start: new Date('2026-06-10T12:00:00Z') });

const pathOf = (website: { publicId: string }) => `/api/websites/${website.publicId}/page-views`;
const store = (client: Client, website: { publicId: string }, days: unknown) =>
  client.put(pathOf(website), { days });

async function compared(
  client: Client,
  website: { publicId: string },
  days = 'from=2026-06-01&to=2026-06-03',
) {
  const answer = await client.get(`/api/analytics/two-counts?${days}&website=${website.publicId}`);
  expect(answer.status).toBe(200);
  return answer.body as TwoCounts;
}

async function note(zoneId: number, hour: string, n: number, reason = '') {
  await sql`insert into delivery_hourly (hour, zone_id, kind, reason, n)
    values (${hour}::timestamptz, ${zoneId}, 'decision', ${reason}, ${n})`.execute(server.ctx.db);
}

describe('two counts', () => {
  it('stand beside each other by day of the publisher’s time zone, for the busiest ad zone', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { website, zone, ad } = await makeLiveAd(seller, buyer);
    const footer = await makeZone(seller, website, { name: 'Footer' });
    expect(await compared(seller, website)).toEqual({
      timezone: 'UTC',
      dayStart: '00:00',
      zoneName: null,
      days: ['2026-06-01', '2026-06-02', '2026-06-03'].map((date) => ({
        date,
        pageViews: null,
        requests: 0,
      })),
      landings: { clicks: 0, landings: 0 },
      hasPageViews: false,
    });
    await note(zone.id, '2026-06-01T10:00:00Z', 90);
    await note(zone.id, '2026-06-02T22:00:00Z', 40);
    await note(zone.id, '2026-06-02T22:00:00Z', 500, 'bot');
    await note(footer.id, '2026-06-01T10:00:00Z', 30);
    await sql`insert into landing_hours (ad_id, hour, zone_id, clicks, landings)
      values (${ad.id}, '2026-06-02T22:00:00Z', ${zone.id}, 8, 6)`.execute(server.ctx.db);
    const stored = await store(seller, website, [
      { date: '2026-06-02', pageViews: 50 },
      { date: '2026-06-01', pageViews: 100 },
      { date: '2025-06-01', pageViews: 7 },
    ]);
    expect(stored.body).toEqual({ days: 3, from: '2025-06-01', to: '2026-06-02' });
    expect(await compared(seller, website)).toEqual({
      timezone: 'UTC',
      dayStart: '00:00',
      zoneName: 'Sidebar',
      days: [
        { date: '2026-06-01', pageViews: 100, requests: 90 },
        { date: '2026-06-02', pageViews: 50, requests: 40 },
        { date: '2026-06-03', pageViews: null, requests: 0 },
      ],
      landings: { clicks: 8, landings: 6 },
      hasPageViews: true,
    });
    // 22:00 in UTC is the next day in Tokyo.
    await chooseTimezone(seller, 'Asia/Tokyo');
    expect((await compared(seller, website)).days).toMatchObject([
      { requests: 90 },
      { requests: 0 },
      { requests: 40 },
    ]);
    expect(
      (await buyer.get(`/api/analytics/two-counts?from=2026-06-01&to=2026-06-03&website=${website.publicId}`))
        .status,
    ).toBe(404);
    const wrong = ['from=2026-06-03&to=2026-06-01', 'from=2020-01-01&to=2026-06-01', 'from=x&to=2026-06-01'];
    for (const days of wrong)
      expect((await seller.get(`/api/analytics/two-counts?${days}&website=${website.publicId}`)).status).toBe(
        400,
      );
    expect((await seller.get('/api/analytics/two-counts?from=2026-06-01&to=2026-06-03')).status).toBe(400);
  });
});

describe('stored page views', () => {
  it('are replaced day by day, are in the export, and go with a deletion or the website', async () => {
    const seller = await server.signIn('seller');
    const website = await makeWebsite(seller);
    const both = [
      { date: '2026-06-01', pageViews: 1 },
      { date: '2026-06-02', pageViews: 2 },
    ];
    await store(seller, website, both);
    const again = [
      { date: '2026-06-02', pageViews: 20 },
      { date: '2026-06-03', pageViews: 30 },
    ];
    // Two uploads at once end as one after the other.
    expect(
      (await Promise.all([store(seller, website, again), store(seller, website, again)])).map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200]);
    const viewsOf = async () => (await compared(seller, website)).days.map(({ pageViews }) => pageViews);
    expect(await viewsOf()).toEqual([1, 20, 30]);
    const { body: exported } = await seller.post('/api/user/export-data');
    expect(exported.websites).toMatchObject([{ pageViews: [both[0], ...again] }]);

    const stranger = await server.signIn('seller');
    expect((await store(stranger, website, both)).status).toBe(404);
    expect((await stranger.delete(pathOf(website))).status).toBe(404);
    expect(await viewsOf()).toEqual([1, 20, 30]);
    expect((await seller.delete(pathOf(website))).status).toBe(200);
    expect(await compared(seller, website)).toMatchObject({ hasPageViews: false });

    await store(seller, website, both);
    expect((await seller.delete(`/api/websites/${website.id}`)).status).toBe(200);
    const left = await server.ctx.db
      .selectFrom('sitePageViews')
      .selectAll()
      .where('websiteId', '=', website.id)
      .execute();
    expect(left).toEqual([]);
    expect((await store(seller, website, both)).status).toBe(404);
  });

  it('are refused with a sentence if they are none, and then nothing changes', async () => {
    const seller = await server.signIn('seller');
    const website = await makeWebsite(seller);
    const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
    const many = (n: number) => Array.from({ length: n }, (_, each) => ({ date: day(each), pageViews: 1 }));
    const good = { date: '2026-06-01', pageViews: 1 };
    for (const [days, message] of [
      [undefined, /./],
      ['2026-06-01,5', /./],
      [[], /no day/],
      [[{ ...good, pageViews: -1 }], /whole number/],
      [[{ ...good, pageViews: 1.5 }], /whole number/],
      [[{ ...good, pageViews: 1e12 }], /whole number/],
      [[{ ...good, pageViews: '5' }], /whole number/],
      [[{ ...good, date: '2026-02-30' }], /Send each date/],
      [[{ ...good, date: '1999-12-31' }], /Send each date/],
      [[good, { ...good, date: '2026-06-12' }], /2026-06-12 is in the future/],
      [[good, good], /only once/],
      [many(MAX_DAYS + 1), /at most 1100 days/],
    ] as const) {
      const answer = await store(seller, website, days);
      expect([days, answer.status]).toEqual([days, 400]);
      expect(answer.body.message).toMatch(message);
    }
    expect((await compared(seller, website)).hasPageViews).toBe(false);
    expect((await store(seller, website, many(MAX_DAYS))).body).toMatchObject({ days: MAX_DAYS });
    // Tomorrow in UTC is today in some time zones.
    expect((await store(seller, website, [{ ...good, date: '2026-06-11' }])).status).toBe(200);
  });
});
