/** 'Why is my ad not showing?': what the server last decided about an ad or an ad zone, as its owner reads it. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { Client } from '../server/testing/client.ts';
import {
  approve,
  makeAd,
  makeLiveAd,
  makeProduct,
  makeWebsite,
  makeZone,
  pay,
} from '../server/testing/story.ts';
import { answer, assertNoErrors, enterAs, walkTo } from './support/people.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';
import { chooseInMenu } from './support/zones.ts';
import { leave, type Person } from './support/person.ts';

const suite = useFixture();

/** An advertiser on the seller's ad zone, who also has a website. The page stays open from test to test. */
let person: Person & { client: Client };
let page: Page;
let client: Client;
let seller: Client;
let rival: Client;
let zone: AdZone;
/** Approved, and not paid for. */
let rivalsAd: Ad;

beforeAll(async () => {
  person = await enterAs(suite.fixture, 'both');
  ({ page, client } = person);
  [seller, rival] = [await suite.client('seller'), await suite.client('buyer')];
  const live = await makeLiveAd(seller, client, { ad: { title: 'On air' } });
  ({ zone } = live);
  await approve(seller, await makeAd(client, live.product, { title: 'To be paid' }));
  rivalsAd = await approve(seller, await makeAd(rival, live.product, { title: 'A rival' }));
  await suite.fixture.server.app.refreshDelivery();
  await page.clock.install();
  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
});
afterAll(() => assertNoErrors(person));

const dialog = {
  ofAd: () => page.getByRole('dialog', { name: 'Why is my ad not showing?' }),
  ofZone: () => page.getByRole('dialog', { name: 'Why is an ad not showing?' }),
};
const askAbout = (title: string) =>
  page
    .getByRole('table', { name: 'My Campaigns' })
    .getByRole('row')
    .filter({ hasText: title })
    .getByRole('button', { name: 'Not showing?' });

/** Lets the dialog's interval of five seconds pass until its answer shows this. */
async function refreshUntil(shown: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return await shown.isVisible();
    })
    .toBe(true);
}

// Proves DEL-53, WAIT-06
it('an advertiser opens the explanation from the campaign’s row, and it updates by itself', async () => {
  const opener = askAbout('On air');
  await opener.click();
  const shown = dialog.ofAd();
  await shown
    .getByText('It’s the only paid ad in this ad zone, so it’s served for every ad request.')
    .waitFor();
  await shown.getByText('This website doesn’t show the ad zone yet').waitFor();
  await shown.getByText('The website has never requested an ad for this zone.').waitFor();

  // The dialog reports the first ad request of a page by itself.
  const site = await startPublisher('localhost');
  const visitor = await suite.fixture.enter();
  await visitor.page.goto(site.put('/', zone.embedCode));
  await refreshUntil(shown.getByText(/The website last requested an ad just now/));
  await shown.getByText('This website doesn’t show the ad zone yet').waitFor({ state: 'detached' });
  await leave(visitor.page);
  await site.close();

  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await refreshUntil(shown.getByText('The publisher paused this ad zone'));
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
  await refreshUntil(shown.getByText('Your ad can be shown'));
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);

  // Only an active ad should be showing.
  expect(await askAbout('To be paid').count()).toBe(0);
});

// Proves DEL-53
it('the explanation says when it cannot be loaded or updated, and keeps showing the last answer', async () => {
  await answer(page, '/showing', { status: 500, json: { message: 'No' } });
  // The last answer is still known if the dialog was closed while the page asked again.
  await page.reload();
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  await askAbout('On air').click();
  const shown = dialog.ofAd();
  await shown.getByText('Could not load the delivery status').waitFor();
  await page.unroute('**/showing');
  await shown.getByRole('button', { name: 'Try again' }).click();
  await shown.getByText('Your ad can be shown').waitFor();
  await answer(page, '/showing', null);
  await refreshUntil(shown.getByText('Connection lost. Showing the last result.'));
  await shown.getByText('Your ad can be shown').waitFor();
  await page.unroute('**/showing');
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
});

// Proves DEL-53
it('the explanation in the campaign’s dialog shows the ad’s share beside other ads, which it does not name', async () => {
  await pay(rival, rivalsAd);
  await suite.fixture.server.app.refreshDelivery();
  await page
    .getByRole('table', { name: 'My Campaigns' })
    .getByRole('button', { name: 'On air' })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'On air' }).getByRole('button', { name: 'Not showing?' }).click();
  const shown = dialog.ofAd();
  await shown.getByText('It gets about 50% of this zone’s ad requests.').waitFor();
  const text = (await shown.innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('Your ad 50% One other ad 50%');
  expect(text).not.toContain('rival');
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
});

// Proves DEL-53
it('a publisher sees from the zone and the dashboard which ads are shown and why others are not', async () => {
  await makeWebsite(client, { name: 'Nothing yet' });
  const website = await makeWebsite(client, { name: 'Quiet Corner' });
  const margin = await makeZone(client, website, { name: 'Margin' });
  await walkTo(page, '/ad-zones');
  await chooseInMenu(page, 'Margin', 'What’s showing?');
  const shown = dialog.ofZone();
  await shown.getByText('Your website has never requested an ad for this zone').waitFor();
  await shown
    .getByText('No ads are booked yet, so this zone shows your own ad or ‘Advertise here’.')
    .waitFor();
  await shown.getByText('Your own ad or ‘Advertise here’ 100%').waitFor();

  const product = await makeProduct(client, margin);
  const live = await approve(client, await makeAd(rival, product, { title: 'On air' }));
  await makeAd(rival, product, { title: 'New here' });
  await approve(client, await makeAd(rival, product, { title: 'To be paid' }));
  const bad = await makeAd(rival, product, { title: 'Too loud' });
  await client.put(`/api/ads/${bad.id}/reject`, { rejectionReason: 'Too loud' });
  await pay(rival, live);
  const now = shown.getByRole('region', { name: 'Shown now' });
  await refreshUntil(now.getByText('On air'));
  expect(
    (await now.getByRole('listitem').filter({ hasText: 'On air' }).innerText()).replaceAll(/\s+/g, ' '),
  ).toContain('On air Can be shown Share: 100%');
  const kept = shown.getByRole('region', { name: 'Not shown' }).getByRole('listitem');
  await expect
    .poll(async () => (await kept.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
    .toEqual([
      'To be paid Approved, but not paid for. It goes live when the advertiser pays.',
      'New here Waiting for your approval. Review it on your dashboard.',
      'Too loud You rejected it. The advertiser can edit and resubmit it.',
    ]);
  await client.patch(`/api/ad-zones/${margin.id}`, { isActive: false });
  await refreshUntil(shown.getByText('The ad zone is paused').first());
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });

  await walkTo(page, '/dashboard');
  const card = page.getByRole('region', { name: 'What your zones show' });
  await card.getByRole('button', { name: 'Why is an ad not showing?' }).press('Enter');
  // The dialog opens with the first website, which has no zone.
  await shown.getByLabel('Website').selectOption('Quiet Corner');
  await shown.getByLabel('Ad zone').selectOption('Margin');
  await shown.getByText('Resume it in its settings.').first().waitFor();
});
