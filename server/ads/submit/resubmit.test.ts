import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
let product: Product;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
});

async function makeRejected(of: Product = product, fields: Record<string, unknown> = {}): Promise<Ad> {
  const ad = await makeAd(buyer, of, fields);
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Too loud' });
  return ad;
}

const contentOf = (ad: Ad) => ({
  title: ad.title,
  description: ad.description,
  targetUrl: ad.targetUrl,
  imageUrl: ad.imageUrl,
});

// Proves API-40, DASH-B-20, OP-059
it('makes a changed ad pending again, clears the reason and keeps the price', async () => {
  const ad = await makeRejected();
  const body = { ...contentOf(ad), title: 'A calmer title', status: 'active', totalAmount: '0.01' };
  const answer = await buyer.put(`/api/ads/${ad.id}`, body);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ status: 'pending', rejectionReason: null, totalAmount: '100.00' });
  const pending = (await seller.get('/api/ads/pending')).body as Ad[];
  expect(pending.find(({ id }) => id === ad.id)?.title).toBe('A calmer title');
});

// Proves API-40, VAL-30
it('refuses an unchanged ad, which stays rejected', async () => {
  const ad = await makeRejected();
  const answer = await buyer.put(`/api/ads/${ad.publicId}`, contentOf(ad));
  const message = 'At least one field must be modified before resubmission';
  expect(answer).toMatchObject({ status: 400, body: { message } });
  const padded = { ...contentOf(ad), title: `  ${ad.title} ` };
  expect((await buyer.put(`/api/ads/${ad.publicId}`, padded)).status).toBe(400);
  expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({
    status: 'rejected',
    rejectionReason: 'Too loud',
  });
});

// Proves API-40, VAL-29, OP-056
it('applies the same field rules as the first submission', async () => {
  const ad = await makeRejected();
  for (const fields of [
    { title: '' },
    { description: ' ' },
    { targetUrl: 'ftp://x.example' },
    { title: 'x'.repeat(101) },
    { description: 'x'.repeat(501) },
  ]) {
    expect((await buyer.put(`/api/ads/${ad.id}`, { ...contentOf(ad), title: 'New', ...fields })).status).toBe(
      400,
    );
  }
});

// Proves API-40, OP-038, ROLE-07
it('answers 401 to a visitor, 403 to a publisher, and 404 to another advertiser or for an unknown ad', async () => {
  const ad = await makeRejected();
  const body = { ...contentOf(ad), title: 'Mine now' };
  expect((await server.anyone().put(`/api/ads/${ad.id}`, body)).status).toBe(401);
  expect((await seller.put(`/api/ads/${ad.id}`, body)).status).toBe(403);
  expect((await (await server.signIn('buyer')).put(`/api/ads/${ad.id}`, body)).status).toBe(404);
  expect((await buyer.put('/api/ads/999999', body)).status).toBe(404);
  expect((await buyer.get(`/api/ads/${ad.id}`)).body.title).toBe(ad.title);
});

// Proves API-40, OP-059
it('refuses ads that are pending or approved', async () => {
  const pending = await makeAd(buyer, product);
  const approved = await makeAd(buyer, product);
  await approve(seller, approved);
  for (const ad of [pending, approved]) {
    expect((await buyer.put(`/api/ads/${ad.id}`, { ...contentOf(ad), title: 'New' })).status).toBe(409);
    expect((await buyer.get(`/api/ads/${ad.id}`)).body.title).toBe(ad.title);
  }
});

// Proves API-40, OP-059
it('accepts only one of ten concurrent resubmissions', async () => {
  const ad = await makeRejected();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      buyer.put(`/api/ads/${ad.id}`, { ...contentOf(ad), title: `Title ${n}` }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array<number>(9).fill(409),
  ]);
});

// Proves API-40, DASH-B-17, OP-089
it('lets an image ad change its image, but not drop it or use another user’s upload', async () => {
  const option = await makeProduct(seller, { ...(await ownZone()) }, { adType: 'image' });
  const ad = await makeRejected(option, { imageUrl: await upload(buyer) });
  const put = (fields: object) => buyer.put(`/api/ads/${ad.id}`, { ...contentOf(ad), ...fields });
  expect((await put({ imageUrl: null })).status).toBe(400);
  expect((await put({ imageUrl: await upload(await server.signIn('buyer')) })).status).toBe(400);
  const { imageUrl: _left, ...without } = contentOf(ad);
  expect((await buyer.put(`/api/ads/${ad.id}`, without)).status).toBe(400);
  const imageUrl = await upload(buyer);
  expect((await put({ imageUrl })).body).toMatchObject({ status: 'pending', imageUrl });
});

// Proves API-40, OP-074
it('refuses an ad whose zone was deleted', async () => {
  const option = await makeProduct(seller, await ownZone());
  const ad = await makeRejected(option);
  expect((await seller.delete(`/api/ad-zones/${option.adZoneId}`)).status).toBe(200);
  expect((await buyer.put(`/api/ads/${ad.id}`, { ...contentOf(ad), title: 'New' })).status).toBe(409);
});

const ownZone = async () => makeZone(seller, await makeWebsite(seller));
