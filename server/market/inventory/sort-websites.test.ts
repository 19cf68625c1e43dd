import { beforeAll, expect, it } from 'vitest';
import type { AdZone, MarketplaceWebsite, Product, Website } from '#domain/inventory/contract.ts';
import { SORTS } from '#domain/inventory/sorts.ts';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

/** The measurement of an ad zone over 28 days: `likely` views a day, and of `views` in all, `clicks` were clicks. */
async function measure(zone: AdZone, likely: number, clicks: number, views = likely * 28): Promise<void> {
  const counts = { rendered: views, viewable: views, views, judged: views };
  await server.ctx.db
    .insertInto('zoneMeasurements')
    .values({
      zoneId: zone.id,
      measuredOn: '2027-05-01',
      days: 28,
      low: 0,
      likely,
      high: likely,
      ...counts,
      clicks,
      invalid: 0,
    })
    .onConflict((conflict) =>
      conflict.column('zoneId').doUpdateSet({ likely, high: likely, ...counts, clicks }),
    )
    .execute();
}

type Priced = { website: Website; zone: AdZone; product: Product };

async function list(name: string, product: Record<string, unknown>): Promise<Priced> {
  const website = await makeWebsite(seller, { name });
  const zone = await makeZone(seller, website);
  return { website, zone, product: await makeProduct(seller, zone, product) };
}

