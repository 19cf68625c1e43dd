import { VASTClient } from '@dailymotion/vast-client';
import { expect, it } from 'vitest';
import {
  addZone,
  adRow,
  type AdFields,
  type AdServerTest,
  BROWSER,
  figures,
  makeSiteWithZone,
  makeRunningAd,
  SITE,
  storeVideo,
} from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import type { ServedAds } from '#domain/delivery/wire.ts';
import { HOUR_MS } from '#domain/time.ts';
import { schemaErrors, vastSchemas } from '#server/testing/vast/schemas.ts';

// `server` has a public address, so all filters apply. On a loopback address (development mode) local pages and robots
// count.
const env = { PUBLIC_URL: 'http://ads.example', TRUSTED_PROXIES: '127.0.0.1' };
const lines: string[] = [];
const server = useOwnAdServer(env, (line) => lines.push(line));
const onLaptop = useOwnAdServer();

const HOST = 'http://ads.example';
const EMPTY = /^<\?xml version="1.0" encoding="UTF-8"\?>\n<VAST version="4.2" xmlns="[^"]+"\/>\n$/;

/** A zone with a running ad whose video, 3 seconds long, was uploaded. */
async function withVideo(on: AdServerTest, fields: AdFields = {}) {
  const placed = await makeSiteWithZone(on.ctx);
  const ad = await addVideo(on, placed.zoneId, fields);
  await on.app.refreshDelivery();
  return { ...placed, ad };
}

async function addVideo(on: AdServerTest, zoneId: number, fields: AdFields = {}) {
  const { id: userId } = await on.ctx.db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow();
  const videoUrl = await storeVideo(on.ctx, userId);
  const video = { adType: 'video' as const, videoUrl };
  const ad = await makeRunningAd(on.ctx, zoneId, { ...video, ...fields });
  return { ...ad, video: `${videoUrl.slice('/ad-images/'.length)}.mp4` };
}

const page = { origin: SITE, 'user-agent': BROWSER };

