/** The amounts of the screens with money: they add up as they stand there, and each leads to its entries. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { centsOf, decimalOf } from '#domain/money.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { accrueDue } from '../server/money/ledger/accrue.ts';
import type { Client } from '../server/testing/client.ts';
import { countAt } from '../server/testing/figures.ts';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { countFor, report, tile } from './support/figures.ts';
import { assertNoErrors, enterAs, walkTo } from './support/people.ts';
import type { Person } from './support/person.ts';
import { walkToScreen } from './support/screens.ts';
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

// Proves FIG-04
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

// Proves FIG-04
it('the figures of the buyer’s dashboard add up to Campaign Spend', async () => {
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  const parts = await partsOf('Campaign Spend');
  const total = await cardOf('Campaign Spend');
  expect(total).toBe('283.34');
  expect(sumOf(Object.values(parts))).toBe(total);
  const spent = await reportOf('buyer', 'Spend');
  expect(spent).toEqual({ total: dollars(parts['Delivered'] ?? ''), rows: spent.total, paid: total });
});

// Proves FIG-04
it('the figures of a campaign are those of its row', async () => {
  const rows = report(page).getByRole('table', { name: 'Campaigns' }).getByRole('row');
  const row = rows.filter({ hasText: 'An ad for 250.01' });
  const cells = (await row.getByRole('cell').allInnerTexts()).slice(1);
  await page.getByRole('link', { name: 'An ad for 250.01' }).click();
  const figure = async (name: string) => {
    const shown = page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    return (await shown.locator('dd > span').allInnerTexts()).map((text) =>
      text.replace(/ (?:of views|per click)$/, ''),
    );
  };
  await expect
    .poll(async () => {
      const [views] = await figure('Views');
      const [clicks, rate] = await figure('Clicks');
      const [cpm, cpc] = await figure('Cost per 1,000 views');
      const [cost] = await figure('Cost');
      return [views, clicks, rate, cpm, cpc, cost];
    })
    .toEqual(cells);
});

// Proves FIG-04
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

const MONEY_FIELDS = new Set([
  'price',
  'totalAmount',
  'commissionAmount',
  'amount',
  'earnings',
  'totalEarnings',
  'totalSpending',
  'thisMonth',
]);

/** Every value of a field with one of these names, at any depth. */
function moneyIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (MONEY_FIELDS.has(name) ? [part] : moneyIn(part)));
}

// Proves ENT-40, TXN-07, CONST-04
it('amounts are strings with two decimals in the API and on screen, and the platform fee is the only fee', async () => {
  const { page, client } = await suite.enter('both');
  const seller = await suite.client('seller');
  await makeLiveAd(client, client, { product: { price: '1234.5' }, website: { name: 'Money site' } });
  const approved = await makeApprovedAd(seller, client, { product: { price: '10' } });
  const answers: Promise<unknown>[] = [];
  const isJson = (response: Response) => response.headers()['content-type']?.includes('json');
  page.on('response', (response) => {
    if (isJson(response)) answers.push(response.json().catch(() => null));
  });
  const fees: string[] = [];
  for (const [path, text] of [
    ['/', '$1,049.32'],
    ['/dashboard', '$1,049.32'],
    ['/transactions', '$1,049.32'],
    ['/ad-zones', '$1,234.50'],
    [`/checkout/${approved.publicId}`, 'Pay $10.00'],
    ['/marketplace', 'Money site'],
  ] as const) {
    await walkToScreen(page, path);
    await page.getByText(text).first().waitFor();
    const main = await page.getByRole('main').innerText();
    const figures = main.match(/\$\d[\d,.]*\d|\$\d/g) ?? [];
    expect(figures.filter((figure) => !/^\$[\d,]+\.\d{2}$/.test(figure))).toEqual([]);
    fees.push(...(main.match(/^.*\b(fees?|surcharge|commission)\b.*$/gim) ?? []));
  }
  expect(fees).toEqual(['Platform fee (15%), included']);
  // A step without an amount says null, and a step of 'Getting Started' whether a price was set.
  const money = moneyIn(await Promise.all(answers)).filter(
    (value) => value !== null && typeof value !== 'boolean',
  );
  expect(money.length).toBeGreaterThan(10);
  expect(money.filter((value) => typeof value !== 'string' || !/^\d+\.\d{2}$/.test(value))).toEqual([]);
});

