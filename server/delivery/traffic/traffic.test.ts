import { expect, it } from 'vitest';
import { headersOf } from '#server/testing/delivery/browsers.ts';
import {
  addZone,
  adRow,
  type AdServerTest,
  BROWSER,
  figures,
  makeSiteWithZone,
  makeRunningAd,
  startAdServerTest,
  type Visit,
} from '#server/testing/delivery/delivery.ts';
import { untilTestEnds, useOwnAdServer } from '#server/testing/starts/use-server.ts';

// `server` has a public address, so all filters apply. On a loopback address (development mode) local pages and robots
// count.
const onLaptop = useOwnAdServer();
const server = useOwnAdServer({ PUBLIC_URL: 'http://ads.example', TRUSTED_PROXIES: '127.0.0.1' });

async function running(on: AdServerTest, fields: Parameters<typeof makeRunningAd>[2] = {}) {
  const placed = await makeSiteWithZone(on.ctx);
  const ad = await makeRunningAd(on.ctx, placed.zoneId, fields);
  await on.app.refreshDelivery();
  return { ...placed, ad };
}

async function viewed(on: AdServerTest, decision: Visit, report: Visit = decision, afterMs = 2000) {
  const { zone, ad } = await running(on);
  const served = await on.decide(zone, decision);
  on.clock.advance(afterMs);
  expect(await on.view(served.view, report)).toBe(204);
  return await figures(on.ctx, ad.id);
}

// Proves DEL-20, GEN-19
it('counts a view from the website or from a subdomain', async () => {
  expect(await viewed(server, {})).toEqual({ view: 1 });
  expect(await viewed(server, { site: 'https://news.daily.example' })).toEqual({ view: 1 });
});

// Proves DEL-19, GEN-19
it.each<[string, Visit, Visit?]>([
  ['prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
  ['prefetch', {}, { headers: { purpose: 'prefetch' } }],
  ['bot', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['bot', { userAgent: 'curl/8.5.0' }],
  ['bot', { userAgent: '' }],
  ['bot', {}, { userAgent: 'python-requests/2.32' }],
  ['wrong_site', { site: 'https://elsewhere.example' }],
  ['wrong_site', { site: 'https://daily.example.evil.example' }],
  ['wrong_site', { site: 'null' }],
  ['wrong_site', { site: '' }],
  ['wrong_site', { site: 'http://localhost:8080' }],
  // The decision is from the site itself, but the report comes from another site.
  ['wrong_site', {}, { site: 'https://elsewhere.example' }],
])('shows the ad and filters its view as %s (%o %o)', async (reason, decision, report) => {
  expect(await viewed(server, decision, report)).toEqual({ [`view ${reason}`]: 1 });
});

// Proves DEL-07, GEN-19
it('filters a view within one second, and a view of a video within two, as too fast', async () => {
  expect(await viewed(server, {}, {}, 500)).toEqual({ 'view too_fast': 1 });
  const { zone, ad } = await running(server, { adType: 'video' });
  const [early, late] = [await server.decide(zone), await server.decide(zone)];
  server.clock.advance(1500);
  expect(await server.view(early.view)).toBe(204);
  server.clock.advance(1000);
  expect(await server.view(late.view)).toBe(204);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, 'view too_fast': 1 });
});

// Proves DEL-36, DEL-19, GEN-19
it.each([
  ['3.5.140.1', 'view data_center'],
  ['2600:1f18::1', 'view data_center'],
  // Two internet providers for homes, and a relay for people's own traffic.
  ['91.64.1.1', 'view'],
  ['2a02:8109::1', 'view'],
  ['104.28.28.5', 'view'],
])('records a view from %s as "%s"', async (address, figure) => {
  const visit = { headers: { 'x-forwarded-for': address } };
  expect(await viewed(server, visit)).toEqual({ [figure]: 1 });
});

// Proves DEL-19
it.each<[string, Record<string, string>]>([
  ['names its operator', { 'signature-agent': '"https://agent.example"' }],
  [
    'only signs its requests',
    { 'signature-input': 'sig1=("@authority");created=1735689600;tag="web-bot-auth"' },
  ],
])('filters the views and clicks of an agent that %s, and shows it the ad', async (_how, headers) => {
  expect(await viewed(server, { headers })).toEqual({ 'view agent': 1 });
  const { zone, ad } = await running(server);
  // An agent that declares itself only with the report.
  const served = await server.decide(zone);
  server.clock.advance(2000);
  await server.view(served.view, { headers });
  expect((await server.click(served.click, { headers })).status).toBe(302);
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view agent': 1, 'click agent': 1 });
});

