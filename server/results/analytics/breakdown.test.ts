/** Ownership, filters and breakdowns of the figures. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { BreakdownRow } from '#domain/analytics/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { addressOf, breakdownOf, countAt, type Query, seriesOf, sumOf } from '#server/testing/figures.ts';
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

const server = useOwnServer({ start: new Date('2026-03-02T12:00:00Z') });

const pair = async () => [await server.signIn('seller'), await server.signIn('buyer')] as const;

/** 100 views for $100, of which the publisher earns $85. */
const VIEWS = { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' };

/** A publisher with two websites and three zones, two advertisers with campaigns there, and an unrelated user. */
async function makeMarket() {
  const [seller, buyer] = await pair();
  const other = await server.signIn('buyer');
  const stranger = await server.signIn('both');
  const website = await makeWebsite(seller, { name: 'Gazette' });
  const zone = await makeZone(seller, website, { name: 'Top' });
  const bare = await makeZone(seller, website, { name: 'Bottom' });
  const product = await makeProduct(seller, zone, VIEWS);
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
    product: VIEWS,
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
    await countAt(server.ctx, first, '2026-05-04T10:00:00Z', 10, 1);
    await countAt(server.ctx, second, '2026-05-04T10:00:00Z', 30, 2);
    await countAt(server.ctx, market.elsewhere.ad, '2026-05-04T10:00:00Z', 10, 4);
  });

  it('narrow the series and the breakdown by each filter, on both sides', async () => {
    const { seller, buyer, website, zone, bare, ads, elsewhere } = market;
    const cases: [Client, Query, object][] = [
      [buyer, { side: 'buyer' }, { impressions: 20, clicks: 5, amount: '20.00', paid: '200.00' }],
      [
        buyer,
        { side: 'buyer', campaign: ads[0].publicId },
        { impressions: 10, clicks: 1, amount: '10.00', paid: '100.00' },
      ],
      [
        buyer,
        { side: 'buyer', zone: zone.publicId },
        { impressions: 10, clicks: 1, amount: '10.00', paid: '100.00' },
      ],
      [
        buyer,
        { side: 'buyer', website: elsewhere.website.publicId },
        { impressions: 10, clicks: 4, amount: '10.00', paid: '100.00' },
      ],
      [
        buyer,
        { side: 'buyer', campaign: ads[0].publicId, website: elsewhere.website.publicId },
        { impressions: 0, clicks: 0, amount: '0.00', paid: '0.00' },
      ],
      [seller, { side: 'seller' }, { impressions: 50, clicks: 7, amount: '42.50', paid: '255.00' }],
      [
        seller,
        { side: 'seller', campaign: ads[1].publicId },
        { impressions: 30, clicks: 2, amount: '25.50', paid: '85.00' },
      ],
      [
        seller,
        { side: 'seller', zone: zone.publicId },
        { impressions: 40, clicks: 3, amount: '34.00', paid: '170.00' },
      ],
      [
        seller,
        { side: 'seller', zone: bare.publicId },
        { impressions: 0, clicks: 0, amount: '0.00', paid: '0.00' },
      ],
      [
        seller,
        { side: 'seller', website: website.publicId },
        { impressions: 40, clicks: 3, amount: '34.00', paid: '170.00' },
      ],
    ];
    for (const [client, query, expected] of cases) {
      expect([query, sumOf((await seriesOf(client, { ...day, ...query })).buckets)]).toEqual([
        query,
        expected,
      ]);
      expect([query, sumOf(await breakdownOf(client, { ...day, ...query, by: 'zone' }))]).toEqual([
        query,
        expected,
      ]);
    }
  });

  it('accept the publisher’s own website even if it has no zones', async () => {
    const seller = await server.signIn('seller');
    const { publicId } = await makeWebsite(seller);
    expect(
      sumOf((await seriesOf(seller, { ...day, side: 'seller', website: publicId })).buckets).impressions,
    ).toBe(0);
  });

  it('answer 404 for unknown filters and for those of other users, for any role', async () => {
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
        (await client.get(addressOf('series', { ...day, step: 'day', ...query }))).status,
        (await client.get(addressOf('breakdown', { ...day, by: 'zone', ...query }))).status,
      ];
      expect([query, answers]).toEqual([query, [404, 404]]);
    }
  });

  it('show a campaign’s website, zone and creative', async () => {
    const { buyer, ads, elsewhere } = market;
    const rows = await breakdownOf(buyer, { ...day, side: 'buyer', by: 'campaign' });
    const creative = { adType: 'text', imageUrl: null, videoUrl: null, status: 'active' };
    // Both have the same impressions and amount, so the newer one comes first.
    expect(rows).toEqual([
      {
        publicId: elsewhere.ad.publicId,
        name: elsewhere.ad.title,
        place: 'Herald, Sidebar',
        creative,
        impressions: 10,
        clicks: 4,
        amount: '10.00',
        paid: '100.00',
        cpm: '1000.00',
        cpc: '2.50',
        ctr: 0.4,
      },
      {
        publicId: ads[0].publicId,
        name: 'First',
        place: 'Gazette, Top',
        creative,
        impressions: 10,
        clicks: 1,
        amount: '10.00',
        paid: '100.00',
        cpm: '1000.00',
        cpc: '10.00',
        ctr: 0.1,
      },
    ]);
  });

  it('add up campaigns by zone and website, most impressions first, and leave out those without figures', async () => {
    const { seller, website, zone, elsewhere } = market;
    expect(await breakdownOf(seller, { ...day, side: 'seller', by: 'zone' })).toEqual([
      {
        publicId: zone.publicId,
        name: 'Top',
        place: 'Gazette',
        creative: null,
        impressions: 40,
        clicks: 3,
        amount: '34.00',
        paid: '170.00',
        cpm: '850.00',
        cpc: '11.33',
        ctr: 0.075,
      },
      {
        publicId: elsewhere.zone.publicId,
        name: 'Sidebar',
        place: 'Herald',
        creative: null,
        impressions: 10,
        clicks: 4,
        amount: '8.50',
        paid: '85.00',
        cpm: '850.00',
        cpc: '2.13',
        ctr: 0.4,
      },
    ]);
    expect(await breakdownOf(seller, { ...day, side: 'seller', by: 'website' })).toMatchObject([
      { publicId: website.publicId, name: 'Gazette', place: null, creative: null, impressions: 40 },
      { name: 'Herald', impressions: 10 },
    ]);
    const empty = { from: '2026-05-05', to: '2026-05-06', side: 'seller', by: 'zone' };
    expect(await breakdownOf(seller, empty)).toEqual([]);
  });

  it('page without gaps or repeats, even when all figures are equal', async () => {
    const { seller } = market;
    const all = await breakdownOf(seller, { ...day, side: 'seller', by: 'campaign' });
    const seen: string[] = [];
    let path: string | undefined = addressOf('breakdown', {
      ...day,
      side: 'seller',
      by: 'campaign',
      limit: 1,
    });
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
      expect((await seller.get(addressOf('breakdown', query))).status).toBe(400);
    }
  });

  // Proves FIG-03
  it('keep the other side’s figures after a zone or an account is deleted', async () => {
    const [seller, buyer] = await pair();
    const zone = await makeZone(seller, await makeWebsite(seller), { name: 'Gone' });
    const ad = await makeAd(buyer, await makeProduct(seller, zone, { duration: 60 }));
    await approve(seller, ad);
    await pay(buyer, ad);
    await countAt(server.ctx, ad, '2026-05-04T11:00:00Z', 9, 2);
    // Earnings would keep the account from being deleted.
    await sql`update ads set status = 'completed', ended_reason = 'canceled' where id = ${ad.id}`.execute(
      server.ctx.db,
    );
    expect((await seller.delete(`/api/ad-zones/${zone.id}`)).status).toBe(200);
    const zones = { ...day, side: 'seller', by: 'zone' };
    expect(await breakdownOf(seller, zones)).toMatchObject([{ name: 'Gone', impressions: 9, paid: '85.00' }]);
    expect((await seller.delete('/api/user/account')).status).toBe(200);
    const campaigns = { ...day, side: 'buyer', by: 'campaign' };
    expect(await breakdownOf(buyer, { ...campaigns, zone: zone.publicId })).toMatchObject([
      { place: 'The Daily Slot, Gone', impressions: 9, clicks: 2, paid: '100.00' },
    ]);
  });
});
