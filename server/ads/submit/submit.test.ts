import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { png } from '#server/testing/pictures.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
let zone: AdZone;
let product: Product;
beforeAll(async () => {
  seller = await server.signIn('seller', { email: 'publisher@example.test' });
  buyer = await server.signIn('buyer');
  zone = await makeZone(seller, await makeWebsite(seller));
  product = await makeProduct(seller, zone);
});

const bodyOf = (fields: Record<string, unknown> = {}) => ({
  adZoneId: zone.id,
  productId: product.id,
  adType: 'text',
  title: 'Fresh coffee',
  description: 'Roasted on Monday.',
  targetUrl: 'https://coffee.example/start',
  totalAmount: '100.00',
  status: 'pending',
  ...fields,
});

const adCount = async () =>
  Number(
    (
      await server.ctx.db
        .selectFrom('ads')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

// Proves API-41, CRE-16, ENT-29, ENT-30, ENT-31, GEN-10
it('creates a pending ad, lists it for the publisher and e-mails them', async () => {
  const answer = await buyer.post('/api/ads', bodyOf());
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    id: expect.any(Number),
    publicId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    userId: buyer.user.id,
    status: 'pending',
    totalAmount: '100.00',
    commissionAmount: '15.00',
    pricingModel: 'per_day',
    duration: 1,
    impressions: null,
    clicks: null,
    totalImpressions: 0,
    totalClicks: 0,
    rejectionReason: null,
    startDate: null,
    endDate: null,
    websiteName: 'The Daily Slot',
    adZoneName: 'Sidebar',
    adZoneDescription: 'rectangle, 300x250',
  });
  const pending = (await seller.get('/api/ads/pending')).body as { id: number }[];
  expect(pending.map(({ id }) => id)).toContain(answer.body.id);
  const kinds = (await mailTo(server.ctx, 'publisher@example.test')).map(({ kind }) => kind);
  expect(kinds).toContain('ad-submitted');
});

// Proves API-41, OP-048, GEN-17
it('ignores status, amount and other server-owned fields in the body', async () => {
  const answer = await buyer.post(
    '/api/ads',
    bodyOf({
      status: 'active',
      totalAmount: '0.01',
      commissionAmount: '0',
      userId: seller.user.id,
      id: 1,
      clicks: 9,
    }),
  );
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    status: 'pending',
    totalAmount: '100.00',
    commissionAmount: '15.00',
    clicks: null,
  });
  expect(answer.body.userId).toBe(buyer.user.id);
});

// Proves API-41, OP-047, OP-048
it('accepts the zone’s uuid, and a body without status and amount', async () => {
  const { totalAmount: _amount, status: _status, ...body } = bodyOf({ adZoneId: zone.publicId });
  expect((await buyer.post('/api/ads', body)).body).toMatchObject({ adZoneId: zone.id, status: 'pending' });
});

it('refuses an ad whose price has changed since its advertiser saw it', async () => {
  const { id } = await makeProduct(seller, zone, { price: '40.00' });
  const body = bodyOf({ productId: id, expectedPrice: '40.00' });
  await seller.patch(`/api/ad-zone-products/${id}`, { price: '1040.50' });
  const before = await adCount();
  const answer = await buyer.post('/api/ads', body);
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'The price is now $1,040.50. Please check the order and submit it again.',
  ]);
  expect((await buyer.post('/api/ads', { ...body, expectedPrice: 40 })).status).toBe(400);
  expect(await adCount()).toBe(before);
  const seen = await buyer.post('/api/ads', { ...body, expectedPrice: '1040.50' });
  expect(seen.body).toMatchObject({ totalAmount: '1040.50' });
});

// Proves OP-050, OP-091
it('fixes price, fee and plan at submission', async () => {
  const own = await makeProduct(seller, zone, {
    price: '33.33',
    pricingModel: 'per_click',
    duration: null,
    clicks: 50,
  });
  const ad = await makeAd(buyer, own);
  expect(ad).toMatchObject({ totalAmount: '33.33', commissionAmount: '5.00', clicks: 50, duration: null });
  await server.ctx.db
    .updateTable('adZoneProducts')
    .set({ price: '999.00', clicks: 1 })
    .where('id', '=', own.id)
    .execute();
  expect((await buyer.get(`/api/ads/${ad.publicId}`)).body).toMatchObject({
    totalAmount: '33.33',
    clicks: 50,
  });
});

