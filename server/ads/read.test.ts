import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';
import { addDays, utcDay } from '#domain/time.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
let product: Product;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
});

const idsOf = (ads: Ad[]) => ads.map(({ id }) => id);

/** Follows the `next` links of the Link header and returns the ids of each page. */
async function readPages(client: Client, first: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let path: string | undefined = first; path;) {
    const answer = await client.get(path);
    expect(answer.status).toBe(200);
    pages.push(idsOf(answer.body));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return pages;
}

// Proves API-34, ENT-28, ENT-31
it('lists the advertiser’s own ads, newest first, and no one else’s', async () => {
  const [mine, older] = [await server.signIn('buyer'), await server.signIn('buyer')];
  const others = await makeAd(older, product);
  const ads = [await makeAd(mine, product), await makeAd(mine, product)];
  const answer = await mine.get('/api/ads/my');
  expect(idsOf(answer.body)).toEqual(idsOf(ads).toReversed());
  expect(idsOf(answer.body)).not.toContain(others.id);
  expect(answer.body[0]).toMatchObject({
    videoUrl: null,
    impressions: null,
    totalImpressions: 0,
    totalClicks: 0,
  });
  expect((await server.anyone().get('/api/ads/my')).status).toBe(401);
  expect((await (await server.signIn('buyer')).get('/api/ads/my')).body).toEqual([]);
});

// Proves API-34, API-35
it('pages through both lists with a cursor and keeps their order', async () => {
  const [publisher, mine] = [await server.signIn('seller'), await server.signIn('buyer')];
  const option = await makeProduct(publisher, await makeZone(publisher, await makeWebsite(publisher)));
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) ids.push((await makeAd(mine, option)).id);
  expect(await readPages(mine, '/api/ads/my?limit=2')).toEqual([
    [ids[4], ids[3]],
    [ids[2], ids[1]],
    [ids[0]],
  ]);
  expect(await readPages(publisher, '/api/ads/pending?limit=2')).toEqual([
    [ids[0], ids[1]],
    [ids[2], ids[3]],
    [ids[4]],
  ]);
  expect(await readPages(mine, '/api/ads/my')).toHaveLength(1);
});

describe('the lists of My Campaigns', () => {
  let mine: Client;
  beforeAll(async () => {
    mine = await server.signIn('buyer');
    const make = (title: string, more: object = {}) => makeAd(mine, product, { title, ...more });
    await make('Pending');
    await approve(seller, await make('Approved'));
    const rejected = await make('Rejected');
    await seller.put(`/api/ads/${rejected.id}/reject`, { rejectionReason: 'Too loud' });
    await mine.post(`/api/ads/${(await make('Withdrawn')).id}/withdraw`);
    await pay(mine, await approve(seller, await make('Running')));
    const startDate = addDays(utcDay(server.ctx.now()), 3);
    await pay(mine, await approve(seller, await make('Later', { startDate })));
    const canceled = await pay(mine, await approve(seller, await make('100% canceled')));
    const { refundAmount } = (await mine.get(`/api/ads/${canceled.id}/refund-quote`)).body;
    await mine.post(`/api/ads/${canceled.id}/cancel`, { refundAmount });
  });

  const titlesOf = async (query: string) =>
    ((await mine.get(`/api/ads/my?${query}`)).body as Ad[]).map(({ title }) => title);

  it('divide the ads into live, waiting and ended ones, and an ad of a later start is not live', async () => {
    expect(await titlesOf('list=live')).toEqual(['Running']);
    expect(await titlesOf('list=waiting')).toEqual(['Later', 'Rejected', 'Approved', 'Pending']);
    expect(await titlesOf('list=ended')).toEqual(['100% canceled', 'Withdrawn']);
    expect((await mine.get('/api/ads/my?list=all')).status).toBe(400);
    expect(await readPages(mine, '/api/ads/my?list=waiting&limit=3')).toHaveLength(2);
  });

  it('are counted as they are listed, without the ads of others', async () => {
    expect((await mine.get('/api/ads/my/counts')).body).toEqual({
      all: 7,
      active: 2,
      live: 1,
      waiting: 4,
      ended: 2,
    });
    expect((await (await server.signIn('buyer')).get('/api/ads/my/counts')).body).toMatchObject({ all: 0 });
  });

  it('are searched by title, website and ad zone, and a % is only a character', async () => {
    expect(await titlesOf('search=unn')).toEqual(['Running']);
    expect(await titlesOf('search=RUNN&list=ended')).toEqual([]);
    expect(await titlesOf('search=%25')).toEqual(['100% canceled']);
    expect(await titlesOf('search=daily%20slot&list=live')).toEqual(['Running']);
    expect(await titlesOf('search=')).toHaveLength(7);
  });
});