async function vastOf(on: AdServerTest, zone: string, headers: Record<string, string> = page) {
  const answer = await on.caller.get(`/api/serve/vast/${zone}`, headers);
  const part = (name: string) =>
    new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(answer.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const path = (name: string) => (part(name) === '' ? '' : part(name).slice(HOST.length));
  return { ...answer, part, viewable: path('Viewable'), click: path('ClickThrough'), error: path('Error') };
}

it('serves the video ad of a zone as valid VAST 4.2, with this server’s addresses', async () => {
  const { zone, zoneId, ad } = await withVideo(server, { title: 'Tea </AdTitle> & <b>"more"</b> ]]>' });
  const business = server.ctx.db
    .updateTable('userSettings')
    .set({ businessName: ' Tea & Sons ' })
    .where('userId', '=', (query) => query.selectFrom('ads').select('userId').where('id', '=', ad.id));
  expect((await vastOf(server, zone)).part('Advertiser')).toBe('Ada Lane');
  await business.execute();
  // The server reads the name with the zone, and reads the zone again because it has a new ad.
  await makeRunningAd(server.ctx, zoneId);
  await server.app.refreshDelivery();
  const answer = await vastOf(server, zone);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/xml; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': SITE,
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
  for (const schema of await vastSchemas()) expect(await schemaErrors(schema, answer.text)).toEqual([]);

  const token = '[\\w-]{69}';
  expect(answer.part('Viewable')).toMatch(new RegExp(`^${HOST}/api/serve/view/${token}$`));
  expect(answer.part('Impression')).toBe(`${answer.part('Viewable')}?rendered`);
  // The schema accepts any address here, but a player opens it.
  expect(answer.part('ClickThrough')).toMatch(new RegExp(`^${HOST}/api/serve/click/${token}$`));
  expect(answer.part('IconClickThrough')).toBe(`${HOST}/api/serve/why/${ad.publicId}`);
  expect(answer.part('Advertiser')).toBe('Tea & Sons');
  expect(answer.part('UniversalAdId')).toBe(ad.video);
  expect(answer.text).toContain(
    `<MediaFile delivery="progressive" type="video/mp4" codec="avc1" width="320" height="180" bitrate="22" fileSize="8192">${HOST}/m/${ad.video}</MediaFile>`,
  );
});

it('serves a document that a common VAST client reads correctly', async () => {
  const { zone, ad } = await withVideo(onLaptop, { title: 'Tea & <b>cake</b>' });
  const { ads } = await new VASTClient().get(`${onLaptop.url}/api/serve/vast/${zone}`);
  expect(ads).toHaveLength(1);
  expect(ads[0]).toMatchObject({
    id: ad.publicId,
    title: 'Tea & <b>cake</b>',
    system: { value: 'Openslot' },
    advertiser: { value: 'Ada Lane' },
    impressionURLTemplates: [{ url: expect.stringMatching(/\/view\/[\w-]{69}\?rendered$/) }],
    viewableImpression: [{ viewable: [expect.stringMatching(/\/view\/[\w-]{69}$/)] }],
    creatives: [
      {
        type: 'linear',
        duration: 3.033,
        mediaFiles: [
          { fileURL: `${onLaptop.url}/m/${ad.video}`, mimeType: 'video/mp4', width: 320, height: 180 },
        ],
        videoClickThroughURLTemplate: { url: expect.stringMatching(/\/api\/serve\/click\/[\w-]{69}$/) },
        universalAdIds: [{ idRegistry: 'openslot', value: ad.video }],
      },
    ],
  });
});

it('answers an empty document for ads that no player can show and for unknown zones', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId);
  // The video has no file.
  await makeRunningAd(server.ctx, zoneId, { adType: 'video', videoUrl: `/ad-images/${'x'.repeat(22)}` });
  await server.app.refreshDelivery();
  for (const asked of [zone, 'nobody', '', 'a/b', '%00']) {
    const answer = await vastOf(server, asked);
    expect([asked, answer.status]).toEqual([asked, 200]);
    expect(answer.text).toMatch(EMPTY);
  }
  await addVideo(server, zoneId, { title: 'The video' });
  await server.app.refreshDelivery();
  // Of the three live ads, only this one can be played.
  for (let each = 0; each < 5; each++) expect((await vastOf(server, zone)).part('AdTitle')).toBe('The video');
  expect((await server.caller.send('POST', `/api/serve/vast/${zone}`)).status).toBe(405);
});

// Proves DEL-58
it('bills only the Viewable report, once, and neither a start nor an error nor a prefetch', async () => {
  const { zone, ad } = await withVideo(server, { pricingModel: 'per_impression', amount: 2 });
  const { viewable, error } = await vastOf(server, zone);
  server.clock.advance(3000);
  const get = async (path: string, headers: Record<string, string> = page) =>
    (await server.caller.get(path, headers)).status;
  expect(await get(`${viewable}?rendered`)).toBe(204);
  expect(await get(error.replace('[ERRORCODE]', '405'))).toBe(204);
  expect(await get(viewable, { ...page, 'sec-purpose': 'prefetch' })).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 0 });

  const answer = await server.caller.get(viewable, page);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([204, 'no-store']);
  expect(await Promise.all([get(viewable), get(viewable), get(viewable)])).toEqual([204, 204, 204]);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1 });
  await server.app.flushDelivery();
  expect(await figures(server.ctx, ad.id)).toMatchObject({
    view: 1,
    'view duplicate': 3,
    'view prefetch': 1,
  });
  expect(await get(viewable.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBe(400);
});

// Proves DEL-58
it('filters a view of a video that is reported within two seconds', async () => {
  const { zone, ad } = await withVideo(server);
  const { viewable } = await vastOf(server, zone);
  server.clock.advance(1500);
  expect((await server.caller.get(viewable, page)).status).toBe(204);
  expect(await figures(server.ctx, ad.id)).toMatchObject({ 'view too_fast': 1 });
});