describe('refuses and writes nothing for', () => {
  // Proves API-41, VAL-22, VAL-23, VAL-26, ENT-26, GEN-14
  it.each([
    ['a blank title', { title: ' ' }, 'Title is required'],
    ['a long title', { title: 'x'.repeat(101) }, 'Title must be less than 100 characters'],
    ['an empty description', { description: '' }, 'Description is required'],
    ['a long description', { description: 'x'.repeat(501) }, 'Description must be less than 500 characters'],
    ['a javascript: target URL', { targetUrl: 'javascript:alert(1)' }, 'Please enter a valid URL'],
    ['a missing target URL', { targetUrl: undefined }, 'Please enter a valid URL'],
    ['an unknown ad type', { adType: 'popup' }, 'Please choose an ad type'],
    [
      'an ad type other than the pricing option’s',
      { adType: 'video' },
      'This pricing option is for text ads. Please choose another one.',
    ],
    ['an unknown zone', { adZoneId: 999_999 }, 'This ad zone is not available. Please choose another one.'],
    [
      'an unknown pricing option',
      { productId: 999_999 },
      'This pricing option is not available. Please choose another one.',
    ],
  ])('%s', async (_what, fields, message) => {
    const before = await adCount();
    const answer = await buyer.post('/api/ads', bodyOf(fields));
    expect(answer).toMatchObject({
      status: 400,
      body: { message },
    });
    expect(await adCount()).toBe(before);
  });

  // Proves API-41, OP-048
  it('an option of another zone, an inactive option, an inactive zone or an inactive website', async () => {
    const elsewhere = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
    expect((await buyer.post('/api/ads', bodyOf({ productId: elsewhere.id }))).status).toBe(400);
    const inactive = await makeProduct(seller, zone, { isActive: false });
    expect((await buyer.post('/api/ads', bodyOf({ productId: inactive.id }))).status).toBe(400);

    const site = await makeWebsite(seller);
    const off = await makeProduct(seller, await makeZone(seller, site, { isActive: false }));
    expect((await buyer.post('/api/ads', bodyOf({ adZoneId: off.adZoneId, productId: off.id }))).status).toBe(
      400,
    );
    const on = await makeProduct(seller, await makeZone(seller, site));
    await server.ctx.db.updateTable('websites').set({ isActive: false }).where('id', '=', site.id).execute();
    expect((await buyer.post('/api/ads', bodyOf({ adZoneId: on.adZoneId, productId: on.id }))).status).toBe(
      400,
    );
  });

  // Proves API-41, OP-038, NAV-21
  it('a visitor (401) and a publisher (403)', async () => {
    expect((await server.anyone().post('/api/ads', bodyOf())).status).toBe(401);
    expect((await seller.post('/api/ads', bodyOf())).status).toBe(403);
  });
});

