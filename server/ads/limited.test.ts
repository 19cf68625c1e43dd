/** An ad with limits has a forecast of its own, and its days need as many views as that forecast has. */
import { beforeAll, expect, it } from 'vitest';
import type { Ad, AdAvailability, Availability, ZoneAudience } from '#domain/ads/contract.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import type { Choice } from '#domain/plans/contract.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import type { Facts } from '#domain/targeting/matches.ts';
import { createAudience } from '#server/delivery/audience/audience.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';

const server = useOwnServer({ env: { TRAFFIC_RULES: 'production' } });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});

const WEEK = { pricingModel: 'per_day', duration: 7, price: '70.00' };
const QUOTA = { pricingModel: 'per_impression', duration: null, impressions: 6000, price: '30.00' };
const PHONES = { devices: ['phone'] } satisfies Targeting;

/** 1,000 views a day, and at least 50: a day of an ad without limits needs 25. */
async function makePlace() {
  return await makeZone(seller, await makeWebsite(seller, { monthlyVisitors: 30_000 }));
}

const VISITOR: Facts = {
  country: 'DE',
  region: null,
  language: 'de',
  device: 'desktop',
  path: '/news',
  topics: ['cycling'],
  hourOfWeek: () => 12,
};

/** Lets networks vote, `phones` of them by a phone. */
async function vote(zone: AdZone, networks: number, phones: number, first = 0): Promise<void> {
  const tally = createAudience(server.ctx.db);
  for (let network = 0; network < networks; network++) {
    const device = network < phones ? 'phone' : 'desktop';
    tally.vote(zone.id, { ...VISITOR, device }, first + network, server.ctx.now().getTime());
  }
  await tally.flush();
}

const ask = async (zone: AdZone, product: Product, targeting?: unknown, client = buyer) =>
  await client.get(
    `/api/ad-zones/${zone.publicId}/availability?product=${product.id}${
      targeting === undefined
        ? ''
        : `&targeting=${encodeURIComponent(typeof targeting === 'string' ? targeting : JSON.stringify(targeting))}`
    }`,
  );
const read = async (...asked: Parameters<typeof ask>): Promise<Availability> => {
  const { status, body } = await ask(...asked);
  expect(status).toBe(200);
  return body as Availability;
};

// Proves FORE-300, FORE-301
it('expects of a limited ad the views that were measured within its limits, before the order and after it', async () => {
  const zone = await makePlace();
  const product = await makeProduct(seller, zone, WEEK);
  const before = await read(zone, product, PHONES);
  expect(before).toMatchObject({ yoursPerDay: 1000, isLimited: true, limited: null, minDayViews: 25 });
  await vote(zone, 99, 20);
  expect(await read(zone, product, PHONES)).toEqual({ ...before, endsBy: expect.any(String) });
  await vote(zone, 101, 20, 99);
  // 40 of 200 networks, and for money as if one network had cast five votes against it: 45 of 200 of 25 views.
  expect(await read(zone, product, PHONES)).toMatchObject({
    yoursPerDay: 1000,
    isLimited: true,
    limited: { likely: 200, of: 1000 },
    costPerThousand: '50.00',
    minDayViews: 6,
  });
  for (const none of [undefined, null, {}])
    expect(await read(zone, product, none)).toMatchObject({
      isLimited: false,
      limited: null,
      minDayViews: 25,
    });
  const nobody = { devices: ['tablet'] };
  expect(await read(zone, product, nobody)).toMatchObject({
    limited: { likely: 0, of: 1000 },
    minDayViews: 1,
  });

  const refused = await buyer.post('/api/ads', await bodyOf(product, { expectedDayViews: 7 }));
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Each day now needs only 6 counted views. Please check the order and submit it again.',
  ]);
  const ad = await makeAd(buyer, product, { targeting: PHONES, expectedDayViews: 6 });
  expect(ad.minDayViews).toBe(6);
  for (const side of [buyer, seller]) {
    const { body } = await side.get(`/api/ads/${ad.publicId}/availability`);
    expect(body as AdAvailability).toMatchObject({ limited: { likely: 200, of: 1000 }, minDayViews: 6 });
  }
  // Fewer phones afterwards: the order keeps its number.
  await vote(zone, 400, 0, 1000);
  expect((await read(zone, product, PHONES)).minDayViews).toBe(2);
  const paid = await pay(buyer, await approve(seller, ad));
  expect(paid.minDayViews).toBe(6);
});

