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
import { useStage } from './support/use-stage.ts';

const house = useStage();
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Why is my ad not showing?' });
const askAbout = (page: Page, title: string) =>
  page
    .getByRole('table', { name: 'My Campaigns' })
    .getByRole('row')
    .filter({ hasText: title })
    .getByRole('button', { name: 'Not showing?' });
const zoneDialogOf = (page: Page) => page.getByRole('dialog', { name: 'Why is an ad not showing?' });

// Proves DEL-53
it('an advertiser opens the explanation from the campaign’s row, and it updates by itself', async () => {
  const seller = await house.client('seller');
  const { page, client } = await house.enter('buyer');
  const { zone, product } = await makeLiveAd(seller, client, { ad: { title: 'On air' } });
  await approve(seller, await makeAd(client, product, { title: 'To be paid' }));
  const rival = await makeAd(await house.client('buyer'), product, { title: 'A rival' });
  await approve(seller, rival);
  await house.stage.server.app.refreshDelivery();
  await page.goto('/dashboard');

  const opener = askAbout(page, 'On air');
  await opener.click();
  const dialog = dialogOf(page);
  await dialog.getByText('It is the only ad of this zone, so every request gets it.').waitFor();
  await dialog.getByText('The website does not show this zone yet').waitFor();
  await dialog.getByText('The website has never asked for an ad of this zone.').waitFor();

  // The dialog reports the first ad request of a page by itself.
  const site = await startPublisher('localhost');
  const visitor = await house.stage.enter();
  await visitor.page.goto(site.put('/', zone.embedCode));
  await dialog.getByText(/The website last asked for an ad just now/).waitFor();
  await dialog.getByText('The website does not show this zone yet').waitFor({ state: 'detached' });
  await visitor.context.close();
  await site.close();

  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await dialog.getByText('The publisher has paused this zone').waitFor();
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
  await dialog.getByText('It can be shown').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);

  await askAbout(page, 'To be paid').click();
  await dialog.getByText('It is approved, but not paid').waitFor();
  await dialog.getByRole('link', { name: 'Pay Now' }).click();
  await page.waitForURL('**/checkout/*');
});

// Proves DEL-53
it('the explanation in the campaign’s dialog shows the ad’s share beside other ads, which it does not name', async () => {
  const seller = await house.client('seller');
  const { page, client } = await house.enter('buyer');
  const { product } = await makeLiveAd(seller, client, { ad: { title: 'Mine' } });
  const rival = await house.client('buyer');
  await pay(rival, await approve(seller, await makeAd(rival, product, { title: 'A rival' })));
  await house.stage.server.app.refreshDelivery();
  await page.goto('/dashboard');
  await page
    .getByRole('table', { name: 'My Campaigns' })
    .getByRole('button', { name: 'Mine' })
    .first()
    .click();
  await page
    .getByRole('dialog', { name: 'Mine' })
    .getByRole('button', { name: 'Why is it not showing?' })
    .click();
  const dialog = dialogOf(page);
  await dialog.getByText('It gets about 50 % of this zone’s requests.').waitFor();
  const text = (await dialog.innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('Your ad 50 % One other ad 50 %');
  expect(text).not.toContain('rival');
});

// Proves DEL-53
it('a publisher sees from the zone and the dashboard which ads are shown and why others are not', async () => {
  const { page, client } = await house.enter('seller');
  const buyer = await house.client('buyer');
  await makeWebsite(client, { name: 'Nothing yet' });
  const website = await makeWebsite(client, { name: 'Quiet Corner' });
  const zone = await makeZone(client, website, { name: 'Margin' });
  await page.goto('/ad-zones');
  const open = () => page.getByRole('button', { name: 'What is shown? Margin' }).click();
  const dialog = zoneDialogOf(page);
  await open();
  await dialog.getByText('Your website has never asked for an ad of this zone').waitFor();
  await dialog.getByText('Nobody has booked this zone yet, so it advertises itself.').waitFor();
  await dialog.getByText('Your own ad or ‘Advertise here’ 100 %').waitFor();

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
    'On air It can be shown Share: 100 %',
  );
  const kept = dialog.getByRole('region', { name: 'Kept out' }).getByRole('listitem');
  await expect
    .poll(async () => (await kept.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
    .toEqual([
      'To be paid Approved, but not paid. Its advertiser has 14 days to pay.',
      'New here Awaits your approval. Review it on your dashboard.',
      'Too loud You rejected it. Its advertiser can change and resubmit it.',
    ]);
  await client.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await dialog.getByText('The zone is paused').first().waitFor();

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
  const { page, client } = await house.enter('buyer');
  await makeLiveAd(await house.client('seller'), client, { ad: { title: 'On air' } });
  await house.stage.server.app.refreshDelivery();
  await page.goto('/dashboard');
  await answer(page, '/showing', { status: 500, json: { message: 'No' } });
  await askAbout(page, 'On air').click();
  const dialog = dialogOf(page);
  await dialog.getByText('Could not load the answer of the ad server').waitFor();
  await page.unroute('**/showing');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('It can be shown').waitFor();
  await answer(page, '/showing', null);
  await dialog.getByText('this is what it said last').waitFor();
  await dialog.getByText('It can be shown').waitFor();
});
