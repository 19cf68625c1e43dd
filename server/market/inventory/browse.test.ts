import { beforeAll, describe, expect, it } from 'vitest';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller', { email: 'secret-seller@example.test' });
  buyer = await server.signIn('buyer');
});

/** Returns all websites that the search finds, from all of its pages. */
async function search(query: Record<string, string>): Promise<MarketplaceWebsite[]> {
  const found: MarketplaceWebsite[] = [];
  let path: string | undefined = `/api/websites?${new URLSearchParams(query).toString()}`;
  while (path) {
    const answer = await buyer.get(path);
    expect(answer.status).toBe(200);
    found.push(...answer.body);
    path = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return found;
}

const names = (websites: { name: string }[]) => websites.map(({ name }) => name);

describe('the marketplace', () => {
  // Proves API-47, GEN-09, ROLE-12
  it('lists active websites of every publisher, newest first, without the owner', async () => {
    const other = await server.signIn('both');
    const first = await makeWebsite(seller, { name: 'api47 first', monthlyVisitors: 1234 });
    const second = await makeWebsite(other, { name: 'api47 second' });
    await makeWebsite(other, { name: 'api47 hidden', isActive: false });

    const found = await search({ search: 'api47' });
    const unsold = { adTypes: [], lowestPrice: null, lowestOffer: null, costPerThousand: null, sizes: [] };
    expect(found).toEqual([
      { ...second, ...unsold, forecast: null },
      { ...first, ...unsold, forecast: null },
    ]);
    const answer = await buyer.get('/api/websites?search=api47');
    expect(answer.text).not.toMatch(/userId|email|secret-seller/);
    expect(await server.anyone().get('/api/websites')).toMatchObject({
      status: 401,
      body: { message: 'Unauthorized' },
    });
  });

  // Proves OP-081, MKT-12
  it('shows twelve websites a page and each website once, even if others are added in the meantime', async () => {
    for (let n = 0; n < 25; n++) await makeWebsite(seller, { name: `op081 number ${n}` });
    const first = await buyer.get('/api/websites?search=op081');
    expect(first.body).toHaveLength(12);
    const next = /^<(\/api\/websites\?.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toContain('search=op081');
    await makeWebsite(seller, { name: 'op081 newcomer' });
    const second = await buyer.get(next);
    expect(names(second.body)).toEqual(Array.from({ length: 12 }, (_, n) => `op081 number ${12 - n}`));

    expect(await search({ search: 'op081', limit: '5' })).toHaveLength(26);
    const whole = await buyer.get('/api/websites?search=op081&limit=100');
    expect(whole.headers.get('link')).toBeNull();
  });

  // Proves OP-108
  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=!!', 'cursor=bm90', 'category=All', 'traffic=huge'])(
    'refuses ?%s',
    async (query) => {
      const answer = await buyer.get(`/api/websites?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBeTruthy();
    },
  );

  it('refuses an unknown order with the known ones, and a cursor of another order', async () => {
    expect(await buyer.get('/api/websites?sort=cheapest')).toMatchObject({
      status: 400,
      body: { message: 'Sort by one of: views, price, ctr, newest, name' },
    });
    const cursors = {
      one: [7],
      two: [7, 7],
      name: ['7', 'name'],
      null: ['7', 'a\0b'],
      big: ['9999999999', 'a'],
    };
    const encoded = Object.fromEntries(
      Object.entries(cursors).map(([name, keys]) => [
        name,
        Buffer.from(keys.join(',')).toString('base64url'),
      ]),
    );
    for (const [sort, cursor] of [
      ['views', 'one'],
      ['newest', 'two'],
      ['price', 'name'],
      ['name', 'one'],
      ['name', 'null'],
      ['name', 'big'],
    ] as const) {
      const answer = await buyer.get(`/api/websites?sort=${sort}&cursor=${encoded[cursor]}`);
      expect([sort, cursor, answer.status]).toEqual([sort, cursor, 400]);
    }
  });

  // Proves MKT-01, OP-080
  it('searches name, description and url, ignoring case', async () => {
    await makeWebsite(seller, { name: 'Op080 In Name' });
    await makeWebsite(seller, { name: 'two', description: 'All about OP080 and more' });
    await makeWebsite(seller, { name: 'three', url: 'https://oP080.example' });
    expect(names(await search({ search: 'oP080' }))).toEqual(['three', 'two', 'Op080 In Name']);
    expect(names(await search({ search: ' op080 in ' }))).toEqual(['Op080 In Name']);
    expect(await search({ search: 'op080 nothing' })).toEqual([]);
  });

  // Proves OP-080
  it('finds the text as typed, even with characters that are special in SQL', async () => {
    await makeWebsite(seller, { name: String.raw`100% like_this back\slash 'quoted'` });
    await makeWebsite(seller, { name: '100x likeXthis' });
    for (const typed of ['100%', 'like_', String.raw`k\s`, "'quoted'", '%', '_', '\\']) {
      expect(names(await search({ search: typed }))).toEqual([
        String.raw`100% like_this back\slash 'quoted'`,
      ]);
    }
  });

  // Proves MKT-03, OP-077
  it('filters by traffic level', async () => {
    for (const monthlyVisitors of [50_000, 49_999, 10_000, 9999, 0]) {
      await makeWebsite(seller, { name: `mkt03 ${monthlyVisitors}`, monthlyVisitors });
    }
    const of = async (traffic: string) => names(await search({ search: 'mkt03', traffic }));
    expect(await of('high')).toEqual(['mkt03 50000']);
    expect(await of('medium')).toEqual(['mkt03 10000', 'mkt03 49999']);
    expect(await of('low')).toEqual(['mkt03 0', 'mkt03 9999']);
  });

  // Proves MKT-02, OP-076, OP-080
  it('filters by category, together with the other filters', async () => {
    await makeWebsite(seller, { name: 'mkt02 a', category: 'Health', monthlyVisitors: 60_000 });
    await makeWebsite(seller, { name: 'mkt02 b', category: 'Health' });
    await makeWebsite(seller, { name: 'mkt02 c', category: 'Food', monthlyVisitors: 60_000 });
    expect(names(await search({ search: 'mkt02', category: 'Health' }))).toEqual(['mkt02 b', 'mkt02 a']);
    expect(names(await search({ search: 'mkt02', category: 'Health', traffic: 'high' }))).toEqual([
      'mkt02 a',
    ]);
    expect(names(await search({ search: 'mkt02' }))).toHaveLength(3);
  });

  // Proves MKT-09, OP-079
  it('shows which ad types can be bought now', async () => {
    const website = await makeWebsite(seller, { name: 'op079' });
    const zone = await makeZone(seller, website);
    const paused = await makeZone(seller, website);
    await makeProduct(seller, zone, { adType: 'video' });
    await makeProduct(seller, zone, { adType: 'text' });
    await makeProduct(seller, zone, { adType: 'text', price: '5' });
    await makeProduct(seller, zone, { adType: 'image', isActive: false });
    await makeProduct(seller, paused, { adType: 'image' });
    await seller.patch(`/api/ad-zones/${paused.id}`, { isActive: false });

    expect((await search({ search: 'op079' }))[0]?.adTypes).toEqual(['text', 'video']);
    expect((await buyer.get(`/api/websites/${website.publicId}`)).body.adTypes).toEqual(['text', 'video']);
    await seller.patch(`/api/ad-zones/${paused.id}`, { isActive: true });
    expect((await search({ search: 'op079' }))[0]?.adTypes).toEqual(['image', 'text', 'video']);
  });

  // Proves MKT-09
  it('shows the lowest price and the zone sizes that can be bought now', async () => {
    const website = await makeWebsite(seller, { name: 'mkt09 priced' });
    const wide = await makeZone(seller, website, { width: 728, height: 90 });
    const square = await makeZone(seller, website, { width: 300, height: 250 });
    const unsold = await makeZone(seller, website, { width: 160, height: 600 });
    const paused = await makeZone(seller, website, { width: 970, height: 250 });
    await makeProduct(seller, square, { price: '9.50' });
    await makeProduct(seller, square, { price: '100.00', adType: 'image' });
    await makeProduct(seller, wide, { price: '20.00' });
    await makeProduct(seller, unsold, { price: '1.00', isActive: false });
    await makeProduct(seller, paused, { price: '2.00' });
    await seller.patch(`/api/ad-zones/${paused.id}`, { isActive: false });
    expect((await search({ search: 'mkt09 priced' }))[0]).toMatchObject({
      lowestPrice: '9.50',
      sizes: [
        { width: 728, height: 90 },
        { width: 300, height: 250 },
      ],
    });
  });

  // Proves OP-080
  it('shows that a website is verified', async () => {
    const website = await makeWebsite(seller, { name: 'verified site' });
    expect(website.isVerified).toBe(false);
    await server.ctx.db
      .updateTable('websites')
      .set({ verifiedAt: new Date() })
      .where('id', '=', website.id)
      .execute();
    expect((await search({ search: 'verified site' }))[0]?.isVerified).toBe(true);
  });
});

describe('visibility', () => {
  // Proves API-48, ENT-14
  it('lists only the publisher’s own websites under ‘my’', async () => {
    const owner = await server.signIn('seller');
    const active = await makeWebsite(owner, { name: 'mine' });
    const inactive = await makeWebsite(owner, { name: 'mine too', isActive: false });
    const answer = await owner.get('/api/websites/my');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([active, inactive]);
    expect((await buyer.get('/api/websites/my')).body).toEqual([]);
    expect((await server.anyone().get('/api/websites/my')).status).toBe(401);
  });

  // Proves API-49, OP-068
  it('shows a website’s active zones to everyone, and inactive ones only to its owner', async () => {
    const website = await makeWebsite(seller);
    const active = await makeZone(seller, website, { name: 'active' });
    const paused = await makeZone(seller, website, { name: 'paused', isActive: false });
    for (const ref of [website.publicId, website.publicId.toUpperCase(), String(website.id)]) {
      expect((await buyer.get(`/api/websites/${ref}/ad-zones`)).body).toEqual([active]);
      expect((await seller.get(`/api/websites/${ref}/ad-zones`)).body).toEqual([active, paused]);
    }
    for (const ref of [UNKNOWN, '999999', '0', 'x', '99999999999', "1'--", '%00']) {
      const answer = await buyer.get(`/api/websites/${encodeURIComponent(ref)}/ad-zones`);
      expect(answer.status).toBe(404);
      expect(answer.body.message).toBeTruthy();
    }
    expect((await server.anyone().get(`/api/websites/${website.publicId}/ad-zones`)).status).toBe(401);
  });

  // Proves ZONE-02, API-49
  it('shows a zone’s cheapest option of each ad type, and when its tag was last seen', async () => {
    const website = await makeWebsite(seller);
    const zone = await makeZone(seller, website);
    expect(zone).toMatchObject({ offers: [], tagSeenAt: null });
    await makeProduct(seller, zone, { adType: 'video', price: '40.00', duration: 3 });
    await makeProduct(seller, zone, { adType: 'text', price: '30.00' });
    const plan = { pricingModel: 'per_click', clicks: 100, duration: null };
    await makeProduct(seller, zone, { adType: 'text', price: '4.00', ...plan });
    await makeProduct(seller, zone, { adType: 'text', price: '1.00', isActive: false });
    const offers = [
      { adType: 'text', price: '4.00', ...plan, impressions: null, optionCount: 2 },
      {
        adType: 'video',
        price: '40.00',
        pricingModel: 'per_day',
        duration: 3,
        impressions: null,
        clicks: null,
        optionCount: 1,
      },
    ];
    const seen = '2026-03-01T10:00:00.000Z';
    await server.ctx.db.updateTable('adZones').set({ tagSeenAt: seen }).where('id', '=', zone.id).execute();
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      offers,
      tagSeenAt: seen,
    });
    const listed = (await buyer.get(`/api/websites/${website.publicId}/ad-zones`)).body;
    expect(listed).toMatchObject([{ offers, tagSeenAt: seen }]);
  });

  // Proves API-50, OP-068
  it('shows a zone’s active pricing options to everyone, and withdrawn ones only to its owner', async () => {
    const zone = await makeZone(seller, await makeWebsite(seller));
    const active = await makeProduct(seller, zone);
    const withdrawn = await makeProduct(seller, zone, { adType: 'image', isActive: false });
    for (const ref of [zone.publicId, String(zone.id)]) {
      expect((await buyer.get(`/api/ad-zones/${ref}/products`)).body).toEqual([active]);
      expect((await seller.get(`/api/ad-zones/${ref}/products`)).body).toEqual([active, withdrawn]);
    }
    expect((await buyer.get(`/api/ad-zones/${UNKNOWN}/products`)).status).toBe(404);
    expect((await server.anyone().get(`/api/ad-zones/${zone.publicId}/products`)).status).toBe(401);
  });

  // Proves OP-068, OP-038
  it('answers 404 for inactive websites and zones, except to their owner', async () => {
    const website = await makeWebsite(seller, { isActive: false });
    const zone = await makeZone(seller, website);
    const pausedZone = await makeZone(seller, await makeWebsite(seller), { isActive: false });
    const paths = [
      `/api/websites/${website.publicId}`,
      `/api/websites/${website.publicId}/ad-zones`,
      `/api/ad-zones/${zone.publicId}/products`,
      `/api/ad-zones/${pausedZone.publicId}/products`,
    ];
    for (const path of paths) {
      expect((await buyer.get(path)).status).toBe(404);
      expect((await seller.get(path)).status).toBe(200);
    }
  });
});