async function bodyOf(product: Product, fields: Record<string, unknown>) {
  const { title, description, targetUrl }: Ad = await makeAd(buyer, product);
  const creative = { adType: 'text', title, description, targetUrl };
  return { ...creative, adZoneId: product.adZoneId, productId: product.id, targeting: PHONES, ...fields };
}

it('counts the days and the refund of a limited quota by its own views', async () => {
  const zone = await makePlace();
  const product = await makeProduct(seller, zone, QUOTA);
  expect(await read(zone, product, PHONES)).toMatchObject({ expectedDays: 6, finishes: true });
  await vote(zone, 200, 10);
  expect(await read(zone, product, PHONES)).toMatchObject({
    limited: { likely: 50, of: 1000 },
    expectedDays: 120,
    finishes: false,
    expectedRefund: '7.51',
  });
  expect(await read(zone, product, { devices: ['tablet'] })).toMatchObject({
    expectedDays: null,
    finishes: false,
    expectedRefund: '30.00',
  });
});

it('refuses limits that are no JSON or no limits, and answers only whom it shows the zone', async () => {
  const zone = await makePlace();
  const product = await makeProduct(seller, zone, WEEK);
  const NO_JSON = 'Send the limits as JSON, such as {"countries":["DE"]}';
  for (const [targeting, message] of [
    ['{', NO_JSON],
    ['', NO_JSON],
    ['"DE"', undefined],
    ['{"countries":["XX"]}', 'Name countries by their codes of ISO 3166-1, such as DE'],
    ['{"nonsense":1}', undefined],
  ] as const) {
    const answer = await ask(zone, product, targeting);
    expect([targeting, answer.status]).toEqual([targeting, 400]);
    if (message !== undefined) expect(answer.body.message).toBe(message);
  }
  const ad = await makeAd(buyer, product, { targeting: PHONES });
  const stranger = await server.signIn('seller');
  expect((await stranger.get(`/api/ads/${ad.publicId}/availability`)).status).toBe(404);
  expect((await server.anyone().get(`/api/ad-zones/${zone.publicId}/audience`)).status).toBe(401);
  expect((await buyer.get('/api/ad-zones/garbage/audience')).status).toBe(404);
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  expect((await buyer.get(`/api/ad-zones/${zone.publicId}/audience`)).status).toBe(404);
  expect((await seller.get(`/api/ad-zones/${zone.publicId}/audience`)).status).toBe(200);
});

// Proves FORE-303
it('offers the topics and pages that twenty networks came from', async () => {
  const zone = await makePlace();
  const offered = async (): Promise<ZoneAudience> =>
    (await buyer.get(`/api/ad-zones/${zone.publicId}/audience`)).body as ZoneAudience;
  await vote(zone, 19, 0);
  expect(await offered()).toEqual({ topics: [], paths: [] });
  await vote(zone, 1, 0, 19);
  expect(await offered()).toEqual({ topics: ['cycling'], paths: ['/news'] });
});

it('says of each ad zone of a plan which part of its views is within the limits', async () => {
  const [measured, fresh] = [await makePlace(), await makePlace()];
  for (const zone of [measured, fresh]) await makeProduct(seller, zone, WEEK);
  await vote(measured, 100, 25);
  const choices = async (targeting: string) =>
    (await buyer.get(`/api/plans/choices?refs=${measured.publicId},${fresh.publicId}${targeting}`))
      .body as Choice[];
  const limited = await choices(`&targeting=${encodeURIComponent(JSON.stringify(PHONES))}`);
  expect(new Map(limited.map(({ zone, within }) => [zone.publicId, within]))).toEqual(
    new Map([
      [measured.publicId, 0.25],
      [fresh.publicId, null],
    ]),
  );
  for (const { within } of await choices('')) expect(within).toBe(null);
});
