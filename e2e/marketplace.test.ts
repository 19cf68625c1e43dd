import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { answer, hold, pathOf } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

const buyer = useResident(suite, 'buyer');
const { open } = buyer;
const cards = (page: Page) => page.getByRole('article');
const names = (page: Page) => cards(page).getByRole('heading').allInnerTexts();

/** Waits until exactly these cards are shown, in any order. */
async function shown(page: Page, expected: string[]): Promise<void> {
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(expected.toSorted());
}

async function listSites(seller: Client, sites: Record<string, Record<string, unknown>>): Promise<void> {
  for (const [name, fields] of Object.entries(sites)) await makeWebsite(seller, { name, ...fields });
}

// Proves MKT-01
it('the search matches name, description and URL, ignores case and combines with the filters', async () => {
  const { page } = buyer;
  await listSites(await suite.client('seller'), {
    'Quartz Daily': {},
    'Stones and more': { description: 'All about quartz', category: 'Business' },
    'By address': { url: 'https://quartz.example', monthlyVisitors: 60_000 },
    'Nothing of it': {},
  });
  await open('/marketplace');
  const search = page.getByLabel('Search');
  await search.fill('QUARTZ');
  await shown(page, ['Quartz Daily', 'Stones and more', 'By address']);
  await page.getByLabel('Category').selectOption('Business');
  await shown(page, ['Stones and more']);
  await page.getByLabel('Category').selectOption('All');
  await page.getByLabel('Traffic').selectOption('high');
  await shown(page, ['By address']);
  await page.getByLabel('Traffic').selectOption('');
  await search.fill('Quartz D');
  await shown(page, ['Quartz Daily']);
  expect(pathOf(page)).toBe('/marketplace?search=Quartz+D');
  await page.reload();
  await shown(page, ['Quartz Daily']);
  expect(await search.inputValue()).toBe('Quartz D');
});

// Proves MKT-02, CONST-25
it('the category filter has six options, and each shows only the websites of its category', async () => {
  const { page } = buyer;
  const categories = ['Technology', 'Business', 'Lifestyle', 'Health', 'Finance'];
  const seller = await suite.client('seller');
  for (const category of [...categories, 'Travel']) {
    await makeWebsite(seller, { name: `Sorted ${category}`, category });
  }
  await open('/marketplace?search=Sorted');
  await shown(
    page,
    [...categories, 'Travel'].map((category) => `Sorted ${category}`),
  );
  const filter = page.getByLabel('Category');
  expect(await filter.getByRole('option').allInnerTexts()).toEqual(['All', ...categories]);
  for (const category of categories) {
    await filter.selectOption(category);
    await shown(page, [`Sorted ${category}`]);
  }
  await filter.selectOption('All');
  await expect.poll(() => cards(page).count()).toBe(6);
});

// Proves MKT-03, MKT-06, CONST-20, CONST-21, CONST-22
it('the traffic level is high from 50,000 monthly visitors, medium from 10,000, otherwise low', async () => {
  const { page } = buyer;
  const visitors = { first: 50_000, second: 49_999, third: 10_000, fourth: 9999, fifth: 0 };
  const seller = await suite.client('seller');
  for (const [name, monthlyVisitors] of Object.entries(visitors)) {
    await makeWebsite(seller, { name: `Reach ${name}`, monthlyVisitors });
  }
  await open('/marketplace?search=Reach');
  const filter = page.getByLabel('Traffic');
  await expect.poll(() => cards(page).count()).toBe(5);
  const options = await filter.getByRole('option').allInnerTexts();
  expect(options).toEqual(['All', 'High (50k+)', 'Medium (10k-50k)', 'Low (under 10k)']);
  for (const [label, sites] of [
    ['High', ['first']],
    ['Medium', ['second', 'third']],
    ['Low', ['fourth', 'fifth']],
  ] as const) {
    await filter.selectOption(label.toLowerCase());
    await shown(
      page,
      sites.map((site) => `Reach ${site}`),
    );
    expect(await cards(page).getByText(label, { exact: true }).count()).toBe(sites.length);
  }
});

