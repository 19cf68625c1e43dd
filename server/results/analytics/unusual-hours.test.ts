/** Hours in which a zone's click-through rate is unusual. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { UnusualHour } from '#domain/analytics/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { chooseTimezone } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { reportUnusualHour } from './unusual-hours.ts';

let log: string[];
beforeAll(() => {
  log = [];
});
const server = useOwnServer(() => ({
  start: new Date('2026-03-30T12:10:00Z'),
  log: (line) => log.push(line),
}));

async function pair() {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  return { seller, buyer, ...(await makeLiveAd(seller, buyer, { product: { duration: 60 } })) };
}

async function count(ad: Ad, hour: string, views: number, clicks: number, reason = ''): Promise<void> {
  for (const [kind, n] of [
    ['view', views],
    ['click', clicks],
  ] as const) {
    if (n === 0) continue;
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      values (${hour}::timestamptz, ${ad.id}, ${ad.adZoneId}, ${kind}, ${reason}, ${n})`.execute(
      server.ctx.db,
    );
  }
}

const path = (query: string) => `/api/analytics/unusual-hours?from=2026-03-01&to=2026-03-30${query}`;

async function listOf(client: Client, query = ''): Promise<UnusualHour[]> {
  const answer = await client.get(path(query));
  expect(answer.status).toBe(200);
  return answer.body as UnusualHour[];
}

describe('unusual hours', () => {
  // Proves DEL-42
  it('are listed only for the publisher’s own zones and only if chance does not explain them', async () => {
    const { seller, buyer, ad, zone } = await pair();
    const other = await pair();
    await count(ad, '2026-03-20T10:00:00Z', 10_000, 100);
    await count(ad, '2026-03-21T10:00:00Z', 1000, 11);
    await count(ad, '2026-03-22T10:00:00Z', 1000, 60);
    // Uncounted views and clicks were not billed and do not count here.
    await count(ad, '2026-03-23T10:00:00Z', 1000, 8);
    await count(ad, '2026-03-23T10:00:00Z', 1000, 500, 'bot');
    // The hour has too few views for a comparison.
    await count(ad, '2026-03-24T10:00:00Z', 400, 300);
    await count(other.ad, '2026-03-22T10:00:00Z', 10_000, 100);
    expect(await listOf(seller)).toEqual([
      {
        zone: zone.publicId,
        zoneName: 'Sidebar',
        websiteName: 'The Daily Slot',
        hour: '2026-03-22T10:00:00.000Z',
        views: 1000,
        clicks: 60,
        before: { views: 11_000, clicks: 111 },
      },
    ]);
    expect(await listOf(buyer)).toEqual([]);
    expect(await listOf(other.seller)).toEqual([]);
    expect(await listOf(seller, `&zone=${zone.publicId}`)).toHaveLength(1);
    expect((await other.seller.get(path(`&zone=${zone.publicId}`))).status).toBe(404);
    expect((await server.anyone().get(path(''))).status).toBe(401);
    expect((await seller.get('/api/analytics/unusual-hours?from=2026-03-02&to=2026-03-01')).status).toBe(400);
  });

  // Proves DEL-42
  it('are compared with the four weeks before, in days of the user’s timezone', async () => {
    const { seller, ad } = await pair();
    await count(ad, '2026-02-01T10:00:00Z', 100_000, 6000);
    await count(ad, '2026-03-10T10:00:00Z', 5000, 50);
    // 15:00 UTC is midnight in Tokyo. The rate of 6% five weeks before is too old to make this hour usual.
    await count(ad, '2026-03-14T15:00:00Z', 1000, 60);
    await chooseTimezone(seller, 'Asia/Tokyo');
    const on = async (day: string) =>
      (await seller.get(`/api/analytics/unusual-hours?from=${day}&to=${day}`)).body as UnusualHour[];
    expect(await on('2026-03-14')).toEqual([]);
    expect(await on('2026-03-15')).toMatchObject([{ before: { views: 5000, clicks: 50 } }]);
  });

  // Proves DEL-42
  it('are written to the operator’s log once the hour is over', async () => {
    const { ad, zone } = await pair();
    await count(ad, '2026-03-29T10:00:00Z', 10_000, 100);
    await count(ad, '2026-03-30T11:00:00Z', 1000, 60);
    await count(ad, '2026-03-30T12:00:00Z', 1000, 60);
    log.length = 0;
    await reportUnusualHour(server.ctx);
    const lines = log.filter((line) => line.includes('far from usual'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      level: 'warn',
      zone: zone.publicId,
      hour: '2026-03-30T11:00:00.000Z',
      views: 1000,
      clicks: 60,
    });
  });
});
