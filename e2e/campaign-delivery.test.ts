import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS } from '#domain/time.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';
import { chart, countFor, daysAgo, report, rowOf, spoken } from './support/figures.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const ago = (days: number) => daysAgo(suite, days);

const performance = (page: Page, title: string) =>
  page
    .getByRole('table', { name: 'My Campaigns' })
    .getByRole('row')
    .filter({ hasText: title })
    .getByRole('cell')
    .nth(5);

/** A campaign that the advertiser paid `days` days ago. */
async function makeOld(
  seller: Client,
  buyer: Client,
  days: number,
  title: string,
  product: object,
): Promise<Ad> {
  const { clock } = suite.fixture.server;
  clock.advance(-days * DAY_MS);
  try {
    return (await makeLiveAd(seller, buyer, { ad: { title }, product: { duration: null, ...product } })).ad;
  } finally {
    clock.advance(days * DAY_MS);
  }
}

// Proves STAT-06
it('each campaign row says how much is delivered and when the rest is expected, by pricing model', async () => {
  const { page, client } = await suite.enter('buyer');
  const seller = await suite.client('seller');
  const make = (title: string, product: object, days = 30) => makeOld(seller, client, days, title, product);
  const views = await make('By views', {
    pricingModel: 'per_impression',
    impressions: 1000,
    duration: null,
  });
  const clicks = await make('By clicks', { pricingModel: 'per_click', clicks: 40 });
  await make('Unseen', { pricingModel: 'per_impression', impressions: 1000 });
  await make('By days', { duration: 7 }, 0);
  // 30 views a day in the last complete days, and many more before them.
  await countFor(suite.fixture.server, views, { views: 410, clicks: 0, at: ago(20) });
  for (const days of [1, 3, 6])
    await countFor(suite.fixture.server, views, { views: 70, clicks: 0, at: ago(days) });
  await countFor(suite.fixture.server, clicks, { views: 90, clicks: 12, at: ago(15) });
  await page.goto('/dashboard');
  // The page opens some seconds later, possibly after midnight.
  const datesIn = (days: number) => new RegExp([days, days + 0.003].map(dateIn).join('|'));
  const dateIn = (days: number) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(ago(-days));
  const text = async (title: string) => (await performance(page, title).innerText()).replaceAll(/\s+/g, ' ');
  // 620 of 1,000 views are delivered. The rest takes 380 / 30 days.
  await expect.poll(() => text('By views')).toContain('62% of 1,000 impressions On track for');
  expect(await text('By views')).toMatch(datesIn(380 / 30));
  expect(await text('By clicks')).toContain(
    '30% of 40 clicks No clicks in the last 7 days. Check that the website shows the ad zone.',
  );
  expect(await text('Unseen')).toContain(
    '0% of 1,000 impressions No impressions yet. Check that the website shows the ad zone.',
  );
  expect(await text('By days')).toContain('Day 1 of 7 Runs until');
  expect(await text('By days')).toMatch(datesIn(7 - 0.003));
  const bar = performance(page, 'By views').getByRole('progressbar');
  expect([await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')]).toEqual([
    '620',
    '1000',
  ]);
});

// Proves DEL-46
it('a paused zone and its days without requests are shown to the advertiser and in the zone settings', async () => {
  const { page, client } = await suite.enter('buyer');
  const { page: sellersPage, client: seller } = await suite.enter('seller');
  const make = async (title: string, duration: number) =>
    await makeLiveAd(seller, client, { ad: { title }, product: { duration }, website: { name: title } });
  const { zone } = await make('Halted', 7);
  const { ad: unseen } = await make('Unheard', 7);
  await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  const { ctx } = suite.fixture.server;
  await ctx.db.updateTable('ads').set({ silentDays: 2 }).where('id', '=', unseen.id).execute();

  await page.goto('/dashboard');
  const said =
    /Paused by the publisher since \w+ \d+, \d{4}, \d+:\d\d [AP]M \w+; the end date moves by the length of the pause/i;
  await performance(page, 'Halted').getByText(said).waitFor();
  const row = page
    .getByRole('table', { name: 'My Campaigns' })
    .getByRole('row')
    .filter({ hasText: 'Halted' });
  await row.getByText('Paused', { exact: true }).waitFor();
  await performance(page, 'Unheard')
    .getByText(/Runs until .* \(extended by 2 days without ad requests\)/i)
    .waitFor();
  await row.getByRole('button', { name: 'Halted' }).click();
  await page.getByRole('dialog', { name: 'Halted' }).getByText(said).waitFor();

  await sellersPage.goto('/ad-zones');
  const region = sellersPage.getByRole('region', { name: 'Halted' });
  await region.getByRole('button', { name: 'Settings' }).click();
  await sellersPage
    .getByRole('dialog')
    .getByText(/^Paused since .* extended by the length of the pause\.$/)
    .waitFor();
  await sellersPage.getByRole('dialog').getByRole('switch', { name: 'Active' }).click();
  await sellersPage
    .getByRole('dialog')
    .getByText(/^An inactive ad zone shows no ads/)
    .waitFor();
  await page.reload();
  await performance(page, 'Halted')
    .getByText(/Runs until/i)
    .waitFor();
});

