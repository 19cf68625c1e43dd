import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdAvailability, Availability } from '#domain/ads/contract.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { DAY_MS, hourOf, later } from '#domain/time.ts';
import type { Answer, Client } from '#server/testing/client.ts';
import { countAt, measureAgain } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

const days = { duration: 7 };
const quota = { pricingModel: 'per_impression', duration: null, impressions: 6000, price: '30.00' };
const clicks = { pricingModel: 'per_click', duration: null, clicks: 40, price: '10.00' };

/** Gives the zone this many valid decisions without an ad on each of the last `count` days, and measures all zones. */
async function measure(zone: AdZone, decisions: number, count = 1): Promise<void> {
  const row = { zoneId: zone.id, adId: null, kind: 'decision', reason: '', n: decisions } as const;
  await server.ctx.db
    .insertInto('deliveryHourly')
    .values(
      Array.from({ length: count }, (_, day) => ({
        ...row,
        hour: new Date(hourOf(later(server.clock.now(), -DAY_MS * (day + 1)).getTime())),
      })),
    )
    .execute();
  await measureAgain(server.ctx);
}

const ask = (zone: { publicId: string }, product: { id: number } | string, client = buyer): Promise<Answer> =>
  client.get(
    `/api/ad-zones/${zone.publicId}/availability?product=${typeof product === 'string' ? product : product.id}`,
  );

async function read(zone: AdZone, product: Product): Promise<Availability> {
  const { status, body } = await ask(zone, product);
  expect(status).toBe(200);
  return body;
}

it('estimates the ad’s views per day from measured or stated traffic and from the other ads in the zone', async () => {
  const zone = await makeZone(seller, await makeWebsite(seller, { monthlyVisitors: 30_000 }));
  const views = await makeProduct(seller, zone, quota);
  const perDay = await makeProduct(seller, zone, days);
  const ad = await approve(seller, await makeAd(buyer, views));
  const readOwn = async (): Promise<AdAvailability> => {
    const { status, body } = await buyer.get(`/api/ads/${ad.publicId}/availability`);
    expect(status).toBe(200);
    return body;
  };
  expect(await readOwn()).toMatchObject({
    basis: 'declared',
    viewsPerDay: { low: 50, likely: 1000, high: 2000 },
    yoursPerDay: 1000,
    sharedWith: 0,
    costPerThousand: '5.00',
    costPerClick: null,
    days: 6,
  });

  await pay(buyer, await approve(seller, await makeAd(buyer, perDay)));
  expect(await readOwn()).toMatchObject({ yoursPerDay: 200, sharedWith: 1, days: 30 });

  // Half of the 400 requests without an ad would have become views, and the per-day ad gets half of those.
  await measure(zone, 400);
  expect(await readOwn()).toMatchObject({
    basis: 'zone',
    viewsPerDay: { low: 100, likely: 200, high: 400 },
    yoursPerDay: 100,
    sharedWith: 1,
    costPerThousand: '5.00',
    costPerClick: null,
    days: 60,
  });
  // Before booking, the advertiser reads the same figures of the same zone. Another ad would be the second one.
  const { basis, viewsPerDay, yoursPerDay, sharedWith, costPerThousand, costPerClick } = await readOwn();
  const availability = { basis, viewsPerDay, yoursPerDay, sharedWith, costPerThousand, costPerClick };
  expect(await read(zone, views)).toMatchObject(availability);
  expect(await read(zone, perDay)).toMatchObject({
    ...availability,
    // $100 for seven days of 100 views.
    costPerThousand: '142.86',
  });
});

it('says the price of 1,000 views or of a click, as far as the pricing model has one', async () => {
  const zone = await makeZone(seller, await makeWebsite(seller, { monthlyVisitors: 30_000 }));
  expect(await read(zone, await makeProduct(seller, zone, quota))).toMatchObject({
    costPerThousand: '5.00',
    costPerClick: null,
  });
  expect(await read(zone, await makeProduct(seller, zone, clicks))).toMatchObject({
    costPerThousand: null,
    costPerClick: '0.25',
  });
  expect(await read(zone, await makeProduct(seller, zone, days))).toMatchObject({
    costPerThousand: '14.29',
    costPerClick: null,
  });
});

