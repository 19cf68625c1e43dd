/** Figures over time: days of the caller's own timezone, money by the day of its payment, and whose they are. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Bucket, BreakdownRow } from '#domain/analytics/contract.ts';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone, pay } from '../testing/story.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ start: new Date('2026-03-02T12:00:00Z') });
});
afterAll(() => server.close());

const pair = async () => [await server.signIn('seller'), await server.signIn('buyer')] as const;
const inTimezone = (client: Client, timezone: string) => client.patch('/api/user/settings', { timezone });
const month = { product: { duration: 60 } };

/** Events of one ad, counted at an instant by the function that counts all. */
async function count(ad: Ad, at: string, views: number, clicks = 0): Promise<void> {
  const instant = new Date(at);
  await sql`select ensure_event_partition(${at.slice(0, 10)}::date)`.execute(server.ctx.db);
  await sql`
    with events as (
      select 'view' as kind from generate_series(1, ${views}::integer)
      union all select 'click' from generate_series(1, ${clicks}::integer)
    )
    select counted.ad_id
      from (
        select array_agg(${instant.getTime()}::float8) as issued, array_agg(uuid_send(gen_random_uuid())) as ids,
            array_agg(kind) as kinds, array_agg(${ad.id}::integer) as ads, array_agg(${ad.adZoneId}::integer) as zones,
            array_agg(null::text) as reasons, array_agg(false) as implied
          from events) as e,
        count_events(${instant}::timestamptz, issued, ids, kinds, ads, zones, reasons, implied) as counted`.execute(
    server.ctx.db,
  );
}

async function payAt(ad: Ad, at: string): Promise<void> {
  await sql`update payments set paid_at = ${new Date(at)} where ad_id = ${ad.id}`.execute(server.ctx.db);
}

type Query = Record<string, string | number>;
const address = (call: string, query: Query) => {
  const parameters = Object.entries(query).map(([key, value]) => [key, String(value)]);
  return `/api/analytics/${call}?${new URLSearchParams(parameters).toString()}`;
};

