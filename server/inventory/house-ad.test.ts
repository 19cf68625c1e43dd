import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import type { DeliveryHourly } from '../db/tables.ts';
import type { Client } from '../testing/client.ts';
import { type AdServerTest, makeRunningAd, SITE, startAdServerTest } from '../testing/delivery.ts';
import { makeWebsite, makeZone } from '../testing/story.ts';

const OWN = {
  title: 'Our <b>letter</b>',
  description: 'Every Friday.',
  targetUrl: 'https://own.example/letter',
};

let server: AdServerTest;
let seller: Client;
let zone: AdZone;
beforeAll(async () => {
  server = await startAdServerTest();
  seller = await server.signIn('seller');
  zone = await makeZone(seller, await makeWebsite(seller, { url: SITE }));
});
afterAll(() => server.close());

const address = () => `/api/ad-zones/${zone.id}/house-ad`;
async function servedAd(): Promise<ServedAd> {
  await server.app.refreshDelivery();
  return (await server.ask([zone.publicId]))[0] as ServedAd;
}
const rowsOf = async (kinds: DeliveryHourly['kind'][]) =>
  await server.ctx.db.selectFrom('deliveryHourly').selectAll().where('kind', 'in', kinds).execute();

describe('a publisher’s own ad', () => {
  // Proves DEL-47
  it('is shown instead of ‘Advertise here’ while the zone has no paid ad', async () => {
    expect(await servedAd()).toMatchObject({ kind: 'house', title: 'Advertise here' });
    const answer = await seller.put(address(), OWN);
    expect(answer).toMatchObject({ status: 200, body: { id: zone.id, houseAd: OWN } });
    expect(await servedAd()).toEqual({
      zone: zone.publicId,
      kind: 'house',
      title: OWN.title,
      text: OWN.description,
      click: OWN.targetUrl,
    });
    await seller.put(address(), { ...OWN, title: 'Changed' });
    expect((await servedAd()).title).toBe('Changed');

    const { id } = await makeRunningAd(server.ctx, zone.id);
    expect((await servedAd()).kind).toBe('text');
    await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', id).execute();
    expect((await servedAd()).title).toBe('Changed');

    expect(await seller.delete(address())).toMatchObject({ status: 200, body: { houseAd: null } });
    expect((await seller.delete(address())).status).toBe(200);
    expect((await servedAd()).title).toBe('Advertise here');
  });

  // Proves DEL-47
  it('is neither counted nor billed, because it has no addresses to report to', async () => {
    const before = (await rowsOf(['view', 'click'])).length;
    await seller.put(address(), OWN);
    const ad = await servedAd();
    expect([ad.view, ad.why]).toEqual([undefined, undefined]);
    await server.app.flushDelivery();
    expect((await rowsOf(['view', 'click'])).length).toBe(before);
  });

  // Proves DEL-47
  it.each([
    [{ title: '' }, 'title', 'Title is required'],
    [{ title: 'x'.repeat(101) }, 'title', 'Title must be less than 100 characters'],
    [{ description: ' ' }, 'description', 'Description is required'],
    [{ targetUrl: 'http://own.example' }, 'targetUrl', 'Please enter an address that begins with https://'],
    [{ targetUrl: 'javascript:alert(1)' }, 'targetUrl', 'Please enter an address that begins with https://'],
  ])('refuses %j', async (change, path, message) => {
    const answer = await seller.put(address(), { ...OWN, ...change });
    expect(answer.status).toBe(400);
    expect(answer.body.issues ?? answer.body.errors).toContainEqual(
      expect.objectContaining({ path, message }),
    );
  });

  // Proves DEL-47
  it('can be changed only by its publisher; others get 404', async () => {
    const stranger = await server.signIn('seller');
    for (const method of ['PUT', 'DELETE']) {
      for (const ref of [String(zone.id), zone.publicId, '999999'])
        expect((await stranger.send(method, `/api/ad-zones/${ref}/house-ad`, OWN)).status).toBe(404);
    }
    expect((await seller.put(`/api/ad-zones/${zone.publicId}/house-ad`, OWN)).status).toBe(200);
  });
});