describe('the basis of a forecast', () => {
  beforeEach(async () => {
    await server.ctx.db.deleteFrom('deliveryHourly').execute();
  });

  it('is the zone’s own measure, then its sibling zones’, whatever the publisher declares', async () => {
    const site = await makeWebsite(seller, { monthlyVisitors: 184_000 });
    const measured = await makeZone(seller, site, { width: 300, height: 300 });
    const fresh = await makeZone(seller, site, { width: 160, height: 600 });
    await measure(measured, 128, 28);
    expect(await read(measured, await makeProduct(seller, measured))).toMatchObject({
      basis: 'zone',
      viewsPerDay: { low: 54, likely: 64, high: 76 },
    });
    expect(await read(fresh, await makeProduct(seller, fresh))).toMatchObject({
      basis: 'site',
      viewsPerDay: { low: 32, likely: 64, high: 128 },
    });
    // The figures of a paused zone no longer count for its siblings.
    await seller.patch(`/api/ad-zones/${measured.id}`, { isActive: false });
    expect((await read(fresh, await makeProduct(seller, fresh))).basis).toBe('declared');
  });

  it('is the market of its size and traffic level once three websites, each counted once, were measured for a week', async () => {
    const makeSite = async (monthlyVisitors: number, size = { width: 468, height: 60 }) =>
      await makeZone(seller, await makeWebsite(seller, { monthlyVisitors }), size);
    const fresh = await makeSite(20_000);
    const product = await makeProduct(seller, fresh);
    // Views per day and declared visitor: 0.01, 0.02 and 0.05.
    const [first, second, third] = [await makeSite(10_000), await makeSite(10_000), await makeSite(40_000)];
    await measure(first, 200, 7);
    await measure(second, 400, 7);
    // These do not count: too few days, another size, another level.
    await measure(third, 4000, 6);
    await measure(await makeSite(10_000, { width: 468, height: 61 }), 9000, 7);
    await measure(await makeSite(60_000), 9000, 7);
    expect((await read(fresh, product)).basis).toBe('declared');
    await server.ctx.db.deleteFrom('deliveryHourly').where('zoneId', '=', third.id).execute();
    await measure(third, 4000, 7);
    expect(await read(fresh, product)).toMatchObject({
      basis: 'market',
      viewsPerDay: { low: 100, likely: 400, high: 1600 },
    });
    // One website with many zones counts once.
    const { websiteId } = third;
    const more = await makeZone(seller, { id: websiteId }, { width: 468, height: 60 });
    await measure(more, 4000, 7);
    expect((await read(fresh, product)).viewsPerDay.likely).toBe(400);
    // The market forgets websites that are gone.
    await server.ctx.db
      .updateTable('websites')
      .set({ isActive: false })
      .where('id', '=', websiteId)
      .execute();
    server.clock.advance(DAY_MS);
    await measureAgain(server.ctx);
    server.clock.advance(-DAY_MS);
    expect((await read(fresh, product)).basis).toBe('declared');
  });
});

it('refuses an unknown, hidden or malformed ad zone or pricing option with a sentence, but not the publisher’s own hidden one', async () => {
  const site = await makeWebsite(seller);
  const zone = await makeZone(seller, site);
  const product = await makeProduct(seller, zone);
  const withdrawn = await makeProduct(seller, zone);
  await seller.patch(`/api/ad-zone-products/${withdrawn.id}`, { isActive: false });
  const hidden = await makeZone(seller, site, { isActive: false });
  const ofHidden = await makeProduct(seller, hidden);
  const NO_ZONE = 'Ad zone not found. Please reload the page.';
  const NO_PRODUCT =
    'This ad zone has no such pricing option. Please reload the page and choose another one.';
  const NO_NUMBER = 'Name a pricing option of this ad zone by its number, such as ?product=12';
  const unknown = { publicId: '00000000-0000-4000-8000-000000000000' };
  for (const [place, option, status, message] of [
    [unknown, product, 404, NO_ZONE],
    [{ publicId: '2147483647' }, product, 404, NO_ZONE],
    [hidden, ofHidden, 404, NO_ZONE],
    [zone, ofHidden, 404, NO_PRODUCT],
    [zone, withdrawn, 404, NO_PRODUCT],
    [zone, '2147483647', 404, NO_PRODUCT],
    [zone, '9999999999', 404, NO_PRODUCT],
    [zone, '', 400, NO_NUMBER],
    [zone, '0', 400, NO_NUMBER],
    [zone, '-1', 400, NO_NUMBER],
    [zone, '1e3', 400, NO_NUMBER],
    [zone, '1.5', 400, NO_NUMBER],
    [zone, 'garbage', 400, NO_NUMBER],
    [zone, `${product.id}&product=${product.id}`, 400, NO_NUMBER],
  ] as const) {
    const answer = await ask(place, option);
    expect([option, answer.status, answer.body.message]).toEqual([option, status, message]);
  }
  const without = await buyer.get(`/api/ad-zones/${zone.publicId}/availability`);
  expect([without.status, without.body.message]).toEqual([400, NO_NUMBER]);
  expect((await buyer.get('/api/ad-zones/garbage/availability?product=1')).status).toBe(404);
  expect((await ask(zone, product, server.anyone())).status).toBe(401);
  // The publisher sees their own paused zone and withdrawn option.
  expect((await ask(hidden, ofHidden, seller)).status).toBe(200);
  expect((await ask(zone, withdrawn, seller)).status).toBe(200);
});

it('answers for an ad whose quota is delivered', async () => {
  const zone = await makeZone(seller, await makeWebsite(seller));
  const product = await makeProduct(seller, zone, { ...quota, impressions: 100 });
  const ad = await pay(buyer, await approve(seller, await makeAd(buyer, product)));
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 100);
  const answer = await buyer.get(`/api/ads/${ad.publicId}/availability`);
  expect(answer).toMatchObject({ status: 200, body: { yoursPerDay: 0, days: 0 } });
});
