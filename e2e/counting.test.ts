/** 'How this was counted': the reports of an ad, the ones that were filtered by each reason, and the counted rest. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { addDays } from '#domain/analytics/days.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { HOUR_MS, utcDay } from '#domain/time.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { countFor, daysAgo, report } from './support/figures.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { answer, assertNoErrors, enterAs, hold, walkTo } from './support/people.ts';
import type { Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** The publisher and advertiser of one campaign. Their dashboard stays open from test to test. */
let person: Person & { client: Client };
let page: Page;
let ad: Ad;

beforeAll(async () => {
  person = await enterAs(suite.fixture, 'both');
  ({ page } = person);
  const product = { price: '200', duration: 30 };
  ({ ad } = await makeLiveAd(person.client, person.client, { product, ad: { title: 'Opened' } }));
  await countFor(suite.fixture.server, ad, { views: 1200, clicks: 30 });
  await countFor(suite.fixture.server, ad, { views: 300, clicks: 3, at: daysAgo(suite, 2) });
  await addReasons(ad);
});
afterAll(() => assertNoErrors(person));

const DASHBOARDS = { buyer: 'Buyer Dashboard', seller: 'Seller Dashboard' };
/** The publisher's report, for axe. */
const SECTION = '[aria-label="Performance"]';

const QUESTION = 'How this was counted';
const unfold = (of: Locator | Page) => of.getByRole('button', { name: QUESTION });
const summary = (of: Locator | Page) => of.getByRole('table', { name: 'From served to counted' });

/** Shows the report of this side. The page has to be loaded or reloaded first. */
async function openReport(side: 'buyer' | 'seller'): Promise<Locator> {
  await page.getByRole('tab', { name: DASHBOARDS[side] }).click();
  return report(page, side);
}

/** Adds decisions, rendered impressions and filtered events to the 1,500 views and 33 clicks. */
async function addReasons(ad: Ad): Promise<void> {
  const rows = [
    ['decision', '', 4000],
    ['rendered', '', 905],
    ['rendered', 'duplicate', 5],
    ['view', 'data_center', 70],
    ['view', 'frequency', 30],
    ['view', 'duplicate', 9],
    ['click', 'activity', 4],
  ] as const;
  await suite.fixture.server.app.pool.query(
    `insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      select date_trunc('hour', $1::timestamptz), $2, $3, kind, reason, n
        from unnest($4::text[], $5::text[], $6::int[]) as given (kind, reason, n)`,
    [
      daysAgo(suite, 0),
      ad.id,
      ad.adZoneId,
      rows.map(([kind]) => kind),
      rows.map(([, reason]) => reason),
      rows.map(([, , n]) => n),
    ],
  );
}

/** The name, views and clicks of each line, without the explanation below the name. */
async function linesOf(of: Locator | Page): Promise<string[]> {
  await summary(of).waitFor();
  return await summary(of).evaluate((table) =>
    [...table.querySelectorAll('tr')]
      .slice(1)
      .map((row) => [...row.cells].map((cell) => cell.innerText.trim().split('\n')[0]).join(' | ')),
  );
}

const LINES = [
  'Served | 4,000 | –',
  'Rendered | 2,500 | –',
  'Reported | 1,609 | 37',
  'Too often | −30 | –',
  'Repeated | −9 | –',
  'Data center | −70 | –',
  'Unusual activity | – | −4',
  'Counted | 1,500 | 33',
];

