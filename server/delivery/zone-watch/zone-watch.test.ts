import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { IncomingMessage } from 'node:http';
import { SAMPLE_MINUTES, ZONE_WATCH_MS } from '#domain/delivery/zone-watch.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import type { ZoneWatch } from '#domain/delivery/zone-watch-contract.ts';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { anotherInstance } from '#server/testing/starts/another-instance.ts';
import { createSampleLinks } from './sample-links.ts';
import { createTokens, subjectOf } from '../tokens/tokens.ts';
import type { Client } from '#server/testing/client.ts';
import { adRow, BROWSER, figures, makeRunningAd, SITE } from '#server/testing/delivery/delivery.ts';
import { untilTestEnds, useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, makeWebsite, makeZone } from '#server/testing/story.ts';

const OPAQUE = { site: 'null' };

let seller: Client;
let buyer: Client;
let zone: AdZone;
let website: Website;
let ad: Ad;

// Not development mode, in which local pages count as the site's own.
const server = useOwnAdServer({ DELIVERY_URL: 'http://ads.example' });
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

beforeEach(async () => {
  // End all zone watches of the previous test.
  server.clock.advance(ZONE_WATCH_MS + 1000);
  await server.app.flushDelivery();
  ({ zone, website, ad } = await makeLiveAd(seller, buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1 },
  }));
  await server.app.refreshDelivery();
});

async function poll(from: string | null = null, of = zone): Promise<ZoneWatch> {
  const answer = await seller.post(`/api/ad-zones/${of.publicId}/watch`, { from });
  expect(answer.status).toBe(200);
  return answer.body as ZoneWatch;
}

/** Reports that the ad was rendered. Returns the status. */
async function drawn(address: string, origin: string): Promise<number> {
  const path = `${new URL(address).pathname}?rendered`;
  return (await server.caller.send('POST', path, undefined, { origin, 'user-agent': BROWSER })).status;
}

/** All stored figures of the ad's delivery. */
async function everything() {
  await server.app.flushDelivery();
  const events = await server.ctx.db.selectFrom('adEvents').selectAll().where('adId', '=', ad.id).execute();
  const hours = await server.ctx.db
    .selectFrom('deliveryHourly')
    .selectAll()
    .where('zoneId', '=', zone.id)
    .execute();
  return { ad: await adRow(server.ctx, ad.id), figures: await figures(server.ctx, ad.id), events, hours };
}