// Proves DEL-58
it.each<[what: string, counted: string, decision: Record<string, string>, report: Record<string, string>]>([
  // An image request names its page in the Referer only.
  ['an image request from the page', 'view', {}, { origin: '', referer: `${SITE}/` }],
  [
    'an image request from another page',
    'view wrong_site',
    {},
    { origin: '', referer: 'https://evil.example/' },
  ],
  ['an image request from a page that sends no Referer', 'view wrong_site', {}, { origin: '' }],
  [
    'a report from another site',
    'view wrong_site',
    {},
    { origin: 'https://evil.example', referer: `${SITE}/` },
  ],
  [
    'a player on another site',
    'view wrong_site',
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example' },
  ],
  ['a player without a page', 'view wrong_site', { origin: '' }, {}],
  ['a robot', 'view bot', { 'user-agent': 'curl/8.5.0' }, {}],
])('records the view of %s as "%s"', async (_what, counted, decision, report) => {
  const { zone, ad } = await withVideo(server);
  const kept = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries({ ...page, ...headers }).filter(([, value]) => value !== ''));
  const { viewable } = await vastOf(server, zone, kept(decision));
  server.clock.advance(3000);
  expect((await server.caller.get(viewable, kept(report))).status).toBe(204);
  expect(await figures(server.ctx, ad.id)).toMatchObject({ [counted]: 1 });
  expect((await adRow(server.ctx, ad.id)).totalImpressions).toBe(counted === 'view' ? 1 : 0);
});

// Proves DEL-58
it('redirects a click to the stored target URL, and counts it with its view', async () => {
  const { zone, ad } = await withVideo(server);
  const { click } = await vastOf(server, zone);
  server.clock.advance(1000);
  const answer = await server.caller.get(click, { 'user-agent': BROWSER });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://coffee.example/start']);
  expect(await figures(server.ctx, ad.id)).toMatchObject({ click: 1, view: 1 });
});

it('counts a reserved view towards the goal, and completes the ad when the goal is reached', async () => {
  const { zone, ad } = await withVideo(server, { pricingModel: 'per_impression', amount: 1 });
  const { viewable } = await vastOf(server, zone);
  expect((await vastOf(server, zone)).text).toMatch(EMPTY);
  server.clock.advance(3000);
  await server.caller.get(viewable, page);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalImpressions: 1 });
});

it('counts the decisions for players, and notes the player as the tag', async () => {
  const { zone, zoneId, websiteId, ad } = await withVideo(server);
  const bare = await addZone(server.ctx, websiteId);
  await server.app.refreshDelivery();
  await vastOf(server, zone);
  await vastOf(server, bare.zone);
  await server.app.flushDelivery();
  const decisions = await server.ctx.db
    .selectFrom('deliveryHourly')
    .select(['adId', 'zoneId', 'n', 'reason'])
    .where('kind', '=', 'decision')
    .where('zoneId', 'in', [zoneId, bare.zoneId])
    .orderBy('zoneId')
    .execute();
  expect(decisions.map(({ n, ...row }) => ({ ...row, n }))).toEqual([
    { adId: ad.id, zoneId, n: 1, reason: '' },
    { adId: null, zoneId: bare.zoneId, n: 1, reason: '' },
  ]);
  const { tagSeenAt } = await server.ctx.db
    .selectFrom('adZones')
    .select('tagSeenAt')
    .where('id', '=', zoneId)
    .executeTakeFirstOrThrow();
  expect(tagSeenAt).not.toBeNull();
});

it('logs an ad that a player could not show once an hour, and only for a valid token', async () => {
  const { zone, zoneId, ad } = await withVideo(server);
  const { error } = await vastOf(server, zone);
  lines.length = 0;
  const report = async (path: string) => (await server.caller.get(path, page)).status;
  expect(await report(error.replace('[ERRORCODE]', '405'))).toBe(204);
  expect(await report(error.replace('[ERRORCODE]', '900'))).toBe(204);
  expect(await report('/api/serve/vast-error/forged?code=405')).toBe(400);
  expect(lines.filter((line) => line.includes('could not show')).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ adId: ad.id, zoneId, code: '405' }),
  ]);
  expect(await figures(server.ctx, ad.id)).toEqual({});
});

const IMA = { origin: 'https://imasdk.googleapis.com', 'user-agent': BROWSER };
/** A report of IMA's frame, which browsers send for an image. */
const FROM_IMA = { referer: 'https://imasdk.googleapis.com/', 'user-agent': BROWSER };