// Proves DEL-40, DEL-41
it.each(['buyer', 'seller'] as const)(
  'the %s sees how the reports became counted views and clicks, also per day, and what each reason means',
  async (side) => {
    if (side === 'buyer') await page.goto('/dashboard');
    const shown = await openReport(side);
    // Expand it by keyboard.
    await unfold(shown).focus();
    expect(await unfold(shown).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    expect(await linesOf(shown)).toEqual(LINES);
    const text = await summary(shown).innerText();
    for (const reason of ['frequency', 'duplicate', 'data_center', 'activity'] as const)
      expect(text).toContain(REASON_TEXTS[reason].meaning);
    // 1,600 of 2,500 rendered impressions were viewable. A repeated report counts as one.
    await shown.getByText('Viewability: 64.0% of rendered impressions were viewable.').waitFor();

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const days = shown.getByRole('table', { name: /^Counted per day/ });
    const today = days.getByRole('row').last();
    expect(await today.getByRole('cell').allInnerTexts()).toEqual([
      expect.any(String),
      '4,000',
      '2,200',
      '1,309',
      '109',
      '1,200',
      '34',
      '4',
      '30',
    ]);
    expect(await days.getByRole('row').count()).toBe(31);
    await shown.getByRole('button', { name: 'Show totals' }).click();
    await unfold(shown).click();
    await expect.poll(() => summary(shown).count()).toBe(0);
  },
);

// Proves DEL-40, DEL-41
it('how this was counted leads to the page about what is counted, says when it cannot load or is empty, and fits a phone', async () => {
  const shown = report(page, 'seller');
  const ago = (days: number) => utcDay(daysAgo(suite, days));
  const release = await hold(page, '/api/analytics/counting*');
  await walkTo(page, `/dashboard?range=custom&from=${ago(20)}&to=${ago(10)}`);
  await unfold(shown).click();
  expect(await summary(shown).count()).toBe(0);
  release();
  await shown
    .getByText('No ads were served in this period. Figures appear here once an ad is served.')
    .waitFor();
  const [measurement] = await Promise.all([
    page.context().waitForEvent('page'),
    shown.getByRole('link', { name: 'What is counted, and why' }).click(),
  ]);
  await measurement.getByRole('heading', { name: 'What is counted, and why' }).waitFor();
  await measurement.getByText(REASON_TEXTS.data_center.meaning).waitFor();
  await measurement.close();

  await page.unrouteAll();
  await answer(page, '/api/analytics/counting*', { status: 500, json: { message: 'M1' } });
  await walkTo(page, '/dashboard?range=7d');
  await shown.getByText('Could not load the counting details').waitFor();
  await page.unrouteAll();
  await shown.getByRole('button', { name: 'Try again' }).click();
  expect(await linesOf(shown)).toEqual(LINES);

  expect(await axeFindings(page, 'light', SECTION)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await axeFindings(page, 'dark', SECTION)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await resize(page, { width: 375, height: 800 });
  expect([...(await sideways(page)), ...(await lostText(page))]).toEqual([]);
  await shown.getByRole('button', { name: /^Show per / }).click();
  expect([...(await sideways(page)), ...(await axeFindings(page, 'light', SECTION))]).toEqual([]);
  await resize(page, { width: 1280, height: 900 });
});

// Proves DEL-40, STAT-08
it('the CSV of how this was counted has every reason for each day', async () => {
  await walkTo(page, '/dashboard?range=7d');
  const shown = await openReport('buyer');
  await unfold(shown).click();
  await shown
    .locator('[aria-busy=false]')
    .filter({ has: summary(page) })
    .waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  const today = utcDay(daysAgo(suite, 0));
  expect(file.suggestedFilename()).toBe(`openslot-counting-per-day-${addDays(today, -6)}-to-${today}.csv`);
  const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(7);
  const names = head.split(',');
  expect(names).toHaveLength(9 + 2 * REASONS.length);
  const cells = Object.fromEntries(names.map((name, index) => [name, lines.at(-1)?.split(',')[index]]));
  expect(cells).toMatchObject({
    'Day (first day)': today,
    Served: '4000',
    Rendered: '2200',
    'Views reported': '1309',
    'Views not counted: Data center': '70',
    'Views not counted: Robot': '0',
    'Views counted': '1200',
    'Clicks reported': '34',
    'Clicks not counted: Unusual activity': '4',
    'Clicks counted': '30',
    'Clicks measured for landings': '0',
    Landings: '0',
  });
});

// Proves SIVT-03
it('both sides see which hours were withdrawn, and why, and download them as CSV', async () => {
  const { server } = suite.fixture;
  const at = new Date(Math.floor(daysAgo(suite, 3).getTime() / HOUR_MS) * HOUR_MS);
  const until = new Date(at.getTime() + HOUR_MS);
  const withdrawnIn = (shown: Locator) => shown.getByRole('table', { name: 'Withdrawn traffic' });
  await countFor(server, ad, { views: 400, clicks: 3, at });
  await page.goto('/dashboard');
  for (const side of ['buyer', 'seller'] as const) {
    const shown = await openReport(side);
    await unfold(shown).click();
    expect((await linesOf(shown)).at(-1)).toBe('Counted | 1,900 | 36');
    expect(await withdrawnIn(shown).count()).toBe(0);
  }

  await server.app.pool.query('select withdraw_traffic($1, $2, $3, $4, $5)', [
    server.ctx.now(),
    ad.adZoneId,
    at,
    until,
    JSON.stringify([
      { signal: 'network', value: 1, bound: 30 },
      { signal: 'browser', value: 1.2, bound: 2 },
      { signal: 'viewability', value: 0.995, bound: 0.9 },
    ]),
  ]);
  // Another range is loaded anew.
  await walkTo(page, '/dashboard?range=7d');
  for (const side of ['seller', 'buyer'] as const) {
    const shown = await openReport(side);
    if (side === 'buyer') await unfold(shown).click();
    await withdrawnIn(shown).waitFor();
    const cells = await withdrawnIn(shown).getByRole('row').last().getByRole('cell').allInnerTexts();
    expect(cells.slice(1)).toEqual([
      'The Daily Slot, Sidebar',
      'As concentrated as 1.0 networks (bound: 30); as uniform as 1.2 browsers (bound: 2); viewability of at least 99.5% (bound: 90.0%).',
      '−400',
      '−3',
    ]);
    expect((await linesOf(shown)).slice(-2)).toEqual(['Withdrawn later | −400 | −3', 'Counted | 1,500 | 33']);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      shown.getByRole('button', { name: 'Download table as CSV' }).click(),
    ]);
    const [head, row, ...rest] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(rest).toEqual([]);
    expect(head).toBe('From,Until,Website,Ad zone,Views,Clicks,Why,Withdrawn at,Overruled at,Reason');
    expect(row).toContain(`${at.toISOString()},${until.toISOString()},The Daily Slot,Sidebar,400,3,`);
  }
  // Both sides show the same table. What is too wide for any window is too wide for the narrowest.
  expect(await axeFindings(page, 'light', '[aria-label="Withdrawn traffic"]')).toEqual([]);
  await resize(page, { width: 320, height: 800 });
  expect(await sideways(page)).toEqual([]);
  await resize(page, { width: 1280, height: 900 });
});

