import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS } from '#domain/time.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';
import { chart, countFor, daysAgo, report, rowOf, spoken } from './support/figures.ts';
import { assertNoErrors, enterAs, walkTo } from './support/people.ts';
import type { Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

/** The delivery of campaigns, on the pages of a person who is their publisher and their advertiser. */
const suite = useFixture();
const ago = (days: number) => daysAgo(suite, days);

/** Their page stays open from test to test. */
let person: Person & { client: Client };
let page: Page;
let client: Client;

let imageUrl: string;

beforeAll(async () => {
  person = await enterAs(suite.fixture, 'both');
  ({ page, client } = person);
  await makeCampaigns();
  await makePaused();
  await makeMedia();
  await page.goto('/dashboard');
});
afterAll(() => assertNoErrors(person));

const campaign = (title: string) =>
  page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: title });
const performance = (title: string) => campaign(title).getByRole('cell').nth(5);

/** A campaign that the advertiser paid `days` days ago. */
async function makeOld(days: number, title: string, product: object): Promise<Ad> {
  const { clock } = suite.fixture.server;
  clock.advance(-days * DAY_MS);
  try {
    return (await makeLiveAd(client, client, { ad: { title }, product: { duration: null, ...product } })).ad;
  } finally {
    clock.advance(days * DAY_MS);
  }
}

/** Campaigns of each pricing model, and their figures of the days before. */
async function makeCampaigns(): Promise<void> {
  const { server } = suite.fixture;
  const views = await makeOld(30, 'By views', { pricingModel: 'per_impression', impressions: 1000 });
  const clicks = await makeOld(30, 'By clicks', { pricingModel: 'per_click', clicks: 40 });
  await makeOld(30, 'Unseen', { pricingModel: 'per_impression', impressions: 1000 });
  await makeOld(0, 'By days', { duration: 7 });
  // 30 views a day in the last complete days, and many more before them.
  await countFor(server, views, { views: 410, clicks: 0, at: ago(20) });
  for (const days of [1, 3, 6]) await countFor(server, views, { views: 70, clicks: 0, at: ago(days) });
  await countFor(server, clicks, { views: 90, clicks: 12, at: ago(15) });

  const opened = await makeOld(3, 'Opened', { pricingModel: 'per_impression', impressions: 1000 });
  await countFor(server, opened, { views: 100, clicks: 0, at: ago(2) });
  await countFor(server, opened, { views: 250, clicks: 0 });
}

/** A campaign on a paused ad zone, and one on a zone without requests. */
async function makePaused(): Promise<void> {
  const make = async (title: string) =>
    await makeLiveAd(client, client, { ad: { title }, product: { duration: 7 }, website: { name: title } });
  const { zone } = await make('Halted');
  const { ad: unheard } = await make('Unheard');
  await client.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  const { ctx } = suite.fixture.server;
  await ctx.db.updateTable('ads').set({ silentDays: 2 }).where('id', '=', unheard.id).execute();
}

/** A live and a new ad of each type. */
async function makeMedia(): Promise<void> {
  imageUrl = await upload(client);
  const videoUrl = await upload(client, 'video/mp4');
  for (const [adType, media] of [
    ['text', {}],
    ['image', { imageUrl }],
    ['video', { videoUrl, imageUrl }],
  ] as const) {
    const { product, ad } = await makeLiveAd(client, client, {
      product: { adType },
      ad: { title: `Live ${adType}`, ...media },
    });
    // The reports show the campaigns with the most views first.
    await countFor(suite.fixture.server, ad, { views: 2000, clicks: 0 });
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
}

// Proves STAT-06
it('each campaign row says how much is delivered and when the rest is expected, by pricing model', async () => {
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  // The page opens some seconds later, possibly after midnight.
  const datesIn = (days: number) => new RegExp([days, days + 0.003].map(dateIn).join('|'));
  const dateIn = (days: number) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(ago(-days));
  const text = async (title: string) => (await performance(title).innerText()).replaceAll(/\s+/g, ' ');
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
  const bar = performance('By views').getByRole('progressbar');
  expect([await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')]).toEqual([
    '620',
    '1000',
  ]);
  expect(await bar.getAttribute('aria-label')).toBe('By views');
  expect(await bar.getAttribute('aria-valuetext')).toBe('62% of 1,000 impressions');
});

// Proves STAT-06, STAT-07
it('a campaign’s dialog charts its delivery over time against the goal', async () => {
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
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
});
// Proves DEL-46
it('a paused zone and its days without requests are shown to the advertiser and in the zone settings', async () => {
  const said =
    /Paused by the publisher since \w+ \d+, \d{4}, \d+:\d\d [AP]M \w+; the end date moves by the length of the pause/i;
  await performance('Halted').getByText(said).waitFor();
  await campaign('Halted').getByText('Paused', { exact: true }).waitFor();
  await performance('Unheard')
    .getByText(/Runs until .* \(extended by 2 silent days\)/i)
    .waitFor();
  await campaign('Halted').getByRole('button', { name: 'Halted' }).click();
  await page.getByRole('dialog', { name: 'Halted' }).getByText(said).waitFor();
  await page.keyboard.press('Escape');

  await walkTo(page, '/ad-zones');
  const region = page.getByRole('region', { name: 'Halted' });
  // The publisher has so many websites that they are folded.
  await region.getByRole('button', { name: 'Halted', expanded: false }).click();
  await region.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog');
  await settings.getByText(/^Paused since .* extended by the length of the pause\.$/).waitFor();
  await settings.getByRole('switch', { name: 'Active' }).click();
  await settings.getByText(/^An inactive ad zone shows no ads/).waitFor();
  await page.keyboard.press('Escape');
  await walkTo(page, '/dashboard');
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  await performance('Halted')
    .getByText(/Runs until/i)
    .waitFor();
});

// Proves STAT-09
it('every table of ads shows a thumbnail of each text, image and video ad', async () => {
  const thumbnailIn = async (row: Locator, kind: string) => {
    const thumbnail = row.locator(`[data-thumbnail=${kind}]`);
    await thumbnail.first().waitFor();
    expect(await thumbnail.count()).toBe(1);
    const sources = await thumbnail
      .locator('img')
      .evaluateAll((all) => all.map((image) => image.getAttribute('src')));
    expect(sources).toEqual(kind === 'text' ? [] : [imageUrl]);
  };
  await walkTo(page, '/transactions');
  for (const kind of ['text', 'image', 'video'])
    await thumbnailIn(rowOf(page.locator('main'), `Live ${kind}`), kind);
  await walkTo(page, '/dashboard');
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
