import { beforeAll, expect, it } from 'vitest';
import type { AdShowing, ZoneShowing } from '#domain/delivery/showing-contract.ts';
import { DAY_MS } from '#domain/time.ts';
import { BROWSER, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import type { Client } from '#server/testing/client.ts';
import { approve, makeAd, makeLiveAd, makeProduct, pay } from '#server/testing/story.ts';

const server = useOwnAdServer();
let seller: Client;
let buyer: Client;

beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

async function why(ref: { publicId: string }): Promise<AdShowing> {
  const answer = await buyer.get(`/api/ads/${ref.publicId}/showing`);
  expect(answer.status).toBe(200);
  return answer.body as AdShowing;
}

async function shown(zone: { publicId: string }): Promise<ZoneShowing> {
  const answer = await seller.get(`/api/ad-zones/${zone.publicId}/showing`);
  expect(answer.status).toBe(200);
  return answer.body as ZoneShowing;
}

const PER_VIEW = { pricingModel: 'per_impression', duration: null };

it('names the state that keeps an ad from running: pending, rejected or unpaid', async () => {
  const { product, zone } = await makeLiveAd(seller, buyer);
  const ad = await makeAd(buyer, product);
  expect(await why(ad)).toMatchObject({ rule: 'pending', share: 0, tagSeenAt: null });
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Too loud' });
  expect(await why(ad)).toMatchObject({ rule: 'rejected', share: 0 });
  await buyer.put(`/api/ads/${ad.id}`, { title: 'Quiet', description: 'D', targetUrl: 'https://a.example' });
  await approve(seller, ad);
  expect(await why(ad)).toMatchObject({ rule: 'unpaid', share: 0 });
  await pay(buyer, ad);
  await server.app.refreshDelivery();
  expect(await why(ad)).toMatchObject({ rule: null, share: 0.5, others: { ads: 1, share: 0.5 } });
  expect((await shown(zone)).ads.map(({ rule, share }) => [rule, share])).toEqual([
    [null, 0.5],
    [null, 0.5],
  ]);
});

it('names the paused zone or the closed website as the reason, for each ad and for the zone', async () => {
  const { ad, zone, website } = await makeLiveAd(seller, buyer);
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await server.app.refreshDelivery();
  expect(await why(ad)).toMatchObject({ rule: 'zone_paused', share: 0 });
  expect(await shown(zone)).toMatchObject({
    rule: 'zone_paused',
    houseShare: 0,
    ads: [{ rule: 'zone_paused' }],
  });
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
  await server.ctx.db.updateTable('websites').set({ isActive: false }).where('id', '=', website.id).execute();
  await server.app.refreshDelivery();
  expect(await why(ad)).toMatchObject({ rule: 'website_hidden' });
  await server.ctx.db.updateTable('websites').set({ isActive: true }).where('id', '=', website.id).execute();
  await server.app.refreshDelivery();
  expect(await why(ad)).toMatchObject({ rule: null, share: 1 });
  expect((await shown(zone)).rule).toBe(null);
});

it('names the rules of the selector as it applies them: reserved, delivered and ended', async () => {
  const { ad, zone } = await makeLiveAd(seller, buyer, { product: { ...PER_VIEW, impressions: 1 } });
  await server.app.refreshDelivery();
  expect(await why(ad)).toMatchObject({ rule: null, share: 1 });
  const served = await server.decide(zone.publicId);
  expect(await why(ad)).toMatchObject({ rule: 'reserved', share: 0 });
  expect(await shown(zone)).toMatchObject({ houseShare: 1, ads: [{ rule: 'reserved' }] });
  server.clock.advance(2000);
  expect(await server.view(served.view)).toBe(204);
  // The view completed the ad, and the stored state is used at once.
  expect(await why(ad)).toMatchObject({ rule: 'completed' });

  const daily = await makeLiveAd(seller, buyer);
  await server.app.refreshDelivery();
  server.clock.advance(DAY_MS);
  // No sweep has run, so the ad is still 'active', but the selector checks the end date itself.
  expect(await why(daily.ad)).toMatchObject({ rule: 'ended', share: 0 });
});

it('reports the share of requests that each ad really gets', async () => {
  const { product, zone, ad } = await makeLiveAd(seller, buyer, {
    product: { ...PER_VIEW, impressions: 3000 },
    website: { monthlyVisitors: 30_000 },
  });
  const daily = await makeProduct(seller, zone, { duration: 30 });
  for (const option of [product, daily]) await pay(buyer, await approve(seller, await makeAd(buyer, option)));
  await server.app.refreshDelivery();
  const { ads, houseShare } = await shown(zone);
  // The forecast is 1,000 views a day. Each of the two quotas gets 100 of them, the per-day ad the rest.
  expect(ads.map(({ share }) => Math.round(share * 100))).toEqual([80, 10, 10]);
  expect(ads.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  expect(houseShare).toBe(0);
  const { share, others } = await why(ad);
  expect(share).toBeCloseTo(0.1, 2);
  expect(others).toEqual({ ads: 2, share: expect.closeTo(0.9, 2) });

  const titles = new Map(ads.map(({ publicId, share }) => [publicId, { share, times: 0 }]));
  const TIMES = 1000;
  for (let each = 0; each < TIMES; each++) {
    // With Global Privacy Control there is no frequency cap, which would change the shares.
    const [answer] = await server.ask([zone.publicId], { headers: { 'sec-gpc': '1' } });
    titles.get(answer?.why?.split('/').at(-1) ?? '')!.times += 1;
  }
  // The limit is five standard deviations.
  for (const { share, times } of titles.values())
    expect(Math.abs(times / TIMES - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / TIMES));
});

it('reports requests, decisions, views and filtered events of the last day, and when the tag was last seen', async () => {
  const { zone, ad } = await makeLiveAd(seller, buyer);
  await server.app.refreshDelivery();
  const before = server.clock.now().getTime();
  const served = [];
  for (let each = 0; each < 3; each++) served.push(await server.decide(zone.publicId));
  const foreign = await server.decide(zone.publicId, { site: 'https://elsewhere.example' });
  await server.ask([zone.publicId], { userAgent: 'Googlebot/2.1' });
  expect(await server.view(served[0]!.view)).toBe(204);
  server.clock.advance(2000);
  for (const { view } of served) await server.view(view);
  await server.view(foreign.view, { site: 'https://elsewhere.example' });
  await server.click(served[2]!.click, { userAgent: BROWSER });
  await server.app.flushDelivery();

  const answer = await why(ad);
  expect(answer).toMatchObject({
    requests: {
      total: 5,
      filtered: expect.arrayContaining([
        { reason: 'wrong_site', n: 1 },
        { reason: 'bot', n: 1 },
      ]),
    },
    lately: { chosen: 5, views: 2, clicks: 1 },
  });
  // The first view was reported too early, so its second report is a duplicate.
  expect(new Map(answer.lately.filtered.map(({ reason, n }) => [reason, n]))).toEqual(
    new Map([
      ['too_fast', 1],
      ['duplicate', 1],
      ['wrong_site', 1],
    ]),
  );
  expect(new Date(answer.tagSeenAt ?? 0).getTime()).toBeGreaterThanOrEqual(before);
  expect((await shown(zone)).ads[0]).toMatchObject({ lately: answer.lately, title: ad.title });

  server.clock.advance(DAY_MS + 3_600_000);
  expect(await why(ad)).toMatchObject({
    tagSeenAt: answer.tagSeenAt,
    requests: { total: 0, filtered: [] },
    lately: { chosen: 0, views: 0, clicks: 0, filtered: [] },
  });
});

it('lists at most 100 ads of a zone, running ads first, and gives the total number', async () => {
  const { zone, product, ad } = await makeLiveAd(seller, buyer, { product: { duration: 30 } });
  for (let each = 0; each < 101; each++) {
    await server.ctx.db
      .insertInto('ads')
      .values({
        userId: buyer.user.id,
        adZoneId: zone.id,
        productId: product.id,
        adType: 'text',
        title: `Waiting ${each}`,
        description: 'D',
        targetUrl: 'https://a.example',
        totalAmount: '100.00',
        commissionAmount: '15.00',
        pricingModel: 'per_day',
        duration: 1,
      })
      .execute();
  }
  await server.app.refreshDelivery();
  const { ads, adCount } = await shown(zone);
  expect([ads.length, adCount, ads[0]?.id, ads[1]?.title]).toEqual([100, 102, ad.id, 'Waiting 100']);
  expect(ads.map(({ rule }) => rule)).toEqual([null, ...Array.from({ length: 99 }, () => 'pending')]);
});

it('answers 404 or 401 to all callers but the owner, and tells an advertiser nothing about other advertisers', async () => {
  const { ad, zone } = await makeLiveAd(seller, buyer, { ad: { title: 'A secret plan' } });
  const rival = await server.signIn('buyer');
  const own = await makeLiveAd(await server.signIn('seller'), rival);
  await server.app.refreshDelivery();
  for (const stranger of [rival, seller])
    expect((await stranger.get(`/api/ads/${ad.publicId}/showing`)).status).toBe(404);
  for (const stranger of [rival, buyer, server.anyone()])
    expect((await stranger.get(`/api/ad-zones/${zone.id}/showing`)).status).toBe(
      stranger === buyer || stranger === rival ? 404 : 401,
    );
  const answer = await rival.get(`/api/ads/${own.ad.id}/showing`);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('secret');
  expect(answer.text).not.toContain(SITE);
});