// Proves DEL-42
it('a publisher sees the hours with an unusual click-through rate beside the usual rate', async () => {
  const shown = await openReport('seller');
  const unusual = shown.getByRole('table', { name: 'Unusual hours' });
  const ago = (days: number) => utcDay(daysAgo(suite, days));
  await unfold(shown).click();
  await summary(shown).waitFor();
  expect(await unusual.count()).toBe(0);

  await countFor(suite.fixture.server, ad, { views: 20_000, clicks: 200, at: daysAgo(suite, 6) });
  await countFor(suite.fixture.server, ad, { views: 1000, clicks: 80, at: daysAgo(suite, 4) });
  await walkTo(page, `/dashboard?range=custom&from=${ago(8)}&to=${ago(0)}`);
  await unusual.waitFor();
  const [, row] = await unusual.getByRole('row').all();
  const cells = (await row?.getByRole('cell').allInnerTexts())?.slice(1);
  expect(cells).toEqual(['The Daily Slot, Sidebar', '1,000', '80', '8.00%', '1.00%']);
  // While the section fades in, its text has too little contrast.
  await expect.poll(async () => await axeFindings(page, 'light', '[aria-label="Unusual hours"]')).toEqual([]);
  await resize(page, { width: 375, height: 800 });
  expect(await sideways(page)).toEqual([]);
  await resize(page, { width: 1280, height: 900 });
  expect((await person.client.get('/api/analytics/earnings')).body.totalEarnings).toBe('170.00');
});

// Proves DEL-40
it('the dialog of a campaign shows how that campaign alone was counted', async () => {
  const other = await makeLiveAd(person.client, person.client, { ad: { title: 'Other' } });
  await addReasons(other.ad);
  await openReport('buyer');
  await page.getByRole('table', { name: 'My Campaigns' }).getByText('Opened').click();
  const dialog = page.getByRole('dialog', { name: 'Opened' });
  await unfold(dialog).click();
  // The views of the days before are before the campaign was paid, so its dialog does not show them.
  expect(await linesOf(dialog)).toEqual([
    'Served | 4,000 | –',
    'Rendered | 2,200 | –',
    'Reported | 1,309 | 34',
    ...LINES.slice(3, -1),
    'Counted | 1,200 | 30',
  ]);
  expect(await axeFindings(page, 'light', '[role=dialog]')).toEqual([]);
});
