import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Client } from '../server/testing/client.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';
import {
  afterPendingRequests,
  answer,
  hold,
  pathOf,
  recordCalls,
  runUntil,
  toastTitled,
} from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';

const suite = useFixture();
const publisher = useResident(suite, 'seller');

const list = (page: Page) => page.getByRole('region', { name: 'Pending Ad Approvals' });
const entry = (page: Page, title: string) => list(page).getByRole('button', { name: title });
const review = (page: Page) => page.getByRole('dialog', { name: 'Review Ad Submission' });
const rejection = (page: Page) => page.getByRole('dialog', { name: 'Reject Ad' });
const get = async (client: Client, path: string) => (await client.get(path)).body as never;
const statusOf = async (client: Client, ad: Ad) =>
  ((await get(client, `/api/ads/${ad.id}/details`)) as Ad).status;

async function openReview(page: Page, ad: Ad): Promise<void> {
  await entry(page, ad.title).click();
  await review(page).getByText(ad.targetUrl).waitFor();
}

/** The values of the review dialog by their labels. */
async function factsOf(page: Page): Promise<Record<string, string>> {
  const names = await review(page).locator('dt').allInnerTexts();
  const values = await review(page).locator('dd').allInnerTexts();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

describe('the seller dashboard', () => {
  // Proves DASH-S-01, DASH-S-02, DASH-S-03, DASH-S-04, DASH-B-01, DASH-B-05, DASH-S-36
  it.each([
    ['buyer', ['Buyer Dashboard']],
    ['both', ['Seller Dashboard', 'Buyer Dashboard']],
    ['seller', ['Seller Dashboard']],
  ] as const)('shows role %s only its own tabs, the first one open', async (role, tabs) => {
    const { page, client } = publisher;
    await client.patch('/api/user/role', { role });
    await page.goto('/dashboard');
    const dashboards = page.getByRole('tablist', { name: 'Dashboards' }).getByRole('tab');
    await dashboards.first().waitFor();
    expect(await dashboards.allInnerTexts()).toEqual(tabs);
    const first = page.getByRole('tab', { name: tabs[0] });
    expect(await first.getAttribute('aria-selected')).toBe('true');
    const sections = {
      seller: ['seller-analytics', 'active-ad-zones', 'pending-approvals'],
      buyer: ['buyer-analytics', 'my-campaigns', 'campaign-performance'],
    };
    const shown = () =>
      page.evaluate((ids) => ids.filter((id) => document.getElementById(id)), Object.values(sections).flat());
    await expect.poll(shown).toEqual(tabs[0].startsWith('Seller') ? sections.seller : sections.buyer);
    const isBoth = await page.getByText('Manage your advertising business').isVisible();
    expect(isBoth).toBe(role === 'both');
  });

  // Proves DASH-S-05, DASH-S-06, DASH-S-07, DASH-S-08, DASH-S-09, DASH-S-10, ENT-41, CONST-31
  it('shows the server’s figures on cards that lead to their details', async () => {
    const { page, client } = publisher;
    await page.setViewportSize({ width: 1280, height: 420 });
    const buyer = await suite.client('buyer');
    await makeLiveAd(client, buyer, { product: { price: '33.33' } });
    const { product } = await makePricedZone(client);
    for (const title of ['First', 'Second', 'Third']) await makeAd(buyer, product, { title });
    const earnings: Record<string, string> = await get(client, '/api/analytics/earnings');
    const zones: { count: number } = await get(client, '/api/analytics/active-ad-zones');
    const pending: Ad[] = await get(client, '/api/ads/pending');
    expect([earnings.totalEarnings, earnings.thisMonth]).toEqual(['28.33', '28.33']);
    expect([zones.count, pending.length]).toEqual([2, 3]);

    await publisher.open('/dashboard');
    const card = (label: string) => page.locator('#seller-analytics').getByRole('button', { name: label });
    await card('Total Earnings').getByText('$28.33', { exact: true }).waitFor();
    await card('Total Earnings').getByText('$28.33 this month', { exact: true }).waitFor();
    await card('Active AdZones').getByText('2', { exact: true }).waitFor();
    await card('Pending Approvals').getByText('3', { exact: true }).waitFor();

    await card('Pending Approvals').click();
    await page.waitForFunction(() => {
      const top = document.querySelector('#pending-approvals')?.getBoundingClientRect().top ?? Infinity;
      return top >= 0 && top < window.innerHeight / 2;
    });
    expect(pathOf(page)).toBe('/dashboard');
    await card('Total Earnings').click();
    await page.waitForURL('**/transactions');
    await page.goBack();
    await card('Active AdZones').click();
    await page.waitForURL('**/ad-zones');
    for (const ad of pending) await approve(client, ad);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe('the review', () => {
  let buyer: Client;
  /** Ads that wait for the tests below. The first one opens the dashboard, which stays open. */
  let ads: Record<'approved' | 'text' | 'image' | 'video' | 'rejected' | 'failing' | 'decided', Ad>;

  beforeAll(async () => {
    const { client } = publisher;
    buyer = await suite.client('buyer');
    const website = await makeWebsite(client, { name: 'The reviewed site' });
    const zone = await makeZone(client, website, { name: 'The reviewed zone' });
    const submit = async (
      title: string,
      option: Record<string, unknown> = {},
      fields: Record<string, unknown> = {},
    ) =>
      await makeAd(buyer, await makeProduct(client, zone, option), {
        title,
        targetUrl: `https://target.example/${title.length}`,
        ...fields,
      });
    const price = '12.5';
    const views = { adType: 'image', pricingModel: 'per_impression', impressions: 5000, duration: null };
    const clicks = { adType: 'video', pricingModel: 'per_click', clicks: 40, duration: null };
    const [imageUrl, videoUrl] = [await upload(buyer), await upload(buyer, 'video/mp4')];
    ads = {
      approved: await submit('Seen in the list', {}, { description: 'With these words' }),
      text: await submit('An ad of text', { price, duration: 3 }),
      image: await submit('An ad of image', { price, ...views }, { imageUrl }),
      video: await submit('An ad of video', { price, ...clicks }, { videoUrl }),
      rejected: await submit('Too loud'),
      failing: await submit('Hard to decide'),
      decided: await submit('Decided elsewhere'),
    };
  });

  // Proves DASH-S-11, DASH-S-12, DASH-S-13, DASH-S-14, DASH-S-15, DASH-S-16, DASH-S-17, DASH-S-33, STATE-02, ERR-49
  it('lists each pending ad with its type, text, advertiser and budget, until it is approved', async () => {
    const { page, client } = publisher;
    const ad = ads.approved;
    await publisher.open('/dashboard');
    await page.getByRole('heading', { name: 'Pending Ad Approvals' }).waitFor();
    const text = await entry(page, 'Seen in the list').innerText();
    for (const part of [
      'Text',
      'pending',
      'With these words',
      `Advertiser #${ad.userId}`,
      'Budget $100.00',
    ]) {
      expect(text).toContain(part);
    }
    await openReview(page, ad);
    await review(page).getByRole('button', { name: 'Approve Ad' }).click();
    await toastTitled(page, 'Ad approved successfully').waitFor();
    await entry(page, ad.title).waitFor({ state: 'detached' });
    expect(await statusOf(client, ad)).toBe('approved');
  });

  // Proves DASH-S-18, DASH-S-19, DASH-S-20, DASH-S-21, DASH-S-22, DASH-S-23, DASH-S-24, DASH-S-25, DASH-S-26, DASH-S-27, DASH-S-28, DASH-S-29, DASH-S-30, DASH-S-31
  it('shows all details and a preview for each ad type and pricing model', async () => {
    const { page } = publisher;
    for (const [adType, model, amountName, amount] of [
      ['text', 'Per day', 'Duration', '3 days'],
      ['image', 'Per impression', 'Target impressions', '5,000 impressions'],
      ['video', 'Per click', 'Target clicks', '40 clicks'],
    ] as const) {
      const ad = ads[adType];
      await openReview(page, ad);
      const facts = await factsOf(page);
      expect(facts).toMatchObject({
        Title: ad.title,
        Description: ad.description,
        'Pricing model': model,
        [amountName]: amount,
        'Total budget': '$12.50',
        'Advertiser ID': String(ad.userId),
        Website: 'The reviewed site',
        'Ad zone': 'The reviewed zone',
        'Zone description': 'rectangle, 300x250',
      });
      expect(facts['Ad type']?.toLowerCase()).toBe(adType);
      expect(facts['Submitted']).toContain(String(new Date(ad.createdAt).getFullYear()));
      const link = review(page).getByRole('link', { name: ad.targetUrl });
      expect(await link.getAttribute('target')).toBe('_blank');
      expect(await link.getAttribute('href')).toBe(ad.targetUrl);
      const preview = review(page).locator(`[data-preview=${adType}]`);
      await preview.waitFor();
      expect(await preview.locator('img').count()).toBe(adType === 'image' ? 1 : 0);
      expect(await preview.locator('video').count()).toBe(adType === 'video' ? 1 : 0);
      expect(await preview.getByText(ad.title).count()).toBe(adType === 'text' ? 1 : 0);
      await page.keyboard.press('Escape');
      await review(page).waitFor({ state: 'detached' });
    }
  });

  // Proves DASH-S-32, DASH-S-34, DASH-S-35, VAL-31, STATE-03, ERR-50
  it('rejects an ad only with a reason, and Cancel sends nothing', async () => {
    const { page, client } = publisher;
    const ad = ads.rejected;
    await openReview(page, ad);
    const calls = recordCalls(page);
    const rejects = () => calls.filter((call) => call.startsWith('PUT'));
    await review(page).getByRole('button', { name: 'Reject Ad' }).click();
    const reason = rejection(page).getByLabel('Reason for rejection');
    expect(
      await reason.evaluate((element) => [element.tagName, (element as HTMLTextAreaElement).required]),
    ).toEqual(['TEXTAREA', true]);
    for (const words of ['', '   ']) {
      await reason.fill(words);
      await rejection(page).getByRole('button', { name: 'Reject Ad' }).click();
      await rejection(page).getByText('Please provide a reason for rejection', { exact: true }).waitFor();
    }
    await rejection(page).getByRole('button', { name: 'Cancel' }).click();
    await rejection(page).waitFor({ state: 'detached' });
    expect(rejects()).toEqual([]);
    expect(await statusOf(client, ad)).toBe('pending');

    await review(page).getByRole('button', { name: 'Reject Ad' }).click();
    await reason.fill('  Too loud for us.  ');
    await rejection(page).getByRole('button', { name: 'Reject Ad' }).click();
    await toastTitled(page, 'Ad rejected successfully. The advertiser has been notified.').waitFor();
    await entry(page, ad.title).waitFor({ state: 'detached' });
    expect(await get(buyer, `/api/ads/${ad.id}`)).toMatchObject({
      status: 'rejected',
      rejectionReason: 'Too loud for us.',
    });
  });

  // Proves ERR-43, ERR-44, ERR-45, ERR-46, ERR-56
  it('that fails shows the server’s error message or a fallback', async () => {
    const { page, client } = publisher;
    const ad = ads.failing;
    const told = async (text: string) => {
      const toast = toastTitled(page, 'Error').last();
      await toast.getByText(text, { exact: true }).waitFor();
      expect(await toast.getAttribute('data-variant')).toBe('destructive');
    };
    const replies = (fallback: string) =>
      [
        [{ status: 500, body: '' }, fallback],
        [{ status: 400, json: { message: 'M1' } }, 'M1'],
      ] as const;
    for (const [reply, text] of replies('Failed to load ad details')) {
      await answer(page, `/api/ads/${ad.id}/details`, reply);
      await entry(page, ad.title).click();
      await told(text);
      await review(page).waitFor({ state: 'detached' });
    }
    await page.unrouteAll();
    await openReview(page, ad);
    for (const [reply, text] of replies('Failed to approve ad')) {
      await answer(page, `/api/ads/${ad.id}/approve`, reply);
      await review(page).getByRole('button', { name: 'Approve Ad' }).click();
      await told(text);
    }
    await review(page).getByRole('button', { name: 'Reject Ad' }).click();
    await rejection(page).getByLabel('Reason for rejection').fill('Not for us.');
    for (const [reply, text] of replies('Failed to reject ad')) {
      await answer(page, `/api/ads/${ad.id}/reject`, reply);
      await rejection(page).getByRole('button', { name: 'Reject Ad' }).click();
      await told(text);
    }
    expect(await rejection(page).getByLabel('Reason for rejection').inputValue()).toBe('Not for us.');
    expect(await statusOf(client, ad)).toBe('pending');
    await rejection(page).getByRole('button', { name: 'Cancel' }).click();
    await rejection(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await review(page).waitFor({ state: 'detached' });
  });

  // Proves STATE-23, ERR-43
  it('sends no second decision, and says so when the ad was decided in the meantime', async () => {
    const { page, client } = publisher;
    const ad = ads.decided;
    await openReview(page, ad);
    const release = await hold(page, `/api/ads/${ad.id}/approve`);
    const button = review(page).getByRole('button', { name: 'Approve Ad' });
    const calls = recordCalls(page);
    await button.dblclick();
    await expect.poll(() => button.isDisabled()).toBe(true);
    expect(await review(page).getByRole('button', { name: 'Reject Ad' }).isDisabled()).toBe(true);
    await approve(client, ad);
    release();
    await toastTitled(page, 'Error').waitFor();
    expect(calls.filter((call) => call.includes('/approve'))).toHaveLength(1);
  });
});

// The last test, because the page's clock stays replaced.
describe('the seller dashboard', () => {
  // Proves DASH-S-37, CONST-10, API-07, API-35, STATE-01
  it('shows a new ad within ten seconds while it is open', async () => {
    const { page, client } = publisher;
    const { product } = await makePricedZone(client);
    for (const ad of (await get(client, '/api/ads/pending')) as Ad[]) await approve(client, ad);
    await page.clock.install();
    await page.goto('/dashboard');
    await page.getByText('No ads waiting for your approval').waitFor();
    await page.getByText('Open for booking').first().waitFor();
    const foreign = await makePricedZone(await suite.client('seller'));
    const buyer = await suite.client('buyer');
    const calls = recordCalls(page);
    const polls = () => calls.filter((call) => call === 'GET /api/ads/pending').length;
    await page.clock.pauseAt(Date.now() + 1000);
    const answered = page.waitForResponse('**/api/ads/pending');
    while (polls() === 0) {
      await page.clock.runFor(500);
      await afterPendingRequests(page);
    }
    // The next poll is due in 9.5 to 10 seconds. None would be sent while this one is not answered.
    await answered;
    await afterPendingRequests(page);
    await makeAd(buyer, product, { title: 'Just in' });
    await makeAd(buyer, foreign.product, { title: 'For somebody else' });
    await page.clock.fastForward(9400);
    await afterPendingRequests(page);
    expect(polls()).toBe(1);
    calls.length = 0;
    await page.clock.runFor(700);
    await expect.poll(polls).toBe(1);
    await runUntil(page, () => entry(page, 'Just in').isVisible());
    // The cards poll on their own schedule, which began with their first answer. A slow answer of one card lets the
    // others poll twice meanwhile.
    const polled = () => [...new Set(calls.map((call) => call.replace('GET ', '')))].toSorted();
    while (polled().length < 5) await page.clock.runFor(250);
    expect(polled()).toEqual([
      '/api/ads/pending',
      '/api/analytics/active-ad-zones',
      '/api/analytics/breakdown',
      '/api/analytics/earnings',
      '/api/analytics/series',
    ]);
    expect(await page.getByText('For somebody else').count()).toBe(0);
  });
});
