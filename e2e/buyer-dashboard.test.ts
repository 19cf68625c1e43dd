import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { DAY_MS } from '#domain/time.ts';
import { completeDueAds } from '#server/ads/complete.ts';
import type { Client } from '../server/testing/client.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeZone, pay } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';
import { countFor } from './support/figures.ts';
import { answer, pathOf, recordCalls, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';

const suite = useFixture();
/** Has both roles in the first tests, and then only advertises. */
const advertiser = useResident(suite, 'both');

const row = (page: Page, title: string) =>
  page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: title });
const edit = (page: Page) => page.getByRole('dialog', { name: 'Edit & Resubmit' });
const update = (page: Page) => edit(page).getByRole('button', { name: 'Update & Resubmit' });
const adOf = async (client: Client, ad: Ad) => (await client.get(`/api/ads/${ad.id}`)).body as Ad;
const puts = (calls: string[]) => calls.filter((call) => call.startsWith('PUT /api/ads/'));

async function reject(seller: Client, ad: Ad, rejectionReason = 'Please name the price.'): Promise<Ad> {
  return (await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason })).body as Ad;
}

const showCompleted = (page: Page) =>
  page.getByRole('button', { name: /^Show \d+ completed campaigns?$/ }).click();

// These tests come first, because the user has nothing yet.
describe('a user with both roles', () => {
  // Proves DASH-B-02, DASH-B-03, DASH-S-02
  it('?payment=success opens the buyer tab for role both, with the payment banner until it is closed', async () => {
    const { page } = advertiser;
    await advertiser.open('/dashboard');
    await page.getByRole('tab', { name: 'Seller Dashboard', selected: true }).waitFor();
    await page.getByText('No ads waiting for your approval').waitFor();
    expect(await page.getByText(/live immediately/).count()).toBe(0);
    await advertiser.open('/dashboard?payment=success');
    await page.getByText(/Your ad is live immediately/).waitFor();
    expect(pathOf(page)).toBe('/dashboard?payment=success');
    await page.getByRole('tab', { name: 'Buyer Dashboard', selected: true }).waitFor();
    await page.locator('#my-campaigns').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Close' }).click();
    await page.getByText(/live immediately/).waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/dashboard');
  });

  // Proves WAIT-03, WAIT-04
  it('stands first on Home, with its button in the first screenful, and the dashboard begins with its figures', async () => {
    const { page, client } = advertiser;
    const seller = await suite.client('seller');
    const { product } = await makePricedZone(seller);
    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await advertiser.open('/');
    await page.getByText('No recent activity').waitFor();
    expect(await waiting.count()).toBe(0);

    await approve(seller, await makeAd(client, product, { title: 'Ready to run' }));
    const own = await makePricedZone(client, { zone: { name: 'Margin' } });
    await makeZone(client, own.website, { name: 'Footer' });
    const buyer = await suite.client('buyer');
    await makeAd(buyer, own.product, { title: 'Please look', targetUrl: 'https://www.shop.example/x' });
    await advertiser.open('/dashboard');
    await page.getByRole('button', { name: /^Total Earnings/ }).waitFor();
    expect(await waiting.count()).toBe(0);
    await advertiser.open('/');
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const payNow = waiting.getByRole('link', { name: 'Pay Now' });
      await payNow.waitFor();
      const box = await payNow.boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(800);
    }
    const lines = async () =>
      (await waiting.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]);
    await expect.poll(lines).toEqual(['Ready to run', 'Please look', 'Footer']);
    await waiting.getByRole('button', { name: 'Show 1 more' }).click();
    await waiting.getByText('Margin').waitFor();
    expect(await waiting.getByRole('listitem').count()).toBe(4);

    // The review opens in place and names the advertiser. Its line disappears with the decision.
    await waiting.getByRole('button', { name: 'Review' }).click();
    const review = page.getByRole('dialog', { name: 'Review Ad Submission' });
    await review.getByText('shop.example · first ad · 0 ads rejected').waitFor();
    expect(await review.getByText('Ann Bell').isVisible()).toBe(true);
    expect(await review.innerText()).not.toContain(buyer.user.email);
    await review.getByRole('button', { name: 'Approve Ad' }).click();
    await waiting.getByText('Please look').waitFor({ state: 'detached' });
    await waiting.getByRole('link', { name: 'Pay Now' }).click();
    await page.waitForURL('**/checkout/*');
  });
});

