import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import type { Client } from '../server/testing/client.ts';
import { CLIP } from '../server/testing/pictures.ts';
import { makeProduct } from '../server/testing/story.ts';
import { recordCalls } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { contentPath, fillContent, makePricedZone, type PricedZone, submitAd } from './support/wizard.ts';

const suite = useFixture();
const buyer = useResident(suite, 'buyer');

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const openContent = async (place: PricedZone) => {
  await buyer.open(contentPath(place));
  await stepHeading(buyer.page, 'Create Content');
};
const stepHeading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name }).waitFor();
/** The ads with this title. */
const adsTitled = async (client: Client, title: string) =>
  ((await client.get('/api/ads/my')).body as Ad[]).filter((ad) => ad.title === title);
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const posts = (calls: string[]) => calls.filter((call) => call.startsWith('POST /api/ads '));
const bodyOf = (call: string | undefined) =>
  JSON.parse(call?.slice('POST /api/ads '.length) ?? 'null') as Record<string, unknown>;

// Proves CRE-02
it('the wizard needs at most seven clicks and five fields from Home to a submitted ad; the link of a website selects it and asks for the ad type first', async () => {
  const { page } = buyer;
  const seller = await suite.client('seller');
  const { zone } = await makePricedZone(seller, {
    website: { name: 'Counted site' },
    zone: { name: 'Counted zone' },
  });
  await makeProduct(seller, zone, { adType: 'video' });
  // A load, because the marketplace keeps the list that it has read.
  await page.goto('/');
  await page.evaluate(() => {
    addEventListener(
      'click',
      ({ isTrusted }) => {
        document.body.dataset['clicks'] = String(
          Number(document.body.dataset['clicks'] ?? 0) + Number(isTrusted),
        );
      },
      true,
    );
  });
  await page.getByRole('main').getByRole('link', { name: 'Browse Marketplace' }).first().click();
  // The newest website comes first.
  await page
    .getByRole('article', { name: 'Counted site' })
    .getByRole('link', { name: 'Advertise Here' })
    .click();
  await stepHeading(page, 'Choose Ad Type');
  const unsold = page.getByRole('button', { name: /^Image/ });
  expect(await unsold.innerText()).toContain('Not sold on this website');
  expect(await unsold.isDisabled()).toBe(true);
  expect(await page.getByText('Ad zone selected').count()).toBe(0);
  await page.getByRole('group', { name: 'Ad type' }).getByRole('button', { name: /^Text/ }).click();
  await stepHeading(page, 'Select Placement');
  // The only ad zone and the only price are chosen already.
  await region(page, 'Booking').getByRole('heading', { name: 'Counted zone on Counted site' }).waitFor();
  await region(page, 'Booking').getByRole('button', { name: 'Continue' }).click();
  await stepHeading(page, 'Create Content');
  const fields = page.locator('form').getByRole('textbox');
  // The form's code arrives after the heading.
  await fields.first().waitFor();
  expect(await fields.count()).toBe(3);
  await fillContent(page, { Title: 'Counted ad' });
  await submitAd(page);
  await row(page, 'Counted ad').getByText('Awaiting Approval').waitFor();
  expect(Number(await page.evaluate(() => document.body.dataset['clicks']))).toBe(5);
});

// Proves CRE-02, CRE-04, CRE-16, CRE-01
it('a link with a website and a zone selects both and skips the ad type, which is text; Back, Forward and a reload keep the typed text', async () => {
  const { page, client } = buyer;
  const { website, zone } = await makePricedZone(await suite.client('seller'), {
    product: { price: '7.00' },
  });
  await buyer.open(`/create-ad?website=${website.publicId}&zone=${zone.publicId}`);
  await stepHeading(page, 'Select Placement');
  await page.getByText('Ad zone selected').waitFor();
  const booking = region(page, 'Booking');
  await booking.getByRole('heading', { name: `${zone.name} on ${website.name}` }).waitFor();
  await booking.getByText('$7.00', { exact: true }).waitFor();
  await booking.getByRole('button', { name: 'Continue' }).click();
  const title = page.getByLabel('Title');
  await title.fill('Half a thought');
  await page.goBack();
  await stepHeading(page, 'Select Placement');
  await page.goForward();
  await stepHeading(page, 'Create Content');
  expect(await title.inputValue()).toBe('Half a thought');
  await page.reload();
  await stepHeading(page, 'Create Content');
  expect(await title.inputValue()).toBe('Half a thought');
  const calls = recordCalls(page);
  await fillContent(page, { Title: 'A whole thought' });
  await submitAd(page);
  await row(page, 'A whole thought').getByText('Awaiting Approval').waitFor();
  expect(bodyOf(posts(calls)[0])).toMatchObject({ adType: 'text', status: 'pending' });
  expect(await adsTitled(client, 'A whole thought')).toMatchObject([{ adType: 'text' }]);
});

it('a box of the demo page leads a signed-in user to an open ad zone of its size, if there is one', async () => {
  const { page } = buyer;
  const seller = await suite.client('seller');
  await makePricedZone(seller, { website: { name: 'Squares' }, zone: { width: 300, height: 300 } });
  await buyer.open('/demo');
  const box = (name: string) => page.getByRole('region', { name }).getByRole('link');
  await box('Square 300x300').click();
  await region(page, 'Booking')
    .getByRole('heading', { name: / on Squares$/ })
    .waitFor();
  expect(new URL(page.url()).searchParams.get('zone')).not.toBe('2');
  await page.goBack();
  await box('Sidebar 160x600').click();
  await page.waitForURL('**/create-ad?website=1&zone=3');
  await page.getByText("This ad zone isn't available").waitFor();
});

// Proves CRE-18, ENT-28, DEC-05, DEC-06
it('the wizard accepts a video ad with or without a thumbnail, takes the video as an upload, and copies no broken thumbnail', async () => {
  const { page, client } = buyer;
  const pricedZone = await makePricedZone(await suite.client('seller'), { product: { adType: 'video' } });
  const file = { name: 'clip.mp4', mimeType: 'video/mp4', buffer: CLIP };
  const thumbnail = page.getByLabel('Thumbnail URL');
  await openContent(pricedZone);
  await fillContent(page, { Title: 'A video alone' });
  expect(await page.getByLabel(/video URL/i).count()).toBe(0);
  await page.getByLabel('Upload a video').setInputFiles(file);
  await page.getByText('Your video is uploaded.').waitFor();
  await thumbnail.fill('javascript:alert(1)');
  await submitAd(page);
  await page.getByText('Please enter a valid URL', { exact: true }).waitFor();
  await thumbnail.fill('');
  await submitAd(page);
  await row(page, 'A video alone').getByText('Awaiting Approval').waitFor();

  await openContent(pricedZone);
  await fillContent(page, { Title: 'A video and a still' });
  await page.getByLabel('Upload a video').setInputFiles(file);
  await page.getByText('Your video is uploaded.').waitFor();
  // Nothing answers at this address.
  const unreachable = 'http://127.0.0.1:9/still.jpg';
  await thumbnail.fill(unreachable);
  await submitAd(page);
  const still = row(page, 'A video and a still').locator('img');
  await expect.poll(() => still.getAttribute('src')).toBe('/image-missing.svg');
  expect(await adsTitled(client, 'A video and a still')).toMatchObject([
    { videoUrl: expect.stringMatching(IMAGE_PATH), imageUrl: unreachable },
  ]);
  expect(await adsTitled(client, 'A video alone')).toMatchObject([
    { videoUrl: expect.stringMatching(IMAGE_PATH), imageUrl: null },
  ]);
});
