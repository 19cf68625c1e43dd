/** 'How this was counted': the reports of an ad, the ones that were filtered by each reason, and the counted rest. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { addDays } from '#domain/analytics/days.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { HOUR_MS, utcDay } from '#domain/time.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { countFor, daysAgo, enterWithFigures, report } from './support/figures.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { answer, hold } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

const QUESTION = 'How this was counted';
const unfold = (of: Locator | Page) => of.getByRole('button', { name: QUESTION });
const summary = (of: Locator | Page) => of.getByRole('table', { name: 'From served to counted' });

/** Adds decisions, rendered impressions and filtered events to the 1,500 views and 33 clicks of `enterWithFigures`. */
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
  const rows = await summary(of).getByRole('row').all();
  const lines = rows.slice(1).map(async (row) => {
    const cells = await row.getByRole('cell').allInnerTexts();
    return cells.map((cell) => cell.trim().split('\n')[0]).join(' | ');
  });
  return await Promise.all(lines);
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
    const { page, ad } = await enterWithFigures(suite, side);
    await addReasons(ad);
    await page.goto('/dashboard');
    const shown = report(page, side);
    // Expand it by keyboard.
    await unfold(shown).focus();
    expect(await unfold(shown).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    expect(await linesOf(shown)).toEqual(LINES);
    for (const reason of ['frequency', 'duplicate', 'data_center', 'activity'] as const) {
      await summary(shown).getByText(REASON_TEXTS[reason].meaning).waitFor();
    }
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

    const [measurement] = await Promise.all([
      page.context().waitForEvent('page'),
      shown.getByRole('link', { name: 'What is counted, and why' }).click(),
    ]);
    await measurement.getByRole('heading', { name: 'What is counted, and why' }).waitFor();
    await measurement.getByText(REASON_TEXTS.data_center.meaning).waitFor();
    await unfold(shown).click();
    await expect.poll(() => summary(shown).count()).toBe(0);
  },
);

