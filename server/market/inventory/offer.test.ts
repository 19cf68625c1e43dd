import { beforeAll, describe, expect, it } from 'vitest';
import type { AdZone, Product, Website } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const server = useServer();
let seller: Client;
let stranger: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  stranger = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

describe('registering a website', () => {
  const site = { name: 'Daily', url: 'https://daily.example/a?b=c', category: 'Technology' };

  // Proves API-51, GEN-03, ENT-14, VAL-39
  it('creates it with default values and the caller as its owner', async () => {
    const body = { ...site, userId: buyer.user.id, id: 7, isVerified: true, verifiedAt: '2020-01-01' };
    const answer = await seller.post('/api/websites', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      ...site,
      description: null,
      monthlyVisitors: 0,
      isActive: true,
      isVerified: false,
    });
    expect(answer.body.publicId).toMatch(UUID);
    const row = await server.ctx.db
      .selectFrom('websites')
      .selectAll()
      .where('id', '=', answer.body.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ ...site, userId: seller.user.id, verifiedAt: null });
    expect(row.createdAt).toEqual(new Date(answer.body.createdAt));
  });

  // Proves ENT-14
  it('gives each website its own uuid, even for the same address', async () => {
    const [first, second] = [await makeWebsite(seller, site), await makeWebsite(stranger, site)];
    expect(first.publicId).not.toBe(second.publicId);
  });

  // Proves VAL-38, VAL-39
  it('stores the given fields and turns a blank description into none', async () => {
    const full = { ...site, description: '  News  ', monthlyVisitors: 12_500, isActive: false };
    expect(await makeWebsite(seller, full)).toMatchObject({ ...full, description: 'News' });
    expect(await makeWebsite(seller, { ...site, description: '  ' })).toMatchObject({ description: null });
  });

  // Proves VAL-35, VAL-39
  it.each([
    [{ name: '' }, 'Website name is required'],
    [{ url: '' }, 'Please enter a valid URL'],
    [{ url: 'javascript:void' }, 'Please enter a valid URL'],
    [{ category: null }, 'Please choose a category'],
    [{ category: 'Cars' }, 'Please choose a category that is offered now. Reload the page to see the list.'],
    [{ monthlyVisitors: 1.5 }, 'Monthly visitors must be a whole number'],
    [{ name: 'a\u0000b' }, 'Text can’t contain null characters. Remove them and try again.'],
  ])('refuses %j', async (fields, message) => {
    const before = await stranger.get('/api/websites/my');
    const answer = await stranger.post('/api/websites', { ...site, ...fields });
    expect(answer).toMatchObject({ status: 400, body: { message } });
    expect((await stranger.get('/api/websites/my')).body).toEqual(before.body);
  });

  // Proves ROLE-12, OP-038
  it('is refused to visitors and advertisers', async () => {
    expect((await buyer.post('/api/websites', site)).status).toBe(403);
    expect(await server.anyone().post('/api/websites', site)).toMatchObject({
      status: 401,
      body: { message: 'Unauthorized' },
    });
  });
});

describe('creating a zone', () => {
  let website: Website;
  beforeAll(async () => {
    website = await makeWebsite(seller);
  });
  const zone = { name: 'Top', width: 728, height: 90, zoneType: 'banner' };

  // Proves API-52, GEN-03, ENT-18, OP-047
  it('creates it on the publisher’s own website, by number or uuid', async () => {
    for (const websiteId of [website.id, String(website.id), website.publicId]) {
      const answer = await seller.post('/api/ad-zones', { ...zone, websiteId });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ ...zone, websiteId: website.id, isActive: true });
      expect(answer.body.publicId).toMatch(UUID);
    }
  });

  // Proves API-52, OP-038
  it('answers 404 for another publisher’s website', async () => {
    for (const websiteId of [website.id, website.publicId, UNKNOWN, 999_999]) {
      const answer = await stranger.post('/api/ad-zones', { ...zone, websiteId });
      expect(answer).toMatchObject({
        status: 404,
        body: { message: 'Website not found. Please reload the page.' },
      });
    }
    expect((await stranger.get(`/api/websites/${website.id}/ad-zones`)).body).toHaveLength(3);
  });

  // Proves API-52, VAL-40, VAL-48, ENT-18, OP-073
  it.each([
    { name: ' ' },
    { width: 'abc' },
    { width: 1.5 },
    { height: undefined },
    { height: 5001 },
    { zoneType: undefined },
    { zoneType: 'square' },
    { websiteId: undefined },
    { websiteId: {} },
  ])('refuses %j', async (fields) => {
    const answer = await seller.post('/api/ad-zones', { ...zone, websiteId: website.id, ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBeTruthy();
  });

  // Proves ROLE-12, OP-038
  it('is refused to visitors and advertisers', async () => {
    const body = { ...zone, websiteId: website.id };
    expect((await buyer.post('/api/ad-zones', body)).status).toBe(403);
    expect((await server.anyone().post('/api/ad-zones', body)).status).toBe(401);
  });
});

