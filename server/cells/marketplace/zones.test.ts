/** The marketplace names the cell of an ad zone, and leaves serving it to that cell. */
import { beforeEach, expect, it } from 'vitest';
import type { AdZone } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { extendForSilentDays } from '../../ads/clock/clock.ts';
import { completeDueAds } from '../../ads/complete.ts';
import type { Client } from '../../testing/client.ts';
import { adRow, type AdServerTest, startAdServerTest } from '../../testing/delivery.ts';
import { untilTestEnds } from '../../testing/starts/use-server.ts';
import { makeLiveAd, makeWebsite, makeZone } from '../../testing/story.ts';
import { addCell, assignPublisher } from './manage.ts';

const DELIVERY_URL = 'https://north.example';

let server: AdServerTest;
beforeEach(async () => {
  server = await untilTestEnds(startAdServerTest());
});

/** A publisher who is assigned to the only cell. */
async function signInOfCell(): Promise<Client> {
  const { ctx } = server;
  const seller = await server.signIn('seller');
  await ctx.db.transaction().execute(async (tx) => {
    const { name } = await addCell(ctx, tx, { name: 'north', deliveryUrl: DELIVERY_URL });
    await assignPublisher(tx, { userId: seller.user.id, cellName: name });
  });
  return seller;
}

// Proves SCALE-80
it('names the address of the cell in the code of its ad zones, and does not serve them', async () => {
  const seller = await signInOfCell();
  const { zone, website } = await makeLiveAd(seller, await server.signIn('buyer'));
  expect(zone.deliveryUrl).toBe(DELIVERY_URL);
  expect(zone.embedCode).toContain(`${DELIVERY_URL}/api/serve/zone/${zone.publicId}`);
  const listed = (await seller.get(`/api/websites/${website.id}/ad-zones`)).body as AdZone[];
  expect(listed.map(({ deliveryUrl }) => deliveryUrl)).toEqual([DELIVERY_URL]);
  await server.app.refreshDelivery();
  expect(await server.ask([zone.publicId])).toEqual([{ zone: zone.publicId, kind: 'none' }]);

  const own = await server.signIn('seller');
  const other = await makeZone(own, await makeWebsite(own, { url: 'https://other.example' }));
  expect(other.deliveryUrl).toBe(server.ctx.config.deliveryUrl);
  expect((await server.ask([other.publicId]))[0]?.kind).toBe('house');
});

// Proves SCALE-80
it('refuses to measure landings of an ad of a cell, whose tokens only the cell can read', async () => {
  const buyer = await server.signIn('buyer');
  const { ad } = await makeLiveAd(await signInOfCell(), buyer);
  const path = `/api/ads/${ad.id}/landings`;
  const refused = await buyer.put(path, { enabled: true });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('can’t be measured')]);
  expect((await buyer.get(path)).body).toMatchObject({ enabled: false });
});

// Proves SCALE-80
it('serves no ads at all with ROLE=marketplace', async () => {
  const alone = await untilTestEnds(startAdServerTest({ ROLE: 'marketplace' }));
  const seller = await alone.signIn('seller');
  const { zone } = await makeLiveAd(seller, await alone.signIn('buyer'));
  await alone.app.refreshDelivery();
  expect(await alone.ask([zone.publicId])).toEqual([{ zone: zone.publicId, kind: 'none' }]);
  expect((await seller.get('/api/auth/user')).status).toBe(200);
});

// Proves SCALE-84
it('judges and ends an ad by the day only when the figures of its cell are there, or two days later', async () => {
  const { ctx } = server;
  const seller = await signInOfCell();
  const { ad } = await makeLiveAd(seller, await server.signIn('buyer'), { product: { duration: 1 } });
  const { endDate } = await adRow(ctx, ad.id);
  const countedUntil = async (at: Date | null) =>
    await ctx.db.updateTable('cells').set({ countedUntil: at }).execute();
  /** How many days were added, and how many ads completed. */
  const sweep = async (at: Date) => [await extendForSilentDays(ctx, at), await completeDueAds(ctx, at)];

  await countedUntil(later(endDate!, -HOUR_MS));
  expect(await sweep(later(endDate!, HOUR_MS))).toEqual([0, 0]);
  expect(await adRow(ctx, ad.id)).toMatchObject({ status: 'active', endDate });
  // The day had no request, so it is added.
  await countedUntil(later(endDate!, HOUR_MS));
  expect(await sweep(later(endDate!, 2 * HOUR_MS))).toEqual([1, 0]);
  // The cell was lost. The next day is judged two days after its end.
  expect(await sweep(later(endDate!, 2 * DAY_MS))).toEqual([0, 0]);
  expect(await sweep(later(endDate!, 3 * DAY_MS + HOUR_MS))).toEqual([1, 0]);
});
