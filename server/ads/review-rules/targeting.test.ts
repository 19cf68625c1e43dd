import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { measureAgain } from '#server/testing/figures.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
let buyer: Client;

beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

const LIMITS = {
  countries: ['DE'],
  devices: ['phone'],
  hours: [{ from: 8, to: 18 }],
  timezone: 'Europe/Berlin',
};

async function makeOption(zone: Record<string, unknown> = {}) {
  const made = await makeZone(seller, await makeWebsite(seller), zone);
  return { zone: made, product: await makeProduct(seller, made) };
}

const contentOf = ({ title, description, targetUrl }: Ad) => ({ title, description, targetUrl });

it('stores the limits of an ad, shows them to advertiser and publisher, and takes none as everybody', async () => {
  const { product } = await makeOption();
  const ad = await makeAd(buyer, product, { targeting: LIMITS });
  expect(ad.targeting).toEqual(LIMITS);
  expect((await seller.get(`/api/ads/${ad.id}/details`)).body).toMatchObject({ targeting: LIMITS });
  for (const none of [undefined, null, {}])
    expect((await makeAd(buyer, product, { targeting: none })).targeting).toBe(null);
});

it('refuses limits that it would not obey, and stores nothing', async () => {
  const { product } = await makeOption();
  const body = {
    ...contentOf(await makeAd(buyer, product)),
    adZoneId: product.adZoneId,
    productId: product.id,
    adType: 'text',
  };
  const count = async () =>
    (
      await server.ctx.db
        .selectFrom('ads')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .executeTakeFirst()
    )?.n;
  const before = await count();
  for (const targeting of [
    { countries: [] },
    { countries: ['XX'] },
    { cities: ['Berlin'] },
    'DE',
    { paths: ['/\u0000'] },
  ]) {
    const answer = await buyer.post('/api/ads', { ...body, targeting });
    expect([targeting, answer.status]).toEqual([targeting, 400]);
  }
  expect(await count()).toBe(before);
});

it('takes a change of the limits as a new version of what is approved, and keeps limits that a call leaves out', async () => {
  const { product } = await makeOption();
  const ad = await makeAd(buyer, product, { targeting: LIMITS });
  const wider = await buyer.patch(`/api/ads/${ad.id}`, { targeting: { ...LIMITS, countries: ['DE', 'AT'] } });
  expect(wider.body).toMatchObject({ version: 2, targeting: { countries: ['DE', 'AT'] } });
  expect((await seller.put(`/api/ads/${ad.id}/approve`, { version: 1 })).status).toBe(409);
  const title = await buyer.patch(`/api/ads/${ad.id}`, { title: 'Other' });
  expect(title.body).toMatchObject({ version: 3, targeting: wider.body.targeting });
  const same = await buyer.patch(`/api/ads/${ad.id}`, { targeting: wider.body.targeting });
  expect(same.status).toBe(400);
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Too wide' });
  const again = await buyer.put(`/api/ads/${ad.id}`, { ...contentOf(title.body), targeting: null });
  expect(again.body).toMatchObject({ status: 'pending', version: 4, targeting: null });
  await approve(seller, ad);
  expect((await buyer.patch(`/api/ads/${ad.id}`, { targeting: LIMITS })).status).toBe(409);
  await expect(
    sql`update ads set targeting = '{"countries":["DE"]}' where id = ${ad.id}`.execute(server.ctx.db),
  ).rejects.toThrow('before its approval');
});

it('submits each ad of a plan with its own limits', async () => {
  const [one, two] = [await makeOption(), await makeOption({ excludes: { countries: ['DE'] } })];
  const placement = (option: typeof one, targeting?: object) => ({
    adZoneId: option.zone.publicId,
    productId: option.product.id,
    ...(targeting && { targeting }),
  });
  const body = (placements: object[]) => ({
    requestId: randomUUID(),
    name: 'Spring',
    creative: { adType: 'text', title: 'A', description: 'B', targetUrl: 'https://a.example' },
    placements,
  });
  const plan = await buyer.post('/api/plans', body([placement(one, LIMITS), placement(two)]));
  expect(plan.status).toBe(201);
  expect((plan.body.ads as Ad[]).map(({ targeting }) => targeting)).toEqual([LIMITS, null]);
  const nobody = await buyer.post('/api/plans', body([placement(one, LIMITS), placement(two, LIMITS)]));
  expect(nobody).toMatchObject({ status: 409, body: { placements: [{ index: 1, reason: 'excluded' }] } });
});

it('refuses an ad that the exclusions of its ad zone leave nobody, when it is submitted and when it is changed', async () => {
  const { zone, product } = await makeOption({ excludes: { countries: ['DE'], languages: ['fr'] } });
  expect(zone.excludes).toEqual({ countries: ['DE'], languages: ['fr'] });
  const open = await makeAd(buyer, product);
  const body = { ...contentOf(open), adZoneId: product.adZoneId, productId: product.id, adType: 'text' };
  const refusal = { status: 409, body: { reason: 'excluded' } };
  expect(await buyer.post('/api/ads', { ...body, targeting: LIMITS })).toMatchObject(refusal);
  expect(await buyer.patch(`/api/ads/${open.id}`, { targeting: LIMITS })).toMatchObject(refusal);
  await seller.put(`/api/ads/${open.id}/reject`, { rejectionReason: 'No' });
  expect(await buyer.put(`/api/ads/${open.id}`, { ...contentOf(open), targeting: LIMITS })).toMatchObject(
    refusal,
  );
  expect((await buyer.post('/api/ads', { ...body, targeting: { countries: ['DE', 'AT'] } })).status).toBe(
    201,
  );
});

