/** Where ad zones stand on pages, from the request that is picked to what both sides read. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  MAX_REPORTS,
  type MeasuredPlace,
  MIN_REPORTS,
  MIN_REPORTS_OF_A_PAGE,
  PLACE_DAYS,
} from '#domain/delivery/place.ts';
import { VOTE_MS } from '#domain/delivery/votes.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { createDatabase, createPool, type Tx } from '#server/platform/database/database.ts';
import { createTestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { headersOf } from '#server/testing/delivery/browsers.ts';
import { figures, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { MAX_A_DAY, REQUESTS_PER_REPORT, createPositionSample } from './position-sample.ts';
import { createPositionTokens } from './position-tokens.ts';
import { comparedReports, MAX_COMPARED_REPORTS } from './compared-reports.ts';
import { pagesOfZone } from './pages.ts';
import { placesOfZones } from './places.ts';
import { removeOldReports } from './report.ts';

// Robots count on a developer's machine.
const server = useOwnAdServer({ TRAFFIC_RULES: 'production' });

const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const HEADLESS = { 'sec-ch-ua': '"Chromium";v="150", "HeadlessChrome";v="150"' };

async function ask(query: string, headers: Record<string, string> = {}): Promise<ServedAd> {
  const { body } = await server.caller.get(`/api/serve/ads?${query}`, {
    origin: SITE,
    ...headersOf('Chrome on Windows', 'fetch'),
    ...headers,
  });
  return (body as { ads: [ServedAd] }).ads[0];
}

/** Asks as the tag does, until a request is picked, and returns the token of its report. */
async function pick(zone: string): Promise<string> {
  for (let requests = 1; requests <= 2 * REQUESTS_PER_REPORT; requests += 1) {
    const { needs = '' } = await ask(`n&z=${zone}`);
    if (needs.includes('placement.js?')) return needs.split('?')[1] ?? '';
  }
  throw new Error('No request was picked');
}

const report = async (token: string, numbers: string, headers: Record<string, string> = {}) =>
  (
    await server.caller.send('POST', `/api/serve/placement/${token}?${numbers}`, undefined, {
      origin: SITE,
      ...headersOf('Chrome on Windows', 'fetch'),
      ...headers,
    })
  ).status;

const PLACE = '1280,720,1280,4000,900,200,300,250,4000';