// Proves DEL-54
it('reserves, records and bills nothing in a test, and still redirects its click', async () => {
  const before = await everything();
  for (let each = 0; each < 3; each++) {
    // Only one view is left to deliver. A reservation would leave no ad for the next test.
    const served = await server.decide(`${zone.publicId}~test`, OPAQUE);
    server.clock.advance(1500);
    expect(await server.view(served.view, OPAQUE)).toBe(204);
    expect(await drawn(served.view, 'null')).toBe(204);
    expect(await server.click(served.click)).toEqual({ status: 302, location: ad.targetUrl });
    expect((await server.click(served.click, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
  }
  const late = await server.decide(`${zone.publicId}~test`, OPAQUE);
  server.clock.advance(2 * 3_600_000);
  expect(await server.view(late.view, OPAQUE)).toBe(400);
  expect(await everything()).toEqual(before);
  expect(await server.ctx.db.selectFrom('zoneSightings').selectAll().execute()).toEqual([]);

  // On the website itself the same ad is billed as usual.
  const real = await server.decide(zone.publicId);
  server.clock.advance(1500);
  await server.view(real.view);
  expect((await everything()).ad).toMatchObject({ totalImpressions: 1, status: 'completed' });
});

it('serves the ad of the receipt to every client, records nothing of it, and answers whether its view counts', async () => {
  const report = async (address: string, query = '') => {
    const path = new URL(address).pathname + query;
    const answer = await server.caller.send('POST', path, undefined, {
      origin: 'null',
      'user-agent': BROWSER,
    });
    return [answer.status, answer.headers.get('server-timing')];
  };
  const before = await everything();
  const [ad] = await server.ask(['demo~test'], OPAQUE);
  expect(ad).toMatchObject({ zone: 'demo~test', kind: 'text', area: 75_000 });
  const { view = '', click = '' } = ad ?? {};
  expect(await report(view, '?rendered')).toEqual([204, 'verdict;desc=rendered']);
  expect(await report(view)).toEqual([204, 'verdict;desc=counted']);
  expect(await report(view)).toEqual([204, 'verdict;desc=duplicate']);
  const [second] = await server.ask(['demo~test'], OPAQUE);
  expect(await report(second?.view ?? '')).toEqual([204, 'verdict;desc=counted']);
  expect((await server.click(click)).status).toBe(302);
  // Without the mark of a test there is no such zone.
  expect(await server.ask(['demo'], OPAQUE)).toEqual([{ zone: 'demo', kind: 'none' }]);
  expect(await everything()).toEqual(before);
  for (const table of ['adEvents', 'deliveryHourly', 'zoneSightings'] as const)
    expect(await server.ctx.db.selectFrom(table).select('zoneId').where('zoneId', '=', 0).execute()).toEqual(
      [],
    );
  // A real report is answered with its status only.
  const real = await server.decide(zone.publicId);
  server.clock.advance(1500);
  expect(await report(real.view)).toEqual([204, null]);
});

/** The ad that a page is shown whose address has this ending, as the tag's module asks for it. */
async function askWith(ending: string, headers: Record<string, string> = {}, of = zone.publicId) {
  const token = ending.slice(ending.indexOf('=') + 1);
  const sent = { origin: SITE, 'user-agent': BROWSER, ...headers };
  const answer = await server.caller.get(`/api/serve/ads?m&z=${of}&${token}`, sent);
  return (answer.body as { ads: ServedAd[] }).ads[0]!;
}

/** The ending that the publisher's own browser gets. */
async function sampleEnding(of: AdZone): Promise<string> {
  const path = `/api/ad-zones/${of.publicId}/watch`;
  const answer = await seller.post(path, { from: null }, { 'user-agent': BROWSER });
  expect(answer.status).toBe(200);
  return (answer.body as ZoneWatch).sampleEnding;
}

// Proves DEL-500
it('shows a sample ad to its publisher on the own page, follows it live, and counts and bills nothing', async () => {
  const before = await everything();
  const { from } = await poll();
  const served = await askWith(await sampleEnding(zone));
  expect(served).toMatchObject({ zone: zone.publicId, kind: 'text', title: 'Sample ad' });
  expect(served.css).toContain('a{all:initial');
  server.clock.advance(1500);
  expect(await drawn(served.view!, SITE)).toBe(204);
  expect(await server.view(served.view!)).toBe(204);
  // It leads nowhere but home.
  expect(await server.click(served.click!)).toMatchObject({
    status: 302,
    location: expect.stringMatching(/\/$/),
  });
  await server.app.flushDelivery();
  expect(await everything()).toEqual(before);
  expect((await poll(from)).requests).toMatchObject([
    { isTest: true, isSample: true, origin: SITE, ad: null, view: { reason: null }, click: { reason: null } },
  ]);
  expect(zone.tagSeenAt).toBeNull();
});

it('lets the tag ask again by the module of sample ads only while the zone is watched', async () => {
  const needs = async (query: string) => {
    const answer = await server.caller.get(`/api/serve/ads?${query}`, {
      origin: SITE,
      'user-agent': BROWSER,
    });
    return (answer.body as { ads: ServedAd[] }).ads[0]?.needs;
  };
  const names = [zone.publicId, `${zone.publicId}~test`];
  for (const name of names) expect(await needs(`n&z=${name}&0.1`)).toBeUndefined();
  await poll();
  for (const name of names) {
    expect(await needs(`n&z=${name}&0.1`)).toBe('http://ads.example/api/serve/sample.js');
    // The module itself, and clients that cannot ask again.
    for (const query of [`m&z=${name}&0.1`, `z=${name}`]) expect(await needs(query)).toBeUndefined();
  }
});

// Proves DEL-500
it('shows no sample ad to other browsers, networks, websites and zones, nor later', async () => {
  const ending = await sampleEnding(zone);
  const isSample = async (...asked: Parameters<typeof askWith>) =>
    (await askWith(...asked)).title === 'Sample ad';
  expect(await isSample(ending)).toBe(true);
  expect(await isSample(ending, { 'user-agent': `${BROWSER} Edg/150` })).toBe(false);
  expect(await isSample(ending, { origin: 'https://elsewhere.example' })).toBe(false);
  const other = await makeZone(seller, website);
  await server.app.refreshDelivery();
  expect(await isSample(ending, {}, other.publicId)).toBe(false);
  const forged = ending.slice(0, -1) + (ending.endsWith('A') ? 'B' : 'A');
  for (const bad of [forged, 's', 'sx', 's1.1', '']) expect(await isSample(bad)).toBe(false);
  // Another network: the ending of somebody who asked from there.
  const links = createSampleLinks(['a secret for tests of 32 characters or more'], (request) =>
    String(request.headers['x-from']),
  );
  const from = (address: string) =>
    ({ headers: { 'x-from': address, 'user-agent': BROWSER } }) as unknown as IncomingMessage;
  const now = Date.now();
  const token = links.issue(zone.publicId, from('192.0.2.1'), now);
  expect(links.isValid(token, zone.publicId, from('192.0.2.1'), now)).toBe(true);
  expect(links.isValid(token, zone.publicId, from('192.0.2.2'), now)).toBe(false);
  server.clock.advance((SAMPLE_MINUTES + 1) * 60_000);
  expect(await isSample(ending)).toBe(false);
});

// Proves DEL-500
it('shows a sample ad on the test page only while no paid ad can be shown', async () => {
  const page = { origin: 'null' };
  const paid = `${zone.publicId}~test`;
  expect((await askWith(await sampleEnding(zone), page, paid)).title).toBe(ad.title);
  const empty = await makeZone(seller, website);
  await server.app.refreshDelivery();
  const tested = `${empty.publicId}~test`;
  expect((await askWith(await sampleEnding(empty), page, tested)).title).toBe('Sample ad');
  expect((await askWith(await sampleEnding(zone), page, tested)).kind).toBe('house');
});

// Proves DEL-54
it('signs the test mark, so that no token can gain or lose it', async () => {
  const tokens = createTokens(['a secret for tests of 32 characters or more']);
  const now = Date.now();
  const subject = subjectOf({ zoneId: 1, adId: 2, video: false, creative: 0 });
  const decision = { subject, reason: null, origin: '0003' };
  const [test, real] = [tokens.issue({ ...decision, use: 'test' }, now), tokens.issue(decision, now)];
  for (const [token, isTest] of [
    [test, true],
    [real, false],
  ] as const) {
    expect(tokens.read(token.view, 'view', now)).toMatchObject({
      state: 'valid',
      claims: { use: isTest ? 'test' : 'page' },
    });
    // The two tokens differ only in this character, the decision's id and the signature.
    const changed = token.view.slice(0, 16) + (isTest ? '0' : '1') + token.view.slice(17);
    expect(changed.slice(0, 31)).toBe((isTest ? real : test).view.slice(0, 31));
    expect(tokens.read(changed, 'view', now).state).toBe('forged');
  }
});

// Proves DEL-54
it('serves the zone’s frame as the test page, and shows nothing for an unknown zone', async () => {
  const page = await server.caller.get(`/z/${zone.publicId}?test`);
  expect(page.text).toContain(`<ad-zone zone="${zone.publicId}~test">`);
  expect((await poll()).testPage).toBe(`http://ads.example/z/${zone.publicId}?test`);
  const unknown = '00000000-0000-4000-8000-000000000000~test';
  expect(await server.ask([unknown], OPAQUE)).toEqual([{ zone: unknown, kind: 'none' }]);
});

it('reports the requests, the chosen ad and the views of a watched zone, with the reason why one does not count', async () => {
  const { from } = await poll();
  const served = await server.decide(zone.publicId);
  await server.decide(`${zone.publicId}~test`, OPAQUE).catch(() => {});
  server.clock.advance(1250);
  await server.view(served.view);
  await server.view(served.view);
  await server.ask([zone.publicId], { site: 'https://elsewhere.example' });
  await server.app.flushDelivery();

  const { requests } = await poll(from);
  expect(requests).toHaveLength(3);
  // Requests come newest first. The only bought view was delivered, so this one shows 'Advertise here'.
  expect(requests[0]).toMatchObject({
    origin: 'https://elsewhere.example',
    reason: 'wrong_site',
    ad: null,
    isTest: false,
  });
  expect(requests[2]).toMatchObject({
    origin: SITE,
    reason: null,
    ad: { title: ad.title },
    isTest: false,
    rendered: null,
    view: { reason: null },
    click: null,
  });
  expect(requests[2]?.view?.afterMs).toBeGreaterThanOrEqual(1250);
  expect(requests[1]).toMatchObject({ isTest: true, ad: null, origin: null });
  // A screen that is opened now starts with an empty list.
  expect((await poll()).requests).toEqual([]);
});

it('reports rendered ads, views that came too fast, and clicks', async () => {
  const { from } = await poll();
  const test = await server.decide(`${zone.publicId}~test`, OPAQUE);
  const served = await server.decide(zone.publicId);
  expect(await drawn(served.view, SITE)).toBe(204);
  await server.view(served.view);
  await server.view(test.view, OPAQUE);
  server.clock.advance(500);
  await server.click(test.click);
  await server.app.flushDelivery();
  const [real, tested] = (await poll(from)).requests;
  expect(real).toMatchObject({ isTest: false, rendered: { reason: null }, view: { reason: 'too_fast' } });
  expect(tested).toMatchObject({ isTest: true, view: { reason: null }, click: { reason: null } });
  expect(tested?.click?.afterMs).toBeGreaterThanOrEqual(500);
});

it('reports the requests of video players, with and without an ad', async () => {
  const { from } = await poll();
  const player = { origin: SITE, 'user-agent': BROWSER };
  await server.caller.get(`/api/serve/vast/${zone.publicId}`, player);
  const name = 'a-video-of-three-seconds';
  const now = server.clock.now();
  const found = {
    contentType: 'video/mp4' as const,
    byteSize: 8192,
    width: 320,
    height: 180,
    durationMs: 3033,
  };
  await server.ctx.db
    .insertInto('uploads')
    .values({
      name,
      userId: buyer.user.id,
      expiresAt: now,
      storedAt: now,
      rendition: `${name}.mp4`,
      ...found,
    })
    .execute();
  const video = { adType: 'video' as const, videoUrl: `/ad-images/${name}`, title: 'A video' };
  await makeRunningAd(server.ctx, zone.id, video);
  await server.app.refreshDelivery();
  const { text } = await server.caller.get(`/api/serve/vast/${zone.publicId}`, player);
  const view = /<Viewable>(?:<!\[CDATA\[)?([^\]<]+)/.exec(text)?.[1] ?? '';
  server.clock.advance(2500);
  expect(await server.view(view)).toBe(204);
  await server.app.flushDelivery();
  expect((await poll(from)).requests).toMatchObject([
    { origin: SITE, ad: { title: 'A video' }, view: { reason: null } },
    { origin: SITE, ad: null, view: null },
  ]);
});

it('reports that the script was loaded, and that a page of the website requests an unknown zone', async () => {
  const { from } = await poll();
  await server.caller.get(`/api/serve/zone/${zone.publicId}`, { origin: SITE });
  // The test page and another website load the script too. Neither is reported.
  await server.caller.get(`/api/serve/zone/${zone.publicId}`, { origin: 'null' });
  await server.caller.get(`/api/serve/zone/${zone.publicId}`, { origin: 'https://elsewhere.example' });
  await server.ask([zone.publicId.slice(0, -1)], { site: 'https://www.daily.example' });
  for (const site of ['https://elsewhere.example', 'null', '']) await server.ask(['another-site'], { site });
  // A paused zone shows nothing, but it is not unknown.
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await server.app.refreshDelivery();
  await server.ask([zone.publicId.toUpperCase()]);
  await server.app.flushDelivery();
  expect(await poll(from)).toMatchObject({
    requests: [],
    script: { origin: SITE },
    unknown: { asked: zone.publicId.slice(0, -1) },
  });
});

it('stores nothing about a zone that is not watched, and nothing about visitors', async () => {
  const quiet = await makeZone(seller, website, { name: 'Quiet' });
  await poll();
  await server.app.refreshDelivery();
  const visit = { headers: { 'x-forwarded-for': '203.0.113.77', cookie: 'who=me', 'sec-gpc': '1' } };
  // A busy zone on the same website must not crowd the watched zone out.
  for (let each = 0; each < 50; each++) await server.ask([quiet.publicId], visit);
  await server.ask([zone.publicId, quiet.publicId], visit);
  await server.app.flushDelivery();
  const rows = await server.ctx.db.selectFrom('zoneSightings').selectAll().execute();
  expect(new Set(rows.map(({ zoneId }) => zoneId))).toEqual(new Set([zone.id]));
  const kept = JSON.stringify(rows);
  for (const word of ['203.0.113', '127.0.0.1', 'Mozilla', 'who=me']) expect(kept).not.toContain(word);
});

it('ends a watch two minutes after the last call and deletes its sightings', async () => {
  const { from } = await poll();
  await server.ask([zone.publicId]);
  server.clock.advance(ZONE_WATCH_MS - 5000);
  await server.app.flushDelivery();
  expect((await poll(from)).requests).toHaveLength(1);
  server.clock.advance(ZONE_WATCH_MS - 5000);
  await server.app.flushDelivery();
  expect((await poll(from)).requests).toHaveLength(1);
  server.clock.advance(ZONE_WATCH_MS + 1000);
  await server.app.flushDelivery();
  expect(server.app.watchedZones()).toBe(0);
  expect(await server.ctx.db.selectFrom('zoneWatches').selectAll().execute()).toEqual([]);
  expect(await server.ctx.db.selectFrom('zoneSightings').selectAll().execute()).toEqual([]);
  await server.ask([zone.publicId]);
  expect((await poll(from)).requests).toEqual([]);
});

it('reports requests that another server has answered', async () => {
  const other = await untilTestEnds(anotherInstance(server));
  const { from } = await poll();
  await other.app.flushDelivery();
  await fetch(`${other.url}/api/serve/ads?z=${zone.publicId}`, {
    headers: { origin: SITE, 'user-agent': 'Mozilla/5.0 Chrome/150.0' },
  });
  await other.app.flushDelivery();
  expect((await poll(from)).requests).toMatchObject([{ origin: SITE, ad: { title: ad.title } }]);
});

it('lets only its publisher watch a zone', async () => {
  const stranger = await server.signIn('seller');
  await makeZone(stranger, await makeWebsite(stranger));
  for (const client of [stranger, buyer]) {
    const answer = await client.post(`/api/ad-zones/${zone.publicId}/watch`, { from: null });
    expect(answer.status).toBe(404);
  }
  expect(server.app.watchedZones()).toBe(0);
  for (const from of ['-1', '1; drop table ads', 3])
    expect((await seller.post(`/api/ad-zones/${zone.publicId}/watch`, { from })).status).toBe(400);
});