// Proves OPS-51
it.each([
  ['3.5.140.1:51234', 'view data_center'],
  ['[2600:1f18::1]:51234', 'view data_center'],
  ['[2600:1f18::1]', 'view data_center'],
  ['198.51.100.1:80, 3.5.140.1:51234', 'view data_center'],
  ['91.64.1.1:51234', 'view'],
])('reads the address of the visitor where a proxy writes it as %s', async (forwarded, figure) => {
  expect(await viewed(server, { headers: { 'x-forwarded-for': forwarded } })).toEqual({ [figure]: 1 });
});

// Proves DEL-36
it('redirects and filters a click from a data center, and counts it in development mode', async () => {
  const { zone, ad } = await running(server);
  const served = await server.decide(zone);
  server.clock.advance(1000);
  expect(await server.click(served.click, { headers: { 'x-forwarded-for': '40.76.4.15' } })).toEqual({
    status: 302,
    location: 'https://coffee.example/start',
  });
  expect(await figures(server.ctx, ad.id)).toEqual({ 'click data_center': 1 });

  const laptop = await untilTestEnds(startAdServerTest({ TRUSTED_PROXIES: '127.0.0.1' }));
  expect(await viewed(laptop, { headers: { 'x-forwarded-for': '40.76.4.15' } })).toEqual({ view: 1 });
});

// Proves DEL-38
it('shows and filters the thirty-first view of an ad by the same visitor in one day', async () => {
  const { zone, ad } = await running(server);
  const visit = { headers: { 'x-forwarded-for': '198.51.100.9' } };
  const served = [];
  for (let time = 0; time < 32; time++) served.push(await server.decide(zone, visit));
  server.clock.advance(2000);
  for (const { view } of served) expect(await server.view(view, visit)).toBe(204);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 30, 'view frequency': 2 });
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 30 });
  const other = await server.decide(zone, visit);
  server.clock.advance(2000);
  await server.view(other.view, { headers: { 'x-forwarded-for': '198.51.101.9' } });
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 31, 'view frequency': 2 });
});

// Proves DEL-29, GEN-19
it('counts one click of a visitor on an ad in half an hour, and clicks of others, on other ads and later', async () => {
  const { zone, ad, websiteId } = await running(server, { amount: 3 });
  const second = await addZone(server.ctx, websiteId);
  const other = await makeRunningAd(server.ctx, second.zoneId);
  await server.app.refreshDelivery();
  const click = async (zoneId: string, visit: Visit) => {
    const served = await server.decide(zoneId);
    server.clock.advance(1000);
    expect(await server.click(served.click, visit)).toEqual({
      status: 302,
      location: 'https://coffee.example/start',
    });
  };
  const at = (address: string, userAgent = BROWSER): Visit => ({
    userAgent,
    headers: { 'x-forwarded-for': address },
  });
  await click(zone, at('203.0.113.7'));
  await click(zone, at('203.0.113.7'));
  // The same network and browser are the same visitor. Only the address before the trusted proxy counts.
  await click(zone, at('198.51.100.1, 203.0.113.200'));
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1, 'click frequency': 2 });
  await click(second.zone, at('203.0.113.7'));
  expect(await figures(server.ctx, other.id)).toEqual({ view: 1, click: 1 });
  await click(zone, at('198.51.100.1'));
  await click(zone, at('203.0.113.7', `${BROWSER} Edg/150`));
  // With Global Privacy Control, visitors are not distinguished.
  await click(zone, { headers: { 'x-forwarded-for': '203.0.113.7', 'sec-gpc': '1' } });
  server.clock.advance(31 * 60 * 1000);
  await click(zone, at('203.0.113.7'));
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 5, click: 5, 'click frequency': 2 });
});

