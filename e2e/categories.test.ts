/** The categories that the operator has set, where publishers choose one and advertisers filter by it. */
import { afterAll, expect, it } from 'vitest';
import { commandOf } from '../server/operator/command-line/commands.ts';
import { makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { enterAs } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

async function settings(...words: string[]): Promise<void> {
  const { command, args } = commandOf(['settings', ...words]);
  const { ctx } = suite.fixture.server;
  await command.run({ ctx, operator: { id: null }, args, options: { dryRun: false } });
}
afterAll(async () => await settings('unset', 'CATEGORIES'));

// Proves OWNS-19, OWNS-21
it('a form that was open while its category was retired is refused at the field, and keeps the rest', async () => {
  const { page, client } = await enterAs(suite.fixture, 'seller');
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: 'Add Your First Website' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('https://bakery.example');
  await dialog.getByLabel('Website name').fill('The Bakery');
  const category = dialog.getByLabel('Category');
  await category.selectOption('Travel');
  await settings('set', 'CATEGORIES', 'Food=Brot & Butter, Räder');
  await dialog.getByRole('button', { name: 'Add Website' }).click();
  await dialog.getByText('Please choose a category that is offered now.').waitFor();
  expect(await category.getAttribute('aria-invalid')).toBe('true');
  expect(await dialog.getByLabel('Website name').inputValue()).toBe('The Bakery');

  await page.reload();
  await page.getByRole('button', { name: 'Add Your First Website' }).click();
  await category.waitFor();
  const options = await category.getByRole('option').allInnerTexts();
  expect(options).toEqual(['Choose a category', 'Brot & Butter', 'Räder']);
  await dialog.getByLabel('URL').fill('https://bakery.example');
  await dialog.getByLabel('Website name').fill('The Bakery');
  await category.selectOption('Brot & Butter');
  await dialog.getByRole('button', { name: 'Add Website' }).click();
  await page.getByRole('dialog', { name: 'Create Ad Zone' }).waitFor();
  expect((await client.get('/api/websites/my')).body).toMatchObject([{ category: 'Brot & Butter' }]);
});

// Proves OWNS-19, OWNS-20, OWNS-21
it('a website keeps its retired category in its form and in the filter of the marketplace', async () => {
  const { page, client: seller } = await enterAs(suite.fixture, 'seller');
  await settings('set', 'CATEGORIES', 'Brot & Butter, Räder, Oldies');
  const website = await makeWebsite(seller, { name: 'Golden Records', category: 'Oldies' });
  await makeProduct(seller, await makeZone(seller, website));
  await settings('set', 'CATEGORIES', 'Brot & Butter, Räder');
  await page.goto('/ad-zones');
  const section = page.getByRole('region', { name: 'Golden Records' });
  await section.getByRole('button', { name: 'Manage Golden Records' }).click();
  await page.getByRole('menuitem', { name: 'Edit website' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Website' });
  const category = dialog.getByLabel('Category');
  expect(await category.inputValue()).toBe('Oldies');
  expect(await category.getByRole('option').allInnerTexts()).toEqual([
    'Choose a category',
    'Brot & Butter',
    'Räder',
    'Oldies',
  ]);
  await dialog.getByLabel('Website name').fill('Golden Records & Co');
  await dialog.getByRole('button', { name: 'Save Website' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.goto('/marketplace');
  const filter = page.getByLabel('Category');
  await filter.waitFor();
  const found = await filter.getByRole('option').allInnerTexts();
  expect(found.slice(0, 3)).toEqual(['All', 'Brot & Butter', 'Räder']);
  expect(found).toContain('Oldies');
  await filter.selectOption('Oldies');
  await page.getByText('Golden Records & Co').first().waitFor();
  expect(new URL(page.url()).search).toBe('?category=Oldies');
});

// Proves OWNS-21
it('a category of 40 characters stays in its line on a phone and in the table', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaft & Bar';
  const { page, client } = await enterAs(suite.fixture, 'both');
  await settings('set', 'CATEGORIES', long);
  const website = await makeWebsite(client, { name: 'The Steamer', category: long });
  await makeProduct(client, await makeZone(client, website));
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/marketplace?search=Steamer');
  const card = page.getByRole('article', { name: 'The Steamer' });
  await card.waitFor();
  expect((await card.boundingBox())?.height).toBe(132);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/marketplace?search=Steamer&view=table');
  const table = page.getByRole('table');
  await table.waitFor();
  expect(await table.evaluate((box) => box.scrollWidth - (box.parentElement?.clientWidth ?? 0))).toBe(0);
});