describe('the media of an ad', () => {
  let imageOption: Product;
  let videoOption: Product;
  beforeAll(async () => {
    imageOption = await makeProduct(seller, zone, { adType: 'image' });
    videoOption = await makeProduct(seller, zone, { adType: 'video' });
  });
  const post = (option: Product, fields: object) =>
    buyer.post('/api/ads', bodyOf({ productId: option.id, adType: option.adType, ...fields }));

  // Proves GEN-15, VAL-27
  it('an image ad accepts the advertiser’s own upload', async () => {
    const imageUrl = await upload(buyer);
    expect((await post(imageOption, { imageUrl })).body).toMatchObject({ imageUrl, videoUrl: null });
  });

  // Proves VAL-27, OP-089
  it('an image ad refuses a missing image, another user’s upload, an external address and a video', async () => {
    const foreign = await upload(await server.signIn('buyer'));
    const video = await upload(buyer, 'video/mp4');
    const unknown = `/ad-images/${'a'.repeat(22)}`;
    for (const imageUrl of [undefined, null, '', 'https://pics.example/a.png', foreign, video, unknown]) {
      const answer = await post(imageOption, { imageUrl });
      expect(answer).toMatchObject({ status: 400, body: { message: 'Please upload an image for your ad' } });
    }
  });

  // Proves GEN-16, OP-055, CRE-18, ENT-28
  it('a video ad accepts an uploaded MP4, with or without a thumbnail', async () => {
    const video = await upload(buyer, 'video/mp4');
    const picture = await upload(buyer);
    for (const fields of [
      { videoUrl: video },
      { videoUrl: video, imageUrl: picture },
      // Nobody answers there, so there is nothing to copy.
      { videoUrl: video, imageUrl: 'http://127.0.0.1:9/still.png' },
      { videoUrl: null, imageUrl: null },
    ]) {
      const answer = await post(videoOption, fields);
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject(fields);
      expect((await buyer.get(`/api/ads/${answer.body.publicId}`)).body.videoUrl).toBe(fields.videoUrl);
    }
  });

  // Proves GEN-16, OP-055, DEC-05
  it('a video ad refuses an image as video, a video as thumbnail, another user’s upload, and any address elsewhere', async () => {
    const picture = await upload(buyer);
    const video = await upload(buyer, 'video/mp4');
    const foreign = await upload(await server.signIn('buyer'), 'video/mp4');
    for (const fields of [
      { videoUrl: picture },
      { videoUrl: foreign },
      { videoUrl: video, imageUrl: video },
      { videoUrl: 'http://videos.example/ad.mp4' },
      { videoUrl: 'https://videos.example/ad.mp4' },
      { videoUrl: `${server.url}${video}` },
    ]) {
      const { status, body } = await post(videoOption, fields);
      expect({ fields, status, message: body.message }).toEqual({
        fields,
        status: 400,
        message: `Please upload your ${'imageUrl' in fields ? 'thumbnail as an image' : 'video as an MP4 file'}`,
      });
    }
  });

  // Proves DEC-06
  it('copies a thumbnail from another server, so that nobody loads it from there', async () => {
    const still = await png(60, 40);
    const asked: string[] = [];
    const web = http.createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/still.png') response.writeHead(200, { 'content-type': 'image/png' }).end(still);
      else response.writeHead(200, { 'content-type': 'image/png' }).end('no picture');
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    try {
      const host = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
      const videoUrl = await upload(buyer, 'video/mp4');
      const copied = await post(videoOption, { videoUrl, imageUrl: `${host}/still.png` });
      expect(copied).toMatchObject({ status: 201, body: { imageUrl: expect.stringMatching(IMAGE_PATH) } });
      expect((await buyer.get(copied.body.imageUrl as string)).status).toBe(200);
      const broken = await post(videoOption, { videoUrl, imageUrl: `${host}/broken.png` });
      expect(broken).toMatchObject({ status: 201, body: { imageUrl: `${host}/broken.png` } });
      expect(asked).toEqual(['/still.png', '/broken.png']);
    } finally {
      web.closeAllConnections();
      web.close();
    }
  });

  // Proves OP-055
  it('a text ad drops all media', async () => {
    const answer = await buyer.post('/api/ads', bodyOf({ imageUrl: await upload(buyer), videoUrl: null }));
    expect(answer.body).toMatchObject({ imageUrl: null, videoUrl: null });
  });
});

// Proves RUN-19
it('stores hostile text and returns it unchanged, and refuses a null character', async () => {
  const title = '<script>alert(1)</script> \u202Eevil \u{1F600}';
  const description = `"'--; drop table ads; ${'x'.repeat(470)}`;
  const ad = (await buyer.post('/api/ads', bodyOf({ title, description }))).body;
  expect(ad).toMatchObject({ title, description });
  expect((await buyer.post('/api/ads', bodyOf({ title: 'a\u0000b' }))).status).toBe(400);
});
