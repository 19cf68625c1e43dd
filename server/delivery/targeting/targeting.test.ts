import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServedAd } from '#domain/delivery/wire.ts';
import type { Excludes, Targeting } from '#domain/targeting/limits.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { countryFile } from '#server/testing/delivery/country-file.ts';
import type { Client } from '#server/testing/client.ts';
import { BROWSER, makeRunningAd, makeSiteWithZone, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, pay } from '#server/testing/story.ts';
import { readZoneDays } from '../forecast/zone-figures.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';

let folder: string;
let seller: Client;
let buyer: Client;

beforeAll(() => {
  folder = newTemporaryFolder('countries');
  writeFileSync(
    databaseFile(),
    countryFile({
      '198.51.100.0/24': { country: { iso_code: 'US' }, subdivisions: [{ iso_code: 'CA' }] },
      '203.0.113.0/24': { country: { iso_code: 'US' } },
      '192.0.2.0/24': { country_code: 'DE' },
    }),
  );
});
afterAll(() => removeFolder(folder));
const databaseFile = () => path.join(folder, 'city.mmdb');
const server = useOwnAdServer(() => ({
  TRUSTED_PROXIES: '127.0.0.1',
  COUNTRY_DATABASE_FILE: databaseFile(),
}));
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

type Visit = { query?: string; from?: string; headers?: Record<string, string> };