// Proves BROW-01, BROW-02, MKT-04, MKT-05, MKT-06, MKT-07, MKT-08, MKT-09, MKT-10, CONST-23
it('a card shows category, traffic, description, prices, zone sizes and the ad types on offer', async () => {
  const { page } = buyer;
  const seller = await suite.client('seller');
  await listSites(seller, {
    'Card plain': { monthlyVisitors: 999 },
    'Card edge': { monthlyVisitors: 9999 },
    'Card small': { monthlyVisitors: 1500, description: 'Notes on chairs', category: 'Travel' },
    'Card large': { monthlyVisitors: 1_200_000 },
  });
  await makeWebsite(seller, { name: 'Card silent' });
  const site = await makeWebsite(seller, { name: 'Card priced', monthlyVisitors: 50_000 });
  await makeProduct(seller, await makeZone(seller, site), { adType: 'image' });
  const leaderboard = await makeZone(seller, site, { width: 728, height: 90 });
  await makeProduct(seller, leaderboard, { adType: 'image', price: '12.50' });

  await open('/marketplace?search=Card');
  const card = (name: string) => page.getByRole('article', { name: `Card ${name}` });
  const small = await card('small').innerText();
  for (const text of ['Card small', 'Travel', 'Low', 'Notes on chairs', '1.5K monthly visitors']) {
    expect(small).toContain(text);
  }
  expect(await card('plain').innerText()).toContain('No description available');
  await card('silent').getByText('Low', { exact: true }).waitFor();
  expect(await card('silent').innerText()).toContain('monthly visitors not stated');
  expect(await card('edge').innerText()).toContain('9.9K monthly visitors');
  await card('edge').getByText('Low', { exact: true }).waitFor();
  const wide: string[] = [];
  for (const width of [375, 1280]) {
    await resize(page, { width, height: 900 });
    wide.push(...(await sideways(page)), ...(await lostText(page)));
  }
  expect(wide).toEqual([]);
  expect(await card('plain').innerText()).toContain('999 monthly visitors');
  expect(await card('large').innerText()).toContain('1.2M monthly visitors');
  expect(await card('priced').innerText()).toContain('50K monthly visitors');

  await card('priced').getByText('from $12.50 per day').waitFor();
  await card('priced').getByText('Ad zones: 728x90, 300x250').waitFor();
  expect(await card('plain').innerText()).toContain('No ad space available right now');

  // A card lists all three ad types and marks those that are not for sale.
  expect(await card('priced').getByRole('listitem').allTextContents()).toEqual([
    'Text(unavailable)',
    'Image',
    'Video(unavailable)',
  ]);
  await card('priced').getByRole('link', { name: 'Advertise Here' }).click();
  await page.waitForURL(`**/create-ad?website=${site.publicId}`);
});

