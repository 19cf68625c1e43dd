/** Conversions that the advertiser's page or server reports, and the results of an ad. */
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS } from '#domain/time.ts';
import { removeOldMeasuredClicks } from '../event-log/landings.ts';
import { BROWSER } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { forgetConvertedClicks } from './conversions.ts';

const server = useOwnAdServer();

/** A running ad that measures landings, with both of its sides. */
async function campaign() {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { ad, zone } = await makeLiveAd(seller, buyer, { website: { url: 'https://daily.example' } });
  await buyer.put(`/api/ads/${ad.id}/landings`, { enabled: true });
  await server.app.refreshDelivery();
  return { seller, buyer, ad, zone };
}

let visitors = 0;
async function clickOn(zone: string): Promise<string> {
  const visitor = { userAgent: `${BROWSER} shopper ${++visitors}` };
  const { view, click } = await server.decide(zone, visitor);
  server.clock.advance(2000);
  await server.view(view, visitor);
  const { location } = await server.click(click, visitor);
  return new URL(location!).searchParams.get('osid')!;
}

const report = async (osid: unknown, more: object = {}, headers: Record<string, string> = {}) => {
  const { status, body } = await server.caller.post('/api/serve/conversions', { osid, ...more }, headers);
  return { status, body };
};
const COUNTED = { status: 200, body: { counted: true } };
const not = (reason: string) => ({ status: 200, body: { counted: false, reason } });

// Proves RES-01
it('counts an order once for a click, also under parallel reports of two clicks', async () => {
  const { buyer, ad, zone } = await campaign();
  const [first, second] = [await clickOn(zone.publicId), await clickOn(zone.publicId)];
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => report(at % 2 ? first : second, { value: '49.90', order: 'A-1' })),
  );
  expect(answers.filter(({ body }) => body.counted)).toHaveLength(2);
  expect(answers.filter(({ body }) => body.reason === 'order')).toHaveLength(10);
  expect(await report(first, { value: 10.5, currency: 'USD', order: 'A-2' })).toEqual(COUNTED);

  const plain = await clickOn(zone.publicId);
  const bare = await Promise.all(Array.from({ length: 6 }, () => report(plain)));
  expect(bare.filter(({ body }) => body.counted)).toHaveLength(1);
  expect(await report(plain)).toEqual(not('token'));

  const { body } = await buyer.get(`/api/ads/${ad.publicId}/results`);
  expect(body).toEqual({
    clicks: 3,
    landings: 0,
    conversions: 4,
    value: '110.30',
    currency: 'USD',
    costPerLanding: null,
    costPerConversion: expect.stringMatching(/^\d+\.\d\d$/),
    windowDays: 30,
    flagged: true,
    creatives: [],
    verdict: null,
  });
  const exported = await buyer.post('/api/user/export-data');
  expect(exported.body).toMatchObject({
    conversions: [{ adPublicId: ad.publicId, conversions: 4, value: '110.30' }],
  });
  // We keep neither the order number nor anything about the visitor.
  const rows = await server.ctx.db.selectFrom('conversions').selectAll().where('adId', '=', ad.id).execute();
  expect(JSON.stringify(rows)).not.toContain('A-1');
});

it('flags more conversions than clicks, takes at most 20 orders of one click, and shows the publisher ranges only', async () => {
  const { seller, buyer, ad, zone } = await campaign();
  const osid = await clickOn(zone.publicId);
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, at) => report(osid, { order: `B-${at}` })),
  );
  expect(answers.filter(({ body }) => body.counted)).toHaveLength(20);
  expect(answers.filter(({ body }) => body.reason === 'token')).toHaveLength(5);
  expect((await buyer.get(`/api/ads/${ad.id}/results`)).body).toMatchObject({
    conversions: 20,
    flagged: true,
    creatives: [],
    verdict: null,
  });
  expect((await seller.get(`/api/ads/${ad.id}/results`)).status).toBe(404);

  const zoneResults = `/api/analytics/results?side=seller&zone=${zone.publicId}`;
  expect((await seller.get(zoneResults)).body).toEqual({ landings: '0', conversions: '10–49' });
  expect((await buyer.get(zoneResults)).status).toBe(404);
  expect((await seller.get(zoneResults.replace('=seller', '=buyer'))).status).toBe(400);
});