it('names the plan of an ad for its advertiser, and for nobody else', async () => {
  const mine = await server.signIn('buyer');
  const plan = await mine.post('/api/plans', {
    requestId: randomUUID(),
    name: 'Our secret launch',
    creative: { adType: 'text', title: 'Tea', description: 'Leaves.', targetUrl: 'https://tea.example' },
    placements: [{ adZoneId: product.adZoneId, productId: product.id }],
  });
  expect(plan.status).toBe(201);
  expect((await mine.get('/api/ads/my?search=secret')).body).toMatchObject([
    { title: 'Tea', planName: 'Our secret launch' },
  ]);
  const details = (await seller.get(`/api/ads/${plan.body.ads[0].id}/details`)).body;
  expect(details).toMatchObject({ title: 'Tea', planName: null });
});

// Proves API-34
it('answers 400 to an invalid limit or cursor', async () => {
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=OTk5OTk5OTk5OQ']) {
    expect((await buyer.get(`/api/ads/my?${query}`)).status).toBe(400);
  }
});

// Proves API-35
it('lists pending ads in the publisher’s own zones only, until they are reviewed', async () => {
  const other = await server.signIn('seller');
  const ad = await makeAd(buyer, product);
  expect(idsOf((await seller.get('/api/ads/pending')).body)).toContain(ad.id);
  expect((await other.get('/api/ads/pending')).body).toEqual([]);
  expect((await buyer.get('/api/ads/pending')).body).toEqual([]);
  expect((await server.anyone().get('/api/ads/pending')).status).toBe(401);
  await approve(seller, ad);
  expect(idsOf((await seller.get('/api/ads/pending')).body)).not.toContain(ad.id);
});

// Proves API-36, OP-046, OP-061
it('shows an ad’s details only to its publisher and its advertiser, by number and by uuid', async () => {
  const ad = await makeAd(buyer, product);
  for (const path of [`/api/ads/${ad.id}/details`, `/api/ads/${ad.publicId}/details`]) {
    for (const client of [seller, buyer]) {
      expect(await client.get(path)).toMatchObject({
        status: 200,
        body: {
          title: ad.title,
          userId: buyer.user.id,
          adZoneDescription: 'rectangle, 300x250',
          websiteName: 'The Daily Slot',
        },
      });
    }
    expect((await (await server.signIn('both')).get(path)).status).toBe(404);
    expect((await server.anyone().get(path)).status).toBe(401);
  }
  expect((await seller.get('/api/ads/999999/details')).status).toBe(404);
});

// Proves API-37, OP-046, CHK-01
it('shows an ad for checkout only to its advertiser', async () => {
  const ad = await makeAd(buyer, product);
  const answer = await buyer.get(`/api/ads/${ad.publicId.toUpperCase()}`);
  const { title, description, adType, status, targetUrl, totalAmount, commissionAmount } = ad;
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    title,
    description,
    adType,
    status,
    targetUrl,
    totalAmount,
    commissionAmount,
  });
  for (const client of [seller, await server.signIn('buyer')]) {
    expect((await client.get(`/api/ads/${ad.publicId}`)).status).toBe(404);
  }
  for (const unknown of ['999999', 'my-ad', '00000000-0000-4000-8000-000000000000']) {
    expect((await buyer.get(`/api/ads/${unknown}`)).status).toBe(404);
  }
  expect((await server.anyone().get(`/api/ads/${ad.publicId}`)).status).toBe(401);
});