async function addressFor(zone: string, origin: string) {
  const answer = await server.caller.get(`/api/serve/vast-address/${zone}`, { origin });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  // The number at the end makes each address a new one.
  return /^http:\/\/ads\.example\/api\/serve\/vast\/(.*)\?\d+$/.exec(answer.text)![1]!;
}

it('lets a player that sends credentials read the document, whichever origin it has', async () => {
  const { zone } = await withVideo(server);
  for (const name of [zone, 'no-such-zone']) {
    const { headers } = await vastOf(server, name, IMA);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': IMA.origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
    expect(headers.has('set-cookie')).toBe(false);
  }
});

// Proves FIELD-91
it.each([
  ['in the frame of IMA', FROM_IMA],
  ['in the page of the site', { referer: `${SITE}/watch`, 'user-agent': BROWSER }],
])('bills a view of a player with Google’s IMA that is reported %s', async (_where, report) => {
  const { zone, ad } = await withVideo(server);
  const { viewable } = await vastOf(server, await addressFor(zone, SITE), IMA);
  server.clock.advance(2500);
  expect((await server.caller.get(viewable, report)).status).toBe(204);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1 });
});

// Proves FIELD-91
it('does not bill a player with IMA whose address no page of the site has fetched', async () => {
  const { zone, ad } = await withVideo(server);
  const other = await withVideo(server);
  const signed = await addressFor(zone, SITE);
  expect(await addressFor(zone, 'https://elsewhere.example')).toBe(zone);
  const addresses = [
    zone,
    await addressFor(zone, 'https://elsewhere.example'),
    signed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    (await addressFor(other.zone, SITE)).replace(other.zone, zone),
  ];
  for (const address of addresses) {
    const { viewable } = await vastOf(server, address, IMA);
    server.clock.advance(2500);
    await server.caller.get(viewable, FROM_IMA);
  }
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view wrong_site': addresses.length });
  // A signed address is worth nothing in another frame, also in a sandboxed one.
  for (const [origin, referer] of [['https://elsewhere.example', 'https://elsewhere.example/'], ['null']]) {
    const { viewable } = await vastOf(server, signed, { ...IMA, origin: origin! });
    server.clock.advance(2500);
    await server.caller.get(viewable, { 'user-agent': BROWSER, ...(referer && { referer }) });
  }
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view wrong_site': addresses.length + 2 });
});

// Proves FIELD-91
it('takes a player’s signed address neither in a request of the tag nor after two hours', async () => {
  const { zone, ad } = await withVideo(server);
  const signed = await addressFor(zone, SITE);
  for (const origin of [IMA.origin, 'null']) {
    const { body } = await server.caller.get(`/api/serve/ads?z=${signed}`, { ...IMA, origin });
    const { view } = (body as ServedAds).ads[0]!;
    server.clock.advance(2500);
    await server.caller.post(new URL(view!).pathname, undefined, { ...IMA, origin });
  }
  server.clock.advance(2 * HOUR_MS);
  const { viewable } = await vastOf(server, signed, IMA);
  server.clock.advance(2500);
  await server.caller.get(viewable, FROM_IMA);
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view wrong_site': 3 });
});

// Proves DEL-49
it('shows a new video first to visitors who have reached the caps of the others', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  for (const title of ['Old one', 'Old two']) await addVideo(server, zoneId, { title, amount: 5 });
  await server.app.refreshDelivery();
  const askForEach = async (times: number) => {
    const titles: string[] = [];
    for (let visitor = 0; visitor < 40; visitor++) {
      const headers = { ...page, 'x-forwarded-for': `198.51.${visitor}.4` };
      for (let time = 0; time < times; time++)
        titles.push((await vastOf(server, zone, headers)).part('AdTitle'));
    }
    return titles;
  };
  // The cap counts in batches, so chance divides each visitor's requests between the two ads. With sixteen requests, a
  // fifth of the visitors would not reach the cap of one of them.
  await askForEach(24);
  await addVideo(server, zoneId, { title: 'New', amount: 5 });
  await server.app.refreshDelivery();
  const titles = await askForEach(4);
  // 1 / 1.4 = 71% is expected, against a third without caps.
  expect(titles.filter((title) => title === 'New').length / titles.length).toBeGreaterThan(0.55);
});