// Proves MKT-04, A11Y-07
it('the longest names and URLs do not widen the page', async () => {
  const { page } = buyer;
  await makeWebsite(await suite.client('seller'), {
    name: `Unbroken${'W'.repeat(190)}`,
    url: `https://${'long-'.repeat(10)}name.example/${'p'.repeat(200)}`,
    description: `<b>bold</b>\u202e${'Q'.repeat(400)}`,
    monthlyVisitors: 2_147_483_647,
  });
  await open('/marketplace?search=Unbroken');
  await page.getByRole('article', { name: 'Unbroken' }).getByText('<b>bold</b>').waitFor();
  for (const width of [375, 800, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

// Proves MKT-11
it('an empty marketplace or search explains why, and the search can be cleared', async () => {
  const { page } = buyer;
  await listSites(await suite.client('seller'), { 'To be found again': {} });
  await answer(page, '/api/websites?*', { json: [] });
  // Loads, because the application keeps the list that it has read.
  await page.goto('/marketplace');
  await page.getByText('No websites yet').waitFor();
  await page.getByText('Websites appear here as soon as publishers list them.').waitFor();
  await page.unrouteAll();

  await page.goto('/marketplace?search=no+such+site+anywhere');
  await page.getByText('No websites found').waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.getByRole('article', { name: 'To be found again' }).waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe('');
  expect(pathOf(page)).toBe('/marketplace');
});

/** Websites with a price of 1,000 views each, so that number 1 is the cheapest. */
async function listPriced(name: string, count: number): Promise<void> {
  const seller = await suite.client('seller');
  for (let number = count; number >= 1; number--) {
    const zone = await makeZone(seller, await makeWebsite(seller, { name: `${name} ${number}` }));
    const views = { pricingModel: 'per_impression', duration: null, impressions: 1000 };
    await makeProduct(seller, zone, { ...views, price: `${number}.00` });
  }
}

// Proves BROW-03, BROW-05
it('the table compares twenty websites on one screen, and its order and view stay in the address', async () => {
  await listPriced('Ranked', 21);
  const { page } = buyer;
  await page.setViewportSize({ width: 1280, height: 800 });
  await open('/marketplace?search=Ranked');
  await page.getByLabel('Sort by').selectOption('Lowest price per 1,000 views');
  await expect.poll(async () => (await names(page))[0]).toBe('Ranked 1');
  await page.getByRole('button', { name: 'Table' }).click();
  const rows = page.getByRole('table', { name: 'Websites' }).getByRole('row');
  const inOrder = async () =>
    (await rows.allInnerTexts()).slice(1).map((row) => /Ranked \d+/.exec(row)?.[0]?.slice(7));
  const rising = Array.from({ length: 21 }, (_, index) => String(index + 1));
  await expect.poll(inOrder).toEqual(rising);
  expect(pathOf(page)).toBe('/marketplace?search=Ranked&sort=price&view=table');
  const twentieth = await rows.nth(20).boundingBox();
  expect((twentieth?.y ?? 0) + (twentieth?.height ?? 800)).toBeLessThanOrEqual(800);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  const price = page.getByRole('columnheader', { name: 'Per 1,000 views' });
  expect(await price.getAttribute('aria-sort')).toBe('ascending');

  await page.reload();
  await expect.poll(inOrder).toEqual(rising);
  await page.getByRole('columnheader', { name: 'Website' }).getByRole('button').click();
  await expect.poll(async () => (await inOrder())[1]).toBe('10');
  expect(pathOf(page)).toBe('/marketplace?search=Ranked&sort=name&view=table');
  await page.getByRole('link', { name: 'Advertise Here' }).first().click();
  await page.waitForURL('**/create-ad?website=*');
  await page.goBack();
  await expect.poll(async () => (await inOrder())[1]).toBe('10');
});

// Proves MKT-12, MKT-13, CONST-36
it('Load More adds twelve cards to the first twelve, and is disabled when all are shown', async () => {
  const { page } = buyer;
  const seller = await suite.client('seller');
  for (let number = 1; number <= 26; number++) await makeWebsite(seller, { name: `Paged ${number}` });
  await open('/marketplace?search=Paged');
  const more = page.getByRole('button', { name: 'Load More' });
  for (const count of [12, 24, 26]) {
    await expect.poll(() => cards(page).count()).toBe(count);
    if (count < 26) await more.click();
  }
  expect(await more.isDisabled()).toBe(true);
  expect(new Set(await names(page)).size).toBe(26);
});

// Proves MKT-12
it('a marketplace that fails to load says so, and Try again loads it', async () => {
  const { page } = buyer;
  await listSites(await suite.client('seller'), { 'Late one': {} });
  await answer(page, '/api/websites?*', null);
  await open('/marketplace?search=Late');
  await page.getByText('Could not load the websites').waitFor();
  await page.unrouteAll();
  const release = await hold(page, '/api/websites?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(await cards(page).count()).toBe(0);
  release();
  await shown(page, ['Late one']);
});

// The last test, because the window stays narrow.
// Proves BROW-06, A11Y-07
it('on a phone the filters are behind a button, and each website is a row of 132 px', async () => {
  await listPriced('Handy', 2);
  const seller = await suite.client('seller');
  const dear = await makeZone(seller, await makeWebsite(seller, { name: 'Handy highest' }));
  await makeProduct(seller, dear, { price: '999999.99', duration: 365 });
  const { page } = buyer;
  await page.setViewportSize({ width: 375, height: 900 });
  await open('/marketplace?search=Handy&view=table');
  const card = page.getByRole('article', { name: 'Handy 2' });
  await card.waitFor();
  // A table has no room on a phone, and the first card is in the first screenful.
  expect(await page.getByRole('table').count()).toBe(0);
  for (const name of ['Handy 1', 'Handy 2', 'Handy highest']) {
    expect((await page.getByRole('article', { name }).boundingBox())?.height).toBe(132);
  }
  expect((await cards(page).first().boundingBox())?.y).toBeLessThan(260);
  expect(await page.getByLabel('Category').isVisible()).toBe(false);
  const filters = page.getByRole('button', { name: 'Filters' });
  await filters.click();
  await page.getByLabel('Traffic').selectOption('high');
  await page.getByText('No websites found').waitFor();
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
  await page.getByLabel('Traffic').selectOption('');
  await filters.click();
  expect(await page.getByLabel('Category').isVisible()).toBe(false);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.getByText('from $999,999.99 per 365 days').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  // The whole row is the link.
  await card.click({ position: { x: 20, y: 20 } });
  await page.waitForURL('**/create-ad?website=*');
});
