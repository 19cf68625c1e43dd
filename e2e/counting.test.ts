/** 'How this was counted': from all that was reported, through each reason, to what was counted. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { addDays } from '#domain/analytics/days.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { utcDay } from '#domain/time.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { countFor, daysAgo, enterWithFigures, report } from './support/figures.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { answer, hold } from './support/people.ts';
import { useStage } from './support/use-stage.ts';

const house = useStage();

const QUESTION = 'How this was counted';
const unfold = (of: Locator | Page) => of.getByRole('button', { name: QUESTION });
const summary = (of: Locator | Page) =>
  of.getByRole('table', { name: 'From all reports to what was counted' });

/** Beside the 1,500 views and 33 clicks of the figures: what was chosen, drawn, and not counted. */
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
  await house.stage.server.app.pool.query(
    `insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      select date_trunc('hour', $1::timestamptz), $2, $3, kind, reason, n
        from unnest($4::text[], $5::text[], $6::int[]) as given (kind, reason, n)`,
    [
      daysAgo(house, 0),
      ad.id,
      ad.adZoneId,
      rows.map(([kind]) => kind),
      rows.map(([, reason]) => reason),
      rows.map(([, , n]) => n),
    ],
  );
}

/** Name of each line, views, clicks; without what the name means. */
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
  'Chosen | 4,000 | –',
  'Drawn | 2,500 | –',
  'Reported | 1,609 | 37',
  'Too often | −30 | –',
  'Repeated | −9 | –',
  'Data center | −70 | –',
  'Unusual activity | – | −4',
  'Counted | 1,500 | 33',
];

it.each(['buyer', 'seller'] as const)(
  'DEL-40 DEL-41 the %s goes from all reports to what was counted, per day too, and on to what it means',
  async (side) => {
    const { page, ad } = await enterWithFigures(house, side);
    await addReasons(ad);
    await page.goto('/dashboard');
    const shown = report(page, side);
    // By keyboard: fold out, and on through what is there.
    await unfold(shown).focus();
    expect(await unfold(shown).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    expect(await linesOf(shown)).toEqual(LINES);
    for (const reason of ['frequency', 'duplicate', 'data_center', 'activity'] as const) {
      await summary(shown).getByText(REASON_TEXTS[reason].meaning).waitFor();
    }
    // 1,600 seen of 2,500 drawn: a report that was repeated is one.
    await shown.getByText('Viewability: 64.0 % of what was drawn was seen.').waitFor();

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
    await shown.getByRole('button', { name: 'Show as a whole' }).click();

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

it('DEL-40 STAT-08 is downloaded with every reason, bucket by bucket', async () => {
  const { page, ad } = await enterWithFigures(house, 'buyer');
  await addReasons(ad);
  await page.goto('/dashboard?range=7d');
  const shown = report(page);
  await unfold(shown).click();
  await summary(shown).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  const today = utcDay(daysAgo(house, 0));
  expect(file.suggestedFilename()).toBe(`openslot-counting-per-day-${addDays(today, -6)}-to-${today}.csv`);
  const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(7);
  const names = head.split(',');
  expect(names).toHaveLength(7 + 2 * REASONS.length);
  const cells = Object.fromEntries(names.map((name, index) => [name, lines.at(-1)?.split(',')[index]]));
  expect(cells).toMatchObject({
    'Day (first day)': today,
    Chosen: '4000',
    Drawn: '2200',
    'Views reported': '1309',
    'Views not counted: Data center': '70',
    'Views not counted: Robot': '0',
    'Views counted': '1200',
    'Clicks reported': '34',
    'Clicks not counted: Unusual activity': '4',
    'Clicks counted': '30',
  });
});

it('DEL-40 in a campaign’s dialog it is of that campaign alone', async () => {
  const { page, ad, buyer, seller } = await enterWithFigures(house, 'buyer', { ad: { title: 'Opened' } });
  await addReasons(ad);
  const other = await makeLiveAd(seller, buyer, { ad: { title: 'Other' } });
  await addReasons(other.ad);
  await page.goto('/dashboard');
  await page.getByRole('table', { name: 'My Campaigns' }).getByText('Opened').click();
  const dialog = page.getByRole('dialog', { name: 'Opened' });
  await unfold(dialog).click();
  // What was counted two days ago, before it was paid, is outside its days.
  expect(await linesOf(dialog)).toEqual([
    'Chosen | 4,000 | –',
    'Drawn | 2,200 | –',
    'Reported | 1,309 | 34',
    ...LINES.slice(3, -1),
    'Counted | 1,200 | 30',
  ]);
  expect(await axeFindings(page)).toEqual([]);
});

it('DEL-40 waits, fails and is empty with words, and fits a phone', async () => {
  const { page, ad } = await enterWithFigures(house, 'seller');
  await addReasons(ad);
  const shown = report(page, 'seller');
  await page.goto('/dashboard');
  const release = await hold(page, '/api/analytics/counting*');
  await unfold(shown).click();
  expect(await summary(shown).count()).toBe(0);
  release();
  expect(await linesOf(shown)).toEqual(LINES);
  for (const colorScheme of ['light', 'dark'] as const) {
    // Colours change at once, so that none is caught half-way.
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
  await shown.getByText('Could not load how this was counted').waitFor();
  await page.unrouteAll();
  await shown.getByRole('button', { name: 'Try again' }).click();
  await summary(shown).waitFor();

  const ago = (days: number) => utcDay(daysAgo(house, days));
  await page.goto(`/dashboard?range=custom&from=${ago(20)}&to=${ago(10)}`);
  await unfold(shown).click();
  await shown
    .getByText('No ad was chosen for a page in these days, so there was nothing to count.')
    .waitFor();
});

it('DEL-42 a publisher is shown the hours that stand out, with what is usual', async () => {
  const { page, ad, client } = await enterWithFigures(house, 'seller');
  await page.goto('/dashboard');
  const shown = report(page, 'seller');
  await unfold(shown).click();
  await summary(shown).waitFor();
  const unusual = shown.getByRole('table', { name: 'Hours that stand out' });
  expect(await unusual.count()).toBe(0);

  await countFor(house.stage.server, ad, { views: 20_000, clicks: 200, at: daysAgo(house, 6) });
  await countFor(house.stage.server, ad, { views: 1000, clicks: 80, at: daysAgo(house, 4) });
  await page.reload();
  await unfold(shown).click();
  await unusual.waitFor();
  const [, row] = await unusual.getByRole('row').all();
  const cells = (await row?.getByRole('cell').allInnerTexts())?.slice(1);
  expect(cells).toEqual(['The Daily Slot, Sidebar', '1,000', '80', '8.00 %', '1.00 %']);
  expect(await axeFindings(page)).toEqual([]);
  await resize(page, { width: 375, height: 800 });
  expect(await sideways(page)).toEqual([]);
  expect((await client.get('/api/analytics/earnings')).body.totalEarnings).toBe('170.00');
});
