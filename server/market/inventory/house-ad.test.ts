import { beforeAll, describe, expect, it } from 'vitest';
import { adStyle } from '#domain/delivery/ad-style.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import type { DeliveryHourly } from '#server/platform/database/tables.ts';
import type { Client } from '#server/testing/client.ts';
import { makeRunningAd, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeWebsite, makeZone } from '#server/testing/story.ts';

const OWN = {
  title: 'Our <b>letter</b>',
  description: 'Every Friday.',
  targetUrl: 'https://own.example/letter',
};

const server = useOwnAdServer();
let seller: Client;
let zone: AdZone;
beforeAll(async () => {
  seller = await server.signIn('seller');
  zone = await makeZone(seller, await makeWebsite(seller, { url: SITE }));
});

const address = () => `/api/ad-zones/${zone.id}/house-ad`;
async function servedAd(): Promise<ServedAd> {
  await server.app.refreshDelivery();
  return (await server.ask([zone.publicId]))[0] as ServedAd;
}
const rowsOf = async (kinds: DeliveryHourly['kind'][]) =>
  await server.ctx.db.selectFrom('deliveryHourly').selectAll().where('kind', 'in', kinds).execute();

describe('a publisher’s own ad', () => {
  it('is shown instead of ‘Advertise here’ while the zone has no paid ad', async () => {
    expect(await servedAd()).toMatchObject({ kind: 'house', title: 'Advertise here' });
    const answer = await seller.put(address(), OWN);
    expect(answer).toMatchObject({ status: 200, body: { id: zone.id, houseAd: OWN } });
    expect(await servedAd()).toEqual({
      zone: zone.publicId,
      kind: 'house',
      title: OWN.title,
      text: OWN.description,
      site: 'own.example',
      css: adStyle(zone, 'text'),
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

  it('is neither counted nor billed, because it has no addresses to report to', async () => {
    const before = (await rowsOf(['view', 'click'])).length;
    await seller.put(address(), OWN);
    const ad = await servedAd();
    expect([ad.view, ad.why]).toEqual([undefined, undefined]);
    await server.app.flushDelivery();
    expect((await rowsOf(['view', 'click'])).length).toBe(before);
  });

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

  it('can be changed only by its publisher; others get 404', async () => {
    const stranger = await server.signIn('seller');
    for (const method of ['PUT', 'DELETE']) {
      for (const ref of [String(zone.id), zone.publicId, '999999'])
        expect((await stranger.send(method, `/api/ad-zones/${ref}/house-ad`, OWN)).status).toBe(404);
    }
    expect((await seller.put(`/api/ad-zones/${zone.publicId}/house-ad`, OWN)).status).toBe(200);
  });
});

describe('the look of a zone’s ads', () => {
  const change = (body: unknown, caller = seller) => caller.patch(`/api/ad-zones/${zone.id}`, body);

  it('travels with each ad and with the empty zone as soon as the publisher changes it', async () => {
    await seller.delete(address());
    expect(await servedAd()).toMatchObject({ title: 'Advertise here', css: adStyle(zone, 'open') });
    const style = { look: 'card', accent: '#c2410c' } as const;
    expect(await change({ look: 'card', accent: '#C2410C' })).toMatchObject({ status: 200, body: style });
    const styled = { ...zone, ...style };
    expect(await servedAd()).toMatchObject({ css: adStyle(styled, 'open') });
    const { id } = await makeRunningAd(server.ctx, zone.id, {
      targetUrl: 'https://www.kernelroast.example/x',
    });
    expect(await servedAd()).toMatchObject({
      kind: 'text',
      site: 'kernelroast.example',
      css: adStyle(styled, 'text'),
    });
    expect((await change({ accent: null })).body).toMatchObject({ look: 'card', accent: null });
    expect(await servedAd()).toMatchObject({ css: adStyle({ ...styled, accent: null }, 'text') });
    await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', id).execute();
  });

  it('is only changed by the zone’s publisher, to a known look and a color', async () => {
    for (const accent of ['red', '#fff', '#12345g', '#1234567', 'url(x)', '}a{color:red', 7, '']) {
      const refused = await change({ accent });
      expect([refused.status, refused.body.message]).toEqual([400, 'Enter a color such as #0f5e70']);
    }
    expect((await change({ look: 'loud' })).body.message).toBe('Please choose plain or card');
    expect((await change({ look: 'plain' }, await server.signIn('seller'))).status).toBe(404);
    expect((await change({ look: 'plain' }, await server.signIn('buyer'))).status).toBe(403);
  });
});
