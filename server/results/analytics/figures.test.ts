import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { refundPart } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';

const server = useOwnServer({ start: new Date('2026-11-30T20:00:00Z') });

const get = async (client: Client, name: string) => (await client.get(`/api/analytics/${name}`)).body;
const undelivered = (total: string) => ({ totalEarnings: total, delivered: '0.00', notDelivered: total });
const pair = async () => [await server.signIn('seller'), await server.signIn('buyer')] as const;

// Proves API-30, API-31, API-32, ENT-36
it('shows zero figures to a new account', async () => {
  const both = await server.signIn('both');
  expect(await get(both, 'earnings')).toEqual({
    totalEarnings: '0.00',
    delivered: '0.00',
    notDelivered: '0.00',
    thisMonth: '0.00',
  });
  expect(await get(both, 'spending')).toEqual({
    totalSpending: '0.00',
    delivered: '0.00',
    notDelivered: '0.00',
    thisMonth: '0.00',
    totalImpressions: 0,
    totalClicks: 0,
    impressionsThisMonth: 0,
    clicksThisMonth: 0,
  });
  expect(await get(both, 'active-ad-zones')).toEqual({ count: 0 });
  expect(await get(both, 'transactions')).toEqual([]);
});

// Proves API-30, API-31, API-32, ENT-36, OP-038
it('answers 401 to a visitor', async () => {
  for (const name of ['earnings', 'spending', 'active-ad-zones', 'transactions']) {
    expect((await server.anyone().get(`/api/analytics/${name}`)).status).toBe(401);
  }
});

// Proves API-30, API-31, ENT-36, TXN-07, OP-097
it('shows a sale of 100.00 as 85.00 earned and 100.00 spent, only to its two sides', async () => {
  const [seller, buyer] = await pair();
  await makeApprovedAd(seller, buyer);
  const { ad } = await makeLiveAd(seller, buyer);
  expect(await get(seller, 'earnings')).toEqual({ ...undelivered('85.00'), thisMonth: '85.00' });
  expect(await get(buyer, 'spending')).toMatchObject({ totalSpending: '100.00', thisMonth: '100.00' });
  expect(await get(seller, 'transactions')).toEqual([
    {
      id: ad.id,
      adType: 'text',
      imageUrl: null,
      videoUrl: null,
      title: ad.title,
      adZoneName: 'Sidebar',
      websiteName: 'The Daily Slot',
      advertiserEmail: buyer.user.email,
      amount: '100.00',
      earnings: '85.00',
      delivered: '0.00',
      notDelivered: '85.00',
      endedReason: null,
      refunded: '0.00',
      status: 'active',
      date: ad.startDate,
    },
  ]);
  expect(await get(seller, 'spending')).toMatchObject({ totalSpending: '0.00', thisMonth: '0.00' });
  expect(await get(buyer, 'earnings')).toEqual({
    totalEarnings: '0.00',
    delivered: '0.00',
    notDelivered: '0.00',
    thisMonth: '0.00',
  });
  expect(await get(buyer, 'transactions')).toEqual([]);
  const [otherSeller, otherBuyer] = await pair();
  expect(await get(otherSeller, 'transactions')).toEqual([]);
  expect((await get(otherBuyer, 'spending')).totalSpending).toBe('0.00');
});

// Proves API-32
it('counts only the publisher’s own zones that are active and not deleted', async () => {
  const seller = await server.signIn('seller');
  const website = await makeWebsite(seller);
  const [zone, off] = [await makeZone(seller, website), await makeZone(seller, website, { isActive: false })];
  await makeZone(await server.signIn('seller'), await makeWebsite(await server.signIn('seller'))).catch(
    () => null,
  );
  expect(off.isActive).toBe(false);
  expect(await get(seller, 'active-ad-zones')).toEqual({ count: 1 });
  await seller.delete(`/api/ad-zones/${zone.id}`);
  expect(await get(seller, 'active-ad-zones')).toEqual({ count: 0 });
});

// Proves OP-097
it('assigns money to the calendar month of its payment in UTC', async () => {
  server.clock.set(new Date('2026-11-30T23:59:50Z'));
  const [seller, buyer] = await pair();
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const [november, december] = [await makeAd(buyer, product), await makeAd(buyer, product)];
  for (const ad of [november, december]) await seller.put(`/api/ads/${ad.id}/approve`);
  await pay(buyer, november);
  expect(await get(seller, 'earnings')).toEqual({ ...undelivered('85.00'), thisMonth: '85.00' });

  server.clock.set(new Date('2026-12-01T00:00:00Z'));
  expect(await get(seller, 'earnings')).toEqual({ ...undelivered('85.00'), thisMonth: '0.00' });
  expect(await get(buyer, 'spending')).toMatchObject({ totalSpending: '100.00', thisMonth: '0.00' });
  await pay(buyer, december);
  server.clock.set(new Date('2026-12-03T00:00:00Z'));
  await completeDueAds(server.ctx);
  expect(await get(seller, 'earnings')).toEqual({
    totalEarnings: '170.00',
    delivered: '170.00',
    notDelivered: '0.00',
    thisMonth: '85.00',
  });
  expect(await get(buyer, 'spending')).toMatchObject({ totalSpending: '200.00', thisMonth: '100.00' });
  const rows = (await get(seller, 'transactions')) as Ad[];
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    [december.id, 'completed'],
    [november.id, 'completed'],
  ]);
});

