import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOOKING_MS } from '#domain/delivery/zone-watch.ts';
import { makeLiveAd, makeWebsite, makeZone } from '../server/testing/story.ts';
import { openShadowRoots, rendered } from './support/ads-on-page.ts';
import { sideways } from './support/layout.ts';
import { answer } from './support/people.ts';
import { startPublisher } from './support/publisher.ts';
import { useStage } from './support/use-stage.ts';

const house = useStage();
const BROWSER =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Test my zone' });
const steps = (page: Page) => dialogOf(page).getByRole('list', { name: 'What the server has seen' });
const there = (page: Page) => dialogOf(page).getByRole('region', { name: 'On your website' });

async function open(page: Page, zone: string): Promise<void> {
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: `Test my zone ${zone}` }).press('Enter');
  await dialogOf(page).waitFor();
}

/** Requests an ad as a page of this origin does. */
async function ask(zone: string, origin: string): Promise<void> {
  await fetch(`${house.stage.server.url}/api/serve/ads?z=${zone}`, {
    headers: { origin, 'user-agent': BROWSER },
  });
}

// Proves DEL-54, DEL-55
it('the test page shows the ad request, the decision and the viewable impression live, and bills nothing', async () => {
  const { page, client } = await house.enter('seller', { width: 375 });
  const { ad } = await makeLiveAd(client, await house.client('buyer'), {
    ad: { title: 'Fresh beans' },
    product: { pricingModel: 'per_impression', duration: null, impressions: 1 },
  });
  await house.stage.server.app.refreshDelivery();
  await open(page, 'Sidebar');
  await dialogOf(page).getByText('Test: nothing is billed').waitFor();
  await steps(page).getByText('The tag asked for an ad').waitFor();
  await steps(page).getByText('Chosen: Fresh beans').waitFor();
  await steps(page)
    .getByText(/^Viewable after [1-9]\d?\.\d s: it would count here/)
    .waitFor();
  const frame = page.frameLocator('iframe[title="Your zone, as a page shows it"]');
  await frame.locator('ad-zone').waitFor();
  expect(await sideways(page)).toEqual([]);

  // Repeat the test by keyboard.
  await dialogOf(page).getByRole('button', { name: 'Test again' }).press('Enter');
  await steps(page).getByText('Waiting for the tag to ask for an ad…').waitFor();
  await steps(page)
    .getByText(/^Viewable after/)
    .waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });

  await house.stage.server.app.flushDelivery();
  const { ctx } = house.stage.server;
  const rows = await ctx.db.selectFrom('deliveryHourly').selectAll().where('adId', '=', ad.id).execute();
  expect(rows).toEqual([]);
  expect((await client.get(`/api/ads/${ad.id}/details`)).body).toMatchObject({
    totalImpressions: 0,
    status: 'active',
  });
});

// Proves DEL-55
it('the test shows the ad requests of the publisher’s own page and whether they count', async () => {
  const { page, client } = await house.enter('seller');
  const { zone } = await makeLiveAd(client, await house.client('buyer'), { ad: { title: 'Fresh beans' } });
  await house.stage.server.app.refreshDelivery();
  await open(page, 'Sidebar');
  await there(page).getByText('Nothing seen yet.').waitFor();
  await there(page).getByText('the zone’s code stands in the page').waitFor();
  const link = there(page).getByRole('link', { name: 'Open daily.example' });
  expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
    'https://daily.example',
    '_blank',
  ]);

  const site = await startPublisher('localhost');
  const visitor = await house.stage.enter();
  await visitor.page.addInitScript(openShadowRoots);
  // The zone is below the screen at first, so the tag loads but requests no ad.
  const code = `<div style="height:3000px"></div>${zone.embedCode}`;
  await visitor.page.goto(site.put('/', code));
  await there(page).getByText('Your page has loaded the tag').waitFor();
  await visitor.page.locator('ad-zone').scrollIntoViewIfNeeded();
  await rendered(visitor.page, 1);
  await there(page)
    .getByText(/^Viewable after \d/)
    .waitFor();
  expect(
    (await there(page).getByRole('listitem').filter({ hasText: site.origin }).innerText()).replaceAll(
      /\s+/g,
      ' ',
    ),
  ).toMatch(/^Fresh beans counted Viewable after \d+\.\d s\. /);
  await visitor.context.close();
  await site.close();

  await ask(zone.publicId, 'https://elsewhere.example');
  const foreign = there(page).getByRole('listitem').filter({ hasText: 'https://elsewhere.example' });
  await foreign.getByText('Nothing that follows counts. Other website: ').waitFor();
  await foreign.getByText('not billed').waitFor();
});

// Proves DEL-55
it('the test says when a zone is unknown, has no ads or is paused, and when the server does not answer', async () => {
  const { page, client } = await house.enter('seller');
  const website = await makeWebsite(client);
  const zone = await makeZone(client, website, { name: 'Empty' });
  await house.stage.server.app.refreshDelivery();
  await open(page, 'Empty');
  await steps(page).getByText('No paid ad can be shown now').waitFor();
  await ask('not-a-zone', 'https://www.daily.example');
  await there(page).getByText('A page of yours asks for a zone that does not exist').waitFor();
  await there(page).getByText('It asked for ‘not-a-zone’.').waitFor();
  await ask(zone.publicId, 'https://daily.example');
  await there(page).getByText('No paid ad could be shown, and of this nothing is measured.').waitFor();

  await answer(page, '/watch', null);
  await dialogOf(page).getByText('The server did not answer just now.').waitFor();
  await page.unroute('**/watch');
  await dialogOf(page).getByText('The server did not answer just now.').waitFor({ state: 'detached' });

  await client.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await open(page, 'Empty');
  await dialogOf(page).getByText('The zone is paused').waitFor();
});

// Proves DEL-55, DEL-56
it('the test pauses after ten minutes and continues when the publisher asks for it', async () => {
  const { page, client } = await house.enter('seller');
  await makeZone(client, await makeWebsite(client), { name: 'Margin' });
  await house.stage.server.app.refreshDelivery();
  await page.clock.install();
  await open(page, 'Margin');
  await there(page).waitFor();
  await page.clock.fastForward(LOOKING_MS);
  await dialogOf(page).getByText('The test has paused').waitFor();
  let looks = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/watch')) looks++;
  });
  await page.clock.runFor(5000);
  expect(looks).toBe(0);
  await dialogOf(page).getByRole('button', { name: 'Go on' }).click();
  await dialogOf(page).getByText('The test has paused').waitFor({ state: 'detached' });
  await expect.poll(() => looks).toBeGreaterThan(1);
});
