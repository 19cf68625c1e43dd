import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOOKING_MS } from '#domain/delivery/zone-watch.ts';
import { makeLiveAd, makeWebsite, makeZone } from '../server/testing/story.ts';
import { openShadowRoots, rendered } from './support/ads-on-page.ts';
import { sideways } from './support/layout.ts';
import { answer } from './support/people.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';
import { chooseInMenu } from './support/zones.ts';
import { leave } from './support/person.ts';

const suite = useFixture();
const BROWSER =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Test my zone' });
const steps = (page: Page) => dialogOf(page).getByRole('list', { name: 'Test progress' });
const ownPage = (page: Page) => dialogOf(page).getByRole('region', { name: 'On your website' });

async function open(page: Page, zone: string): Promise<void> {
  await page.goto('/ad-zones');
  await chooseInMenu(page, zone, 'Test my zone');
  await dialogOf(page).waitFor();
}

/** Requests an ad as a page of this origin does. */
async function requestAd(zone: string, origin: string): Promise<void> {
  await fetch(`${suite.fixture.server.url}/api/serve/ads?z=${zone}`, {
    headers: { origin, 'user-agent': BROWSER },
  });
}

// Proves DEL-54, DEL-55
it('the test page shows the ad request, the decision and the viewable impression live, and bills nothing', async () => {
  const { page, client } = await suite.enter('seller', { width: 375 });
  const { ad } = await makeLiveAd(client, await suite.client('buyer'), {
    ad: { title: 'Fresh beans' },
    product: { pricingModel: 'per_impression', duration: null, impressions: 1 },
  });
  await suite.fixture.server.app.refreshDelivery();
  await open(page, 'Sidebar');
  await dialogOf(page).getByText('Test: nothing is billed').waitFor();
  await steps(page).getByText('The tag requested an ad').waitFor();
  await steps(page).getByText('Selected: Fresh beans').waitFor();
  await steps(page)
    .getByText(/^Viewable after [1-9]\d?\.\d s\. On your website, it would be counted\./)
    .waitFor();
  const frame = page.frameLocator('iframe[title="Your ad zone on a test page"]');
  await frame.locator('ad-zone').waitFor();
  expect(await sideways(page)).toEqual([]);

  // Repeat the test by keyboard.
  await dialogOf(page).getByRole('button', { name: 'Test again' }).press('Enter');
  await steps(page).getByText('Waiting for the tag to request an ad…').waitFor();
  await steps(page)
    .getByText(/^Viewable after/)
    .waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });

  await suite.fixture.server.app.flushDelivery();
  const { ctx } = suite.fixture.server;
  const rows = await ctx.db.selectFrom('deliveryHourly').selectAll().where('adId', '=', ad.id).execute();
  expect(rows).toEqual([]);
  expect((await client.get(`/api/ads/${ad.id}/details`)).body).toMatchObject({
    totalImpressions: 0,
    status: 'active',
  });
});

// Proves DEL-55
it('the test shows the ad requests of the publisher’s own page and whether they count', async () => {
  const { page, client } = await suite.enter('seller');
  const { zone } = await makeLiveAd(client, await suite.client('buyer'), { ad: { title: 'Fresh beans' } });
  await suite.fixture.server.app.refreshDelivery();
  await open(page, 'Sidebar');
  await ownPage(page).getByText('No ad requests yet.').waitFor();
  await ownPage(page).getByText('the embed code is on the page, unmodified').waitFor();
  const link = ownPage(page).getByRole('link', { name: 'Open daily.example' });
  expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
    'https://daily.example',
    '_blank',
  ]);

  const site = await startPublisher('localhost');
  const visitor = await suite.fixture.enter();
  await visitor.page.addInitScript(openShadowRoots);
  // The zone is below the screen at first, so the tag loads but requests no ad.
  const code = `<div style="height:3000px"></div>${zone.embedCode}`;
  await visitor.page.goto(site.put('/', code));
  await ownPage(page).getByText('Your page has loaded the tag').waitFor();
  await visitor.page.locator('ad-zone').scrollIntoViewIfNeeded();
  await rendered(visitor.page, 1);
  await ownPage(page)
    .getByText(/^Viewable after \d/)
    .waitFor();
  expect(
    (await ownPage(page).getByRole('listitem').filter({ hasText: site.origin }).innerText()).replaceAll(
      /\s+/g,
      ' ',
    ),
  ).toMatch(/^Fresh beans counted Viewable after \d+\.\d s\. /);
  await leave(visitor.page);
  await site.close();

  await requestAd(zone.publicId, 'https://elsewhere.example');
  const foreign = ownPage(page).getByRole('listitem').filter({ hasText: 'https://elsewhere.example' });
  await foreign.getByText('Its views and clicks won’t be counted. Other website: ').waitFor();
  await foreign.getByText('not billed').waitFor();
});

// Proves DEL-55
it('the test says when a zone is unknown, has no ads or is paused, and when the server does not answer', async () => {
  const { page, client } = await suite.enter('seller');
  const website = await makeWebsite(client);
  const zone = await makeZone(client, website, { name: 'Empty' });
  await suite.fixture.server.app.refreshDelivery();
  await open(page, 'Empty');
  await steps(page).getByText('No paid ad can be shown right now').waitFor();
  await requestAd('not-a-zone', 'https://www.daily.example');
  await ownPage(page).getByText('One of your pages requests an ad zone that doesn’t exist').waitFor();
  await ownPage(page).getByText('It requested ‘not-a-zone’.').waitFor();
  await requestAd(zone.publicId, 'https://daily.example');
  await ownPage(page).getByText('No paid ad could be shown, so nothing is measured.').waitFor();

  await answer(page, '/watch', null);
  await dialogOf(page).getByText('Connection lost.').waitFor();
  await page.unroute('**/watch');
  await dialogOf(page).getByText('Connection lost.').waitFor({ state: 'detached' });

  await client.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await open(page, 'Empty');
  await dialogOf(page).getByText('This ad zone is paused').waitFor();
});

// Proves DEL-55, DEL-56
it('the test pauses after ten minutes and continues when the publisher asks for it', async () => {
  const { page, client } = await suite.enter('seller');
  await makeZone(client, await makeWebsite(client), { name: 'Margin' });
  await suite.fixture.server.app.refreshDelivery();
  await page.clock.install();
  await open(page, 'Margin');
  await ownPage(page).waitFor();
  await page.clock.fastForward(LOOKING_MS);
  await dialogOf(page).getByText('Test paused').waitFor();
  let polls = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/watch')) polls++;
  });
  await page.clock.runFor(5000);
  expect(polls).toBe(0);
  await dialogOf(page).getByRole('button', { name: 'Resume' }).click();
  await dialogOf(page).getByText('Test paused').waitFor({ state: 'detached' });
  await expect.poll(() => polls).toBeGreaterThan(1);
});
