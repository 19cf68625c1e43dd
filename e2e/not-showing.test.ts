import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  approve,
  makeAd,
  makeLiveAd,
  makeProduct,
  makeWebsite,
  makeZone,
  pay,
} from '../server/testing/story.ts';
import { answer } from './support/people.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';
import { chooseInMenu } from './support/zones.ts';
import { leave } from './support/person.ts';

const suite = useFixture();
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Why is my ad not showing?' });
const askAbout = (page: Page, title: string) =>
  page
    .getByRole('table', { name: 'My Campaigns' })
    .getByRole('row')
    .filter({ hasText: title })
    .getByRole('button', { name: 'Not showing?' });
const zoneDialogOf = (page: Page) => page.getByRole('dialog', { name: 'Why is an ad not showing?' });

// Proves DEL-53, WAIT-06
it('an advertiser opens the explanation from the campaign’s row, and it updates by itself', async () => {
  const seller = await suite.client('seller');
  const { page, client } = await suite.enter('buyer');
  const { zone, product } = await makeLiveAd(seller, client, { ad: { title: 'On air' } });
  await approve(seller, await makeAd(client, product, { title: 'To be paid' }));
  const rival = await makeAd(await suite.client('buyer'), product, { title: 'A rival' });
  await approve(seller, rival);
  await suite.fixture.server.app.refreshDelivery();
  await page.goto('/dashboard');

  const opener = askAbout(page, 'On air');
  await opener.click();
  const dialog = dialogOf(page);
  await dialog
    .getByText('It’s the only paid ad in this ad zone, so it’s served for every ad request.')
    .waitFor();
  await dialog.getByText('This website doesn’t show the ad zone yet').waitFor();
  await dialog.getByText('The website has never requested an ad for this zone.').waitFor();

  // The dialog reports the first ad request of a page by itself.
  const site = await startPublisher('localhost');
  const visitor = await suite.fixture.enter();
  await visitor.page.goto(site.put('/', zone.embedCode));
  await dialog.getByText(/The website last requested an ad just now/).waitFor();
  await dialog.getByText('This website doesn’t show the ad zone yet').waitFor({ state: 'detached' });
  await leave(visitor.page);
  await site.close();

  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await dialog.getByText('The publisher paused this ad zone').waitFor();
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
  await dialog.getByText('Your ad can be shown').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);

  // Only an active ad should be showing.
  expect(await askAbout(page, 'To be paid').count()).toBe(0);
});

// Proves DEL-53
it('the explanation in the campaign’s dialog shows the ad’s share beside other ads, which it does not name', async () => {
  const seller = await suite.client('seller');
  const { page, client } = await suite.enter('buyer');
  const { product } = await makeLiveAd(seller, client, { ad: { title: 'Mine' } });
  const rival = await suite.client('buyer');
  await pay(rival, await approve(seller, await makeAd(rival, product, { title: 'A rival' })));
  await suite.fixture.server.app.refreshDelivery();
  await page.goto('/dashboard');
  await page
    .getByRole('table', { name: 'My Campaigns' })
    .getByRole('button', { name: 'Mine' })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Mine' }).getByRole('button', { name: 'Not showing?' }).click();
  const dialog = dialogOf(page);
  await dialog.getByText('It gets about 50% of this zone’s ad requests.').waitFor();
  const text = (await dialog.innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('Your ad 50% One other ad 50%');
  expect(text).not.toContain('rival');
});

// Proves DEL-53
it('a publisher sees from the zone and the dashboard which ads are shown and why others are not', async () => {
  const { page, client } = await suite.enter('seller');
  const buyer = await suite.client('buyer');
  await makeWebsite(client, { name: 'Nothing yet' });
  const website = await makeWebsite(client, { name: 'Quiet Corner' });
  const zone = await makeZone(client, website, { name: 'Margin' });
  await page.goto('/ad-zones');
  const open = () => chooseInMenu(page, 'Margin', 'What’s showing?');
  const dialog = zoneDialogOf(page);
  await open();
  await dialog.getByText('Your website has never requested an ad for this zone').waitFor();
  await dialog
    .getByText('No ads are booked yet, so this zone shows your own ad or ‘Advertise here’.')
    .waitFor();
  await dialog.getByText('Your own ad or ‘Advertise here’ 100%').waitFor();

  const product = await makeProduct(client, zone);
  const live = await approve(client, await makeAd(buyer, product, { title: 'On air' }));
  await makeAd(buyer, product, { title: 'New here' });
  await approve(client, await makeAd(buyer, product, { title: 'To be paid' }));
  const bad = await makeAd(buyer, product, { title: 'Too loud' });
  await client.put(`/api/ads/${bad.id}/reject`, { rejectionReason: 'Too loud' });
  await pay(buyer, live);
  await dialog.getByRole('region', { name: 'Shown now' }).getByText('On air').waitFor();
  const shown = dialog.getByRole('region', { name: 'Shown now' }).getByRole('listitem');
  expect((await shown.filter({ hasText: 'On air' }).innerText()).replaceAll(/\s+/g, ' ')).toContain(
    'On air Can be shown Share: 100%',
  );
  const kept = dialog.getByRole('region', { name: 'Not shown' }).getByRole('listitem');
  await expect
    .poll(async () => (await kept.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
    .toEqual([
      'To be paid Approved, but not paid for. The advertiser has 14 days to pay.',
      'New here Waiting for your approval. Review it on your dashboard.',
      'Too loud You rejected it. The advertiser can edit and resubmit it.',
    ]);
  await client.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await dialog.getByText('The ad zone is paused').first().waitFor();

  await page.goto('/dashboard');
  const card = page.getByRole('region', { name: 'What your zones show' });
  await card.getByRole('button', { name: 'Why is an ad not showing?' }).press('Enter');
  // The dialog opens with the first website, which has no zone.
  await dialog.getByLabel('Website').selectOption('Quiet Corner');
  await dialog.getByLabel('Ad zone').selectOption('Margin');
  await dialog.getByText('Resume it in its settings.').first().waitFor();
});

// Proves DEL-53
it('the explanation says when it cannot be loaded or updated, and keeps showing the last answer', async () => {
  const { page, client } = await suite.enter('buyer');
  await makeLiveAd(await suite.client('seller'), client, { ad: { title: 'On air' } });
  await suite.fixture.server.app.refreshDelivery();
  await page.goto('/dashboard');
  await answer(page, '/showing', { status: 500, json: { message: 'No' } });
  await askAbout(page, 'On air').click();
  const dialog = dialogOf(page);
  await dialog.getByText('Could not load the delivery status').waitFor();
  await page.unroute('**/showing');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Your ad can be shown').waitFor();
  await answer(page, '/showing', null);
  await dialog.getByText('Connection lost. Showing the last result.').waitFor();
  await dialog.getByText('Your ad can be shown').waitFor();
});