// Proves DEL-40, STAT-08
it('the CSV of how this was counted has every reason for each day', async () => {
  const { page, ad } = await enterWithFigures(suite, 'buyer');
  await addReasons(ad);
  await page.goto('/dashboard?range=7d');
  const shown = report(page);
  await unfold(shown).click();
  await summary(shown).waitFor();
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

// Proves DEL-40
it('the dialog of a campaign shows how that campaign alone was counted', async () => {
  const { page, ad, buyer, seller } = await enterWithFigures(suite, 'buyer', { ad: { title: 'Opened' } });
  await addReasons(ad);
  const other = await makeLiveAd(seller, buyer, { ad: { title: 'Other' } });
  await addReasons(other.ad);
  await page.goto('/dashboard');
  await page.getByRole('table', { name: 'My Campaigns' }).getByText('Opened').click();
  const dialog = page.getByRole('dialog', { name: 'Opened' });
  await unfold(dialog).click();
  // The views of two days ago are before the campaign was paid, so its dialog does not show them.
  expect(await linesOf(dialog)).toEqual([
    'Served | 4,000 | –',
    'Rendered | 2,200 | –',
    'Reported | 1,309 | 34',
    ...LINES.slice(3, -1),
    'Counted | 1,200 | 30',
  ]);
  expect(await axeFindings(page)).toEqual([]);
});

// Proves DEL-40
it('how this was counted says when it cannot load or is empty, and fits a phone', async () => {
  const { page, ad } = await enterWithFigures(suite, 'seller');
  await addReasons(ad);
  const shown = report(page, 'seller');
  await page.goto('/dashboard');
  const release = await hold(page, '/api/analytics/counting*');
  await unfold(shown).click();
  expect(await summary(shown).count()).toBe(0);
  release();
  expect(await linesOf(shown)).toEqual(LINES);
  for (const colorScheme of ['light', 'dark'] as const) {
    // With reduced motion, the colors change at once. Axe would otherwise measure them halfway.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await axeFindings(page, colorScheme)).toEqual([]);
  }
  await resize(page, { width: 375, height: 800 });
  expect([...(await sideways(page)), ...(await lostText(page))]).toEqual([]);
  await shown.getByRole('button', { name: 'Show per day' }).click();
  expect([...(await sideways(page)), ...(await axeFindings(page))]).toEqual([]);
  await resize(page, { width: 1280, height: 900 });

  await page.unrouteAll();
  await answer(page, '/api/analytics/counting*', { status: 500, json: { message: 'M1' } });
  await page.reload();
  await unfold(shown).click();
  await shown.getByText('Could not load the counting details').waitFor();
  await page.unrouteAll();
  await shown.getByRole('button', { name: 'Try again' }).click();
  await summary(shown).waitFor();

  const ago = (days: number) => utcDay(daysAgo(suite, days));
  await page.goto(`/dashboard?range=custom&from=${ago(20)}&to=${ago(10)}`);
  await unfold(shown).click();
  await shown
    .getByText('No ads were served in this period. Figures appear here once an ad is served.')
    .waitFor();
});

// Proves DEL-42
it('a publisher sees the hours with an unusual click-through rate beside the usual rate', async () => {
  const { page, ad, client } = await enterWithFigures(suite, 'seller');
  await page.goto('/dashboard');
  const shown = report(page, 'seller');
  await unfold(shown).click();
  await summary(shown).waitFor();
  const unusual = shown.getByRole('table', { name: 'Unusual hours' });
  expect(await unusual.count()).toBe(0);

  await countFor(suite.fixture.server, ad, { views: 20_000, clicks: 200, at: daysAgo(suite, 6) });
  await countFor(suite.fixture.server, ad, { views: 1000, clicks: 80, at: daysAgo(suite, 4) });
  await page.reload();
  await unfold(shown).click();
  await unusual.waitFor();
  const [, row] = await unusual.getByRole('row').all();
  const cells = (await row?.getByRole('cell').allInnerTexts())?.slice(1);
  expect(cells).toEqual(['The Daily Slot, Sidebar', '1,000', '80', '8.00%', '1.00%']);
  expect(await axeFindings(page)).toEqual([]);
  await resize(page, { width: 375, height: 800 });
  expect(await sideways(page)).toEqual([]);
  expect((await client.get('/api/analytics/earnings')).body.totalEarnings).toBe('170.00');
});

// Proves SIVT-03
it.each(['buyer', 'seller'] as const)(
  'the %s sees which hours were withdrawn, and why, and takes them along as CSV',
  async (side) => {
    const { page, ad } = await enterWithFigures(suite, side);
    const { pool } = suite.fixture.server.app;
    const at = new Date(Math.floor(daysAgo(suite, 3).getTime() / HOUR_MS) * HOUR_MS);
    const until = new Date(at.getTime() + HOUR_MS);
    await countFor(suite.fixture.server, ad, { views: 400, clicks: 3, at });
    await page.goto('/dashboard');
    const shown = report(page, side);
    await unfold(shown).click();
    await summary(shown).waitFor();
    const withdrawn = shown.getByRole('table', { name: 'Withdrawn hours' });
    expect(await withdrawn.count()).toBe(0);
    expect((await linesOf(shown)).at(-1)).toBe('Counted | 1,900 | 36');

    await pool.query('select withdraw_traffic($1, $2, $3, $4, $5)', [
      suite.fixture.server.ctx.now(),
      ad.adZoneId,
      at,
      until,
      JSON.stringify([
        { signal: 'network', value: 1, bound: 30 },
        { signal: 'browser', value: 1.2, bound: 2 },
        { signal: 'viewability', value: 0.995, bound: 0.9 },
      ]),
    ]);
    await page.reload();
    await unfold(shown).click();
    await withdrawn.waitFor();
    const cells = await withdrawn.getByRole('row').last().getByRole('cell').allInnerTexts();
    expect(cells.slice(1)).toEqual([
      'The Daily Slot, Sidebar',
      'As concentrated as 1.0 networks (bound: 30); as uniform as 1.2 browsers (bound: 2); viewability of at least 99.5% (bound: 90.0%).',
      '−400',
      '−3',
    ]);
    const lines = await linesOf(shown);
    expect(lines.slice(-2)).toEqual(['Withdrawn later | −400 | −3', 'Counted | 1,500 | 33']);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      shown.getByRole('button', { name: 'Download hours as CSV' }).click(),
    ]);
    const [head, row, ...rest] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(rest).toEqual([]);
    expect(head).toBe('From,Until,Website,Ad zone,Views,Clicks,Why,Withdrawn at,Given back at,Reason');
    expect(row).toContain(`${at.toISOString()},${until.toISOString()},The Daily Slot,Sidebar,400,3,`);

    expect(await axeFindings(page)).toEqual([]);
    await resize(page, { width: 375, height: 800 });
    expect(await sideways(page)).toEqual([]);
    await resize(page, { width: 320, height: 800 });
    expect(await sideways(page)).toEqual([]);
  },
);