/** The title of the ad that a visitor is shown. */
async function shown(
  zone: string,
  { query = '', from = '192.0.2.7', headers = {} }: Visit = {},
): Promise<string> {
  const answer = await server.caller.get(`/api/serve/ads?z=${zone}${query}`, {
    origin: SITE,
    'user-agent': BROWSER,
    'x-forwarded-for': from,
    ...headers,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return (answer.body as { ads: ServedAd[] }).ads[0]?.title ?? '';
}

async function makeLimited(targeting: Targeting | null, excludes: Excludes | null = null) {
  const made = await makeLiveAd(seller, buyer, {
    ad: { title: 'Limited', ...(targeting && { targeting }) },
    zone: { ...(excludes && { excludes }) },
  });
  await server.app.refreshDelivery();
  return { ...made, zone: made.zone.publicId };
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const IPAD = IPHONE.replace('iPhone; CPU iPhone', 'iPad; CPU');
const ANDROID = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0';
const agent = (text: string, hints: Record<string, string> = {}) => ({
  headers: { 'user-agent': text, ...hints },
});
const speaks = (languages: string) => ({ headers: { 'accept-language': languages } });

// Proves WARD-30
it('leaves visitors whom the zone excludes out of its forecast, and counts their requests as before', async () => {
  const made = await makeLimited(null, { countries: ['US'] });
  const american = { from: '203.0.113.7' };
  for (let visit = 0; visit < 3; visit++) expect(await shown(made.zone)).toBe('Limited');
  for (let visit = 0; visit < 7; visit++) expect(await shown(made.zone, american)).toBe('Advertise here');
  // A request that does not count is no visitor who is excluded.
  await shown(made.zone, { ...american, headers: { 'user-agent': 'Googlebot/2.1' } });
  await server.app.flushDelivery();
  const zoneId = made.ad.adZoneId;
  const tomorrow = later(server.ctx.now(), DAY_MS);
  const days = await readZoneDays(server.ctx.db, [zoneId], tomorrow);
  expect(days.get(zoneId)).toEqual([{ zoneId, daysAgo: 1, views: 0, served: 3, empty: 0 }]);
  const requests = await server.ctx.db
    .selectFrom('deliveryHourly')
    .select(({ fn }) => fn.sum<string>('n').as('n'))
    .where('zoneId', '=', zoneId)
    .where('kind', '=', 'decision')
    .where('reason', '=', '')
    .executeTakeFirst();
  expect(requests).toEqual({ n: '10' });
});

/** Each limit with visitors who are shown the ad and visitors who are not. */
const LIMITS: [limit: Targeting, inside: Visit[], outside: Visit[]][] = [
  [
    { countries: ['DE'] },
    [{}, { from: '10.9.9.9, 192.0.2.7' }],
    [
      { from: '203.0.113.7' },
      { from: '192.0.2.7, 203.0.113.7' },
      { from: '127.0.0.1' },
      { from: 'nonsense' },
      { from: '2001:db8::1' },
    ],
  ],
  [{ countries: ['DE'], unknownCountry: 'show' }, [{}, { from: '10.1.1.1' }], [{ from: '203.0.113.7' }]],
  [{ regions: ['US-CA'] }, [{ from: '198.51.100.7' }], [{ from: '203.0.113.7' }, {}, { from: '10.1.1.1' }]],
  [
    { languages: ['de'] },
    [speaks('de'), speaks('de-AT,de;q=0.9,en;q=0.8'), speaks('en;q=0.5, DE')],
    [speaks('en-US,en;q=0.9,de;q=0.8'), speaks('*'), speaks(','.repeat(4000)), {}],
  ],
  [
    { devices: ['phone'] },
    [agent(IPHONE), agent(`${ANDROID} Mobile Safari/537.36`), agent(BROWSER, { 'sec-ch-ua-mobile': '?1' })],
    [agent(IPAD), agent(`${ANDROID} Safari/537.36`), {}, agent(`${ANDROID} BRAVIA Safari/537.36`)],
  ],
  [
    { devices: ['tablet'] },
    [agent(IPAD), agent(`${ANDROID} Safari/537.36`), agent(BROWSER, { 'sec-ch-ua-platform': '"Android"' })],
    [agent(IPHONE), {}],
  ],
  [{ devices: ['desktop'] }, [{}], [agent(IPHONE), agent('Mozilla/5.0 (PlayStation 5)')]],
  [
    { paths: ['/sport/*', '/für'] },
    [
      { query: '&p=/sport/tennis' },
      { query: '&p=%2Fsport%2F%3Fpage%3D2' },
      { query: '&p=%2Ff%25C3%25BCr' },
      { query: '&p=/f%C3%BCr' },
      { headers: { referer: `${SITE}/sport/tennis?page=2` } },
    ],
    [
      {},
      { query: '&p=/news' },
      { query: '&p=sport/tennis' },
      { query: '&p=' },
      { query: '&p=/sport/tennis', headers: { origin: 'null' } },
      { query: '&p=/news', headers: { referer: `${SITE}/sport/tennis` } },
      { headers: { referer: `${SITE}/` } },
      { headers: { referer: 'nonsense' } },
    ],
  ],
  [
    { topics: ['cycling'] },
    [{ query: '&t=cycling' }, { query: '&t=tennis,%20Cycling' }],
    [{}, { query: '&t=' }, { query: '&t=tennis' }, { query: `&t=${'a,'.repeat(500)}cycling` }],
  ],
  [
    { hours: [{ from: 0, to: 24 }] },
    [{ query: '&tz=Europe/Berlin' }, { query: '&tz=Asia%2FCalcutta' }],
    [
      {},
      { query: '&tz=' },
      { query: '&tz=Mars/Olympus' },
      { query: `&tz=${'x'.repeat(1000)}` },
      { query: '&tz=%00' },
    ],
  ],
  [
    { countries: ['DE'], devices: ['desktop'], languages: ['de'], topics: ['cycling'] },
    [{ query: '&t=cycling', ...speaks('de') }],
    [
      { query: '&t=cycling', ...speaks('en') },
      { ...speaks('de') },
      { query: '&t=cycling', from: '203.0.113.7', ...speaks('de') },
    ],
  ],
];

// Proves RES-21
it.each(LIMITS)(
  'shows an ad to those visitors only to whom it is limited: %j',
  async (limit, inside, outside) => {
    const { zone } = await makeLimited(limit);
    for (const visit of inside) expect([visit, await shown(zone, visit)]).toEqual([visit, 'Limited']);
    for (const visit of outside) expect([visit, await shown(zone, visit)]).not.toEqual([visit, 'Limited']);
  },
);

it('shows an ad in its hours and on its days by a named clock', async () => {
  const now = server.clock.now();
  const hour = now.getUTCHours();
  const day = (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[now.getUTCDay()]!;
  const other = day === 'mon' ? ('tue' as const) : ('mon' as const);
  const open = await makeLimited({ days: [day], hours: [{ from: hour, to: hour + 1 }], timezone: 'UTC' });
  expect(await shown(open.zone)).toBe('Limited');
  const closed = await makeLimited({ days: [other], timezone: 'UTC' });
  expect(await shown(closed.zone)).not.toBe('Limited');
});

it('shows other ads to visitors whom the zone does not exclude, and none to those whom it does', async () => {
  const { zone } = await makeLimited(null, { countries: ['US'], topics: ['gambling'], devices: ['tablet'] });
  expect(await shown(zone)).toBe('Limited');
  expect(await shown(zone, { from: '10.1.1.1' })).toBe('Limited');
  for (const visit of [{ from: '203.0.113.7' }, { query: '&t=gambling' }, agent(IPAD)])
    expect(await shown(zone, visit)).not.toBe('Limited');
});

it('gives the requests that an ad must not have to the other ads of the zone', async () => {
  const { zone, product } = await makeLimited({ countries: ['US'] });
  const open = await makeAd(buyer, product, { title: 'Open' });
  await approve(seller, open);
  await pay(buyer, open);
  await server.app.refreshDelivery();
  const titles = new Set<string>();
  for (let index = 0; index < 40; index++) {
    expect(await shown(zone)).toBe('Open');
    titles.add(await shown(zone, { from: `203.0.113.${index}` }));
  }
  expect(titles).toEqual(new Set(['Open', 'Limited']));
});

it('asks the tag for facts of the page only for zones that need them, and counts nothing before it has them', async () => {
  const ask = async (query: string) =>
    (await server.caller.get(`/api/serve/ads?${query}`, { origin: SITE, 'user-agent': BROWSER })).body.ads[0];
  const page = await makeLimited({ paths: ['/sport/*'] });
  expect(await ask(`n&z=${page.zone}`)).toEqual({
    zone: page.zone,
    kind: 'none',
    needs: `${server.url}/api/serve/facts.js?2`,
  });
  await server.app.flushDelivery();
  const decisions = async () =>
    await server.ctx.db.selectFrom('deliveryHourly').select('n').where('adId', '=', page.ad.id).execute();
  expect(await decisions()).toEqual([]);
  expect(await ask(`z=${page.zone}&p=%2Fsport%2Ftennis&t=&tz=Europe%2FBerlin`)).toMatchObject({
    title: 'Limited',
  });
  await server.app.flushDelivery();
  expect(await decisions()).toEqual([{ n: 1 }]);
  const excluding = await makeLimited(null, { topics: ['gambling'] });
  expect(await ask(`n&z=${excluding.zone}`)).toHaveProperty('needs');
  const visitor = await makeLimited({ devices: ['desktop'] });
  expect(await ask(`n&z=${visitor.zone}`)).toMatchObject({ title: 'Limited' });
  const module = await server.caller.get('/api/serve/facts.js');
  expect([module.status, module.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
});

it('obeys the limits of a video for players', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId, {
    adType: 'video',
    targeting: { countries: ['US'], topics: ['cycling'] },
  });
  await server.app.refreshDelivery();
  const played = async (from: string, query: string) =>
    (await server.caller.get(`/api/serve/vast/${zone}${query}`, { origin: SITE, 'x-forwarded-for': from }))
      .text;
  expect(await played('203.0.113.7', '?t=cycling')).toContain('<Ad ');
  expect(await played('203.0.113.7', '')).not.toContain('<Ad ');
  expect(await played('192.0.2.7', '?t=cycling')).not.toContain('<Ad ');
});

it('names the limits as the reason once they have kept the ad from every visitor of an hour', async () => {
  const { zone, ad } = await makeLimited({ countries: ['US'] });
  const why = async () => (await buyer.get(`/api/ads/${ad.publicId}/showing`)).body;
  expect(await why()).toMatchObject({ rule: null, share: 1 });
  await shown(zone);
  expect(await why()).toMatchObject({ rule: 'targeting', share: 0 });
  await shown(zone, { from: '203.0.113.7' });
  expect(await why()).toMatchObject({ rule: null, share: 1 });
  server.clock.advance(HOUR_MS / 2);
  await shown(zone);
  expect(await why()).toMatchObject({ rule: null });
  server.clock.advance(HOUR_MS);
  await shown(zone);
  expect(await why()).toMatchObject({ rule: 'targeting' });
});