// Proves RES-01
it('refuses bad values and tokens with a sentence, and counts no robot and nothing after 30 days', async () => {
  const { buyer, ad, zone } = await campaign();
  const other = await campaign();
  const osid = await clickOn(zone.publicId);
  for (const more of [
    { value: '-1.00' },
    { value: -1 },
    { value: 'much' },
    { value: '1.234' },
    { value: '1000000.01' },
    { value: 1e21 },
    { value: '5.00', currency: 'EUR' },
    { order: '' },
    { order: 'x'.repeat(101) },
    { order: { id: 1 } },
  ]) {
    expect(await report(osid, more)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  }
  for (const [token, more] of [
    ['x', {}],
    [`${osid.slice(0, 79)}${osid.endsWith('A') ? 'B' : 'A'}`, {}],
    [osid, { ad: other.ad.publicId }],
  ] as const) {
    expect((await report(token, more)).status).toBe(404);
  }
  expect(await report(osid, {}, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })).toEqual(
    not('robot'),
  );
  const page = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' };
  expect(await report(osid, {}, { ...page, 'user-agent': 'curl/8.5.0' })).toEqual(not('robot'));
  expect((await buyer.get(`/api/ads/${ad.id}/results`)).body).toMatchObject({ conversions: 0 });

  // A page of another site may report, without credentials.
  const answer = await server.caller.post(
    '/api/serve/conversions',
    { osid, value: '1000000.00', ad: ad.id },
    { ...page, 'user-agent': BROWSER },
  );
  expect([answer.status, answer.body]).toEqual([200, { counted: true }]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();

  const late = await clickOn(zone.publicId);
  server.clock.advance(30 * DAY_MS + 1000);
  expect(await report(late)).toEqual(not('window'));
  await removeOldMeasuredClicks(server.ctx);
  await forgetConvertedClicks(server.ctx);
  const clicks = await server.ctx.db
    .selectFrom('conversions')
    .select('decisionId')
    .where('adId', '=', ad.id)
    .execute();
  expect(clicks).toEqual([{ decisionId: null }]);
});

// Proves RES-01
it('reserves no order numbers by one click for the orders of others', async () => {
  const { seller, buyer, ad, zone } = await campaign();
  const other = await server.signIn('seller');
  const { zone: honestZone } = await makeLiveAd(other, buyer, { website: { url: 'https://daily.example' } });
  await buyer.put(`/api/ads/${ad.id}/landings`, { enabled: true });
  for (const each of (await buyer.get('/api/ads/my')).body as Ad[])
    await buyer.put(`/api/ads/${each.id}/landings`, { enabled: true });
  await server.app.refreshDelivery();
  const attack = await clickOn(zone.publicId);
  for (let number = 1001; number <= 1025; number++)
    await report(attack, { value: '1000000.00', order: `A-${number}` });
  const shop = await clickOn(honestZone.publicId);
  expect(await report(shop, { value: '49.90', order: 'A-1007' })).toEqual(COUNTED);
  expect(await report(shop, { value: '49.90', order: 'A-1007' })).toEqual(not('order'));

  // The shop's server proves its orders, and the invented report of the same number goes.
  expect((await buyer.get('/api/conversion-key')).body).toEqual({ since: null });
  const { status, body } = await buyer.post('/api/conversion-key');
  expect([status, body]).toEqual([
    201,
    { key: expect.stringMatching(/^osk_[\w-]{32}$/), since: expect.any(String) },
  ]);
  const proof = { authorization: `Bearer ${body.key}` };
  const sums = async () => {
    const { conversions, value } = (await buyer.get(`/api/ads/${ad.id}/results`)).body;
    return [conversions, value];
  };
  expect(await sums()).toEqual([20, '20000000.00']);
  const proven = await Promise.all(
    Array.from({ length: 6 }, () => report(shop, { value: '49.90', order: 'A-1007' }, proof)),
  );
  expect(proven.filter((answer) => answer.body.counted)).toHaveLength(1);
  expect(await report(attack, { value: '1.00', order: 'A-1007' })).toEqual(not('order'));
  expect(await sums()).toEqual([19, '19000000.00']);
  // A click that pages have used up still takes proven orders, and a proven order stays with its click.
  expect(await report(attack, { value: '10.00', order: 'A-1001' }, proof)).toEqual(COUNTED);
  expect(await sums()).toEqual([19, '18000010.00']);
  expect(await report(shop, { order: 'A-1001' })).toEqual(not('order'));
  expect(await report(shop, { order: 'A-1001' }, proof)).toEqual(not('order'));

  expect((await report(shop, { order: 'B-1' }, { authorization: 'Bearer osk_x' })).status).toBe(401);
  const stranger = (await (await server.signIn('buyer')).post('/api/conversion-key')).body.key as string;
  expect((await report(shop, { order: 'B-1' }, { authorization: `Bearer ${stranger}` })).status).toBe(404);
  const next = (await buyer.post('/api/conversion-key')).body.key as string;
  expect((await report(shop, { order: 'B-1' }, proof)).status).toBe(401);
  expect((await buyer.get('/api/conversion-key')).body).toEqual({ since: expect.any(String) });
  const stored = await server.ctx.db.selectFrom('conversionKeys').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(next);
  expect((await buyer.delete('/api/conversion-key')).status).toBe(200);
  expect((await buyer.delete('/api/conversion-key')).status).toBe(404);
  expect((await report(shop, { order: 'B-1' }, { authorization: `Bearer ${next}` })).status).toBe(401);
  expect((await seller.get(`/api/ads/${ad.id}/results`)).status).toBe(404);
});