describe('the buyer dashboard', () => {
  beforeAll(async () => {
    await advertiser.client.patch('/api/user/role', { role: 'buyer' });
  });

  // Proves DASH-B-06, DASH-B-07, DASH-B-08, DASH-B-10, ENT-41, CONST-31
  it('the cards, the campaign rows and the report show the server’s figures', async () => {
    const { page, client } = advertiser;
    const seller = await suite.client('seller');
    const { ad, product } = await makeLiveAd(seller, client, {
      product: { price: '1234.5' },
      ad: { title: 'Running' },
    });
    await makeAd(client, product, { title: 'Waiting' });
    await countFor(suite.fixture.server, ad, { views: 1200, clicks: 34 });
    const spending = (await client.get('/api/analytics/spending')).body as Record<string, unknown>;
    expect(spending).toMatchObject({ totalSpending: '1234.50', thisMonth: '1234.50', totalClicks: 34 });
    // A load, because the page has not read the new role yet.
    await page.goto('/dashboard');
    const cards = page.locator('#buyer-analytics');
    await cards.getByText('$1,234.50', { exact: true }).waitFor();
    const texts = async () => (await cards.locator('> *').allInnerTexts()).map((text) => text.split('\n'));
    await expect
      .poll(async () => (await texts()).map((lines) => lines.slice(0, 3)))
      .toEqual([
        ['Campaign Spend', '$1,234.50', '$1,234.50 this month'],
        ['Active Campaigns', '1', 'Live right now'],
        ['Total Clicks', '34', '34 this month'],
      ]);
    await row(page, 'Running')
      .getByRole('cell', { name: /1,200 impressions\s*34 clicks/ })
      .waitFor();
    await row(page, 'Waiting')
      .getByRole('cell', { name: /^0 impressions\s*0 clicks/ })
      .waitFor();
    const report = page.locator('#campaign-performance');
    await report.getByRole('row').filter({ hasText: 'Running' }).waitFor();
    const performance = await report.innerText();
    expect(performance).toContain('1,200');
    expect(performance).toContain('Running');
    expect(performance).not.toContain('Waiting');
  });

  // Proves DASH-B-09, DASH-B-11, DASH-B-12, DASH-B-13, DASH-B-14, DASH-B-15
  it('each campaign row shows the status of the ad and the actions that it allows', async () => {
    const { page, client } = advertiser;
    const seller = await suite.client('seller');
    const { product } = await makePricedZone(seller, {
      website: { name: 'The site' },
      zone: { name: 'The zone' },
      product: { price: '9.9', duration: 2 },
    });
    const make = (title: string, of: Product = product) => makeAd(client, of, { title });
    const done = await makeLiveAd(seller, client, { ad: { title: 'Over now' } });
    const { ctx, clock } = suite.fixture.server;
    clock.advance(DAY_MS);
    await completeDueAds(ctx);
    expect((await adOf(client, done.ad)).status).toBe('completed');
    await make('Still pending');
    const approved = await approve(seller, await make('To be paid'));
    await reject(seller, await make('Turned down'), 'Too many colours.');
    await pay(client, await approve(seller, await make('On air')));

    await advertiser.open('/dashboard');
    await row(page, 'To be paid').waitFor();
    // Completed campaigns are folded under one line.
    expect(await row(page, 'Over now').count()).toBe(0);
    await showCompleted(page);
    const table = page.getByRole('table', { name: 'My Campaigns' });
    const heads = await table.getByRole('columnheader').allInnerTexts();
    expect(heads).toEqual([
      'Campaign',
      'Website & Zone',
      'Type',
      'Pricing',
      'Status',
      'Performance',
      'Actions',
    ]);
    const cells = async (title: string) =>
      (await row(page, title).getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect((await cells('Still pending')).slice(1)).toEqual([
      'The site The zone',
      'Text',
      '$9.90 2 days',
      'pending',
      '0 impressions 0 clicks',
      expect.stringMatching(/^Awaiting Approval .*Correct Withdraw ad Pay when approved$/),
    ]);
    for (const [title, status, actions] of [
      ['Turned down', 'rejected', 'Too many colours. Edit & Resubmit Similar ad zones'],
      ['On air', 'active', 'Live Cancel campaign Not showing?'],
      ['Over now', 'completed', 'Completed Run again'],
      ['To be paid', 'approved', 'Pay Now Withdraw ad'],
    ] as const) {
      const texts = await cells(title);
      expect([texts[4], texts[6]]).toEqual([status, actions]);
    }
    await row(page, 'To be paid').getByRole('link', { name: 'Pay Now' }).click();
    await page.waitForURL(`**/checkout/${approved.publicId}`);
  });

  // Proves ENT-28, MED-16
  it('a video ad keeps its video URL and shows its thumbnail in My Campaigns', async () => {
    const { page, client } = advertiser;
    const { product } = await makePricedZone(await suite.client('seller'), { product: { adType: 'video' } });
    const videoUrl = await upload(client, 'video/mp4');
    const imageUrl = await upload(client);
    const ad = await makeAd(client, product, { title: 'A video', videoUrl, imageUrl });
    await advertiser.open('/dashboard');
    expect(await row(page, 'A video').locator('img').getAttribute('src')).toBe(imageUrl);
    expect(await adOf(client, ad)).toMatchObject({ title: 'A video', videoUrl });
  });

  // Proves WAIT-05
  it('a completed campaign runs again with its creative and placement, if its ad zone is still there', async () => {
    const { page, client } = advertiser;
    const seller = await suite.client('seller');
    const { ad, zone } = await makeLiveAd(seller, client, { ad: { title: 'Once more' } });
    const { ctx, clock } = suite.fixture.server;
    await completeDueAds(ctx, new Date(clock.now().getTime() + 2 * DAY_MS));
    expect((await adOf(client, ad)).status).toBe('completed');
    const runAgain = async () => {
      await showCompleted(page);
      await row(page, 'Once more').getByRole('link', { name: 'Run again' }).click();
    };
    await advertiser.open('/dashboard');
    await runAgain();
    await page.getByRole('heading', { name: 'Create Content' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Once more');
    expect(await page.getByLabel('Target URL').inputValue()).toBe(ad.targetUrl);
    await page.getByRole('button', { name: 'Submit for Approval' }).click();
    await row(page, 'Once more').getByText('Awaiting Approval').waitFor();

    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
    // A load, because the wizard has read the ad zone.
    await page.reload();
    await runAgain();
    await page.getByText("This ad zone isn't available").waitFor();
  });
});

describe('the Edit & Resubmit dialog', () => {
  let seller: Client;
  let product: Product;
  let image: Product;
  /** Rejected ads. The first test opens the dashboard with them, and it stays open. */
  let ads: { linked: Ad; image: Ad; text: Ad; failing: Ad };

  beforeAll(async () => {
    const { client } = advertiser;
    seller = await suite.client('seller');
    const priced = await makePricedZone(seller);
    product = priced.product;
    image = await makeProduct(seller, priced.zone, { adType: 'image' });
    const make = async (of: Product, title: string, fields: object = {}) =>
      await reject(seller, await makeAd(client, of, { ...fields, title }));
    ads = {
      linked: await make(product, 'Opened by a link'),
      image: await make(image, 'With another image', { imageUrl: await upload(client) }),
      text: await make(product, 'Without its price'),
      failing: await make(product, 'Turned down twice'),
    };
  });

  async function openEdit(ad: Ad): Promise<void> {
    const { page } = advertiser;
    await row(page, ad.title).getByRole('button', { name: 'Edit & Resubmit' }).click();
    await edit(page).getByLabel('Title').waitFor();
  }

  // Proves DASH-B-03, DASH-B-04
  it('opens from ?editAd with the ad’s id or public id, and removes the parameter', async () => {
    const { page } = advertiser;
    const ad = ads.linked;
    for (const ref of [ad.id, ad.publicId]) {
      await advertiser.open(`/dashboard?editAd=${ref}`);
      await edit(page).getByLabel('Title').waitFor();
      expect(await edit(page).getByLabel('Title').inputValue()).toBe(ad.title);
      expect(await edit(page).getByLabel('Description').inputValue()).toBe(ad.description);
      expect(await edit(page).getByLabel('Target URL').inputValue()).toBe(ad.targetUrl);
      expect(pathOf(page)).toBe('/dashboard');
      await edit(page).getByRole('button', { name: 'Cancel' }).click();
      await edit(page).waitFor({ state: 'detached' });
    }
  });

  // Proves DASH-B-04, STATE-07
  it('does not open for an ad that is not rejected or not the advertiser’s own, and says so', async () => {
    const { page, client } = advertiser;
    const pending = await makeAd(client, product);
    await advertiser.open(`/dashboard?editAd=${pending.id}`);
    await toastTitled(page, 'This ad can’t be edited').getByText('This one is pending').waitFor();
    await edit(page).waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/dashboard');
    const foreign = await makeAd(await suite.client('buyer'), product);
    await advertiser.open(`/dashboard?editAd=${foreign.id}`);
    await toastTitled(page, 'Error').waitFor();
    await edit(page).waitFor({ state: 'detached' });
  });

  // Proves DASH-B-17, DASH-B-20, STATE-07, ERR-51
  it('replaces the image of an image ad by an upload or from the media library', async () => {
    const { page, client } = advertiser;
    const ad = ads.image;
    const kept = await upload(client);
    await client.post('/api/media-library', { imagePath: kept, filename: 'kept.png', fileSize: 99 });
    await openEdit(ad);
    const chosen = edit(page).getByRole('img', { name: 'Chosen image' });
    expect(await chosen.getAttribute('src')).toBe(ad.imageUrl);
    await edit(page)
      .getByLabel('Upload another image')
      .setInputFiles(path.join(import.meta.dirname, 'fixtures', 'ad.jpg'));
    await edit(page).getByText('Uploaded: ad.jpg').waitFor();
    expect(await chosen.getAttribute('src')).not.toBe(ad.imageUrl);
    await edit(page).getByRole('button', { name: 'Choose from Media Library' }).click();
    const library = page.getByRole('dialog', { name: 'Media Library' });
    await library.getByRole('button', { name: 'kept.png' }).click();
    await library.getByRole('button', { name: 'Use This Image' }).click();
    await library.waitFor({ state: 'detached' });
    await expect.poll(() => chosen.getAttribute('src')).toBe(kept);
    await update(page).click();
    await toastTitled(page, 'Ad updated and resubmitted for approval').waitFor();
    expect(await adOf(client, ad)).toMatchObject({ status: 'pending', imageUrl: kept, title: ad.title });
  });

  // Proves DASH-B-14, DASH-B-15, DASH-B-16, DASH-B-17, DASH-B-18, DASH-B-19, VAL-29, VAL-30, VAL-23, VAL-25, VAL-26
  it('shows the rejection reason and the ad; Cancel, missing, invalid and unchanged fields send nothing', async () => {
    const { page, client } = advertiser;
    const ad = ads.text;
    const calls = recordCalls(page);
    await row(page, ad.title).getByText('Please name the price.').waitFor();
    await openEdit(ad);
    await edit(page).getByText('Please name the price.').waitFor();
    expect(await edit(page).getByLabel('Title').inputValue()).toBe(ad.title);
    expect(await edit(page).getByLabel('Description').inputValue()).toBe(ad.description);
    expect(await edit(page).getByLabel('Target URL').inputValue()).toBe(ad.targetUrl);
    // A text ad has no image to change.
    expect(
      await edit(page)
        .getByLabel(/Upload/)
        .count(),
    ).toBe(0);
    expect(await edit(page).getByRole('button', { name: 'Choose from Media Library' }).count()).toBe(0);
    await edit(page).getByLabel('Title').fill('Never to be seen');
    expect(await update(page).isEnabled()).toBe(true);
    await edit(page).getByRole('button', { name: 'Cancel' }).click();
    await edit(page).waitFor({ state: 'detached' });
    expect(puts(calls)).toEqual([]);
    expect((await adOf(client, ad)).title).toBe(ad.title);

    await row(page, ad.title).getByRole('button', { name: 'Edit & Resubmit' }).click();
    await update(page).click();
    await edit(page)
      .getByText('At least one field must be modified before resubmission', { exact: true })
      .waitFor();
    for (const [title, description, address, messages] of [
      ['', ' ', '', ['Title is required', 'Description is required']],
      [
        't'.repeat(101),
        'd'.repeat(501),
        'javascript:alert(1)',
        ['Title must be less than 100 characters', 'Description must be less than 500 characters'],
      ],
    ] as const) {
      await edit(page).getByLabel('Title').fill(title);
      await edit(page).getByLabel('Description').fill(description);
      await edit(page).getByLabel('Target URL').fill(address);
      await update(page).click();
      for (const text of [...messages, 'Please enter a valid URL'])
        await edit(page).getByText(text, { exact: true }).waitFor();
    }
    await edit(page).getByLabel('Description').fill(ad.description);
    await edit(page).getByLabel('Target URL').fill(ad.targetUrl);
    // Spaces around the title do not count as a change.
    await edit(page).getByLabel('Title').fill(` ${ad.title} `);
    await update(page).click();
    await edit(page).getByText('At least one field must be modified before resubmission').waitFor();
    expect(puts(calls)).toEqual([]);
    expect((await adOf(client, ad)).status).toBe('rejected');
    await edit(page).getByRole('button', { name: 'Cancel' }).click();
    await edit(page).waitFor({ state: 'detached' });
  });

  // Proves ERR-43, ERR-47, ERR-51, ERR-56, DASH-B-20, STATE-07
  it('shows why an update failed, and the next try sends the ad to the publisher', async () => {
    const { page, client } = advertiser;
    const ad = ads.failing;
    await openEdit(ad);
    await edit(page).getByLabel('Title').fill('Now with its price');
    for (const [reply, text] of [
      [{ status: 500, body: '' }, 'Failed to update ad'],
      [{ status: 400, json: { message: 'M1' } }, 'M1'],
    ] as const) {
      await answer(page, `/api/ads/${ad.id}`, reply);
      await update(page).click();
      await toastTitled(page, 'Error').last().getByText(text, { exact: true }).waitFor();
    }
    await page.unrouteAll();
    await update(page).click();
    await toastTitled(page, 'Ad updated and resubmitted for approval').waitFor();
    await edit(page).waitFor({ state: 'detached' });
    await row(page, 'Now with its price').getByText('Awaiting Approval').waitFor();
    expect(await adOf(client, ad)).toMatchObject({ status: 'pending', rejectionReason: null });
    expect((await seller.get('/api/ads/pending')).body).toContainEqual(
      expect.objectContaining({ title: 'Now with its price' }),
    );
  });
});