// Proves STAT-06, STAT-07
it('a campaign’s dialog charts its delivery over time against the goal', async () => {
  const { page, client } = await suite.enter('buyer');
  const ad = await makeOld(await suite.client('seller'), client, 3, 'Opened', {
    pricingModel: 'per_impression',
    impressions: 1000,
  });
  await countFor(suite.fixture.server, ad, { views: 100, clicks: 0, at: ago(2) });
  await countFor(suite.fixture.server, ad, { views: 250, clicks: 0 });
  await page.goto('/dashboard');
  const opener = page.getByRole('table', { name: 'My Campaigns' }).getByRole('button', { name: 'Opened' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Opened' });
  await dialog.getByText('Goal: 1,000 impressions').waitFor();
  await chart(dialog).focus();
  expect(await spoken(dialog)).toContain(': 350 of 1,000 impressions so far');
  await page.keyboard.press('ArrowLeft');
  expect(await spoken(dialog)).toContain(': 100 of 1,000 impressions');
  await page.keyboard.press('Home');
  expect(await spoken(dialog)).toContain(': 0 of 1,000 impressions');
  expect(await chart(dialog).getAttribute('aria-valuemax')).toBe('4');
  await dialog.getByRole('button', { name: 'Show as table' }).click();
  await dialog.getByRole('row').filter({ hasText: '250' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
});
// Proves STAT-09
it('every table of ads shows a thumbnail of each text, image and video ad', async () => {
  const { page, client } = await suite.enter('both');
  const imageUrl = await upload(client);
  const videoUrl = await upload(client, 'video/mp4');
  for (const [adType, media] of [
    ['text', {}],
    ['image', { imageUrl }],
    ['video', { videoUrl, imageUrl }],
  ] as const) {
    const { product } = await makeLiveAd(client, client, {
      product: { adType },
      ad: { title: `Live ${adType}`, ...media },
    });
    await client.post('/api/ads', {
      adZoneId: product.adZoneId,
      productId: product.id,
      adType,
      title: `New ${adType}`,
      description: 'Words',
      targetUrl: 'https://x.example',
      ...media,
    });
  }
  const thumbnailIn = async (row: Locator, kind: string) => {
    const thumbnail = row.locator(`[data-thumbnail=${kind}]`);
    await thumbnail.first().waitFor();
    expect(await thumbnail.count()).toBe(1);
    const sources = await thumbnail
      .locator('img')
      .evaluateAll((all) => all.map((image) => image.getAttribute('src')));
    expect(sources).toEqual(kind === 'text' ? [] : [imageUrl]);
  };
  await page.goto('/transactions');
  for (const kind of ['text', 'image', 'video'])
    await thumbnailIn(rowOf(page.locator('main'), `Live ${kind}`), kind);
  await page.goto('/dashboard');
  for (const kind of ['text', 'image', 'video']) {
    await thumbnailIn(rowOf(report(page, 'seller'), `Live ${kind}`), kind);
    await thumbnailIn(page.locator('#pending-approvals').getByRole('button', { name: `New ${kind}` }), kind);
  }
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  for (const kind of ['text', 'image', 'video']) {
    await thumbnailIn(rowOf(report(page), `Live ${kind}`), kind);
    await thumbnailIn(rowOf(page.locator('#my-campaigns'), `Live ${kind}`), kind);
    await thumbnailIn(rowOf(page.locator('#my-campaigns'), `New ${kind}`), kind);
  }
});
