import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
let buyer: Client;
let product: Product;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { email: 'advertiser@example.test' });
  product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
});

const REASON = { rejectionReason: 'The target page is empty' };
const statusOf = async (ad: Ad): Promise<string> => (await buyer.get(`/api/ads/${ad.id}`)).body.status;
const mailKinds = async () => (await mailTo(server.ctx, 'advertiser@example.test')).map(({ kind }) => kind);

// Proves API-38, DASH-S-33
it('approves by number or uuid, with an empty body or none, and e-mails the advertiser', async () => {
  const [one, two] = [await makeAd(buyer, product), await makeAd(buyer, product)];
  expect(await seller.put(`/api/ads/${one.id}/approve`)).toMatchObject({
    status: 200,
    body: { status: 'approved' },
  });
  const answer = await seller.put(`/api/ads/${two.publicId}/approve`, {});
  expect(answer).toMatchObject({ status: 200, body: { id: two.id, status: 'approved' } });
  expect(await statusOf(one)).toBe('approved');
  expect((await mailKinds()).filter((kind) => kind === 'ad-approved')).toHaveLength(2);
});

// Proves API-39, DASH-S-34, OP-066
it('rejects with a reason, which the advertiser sees in the list and in the e-mail', async () => {
  const ad = await makeAd(buyer, product);
  const answer = await seller.put(`/api/ads/${ad.publicId}/reject`, { rejectionReason: '  Too loud ' });
  expect(answer).toMatchObject({ status: 200, body: { status: 'rejected', rejectionReason: 'Too loud' } });
  const stored = (await buyer.get('/api/ads/my')).body.find(({ id }: Ad) => id === ad.id);
  expect(stored).toMatchObject({ status: 'rejected', rejectionReason: 'Too loud' });
  const mail = (await mailTo(server.ctx, 'advertiser@example.test')).findLast(
    ({ kind }) => kind === 'ad-rejected',
  );
  expect(mail?.text).toContain('Too loud');
});

// Proves API-39, VAL-31
it('refuses a rejection with a blank or missing reason and leaves the ad pending', async () => {
  const ad = await makeAd(buyer, product);
  for (const body of [
    undefined,
    {},
    { rejectionReason: '' },
    { rejectionReason: '   ' },
    { rejectionReason: 5 },
  ]) {
    const answer = await seller.put(`/api/ads/${ad.id}/reject`, body);
    expect(answer).toMatchObject({ status: 400, body: { message: 'Please provide a reason for rejection' } });
  }
  expect(await statusOf(ad)).toBe('pending');
});

// Proves API-38, API-39, ROLE-12, OP-038
it('answers 401 to a visitor, 403 to an advertiser, and 404 to another publisher or for an unknown ad', async () => {
  const ad = await makeAd(buyer, product);
  const stranger = await server.signIn('both');
  for (const verb of ['approve', 'reject']) {
    const path = `/api/ads/${ad.id}/${verb}`;
    expect((await server.anyone().put(path, REASON)).status).toBe(401);
    expect((await buyer.put(path, REASON)).status).toBe(403);
    expect((await stranger.put(path, REASON)).status).toBe(404);
    for (const unknown of ['999999', '99999999999', '0', '-1', 'x', '00000000-0000-4000-8000-000000000000']) {
      expect((await seller.put(`/api/ads/${unknown}/${verb}`, REASON)).status).toBe(404);
    }
  }
  expect(await statusOf(ad)).toBe('pending');
});

// Proves API-38, API-39, OP-058, STATE-33
it('refuses to approve or reject an ad that is not pending', async () => {
  const approved = await makeAd(buyer, product);
  await approve(seller, approved);
  const rejected = await makeAd(buyer, product);
  await seller.put(`/api/ads/${rejected.id}/reject`, REASON);
  const active = await makeAd(buyer, product);
  await approve(seller, active);
  await pay(buyer, active);
  for (const [ad, status] of [
    [approved, 'approved'],
    [rejected, 'rejected'],
    [active, 'active'],
  ] as const) {
    for (const verb of ['approve', 'reject']) {
      const answer = await seller.put(`/api/ads/${ad.id}/${verb}`, REASON);
      expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining(status) } });
    }
    expect(await statusOf(ad)).toBe(status);
  }
});

// Proves DOOR-03
it('decides only about the version that the publisher saw', async () => {
  const ad = await makeAd(buyer, product);
  expect(ad.version).toBe(1);
  await seller.put(`/api/ads/${ad.id}/reject`, { ...REASON, version: 1 });
  const content = { title: 'Something else', description: ad.description, targetUrl: ad.targetUrl };
  const changed = (await buyer.put(`/api/ads/${ad.id}`, content)).body as Ad;
  expect(changed).toMatchObject({ status: 'pending', version: 2 });

  for (const verb of ['approve', 'reject']) {
    const stale = await seller.put(`/api/ads/${ad.id}/${verb}`, { ...REASON, version: 1 });
    expect(stale).toMatchObject({
      status: 409,
      body: {
        message: 'The advertiser has changed this ad since you opened it. Review the new version first.',
      },
    });
    for (const version of [0, 1.5, -1, '1', 2_147_483_648]) {
      expect((await seller.put(`/api/ads/${ad.id}/${verb}`, { ...REASON, version })).status).toBe(400);
    }
  }
  expect(await statusOf(ad)).toBe('pending');
  expect(await seller.put(`/api/ads/${ad.id}/approve`, { version: 2 })).toMatchObject({
    status: 200,
    body: { status: 'approved', version: 2 },
  });
});

// Proves DOOR-03
it('never approves a resubmission with its earlier version, in either order', async () => {
  for (let round = 0; round < 10; round++) {
    const ad = await makeAd(buyer, product);
    await seller.put(`/api/ads/${ad.id}/reject`, REASON);
    const content = { title: `Round ${round}`, description: ad.description, targetUrl: ad.targetUrl };
    const [, approval] = await Promise.all([
      buyer.put(`/api/ads/${ad.id}`, content),
      seller.put(`/api/ads/${ad.id}/approve`, { version: 1 }),
    ]);
    expect(approval.status).toBe(409);
    expect(await statusOf(ad)).toBe('pending');
  }
});

// Proves OP-058, PAY-09
it('accepts exactly one of fifty concurrent decisions and sends one notice', async () => {
  const ad = await makeAd(buyer, product);
  const before = (await mailKinds()).length;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      n % 2 === 0
        ? seller.put(`/api/ads/${ad.id}/approve`)
        : seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: `No ${n}` }),
    ),
  );
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  expect(await statusOf(ad)).toBe(winners[0]?.body.status);
  expect((await mailKinds()).length).toBe(before + 1);
});

// Proves OP-045, DASH-S-01
it('lets a user with both roles approve and pay for their own ad in their own zone', async () => {
  const both = await server.signIn('both');
  const own = await makeProduct(both, await makeZone(both, await makeWebsite(both)));
  const ad = await makeAd(both, own);
  expect((await approve(both, ad)).status).toBe('approved');
  expect((await pay(both, ad)).status).toBe('active');
});
