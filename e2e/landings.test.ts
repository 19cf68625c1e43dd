/** The advertiser measures what visitors do after a click: landings, and the orders of a shop of their own. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { landingScript } from '#domain/delivery/landings.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { openShadowRoots } from './support/ads-on-page.ts';
import { keyboardOf } from './support/keyboard.ts';
import { leave } from './support/person.ts';
import {
  listen,
  type Publisher,
  snippet,
  startAdvertiser,
  startPublisher,
  stop,
} from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** A shop with a product page and a page of thanks, which is the only place where it counts orders. */
async function startShop(script: string) {
  const orders = new Map<string, { cents: number; fromAd: boolean }>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop');
    const [, page, order = '', price = ''] = url.pathname.split('/');
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    if (page !== 'thanks') {
      const links = ['A-1/49.90', 'A-2/10.00', 'A-3/5.05', 'A-4/99.00'].map(
        (to) => `<a href="/thanks/${to}">Buy ${to}</a>`,
      );
      return response.end(`<!doctype html><title>Shop</title>${links.join(' ')}${script}`);
    }
    orders.set(order, { cents: Math.round(Number(price) * 100), fromAd: url.searchParams.has('osid') });
    return response.end(`<!doctype html><title>Thanks</title><h1>Thank you</h1>${script}
      <script>window.openslot ??= { q: [] };
      openslot.q.push({ value: '${price}', currency: 'USD', order: '${order}' })</script>`);
  });
  const port = await listen(server, '127.0.0.1');
  return { url: `http://advertiser.test:${port}/start`, orders, close: () => stop(server) };
}

let publisher: Publisher;
let advertiser: Publisher;
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  publisher = await startPublisher();
  advertiser = await startAdvertiser();
  shop = await startShop(landingScript(suite.fixture.server.url));
});
afterAll(async () => {
  await publisher.close();
  await advertiser.close();
  await shop.close();
});