async function reportsOf(zoneId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from placement_reports where zone_id = ${zoneId}`.execute(server.ctx.db);
  return rows[0]!.n;
}

async function makeLive() {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const made = await makeLiveAd(seller, buyer, { ad: { title: 'Roasters' } });
  await server.app.refreshDelivery();
  return { seller, buyer, ...made };
}

// Proves AGNT-203
it('has every tenth request of the tag measured, which decides nothing, and no robot’s, frame’s or foreign page’s', async () => {
  const { zone, ad } = await makeLive();
  const asked: (string | undefined)[] = [];
  for (let requests = 0; requests < 2 * REQUESTS_PER_REPORT; requests += 1)
    asked.push((await ask(`n&z=${zone.publicId}`)).needs);
  const expected = Array.from({ length: 20 }, (_, at) =>
    at % REQUESTS_PER_REPORT === REQUESTS_PER_REPORT - 1
      ? expect.stringMatching(/\/api\/serve\/placement\.js\?[\w-]{48}$/)
      : undefined,
  );
  expect(asked).toEqual(expected);
  // The module asks again. Clients that cannot do so are never asked to.
  for (const prefix of ['', 'm&'])
    for (let requests = 0; requests < REQUESTS_PER_REPORT; requests += 1)
      expect(await ask(`${prefix}z=${zone.publicId}`)).toMatchObject({ title: 'Roasters' });
  // 18 and 20 were decided; the two that were measured were not.
  await server.app.flushDelivery();
  const { rows } = await sql<{ n: number }>`
    select sum(n)::integer as n from delivery_hourly where ad_id = ${ad.id} and kind = 'decision'`.execute(
    server.ctx.db,
  );
  expect(rows[0]?.n).toBe(38);

  for (let requests = 0; requests < REQUESTS_PER_REPORT; requests += 1)
    await ask(`n&z=${zone.publicId}`, { 'user-agent': ROBOT });
  const others: Record<string, string>[] = [
    { 'user-agent': ROBOT },
    HEADLESS,
    { origin: 'https://other.example' },
    { 'sec-purpose': 'prefetch' },
  ];
  for (const headers of others) expect((await ask(`n&z=${zone.publicId}`, headers)).needs).toBe(undefined);
  expect((await ask(`n&z=${zone.publicId}`)).needs).toMatch(/placement/);
});

const zoneOf = (id: number, forecastPerDay = 1) => ({ id, forecastPerDay });

it('measures a busy ad zone about a hundred times, over the whole day, and no zone beyond a bound', () => {
  const sample = createPositionSample();
  const picked = (zone: ReturnType<typeof zoneOf>, at: number) =>
    Array.from({ length: 5000 }, (_, network) => network).filter((network) =>
      sample.pick(
        zone,
        () => at + network,
        at,
        () => true,
      ),
    );
  const spread = picked(zoneOf(3, 2500), 0);
  expect(spread).toHaveLength(100);
  expect(spread.filter((request) => request < 2500)).toHaveLength(50);
  // Its forecast is too low.
  const day = (at: number) => picked(zoneOf(1), at).length;
  expect([day(0), day(DAY_MS - 1), day(DAY_MS)]).toEqual([MAX_A_DAY, 0, MAX_A_DAY]);
  // One that does not fit leaves its turn to the next.
  const picks = Array.from({ length: 12 }, (_, at) =>
    sample.pick(
      zoneOf(2),
      () => null,
      0,
      () => at >= 10,
    ),
  );
  expect(picks.indexOf(true)).toBe(10);
});

// Proves WARD-111
it('measures one page view of a network in a week, whatever it asks for, and then one of the next network', () => {
  const sample = createPositionSample();
  const picked = (zone: number, network: number, at: number, requests = 600) =>
    Array.from({ length: requests }, () =>
      sample.pick(
        zoneOf(zone),
        () => network,
        at,
        () => true,
      ),
    ).filter(Boolean).length;
  expect([picked(1, 7, 0), picked(1, 7, VOTE_MS - 1), picked(1, 8, 0, 1)]).toEqual([1, 0, 1]);
  // Of another ad zone, and in the next week.
  expect([picked(2, 7, 0), picked(1, 7, VOTE_MS)]).toEqual([1, 1]);
});

// Proves RES-101
it('stores a report once, and refuses what it has not asked for', async () => {
  const { zone, ad } = await makeLive();
  const before = await figures(server.ctx, ad.id);
  const token = await pick(zone.publicId);
  server.clock.advance(5000);
  expect(await Promise.all([1, 2, 3].map(async () => await report(token, PLACE)))).toEqual([204, 204, 204]);
  expect(await reportsOf(zone.id)).toBe(1);

  const other = createPositionTokens(['another secret of thirty-two letters']);
  const now = server.ctx.realNow().getTime();
  for (const wrong of [
    '',
    'x',
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    other.issue(zone.id, now),
  ])
    expect([wrong, await report(wrong, PLACE)]).toEqual([wrong, 400]);
  const next = await pick(zone.publicId);
  // Longer in view than since the request, and no numbers.
  for (const wrong of ['1280,720,1280,4000,900,200,300,250,999999', 'nonsense', '', '1'.repeat(1500)])
    expect([wrong.slice(0, 50), await report(next, wrong)]).toEqual([wrong.slice(0, 50), 400]);
  for (const robot of [{ 'user-agent': ROBOT }, HEADLESS])
    expect(await report(next, PLACE.replace(/4000$/, '0'), robot)).toBe(204);
  expect(await reportsOf(zone.id)).toBe(1);
  expect(await report(next, PLACE.replace(/4000$/, '0'))).toBe(204);
  expect(await reportsOf(zone.id)).toBe(2);
  const late = await pick(zone.publicId);
  server.clock.advance(DAY_MS + 1000);
  expect(await report(late, PLACE)).toBe(400);
  expect((await server.caller.get(`/api/serve/placement/${late}`)).status).toBe(405);
  // Nothing of this is a view or a click.
  const after = await figures(server.ctx, ad.id);
  expect(after).toEqual(before);
});

type Reported = { screen?: number; y?: number; ms: number; at?: Date };

async function store(
  zoneId: number,
  count: number,
  { screen = 1280, y = 200, ms, at = server.ctx.now() }: Reported,
) {
  await sql`
    insert into placement_reports (id, zone_id, reported_at, screen_width, screen_height, page_width, page_height,
        box_x, box_y, box_width, box_height, in_view_ms)
      select decode(md5(random()::text), 'hex'), ${zoneId}, ${at}, ${screen}, 720, ${screen}, 4000, 40, ${y}, 300, 250,
          ${ms} + n * 1000
        from generate_series(1, ${count}) n`.execute(server.ctx.db);
}

it('both sides and the site’s page have the medians by kind of screen, from 100 reports of the last 28 days on', async () => {
  const { seller, buyer, zone, ad, website } = await makeLive();
  const path = `/api/ads/${ad.publicId}/placement`;
  const placesOf = async (): Promise<MeasuredPlace[]> =>
    ((await buyer.get(path)).body as { places: MeasuredPlace[] }).places;
  expect((await seller.get('/api/analytics/places')).body).toEqual([]);
  await store(zone.id, MIN_REPORTS - 1, { ms: 0 });
  expect(await placesOf()).toEqual([]);
  const named = { zone: zone.publicId, zoneName: 'Sidebar', websiteName: 'The Daily Slot' };
  expect((await seller.get('/api/analytics/places')).body).toEqual([{ ...named, places: [] }]);
  // Too old.
  await store(zone.id, 50, { ms: 0, at: later(server.ctx.now(), -PLACE_DAYS * DAY_MS) });
  expect(await placesOf()).toEqual([]);
  await store(zone.id, 10, { ms: 99_000, y: 2000 });
  await store(zone.id, MIN_REPORTS, { screen: 390, y: 500, ms: 0 });
  const desktop = {
    device: 'desktop',
    reports: 109,
    secondsInView: 55,
    firstScreen: 99 / 109,
    screen: { width: 1280, height: 720 },
    page: { width: 1280, height: 4000 },
    box: { x: 40, y: 200, width: 300, height: 250 },
  };
  const places = [
    desktop,
    expect.objectContaining({ device: 'phone', reports: 100, secondsInView: 50, firstScreen: 1 }),
  ];
  expect(await placesOf()).toEqual(places);
  expect((await seller.get('/api/analytics/places')).body).toEqual([{ ...named, places }]);
  expect((await buyer.get('/api/analytics/places')).body).toEqual([]);
  expect((await seller.get(path)).status).toBe(404);
  const page = await (await fetch(`${server.url}/sites/${website.publicId}`, { redirect: 'follow' })).text();
  expect(page).toContain(
    'On larger screens, it is on the first screen of 91% of page views, and 55.0 seconds in view.',
  );
  expect(page).toContain('aria-label="The ad zone on a page, on phones"');
  // The newest ones only.
  await store(zone.id, MAX_REPORTS, { ms: 0, at: later(server.ctx.now(), 1) });
  expect((await placesOf()).map(({ reports }) => reports)).toEqual([MAX_REPORTS]);
  // A list in pages.
  const second = await makeLiveAd(seller, buyer);
  await store(second.zone.id, 1, { ms: 0 });
  const first = await seller.get('/api/analytics/places?limit=1');
  expect(first.body).toHaveLength(1);

  server.clock.advance(PLACE_DAYS * DAY_MS + 2);
  await removeOldReports(server.ctx);
  expect(await reportsOf(zone.id)).toBe(0);
});

// Proves RES-101
it('the publisher reads the pages with enough of the last reports, and nobody else does', async () => {
  const { seller, buyer, zone } = await makeLive();
  for (const path of ['/news', '/news', null])
    expect(await report(await pick(zone.publicId), `${PLACE.replace(/4000$/, '0')}&${path ?? ''}`)).toBe(204);
  const from = async (path: string, count: number, { ms = 2000, at = server.ctx.now() } = {}) =>
    await sql`
      insert into placement_reports (id, zone_id, reported_at, screen_width, screen_height, page_width, page_height,
          box_x, box_y, box_width, box_height, in_view_ms, path)
        select decode(md5(random()::text), 'hex'), ${zone.id}, ${at}, 1280, 720, 1280, 4000, 40, 200, 300, 250, ${ms}, ${path}
          from generate_series(1, ${count})`.execute(server.ctx.db);
  await from('/news', MIN_REPORTS_OF_A_PAGE - 3);
  await from('/old', 50, { at: later(server.ctx.now(), -PLACE_DAYS * DAY_MS) });
  const address = `/api/analytics/pages?zone=${zone.publicId}`;
  const few = { reports: 20, viewable: 17 / 20 };
  expect((await seller.get(address)).body).toEqual({ all: few, pages: [], others: few });
  await from('/news', 1, { ms: 999 });
  await from('/sport', 40);
  expect((await seller.get(address)).body).toEqual({
    all: { reports: 61, viewable: 57 / 61 },
    pages: [
      { path: '/sport', reports: 40, viewable: 1, secondsInView: 2 },
      { path: '/news', reports: 20, viewable: 17 / 20, secondsInView: 2 },
    ],
    others: { reports: 1, viewable: 0 },
  });
  const stranger = await server.signIn('seller');
  for (const other of [buyer, stranger]) expect((await other.get(address)).status).toBe(404);
  expect((await seller.get('/api/analytics/pages?zone=x')).status).toBe(400);
});

// Proves RES-101
it('reads only the newest reports of these ad zones, by index', async () => {
  const database = await createTestDatabase();
  const db = createDatabase(createPool(database.ownerUrl));
  try {
    await fillTables(db, ['placement_reports'], async (tx) => {
      await sql`
        insert into placement_reports (id, zone_id, reported_at, screen_width, screen_height, page_width, page_height,
            box_x, box_y, box_width, box_height, in_view_ms)
          select decode(md5(n::text), 'hex'), n % 50, now() - n * interval '1 second', 1280, 720, 1280, 4000, 40, 200, 300,
              250, n
            from generate_series(1, 100000) n`.execute(tx);
    });
    const read = async (tx: Tx) => await placesOfZones(tx, [1, 2], new Date());
    expect(rowsMet(await planOf(db, read, { analyze: true }), 'placement_reports')).toBe(2 * MAX_REPORTS);
    const compare = async (tx: Tx) => await comparedReports(tx, [1, 2], later(new Date(), DAY_MS));
    expect(rowsMet(await planOf(db, compare, { analyze: true }), 'placement_reports')).toBe(
      2 * MAX_COMPARED_REPORTS,
    );
    const byPage = async (tx: Tx) => await pagesOfZone(tx, 1, new Date());
    expect(rowsMet(await planOf(db, byPage, { analyze: true }), 'placement_reports')).toBe(2000);
  } finally {
    await db.destroy();
    await database.drop();
  }
});
