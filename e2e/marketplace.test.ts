import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { makeWebsite } from '../server/testing/story.ts';
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

// Proves MKT-02
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

// Proves MKT-12
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
