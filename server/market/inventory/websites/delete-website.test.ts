import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product, Website } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { png } from '#server/testing/pictures.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

const remove = async ({ publicId }: Website, client = seller) =>
  await client.delete(`/api/websites/${publicId}`);
const myWebsites = async () => (await seller.get('/api/websites/my')).body as Website[];
const complete = async ({ id }: Ad) =>
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', id).execute();

async function pricedSite(name = 'The Daily Slot'): Promise<{ website: Website; product: Product }> {
  const website = await makeWebsite(seller, { name });
  return { website, product: await makeProduct(seller, await makeZone(seller, website)) };
}

describe('deleting a website', () => {
  it('takes it from every list with its zones, and its address can be registered again', async () => {
    const { website, product } = await pricedSite('Gone soon');
    await seller.put(`/api/websites/${website.id}/picture`, new Uint8Array(await png()), {
      'content-type': 'image/png',
    });
    const count = async () => Number((await seller.get('/api/analytics/active-ad-zones')).body.count);
    const before = await count();
    const [zone] = (await seller.get(`/api/websites/${website.id}/ad-zones`)).body;
    expect(await remove(website)).toMatchObject({ status: 200, body: { success: true } });
    expect((await myWebsites()).map(({ id }) => id)).not.toContain(website.id);
    expect(await count()).toBe(before - 1);
    const paths = [
      `/api/websites/${website.publicId}`,
      `/api/websites/${website.id}/ad-zones`,
      `/api/websites/${website.id}/verification`,
      `/api/websites/${website.id}/ads-txt`,
      `/api/ad-zones/${product.adZoneId}/products`,
    ];
    for (const client of [seller, buyer])
      for (const path of paths.slice(0, client === buyer ? 2 : undefined))
        expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    expect((await buyer.get('/api/websites?search=gone%20soon')).body).toEqual([]);
    await server.app.refreshDelivery();
    const served = await fetch(`${server.url}/api/serve/ads?z=${zone.publicId}`);
    expect(await served.text()).not.toContain('create-ad');

    const changes = [
      await seller.patch(`/api/websites/${website.id}`, { isActive: true }),
      await seller.post('/api/ad-zones', {
        websiteId: website.id,
        name: 'Z',
        zoneType: 'banner',
        width: 1,
        height: 1,
      }),
      await seller.patch(`/api/ad-zones/${product.adZoneId}`, { isActive: true }),
      await seller.patch(`/api/ad-zone-products/${product.id}`, { isActive: true }),
      await seller.delete(`/api/websites/${website.id}/picture`),
      await remove(website),
    ];
    expect(changes.map(({ status }) => status)).toEqual(Array(changes.length).fill(404));

    const again = await makeWebsite(seller, { url: website.url });
    expect(again).toMatchObject({ url: website.url, isActive: true });
    expect(again.id).not.toBe(website.id);
  });

  it('is for its owner: others get 404, advertisers 403 and visitors 401', async () => {
    const { website } = await pricedSite();
    expect((await remove(website, await server.signIn('seller'))).status).toBe(404);
    expect((await remove(website, buyer)).status).toBe(403);
    expect((await remove(website, server.anyone())).status).toBe(401);
    expect((await seller.delete('/api/websites/999999')).status).toBe(404);
    expect((await seller.delete('/api/websites/x')).status).toBe(404);
    expect((await seller.get(`/api/websites/${website.id}`)).status).toBe(200);
  });

  it('is refused while ads are open, names them, says what to do and changes nothing', async () => {
    const { website, product } = await pricedSite();
    const ads = [];
    for (const title of ['One', 'Two', 'Three', 'Four']) ads.push(await makeAd(buyer, product, { title }));
    await approve(seller, ads[0]!);
    const answer = await remove(website);
    expect(answer).toMatchObject({
      status: 409,
      body: {
        message:
          'This website has 4 open ads: “Two” (pending), “Three” (pending), “Four” (pending), 1 more. Approve or reject pending ads. Approved ads can be paid for until their approvals expire. Hide the website to stop selling now.',
      },
    });
    const live = await makeLiveAd(seller, buyer);
    expect((await remove(live.website)).body.message).toMatch(
      'This website has an open ad: “Fresh coffee, delivered” (active). Active campaigns have to complete.',
    );
    for (const { id } of [website, live.website])
      expect((await seller.get(`/api/websites/${id}/ad-zones`)).body).toHaveLength(1);
  });

  it('keeps the history of both sides, where the name says that it is archived', async () => {
    const { website, ad } = await makeLiveAd(seller, buyer, { website: { name: 'Old Times' } });
    await complete(ad);
    const sums = async () => [
      (await seller.get('/api/analytics/earnings')).body,
      (await buyer.get('/api/analytics/spending')).body,
      (await seller.get('/api/analytics/transactions')).body.length,
    ];
    const before = await sums();
    expect((await remove(website)).status).toBe(200);
    expect(await sums()).toEqual(before);
    const name = 'Old Times (archived)';
    expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({
      status: 'completed',
      websiteName: name,
    });
    const rows = (await seller.get('/api/analytics/transactions')).body as {
      id: number;
      websiteName: string;
    }[];
    expect(rows.find(({ id }) => id === ad.id)?.websiteName).toBe(name);
    expect((await buyer.get(`/api/ads/${ad.publicId}/ledger`)).status).toBe(200);
    expect((await seller.post('/api/user/export-data')).body.transactions).toContainEqual(
      expect.objectContaining({ websiteName: name }),
    );
    const day = new Date().toISOString().slice(0, 10);
    const range = `side=seller&from=${day}&to=${day}`;
    expect((await seller.get(`/api/analytics/breakdown?${range}&by=website`)).status).toBe(200);
  });

  it('leaves a rejected ad that cannot be submitted again', async () => {
    const { website, product } = await pricedSite();
    const ad = await makeAd(buyer, product);
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });
    expect((await remove(website)).status).toBe(200);
    const again = await buyer.put(`/api/ads/${ad.id}`, {
      title: 'New',
      description: 'D',
      targetUrl: 'https://a.test',
    });
    expect(again).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('no longer available') },
    });
  });

  it('has one winner against a submission at the same moment', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const { website, product } = await pricedSite();
      const submission = {
        adZoneId: product.adZoneId,
        productId: product.id,
        adType: 'text',
        title: 'Just in time',
        description: 'Submitted while the website goes away.',
        targetUrl: 'https://coffee.example',
      };
      // Each side begins first in every second round.
      const calls = [() => remove(website), () => buyer.post('/api/ads', submission)];
      const answers = await Promise.all((round % 2 ? calls.toReversed() : calls).map((call) => call()));
      const [deleted, submitted] = round % 2 ? answers.toReversed() : answers;
      outcomes.add(`${deleted?.status} ${submitted?.status}`);
      const open = await server.ctx.db
        .selectFrom('ads')
        .select('id')
        .where('adZoneId', '=', product.adZoneId)
        .where('status', '=', 'pending')
        .execute();
      expect(open).toHaveLength(deleted?.status === 200 ? 0 : 1);
    }
    for (const outcome of outcomes) expect(['200 400', '409 201']).toContain(outcome);
  });

  it('happens once for ten calls at the same moment, also while zones are added', async () => {
    const { website } = await pricedSite();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_each, n) =>
        n % 2
          ? remove(website)
          : seller.post('/api/ad-zones', {
              websiteId: website.id,
              name: 'Z',
              zoneType: 'custom',
              width: 9,
              height: 9,
            }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 201, 404].includes(status))).toBe(true);
    const zones = await server.ctx.db
      .selectFrom('adZones')
      .select('id')
      .where('websiteId', '=', website.id)
      .where('deletedAt', 'is', null)
      .execute();
    expect(zones).toEqual([]);
  });
});
