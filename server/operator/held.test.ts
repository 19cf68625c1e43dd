/** Earnings of a site that is not verified wait until it is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { holdIfUnverified } from '../ads/unverified-site.ts';
import { accrueDue } from '../payments/ledger/accrue.ts';
import { heldCents, listHeld } from '../payments/ledger/held.ts';
import type { Client } from '../testing/client.ts';
import { countAt } from '../testing/figures.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { makeLiveAd } from '../testing/story.ts';
import { verifySite } from './queues.ts';

let server: TestServer;
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  server = await startTestServer();
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});
afterAll(() => server.close());

async function deliver(ad: Ad, views: number): Promise<void> {
  server.clock.advance(1000);
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), views);
  await accrueDue(server.ctx, { early: true });
}
const heldOf = async (who: Client) => await listHeld(server.ctx.db, { publisherId: who.user.id });
const holdsShown = async (ad: Ad, who: Client) =>
  ((await who.get(`/api/ads/${ad.id}/ledger`)).body as { holds: { amount: string; reason: string }[] }).holds;

// Proves LEDG-11
it('holds what an unverified site earns, frees it with the verification, and holds only later earnings after its loss', async () => {
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100 };
  const { ad } = await makeLiveAd(seller, buyer, { product });
  const { db } = server.ctx;
  await deliver(ad, 40);
  expect(await holdsShown(ad, seller)).toEqual([
    { amount: '34.00', reason: 'unverified_site', since: expect.any(String) },
  ]);
  expect(await holdsShown(ad, buyer)).toEqual([]);
  expect(await heldOf(seller)).toMatchObject([{ adId: ad.id, amountCents: 3400, since: expect.any(Date) }]);

  const { websiteId } = await db
    .selectFrom('adZones')
    .select('websiteId')
    .where('id', '=', ad.adZoneId)
    .executeTakeFirstOrThrow();
  await verifySite(server.ctx, { id: null }, { id: websiteId, reason: 'A rehearsal' });
  expect(await holdsShown(ad, seller)).toEqual([]);
  await deliver(ad, 20);
  await db
    .updateTable('websites')
    .set({ verifiedAt: null, vouchedAt: null })
    .where('id', '=', websiteId)
    .execute();
  await holdIfUnverified(db, { websiteId }, server.ctx.now());
  expect(await heldOf(seller)).toMatchObject([{ amountCents: 0 }]);
  await deliver(ad, 10);
  expect(await heldOf(seller)).toMatchObject([{ reason: 'unverified_site', amountCents: 850 }]);
});

// Proves LEDG-11
it('adds up what is held, and counts an ad with several holds once', () => {
  const hold = { id: 1, reason: 'dispute', since: new Date(0) } as const;
  expect(
    heldCents([
      { ...hold, adId: 1, amountCents: 500 },
      { ...hold, adId: 1, amountCents: 300 },
      { ...hold, adId: 2, amountCents: 100 },
    ]),
  ).toBe(600);
});
