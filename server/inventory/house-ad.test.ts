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
async function shown(): Promise<ServedAd> {
  await server.app.refreshDelivery();
  return (await server.ask([zone.publicId]))[0] as ServedAd;
}
const rowsOf = async (kinds: DeliveryHourly['kind'][]) =>
  await server.ctx.db.selectFrom('deliveryHourly').selectAll().where('kind', 'in', kinds).execute();

describe('a publisher’s own ad', () => {
  // Proves DEL-47
  it('stands where no paid ad is, before the price, and gives way to one', async () => {
    expect(await shown()).toMatchObject({ kind: 'house', title: 'Advertise here' });
    const answer = await seller.put(address(), OWN);
    expect(answer).toMatchObject({ status: 200, body: { id: zone.id, houseAd: OWN } });
    expect(await shown()).toEqual({
      zone: zone.publicId,
      kind: 'house',
      title: OWN.title,
      text: OWN.description,
      click: OWN.targetUrl,
    });
    await seller.put(address(), { ...OWN, title: 'Changed' });
    expect((await shown()).title).toBe('Changed');

    const { id } = await makeRunningAd(server.ctx, zone.id);
    expect((await shown()).kind).toBe('text');
    await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', id).execute();
    expect((await shown()).title).toBe('Changed');

    expect(await seller.delete(address())).toMatchObject({ status: 200, body: { houseAd: null } });
    expect((await seller.delete(address())).status).toBe(200);
    expect((await shown()).title).toBe('Advertise here');
  });

  // Proves DEL-47
  it('is neither counted nor billed: it has nothing to report, and its click is the publisher’s own link', async () => {
    const before = (await rowsOf(['view', 'click'])).length;
    await seller.put(address(), OWN);
    const ad = await shown();
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
  it('is its publisher’s alone: a stranger learns only that there is no such zone', async () => {
    const stranger = await server.signIn('seller');
    for (const method of ['PUT', 'DELETE']) {
      for (const ref of [String(zone.id), zone.publicId, '999999'])
        expect((await stranger.send(method, `/api/ad-zones/${ref}/house-ad`, OWN)).status).toBe(404);
    }
    expect((await seller.put(`/api/ad-zones/${zone.publicId}/house-ad`, OWN)).status).toBe(200);
  });
});