it('changes exclusions unless they would leave nobody to an ad that runs or may still run', async () => {
  const { zone, ad } = await makeLiveAd(seller, buyer, { ad: { targeting: { countries: ['DE'] } } });
  const change = async (excludes: unknown) => await seller.patch(`/api/ad-zones/${zone.id}`, { excludes });
  expect(await change({ countries: ['DE', 'AT'] })).toMatchObject({
    status: 409,
    body: { reason: 'excluded' },
  });
  expect(await change({ countries: ['AT'] })).toMatchObject({
    status: 200,
    body: { excludes: { countries: ['AT'] } },
  });
  for (const wrong of [
    { countries: [] },
    { unknownCountry: 'skip' },
    { devices: ['phone', 'tablet', 'desktop'] },
  ])
    expect((await change(wrong)).status).toBe(400);
  expect((await seller.patch(`/api/ad-zones/${zone.id}`, { name: 'Top' })).body).toMatchObject({
    excludes: { countries: ['AT'] },
  });
  expect((await change(null)).body).toMatchObject({ excludes: null });
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();
  expect((await change({ countries: ['DE'] })).status).toBe(200);
});

it('says that limits make fewer views than the forecast', async () => {
  const { zone, product } = await makeOption();
  const before = `/api/ad-zones/${zone.publicId}/availability?product=${product.id}`;
  const limitedOf = async (address: string) => (await buyer.get(address)).body.isLimited;
  expect(await limitedOf(before)).toBe(false);
  expect(await limitedOf(`/api/ads/${(await makeAd(buyer, product)).id}/availability`)).toBe(false);
  const ad = await makeAd(buyer, product, { targeting: { languages: ['de'] } });
  expect(await limitedOf(`/api/ads/${ad.id}/availability`)).toBe(true);
  await seller.patch(`/api/ad-zones/${zone.id}`, { excludes: { languages: ['fr'] } });
  expect(await limitedOf(before)).toBe(true);
});

// Proves WARD-30
it('needs as many counted views a day of an ad with limits as of another one, and lets its publisher decide', async () => {
  const strict = await untilTestEnds(startTestServer({ env: { TRAFFIC_RULES: 'production' } }));
  const publisher = await strict.signIn('seller');
  const advertiser = await strict.signIn('buyer');
  const zone = await makeZone(publisher, await makeWebsite(publisher, { monthlyVisitors: 1_000_000 }));
  const product = await makeProduct(publisher, zone);
  const open = await makeAd(advertiser, product);
  expect(open.minDayViews).toBe(834);
  const targeting = { languages: ['de'] };
  const limited = await makeAd(advertiser, product, { targeting });
  expect(limited.minDayViews).toBe(834);
  // Trust approves no ad whose views may be out of reach.
  await publisher.put(`/api/ads/${open.id}/approve`, { version: 1, trust: true });
  expect((await makeAd(advertiser, product)).status).toBe('approved');
  expect((await makeAd(advertiser, product, { targeting })).status).toBe('pending');
});

// Proves WARD-30
it('lowers the needed views of a day by what the exclusions really exclude, and by nothing that they do not', async () => {
  const strict = await untilTestEnds(startTestServer({ env: { TRAFFIC_RULES: 'production' } }));
  const publisher = await strict.signIn('seller');
  const advertiser = await strict.signIn('buyer');
  /** The number of an ad for a zone that excludes a country, after four weeks with 1,000 requests a day. */
  const neededWith = async (excluded: number): Promise<number | null> => {
    const zone = await makeZone(publisher, await makeWebsite(publisher), {
      excludes: { countries: ['US'] },
    });
    const product = await makeProduct(publisher, zone);
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
        select date_trunc('day', now(), 'utc') - make_interval(days => day), null, ${zone.id}, kind, '', n
          from generate_series(1, 28) day,
            (values ('decision', 1000), ('excluded', ${excluded}::int)) as counted (kind, n)
          where n > 0`.execute(strict.ctx.db);
    await measureAgain(strict.ctx);
    return (await makeAd(advertiser, product)).minDayViews;
  };
  // Half of the views that the requests are expected to make; without an ad yet, those are half of the requests.
  expect(await neededWith(0)).toBe(211);
  expect(await neededWith(600)).toBe(84);
  expect(await neededWith(1000)).toBe(1);
});

it('names the limits in words in ‘Why this ad?’ and in the archive, and says nothing where there are none', async () => {
  const limited = await makeLiveAd(seller, buyer, {
    ad: { targeting: { ...LIMITS, topics: ['<b>cycling</b>'] } },
  });
  const open = await makeLiveAd(seller, buyer);
  await server.app.refreshDelivery();
  for (const { ad } of [limited, open])
    await sql`insert into ad_archive (ad_id, user_id, started_at, title, description, advertiser)
      values (${ad.id}, ${ad.userId}, now(), ${ad.title}, '', '')`.execute(server.ctx.db);
  const textOf = async (address: string) => (await server.anyone().get(address)).text.replaceAll(/\s+/g, ' ');
  for (const page of ['/api/serve/why/', '/ad-archive/']) {
    const text = await textOf(page + limited.ad.publicId);
    for (const words of [
      'Germany',
      'phones',
      '8:00 to 18:00 (time in Europe/Berlin)',
      '&lt;b&gt;cycling&lt;/b&gt;',
    ])
      expect([page, text]).toEqual([page, expect.stringContaining(words)]);
    expect(await textOf(page + open.ad.publicId)).not.toMatch(/limit(?:s it|ed) to/i);
  }
});
