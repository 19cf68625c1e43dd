/** The CSV files of reports and transactions. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeLiveAd } from '../server/testing/story.ts';
import { daysAgo, enterWithFigures, report, tile } from './support/figures.ts';
import { useFixture } from './support/use-fixture.ts';
import { readFile } from 'node:fs/promises';
import { addDays } from '#domain/analytics/days.ts';
import { utcDay } from '#domain/time.ts';

const suite = useFixture();

async function download(page: Page, of: Locator, item: string): Promise<{ name: string; text: string }> {
  await of.getByRole('button', { name: 'Download CSV' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

// Proves STAT-08, FIG-06, A11Y-07
it('the CSV of a report has the figures of the chart and the campaigns, and contains no formulas', async () => {
  const title = '=1+1, "quoted" \u202Eסוף';
  const { page } = await enterWithFigures(suite, 'buyer', { ad: { title }, website: { name: '@SUM(A1)' } });
  await page.goto('/dashboard?range=7d');
  const shown = report(page);
  await tile(shown, 'Impressions').getByText('1,500').waitFor();
  await shown.getByRole('table', { name: 'Campaigns' }).waitFor();
  const today = utcDay(daysAgo(suite, 0));
  const span = `${addDays(today, -6)}-to-${today}`;

  const series = await download(page, shown, 'Figures per day');
  expect(series.name).toBe(`openslot-per-day-${span}.csv`);
  const lines = series.text.split('\r\n');
  expect(lines[0]).toBe(
    '\uFEFFDay (first day),Impressions,Clicks,Click-through rate (%),CPM (USD),CPC (USD),Spend (USD),Paid (USD)',
  );
  expect(lines).toHaveLength(9);
  expect(lines.at(-2)).toBe(`${today},1200,30,2.50,83.33,3.33,100.00,200.00`);
  expect(lines.at(-3)).toBe(`${addDays(today, -1)},0,0,,,,0.00,0.00`);
  expect(lines.at(-1)).toBe('');

  const parts = await download(page, shown, 'Campaigns');
  expect(parts.name).toBe(`openslot-campaigns-${span}.csv`);
  expect(parts.text).toBe(
    '\uFEFFCampaign,Where,Type,Impressions,Clicks,Click-through rate (%),CPM (USD),CPC (USD),Spend (USD),Paid (USD)\r\n' +
      `"'=1+1, ""quoted"" \u202Eסוף","'@SUM(A1), Sidebar",text,1500,33,2.20,66.67,3.03,100.00,200.00\r\n`,
  );
});

// Proves FIELD-71
it('the CSV of a report says when its days begin in a timezone that is not whole hours from UTC', async () => {
  const { page, client } = await enterWithFigures(suite, 'buyer');
  await client.patch('/api/user/settings', { timezone: 'Asia/Kolkata' });
  await page.goto('/dashboard?range=7d');
  const shown = report(page);
  await shown.getByRole('table', { name: 'Campaigns' }).waitFor();
  const series = await download(page, shown, 'Figures per day');
  expect(series.text).toMatch(/^\uFEFF"?Day \(first day, from 00:30\)"?,Impressions,/);
  await shown.getByText('How this was counted').click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(await readFile(await file.path(), 'utf8')).toMatch(
    /^\uFEFF"?Day \(first day, from 00:30\)"?,Served,/,
  );
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
