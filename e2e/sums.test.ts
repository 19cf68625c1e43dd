/** The figures of the screens with money add up as they stand there. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { countFor, report, tile } from './support/figures.ts';
import { assertNoErrors, enterAs } from './support/people.ts';
import type { Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** A person who sells to themselves and to another, and buys from both. */
let person: Person & { client: Client };
let page: Page;

const VIEWS = { pricingModel: 'per_impression', impressions: 1000, duration: null };

beforeAll(async () => {
  person = await enterAs(suite.fixture, 'both');
  ({ page } = person);
  const other = await suite.client('both');
  const { server } = suite.fixture;
  for (const [seller, buyer, price, views, clicks] of [
    [person.client, person.client, '33.33', 700, 9],
    [person.client, other, '100.00', 41, 3],
    [person.client, other, '19.99', 0, 0],
    [other, person.client, '250.01', 333, 7],
  ] as const) {
    const product = { ...VIEWS, price };
    const { ad } = await makeLiveAd(seller, buyer, { product, ad: { title: `An ad for ${price}` } });
    if (views > 0) await countFor(server, ad, { views, clicks });
  }
});
afterAll(() => assertNoErrors(person));

const dollars = (text: string): string => text.replaceAll(/[$,]/g, '').replace('−', '-');
const sumOf = (texts: readonly string[]): string =>
  decimalOf(texts.reduce((sum, text) => sum + centsOf(dollars(text)), 0));

/** The amounts of a strip by their names. */
async function partsOf(name: string): Promise<Record<string, string>> {
  const strip = page.getByRole('region', { name, exact: true });
  await expect
    .poll(async () => (await strip.locator('dd').allInnerTexts()).join(' '))
    .toMatch(/^[^.]*\.\d\d( [^.]*\.\d\d)+$/);
  const amounts = await strip.locator('dd').allInnerTexts();
  const names = await strip.locator('dt').allInnerTexts();
  return Object.fromEntries(names.map((each, place) => [each, amounts[place] ?? '']));
}

/** The amount of a card. */
async function cardOf(label: string): Promise<string> {
  const card = page.getByText(label, { exact: true }).first().locator('xpath=..');
  await expect.poll(() => card.innerText()).toMatch(/\$\d/);
  return dollars(/\$[\d,.]+/.exec(await card.innerText())?.[0] ?? '');
}

/** The amount of the report's tile, the sum of its breakdown, and what was paid in the period. */
async function reportOf(
  side: 'buyer' | 'seller',
  name: string,
): Promise<{ total: string; rows: string; paid: string }> {
  const shown = report(page, side);
  await expect.poll(() => tile(shown, name).innerText()).toMatch(/\$\d/);
  const total = /\$[\d,.]+/.exec(await tile(shown, name).innerText())?.[0] ?? '';
  const paid = /\$[\d,.]*\d/.exec(await shown.getByText('on the day of delivery').innerText())?.[0] ?? '';
  const cells = await lastCells(shown.getByRole('table', { name: 'Campaigns' }));
  return { total: dollars(total), rows: sumOf(cells), paid: dollars(paid) };
}

async function lastCells(table: Locator): Promise<string[]> {
  await table.waitFor();
  return await table.locator('tbody tr td:last-child').allInnerTexts();
}

// Proves FIG-04, FIG-07
it('the figures of the seller’s dashboard add up to Total Earnings', async () => {
  await page.goto('/dashboard');
  const parts = await partsOf('Payouts');
  const total = await cardOf('Total Earnings');
  expect(total).toBe('130.32');
  expect(sumOf(Object.values(parts))).toBe(total);
  const { 'Not delivered yet': open = '', ...delivered } = parts;
  const earned = await reportOf('seller', 'Earnings');
  expect(earned.total).toBe(sumOf(Object.values(delivered)));
  expect([earned.rows, earned.paid]).toEqual([earned.total, total]);
  expect(sumOf([earned.total, open])).toBe(total);
});

// Proves FIG-04, FIG-07
it('the figures of the buyer’s dashboard add up to Campaign Spend', async () => {
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  const parts = await partsOf('Campaign Spend');
  const total = await cardOf('Campaign Spend');
  expect(total).toBe('283.34');
  expect(sumOf(Object.values(parts))).toBe(total);
  const spent = await reportOf('buyer', 'Spend');
  expect(spent).toEqual({ total: dollars(parts['Delivered'] ?? ''), rows: spent.total, paid: total });
});

// Proves FIG-04, FIG-07
it('the figures of a campaign are those of its row', async () => {
  const rows = report(page).getByRole('table', { name: 'Campaigns' }).getByRole('row');
  const row = rows.filter({ hasText: 'An ad for 250.01' });
  const cells = (await row.getByRole('cell').allInnerTexts()).slice(1);
  await page
    .getByRole('button', { name: /An ad for 250.01/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('CPM', { exact: true }).waitFor();
  const figures = dialog.locator('dl').filter({ hasText: 'CPM' });
  await expect.poll(() => figures.locator('dd').allInnerTexts()).toEqual(cells);
  await page.keyboard.press('Escape');
});

// Proves FIG-04, FIG-07
it('the rows of the transactions page and the parts of the total add up to Total Earnings', async () => {
  await page.goto('/transactions');
  const table = page.getByRole('table', { name: 'Transactions' });
  await table.getByText('An ad for 33.33').waitFor();
  const total = await cardOf('Total Earnings');
  expect(sumOf(await table.locator('tbody tr td:nth-child(6)').allInnerTexts())).toBe(total);
  const parts = await partsOf('Payouts');
  expect(sumOf(Object.values(parts))).toBe(total);
  const open = (await table.locator('tbody tr td:last-child').allInnerTexts()).map(
    (text) => /\$[\d,.]*\d/.exec(text)?.[0] ?? '0.00',
  );
  expect(sumOf(open)).toBe(dollars(parts['Not delivered yet'] ?? ''));
});
