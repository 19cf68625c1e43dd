import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Website } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { changeWebsite } from './change-website.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller', { email: 'publisher@example.test' });
  buyer = await server.signIn('buyer', { email: 'advertiser@example.test' });
});

const patch = async ({ publicId }: Pick<Website, 'publicId'>, body: object, client = seller) =>
  await client.patch(`/api/websites/${publicId}`, body);
const own = async ({ id }: Pick<Website, 'id'>) =>
  ((await seller.get('/api/websites/my')).body as Website[]).find((website) => website.id === id);
const read = async ({ id }: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${id}`)).body as Ad;

/** Hides or shows the website at an instant of the marketplace's clock. */
async function setActive({ id }: Website, isActive: boolean, instant: Date): Promise<void> {
  const ctx = { ...server.ctx, now: () => instant };
  const who = { id: seller.user.id, role: 'seller' } as const;
  await changeWebsite(ctx, who, { params: { ref: { id } }, body: { isActive } });
}

describe('correcting a website', () => {
  it('changes the given fields only', async () => {
    const website = await makeWebsite(seller, { name: 'Old', description: 'Words', monthlyVisitors: 10 });
    server.clock.advance(60_000);
    const renamed = await patch(website, { name: ' New ', audience: ' Gardeners ' });
    expect(renamed.status).toBe(200);
    const { updatedAt } = renamed.body as Website;
    expect(renamed.body).toEqual({
      ...(await own(website)),
      ...website,
      name: 'New',
      audience: 'Gardeners',
      updatedAt,
    });
    expect(Date.parse(updatedAt) - Date.parse(website.updatedAt)).toBeGreaterThanOrEqual(60_000);

    const all = { category: 'Travel', monthlyVisitors: 20_000, description: 'More words', isActive: true };
    expect((await patch(website, all)).body).toMatchObject({ name: 'New', audience: 'Gardeners', ...all });
    const cleared = { description: '', audience: null, monthlyVisitors: 0 };
    expect((await patch(website, cleared)).body).toMatchObject({
      description: null,
      audience: null,
      monthlyVisitors: 0,
    });
    expect((await patch(website, {})).body).toMatchObject({ name: 'New', category: 'Travel' });
    expect((await buyer.get(`/api/websites/${website.publicId}`)).body).toMatchObject({ name: 'New' });
  });

  it.each([
    [{ name: '  ' }, 'Website name is required'],
    [{ name: null }, 'Website name is required'],
    [{ category: 'Gossip' }, 'Please choose a category'],
    [{ monthlyVisitors: -1 }, 'Monthly visitors cannot be negative'],
    [{ monthlyVisitors: 1.5 }, 'Monthly visitors must be a whole number'],
    [{ isActive: 'no' }, /./],
    [{ description: 'x'.repeat(1001) }, /./],
    [{ audience: 'x'.repeat(201) }, /./],
    [{ url: 'daily.example' }, 'Please enter a valid URL'],
    [{ url: 'https://exa mple' }, 'Please enter a valid URL'],
    [{ name: 'a\u0000b' }, /null characters/],
  ])('refuses %j and changes nothing', async (body, message) => {
    const website = await makeWebsite(seller);
    const answer = await patch(website, { ...body, description: 'x' in body ? body : 'Half', ...body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
    expect(await own(website)).toMatchObject(website);
  });

  it('is for its owner: others get 404, advertisers 403 and visitors 401', async () => {
    const website = await makeWebsite(seller);
    expect((await patch(website, { name: 'x' }, await server.signIn('seller'))).status).toBe(404);
    expect((await patch(website, { name: 'x' }, buyer)).status).toBe(403);
    expect((await patch(website, { name: 'x' }, server.anyone())).status).toBe(401);
    expect((await seller.patch('/api/websites/999999', { name: 'x' })).status).toBe(404);
    expect((await seller.patch('/api/websites/my', { name: 'x' })).status).toBe(404);
    expect((await own(website))?.name).toBe(website.name);
  });
});

describe('the address', () => {
  it('can be corrected until an ad is submitted; the correction ends the verification', async () => {
    const website = await makeWebsite(seller);
    const zone = await makeZone(seller, website);
    await server.ctx.db
      .updateTable('websites')
      .set({ verifiedAt: server.clock.now() })
      .where('id', '=', website.id)
      .execute();
    await server.ctx.db
      .updateTable('adZones')
      .set({ tagSeenAt: server.clock.now() })
      .where('id', '=', zone.id)
      .execute();
    expect((await patch(website, { url: 'HTTPS://Daily.EXAMPLE' })).body).toMatchObject({
      url: 'https://daily.example',
      isVerified: true,
    });
    const moved = await patch(website, { url: 'https://Weekly.example:443/blog' });
    expect(moved.body).toMatchObject({ url: 'https://weekly.example/blog', isVerified: false });
    const [shown] = (await seller.get(`/api/websites/${website.id}/ad-zones`)).body;
    expect(shown.tagSeenAt).toBeNull();
  });

  it('is fixed once an ad was submitted, also if it was rejected; the rest can still be corrected', async () => {
    const website = await makeWebsite(seller);
    const ad = await makeAd(buyer, await makeProduct(seller, await makeZone(seller, website)));
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });
    const answer = await patch(website, { name: 'New', url: 'https://weekly.example' });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toMatch('ads have been submitted for this website. Add the new address');
    expect(await own(website)).toMatchObject({ name: website.name, url: website.url });
    expect((await patch(website, { name: 'New', url: website.url })).body.name).toBe('New');
  });

  it('has one winner when an ad is submitted at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const website = await makeWebsite(seller);
      const product = await makeProduct(seller, await makeZone(seller, website));
      const [moved] = await Promise.all([
        patch(website, { url: 'https://weekly.example' }),
        makeAd(buyer, product),
      ]);
      expect([200, 409]).toContain(moved.status);
      const { websiteUrl } = ((await buyer.get('/api/ads/my')).body as Ad[])[0]!;
      expect(websiteUrl).toBe(moved.status === 200 ? 'https://weekly.example' : website.url);
      expect((await patch(website, { url: 'https://third.example' })).status).toBe(409);
    }
  });
});

describe('hiding a website', () => {
  it('takes it from the marketplace, and nothing of it is sold or served until it is shown again', async () => {
    const { website, zone, product, ad } = await makeLiveAd(seller, buyer);
    const approved = await approve(seller, await makeAd(buyer, product));
    const isOffered = async () => ({
      listed: ((await buyer.get('/api/websites?limit=100')).body as Website[]).some(
        ({ id }) => id === website.id,
      ),
      page: (await buyer.get(`/api/websites/${website.publicId}`)).status,
      zones: (await buyer.get(`/api/websites/${website.publicId}/ad-zones`)).status,
      submitted: (
        await buyer.post('/api/ads', {
          adZoneId: zone.id,
          productId: product.id,
          adType: 'text',
          title: 'T',
          description: 'D',
          targetUrl: 'https://a.test',
        })
      ).status,
      checkout: (await beginPayment(buyer, approved)).status,
    });
    const served = async () => {
      await server.app.refreshDelivery();
      return (await fetch(`${server.url}/api/serve/ads?z=${zone.publicId}`)).text();
    };
    expect(await isOffered()).toEqual({ listed: true, page: 200, zones: 200, submitted: 201, checkout: 200 });
    expect(await served()).toContain(ad.title);

    expect((await patch(website, { isActive: false })).body.isActive).toBe(false);
    expect(await isOffered()).toEqual({
      listed: false,
      page: 404,
      zones: 404,
      submitted: 400,
      checkout: 409,
    });
    expect(await served()).not.toContain(ad.title);
    expect(await own(website)).toMatchObject({ isActive: false });
    expect(await read(ad)).toMatchObject({ status: 'active', paused: 'zone' });
    expect((await beginPayment(buyer, approved)).body.message).toMatch('paused this ad zone or its website');

    await patch(website, { isActive: true });
    expect(await isOffered()).toEqual({ listed: true, page: 200, zones: 200, submitted: 201, checkout: 200 });
    expect(await served()).toContain(ad.title);
    expect(await read(ad)).toMatchObject({ paused: null });
  });

  // Proves DEL-44
  it('extends per-day campaigns by exactly the time in which the website was hidden, once', async () => {
    const { website, zone, ad } = await makeLiveAd(seller, buyer, { product: { duration: 3 } });
    const start = new Date(ad.startDate as string);
    const hidden = later(start, DAY_MS);
    await setActive(website, false, hidden);
    await setActive(website, false, later(hidden, HOUR_MS));
    expect(await read(ad)).toMatchObject({ pausedAt: hidden.toISOString() });
    await completeDueAds(server.ctx, later(start, 4 * DAY_MS));
    expect(await read(ad)).toMatchObject({ status: 'active' });

    // The zone is paused in the meantime, too. No moment counts twice.
    server.clock.set(later(hidden, DAY_MS));
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
    const shown = later(hidden, 3 * DAY_MS);
    await Promise.all([setActive(website, true, shown), setActive(website, true, shown)]);
    server.clock.set(later(hidden, 5 * DAY_MS));
    const before = server.clock.now().getTime();
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
    const end = Date.parse((await read(ad)).endDate as string);
    expect(end - start.getTime() - 8 * DAY_MS).toBeGreaterThanOrEqual(0);
    expect(end - start.getTime() - 8 * DAY_MS).toBeLessThanOrEqual(server.clock.now().getTime() - before);
    const kinds = (await mailTo(server.ctx, buyer.user.email)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['ad-paused', 'ad-resumed']));
  });

  it('ends no suspension: a suspended website that is shown again stays out of the marketplace', async () => {
    const website = await makeWebsite(seller, { name: 'Suspended' });
    await server.ctx.db
      .updateTable('websites')
      .set({ suspendedAt: server.clock.now(), suspendedReason: 'Copied texts' })
      .where('id', '=', website.id)
      .execute();
    await patch(website, { isActive: false });
    expect((await patch(website, { isActive: true })).body).toMatchObject({
      isActive: true,
      suspendedReason: 'Copied texts',
    });
    expect((await buyer.get(`/api/websites/${website.publicId}`)).status).toBe(404);
  });
});

it('a changed price applies from the next ad on; submitted ads keep theirs, through to the checkout', async () => {
  const ad = await makeApprovedAd(seller, buyer, { product: { price: '100.00' } });
  const path = `/api/ad-zone-products/${ad.productId}`;
  expect((await seller.patch(path, { price: 12.5 })).body).toMatchObject({ price: '12.50', isActive: true });
  expect((await beginPayment(buyer, ad, '12.50')).status).toBe(400);
  expect((await beginPayment(buyer, ad, '100.00')).status).toBe(200);
  expect(await read(ad)).toMatchObject({ totalAmount: '100.00' });
  const { body } = await seller.patch(path, { price: '30', isActive: true });
  expect((await makeAd(buyer, body)).totalAmount).toBe('30.00');

  for (const price of ['0', '-1', '1,50', '100000000', 'free', null])
    expect((await seller.patch(path, { price })).status).toBe(400);
  const others = [await server.signIn('seller'), buyer, server.anyone()];
  const statuses = [];
  for (const client of others) statuses.push((await client.patch(path, { price: '1' })).status);
  expect(statuses).toEqual([404, 403, 401]);
  const [option] = (await seller.get(`/api/ad-zones/${ad.adZoneId}/products`)).body;
  expect(option.price).toBe('30.00');
});