async function series(client: Client, query: Query): Promise<{ timezone: string; buckets: Bucket[] }> {
  const answer = await client.get(address('series', { step: 'day', ...query }));
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

async function breakdown(client: Client, query: Query): Promise<BreakdownRow[]> {
  const answer = await client.get(address('breakdown', query));
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

const views = ({ buckets }: { buckets: Bucket[] }) => buckets.map((each) => [each.start, each.impressions]);
const sum = (rows: readonly { impressions: number; clicks: number; amount: string }[]) => ({
  impressions: rows.reduce((total, row) => total + row.impressions, 0),
  clicks: rows.reduce((total, row) => total + row.clicks, 0),
  amount: rows.reduce((total, row) => total + Number(row.amount), 0).toFixed(2),
});

describe('the days of the series', () => {
  it.each([
    // 15:00 UTC is midnight in Tokyo, 08:00 UTC in Los Angeles in winter.
    ['Asia/Tokyo', '2026-03-03T14:59:59Z', '2026-03-03T15:00:00Z'],
    ['America/Los_Angeles', '2026-03-04T07:59:59Z', '2026-03-04T08:00:00Z'],
    ['UTC', '2026-03-03T23:59:59Z', '2026-03-04T00:00:00Z'],
  ])('STAT-01 end at midnight of the own timezone: %s', async (timezone, before, after) => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, month);
    await count(ad, before, 3, 1);
    await count(ad, after, 5, 2);
    await payAt(ad, before);
    await inTimezone(buyer, timezone);
    expect(await series(buyer, { side: 'buyer', from: '2026-03-02', to: '2026-03-05' })).toEqual({
      timezone,
      buckets: [
        { start: '2026-03-02', impressions: 0, clicks: 0, amount: '0.00' },
        { start: '2026-03-03', impressions: 3, clicks: 1, amount: '100.00' },
        { start: '2026-03-04', impressions: 5, clicks: 2, amount: '0.00' },
        { start: '2026-03-05', impressions: 0, clicks: 0, amount: '0.00' },
      ],
    });
    const oneDay = await series(buyer, { side: 'buyer', from: '2026-03-04', to: '2026-03-04' });
    expect(views(oneDay)).toEqual([['2026-03-04', 5]]);
    await inTimezone(seller, timezone);
    const earned = await series(seller, { side: 'seller', from: '2026-03-03', to: '2026-03-03' });
    expect(earned.buckets).toEqual([{ start: '2026-03-03', impressions: 3, clicks: 1, amount: '85.00' }]);
  });

  it('STAT-01 STAT-02 also the money of the first instant of a day belongs to it', async () => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, month);
    await inTimezone(buyer, 'Asia/Tokyo');
    await payAt(ad, '2026-03-03T15:00:00Z');
    const { buckets } = await series(buyer, { side: 'buyer', from: '2026-03-03', to: '2026-03-04' });
    expect(buckets.map(({ amount }) => amount)).toEqual(['0.00', '100.00']);
  });

  it('STAT-01 have 23 hours when summer time begins, and 25 when it ends', async () => {
    const [seller, buyer] = await pair();
    await inTimezone(buyer, 'America/New_York');
    const { ad } = await makeLiveAd(seller, buyer, { product: { duration: 365 } });
    // 8 March 2026 is from 05:00 UTC (UTC-5) to 04:00 UTC (UTC-4).
    for (const [at, seen] of [
      ['2026-03-08T04:59:00Z', 1],
      ['2026-03-08T05:00:00Z', 2],
      ['2026-03-08T06:30:00Z', 4],
      ['2026-03-08T07:00:00Z', 8],
      ['2026-03-09T03:59:00Z', 16],
      ['2026-03-09T04:00:00Z', 32],
    ] as const) {
      await count(ad, at, seen);
    }
    expect(views(await series(buyer, { side: 'buyer', from: '2026-03-07', to: '2026-03-09' }))).toEqual([
      ['2026-03-07', 1],
      ['2026-03-08', 30],
      ['2026-03-09', 32],
    ]);
    // 1 November 2026 is from 04:00 UTC (UTC-4) to 05:00 UTC (UTC-5), with 01:00 to 02:00 twice.
    for (const [at, seen] of [
      ['2026-11-01T03:59:00Z', 1],
      ['2026-11-01T04:00:00Z', 2],
      ['2026-11-01T05:30:00Z', 4],
      ['2026-11-01T06:30:00Z', 8],
      ['2026-11-02T04:59:00Z', 16],
      ['2026-11-02T05:00:00Z', 32],
    ] as const) {
      await count(ad, at, seen);
    }
    expect(views(await series(buyer, { side: 'buyer', from: '2026-10-31', to: '2026-11-02' }))).toEqual([
      ['2026-10-31', 1],
      ['2026-11-01', 30],
      ['2026-11-02', 32],
    ]);
    const weeks = await series(buyer, { side: 'buyer', from: '2026-10-26', to: '2026-11-08', step: 'week' });
    expect(views(weeks)).toEqual([
      ['2026-10-26', 31],
      ['2026-11-02', 32],
    ]);
  });

  it('STAT-01 make weeks from Monday and calendar months, which hold the days of the range only', async () => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, { product: { duration: 120 } });
    for (const [at, seen] of [
      ['2026-03-31T12:00:00Z', 1],
      ['2026-04-04T12:00:00Z', 2],
      ['2026-04-05T23:59:00Z', 4],
      ['2026-04-06T00:00:00Z', 8],
      ['2026-04-30T23:00:00Z', 16],
      ['2026-06-01T00:00:00Z', 32],
    ] as const) {
      await count(ad, at, seen);
    }
    // 4 April 2026 is a Saturday.
    const weeks = await series(buyer, { side: 'buyer', from: '2026-04-04', to: '2026-04-20', step: 'week' });
    expect(views(weeks)).toEqual([
      ['2026-03-30', 6],
      ['2026-04-06', 8],
      ['2026-04-13', 0],
      ['2026-04-20', 0],
    ]);
    const months = await series(buyer, {
      side: 'buyer',
      from: '2026-04-01',
      to: '2026-06-30',
      step: 'month',
    });
    expect(views(months)).toEqual([
      ['2026-04-01', 30],
      ['2026-05-01', 0],
      ['2026-06-01', 32],
    ]);
  });

  it('STAT-01 are those of UTC for who has chosen none', async () => {
    const buyer = await server.signIn('buyer');
    await server.ctx.db.deleteFrom('userSettings').where('userId', '=', buyer.user.id).execute();
    const empty = await series(buyer, { side: 'buyer', from: '2026-03-02', to: '2026-03-02' });
    expect(empty).toEqual({
      timezone: 'UTC',
      buckets: [{ start: '2026-03-02', impressions: 0, clicks: 0, amount: '0.00' }],
    });
  });

  it('STAT-01 count what was counted, not what was filtered out or only decided', async () => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, month);
    await count(ad, '2026-03-03T10:00:00Z', 2, 1);
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n) values
      ('2026-03-03T10:00:00Z', ${ad.id}, ${ad.adZoneId}, 'view', 'bot', 70),
      ('2026-03-03T10:00:00Z', ${ad.id}, ${ad.adZoneId}, 'click', 'frequency', 70),
      ('2026-03-03T10:00:00Z', ${ad.id}, ${ad.adZoneId}, 'decision', '', 70)`.execute(server.ctx.db);
    const { buckets } = await series(buyer, { side: 'buyer', from: '2026-03-03', to: '2026-03-03' });
    expect(buckets).toMatchObject([{ impressions: 2, clicks: 1 }]);
    expect(
      await breakdown(buyer, { side: 'buyer', from: '2026-03-03', to: '2026-03-03', by: 'campaign' }),
    ).toMatchObject([{ impressions: 2, clicks: 1 }]);
  });
});

const ALL = { from: '2000-01-01', to: '2033-01-01' };

describe('over all time', () => {
  it('STAT-02 STAT-04 series and breakdowns add up to the totals of the cards, on both sides, refunds included', async () => {
    server.clock.set(new Date('2026-03-02T12:00:00Z'));
    const [seller, buyer] = await pair();
    const first = await makeLiveAd(seller, buyer, month);
    server.clock.advance(40 * 86_400_000);
    const second = await makeLiveAd(seller, buyer, month);
    const elsewhere = await makeLiveAd(await server.signIn('seller'), buyer, month);
    await makeLiveAd(seller, await server.signIn('buyer'), month);
    await count(first.ad, '2026-03-31T23:30:00Z', 12, 3);
    await count(second.ad, '2026-04-12T01:00:00Z', 7, 1);
    await count(elsewhere.ad, '2026-04-12T01:00:00Z', 5);
    const refund = (ad: Ad, cents: number, commission: number, status: string) =>
      sql`insert into refunds (payment_id, amount_cents, commission_cents, reason, status)
        select id, ${cents}, ${commission}, 'Not delivered', ${status} from payments where ad_id = ${ad.id}`.execute(
        server.ctx.db,
      );
    await refund(first.ad, 4000, 600, 'succeeded');
    await refund(first.ad, 1000, 150, 'open');
    await refund(second.ad, 5000, 750, 'failed');

    const spending = (await buyer.get('/api/analytics/spending')).body;
    const { totalEarnings } = (await seller.get('/api/analytics/earnings')).body;
    expect([spending.totalSpending, totalEarnings]).toEqual(['250.00', '212.50']);
    for (const timezone of ['UTC', 'Asia/Tokyo', 'America/Denver']) {
      await inTimezone(buyer, timezone);
      await inTimezone(seller, timezone);
      const bought = await series(buyer, { ...ALL, side: 'buyer', step: 'month' });
      expect(sum(bought.buckets)).toEqual({ impressions: 24, clicks: 4, amount: spending.totalSpending });
      expect([spending.totalImpressions, spending.totalClicks]).toEqual([24, 4]);
      const sold = await series(seller, { ...ALL, side: 'seller', step: 'month' });
      expect(sum(sold.buckets)).toEqual({ impressions: 19, clicks: 4, amount: totalEarnings });
      for (const by of ['campaign', 'zone', 'website']) {
        expect(sum(await breakdown(buyer, { ...ALL, side: 'buyer', by }))).toEqual(sum(bought.buckets));
        expect(sum(await breakdown(seller, { ...ALL, side: 'seller', by }))).toEqual(sum(sold.buckets));
      }
    }
  });

  it('STAT-02 money that came too late is nobody’s', async () => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, month);
    await sql`insert into payments (ad_id, user_id, book, intent_id, amount_cents, commission_cents, status, charge_id, paid_at)
      select ad_id, user_id, book, 'late_' || id, amount_cents, commission_cents, 'orphaned', 'late_' || id, paid_at
        from payments where ad_id = ${ad.id}`.execute(server.ctx.db);
    expect(sum((await series(buyer, { ...ALL, side: 'buyer', step: 'month' })).buckets).amount).toBe(
      '100.00',
    );
    expect(sum(await breakdown(seller, { ...ALL, side: 'seller', by: 'campaign' })).amount).toBe('85.00');
  });
});

/** A seller with two sites, three zones and a campaign of each of two buyers; and a stranger to all of them. */
async function makeMarket() {
  const [seller, buyer] = await pair();
  const other = await server.signIn('buyer');
  const stranger = await server.signIn('both');
  const website = await makeWebsite(seller, { name: 'Gazette' });
  const zone = await makeZone(seller, website, { name: 'Top' });
  const bare = await makeZone(seller, website, { name: 'Bottom' });
  const product = await makeProduct(seller, zone, { duration: 60 });
  const ads: Ad[] = [];
  for (const [who, title] of [
    [buyer, 'First'],
    [other, 'Second'],
  ] as const) {
    const ad = await makeAd(who, product, { title });
    await approve(seller, ad);
    ads.push(await pay(who, ad));
  }
  const elsewhere = await makeLiveAd(seller, buyer, {
    website: { name: 'Herald' },
    product: { duration: 60 },
  });
  return { seller, buyer, other, stranger, website, zone, bare, ads: ads as [Ad, Ad], elsewhere };
}
type Market = Awaited<ReturnType<typeof makeMarket>>;

describe('filters and breakdowns', () => {
  let market: Market;
  const day = { from: '2026-05-04', to: '2026-05-04' };
  beforeAll(async () => {
    server.clock.set(new Date('2026-05-04T08:00:00Z'));
    market = await makeMarket();
    const [first, second] = market.ads;
    await count(first, '2026-05-04T10:00:00Z', 10, 1);
    await count(second, '2026-05-04T10:00:00Z', 30, 2);
    await count(market.elsewhere.ad, '2026-05-04T10:00:00Z', 10, 4);
  });

  it('STAT-03 a filter narrows both calls, on both sides', async () => {
    const { seller, buyer, website, zone, bare, ads, elsewhere } = market;
    const cases: [Client, Query, object][] = [
      [buyer, { side: 'buyer' }, { impressions: 20, clicks: 5, amount: '200.00' }],
      [buyer, { side: 'buyer', campaign: ads[0].publicId }, { impressions: 10, clicks: 1, amount: '100.00' }],
      [buyer, { side: 'buyer', zone: zone.publicId }, { impressions: 10, clicks: 1, amount: '100.00' }],
      [
        buyer,
        { side: 'buyer', website: elsewhere.website.publicId },
        { impressions: 10, clicks: 4, amount: '100.00' },
      ],
      [
        buyer,
        { side: 'buyer', campaign: ads[0].publicId, website: elsewhere.website.publicId },
        { impressions: 0, clicks: 0, amount: '0.00' },
      ],
      [seller, { side: 'seller' }, { impressions: 50, clicks: 7, amount: '255.00' }],
      [
        seller,
        { side: 'seller', campaign: ads[1].publicId },
        { impressions: 30, clicks: 2, amount: '85.00' },
      ],
      [seller, { side: 'seller', zone: zone.publicId }, { impressions: 40, clicks: 3, amount: '170.00' }],
      [seller, { side: 'seller', zone: bare.publicId }, { impressions: 0, clicks: 0, amount: '0.00' }],
      [
        seller,
        { side: 'seller', website: website.publicId },
        { impressions: 40, clicks: 3, amount: '170.00' },
      ],
    ];
    for (const [client, query, expected] of cases) {
      expect([query, sum((await series(client, { ...day, ...query })).buckets)]).toEqual([query, expected]);
      expect([query, sum(await breakdown(client, { ...day, ...query, by: 'zone' }))]).toEqual([
        query,
        expected,
      ]);
    }
  });

  it('STAT-03 an empty site of one’s own is no stranger', async () => {
    const seller = await server.signIn('seller');
    const { publicId } = await makeWebsite(seller);
    expect(
      sum((await series(seller, { ...day, side: 'seller', website: publicId })).buckets).impressions,
    ).toBe(0);
  });

  it('STAT-03 what is foreign or unknown is 404, whatever the caller’s role', async () => {
    const { seller, buyer, other, stranger, website, zone, bare, ads, elsewhere } = market;
    const unknown = '00000000-0000-4000-8000-000000000000';
    const cases: [Client, Query][] = [
      [buyer, { side: 'buyer', campaign: ads[1].publicId }],
      [buyer, { side: 'buyer', zone: bare.publicId }],
      [buyer, { side: 'seller', campaign: ads[0].publicId }],
      [buyer, { side: 'seller', zone: zone.publicId }],
      [buyer, { side: 'seller', website: website.publicId }],
      [other, { side: 'buyer', website: elsewhere.website.publicId }],
      [other, { side: 'buyer', campaign: ads[1].publicId, zone: elsewhere.zone.publicId }],
      [seller, { side: 'buyer', campaign: ads[0].publicId }],
      [seller, { side: 'buyer', website: website.publicId }],
    ];
    for (const side of ['buyer', 'seller']) {
      cases.push(
        [stranger, { side, campaign: ads[0].publicId }],
        [stranger, { side, zone: zone.publicId }],
        [stranger, { side, website: website.publicId }],
      );
      for (const name of ['campaign', 'zone', 'website']) {
        cases.push([buyer, { side, [name]: unknown }], [seller, { side, [name]: unknown }]);
      }
    }
    for (const [client, query] of cases) {
      const answers = [
        (await client.get(address('series', { ...day, step: 'day', ...query }))).status,
        (await client.get(address('breakdown', { ...day, by: 'zone', ...query }))).status,
      ];
      expect([query, answers]).toEqual([query, [404, 404]]);
    }
  });

  it('STAT-04 STAT-09 a campaign says where it ran and what it shows', async () => {
    const { buyer, ads, elsewhere } = market;
    const rows = await breakdown(buyer, { ...day, side: 'buyer', by: 'campaign' });
    const creative = { adType: 'text', imageUrl: null, videoUrl: null, status: 'active' };
    // Seen as often and paid alike: the newer one first.
    expect(rows).toEqual([
      {
        publicId: elsewhere.ad.publicId,
        name: elsewhere.ad.title,
        place: 'Herald, Sidebar',
        creative,
        impressions: 10,
        clicks: 4,
        amount: '100.00',
      },
      {
        publicId: ads[0].publicId,
        name: 'First',
        place: 'Gazette, Top',
        creative,
        impressions: 10,
        clicks: 1,
        amount: '100.00',
      },
    ]);
  });

  it('STAT-04 zones and websites add up their campaigns, most seen first; what had nothing is left out', async () => {
    const { seller, website, zone, elsewhere } = market;
    expect(await breakdown(seller, { ...day, side: 'seller', by: 'zone' })).toEqual([
      {
        publicId: zone.publicId,
        name: 'Top',
        place: 'Gazette',
        creative: null,
        impressions: 40,
        clicks: 3,
        amount: '170.00',
      },
      {
        publicId: elsewhere.zone.publicId,
        name: 'Sidebar',
        place: 'Herald',
        creative: null,
        impressions: 10,
        clicks: 4,
        amount: '85.00',
      },
    ]);
    expect(await breakdown(seller, { ...day, side: 'seller', by: 'website' })).toMatchObject([
      { publicId: website.publicId, name: 'Gazette', place: null, creative: null, impressions: 40 },
      { name: 'Herald', impressions: 10 },
    ]);
    const empty = { from: '2026-05-05', to: '2026-05-06', side: 'seller', by: 'zone' };
    expect(await breakdown(seller, empty)).toEqual([]);
  });

  it('STAT-04 comes in pages that miss nothing and repeat nothing, also where all is alike', async () => {
    const { seller } = market;
    const all = await breakdown(seller, { ...day, side: 'seller', by: 'campaign' });
    const seen: string[] = [];
    let path: string | undefined = address('breakdown', { ...day, side: 'seller', by: 'campaign', limit: 1 });
    let pages = 0;
    for (; path; pages++) {
      const answer = await seller.get(path);
      seen.push(...(answer.body as BreakdownRow[]).map(({ publicId }) => publicId));
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(all.map(({ publicId }) => publicId));
    for (const cursor of [
      'x',
      Buffer.from('1,2').toString('base64url'),
      Buffer.from('1,2,-3').toString('base64url'),
    ]) {
      const query = { ...day, side: 'seller', by: 'campaign', cursor };
      expect((await seller.get(address('breakdown', query))).status).toBe(400);
    }
  });

  it('STAT-02 STAT-04 a deleted zone and a deleted account leave the figures of the other side right', async () => {
    const [seller, buyer] = await pair();
    const zone = await makeZone(seller, await makeWebsite(seller), { name: 'Gone' });
    const ad = await makeAd(buyer, await makeProduct(seller, zone, { duration: 60 }));
    await approve(seller, ad);
    await pay(buyer, ad);
    await count(ad, '2026-05-04T11:00:00Z', 9, 2);
    await sql`update ads set status = 'completed' where id = ${ad.id}`.execute(server.ctx.db);
    expect((await seller.delete(`/api/ad-zones/${zone.id}`)).status).toBe(200);
    const zones = { ...day, side: 'seller', by: 'zone' };
    expect(await breakdown(seller, zones)).toMatchObject([{ name: 'Gone', impressions: 9, amount: '85.00' }]);
    expect((await seller.delete('/api/user/account')).status).toBe(200);
    const campaigns = { ...day, side: 'buyer', by: 'campaign' };
    expect(await breakdown(buyer, { ...campaigns, zone: zone.publicId })).toMatchObject([
      { place: 'The Daily Slot, Gone', impressions: 9, clicks: 2, amount: '100.00' },
    ]);
  });
});

describe('what is asked', () => {
  it('STAT-01 STAT-04 visitors are refused', async () => {
    const query = { side: 'buyer', from: '2026-03-02', to: '2026-03-02', step: 'day', by: 'zone' };
    for (const call of ['series', 'breakdown']) {
      expect((await server.anyone().get(address(call, query))).status).toBe(401);
    }
  });

  it.each([
    [{ from: '2026-03-03', to: '2026-03-02' }, 'The first day must not come after the last day'],
    [{ from: '1999-12-31' }, 'Please choose days from 2000 to 2199'],
    [{ to: '2200-01-01' }, 'Please choose days from 2000 to 2199'],
    [{ to: '9999-12-31' }, 'Please choose days from 2000 to 2199'],
    [{ from: '0000-01-01' }, 'Please choose days from 2000 to 2199'],
    [{ from: '2026-02-30' }, undefined],
    [{ from: '' }, undefined],
    [{ side: 'owner' }, undefined],
    [{ campaign: '7' }, undefined],
  ])('STAT-01 STAT-04 %j is 400', async (wrong, message) => {
    const buyer = await server.signIn('buyer');
    const query = {
      side: 'buyer',
      from: '2026-03-02',
      to: '2026-03-02',
      step: 'month',
      by: 'zone',
      ...wrong,
    };
    for (const call of ['series', 'breakdown']) {
      const answer = await buyer.get(address(call, query));
      expect(answer.status).toBe(400);
      if (message !== undefined) expect(answer.body.message).toBe(message);
    }
  });

  it('STAT-01 more than 400 buckets are 400, and say what helps', async () => {
    const buyer = await server.signIn('buyer');
    const ask = (query: Query) => buyer.get(address('series', { side: 'buyer', ...query }));
    for (const [step, last, beyond] of [
      ['day', '2026-02-04', '2026-02-05'],
      // 1 January 2025 is a Wednesday: its week begins in 2024.
      ['week', '2032-08-29', '2032-08-30'],
      ['month', '2058-04-30', '2058-05-01'],
    ] as const) {
      const full = await ask({ from: '2025-01-01', to: last, step });
      expect([step, full.status, full.body.buckets?.length]).toEqual([step, 200, 400]);
      const tooMany = await ask({ from: '2025-01-01', to: beyond, step });
      expect([tooMany.status, tooMany.body.message]).toEqual([
        400,
        `Please choose fewer days or longer steps: at most 400 ${step}s can be shown`,
      ]);
    }
  });
});
