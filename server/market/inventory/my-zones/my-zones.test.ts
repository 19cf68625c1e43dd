import { beforeAll, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});

it('names the paid ads of each own zone in pages, by business or name, and no ad that is not paid', async () => {
  const { ad, zone, product, website } = await makeLiveAd(seller, buyer, { ad: { title: 'Coffee' } });
  await makeAd(buyer, product);
  const free = await makeZone(seller, website);
  const later = await makeZone(seller, await makeWebsite(seller));
  const own = (path = '/api/ad-zones/overview') => seller.get(path);

  expect((await own()).body).toEqual([
    {
      id: zone.id,
      publicId: zone.publicId,
      websitePublicId: website.publicId,
      running: 1,
      ads: [{ publicId: ad.publicId, title: 'Coffee', advertiser: 'Ann Bell', endDate: ad.endDate }],
    },
    expect.objectContaining({ publicId: free.publicId, running: 0, ads: [] }),
    expect.objectContaining({ publicId: later.publicId, running: 0 }),
  ]);
  await buyer.patch('/api/user/settings', { businessName: 'Kestrel' });
  expect((await own()).body[0].ads[0].advertiser).toBe('Kestrel');

  const first = await own('/api/ad-zones/overview?limit=2');
  expect(first.body).toHaveLength(2);
  const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] as string;
  expect((await own(next)).body).toMatchObject([{ publicId: later.publicId }]);
  expect((await own('/api/ad-zones/overview?cursor=x')).status).toBe(400);
  expect((await (await server.signIn('seller')).get('/api/ad-zones/overview')).body).toEqual([]);
});

it('says what similar zones of other publishers ask, and nothing about fewer than three of them', async () => {
  const size = { width: 333, height: 111, zoneType: 'custom' };
  const website = { category: 'Food' };
  const mine = await makeZone(seller, await makeWebsite(seller, website), size);
  const ask = () => seller.get(`/api/ad-zones/${mine.publicId}/price-suggestion`);
  const offer = async (publisher: Client, price: string, zones: number) => {
    const site = await makeWebsite(publisher, website);
    for (let n = 0; n < zones; n++)
      await makeProduct(publisher, await makeZone(publisher, site, size), {
        price,
        pricingModel: 'per_day',
        duration: 2,
      });
  };
  // The publisher's own prices say nothing.
  await offer(seller, '99.00', 5);
  await offer(await server.signIn('seller'), '4.00', 3);
  await offer(await server.signIn('seller'), '8.00', 3);
  expect((await ask()).body).toEqual({ commissionPercent: 15, similar: [] });
  await offer(await server.signIn('seller'), '16.00', 1);
  expect((await ask()).body.similar).toEqual([
    {
      model: 'per_day',
      similarity: 'size_and_category',
      zones: 7,
      publishers: 3,
      low: '3.00',
      high: '6.00',
      median: '4.00',
      paid: null,
    },
  ]);
  const stranger = await server.signIn('seller');
  expect((await stranger.get(`/api/ad-zones/${mine.publicId}/price-suggestion`)).status).toBe(404);
  expect((await buyer.get(`/api/ad-zones/${mine.publicId}/price-suggestion`)).status).toBe(403);
});