// Proves OP-097
it('subtracts refunds from earnings and spending, by each side’s share', async () => {
  const [seller, buyer] = await pair();
  const { ad } = await makeLiveAd(seller, buyer);
  // A refund that the provider has not accepted yet is owed, so it counts as well.
  await refundPart(server, ad, 4000);
  await refundPart(server, ad, 1000);
  expect(await get(seller, 'earnings')).toEqual({ ...undelivered('42.50'), thisMonth: '42.50' });
  expect(await get(buyer, 'spending')).toMatchObject({ totalSpending: '50.00', thisMonth: '50.00' });
  expect(await get(seller, 'transactions')).toMatchObject([{ amount: '100.00', earnings: '42.50' }]);
});

// Proves HOOK-05, OP-097
it('leaves out a payment that came too late', async () => {
  const [seller, buyer] = await pair();
  const ad = await makeApprovedAd(seller, buyer);
  const { paymentIntentId } = await payByCard(buyer, ad);
  await sql`update ads set status = 'rejected', rejection_reason = 'Late' where id = ${ad.id}`.execute(
    server.ctx.db,
  );
  expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(409);
  expect(await get(seller, 'earnings')).toEqual({
    totalEarnings: '0.00',
    delivered: '0.00',
    notDelivered: '0.00',
    thisMonth: '0.00',
  });
  expect(await get(buyer, 'spending')).toMatchObject({ totalSpending: '0.00' });
  expect(await get(seller, 'transactions')).toEqual([]);
});

// Proves API-31, OP-044, DASH-B-08
it('shows delivered impressions and clicks in total and for this month', async () => {
  server.clock.set(new Date('2027-01-10T12:00:00Z'));
  const [seller, buyer] = await pair();
  const { ad } = await makeLiveAd(seller, buyer, { product: { duration: 60 } });
  await sql`update ads set total_impressions = 30, total_clicks = 4 where id = ${ad.id}`.execute(
    server.ctx.db,
  );
  await sql`insert into ad_performance (ad_id, date, impressions, clicks)
    values (${ad.id}, '2026-12-31', 10, 1), (${ad.id}, '2027-01-01', 15, 2), (${ad.id}, '2027-01-10', 5, 1)`.execute(
    server.ctx.db,
  );
  expect(await get(buyer, 'spending')).toMatchObject({
    totalImpressions: 30,
    totalClicks: 4,
    impressionsThisMonth: 20,
    clicksThisMonth: 3,
  });
  expect(await get(seller, 'spending')).toMatchObject({ totalImpressions: 0, impressionsThisMonth: 0 });
});

describe('the list of transactions', () => {
  // Proves ENT-36, OP-098
  it('pages by the time of payment, even if several payments share it', async () => {
    const [seller, buyer] = await pair();
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push((await makeLiveAd(seller, buyer)).ad.id);
    const [first, ...others] = ids as [number, ...number[]];
    // The first ad was paid last, and the others were paid at the same time.
    await sql`alter table payments disable trigger guard_payment`.execute(server.owner);
    await sql`update payments set paid_at = case when ad_id = ${first} then ${new Date('2027-02-02T00:00:00Z')}::timestamptz
      else ${new Date('2027-02-01T00:00:00Z')}::timestamptz end where ad_id in (${sql.join(ids)})`.execute(
      server.ctx.db,
    );
    await sql`alter table payments enable trigger guard_payment`.execute(server.owner);
    const seen: number[] = [];
    let path: string | undefined = '/api/analytics/transactions?limit=2';
    let pages = 0;
    for (; path; pages++) {
      const answer = await seller.get(path);
      seen.push(...(answer.body as Ad[]).map(({ id }) => id));
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toBe(3);
    expect(seen).toEqual([first, ...others.toReversed()]);
  });

  // Proves ENT-36
  it('answers 400 to an invalid cursor', async () => {
    const seller = await server.signIn('seller');
    for (const cursor of [
      'x',
      Buffer.from('1-9999999999').toString('base64url'),
      Buffer.from('5').toString('base64url'),
    ]) {
      expect((await seller.get(`/api/analytics/transactions?cursor=${cursor}`)).status).toBe(400);
    }
  });
});