let visitors = 0;
/** Another visitor clicks the ad and buys. Returns what their browser reported and kept. */
async function buy(order: string, { isPrivate = false, reload = false } = {}) {
  const context = await suite.fixture.browser.newContext({
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 shopper ${++visitors}`,
    extraHTTPHeaders: isPrivate ? { 'Sec-GPC': '1' } : {},
  });
  await context.addInitScript(openShadowRoots);
  if (isPrivate) {
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
    });
  }
  const reported: number[] = [];
  let cookies = 0;
  context.on('request', (request) => {
    if (request.headers()['cookie'] !== undefined) cookies++;
  });
  context.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/api/serve/conversions'))
      reported.push(response.status());
  });
  const page = await context.newPage();
  const viewed = page.waitForResponse(/\/api\/serve\/view\//);
  await page.goto(`${publisher.origin}/`);
  await viewed;
  const [landing] = await Promise.all([
    context.waitForEvent('page'),
    page.locator('ad-zone a[rel*=sponsored]').last().click(),
  ]);
  await landing.waitForLoadState('load');
  await landing.getByText(`Buy ${order}`).click();
  await landing.getByText('Thank you').waitFor();
  await landing.waitForLoadState('load');
  if (!isPrivate) await expect.poll(() => reported.length).toBe(1);
  if (reload) {
    await landing.reload();
    await expect.poll(() => reported.length).toBe(2);
  }
  const kept = await landing.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]);
  const jar = await context.cookies();
  await context.close();
  return { reported, cookies, kept, jar };
}

// Proves EVID-03
it('counts the orders of a shop that its visitors make with the token of a click, and shows clicks, landings, value and the cost of each', async () => {
  const { server } = suite.fixture;
  const { page, client: buyer } = await suite.enter('buyer');
  const { page: publisherPage, client: seller } = await suite.enter('seller');
  const { ad, zone } = await makeLiveAd(seller, buyer, {
    ad: { title: 'Shop', targetUrl: shop.url },
    website: { url: publisher.origin },
    product: { duration: 5 },
  });
  await buyer.put(`/api/ads/${ad.id}/landings`, { enabled: true });
  await server.app.refreshDelivery();
  publisher.put('/', snippet(server.url, zone.publicId));

  const nothing = { cookies: 0, kept: ['', 0, 0], jar: [] };
  expect(await buy('A-1/49.90', { reload: true })).toEqual({ ...nothing, reported: [200, 200] });
  expect(await buy('A-2/10.00')).toEqual({ ...nothing, reported: [200] });
  expect(await buy('A-3/5.05')).toEqual({ ...nothing, reported: [200] });
  // This click has no token, so the shop can't tell that the order came from the ad, and neither can we.
  expect(await buy('A-4/99.00', { isPrivate: true })).toEqual({ ...nothing, reported: [] });

  const fromAd = [...shop.orders.values()].filter((order) => order.fromAd);
  expect([shop.orders.size, fromAd.length]).toEqual([4, 3]);
  const { body } = await buyer.get(`/api/ads/${ad.id}/results`);
  expect(body).toMatchObject({
    clicks: 3,
    landings: 3,
    conversions: fromAd.length,
    value: (fromAd.reduce((sum, { cents }) => sum + cents, 0) / 100).toFixed(2),
    flagged: false,
  });

  await page.goto(`/campaigns/${ad.publicId}`);
  const results = page.getByRole('region', { name: 'Results', exact: true });
  await results.getByText('$64.95').waitFor();
  await results.getByText('A conversion counts if it is reported within 30 days').waitFor();
  // Figures come first, then their course and how it was counted, then place and time, creatives, landings.
  const inOrder = [
    page.getByText('Cost per 1,000 views', { exact: true }),
    page.getByRole('button', { name: 'Show as table' }),
    page.getByRole('button', { name: 'How this was counted' }),
    page.getByText('The ad zone rendered too few ads'),
    page.getByRole('region', { name: 'Creatives', exact: true }),
    results,
    page.getByRole('button', { name: 'Landings', exact: true }),
  ];
  const tops = await Promise.all(inOrder.map(async (each) => (await each.boundingBox())?.y));
  expect(tops).toEqual(tops.toSorted((a, b) => Number(a) - Number(b)));
  // The rail of money and booking stands beside the course.
  const rail = page.getByRole('region', { name: 'Money', exact: true });
  await rail.getByText('You paid').waitFor();
  expect(Number((await rail.boundingBox())?.x)).toBeGreaterThan(Number((await results.boundingBox())?.x));
  await page.getByRole('button', { name: 'Landings', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Landings', exact: true });
  await panel.getByRole('group', { name: 'Conversion script' }).waitFor();

  await server.app.flushDelivery();
  await publisherPage.goto('/dashboard');
  const report = publisherPage.getByRole('region', { name: 'Performance' });
  await report.getByRole('tab', { name: 'Ad zones' }).click();
  await report.getByRole('button', { name: /Sidebar/ }).click();
  await report.getByRole('button', { name: 'How this was counted' }).click();
  await report.getByText('advertisers reported landings: 1–9, and conversions: 1–9.').waitFor();
});

// Proves EVID-01, EVID-03, RES-01
it('an advertiser turns the measuring on by keyboard at 375 px, installs the script and sees the first landing', async () => {
  const { server } = suite.fixture;
  const { page, client: buyer } = await suite.enter('buyer', { width: 375 });
  const seller = await suite.client('seller');
  const target = advertiser.put('/start', `<h1>Welcome</h1>${landingScript(server.url)}`);
  const { ad, zone } = await makeLiveAd(seller, buyer, {
    ad: { title: 'Measured', targetUrl: `${target}?from=ad#top` },
    website: { url: publisher.origin },
    product: { duration: 5 },
  });
  await server.app.refreshDelivery();

  await page.clock.install();
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Measured', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Measured' }).waitFor();
  const keyboard = keyboardOf(page);
  // A part that loads above a focused control would move it out of view.
  await page.waitForLoadState('networkidle');
  await keyboard.enter('button', 'Landings');
  const panel = page.getByRole('region', { name: 'Landings', exact: true });
  await panel.getByRole('switch', { name: 'Measure landings' }).waitFor();
  // The panel shows no figures while the ad does not measure landings.
  expect(await panel.getByText('No landings yet').count()).toBe(0);
  await keyboard.tabTo('switch', 'Measure landings');
  await keyboard.press('Space');
  await panel.getByText('No landings yet').waitFor();
  await panel.getByText('Install one of the lines below.').waitFor();
  await panel.getByRole('group', { name: 'Landing script' }).getByText(landingScript(server.url)).waitFor();
  await panel
    .getByRole('group', { name: 'Landing report from your server' })
    .getByText(`curl -X POST ${server.url}/api/serve/landings`)
    .waitFor();
  await keyboard.tabTo('button', 'Copy the landing script');
  await keyboard.tabTo('button', 'Copy the landing report from your server');

  await panel.getByRole('button', { name: 'Create a key' }).press('Enter');
  await panel
    .getByRole('group', { name: 'Conversion key' })
    .getByText(/Bearer osk_/)
    .waitFor();
  await panel.getByText(/You have a key since/).waitFor();
  await panel.getByRole('button', { name: 'Remove the key' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Remove the key?' })
    .getByRole('button', { name: 'Remove the key' })
    .press('Enter');
  await panel.getByRole('button', { name: 'Create a key' }).waitFor();

  await server.app.refreshDelivery();
  const { page: visitor } = await suite.fixture.enter();
  await visitor.addInitScript(openShadowRoots);
  const sent: { url: string; body: string | null; cookie: string | undefined }[] = [];
  visitor.context().on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/landings/'))
      sent.push({ url: request.url(), body: request.postData(), cookie: request.headers()['cookie'] });
  });
  const viewed = visitor.waitForResponse(/\/api\/serve\/view\//);
  await visitor.goto(publisher.put('/', snippet(server.url, zone.publicId)));
  const link = visitor.locator('ad-zone a[rel*=sponsored]').last();
  // Wait for the view, because a click within 0.4 s of the decision is filtered (MIN_CLICK_MS).
  await viewed;
  const [landing] = await Promise.all([visitor.context().waitForEvent('page'), link.click()]);
  await landing.waitForURL(/osid=/);
  const url = new URL(landing.url());
  expect(url.href).toBe(`${target}?from=ad&osid=${url.searchParams.get('osid')}#top`);
  await expect.poll(() => sent.length).toBe(1);
  expect(sent).toEqual([
    {
      url: `${server.url}/api/serve/landings/${url.searchParams.get('osid')}`,
      body: null,
      cookie: undefined,
    },
  ]);
  expect(await landing.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual(
    ['', 0, 0],
  );

  // The open page updates by itself. A reload reports the landing again, which does not count.
  await expect
    .poll(async () => {
      // The interval at which the page polls its figures.
      await page.clock.fastForward(10_000);
      return await panel.getByText('Landing rate: 1 of 1 measured click reached your page.').isVisible();
    })
    .toBe(true);
  await landing.reload();
  await expect.poll(() => sent.length).toBe(2);
  const { body } = await buyer.get(`/api/ads/${ad.id}/landings`);
  expect(body).toMatchObject({ enabled: true, clicks: 1, landings: 1 });
  await page.getByRole('button', { name: 'How this was counted' }).click();
  await page.getByText('Landing rate: 100.0% of 1 measured click reached the advertiser’s page.').waitFor();
  await leave(visitor);
});
