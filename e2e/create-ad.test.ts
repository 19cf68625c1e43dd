import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import type { Client } from '../server/testing/client.ts';
import { CLIP } from '../server/testing/pictures.ts';
import { makeLiveAd, makeProduct, makeZone } from '../server/testing/story.ts';
import { answer, hold, pathOf, recordCalls, toastTitled } from './support/people.ts';
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

describe('the steps of the wizard', () => {
  // Proves CRE-01, CRE-07, GEN-14, CRE-08, CRE-09, CRE-10, CRE-12, CRE-13, CRE-16, STATE-01, STATE-10, STATE-29, ERR-52
  it('lead from the ad type through the placement to the content, and submit a pending ad', async () => {
    const { page, client } = buyer;
    const { website, zone, product } = await makePricedZone(await suite.client('seller'), {
      website: { name: 'Walked site' },
      zone: { name: 'Walked zone' },
      product: { price: '12.5', duration: 3 },
    });
    await buyer.open('/create-ad');
    await stepHeading(page, 'Choose Ad Type');
    const types = page.getByRole('group', { name: 'Ad type' }).getByRole('button');
    expect((await types.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'Text',
      'Image',
      'Video',
    ]);
    expect(await page.getByText('Ad zone selected').count()).toBe(0);
    await types.first().click();

    await stepHeading(page, 'Select Placement');
    expect(await region(page, 'Ad zone').count()).toBe(0);
    await page.getByLabel('Search websites').fill('walked');
    await region(page, 'Website').getByRole('button', { name: 'Walked site' }).click();
    await region(page, 'Ad zone').getByRole('button', { name: 'Walked zone' }).waitFor();
    expect(await region(page, 'Pricing option').count()).toBe(0);
    await region(page, 'Ad zone').getByRole('button', { name: 'Walked zone' }).click();
    await region(page, 'Pricing option').getByRole('button', { name: '$12.50' }).click();

    await stepHeading(page, 'Create Content');
    const summary = await region(page, 'Order Summary').innerText();
    for (const text of ['Walked site', 'Walked zone', '3 days', '$12.50']) expect(summary).toContain(text);
    const next = await region(page, 'Next Steps').getByRole('listitem').allInnerTexts();
    expect(next.map((text) => text.replace(/^\d+\s*/, '').split('\n')[0])).toEqual([
      'Submit for approval',
      'Pay once approved',
      'Go live',
    ]);
    const calls = recordCalls(page);
    await fillContent(page, { Title: 'Walked ad' });
    await submitAd(page);
    await toastTitled(page, 'Ad submitted').getByText('Your ad has been submitted for approval').waitFor();
    await row(page, 'Walked ad').getByText('Awaiting Approval').waitFor();
    expect(pathOf(page)).toBe('/dashboard');
    expect(posts(calls).map(bodyOf)).toMatchObject([
      { adZoneId: zone.id, productId: product.id, adType: 'text', totalAmount: '12.50', status: 'pending' },
    ]);
    expect(await adsTitled(client, 'Walked ad')).toMatchObject([
      { status: 'pending', websiteName: website.name },
    ]);
  });

  // Proves BROW-07, BROW-08
  it('a single ad type is taken by itself, and ad zones show their price, views and other ads', async () => {
    const { page, client } = buyer;
    const seller = await suite.client('seller');
    const fields = { product: { price: '25.00', duration: 7 }, zone: { name: 'Shared zone' } };
    const { website, zone } = await makeLiveAd(seller, client, fields);
    await makeProduct(seller, zone, { price: '90.00', duration: 30 });
    const free = await makeZone(seller, website, { name: 'Free zone' });
    const clicks = { pricingModel: 'per_click', duration: null, clicks: 1, price: '0.50' };
    await makeProduct(seller, free, clicks);
    await buyer.open(`/create-ad?website=${website.publicId}`);
    await stepHeading(page, 'Select Placement');
    await page.getByText('This website sells text ads only, so that type is already chosen.').waitFor();
    const zones = region(page, 'Ad zone').getByRole('button');
    await zones.first().waitFor();
    expect((await zones.allInnerTexts()).map((text) => text.split('\n'))).toEqual([
      [
        'Shared zone',
        'from $25.00 per 7 days',
        'rectangle, 300x250',
        'No traffic figures yet',
        'Shared with 1 other ad now',
      ],
      [
        'Free zone',
        '$0.50 per click',
        'rectangle, 300x250',
        'No traffic figures yet',
        'No other ad runs here now',
      ],
    ]);
    await page.getByRole('button', { name: 'Change ad type' }).click();
    await stepHeading(page, 'Choose Ad Type');
  });

  // Proves BROW-09, CRE-02
  it('need at most seven clicks and five fields from Home to a submitted ad; the link of a website selects it and asks for the ad type first', async () => {
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
    const chosen = region(page, 'Website').getByRole('button', { name: 'Counted site' });
    expect(await chosen.getAttribute('aria-pressed')).toBe('true');
    await region(page, 'Ad zone').getByRole('button', { name: 'Counted zone' }).click();
    await region(page, 'Pricing option').getByRole('button').first().click();
    await stepHeading(page, 'Create Content');
    const fields = page.locator('form').getByRole('textbox');
    // The form's code arrives after the heading.
    await fields.first().waitFor();
    expect(await fields.count()).toBe(3);
    await fillContent(page, { Title: 'Counted ad' });
    await submitAd(page);
    await row(page, 'Counted ad').getByText('Awaiting Approval').waitFor();
    expect(Number(await page.evaluate(() => document.body.dataset['clicks']))).toBe(6);
  });

  // Proves QTY-06
  it('asks how much of an option to buy, and says the total and the time beside the number', async () => {
    const { page, client } = buyer;
    const { website, zone } = await makePricedZone(await suite.client('seller'), {
      product: {
        price: '25.00',
        duration: 7,
        maxQuantity: 8,
        volumePrices: [{ fromQuantity: 5, price: '22.50' }],
      },
    });
    await buyer.open(`/create-ad?website=${website.publicId}&zone=${zone.publicId}`);
    await region(page, 'Pricing option').getByRole('button').first().click();
    const howMuch = region(page, 'How much');
    const quantity = howMuch.getByLabel('Quantity');
    await howMuch.getByText('1 to 8; from 5: $22.50 each').waitFor();
    await howMuch.getByText('$25.00 for 7 days ($3.57 a day)').waitFor();
    await quantity.fill('9');
    await howMuch.getByText('Choose a quantity of 1 to 8.').waitFor();
    expect(await howMuch.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await quantity.fill('5');
    await howMuch.getByText('$112.50 for 35 days ($3.21 a day)').waitFor();
    await howMuch.getByText(/^If it starts today, it ends /).waitFor();
    await page.reload();
    expect(await quantity.inputValue()).toBe('5');
    await quantity.press('Enter');
    await stepHeading(page, 'Create Content');
    const summary = region(page, 'Order Summary');
    await summary.getByText('5 × $22.50').waitFor();
    await summary.getByText('$112.50', { exact: true }).waitFor();
    await fillContent(page, { Title: 'Five weeks' });
    await submitAd(page);
    await row(page, 'Five weeks').getByText('Awaiting Approval').waitFor();
    const [ad] = (await client.get('/api/ads/my')).body;
    expect(ad).toMatchObject({ title: 'Five weeks', quantity: 5, totalAmount: '112.50', duration: 35 });
  });

  // Proves CRE-03, CRE-04, CRE-05, CRE-06, CRE-16, STATE-10, STATE-29
  it('a link with a website and a zone selects both and skips the ad type, which is text; Back, Forward and a reload keep the typed text', async () => {
    const { page, client } = buyer;
    const { website, zone } = await makePricedZone(await suite.client('seller'), {
      product: { price: '7.00' },
    });
    await buyer.open(`/create-ad?website=${website.publicId}&zone=${zone.publicId}`);
    await stepHeading(page, 'Select Placement');
    await page.getByText('Ad zone selected').waitFor();
    for (const [part, name] of [
      ['Website', website.name],
      ['Ad zone', zone.name],
    ] as const) {
      const chosen = region(page, part).getByRole('button', { name });
      expect(await chosen.getAttribute('aria-pressed')).toBe('true');
    }
    await region(page, 'Pricing option').getByRole('button', { name: '$7.00' }).click();
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

  // Proves CRE-05, CRE-08, CRE-17, VAL-27
  it('only options of the chosen ad type are offered, a zone without one offers its other ad types, and an image ad requires an image', async () => {
    const { page, client } = buyer;
    const { website, zone } = await makePricedZone(await suite.client('seller'), {
      product: { adType: 'image', price: '31.00' },
    });
    await buyer.open(`/create-ad?website=${website.publicId}&zone=${zone.publicId}`);
    await page.getByText('This ad zone has no pricing option for text ads.').waitFor();
    expect(await page.getByText('$31.00').count()).toBe(0);
    await page.getByRole('button', { name: 'Switch to an image ad' }).click();
    await region(page, 'Pricing option').getByRole('button', { name: '$31.00' }).click();
    await page.getByLabel('Upload an image').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Choose from Media Library' }).waitFor();
    const calls = recordCalls(page);
    await fillContent(page, { Title: 'Without an image' });
    await submitAd(page);
    await toastTitled(page, 'Image required').getByText('Please upload an image for your ad').waitFor();
    expect(posts(calls)).toEqual([]);
    expect(await adsTitled(client, 'Without an image')).toEqual([]);
    await page.getByRole('button', { name: 'Change ad type' }).click();
    await stepHeading(page, 'Choose Ad Type');
  });

  // Proves CRE-02, CRE-03
  it('a link to an unknown website or zone says so, and the wizard starts without it', async () => {
    const { page } = buyer;
    const { website } = await makePricedZone(await suite.client('seller'));
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const query of [
      `website=${unknown}`,
      `website=${unknown}&zone=${unknown}`,
      `website=${website.publicId}&zone=${unknown}`,
      'website=1',
    ]) {
      await buyer.open(`/create-ad?${query}`);
      await page.getByText("This ad zone isn't available").waitFor();
      await stepHeading(page, 'Choose Ad Type');
      expect(await page.getByText('Ad zone selected').count()).toBe(0);
    }
  });

  // Proves BROW-12
  it('a box of the demo page leads a signed-in user to an open ad zone of its size, if there is one', async () => {
    const { page } = buyer;
    const seller = await suite.client('seller');
    await makePricedZone(seller, { website: { name: 'Squares' }, zone: { width: 300, height: 300 } });
    await buyer.open('/demo');
    const box = (name: string) => page.getByRole('region', { name }).getByRole('link');
    await box('Square 300x300').click();
    await page.getByText('on Squares. Now choose a price.').waitFor();
    expect(new URL(page.url()).searchParams.get('zone')).not.toBe('2');
    await page.goBack();
    await box('Sidebar 160x600').click();
    await page.waitForURL('**/create-ad?website=1&zone=3');
    await page.getByText("This ad zone isn't available").waitFor();
  });

  // Proves CRE-14, CRE-15, GEN-13
  it('each pricing option shows the cost of a click, of 1,000 impressions or of a day', async () => {
    const { page } = buyer;
    const seller = await suite.client('seller');
    const { website, zone } = await makePricedZone(seller, { product: { price: '70.00', duration: 7 } });
    await makeProduct(seller, zone, { pricingModel: 'per_click', price: '50', clicks: 100, duration: null });
    await makeProduct(seller, zone, {
      pricingModel: 'per_impression',
      price: '20',
      impressions: 10_000,
      duration: null,
    });
    await buyer.open(`/create-ad?website=${website.publicId}&zone=${zone.publicId}`);
    const options = region(page, 'Pricing option').getByRole('button');
    await options.first().waitFor();
    const texts = (await options.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')).toSorted();
    expect(texts).toEqual([
      'Per click: 100 clicks $0.50 per click $50.00',
      'Per day: 7 days $10.00 per day $70.00',
      'Per impression: 10,000 impressions $2.00 per 1K impressions $20.00',
    ]);
    await page.getByRole('button', { name: 'Per click' }).click();
    await region(page, 'Order Summary').getByText('$0.50 per click').waitFor();
  });
});

describe('the content step', () => {
  // Proves CRE-11, VAL-22, VAL-23, VAL-24, VAL-25, VAL-26, CONST-15
  it('refuses missing and overlong texts and invalid URLs and sends nothing; the preview shows the typed texts, with markup as text', async () => {
    const { page, client } = buyer;
    await openContent(await makePricedZone(await suite.client('seller')));
    const preview = region(page, 'Ad Preview');
    await preview.getByText('Your title').waitFor();
    await page.getByLabel('Title').fill('Bold <b>beans</b>');
    await page.getByLabel('Description').fill('Straight from the roaster');
    await preview.getByText('Bold <b>beans</b>').waitFor();
    await preview.getByText('Straight from the roaster').waitFor();
    expect(await preview.getByText('Your title').count()).toBe(0);

    const calls = recordCalls(page);
    for (const [title, description, address, messages] of [
      ['', '', '', ['Title is required', 'Description is required']],
      ['   ', 'd', 'abc', ['Title is required']],
      ['t', 'd', 'javascript:alert(1)', []],
      [
        't'.repeat(101),
        'd'.repeat(501),
        'ftp://files.example/x',
        ['Title must be less than 100 characters', 'Description must be less than 500 characters'],
      ],
    ] as const) {
      await fillContent(page, { Title: title, Description: description, 'Target URL': address });
      await submitAd(page);
      for (const text of [...messages, 'Please enter a valid URL'])
        await page.getByText(text, { exact: true }).waitFor();
    }
    expect(posts(calls)).toEqual([]);
    const title = 't'.repeat(100);
    await fillContent(page, { Title: title, Description: 'd'.repeat(500) });
    await submitAd(page);
    await row(page, title).getByText('Awaiting Approval').waitFor();
    const [ad] = await adsTitled(client, title);
    expect(ad?.description.length).toBe(500);
  });

  // Proves VAL-28, CRE-18, ENT-28, DEC-05, DEC-06
  it('accepts a video ad with or without a thumbnail, takes the video as an upload, and copies no broken thumbnail', async () => {
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
});

describe('submitting an ad', () => {
  // Proves ERR-43, ERR-48, ERR-56, STATE-23, VAL-22
  it('shows the server’s error message or a fallback and keeps the typed text; the button is disabled while it sends, so that a double click creates one ad', async () => {
    const { page, client } = buyer;
    await openContent(await makePricedZone(await suite.client('seller')));
    await fillContent(page, { Title: 'Kept title' });
    for (const [reply, text] of [
      [{ status: 400, json: { message: 'M1' } }, 'M1'],
      [{ status: 422, json: { message: 'M2' } }, 'M2'],
      [{ status: 500, body: '' }, 'Failed to create ad'],
      [null, 'We couldn’t reach the server. Check your connection and try again.'],
    ] as const) {
      await answer(page, '/api/ads', reply);
      await submitAd(page);
      const told = toastTitled(page, 'Error').last();
      await told.getByText(text, { exact: true }).waitFor();
      expect(await told.getAttribute('data-variant')).toBe('destructive');
    }
    expect(await page.getByLabel('Title').inputValue()).toBe('Kept title');
    expect(await adsTitled(client, 'Kept title')).toEqual([]);

    await page.unroute('**/api/ads');
    const release = await hold(page, '/api/ads');
    const submit = page.getByRole('button', { name: 'Submit for Approval' });
    await submit.dblclick();
    await expect.poll(() => submit.isDisabled()).toBe(true);
    release();
    await row(page, 'Kept title').getByText('Awaiting Approval').waitFor();
    expect(await adsTitled(client, 'Kept title')).toHaveLength(1);
  });

  // Proves BROW-11, BROW-13, CRE-16, CRE-08
  it('shows a new price, and goes back when the publisher removes the price, the ad zone or the website; the text is kept', async () => {
    const { page, client } = buyer;
    const seller = await suite.client('seller');
    const { website, zone, product } = await makePricedZone(seller);
    await makeZone(seller, website, { name: 'Another' });
    await makeProduct(seller, zone, { price: '61.00' });
    const submit = async (message: string) => {
      await submitAd(page);
      await toastTitled(page, 'Error').last().getByText(message, { exact: true }).waitFor();
      await stepHeading(page, 'Select Placement');
      await page.getByText('Your text is kept.').waitFor();
    };
    await openContent({ website, zone, product });
    await fillContent(page, { Title: 'Kept all the way' });
    await seller.patch(`/api/ad-zone-products/${product.id}`, { price: '130.00' });
    await submitAd(page);
    await toastTitled(page, 'Error').getByText('The price is now $130.00.').waitFor();
    await page.getByText('The publisher changed it from $100.00 to $130.00.').waitFor();
    expect(await region(page, 'Order Summary').innerText()).toContain('$130.00');
    await seller.patch(`/api/ad-zone-products/${product.id}`, { isActive: false });
    await submit('This pricing option is not available. Please choose another one.');
    await page.getByText("This price isn't available any more").waitFor();

    await region(page, 'Pricing option').getByRole('button', { name: '$61.00' }).click();
    await stepHeading(page, 'Create Content');
    await seller.delete(`/api/ad-zones/${zone.id}`);
    await submit('This ad zone is not available. Please choose another one.');
    await page.getByText("This ad zone isn't available").waitFor();

    const other = await makeZone(seller, website, { name: 'Third' });
    const offered = await makeProduct(seller, other, { price: '62.00' });
    await region(page, 'Ad zone').getByRole('button', { name: 'Another' }).waitFor();
    // A load, because the wizard has read the ad zones before this one was made.
    await page.goto(contentPath({ website, zone: other, product: offered }));
    await stepHeading(page, 'Create Content');
    await suite.fixture.server.ctx.db
      .updateTable('websites')
      .set({ isActive: false })
      .where('id', '=', website.id)
      .execute();
    await submit('This ad zone is not available. Please choose another one.');
    await page.getByLabel('Search websites').waitFor();
    expect(await adsTitled(client, 'Kept all the way')).toEqual([]);
  });
});
