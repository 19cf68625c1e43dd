import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import {
  approve,
  makeAd,
  makeLiveAd,
  makeProduct,
  makeWebsite,
  makeZone,
  pay,
} from '#server/testing/story.ts';
import { tellCompleted } from '#server/ads/life/complete.ts';
import { tellEnded } from '#server/results/campaign-mails/ended.ts';

const server = useOwnAdServer();

const kindOf = async (zone: string) => (await server.ask([zone]))[0]?.kind;

// Proves GEN-17, STATE-05
it('serves an ad as soon as it is approved and paid, and not before', async () => {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const zone = await makeZone(seller, await makeWebsite(seller, { url: SITE }));
  const product = await makeProduct(seller, zone);
  const shownNow = async () => {
    await server.app.refreshDelivery();
    return await kindOf(zone.publicId);
  };
  const ad = await makeAd(buyer, product, { status: 'active' });
  expect(await shownNow()).toBe('house');
  await approve(seller, ad);
  expect(await shownNow()).toBe('house');
  await pay(buyer, ad);
  await expect.poll(() => kindOf(zone.publicId)).toBe('text');
});

// Proves DASH-B-10, GEN-19, ENT-32
it('shows the advertiser the one view and the one click of an ad', async () => {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const { zone, ad } = await makeLiveAd(seller, buyer, { website: { url: SITE } });
  await server.app.refreshDelivery();
  const decision = await server.decide(zone.publicId);
  server.clock.advance(2000);
  expect(await server.view(decision.view)).toBe(204);
  expect((await server.click(decision.click)).status).toBe(302);

  const mine = (await buyer.get('/api/ads/my')).body as Ad[];
  expect(mine.find((each) => each.id === ad.id)).toMatchObject({
    status: 'active',
    totalImpressions: 1,
    totalClicks: 1,
  });
  expect((await buyer.get('/api/analytics/spending')).body).toMatchObject({
    totalImpressions: 1,
    totalClicks: 1,
    impressionsThisMonth: 1,
    clicksThisMonth: 1,
  });
});

// Proves STATE-06
it('completes a delivered quota everywhere and notifies the advertiser once', async () => {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const { zone, ad } = await makeLiveAd(seller, buyer, {
    website: { url: SITE },
    product: { pricingModel: 'per_impression', duration: null, impressions: 2 },
  });
  await server.app.refreshDelivery();
  const decisions = [await server.decide(zone.publicId), await server.decide(zone.publicId)];
  server.clock.advance(2000);
  for (const decision of decisions) expect(await server.view(decision.view)).toBe(204);

  const details = (await buyer.get(`/api/ads/${ad.id}/details`)).body as Ad;
  expect(details).toMatchObject({ status: 'completed', totalImpressions: 2 });
  expect(details.endDate).not.toBeNull();
  await server.app.refreshDelivery();
  expect(await kindOf(zone.publicId)).toBe('house');

  await tellCompleted(server.ctx, { adId: ad.id });
  for (let times = 1; times <= 2; times++) await tellEnded(server.ctx, { adId: ad.id });
  const mails = (await mailTo(server.ctx, buyer.user.email)).map((mail) => mail.kind);
  expect(mails.filter((kind) => kind === 'campaign-ended')).toHaveLength(1);
});

// Proves STATE-05, API-54
it('shows nothing in a paused or deleted zone, and keeps serving the publisher’s other zone', async () => {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const { website, zone } = await makeLiveAd(seller, buyer, { website: { url: SITE } });
  const second = await makeZone(seller, website, { name: 'Footer' });
  await expect.poll(() => kindOf(second.publicId)).toBe('house');
  expect(await kindOf(zone.publicId)).toBe('text');
  expect((await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false })).status).toBe(200);
  await expect.poll(() => kindOf(zone.publicId)).toBe('none');
  expect(await kindOf(second.publicId)).toBe('house');
  expect((await seller.delete(`/api/ad-zones/${second.id}`)).status).toBe(200);
  await expect.poll(() => kindOf(second.publicId)).toBe('none');
});

it('serves a zone whose id was pasted with the quotation marks of an editor, with spaces or with invisible signs', async () => {
  const seller = await server.signIn('seller');
  const zone = await makeZone(seller, await makeWebsite(seller, { url: SITE }));
  await server.app.refreshDelivery();
  const { publicId } = zone;
  const pasted = ['“x”', '„x“', '«x»', '‘x’', ' x ', '\u{a0}x', '\u{200b}x\u{feff}', '″x″', '"x"', '”X“'];
  for (const around of pasted) {
    const id = around.replace(/x/i, (name) => (name === 'X' ? publicId.toUpperCase() : publicId));
    expect([around, await server.ask([encodeURIComponent(id)])]).toMatchObject([
      around,
      [{ zone: publicId, kind: 'house' }],
    ]);
  }
  const [unknown] = await server.ask([encodeURIComponent('“no zone”')]);
  expect(unknown).toMatchObject({ kind: 'none' });
  for (const broken of ['%E2%80', '%00', 'a%00b', '%'])
    expect(await server.ask([broken])).toEqual([{ zone: broken, kind: 'none' }]);
});
