/** Figures: the estimates before an ad zone is booked, the cards of the dashboards, and the CSV files of reports. */
import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Website } from '#domain/inventory/contract.ts';
import type { Client } from '../server/testing/client.ts';
import { measureAgain } from '../server/testing/figures.ts';
import { makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { countFor, daysAgo, enterWithFigures, report, tile } from './support/figures.ts';
import { assertNoErrors, enterAs, walkTo, answer } from './support/people.ts';
import type { Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';
import { readFile } from 'node:fs/promises';
import { addDays } from '#domain/analytics/days.ts';
import { utcDay } from '#domain/time.ts';

const suite = useFixture();

const region = (name: string) => page.getByRole('region', { name, exact: true });

/** A person who is publisher and advertiser. Their page stays open from test to test. */
let person: Person & { client: Client };
let page: Page;
/** A website with two ad zones. The first showed an ad on eight days, the second is new. */
let website: Website;

beforeAll(async () => {
  person = await enterAs(suite.fixture, 'both');
  ({ page } = person);
  const { client } = person;
  const live = await makeLiveAd(client, client, {
    website: { name: 'Card measured', monthlyVisitors: 184_000 },
    zone: { name: 'Measured zone' },
    product: { duration: 30, price: '60.00' },
  });
  for (let day = 1; day <= 8; day++) {
    await countFor(suite.fixture.server, live.ad, { views: day * 40, clicks: 2, at: daysAgo(suite, day) });
  }
  // Each network votes for a viewable ad that was not filtered.
  await sql`
    insert into delivery_hourly (hour, zone_id, kind, n)
      select date_trunc('hour', ${daysAgo(suite, 1)}::timestamptz, 'utc'), ${live.zone.id}, kind, 60
        from unnest(array['vote_rendered', 'vote_viewable', 'vote_judged']) as kind`.execute(
    suite.fixture.server.ctx.db,
  );
  ({ website } = live);
  await makeProduct(client, live.zone, { duration: 7, price: '63.00' });
  await makeProduct(client, await makeZone(client, website, { name: 'Fresh zone' }));
  await measureAgain(suite.fixture.server.ctx);
  const declared = await makeWebsite(client, { name: 'Card declared', monthlyVisitors: 30_000 });
  await makeProduct(client, await makeZone(client, declared));
  await makeWebsite(client, { name: 'Card empty', monthlyVisitors: 30_000 });
});
afterAll(() => assertNoErrors(person));

/** The figures of a card by their labels. */
async function figures(card: Locator): Promise<Record<string, string>> {
  const [labels, values] = [card.locator('dt'), card.locator('dd')];
  const texts = await values.allTextContents();
  return Object.fromEntries(
    (await labels.allTextContents()).map((label, index) => [label, texts[index] ?? '']),
  );
}

// Proves FCST-08, FCST-09, BROW-01
it('a marketplace card shows a range of views with its basis, and the measured figures beside the declared one', async () => {
  await page.goto('/marketplace?search=Card');
  const card = (name: string) => page.getByRole('article', { name });
  const measured = card('Card measured');
  await measured.getByText('40–360 views a day per ad zone, estimated from its measured ad zones').waitFor();
  await measured.getByText('184K monthly visitors').waitFor();
  await measured.getByText('Measured over 8 days: 100% viewable, 0% invalid').waitFor();
  // $60 buy 30 days of 180 views.
  expect(await figures(measured)).toEqual({ 'views a day': '180', CTR: '1.1%', 'per 1,000 views': '$11.11' });
  await card('Card declared')
    .getByText('50–2,000 views a day per ad zone, estimated from the publisher’s own figure')
    .waitFor();
  // An unmeasured zone has no figure, and no price per 1,000 views.
  expect(await figures(card('Card declared'))).toEqual({ Measured: 'Not measured yet' });
  expect(await card('Card empty').getByText('views a day').count()).toBe(0);
});

// Proves FCST-07
it('the second step of the wizard shows the views a day of each ad zone, and the views to expect from each pricing option', async () => {
  await walkTo(page, `/create-ad?type=text&website=${website.publicId}&step=2`);
  const zones = region('Ad zone');
  await zones.getByRole('button', { name: /40–320 views a day, measured in this zone/ }).waitFor();
  await zones
    .getByRole('button', {
      name: /Fresh zone.*90–360 views a day, estimated from other ad zones on this website/,
    })
    .waitFor();
  await zones.getByRole('button', { name: /^Measured zone/ }).click();
  // Half of 180 views, because an ad per day runs there. $63 buys 7 times 90 views.
  await region('Pricing option')
    .getByText('About 90 views a day for your ad, shared with 1 other ad · about $100.00 per 1,000 views')
    .waitFor();
});

// Proves FCST-09
it('a publisher sees the measured figures of their website and of each ad zone, or that there are none yet', async () => {
  await walkTo(page, '/ad-zones');
  await region('Card measured')
    .getByText('Measured over 8 days: 180 views a day, 100% viewable, 1.1% CTR, 0% invalid traffic')
    .first()
    .waitFor();
  for (const [zone, text] of [
    ['Measured zone', /Measured over 8 days: 180 views a day/],
    ['Fresh zone', /Not measured yet/],
  ] as const) {
    await page.getByRole('article', { name: zone }).getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByText(text).waitFor();
    await page.keyboard.press('Escape');
  }
});

/** The text of the card with this label, with each run of white space as one space. */
async function card(page: Page, section: string, label: string): Promise<string> {
  const text = page.getByTestId(section).getByText(label, { exact: true });
  // The card is the innermost button or <div> around the label.
  const box = text.locator('xpath=ancestor::*[self::button or self::div][1]');
  return (await box.innerText()).replaceAll(/\s+/g, ' ');
}

// Proves DASH-S-05, DASH-S-07, DASH-B-06, DASH-B-08, HOME-13, ENT-37, ENT-38, ENT-39
it('each card of the dashboards and of Home shows its own figures', async () => {
  const { page } = await suite.enter('both');
  await answer(page, '/api/analytics/earnings', {
    json: { totalEarnings: '1234.50', delivered: '1200.00', notDelivered: '34.50', thisMonth: '67.80' },
  });
  await answer(page, '/api/analytics/active-ad-zones', { json: { count: 4 } });
  await answer(page, '/api/analytics/spending', {
    json: {
      totalSpending: '2345.60',
      delivered: '2000.60',
      notDelivered: '345.00',
      thisMonth: '78.90',
      totalImpressions: 9001,
      totalClicks: 502,
      impressionsThisMonth: 303,
      clicksThisMonth: 14,
    },
  });
  await page.goto('/dashboard');
  await expect
    .poll(() => card(page, 'seller-analytics', 'Total Earnings'))
    .toMatch(/\$1,234\.50 .*\$67\.80 this month/i);
  await expect.poll(() => card(page, 'active-ad-zones', 'Active AdZones')).toMatch(/AdZones 4 /);
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  await expect
    .poll(() => card(page, 'buyer-analytics', 'Campaign Spend'))
    .toMatch(/\$2,345\.60 .*\$78\.90 this month/i);
  await expect.poll(() => card(page, 'buyer-analytics', 'Total Clicks')).toMatch(/502 .*14 this month/i);

  // Home shows the counts of this month. [OP-044]
  await walkTo(page, '/');
  const figures = page.getByRole('region', { name: 'Figures' });
  for (const count of ['$2,345.60', '303', '14']) await figures.getByText(count, { exact: true }).waitFor();
});

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
