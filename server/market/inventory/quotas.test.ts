import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Answer, Client } from '#server/testing/client.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useOwnServer({ env: { RATE_LIMIT_FACTOR: '1' } });

const SITE = { name: 'One more', url: 'https://more.example', category: 'Food' };
const zoneOn = (websiteId: number) => ({ websiteId, name: 'Z', zoneType: 'banner', width: 728, height: 90 });
const optionOf = (adZoneId: number) => ({ adZoneId, adType: 'text', price: '5', pricingModel: 'per_day' });

/** Makes six calls at once, for which only two rows are left of the quota. */
async function sixAtOnce(call: () => Promise<Answer>): Promise<{ made: number; full: number }> {
  const answers = await Promise.all(Array.from({ length: 6 }, call));
  const refused = answers.filter(({ status }) => status === 409);
  for (const { body } of refused) expect(body.message).toMatch(/at most|no more/);
  return { made: answers.filter(({ status }) => status === 201).length, full: refused.length };
}

const TWO_OF_SIX = { made: 2, full: 4 };

// Proves DOOR-10
it('an account has at most 100 websites, also when it creates several at once', async () => {
  const seller = await server.signIn('seller');
  await sql`insert into websites (user_id, name, url, category)
    select ${seller.user.id}, 'Site', 'https://site.example', 'Food' from generate_series(1, 98)`.execute(
    server.ctx.db,
  );
  expect(await sixAtOnce(() => seller.post('/api/websites', SITE))).toEqual(TWO_OF_SIX);
  expect((await (await server.signIn('seller')).post('/api/websites', SITE)).status).toBe(201);
});

// Proves DOOR-10
it('a website has at most 100 ad zones, and a deleted one makes room', async () => {
  const seller = await server.signIn('seller');
  const website = await makeWebsite(seller);
  await sql`insert into ad_zones (website_id, name, width, height, zone_type)
    select ${website.id}, 'Zone', 1, 1, 'custom' from generate_series(1, 98)`.execute(server.ctx.db);
  expect(await sixAtOnce(() => seller.post('/api/ad-zones', zoneOn(website.id)))).toEqual(TWO_OF_SIX);
  const [first] = (await seller.get(`/api/websites/${website.id}/ad-zones?limit=1`)).body;
  expect((await seller.delete(`/api/ad-zones/${first.id}`)).status).toBe(200);
  expect((await seller.post('/api/ad-zones', zoneOn(website.id))).status).toBe(201);
});

// Proves DOOR-10
it('an ad zone has at most 200 pricing options', async () => {
  const seller = await server.signIn('seller');
  const zone = await makeZone(seller, await makeWebsite(seller));
  await sql`insert into ad_zone_products (ad_zone_id, ad_type, price, duration)
    select ${zone.id}, 'text', 1, 1 from generate_series(1, 198)`.execute(server.ctx.db);
  expect(await sixAtOnce(() => seller.post('/api/ad-zone-products', optionOf(zone.id)))).toEqual(TWO_OF_SIX);
});

// Proves DOOR-10
it('an advertiser has at most 200 ads that wait for approval, and a review makes room', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const ad = await makeAd(buyer, product);
  await sql`insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
      commission_amount, pricing_model, duration)
    select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount, commission_amount,
      pricing_model, duration from ads, generate_series(1, 197) where ads.id = ${ad.id}`.execute(
    server.ctx.db,
  );
  const { adZoneId, id: productId } = product;
  const body = {
    adZoneId,
    productId,
    adType: 'text',
    title: 'T',
    description: 'D',
    targetUrl: 'https://a.test',
  };
  expect(await sixAtOnce(() => buyer.post('/api/ads', body))).toEqual(TWO_OF_SIX);
  await seller.put(`/api/ads/${ad.id}/approve`);
  expect((await buyer.post('/api/ads', body)).status).toBe(201);
});

// Proves DOOR-10
it('creating websites, ad zones and pricing options has a rate for each account', async () => {
  const slow = await untilTestEnds(startTestServer({ env: { RATE_LIMIT_FACTOR: '0.1' } }));
  const seller = await slow.signIn('seller');
  const untilRefused = async (call: (who: Client) => Promise<Answer>) => {
    for (let n = 0; ; n++) {
      const { status, headers } = await call(seller);
      if (status === 429) return { n, retryAfter: Number(headers.get('retry-after')) > 0 };
      expect(status).toBe(201);
    }
  };
  expect(await untilRefused((who) => who.post('/api/websites', SITE))).toEqual({ n: 3, retryAfter: true });
  const [website, other, third] = (await seller.get('/api/websites/my')).body;
  // With this factor, a website may have ten zones, so two websites use up the rate.
  let made = 0;
  const zones = [website, website, other, other, third].map(({ id }) => id as number);
  const next = () => zones[Math.floor(made++ / 5)] ?? website.id;
  expect((await untilRefused((who) => who.post('/api/ad-zones', zoneOn(next())))).n).toBe(20);
  expect((await (await slow.signIn('seller')).post('/api/websites', SITE)).status).toBe(201);
});

it('lists of websites, ad zones and pricing options come in pages, in the order of their ids', async () => {
  const seller = await server.signIn('seller');
  const website = await makeWebsite(seller);
  const zone = await makeZone(seller, website);
  await sql`insert into websites (user_id, name, url, category)
    select ${seller.user.id}, 'Site', 'https://site.example', 'Food' from generate_series(1, 6)`.execute(
    server.ctx.db,
  );
  await sql`insert into ad_zones (website_id, name, width, height, zone_type)
    select ${website.id}, 'Zone', 1, 1, 'custom' from generate_series(1, 6)`.execute(server.ctx.db);
  await sql`insert into ad_zone_products (ad_zone_id, ad_type, price, duration)
    select ${zone.id}, 'text', 1, 1 from generate_series(1, 7)`.execute(server.ctx.db);
  for (const path of [
    '/api/websites/my',
    `/api/websites/${website.publicId}/ad-zones`,
    `/api/ad-zones/${zone.publicId}/products`,
  ]) {
    const whole = (await seller.get(path)).body as { id: number }[];
    expect(whole).toHaveLength(7);
    const ids: number[] = [];
    let next: string | undefined = `${path}?limit=3`;
    let pages = 0;
    while (next !== undefined) {
      const answer: Answer = await seller.get(next);
      expect(answer.status).toBe(200);
      ids.push(...(answer.body as { id: number }[]).map(({ id }) => id));
      next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(ids).toEqual(whole.map(({ id }) => id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=!!']) {
      expect((await seller.get(`${path}?${query}`)).status).toBe(400);
    }
  }
});
