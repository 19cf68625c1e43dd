import { beforeAll, expect, it } from 'vitest';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

async function pricedZone(): Promise<{ zone: AdZone; product: Product }> {
  const zone = await makeZone(seller, await makeWebsite(seller));
  return { zone, product: await makeProduct(seller, zone) };
}

// Proves API-54, ZONE-07, OP-075
it('deletes a zone without ads, and answers 404 to a second deletion', async () => {
  const { zone } = await pricedZone();
  const answer = await seller.delete(`/api/ad-zones/${zone.id}`);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect((await seller.get(`/api/websites/${zone.websiteId}/ad-zones`)).body).toEqual([]);
  expect((await seller.get(`/api/ad-zones/${zone.publicId}/products`)).status).toBe(404);
  expect((await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true })).status).toBe(404);
  const again = await seller.delete(`/api/ad-zones/${zone.publicId}`);
  expect(again).toMatchObject({
    status: 404,
    body: { message: 'Ad zone not found. Please reload the page.' },
  });
});

// Proves API-54, OP-038
it('lets only its publisher delete a zone', async () => {
  const { zone } = await pricedZone();
  const stranger = await server.signIn('seller');
  expect((await stranger.delete(`/api/ad-zones/${zone.id}`)).status).toBe(404);
  expect((await buyer.delete(`/api/ad-zones/${zone.id}`)).status).toBe(403);
  expect((await server.anyone().delete(`/api/ad-zones/${zone.id}`)).status).toBe(401);
  expect((await seller.delete('/api/ad-zones/999999')).status).toBe(404);
  expect((await seller.delete('/api/ad-zones/x')).status).toBe(404);
  expect((await seller.get(`/api/websites/${zone.websiteId}/ad-zones`)).body).toHaveLength(1);
});

// Proves API-54, OP-074
it('refuses to delete a zone with an approved or active campaign, and changes nothing', async () => {
  const { zone, product } = await pricedZone();
  const approved = await makeAd(buyer, product);
  const pending = await makeAd(buyer, product);
  await approve(seller, approved);
  const live = await makeLiveAd(seller, buyer);
  for (const { id } of [zone, live.zone]) {
    const answer = await seller.delete(`/api/ad-zones/${id}`);
    expect(answer).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('active campaigns') },
    });
    expect((await seller.get(`/api/ad-zones/${id}/products`)).status).toBe(200);
  }
  expect((await buyer.get(`/api/ads/${pending.id}`)).body.status).toBe('pending');
});

// Proves API-54, OP-074
it('deletes a zone with a completed campaign, which stays readable', async () => {
  const { zone, ad } = await makeLiveAd(seller, buyer);
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();
  expect((await seller.delete(`/api/ad-zones/${zone.id}`)).status).toBe(200);
  const history = await buyer.get(`/api/ads/${ad.id}`);
  expect(history.body).toMatchObject({ status: 'completed', adZoneName: zone.name });
});

// Proves API-54, OP-074
it('rejects the zone’s pending ads with a reason and e-mails their advertiser', async () => {
  const { zone, product } = await pricedZone();
  const ad = await makeAd(buyer, product);
  expect((await seller.delete(`/api/ad-zones/${zone.id}`)).status).toBe(200);
  const rejected = (await buyer.get(`/api/ads/${ad.id}`)).body;
  expect(rejected).toMatchObject({
    status: 'rejected',
    rejectionReason: 'The ad zone was deleted by the publisher',
  });
  const mail = await server.ctx.db
    .selectFrom('messages')
    .selectAll()
    .where('recipient', '=', buyer.user.email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(mail.bodyText).toContain('The ad zone was deleted by the publisher');
});

// Proves API-54, OP-075
it('performs exactly one of ten concurrent deletions', async () => {
  const { zone } = await pricedZone();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => seller.delete(`/api/ad-zones/${zone.id}`)),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(404)]);
});

// Proves API-54, OP-074
it('leaves no open ad on a deleted zone after concurrent approvals and submissions', async () => {
  for (let round = 0; round < 10; round++) {
    const { zone, product } = await pricedZone();
    const ad = await makeAd(buyer, product);
    const [deleted, approved, submitted] = await Promise.all([
      seller.delete(`/api/ad-zones/${zone.id}`),
      seller.put(`/api/ads/${ad.id}/approve`),
      buyer.post('/api/ads', { ...submission, adZoneId: zone.id, productId: product.id }),
    ]);
    expect([200, 409]).toContain(deleted.status);
    expect([200, 409]).toContain(approved.status);
    expect([201, 400]).toContain(submitted.status);
    expect([deleted.status, approved.status]).toContain(409);
    const { status } = (await buyer.get(`/api/ads/${ad.id}`)).body;
    expect(status).toBe(deleted.status === 200 ? 'rejected' : 'approved');
    if (deleted.status === 200 && submitted.status === 201) {
      expect((await buyer.get(`/api/ads/${submitted.body.id}`)).body.status).toBe('rejected');
    }
  }
});

const submission = {
  adType: 'text',
  title: 'Just in time',
  description: 'Submitted while the zone goes away.',
  targetUrl: 'https://coffee.example',
};