// Proves STAT-08, TXN-04
it('the CSV of transactions has all of them, also those that the page has not loaded', async () => {
  const { page, client } = await suite.enter('seller');
  const buyer = await suite.client('buyer');
  const product = { pricingModel: 'per_impression', impressions: 100, duration: null };
  for (const title of ['-First', 'Second', 'Third'])
    await makeLiveAd(client, buyer, { ad: { title }, product });
  const rows = (await client.get('/api/analytics/transactions')).body as { date: string }[];
  await page.route('**/api/analytics/transactions*', async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    await route.continue({ url: url.href });
  });
  await page.goto('/transactions');
  await page.getByRole('button', { name: 'Show more transactions' }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('openslot-transactions.csv');
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[1]).toBe(
    `${rows[0]?.date},Third,text,Sidebar,The Daily Slot,${buyer.user.email},100.00,85.00,0.00,85.00,active`,
  );
  expect(lines[3]).toContain(",'-First,text,");
});

const entriesOf = (shown: Page) => shown.getByRole('table', { name: 'Entries' });
const UNITS = { pricingModel: 'per_impression', duration: null, impressions: 1000 };

// Proves LEDG-06
it('an amount on Transactions leads to its units, its formula and what was not counted', async () => {
  const { page, client } = await suite.enter('seller');
  const buyer = await suite.client('buyer');
  const { ad } = await makeLiveAd(client, buyer, { product: UNITS, ad: { title: 'Fresh coffee' } });
  const { ctx } = suite.fixture.server;
  await countAt(ctx, ad, new Date(ad.startDate as string).toISOString(), 101, 0);
  await ctx.db
    .insertInto('deliveryHourly')
    .values({
      hour: new Date(Math.floor(Date.parse(ad.startDate as string) / HOUR_MS) * HOUR_MS),
      adId: ad.id,
      zoneId: ad.adZoneId,
      kind: 'view',
      reason: 'bot',
      n: 3,
    })
    .execute();
  await accrueDue({ ...ctx, now: () => later(new Date(ad.startDate as string), HOUR_MS) });

  await page.goto('/transactions');
  await page.getByRole('link', { name: '$85.00' }).press('Enter');
  await page.getByRole('heading', { name: 'Every cent of this ad' }).waitFor();
  const cards = page.getByRole('region', { name: 'Summary' }).locator('> *');
  await expect
    .poll(async () => (await cards.allInnerTexts()).map((text) => text.split('\n').slice(0, 2)))
    .toEqual([
      ['Your share', '$85.00'],
      ['Earned', '$8.58'],
      ['Refunded', '$0.00'],
      ['Open', '$76.42'],
    ]);
  const row = entriesOf(page).getByRole('row').filter({ hasText: 'Earned' });
  await row.getByText('How we calculate it').click();
  await row.getByText('⌊85.00 × 101 / 1,000⌋').waitFor();
  expect(await row.innerText()).toContain('0 → 101 of 1,000 impressions');
  await row.getByText('3 impressions: Robot').click();
  expect(await row.getByText('The request came from a bot').isVisible()).toBe(true);
});

// Proves LEDG-06
it('the advertiser reaches the same page from My Campaigns, and from the payments of Billing', async () => {
  const { page, client } = await suite.enter('buyer');
  await makeLiveAd(await suite.client('seller'), client, { product: UNITS });
  await page.goto('/dashboard');
  await page.getByRole('table', { name: 'My Campaigns' }).getByRole('link', { name: '$100.00' }).click();
  await page.getByText('What you paid').waitFor();
  expect(await entriesOf(page).getByRole('row').filter({ hasText: 'Paid' }).innerText()).toContain('$100.00');
  await walkTo(page, '/dashboard');
  await page.getByRole('button', { name: /Campaign Spend/ }).press('Enter');
  await page
    .getByRole('list', { name: /^Payments of / })
    .getByRole('link', { name: '$100.00' })
    .click();
  await page.getByText('What you paid').waitFor();
});
