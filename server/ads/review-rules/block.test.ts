/** A publisher takes no more ads of an advertiser. */
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { BlockedAdvertiser } from '#domain/ads/block-contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { email: 'blocked@example.test' });
});

const makeOption = async (who = seller) =>
  await makeProduct(
    who,
    await makeZone(who, await makeWebsite(who, { url: `https://${crypto.randomUUID()}.example` })),
  );
const orderOf = (product: Product) => ({
  adZoneId: product.adZoneId,
  productId: product.id,
  adType: 'text',
  title: 'T',
  description: 'D',
  targetUrl: 'https://coffee.example/',
});
const statusOf = async (ad: Ad): Promise<string> => (await buyer.get(`/api/ads/${ad.id}`)).body.status;
const block = async (ad: Ad, who = seller) => await who.post('/api/blocked-advertisers', { ad: ad.publicId });
const REFUSAL = {
  status: 409,
  body: { reason: 'blocked', message: expect.stringContaining('doesn’t take your ads') },
};

it('refuses all submissions of a blocked advertiser, rejects what waits, and lets paid ads run on', async () => {
  const [here, there, elsewhere] = [
    await makeOption(),
    await makeOption(),
    await makeOption(await server.signIn('seller')),
  ];
  const { ad: running } = await makeLiveAd(seller, buyer);
  const [one, two, other] = [
    await makeAd(buyer, here),
    await makeAd(buyer, there),
    await makeAd(buyer, elsewhere),
  ];
  const approved = await approve(seller, await makeAd(buyer, here));
  const rejected = await makeAd(buyer, here);
  await seller.put(`/api/ads/${rejected.id}/reject`, { rejectionReason: 'No' });
  await seller.put(`/api/ads/${(await makeAd(buyer, here)).id}/approve`, { version: 1, trust: true });

  expect((await block(one, await server.signIn('seller'))).status).toBe(404);
  expect(await block(one)).toMatchObject({ status: 200, body: { success: true, rejected: 2 } });
  expect(await block(one)).toMatchObject({ status: 200, body: { rejected: 0 } });
  expect(await Promise.all([one, two, other, approved, running].map(statusOf))).toEqual([
    'rejected',
    'rejected',
    'pending',
    'approved',
    'active',
  ]);
  const mails = (await mailTo(server.ctx, 'blocked@example.test')).filter(
    ({ kind }) => kind === 'ad-rejected',
  );
  expect(mails.filter(({ text }) => text.includes('doesn’t take your ads'))).toHaveLength(2);
  expect((await seller.get('/api/trusted-advertisers')).body).toEqual([]);

  for (const product of [here, there])
    expect(await buyer.post('/api/ads', orderOf(product))).toMatchObject(REFUSAL);
  const { adZoneId, productId, ...creative } = orderOf(there);
  const plan = { requestId: crypto.randomUUID(), name: 'P', creative, placements: [{ adZoneId, productId }] };
  expect((await buyer.post('/api/plans', plan)).status).toBe(409);
  const content = { title: 'Anew', description: 'D', targetUrl: 'https://coffee.example/' };
  expect(await buyer.put(`/api/ads/${rejected.id}`, content)).toMatchObject(REFUSAL);
  expect(await buyer.post(`/api/ads/${running.publicId}/variants`, content)).toMatchObject(REFUSAL);
  expect((await buyer.post('/api/ads', orderOf(elsewhere))).status).toBe(201);

  const list = (await seller.get('/api/blocked-advertisers')).body as BlockedAdvertiser[];
  expect(list).toMatchObject([{ since: expect.any(String) }]);
  expect(JSON.stringify(list)).not.toContain('blocked@example.test');
  expect((await buyer.get('/api/blocked-advertisers')).body).toEqual([]);
  const path = `/api/blocked-advertisers/${list[0]!.id}`;
  expect((await (await server.signIn('seller')).delete(path)).status).toBe(404);
  expect((await seller.delete(path)).status).toBe(200);
  expect((await seller.delete(path)).status).toBe(404);
  expect((await buyer.put(`/api/ads/${rejected.id}`, content)).status).toBe(200);
});

it('lets no submission slip through that is sent at the same time', async () => {
  const product = await makeOption();
  for (let round = 0; round < 5; round++) {
    const advertiser = await server.signIn('buyer');
    const first = await makeAd(advertiser, product);
    await Promise.all([
      ...Array.from({ length: 6 }, () => advertiser.post('/api/ads', orderOf(product))),
      block(first),
    ]);
    const ads = (await advertiser.get('/api/ads/my')).body as Ad[];
    expect(ads.filter(({ status }) => status !== 'rejected')).toEqual([]);
  }
});
