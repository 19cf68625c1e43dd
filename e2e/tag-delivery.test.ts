/** The tag of a real ad server: limits of ads, still pictures, and where an ad zone stands. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { REQUESTS_PER_REPORT } from '../server/delivery/position/position-sample.ts';
import { gif } from '../server/testing/pictures.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { uploadBytes } from '../server/testing/uploads.ts';
import { openShadowRoots, rendered } from './support/ads-on-page.ts';
import { axeFindings } from './support/axe.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { assertNoErrors, enterAs } from './support/people.ts';
import { leave } from './support/person.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves RES-101
it('measures in a browser where the ad zone stands and how long it is in view, on the tenth view of a page only', async () => {
  const { server } = suite.fixture;
  const { zone } = await makeLiveAd(await suite.client('seller'), await server.signIn('buyer'), {
    ad: {
      title: 'For cyclists',
      // The module that measures states the page, too.
      targeting: { paths: ['/sport/*'] },
    },
  });
  await server.app.refreshDelivery();
  const site = await startPublisher('localhost');
  const { page, errors } = await suite.fixture.enter();
  await page.addInitScript(openShadowRoots);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/serve/'))
      // Without the number that makes the address of a decision a new one, and without the token of the report.
      asked.push(
        pathname.replace('/api/serve/', '').split('/')[0] + search.replace(/&0\.\d+$|^\?[\w.-]+$/, ''),
      );
  });
  await page.setViewportSize({ width: 1000, height: 600 });
  const above = '<p style="height:300px;margin:0">News</p>';
  // The page is scrolled before the ad is shown, which changes nothing about where the ad zone stands.
  const below = '<p style="height:3000px">More news</p><script>scrollTo(0, 200);</script>';
  const url = site.put('/sport/tennis', `<body style="margin:0">${above}${zone.embedCode}${below}`);
  for (let views = 1; views < REQUESTS_PER_REPORT; views += 1) {
    await page.goto(url);
    await rendered(page, 1);
  }
  expect(asked.filter((name) => name.startsWith('placement'))).toEqual([]);
  asked.length = 0;
  await page.goto(url);
  await rendered(page, 1);
  expect(await page.locator('ad-zone b').allInnerTexts()).toEqual(['For cyclists']);
  const z = zone.publicId;
  expect(asked).toEqual([
    'zone',
    `ads?n&z=${z}`,
    'placement.js',
    expect.stringMatching(`^ads\\?m&z=${z}&p=%2Fsport%2Ftennis&`),
  ]);
  // In view for a while, then not, and then the visitor leaves.
  await page.waitForTimeout(1500);
  await page.mouse.wheel(0, 2000);
  await page.waitForFunction(() => scrollY > 1000);
  await page.goto('about:blank');
  const reports = async () =>
    (
      await sql<Record<string, number | string>>`
        select screen_width, screen_height, page_width, page_height, box_x, box_y, box_width, box_height, in_view_ms, path
          from placement_reports where zone_id = ${zone.id}`.execute(server.ctx.db)
    ).rows;
  // A browser sends the report of a page that is left without showing it to the test.
  await expect.poll(reports).toHaveLength(1);
  const rows = await reports();
  expect(rows).toEqual([
    {
      screenWidth: 1000,
      screenHeight: 600,
      pageWidth: expect.any(Number),
      pageHeight: expect.any(Number),
      boxX: 0,
      boxY: 300,
      boxWidth: 300,
      boxHeight: 250,
      inViewMs: expect.any(Number),
      path: '/sport/tennis',
    },
  ]);
  expect(rows[0]?.['pageHeight']).toBeGreaterThan(3200);
  // The time before the scrolling only: the page was left later.
  expect(rows[0]?.['inViewMs']).toBeGreaterThan(1000);
  expect(errors).toEqual([]);
  await leave(page);
  await site.close();
});

/** Reports of 100 page views on larger screens and 100 on phones. */
async function storeReports(zoneId: number): Promise<void> {
  await sql`
    insert into placement_reports (id, zone_id, reported_at, screen_width, screen_height, page_width, page_height,
        box_x, box_y, box_width, box_height, in_view_ms)
      select decode(md5(random()::text), 'hex'), ${zoneId}, ${suite.fixture.server.ctx.now()}, s.width, s.height, s.width,
          s.page, s.x, s.y, 300, 250, n * 120
        from (values (1280, 720, 4000, 920, 180), (390, 844, 6400, 45, 1300)) as s (width, height, page, x, y),
          generate_series(1, 100) n`.execute(suite.fixture.server.ctx.db);
}

const SENTENCE =
  'On larger screens, it is on the first screen of 100% of page views, and 6.0 seconds in view.';

