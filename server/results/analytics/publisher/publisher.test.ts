/** A publisher's results over HTTP: yields, returned advertisers, hours without the tag, and price trials. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type {
  HoursWithoutTag,
  Returned,
  ZonePriceTrials,
  ZoneYield,
} from '#domain/analytics/publisher-contract.ts';
import { HOUR_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { breakdownOf, countAt } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import {
  approve,
  makeAd,
  makeLiveAd,
  makeProduct,
  makeWebsite,
  makeZone,
  pay,
} from '#server/testing/story.ts';

const server = useOwnServer({ start: new Date('2026-06-01T00:00:00Z') });

/** 100 views for $100, of which the publisher earns $85. */
const VIEWS = { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' };
const JUNE = 'from=2026-06-01&to=2026-06-30';

async function read<T>(client: Client, call: string, query = ''): Promise<T> {
  const answer = await client.get(`/api/analytics/${call}?${query}`);
  expect([call, query, answer.status]).toEqual([call, query, 200]);
  return answer.body as T;
}

async function note(zoneId: number, adId: number | null, hour: string, kind: string, n: number, reason = '') {
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
    values (${hour}::timestamptz, ${adId}, ${zoneId}, ${kind}, ${reason}, ${n})`.execute(server.ctx.db);
}

async function buy(seller: Client, buyer: Client, product: Parameters<typeof makeAd>[1]): Promise<Ad> {
  const ad = await makeAd(buyer, product);
  await approve(seller, ad);
  return await pay(buyer, ad);
}

describe('the yields of ad zones', () => {
  it('are those of each own zone, also of one that sold nothing, and add up to the earnings', async () => {
    server.clock.set(new Date('2026-06-02T00:00:00Z'));
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { website, zone, ad } = await makeLiveAd(seller, buyer, {
      website: { name: 'Gazette' },
      zone: { name: 'Top' },
      product: VIEWS,
    });
    const bare = await makeZone(seller, website, { name: 'Bottom' });
    await countAt(server.ctx, ad, '2026-06-03T10:00:00Z', 40);
    await note(zone.id, ad.id, '2026-06-03T10:00:00Z', 'decision', 150);
    await note(zone.id, null, '2026-06-03T10:00:00Z', 'decision', 50);
    // Robots request nothing that could be sold.
    await note(zone.id, null, '2026-06-03T10:00:00Z', 'decision', 900, 'bot');
    await note(zone.id, ad.id, '2026-06-03T10:00:00Z', 'rendered', 60);
    await note(bare.id, null, '2026-06-04T10:00:00Z', 'decision', 70);
    await note(bare.id, null, '2026-05-31T10:00:00Z', 'decision', 70);
    server.clock.set(new Date('2026-06-05T00:00:00Z'));
    const rows = await read<ZoneYield[]>(seller, 'zones', JUNE);
    expect(rows).toEqual([
      {
        publicId: zone.publicId,
        name: 'Top',
        websitePublicId: website.publicId,
        websiteName: 'Gazette',
        requests: 200,
        filled: 150,
        fill: 0.75,
        rendered: 100,
        viewable: 40,
        viewability: 0.4,
        impressions: 40,
        amount: '34.00',
        cpm: '850.00',
        before: { requests: 0, filled: 0 },
        course: expect.any(Array),
      },
      expect.objectContaining({
        name: 'Bottom',
        requests: 70,
        filled: 0,
        fill: 0,
        amount: '0.00',
        cpm: null,
        before: { requests: 70, filled: 0 },
      }),
    ]);
    // June has 30 parts of a day each.
    const nothing = { requests: 0, filled: 0, views: 0 };
    expect(rows[0]?.course).toEqual(
      Array.from({ length: 30 }, (_, at) => (at === 2 ? { requests: 200, filled: 150, views: 40 } : nothing)),
    );
    expect(await read(seller, 'zones', 'from=2026-01-01&to=2026-12-31')).toMatchObject([
      { requests: 200, course: { length: 30 } },
      { requests: 140, course: { length: 30 } },
    ]);
    const [breakdown] = await breakdownOf(seller, {
      side: 'seller',
      by: 'zone',
      from: '2026-06-01',
      to: '2026-06-30',
    });
    expect(breakdown).toMatchObject({ amount: '34.00', cpm: '850.00', impressions: 40 });

    const first = await seller.get(`/api/analytics/zones?${JUNE}&limit=1`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    expect((await seller.get(next as string)).body).toEqual(rows.slice(1));
    expect((await seller.get(`/api/analytics/zones?${JUNE}&cursor=x`)).status).toBe(400);
    expect(await read(seller, 'zones', `${JUNE}&zone=${bare.publicId}`)).toEqual(rows.slice(1));

    // A deleted zone stays as long as it has earnings in the range.
    expect((await seller.delete(`/api/ad-zones/${bare.id}`)).status).toBe(200);
    expect(await read(seller, 'zones', JUNE)).toEqual(rows.slice(0, 1));
    // The other side and strangers.
    expect(await read(buyer, 'zones', JUNE)).toEqual([]);
    expect((await buyer.get(`/api/analytics/zones?${JUNE}&zone=${zone.publicId}`)).status).toBe(404);
    expect((await seller.get('/api/analytics/zones?from=2026-06-02&to=2026-06-01')).status).toBe(400);
    expect((await server.anyone().get(`/api/analytics/zones?${JUNE}`)).status).toBe(401);
  });
});

describe('advertisers who came back', () => {
  it('are those with two purchases, by name and without an address', async () => {
    server.clock.set(new Date('2026-06-06T00:00:00Z'));
    const seller = await server.signIn('seller');
    const [ada, bob] = [
      await server.signIn('buyer', { firstName: 'Ada', lastName: 'Ames' }),
      await server.signIn('buyer', { firstName: 'Bob', lastName: 'Best' }),
    ];
    const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), VIEWS);
    expect(await read<Returned>(seller, 'advertisers')).toEqual({ advertisers: 0, returned: 0, list: [] });
    await buy(seller, ada, product);
    await buy(seller, bob, product);
    server.clock.set(new Date('2026-06-06T23:00:00Z'));
    // Several ads of one day are no return.
    await buy(seller, bob, product);
    server.clock.set(new Date('2026-06-08T00:00:00Z'));
    const again = await buy(seller, ada, product);
    const found = await seller.get('/api/analytics/advertisers');
    expect(found.body).toEqual({
      advertisers: 2,
      returned: 1,
      list: [
        {
          name: 'Ada Ames',
          campaigns: 2,
          first: expect.stringContaining('2026-06-06'),
          last: expect.stringContaining('2026-06-08'),
          amount: '170.00',
        },
      ],
    });
    expect(found.text).not.toContain('@');
    // Ads of one plan are one purchase.
    await sql`with plan as (insert into plans (user_id, request_id, body_hash, name)
        values (${ada.user.id}, gen_random_uuid(), '', 'P') returning id)
      update ads set plan_id = plan.id from plan where ads.user_id = ${ada.user.id}`.execute(server.ctx.db);
    expect(await read<Returned>(seller, 'advertisers')).toMatchObject({ advertisers: 2, returned: 0 });
    expect(again.status).toBe('active');
    expect(await read<Returned>(ada, 'advertisers')).toMatchObject({ advertisers: 0 });
  });
});

describe('hours without the tag', () => {
  const MONDAY = Date.parse('2026-07-27T10:00:00Z');
  const at = (weeks: number, hours = 0) =>
    new Date(MONDAY - weeks * 168 * HOUR_MS + hours * HOUR_MS).toISOString();
  const range = 'from=2026-07-20&to=2026-07-28';

  async function makeZoneWithTag() {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    server.clock.set(new Date('2026-06-20T00:00:00Z'));
    const live = await makeLiveAd(seller, buyer, { product: { ...VIEWS, impressions: 10_000 } });
    for (const week of [1, 2, 3, 4]) {
      for (const hour of [0, 1]) {
        await note(live.zone.id, null, at(week, hour), 'decision', 100);
        // 1,000 views earn $8.50, so the usual hour earns $1.70.
        await countAt(server.ctx, live.ad, at(week, hour), 200);
        server.clock.set(new Date(at(week, hour)));
      }
    }
    server.clock.set(new Date(at(0, 3)));
    return { seller, ...live };
  }

  it('are those in which a zone that usually requests ads requested none, with what they cost', async () => {
    const { seller, zone, website } = await makeZoneWithTag();
    await sql`insert into earned_hours (ad_id, hour, publisher_cents, commission_cents)
      select ad_id, hour, 170, 30 from delivery_hourly where zone_id = ${zone.id} and kind = 'view'
      on conflict (ad_id, hour) do update set publisher_cents = 170`.execute(server.ctx.db);
    // Only robots came.
    await note(zone.id, null, at(0), 'decision', 50, 'bot');
    const silence = {
      zone: zone.publicId,
      zoneName: 'Sidebar',
      websiteName: 'The Daily Slot',
      from: at(0),
      until: at(0, 2),
      hours: 2,
      requests: 200,
      cost: '3.40',
    };
    const all = { hours: 2, requests: 200, cost: '3.40', silences: [silence] };
    expect(await read<HoursWithoutTag>(seller, 'hours-without-tag', range)).toEqual(all);
    expect(await read(seller, 'hours-without-tag', `${range}&website=${website.publicId}`)).toEqual(all);
    // The week before had requests, and the hours of the clock are not over before their end.
    expect(await read(seller, 'hours-without-tag', 'from=2026-07-20&to=2026-07-20')).toMatchObject({
      hours: 0,
    });
    server.clock.set(new Date(Date.parse(at(0, 2)) + 4 * 60_000));
    expect(await read(seller, 'hours-without-tag', range)).toMatchObject({ hours: 1 });
    const other = await server.signIn('seller');
    expect(await read(other, 'hours-without-tag', range)).toMatchObject({ hours: 0 });
    expect((await other.get(`/api/analytics/hours-without-tag?${range}&zone=${zone.publicId}`)).status).toBe(
      404,
    );
  });

  it('are not those in which the zone or its website was paused, now or before', async () => {
    const { seller, zone, website } = await makeZoneWithTag();
    const pause = async (path: string, isActive: boolean, hour: number) => {
      server.clock.set(new Date(Date.parse(at(0, hour)) + 60_000));
      expect((await seller.patch(path, { isActive })).status).toBe(200);
    };
    const read2 = async () => {
      const { hours } = await read<HoursWithoutTag>(seller, 'hours-without-tag', range);
      return hours;
    };
    await pause(`/api/ad-zones/${zone.publicId}`, false, 0);
    server.clock.set(new Date(at(0, 3)));
    expect(await read2()).toBe(0);
    // The pause ended in the first hour, so only the second is left.
    await pause(`/api/ad-zones/${zone.publicId}`, true, 0.5);
    server.clock.set(new Date(at(0, 3)));
    expect(await read2()).toBe(1);
    await pause(`/api/websites/${website.publicId}`, false, 1);
    await pause(`/api/websites/${website.publicId}`, true, 1.5);
    server.clock.set(new Date(at(0, 3)));
    expect(await read2()).toBe(0);
  });
});

describe('price trials', () => {
  it('take what each advertiser paid for the same kind of ad in zones of the same size', async () => {
    server.clock.set(new Date('2026-10-01T00:00:00Z'));
    const seller = await server.signIn('seller');
    const [ada, bob, eve] = [
      await server.signIn('buyer'),
      await server.signIn('buyer'),
      await server.signIn('buyer'),
    ];
    const website = await makeWebsite(seller);
    const zone = await makeZone(seller, website, { name: 'Cheap' });
    const product = await makeProduct(seller, zone, VIEWS);
    const rival = await server.signIn('seller');
    const rivalSite = await makeWebsite(rival, { url: 'https://rival.example' });
    const dear = await makeProduct(rival, await makeZone(rival, rivalSite), { ...VIEWS, price: '120.00' });
    const wide = await makeProduct(
      rival,
      await makeZone(rival, rivalSite, { zoneType: 'banner', width: 728, height: 90 }),
      { ...VIEWS, price: '900.00' },
    );
    const perDay = await makeProduct(rival, await makeZone(rival, rivalSite), { price: '900.00' });
    for (const buyer of [ada, ada, bob, eve]) await buy(seller, buyer, product);
    // Four ads are too few.
    expect(await read<ZonePriceTrials[]>(seller, 'price-trials')).toEqual([
      {
        zone: zone.publicId,
        zoneName: 'Cheap',
        websiteName: 'The Daily Slot',
        pricingModel: 'per_impression',
        ads: 4,
        amount: '340.00',
        trials: [],
      },
    ]);
    await buy(seller, eve, product);
    // Ada paid a fifth more elsewhere. Bob paid more only for another size, Eve for another model.
    await buy(rival, ada, dear);
    await buy(rival, bob, wide);
    await buy(rival, eve, perDay);
    const [trial] = await read<ZonePriceTrials[]>(seller, 'price-trials');
    expect(trial).toMatchObject({
      ads: 5,
      amount: '425.00',
      trials: [
        { percent: 10, fewest: 2, least: '187.00', most: '467.50' },
        { percent: 20, fewest: 2, least: '204.00', most: '510.00' },
        { percent: 50, fewest: 0, least: '0.00', most: '637.50' },
      ],
    });
    expect(await read<ZonePriceTrials[]>(ada, 'price-trials')).toEqual([]);
    server.clock.set(new Date('2027-01-01T00:00:00Z'));
    expect(await read<ZonePriceTrials[]>(seller, 'price-trials')).toEqual([]);
  });
});
