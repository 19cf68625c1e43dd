import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { openShadowRoots, rendered } from './support/ads-on-page.ts';
import { resize, sideways } from './support/layout.ts';
import { assertNoErrors, enterAs } from './support/people.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';
import { chooseInMenu } from './support/zones.ts';
import { leave, type Person } from './support/person.ts';

const suite = useFixture();
const BROWSER =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';

/** A publisher, whose list of ad zones stays open from test to test. */
let publisher: Person & { client: Client };
let page: Page;
/** An ad zone with the live ad 'Fresh beans'. */
let sidebar: AdZone;
let ad: Ad;

beforeAll(async () => {
  publisher = await enterAs(suite.fixture, 'seller');
  ({ page } = publisher);
  const { client } = publisher;
  const live = await makeLiveAd(client, await suite.client('buyer'), {
    ad: { title: 'Fresh beans' },
    product: { pricingModel: 'per_impression', duration: null, impressions: 10 },
  });
  [sidebar, ad] = [live.zone, live.ad];
  await suite.fixture.server.app.refreshDelivery();
  await page.clock.install();
  await page.goto('/ad-zones');
});
afterAll(() => assertNoErrors(publisher));

const dialog = () => page.getByRole('dialog', { name: 'Test my zone' });
const steps = () => dialog().getByRole('list', { name: 'Test progress' });
const ownPage = () => dialog().getByRole('region', { name: 'On your website' });

async function open(zone: string): Promise<void> {
  await chooseInMenu(page, zone, 'Test my zone');
  await dialog().waitFor();
}

async function close(): Promise<void> {
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
}

/** Requests an ad as a page of this origin does. */
async function requestAd(zone: string, origin: string): Promise<void> {
  await fetch(`${suite.fixture.server.url}/api/serve/ads?z=${zone}`, {
    headers: { origin, 'user-agent': BROWSER },
  });
}

// Proves DEL-54
it('the test page shows the ad request, the decision and the viewable impression live, and bills nothing', async () => {
  await resize(page, { width: 375, height: 900 });
  await open('Sidebar');
  await dialog().getByText('Test: nothing is billed').waitFor();
  await steps().getByText('The tag requested an ad').waitFor();
  await steps().getByText('Selected: Fresh beans').waitFor();
  await steps()
    .getByText(/^Viewable after [1-9]\d?\.\d s\. On your website, it would be counted\./)
    .waitFor();
  const frame = page.frameLocator('iframe[title="Your ad zone on a test page"]');
  await frame.locator('ad-zone').waitFor();
  expect(await sideways(page)).toEqual([]);

  // Repeat the test by keyboard.
  await dialog().getByRole('button', { name: 'Test again' }).press('Enter');
  await steps().getByText('Waiting for the tag to request an ad…').waitFor();
  await steps()
    .getByText(/^Viewable after/)
    .waitFor();
  await close();
  await resize(page, { width: 1280, height: 900 });

  await suite.fixture.server.app.flushDelivery();
  const { ctx } = suite.fixture.server;
  const rows = await ctx.db.selectFrom('deliveryHourly').selectAll().where('adId', '=', ad.id).execute();
  expect(rows).toEqual([]);
  expect((await publisher.client.get(`/api/ads/${ad.id}/details`)).body).toMatchObject({
    totalImpressions: 0,
    status: 'active',
  });
});

it('the test shows the ad requests of the publisher’s own page and whether they count', async () => {
  await open('Sidebar');
  await ownPage().getByText('No ad requests yet.').waitFor();
  await ownPage().getByText('The embed code must be on the page, unmodified').waitFor();
  const link = ownPage().getByRole('link', { name: 'Open daily.example' });
  expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
    'https://daily.example',
    '_blank',
  ]);

  const site = await startPublisher('localhost');
  const visitor = await suite.fixture.enter();
  await visitor.page.addInitScript(openShadowRoots);
  // The zone is below the screen at first, so the tag loads but requests no ad.
  const code = `<div style="height:3000px"></div>${sidebar.embedCode}`;
  await visitor.page.goto(site.put('/', code));
  await ownPage().getByText('Your page has loaded the tag').waitFor();
  await visitor.page.locator('ad-zone').scrollIntoViewIfNeeded();
  await rendered(visitor.page, 1);
  await ownPage()
    .getByText(/^Viewable after \d/)
    .waitFor();
  expect(
    (await ownPage().getByRole('listitem').filter({ hasText: site.origin }).innerText()).replaceAll(
      /\s+/g,
      ' ',
    ),
  ).toMatch(/^Fresh beans counted Viewable after \d+\.\d s\. /);
  await leave(visitor.page);
  await site.close();

  await requestAd(sidebar.publicId, 'https://elsewhere.example');
  const foreign = ownPage().getByRole('listitem').filter({ hasText: 'https://elsewhere.example' });
  await foreign.getByText('Its views and clicks won’t be counted. Other website: ').waitFor();
  await foreign.getByText('not billed').waitFor();
  await close();
});

// Proves DEL-500
it('the publisher sees a sample ad on the own page by the link of the test, and a paid ad without it', async () => {
  await open('Sidebar');
  const link = ownPage().getByRole('link', { name: 'Open with a sample ad' });
  const href = (await link.getAttribute('href')) ?? '';
  expect(href).toMatch(/^https:\/\/daily\.example#openslot=s/);
  const site = await startPublisher('localhost');
  const url = site.put('/', sidebar.embedCode);
  const own = await page.context().newPage();
  await own.addInitScript(openShadowRoots);
  const titles = async (address: string) => {
    await own.goto('about:blank');
    await own.goto(address);
    await rendered(own, 1);
    return await own.locator('ad-zone b').allInnerTexts();
  };
  expect(await titles(url + href.slice(href.indexOf('#')))).toEqual(['Sample ad']);
  await page.bringToFront();
  const row = ownPage().getByRole('listitem').filter({ hasText: 'Sample ad' });
  await row.getByText(/^(Shown to you only|Viewable after \d)/).waitFor();
  await row.getByText('not billed').waitFor();
  expect(await titles(url)).toEqual(['Fresh beans']);
  await own.close();
  await site.close();
  await close();
});