it('publisher, advertiser and visitors of the catalogue see where an ad zone stands, at each width, in light and dark', async () => {
  const seller = await enterAs(suite.fixture, 'seller');
  const buyer = await enterAs(suite.fixture, 'buyer');
  const { zone, ad, website } = await makeLiveAd(seller.client, buyer.client, { zone: { name: 'Sidebar' } });
  const other = await makeLiveAd(seller.client, buyer.client, { zone: { name: 'Bottom' } });
  await storeReports(zone.id);
  await sql`
    insert into placement_reports select sha256(id), ${other.zone.id}, reported_at, screen_width, screen_height, page_width,
        page_height, box_x, box_y, box_width, box_height, in_view_ms
      from placement_reports where zone_id = ${zone.id} limit 3`.execute(suite.fixture.server.ctx.db);
  for (const [person, path, sentences] of [
    [seller, `/ad-zones/${zone.publicId}?tab=visitors`, [SENTENCE]],
    [buyer, `/campaigns/${ad.publicId}`, [SENTENCE]],
    [buyer, `/sites/${website.publicId}`, [SENTENCE]],
  ] as const) {
    await person.page.goto(path);
    for (const colorScheme of ['light', 'dark'] as const) {
      await person.page.emulateMedia({ colorScheme });
      for (const width of [320, 375, 1280]) {
        await resize(person.page, { width, height: 800 });
        for (const sentence of sentences) await person.page.getByText(sentence).waitFor();
        await person.page.getByRole('img', { name: 'The ad zone on a page, on phones' }).waitFor();
        expect([path, width, await sideways(person.page), await lostText(person.page)]).toEqual([
          path,
          width,
          [],
          [],
        ]);
      }
      await person.page.evaluate(() => scrollTo(0, 0));
      expect(await axeFindings(person.page)).toEqual([]);
    }
  }
  await seller.page.goto(`/ad-zones/${other.zone.publicId}?tab=visitors`);
  await seller.page.getByText('Fewer than 100 page views have been measured yet.').waitFor();
  assertNoErrors(seller);
  assertNoErrors(buyer);
});

/** Without the number that makes the address a new one. */
function withoutNumber(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !name.startsWith('0.') && name !== 'r'));
}

it('sends the path, the topics and the clock of a page for those ad zones only whose ads are limited by them', async () => {
  const { server } = suite.fixture;
  const seller = await suite.client('seller');
  const buyer = await server.signIn('buyer');
  const limited = await makeLiveAd(seller, buyer, {
    ad: {
      title: 'For cyclists',
      targeting: {
        paths: ['/sport/*'],
        topics: ['cycling'],
        hours: [{ from: 0, to: 24 }],
        devices: ['desktop'],
      },
    },
  });
  const open = await makeLiveAd(seller, buyer, {
    ad: { title: 'For everybody', targeting: { devices: ['desktop'] } },
  });
  await server.app.refreshDelivery();
  const site = await startPublisher('localhost');
  const { page, errors } = await suite.fixture.enter();
  await page.addInitScript(openShadowRoots);
  const asked: URLSearchParams[] = [];
  const loaded: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/serve/ads') asked.push(withoutNumber(searchParams));
    if (pathname === '/api/serve/facts.js') loaded.push(pathname);
  });
  const shownOn = async (path: string, zones: string) => {
    asked.length = 0;
    await page.goto(site.put(path, zones));
    await rendered(page, 1);
    return await page.locator('ad-zone b').allInnerTexts();
  };
  const zone = limited.zone.embedCode;

  expect(await shownOn('/news/today', open.zone.embedCode)).toEqual(['For everybody']);
  expect(asked.map(String)).toEqual([`n=&z=${open.zone.publicId}`]);
  expect(loaded).toEqual([]);

  expect(
    await shownOn('/sport/tennis', `<meta name="openslot:topics" content="cycling, fun">${zone}`),
  ).toEqual(['For cyclists']);
  const timezone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(asked.map((query) => Object.fromEntries(query))).toEqual([
    { n: '', z: limited.zone.publicId },
    { z: limited.zone.publicId, p: '/sport/tennis', t: 'cycling, fun', tz: timezone },
  ]);
  expect(loaded).toHaveLength(1);

  const stated = zone.replace('<ad-zone ', '<ad-zone data-topics="Cycling" ');
  expect(await shownOn('/sport/golf', stated)).toEqual(['For cyclists']);
  for (const [path, code] of [
    ['/news/tennis', stated],
    ['/sport/none', zone],
  ] as const)
    expect([path, await shownOn(path, code)]).toEqual([path, ['Advertise here']]);
  expect(errors).toEqual([]);
  await leave(page);
  await site.close();
});

it('an animated GIF stands still for visitors who want less motion, whose browser does not load the animation', async () => {
  const { server } = suite.fixture;
  const seller = await suite.client('seller');
  const buyer = await suite.client('buyer');
  const { zone } = await makeLiveAd(seller, buyer, {
    product: { adType: 'image', pricingModel: 'per_impression', impressions: 10, duration: undefined },
    ad: { title: 'It moves', imageUrl: await uploadBytes(buyer, await gif(3, 300, 250), 'image/gif') },
  });
  await server.app.refreshDelivery();
  const site = await startPublisher('localhost');
  const address = site.put('/', zone.embedCode);
  const { page } = await suite.fixture.enter();
  await page.addInitScript(openShadowRoots);
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('.gif')) loaded.push(new URL(request.url()).search);
  });
  for (const [reducedMotion, search] of [
    ['reduce', '?still'],
    ['no-preference', ''],
  ] as const) {
    loaded.length = 0;
    await page.emulateMedia({ reducedMotion });
    await page.goto(address);
    const image = page.locator('ad-zone img');
    await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth > 0)).toBe(true);
    expect(await image.evaluate((node: HTMLImageElement) => new URL(node.currentSrc).search)).toBe(search);
    expect(loaded).toEqual([search]);
  }
});
