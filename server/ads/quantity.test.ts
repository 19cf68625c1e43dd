/** How much of a pricing option an advertiser buys, for how much, and how long it will take. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Product, Website } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { pay } from '#server/testing/story.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
let website: Website;
let zone: { id: number; publicId: string };
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  website = await makeWebsite(seller, { monthlyVisitors: 300_000 });
  zone = await makeZone(seller, website);
});

const WEEKS = {
  adType: 'text',
  pricingModel: 'per_day',
  duration: 7,
  price: '25.00',
  minQuantity: 2,
  maxQuantity: 11,
  step: 3,
  volumePrices: [
    { fromQuantity: 5, price: '22.5' },
    { fromQuantity: 8, price: '20' },
  ],
};

const offer = async (option: Record<string, unknown>, on = zone) =>
  await seller.post('/api/ad-zone-products', { adZoneId: on.id, ...option });
const added = async (option: Record<string, unknown>, on = zone) => {
  const { status, body } = await offer(option, on);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as Product;
};
const submit = async (product: Product, more: Record<string, unknown> = {}) =>
  await buyer.post('/api/ads', {
    adZoneId: product.adZoneId,
    productId: product.id,
    adType: 'text',
    title: 'Kettles',
    description: 'Kettles that pour well.',
    targetUrl: 'https://kettles.example',
    ...more,
  });

describe('a pricing option', () => {
  it('sells one unit unless it says otherwise', async () => {
    const plain = { adType: 'text', pricingModel: 'per_click', clicks: 10, price: '5.00' };
    expect(await added(plain)).toMatchObject({ minQuantity: 1, maxQuantity: 1, step: 1, volumePrices: [] });
    expect(await added({ ...plain, minQuantity: 4 })).toMatchObject({ minQuantity: 4, maxQuantity: 4 });
  });

  it('keeps its quantities, and changes them', async () => {
    const product = await added(WEEKS);
    expect(product).toMatchObject({
      price: '25.00',
      minQuantity: 2,
      maxQuantity: 11,
      step: 3,
      volumePrices: [
        { fromQuantity: 5, price: '22.50' },
        { fromQuantity: 8, price: '20.00' },
      ],
    });
    const path = `/api/ad-zone-products/${product.id}`;
    expect((await seller.patch(path, { maxQuantity: 5, volumePrices: [] })).body).toMatchObject({
      price: '25.00',
      minQuantity: 2,
      maxQuantity: 5,
      step: 3,
      volumePrices: [],
    });
    expect((await seller.patch(path, { minQuantity: 6 })).status).toBe(400);
    const listed = (await buyer.get(`/api/ad-zones/${zone.publicId}/products`)).body as Product[];
    expect(listed.find(({ id }) => id === product.id)).toMatchObject({ minQuantity: 2, maxQuantity: 5 });
  });

  it.each<[string, Record<string, unknown>]>([
    ['no unit', { minQuantity: 0 }],
    ['half a unit', { minQuantity: 1.5 }],
    ['too many', { maxQuantity: 10_001 }],
    ['a text', { step: '2' }],
    ['a largest quantity below the smallest', { minQuantity: 3, maxQuantity: 2 }],
    ['more than a year', { maxQuantity: 53 }],
    ['quantities that do not rise', { volumePrices: [{ fromQuantity: 2, price: '20' }] }],
    ['a quantity beyond the largest', { volumePrices: [{ fromQuantity: 12, price: '20' }] }],
    ['a price that does not fall', { volumePrices: [{ fromQuantity: 5, price: '25' }] }],
    ['a price of nothing', { volumePrices: [{ fromQuantity: 5, price: '0' }] }],
    ['a price that no card can be charged', { price: '0.20', minQuantity: 5, volumePrices: [] }],
    [
      'a lower price that no card can be charged',
      { price: '0.50', volumePrices: [{ fromQuantity: 8, price: '0.20' }] },
    ],
    ['a total above the largest charge', { price: '100000', volumePrices: [] }],
    [
      'one more price than allowed',
      {
        volumePrices: Array.from({ length: 11 }, (_, n) => ({ fromQuantity: n + 3, price: String(20 - n) })),
      },
    ],
  ])('is refused with %s', async (_what, change) => {
    const before = await server.ctx.db.selectFrom('adZoneProducts').select('id').execute();
    const { status, body } = await offer({ ...WEEKS, ...change });
    expect(status).toBe(400);
    expect((body as { message: string }).message).toBeTruthy();
    expect(await server.ctx.db.selectFrom('adZoneProducts').select('id').execute()).toEqual(before);
  });

  it('is listed by its smallest purchase', async () => {
    const site = await makeWebsite(seller);
    const place = await makeZone(seller, site);
    await added({ ...WEEKS, price: '9.00', volumePrices: [] }, place);
    await added({ adType: 'text', pricingModel: 'per_day', duration: 7, price: '17.00' }, place);
    const { body } = await buyer.get(`/api/websites/${site.publicId}`);
    expect(body).toMatchObject({ lowestPrice: '17.00', lowestOffer: { price: '17.00', duration: 7 } });
    await added({ ...WEEKS, price: '8.00', volumePrices: [] }, place);
    expect((await buyer.get(`/api/websites/${site.publicId}`)).body).toMatchObject({
      lowestOffer: { price: '16.00', duration: 14 },
    });
    const [listed] = (await buyer.get(`/api/websites/${site.publicId}/ad-zones`)).body;
    expect(listed.offers).toMatchObject([{ adType: 'text', price: '16.00', duration: 14, optionCount: 3 }]);
  });
});

describe('an ad', () => {
  it.each([
    [2, '50.00', '25.00', 14],
    [5, '112.50', '22.50', 35],
    [8, '160.00', '20.00', 56],
    [11, '220.00', '20.00', 77],
  ])('of %i units costs their total and runs for all of them', async (quantity, total, unitPrice, days) => {
    const product = await added(WEEKS);
    const { status, body } = await submit(product, { quantity, expectedPrice: total });
    expect(status).toBe(201);
    const plan = { quantity, unitPrice, totalAmount: total, duration: days };
    expect(body).toMatchObject(plan);
    const ad = await pay(buyer, await approve(seller, body as never));
    expect(ad).toMatchObject({ ...plan, status: 'active' });
    expect(new Date(ad.endDate!).getTime() - new Date(ad.startDate!).getTime()).toBe(days * 86_400_000);
    expect((await buyer.get(`/api/ads/${ad.publicId}/ledger`)).body).toMatchObject({ total });
  });

  it('is refused in another quantity, and for another total than the advertiser has seen', async () => {
    const product = await added(WEEKS);
    for (const quantity of [1, 3, 12, 14, 0, -2, 2.5, '2', null]) {
      expect([quantity, (await submit(product, { quantity })).status]).toEqual([quantity, 400]);
    }
    expect((await submit(product)).body).toMatchObject({
      message: 'Choose a quantity of 2 to 11, in steps of 3.',
    });
    expect((await submit(product, { quantity: 5, expectedPrice: '125.00' })).status).toBe(409);
  });

  it('keeps its quantity when it is submitted again', async () => {
    const product = await added(WEEKS);
    const { body } = await submit(product, { quantity: 5 });
    await seller.put(`/api/ads/${body.publicId}/reject`, { rejectionReason: 'No kettles' });
    await seller.patch(`/api/ad-zone-products/${product.id}`, { price: '99.00', volumePrices: [] });
    const again = await buyer.put(`/api/ads/${body.publicId}`, {
      title: 'Pots',
      description: 'Pots',
      targetUrl: 'https://kettles.example',
    });
    expect(again.body).toMatchObject({ status: 'pending', quantity: 5, totalAmount: '112.50', duration: 35 });
  });
});

describe('the forecast of a purchase', () => {
  const availability = async (product: Product, query: string) =>
    await buyer.get(`/api/ad-zones/${zone.publicId}/availability?product=${product.id}${query}`);

  it('says what a quantity costs, how long it takes and when it ends', async () => {
    const product = await added(WEEKS);
    expect((await availability(product, '&quantity=5&startDate=2030-01-01')).body).toMatchObject({
      quantity: 5,
      total: '112.50',
      unitPrice: '22.50',
      expectedDays: 35,
      endsBy: '2030-02-05T00:00:00.000Z',
      expectedRefund: '0.00',
      finishes: true,
    });
    expect((await availability(product, '')).body).toMatchObject({ quantity: 2, total: '50.00' });
    for (const query of ['&quantity=3', '&quantity=x', '&quantity=0', '&startDate=soon'])
      expect([query, (await availability(product, query)).status]).toEqual([query, 400]);
  });

  it('says what comes back of a quantity that cannot be delivered within 90 days', async () => {
    const few = await makeZone(seller, await makeWebsite(seller, { monthlyVisitors: 3000 }));
    const small = await added(
      { adType: 'text', pricingModel: 'per_impression', impressions: 1000, price: '10.00', maxQuantity: 100 },
      few,
    );
    const large = await added(
      { adType: 'text', pricingModel: 'per_impression', impressions: 1_000_000, price: '90.00' },
      few,
    );
    expect([small.finishes, large.finishes]).toEqual([true, false]);
    const read = async (query: string) =>
      (await buyer.get(`/api/ad-zones/${few.publicId}/availability?product=${query}`)).body;
    const one = await read(`${small.id}&quantity=1`);
    expect(one).toMatchObject({ finishes: true, expectedRefund: '0.00' });
    const hundred = await read(`${small.id}&quantity=100`);
    expect(hundred).toMatchObject({ total: '1000.00', finishes: false });
    expect(hundred.expectedDays).toBeGreaterThan(90);
    // The part that is expected in 90 days is earned.
    const back = (1000 * (hundred.expectedDays - 90)) / hundred.expectedDays;
    expect(Math.abs(Number(hundred.expectedRefund) - back)).toBeLessThan(0.1);
    const { body: ad } = await submit(small, { quantity: 100 });
    expect((await buyer.get(`/api/ads/${ad.publicId}/availability`)).body).toMatchObject({
      quantity: 100,
      total: '1000.00',
      expectedRefund: hundred.expectedRefund,
      finishes: false,
    });
  });

  it('calls nothing unfinished in a zone without any figures', async () => {
    const blank = await makeZone(seller, await makeWebsite(seller));
    const option = { adType: 'text', pricingModel: 'per_impression', impressions: 1_000_000, price: '90.00' };
    const product = await added(option, blank);
    expect(product.finishes).toBe(true);
    const { body } = await buyer.get(`/api/ad-zones/${blank.publicId}/availability?product=${product.id}`);
    expect(body).toMatchObject({ expectedDays: null, expectedRefund: '0.00', finishes: true });
  });
});
