import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdAvailability } from '#domain/ads/contract.ts';
import { DAY_MS, hourOf, later } from '#domain/time.ts';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '../testing/story.ts';

let server: TestServer;
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  server = await startTestServer();
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});
afterAll(() => server.close());

// Proves DEL-50
it('estimates the ad’s views per day from measured or stated traffic and from the other ads in the zone', async () => {
  const zone = await makeZone(seller, await makeWebsite(seller, { monthlyVisitors: 30_000 }));
  const quota = { pricingModel: 'per_impression', duration: null, impressions: 6000 };
  const views = await makeProduct(seller, zone, quota);
  const days = await makeProduct(seller, zone, { duration: 7 });
  const ad = await approve(seller, await makeAd(buyer, views));
  const readAvailability = async (): Promise<AdAvailability> => {
    const { status, body } = await buyer.get(`/api/ads/${ad.publicId}/availability`);
    expect(status).toBe(200);
    return body;
  };
  expect(await readAvailability()).toEqual({
    viewsPerDay: 1000,
    yoursPerDay: 1000,
    days: 6,
    isMeasured: false,
  });

  await pay(buyer, await approve(seller, await makeAd(buyer, days)));
  expect(await readAvailability()).toMatchObject({ yoursPerDay: 200, days: 30 });

  const hour = new Date(hourOf(later(server.clock.now(), -DAY_MS).getTime()));
  const decisions = { hour, zoneId: zone.id, adId: null, kind: 'decision', reason: '', n: 400 } as const;
  await server.ctx.db.insertInto('deliveryHourly').values(decisions).execute();
  // Half of the 400 requests without an ad would have become views, and the per-day ad gets half of those.
  expect(await readAvailability()).toEqual({
    viewsPerDay: 200,
    yoursPerDay: 100,
    days: 60,
    isMeasured: true,
  });
});