// Proves DEL-19, GEN-19
it('filters a click by a robot, a click that is too fast, and a request that is not a navigation', async () => {
  const { zone, ad } = await running(server);
  const served = await Promise.all([1, 2, 3, 4].map(async () => await server.decide(zone)));
  const target = { status: 302, location: 'https://coffee.example/start' };
  expect(await server.click(served[0]!.click)).toEqual(target);
  server.clock.advance(1000);
  expect(await server.click(served[1]!.click, { userAgent: 'curl/8.5.0' })).toEqual(target);
  // A prefetch gets no redirect to cache, so the visitor's own click still arrives.
  const speculative = { headers: { 'sec-purpose': 'prefetch' } };
  expect(await server.click(served[2]!.click, speculative)).toEqual({ status: 204, location: null });
  expect(await server.click(served[2]!.click)).toEqual(target);
  const image = { headers: { 'sec-fetch-dest': 'image' }, userAgent: `${BROWSER} 4` };
  expect(await server.click(served[3]!.click, image)).toEqual({ status: 204, location: null });
  await server.app.flushDelivery();
  expect(await figures(server.ctx, ad.id)).toEqual({
    view: 1,
    click: 1,
    'click too_fast': 1,
    'click bot': 1,
    'click prefetch': 2,
  });
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
});

// Proves GEN-19
it('counts local pages and only notes robots and declared automation on a loopback address', async () => {
  expect(await viewed(onLaptop, { site: 'http://localhost:8080' })).toEqual({ view: 1 });
  expect(await viewed(onLaptop, { site: 'null' })).toEqual({ view: 1 });
  expect(await viewed(onLaptop, { userAgent: 'curl/8.5.0' })).toEqual({ view: 1 });
  expect(await viewed(onLaptop, { userAgent: 'HeadlessChrome' })).toEqual({ view: 1 });
  expect(await viewed(onLaptop, { site: 'https://elsewhere.example' })).toEqual({ 'view wrong_site': 1 });
  await onLaptop.app.flushDelivery();
  const noted = await onLaptop.ctx.db
    .selectFrom('deliveryHourly')
    .select(['reason', 'n'])
    .where('kind', '=', 'decision')
    .where('reason', 'in', ['bot', 'agent'])
    .orderBy('reason')
    .execute();
  expect(noted).toEqual([
    { reason: 'agent', n: 1 },
    { reason: 'bot', n: 1 },
  ]);
});

/** Whether the tag was seen in a zone, and whether its website is verified. */
async function knownOf(test: AdServerTest, { zoneId, websiteId }: { zoneId: number; websiteId: number }) {
  await test.app.flushDelivery();
  const { verifiedAt } = await test.ctx.db
    .selectFrom('websites')
    .select('verifiedAt')
    .where('id', '=', websiteId)
    .executeTakeFirstOrThrow();
  const { tagSeenAt } = await test.ctx.db
    .selectFrom('adZones')
    .select('tagSeenAt')
    .where('id', '=', zoneId)
    .executeTakeFirstOrThrow();
  return { isSeen: tagSeenAt !== null, isVerified: verifiedAt !== null };
}

// Proves DEL-20, OWN-01, GEN-19
it.each([
  ['notes that the tag was seen on the website’s own domain', 'https://www.daily.example', true],
  ['does not note a tag on another domain', 'https://elsewhere.example', false],
  ['does not note a tag on a loopback page', 'http://127.0.0.1:8080', false],
])('%s, and verifies nothing', async (_, site, isSeen) => {
  const place = await running(server);
  await server.ask([place.zone], { site });
  expect(await knownOf(server, place)).toEqual({ isSeen, isVerified: false });
});

// Proves GEN-19, OWN-01
it('notes the tag on a local page in development mode, and verifies nothing', async () => {
  const place = await running(onLaptop);
  await onLaptop.ask([place.zone], { site: 'http://localhost:8080' });
  expect(await knownOf(onLaptop, place)).toEqual({ isSeen: true, isVerified: false });
});

// Proves DEL-19, DEL-20
it('applies all filters in production, even on a loopback address', async () => {
  const production = await untilTestEnds(
    startAdServerTest({
      NODE_ENV: 'production',
      SESSION_SECRET: 'x'.repeat(32),
      SMTP_URL: 'smtp://127.0.0.1:9',
      ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
    }),
  );
  const headers = headersOf('Chrome on Windows', 'fetch', 'http://localhost:8080');
  const visit = { site: 'http://localhost:8080', userAgent: headers['user-agent']!, headers };
  const local = await viewed(production, visit);
  expect(local).toEqual({ 'view wrong_site': 1 });
  expect(local).toEqual(await viewed(server, { site: 'http://localhost:8080' }));
  expect(local).not.toEqual(await viewed(onLaptop, { site: 'http://localhost:8080' }));
});
