import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Transaction } from '#domain/analytics/contract.ts';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { answer } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { walkToScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const publisher = useResident(suite, 'seller');

const table = (page: Page) => page.getByRole('table', { name: 'Transactions' });
const rowOf = (page: Page, title: string) => table(page).getByRole('row').filter({ hasText: title });

// Proves TXN-01, TXN-02, TXN-03, TXN-06
it('a new publisher sees that there are no transactions, and each card shows its own figure', async () => {
  const { page } = publisher;
  await publisher.open('/transactions');
  await page.getByText('No transactions found', { exact: true }).waitFor();
  await page.getByText('$0.00').first().waitFor();
  expect(await table(page).count()).toBe(0);
  await answer(page, '/api/analytics/earnings', { json: { totalEarnings: '1234.50', thisMonth: '67.80' } });
  await publisher.open('/transactions');
  const cards = page.getByRole('region', { name: 'Summary' }).locator('> *');
  await expect
    .poll(async () => (await cards.allInnerTexts()).map((text) => text.split('\n')))
    .toEqual([
      ['Total Earnings', '$1,234.50'],
      ['This Month', '$67.80'],
      ['Total Transactions', '0'],
    ]);
});

// Proves TXN-01, TXN-02, TXN-03, TXN-04, TXN-07, CONST-03, ENT-41, CONST-31
it('the transactions page lists each paid ad and sums them up to the cent', async () => {
  const { page, client } = publisher;
  const buyer = await suite.client('buyer');
  for (const [title, price] of Object.entries({ Whole: '100', Third: '33.33', Least: '0.99' })) {
    await makeLiveAd(client, buyer, {
      product: { price },
      ad: { title },
      website: { name: `${title} site` },
    });
  }
  const earnings = (await client.get('/api/analytics/earnings')).body as Record<string, string>;
  expect(earnings).toMatchObject({ totalEarnings: '114.17', thisMonth: '114.17' });

  await publisher.open('/transactions');
  await rowOf(page, 'Whole').waitFor();
  const cards = page.getByRole('region', { name: 'Summary' }).locator('> *');
  await expect
    .poll(async () => (await cards.allInnerTexts()).map((text) => text.split('\n')))
    .toEqual([
      ['Total Earnings', '$114.17'],
      ['This Month', '$114.17'],
      ['Total Transactions', '3'],
    ]);
  expect(await table(page).getByRole('columnheader').allInnerTexts()).toEqual([
    'Ad Campaign',
    'Ad Zone',
    'Website',
    'Advertiser',
    'Amount',
    'Your Earnings',
    'Status',
    'Date',
  ]);
  const year = String(new Date().getFullYear());
  for (const [title, amount, earned] of [
    ['Whole', '$100.00', '$85.00'],
    ['Third', '$33.33', '$28.33'],
    ['Least', '$0.99', '$0.84'],
  ] as const) {
    const cells = await rowOf(page, title).getByRole('cell').allInnerTexts();
    expect(cells.slice(0, 7)).toEqual([
      title,
      'Sidebar',
      `${title} site`,
      buyer.user.email,
      amount,
      earned,
      'active',
    ]);
    expect(cells[7]).toContain(year);
  }
});

// Proves TXN-05
it('the badges of approved, active and completed ads have the highlight color', async () => {
  const { page, client } = publisher;
  const [sale] = (await client.get('/api/analytics/transactions')).body as Transaction[];
  const statuses = ['pending', 'approved', 'active', 'completed', 'rejected'];
  await answer(page, '/api/analytics/transactions*', {
    json: statuses.map((status, index) => ({ ...sale, id: index + 1, title: `Ad ${index}`, status })),
  });
  await publisher.open('/transactions');
  // The page may show the rows of its last visit first.
  await rowOf(page, 'Ad 0').waitFor();
  const look = (status: string) =>
    table(page)
      .getByText(status, { exact: true })
      .evaluate((badge) => getComputedStyle(badge).backgroundColor);
  const [pending, approved, active, completed, rejected] = await Promise.all(statuses.map(look));
  expect(pending).not.toBe(approved);
  expect(rejected).toBe(pending);
  expect([active, completed]).toEqual([approved, approved]);
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

// Proves ENT-40, ENT-41, CONST-04, CONST-31
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
    await walkToScreen(page, { name: path, path });
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
