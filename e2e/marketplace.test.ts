import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { pathOf } from './support/people.ts';
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