/** The websites of the search in this order, two a page. */
async function sorted(search: string, sort: string): Promise<MarketplaceWebsite[]> {
  const found: MarketplaceWebsite[] = [];
  let path: string | undefined = `/api/websites?search=${search}&sort=${sort}&limit=2`;
  while (path) {
    const answer = await buyer.get(path);
    expect(answer.status).toBe(200);
    found.push(...answer.body);
    path = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return found;
}

async function letters(search: string, sort: string): Promise<string> {
  return (await sorted(search, sort)).map(({ name }) => name.slice(search.length + 1)).join(' ');
}

const perThousand = (impressions: number, price: string) => ({
  pricingModel: 'per_impression',
  duration: null,
  impressions,
  price,
});

it('sorts pages by price, views, click-through rate, name and age, with unknown figures last', async () => {
  // $2.00 per 1,000 views; 100 views a day; 5% CTR of 2,800 views.
  const b = await list('sort-ranks b', perThousand(10_000, '20.00'));
  await measure(b.zone, 100, 140);
  // $35 buy 7 days of 1,000 views: $5.00 per 1,000; 1% CTR.
  const a = await list('sort-ranks A', { price: '35.00', duration: 7 });
  await measure(a.zone, 1000, 280);
  // Nothing is measured, so days have no price per 1,000 views.
  await list('sort-ranks d', { price: '1.00', duration: 7 });
  // A click is not priced by views.
  const c = await list('sort-ranks c', {
    pricingModel: 'per_click',
    duration: null,
    clicks: 1,
    price: '0.50',
  });
  await measure(c.zone, 300, 0);
  await makeWebsite(seller, { name: 'sort-ranks e' });

  expect(await letters('sort-ranks', 'price')).toBe('b A d c e');
  expect(await letters('sort-ranks', 'views')).toBe('A c b e d');
  expect(await letters('sort-ranks', 'ctr')).toBe('b A c e d');
  expect(await letters('sort-ranks', 'name')).toBe('A b c d e');
  expect(await letters('sort-ranks', 'newest')).toBe('e c d A b');
  for (const sort of SORTS) {
    expect((await buyer.get(`/api/websites?search=sort-ranks&sort=${sort}&category=Food`)).body).toEqual([]);
    expect((await buyer.get(`/api/websites?search=sort-ranks&sort=${sort}&traffic=low`)).body).toHaveLength(
      5,
    );
  }

  const found = await sorted('sort-ranks', 'name');
  expect(found.map(({ costPerThousand }) => costPerThousand)).toEqual(['5.00', '2.00', null, null, null]);
  const quantity = { duration: null, impressions: null, clicks: null };
  expect(found.map(({ lowestOffer }) => lowestOffer)).toEqual([
    { ...quantity, price: '35.00', pricingModel: 'per_day', duration: 7 },
    { ...quantity, price: '20.00', pricingModel: 'per_impression', impressions: 10_000 },
    { ...quantity, price: '0.50', pricingModel: 'per_click', clicks: 1 },
    { ...quantity, price: '1.00', pricingModel: 'per_day', duration: 7 },
    null,
  ]);
  expect((await buyer.get(`/api/websites/${a.website.publicId}`)).body).toEqual(found[0]);
});

it('states and sorts by a click-through rate only from 1,000 measured views on', async () => {
  const price = perThousand(1000, '5.00');
  await measure((await list('sort-rated few', price)).zone, 1, 1, 3);
  await measure((await list('sort-rated almost', price)).zone, 36, 500, 999);
  await measure((await list('sort-rated many', price)).zone, 36, 10, 1000);
  const found = await sorted('sort-rated', 'ctr');
  expect(found.map(({ name, measured }) => [name, measured?.clickRate])).toEqual([
    ['sort-rated many', 0.01],
    ['sort-rated almost', null],
    ['sort-rated few', null],
  ]);
});

it('keeps long names and equal figures apart, and each website once', async () => {
  const long = 'x'.repeat(60);
  for (const end of ['b', 'c', 'a']) await makeWebsite(seller, { name: `sort-equal ${long} 🙂 ${end}` });
  const inOrder = async (sort: string) =>
    (await sorted('sort-equal', sort)).map(({ name }) => name.at(-1)).join('');
  // Their first 40 characters are the same, so the older one comes first.
  expect(await inOrder('name')).toBe('bca');
  for (const sort of ['views', 'ctr']) expect(await inOrder(sort)).toBe('acb');
  expect(await inOrder('price')).toBe('bca');
});

it('follows every change of a price, ad zone, measurement or name at once', async () => {
  const one = await list('sort-moving one', perThousand(1000, '5.00'));
  const two = await list('sort-moving two', perThousand(1000, '6.00'));
  const order = () => letters('sort-moving', 'price');
  const priceOf = async ({ website }: Priced) =>
    ((await buyer.get(`/api/websites/${website.publicId}`)).body as MarketplaceWebsite).costPerThousand;
  expect(await order()).toBe('one two');

  const cheap = await makeProduct(seller, two.zone, perThousand(1000, '4.00'));
  expect(await order()).toBe('two one');
  await seller.patch(`/api/ad-zone-products/${cheap.id}`, { isActive: false });
  expect(await order()).toBe('one two');
  await seller.patch(`/api/ad-zones/${one.zone.id}`, { isActive: false });
  expect([await order(), await priceOf(one)]).toEqual(['two one', null]);
  await seller.patch(`/api/ad-zones/${one.zone.id}`, { isActive: true });
  expect([await order(), await priceOf(one)]).toEqual(['one two', '5.00']);

  await makeProduct(seller, two.zone, { price: '7.00', duration: 7 });
  await measure(two.zone, 500, 0);
  expect([await order(), await priceOf(two)]).toEqual(['two one', '2.00']);
  await measure(two.zone, 100, 0);
  expect([await order(), await priceOf(two)]).toEqual(['one two', '6.00']);
  await seller.delete(`/api/ad-zones/${one.zone.id}`);
  expect([await order(), await priceOf(one)]).toEqual(['two one', null]);

  await server.ctx.db
    .updateTable('websites')
    .set({ name: 'sort-moving zero', monthlyVisitors: 50_000 })
    .where('id', '=', two.website.id)
    .execute();
  expect(await letters('sort-moving', 'name')).toBe('one zero');
  expect((await buyer.get('/api/websites?search=sort-moving&sort=views&traffic=high')).body).toHaveLength(1);
});

it('tells how many paid ads share an ad zone now', async () => {
  const { website, zone } = await makeLiveAd(seller, buyer);
  await makeZone(seller, website, { name: 'Free' });
  const { body } = await buyer.get(`/api/websites/${website.publicId}/ad-zones`);
  expect((body as AdZone[]).map(({ name, liveAds }) => [name, liveAds])).toEqual([
    [zone.name, 1],
    ['Free', 0],
  ]);
});
