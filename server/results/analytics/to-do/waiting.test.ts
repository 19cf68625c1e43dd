import { expect, it } from 'vitest';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import { readPayee } from '#server/money/payees/read.ts';
import { countAt } from '#server/testing/figures.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import type { Client } from '#server/testing/client.ts';

const server = useServer();

async function stepsOf(client: Client): Promise<{ steps: string[]; more: number }> {
  const { status, body } = await client.get('/api/waiting');
  expect(status).toBe(200);
  const steps = (body.steps as { kind: string; title: string }[]).map(
    ({ kind, title }) => `${kind} ${title}`,
  );
  return { steps, more: body.more };
}

it('lists the next steps of each side, and those of both sides for a person with both roles', async () => {
  const [seller, buyer] = [await server.signIn('both'), await server.signIn('buyer')];
  expect(await stepsOf(seller)).toEqual({ steps: [], more: 0 });
  const website = await makeWebsite(seller);
  const zone = await makeZone(seller, website, { name: 'Top' });
  expect(await stepsOf(seller)).toEqual({ steps: ['price Top'], more: 0 });
  const product = await makeProduct(seller, zone);
  expect(await stepsOf(seller)).toEqual({ steps: ['tag Top'], more: 0 });
  await server.ctx.db
    .updateTable('adZones')
    .set({ tagSeenAt: new Date() })
    .where('id', '=', zone.id)
    .execute();
  expect(await stepsOf(seller)).toEqual({ steps: [], more: 0 });

  const ad = await makeAd(buyer, product, { title: 'Shoes' });
  expect(await stepsOf(seller)).toEqual({ steps: ['review Shoes'], more: 0 });
  expect(await stepsOf(buyer)).toEqual({ steps: [], more: 0 });
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Too loud' });
  expect([await stepsOf(seller), await stepsOf(buyer)]).toEqual([
    { steps: [], more: 0 },
    { steps: ['edit Shoes'], more: 0 },
  ]);

  const own = await approve(seller, await makeAd(seller, product, { title: 'Hats' }));
  await makeAd(buyer, product, { title: 'Belts' });
  await makeZone(seller, website, { name: 'Side' });
  expect(await stepsOf(seller)).toEqual({ steps: ['pay Hats', 'review Belts', 'price Side'], more: 0 });
  expect((await seller.get('/api/waiting')).body.steps[0]).toEqual({
    kind: 'pay',
    id: own.id,
    publicId: own.publicId,
    title: 'Hats',
    websiteName: website.name,
    amount: null,
  });
});

it('asks a publisher with earnings to set up payouts, until an account is ready', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100 };
  const { ad, zone } = await makeLiveAd(seller, buyer, { product });
  await server.ctx.db
    .updateTable('adZones')
    .set({ tagSeenAt: new Date() })
    .where('id', '=', zone.id)
    .execute();
  expect(await stepsOf(seller)).toEqual({ steps: [], more: 0 });
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 40);
  await accrueDue(server.ctx, { early: true });
  expect((await seller.get('/api/waiting')).body.steps).toEqual([
    {
      kind: 'payout',
      id: seller.user.id,
      publicId: '',
      title: 'Set up payouts',
      websiteName: '',
      amount: '34.00',
    },
  ]);
  expect(await stepsOf(buyer)).toEqual({ steps: [], more: 0 });
  await seller.post('/api/payouts/account', { country: 'DE' });
  expect(await stepsOf(seller)).toEqual({ steps: ['payout Set up payouts'], more: 0 });
  await seller.post('/api/sandbox/onboarding', { outcome: 'complete' });
  await readPayee(server.ctx, seller.user.id);
  expect(await stepsOf(seller)).toEqual({ steps: [], more: 0 });
});

it('lists at most three steps, the most urgent first, and counts the others', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const website = await makeWebsite(seller);
  const product = await makeProduct(seller, await makeZone(seller, website, { name: 'Top' }));
  for (const name of ['A', 'B', 'C', 'D', 'E']) await makeZone(seller, website, { name });
  await makeAd(buyer, product, { title: 'Shoes' });
  expect(await stepsOf(seller)).toEqual({
    steps: ['review Shoes', 'price A', 'price B'],
    more: 4,
  });
  const all = (await seller.get('/api/waiting?limit=100')).body;
  expect([all.steps.length, all.more]).toEqual([7, 0]);
  for (const limit of ['0', '101', 'x'])
    expect((await seller.get(`/api/waiting?limit=${limit}`)).status).toBe(400);
});

it('leaves out the steps that the user cannot take now: of a paused or suspended zone, and of a side that the role hides', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const website = await makeWebsite(seller);
  const zone = await makeZone(seller, website);
  const product = await makeProduct(seller, zone);
  const approved = await approve(seller, await makeAd(buyer, product, { title: 'Shoes' }));
  const old = await makeAd(buyer, product, { title: 'Old' });
  await seller.put(`/api/ads/${old.id}/reject`, { rejectionReason: 'Too loud' });
  expect(await stepsOf(buyer)).toEqual({ steps: ['pay Shoes', 'edit Old'], more: 0 });

  // An ad cannot be paid for while its zone is paused or its website is suspended.
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  expect(await stepsOf(buyer)).toEqual({ steps: ['edit Old'], more: 0 });
  expect(await stepsOf(seller)).toEqual({ steps: [], more: 0 });
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
  const { db } = server.ctx;
  const suspend = { suspendedAt: new Date(), suspendedReason: 'Spam' };
  await db.updateTable('websites').set(suspend).where('id', '=', website.id).execute();
  expect(await stepsOf(buyer)).toEqual({ steps: ['edit Old'], more: 0 });
  await db
    .updateTable('websites')
    .set({ suspendedAt: null, suspendedReason: null })
    .where('id', '=', website.id)
    .execute();

  // An advertiser who became a publisher can't open the checkout.
  await db.updateTable('users').set({ role: 'seller' }).where('id', '=', buyer.user.id).execute();
  expect(await stepsOf(buyer)).toEqual({ steps: [], more: 0 });
  await db.updateTable('users').set({ role: 'buyer' }).where('id', '=', buyer.user.id).execute();
  expect((await stepsOf(buyer)).steps).toEqual([`pay ${approved.title}`, 'edit Old']);
  expect(await stepsOf(await server.signIn('both'))).toEqual({ steps: [], more: 0 });
});

it('names the advertiser to the publisher, without an e-mail address', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { product } = await makeLiveAd(seller, buyer);
  const refused = await makeAd(buyer, product);
  await seller.put(`/api/ads/${refused.id}/reject`, { rejectionReason: 'Too loud' });
  await buyer.patch('/api/user/settings', { businessName: 'Northwind Bikes' });
  const ad = await makeAd(buyer, product, { targetUrl: 'https://www.shop.example/bikes?x=1' });

  const [listed] = (await seller.get('/api/ads/pending')).body;
  const { createdAt } = await server.ctx.db
    .selectFrom('users')
    .select('createdAt')
    .where('id', '=', buyer.user.id)
    .executeTakeFirstOrThrow();
  const advertiser = {
    name: expect.any(String),
    businessName: 'Northwind Bikes',
    since: createdAt.toISOString(),
    adsRun: 1,
    adsRejected: 1,
  };
  expect(listed).toMatchObject({ id: ad.id, advertiser });
  const details = await seller.get(`/api/ads/${ad.publicId}/details`);
  expect(details.body.advertiser).toEqual(listed.advertiser);
  for (const text of [details.text, JSON.stringify(listed)]) expect(text).not.toContain(buyer.user.email);
});