describe('pricing a zone', () => {
  let zone: AdZone;
  beforeAll(async () => {
    zone = await makeZone(seller, await makeWebsite(seller));
  });
  const option = { adType: 'text', price: '19.99', pricingModel: 'per_day' };
  const options = async () => (await seller.get(`/api/ad-zones/${zone.id}/products`)).body as Product[];

  // Proves API-53, GEN-03, GEN-14, ENT-21, ENT-23, OP-047
  it('adds a pricing option for each ad type, with its own price', async () => {
    const text = await seller.post('/api/ad-zone-products', { ...option, adZoneId: zone.id });
    expect(text.status).toBe(201);
    expect(text.body).toMatchObject({ ...option, adZoneId: zone.id, duration: 1, isActive: true });
    await makeProduct(seller, zone, { adType: 'image', price: 5, adZoneId: zone.publicId });
    await makeProduct(seller, zone, { adType: 'video', price: '999999.99' });
    expect((await options()).map(({ adType, price }) => [adType, price])).toEqual([
      ['text', '19.99'],
      ['image', '5.00'],
      ['video', '999999.99'],
    ]);
  });

  // Proves ENT-25, GEN-13
  it('keeps only the quantity that belongs to the pricing model', async () => {
    const all = { duration: 7, impressions: 1000, clicks: 50 };
    expect(await makeProduct(seller, zone, { ...all, pricingModel: 'per_day' })).toMatchObject({
      duration: 7,
      impressions: null,
      clicks: null,
    });
    expect(await makeProduct(seller, zone, { ...all, pricingModel: 'per_impression' })).toMatchObject({
      duration: null,
      impressions: 1000,
      clicks: null,
    });
    expect(await makeProduct(seller, zone, { ...all, pricingModel: 'per_click' })).toMatchObject({
      duration: null,
      impressions: null,
      clicks: 50,
    });
  });

  // Proves API-53, GEN-14, ENT-23, GEN-13, OP-099
  it.each([
    { price: '-1' },
    { price: 0 },
    { price: '100000000' },
    { price: '1.999' },
    { adType: 'audio' },
    { pricingModel: 'per_week' },
    { duration: 0 },
    { pricingModel: 'per_click' },
    { pricingModel: 'per_impression', impressions: -5 },
    { adZoneId: null },
  ])('refuses %j', async (fields) => {
    const before = await options();
    const answer = await seller.post('/api/ad-zone-products', { ...option, adZoneId: zone.id, ...fields });
    expect(answer.status).toBe(400);
    expect(await options()).toEqual(before);
  });

  // Proves API-53, ROLE-12, OP-038
  it('answers 404 for another publisher’s zone', async () => {
    const body = { ...option, adZoneId: zone.id };
    expect((await stranger.post('/api/ad-zone-products', body)).status).toBe(404);
    expect((await stranger.post('/api/ad-zone-products', { ...body, adZoneId: UNKNOWN })).status).toBe(404);
    expect((await buyer.post('/api/ad-zone-products', body)).status).toBe(403);
    expect((await server.anyone().post('/api/ad-zone-products', body)).status).toBe(401);
  });

  // Proves OP-071
  it('withdraws a pricing option and offers it again', async () => {
    const { id } = await makeProduct(seller, zone);
    const withdrawn = await seller.patch(`/api/ad-zone-products/${id}`, { isActive: false });
    expect(withdrawn).toMatchObject({ status: 200, body: { id, isActive: false } });
    const listed = await buyer.get(`/api/ad-zones/${zone.publicId}/products`);
    expect((listed.body as Product[]).some((product) => product.id === id)).toBe(false);
    expect((await seller.patch(`/api/ad-zone-products/${id}`, { isActive: true })).body.isActive).toBe(true);

    expect((await seller.patch(`/api/ad-zone-products/${id}`, { isActive: 'no' })).status).toBe(400);
    expect((await seller.patch(`/api/ad-zone-products/${id}`, {})).status).toBe(400);
    expect((await stranger.patch(`/api/ad-zone-products/${id}`, { isActive: false })).status).toBe(404);
    expect((await seller.patch('/api/ad-zone-products/999999', { isActive: false })).status).toBe(404);
    expect((await seller.patch('/api/ad-zone-products/x', { isActive: false })).status).toBe(404);
    expect((await buyer.patch(`/api/ad-zone-products/${id}`, { isActive: false })).status).toBe(403);
    expect((await server.anyone().patch(`/api/ad-zone-products/${id}`, {})).status).toBe(401);
  });
});

describe('changing a zone', () => {
  // Proves OP-071, OP-068
  it('renames, pauses and resumes it', async () => {
    const zone = await makeZone(seller, await makeWebsite(seller));
    const renamed = await seller.patch(`/api/ad-zones/${zone.publicId}`, { name: ' Footer ' });
    expect(renamed).toMatchObject({
      status: 200,
      body: { name: 'Footer', isActive: true, width: zone.width },
    });
    expect(Date.parse(renamed.body.updatedAt)).toBeGreaterThan(Date.parse(zone.updatedAt));
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false })).body).toMatchObject({
      name: 'Footer',
      isActive: false,
    });

    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { name: '' })).status).toBe(400);
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: 1 })).status).toBe(400);
    expect((await stranger.patch(`/api/ad-zones/${zone.id}`, { name: 'x' })).status).toBe(404);
    expect((await seller.patch(`/api/ad-zones/${UNKNOWN}`, { name: 'x' })).status).toBe(404);
    expect((await buyer.patch(`/api/ad-zones/${zone.id}`, { name: 'x' })).status).toBe(403);
    expect((await server.anyone().patch(`/api/ad-zones/${zone.id}`, { name: 'x' })).status).toBe(401);
  });
});
