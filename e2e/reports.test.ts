import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Bucket } from '#domain/analytics/contract.ts';
import { addDays } from '#domain/analytics/days.ts';
import { utcDay } from '#domain/time.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { chart, countFor, daysAgo, makeFigures, report, rowOf, spoken, tile } from './support/figures.ts';
import { answer, hold, pathOf, recordCalls, runUntil, stopClock } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
/** The publisher of the first tests and the advertiser of all others, on one computer. */
const person = useResident(suite, 'seller');
let seller: Client;
let buyer: Client;
/** The campaign of all tests but the first. */
let ad: Ad;

const ago = (days: number) => daysAgo(suite, days);

async function seriesOf(client: Client, query: string): Promise<Bucket[]> {
  return ((await client.get(`/api/analytics/series?${query}`)).body as { buckets: Bucket[] }).buckets;
}

/** The cells of the chart's table, row by row. */
async function tableOf(of: Locator): Promise<string[][]> {
  await of.getByRole('button', { name: 'Show as table' }).click();
  const table = of.getByRole('table', { name: /^Figures per/ });
  await table.waitFor();
  const texts = await table.getByRole('row').allInnerTexts();
  await of.getByRole('button', { name: 'Show as chart' }).click();
  return texts.map((text) => text.split(/\s*[\t\n]\s*/).filter((cell) => cell !== ''));
}

describe('a report', () => {
  // Proves STAT-11, API-07
  it('says what to do when it is empty', async () => {
    const { page } = person;
    await person.open('/dashboard');
    await report(page, 'seller').getByText('No figures yet').waitFor();
    expect(await chart(report(page, 'seller')).count()).toBe(0);
    await report(page, 'seller').getByRole('link', { name: 'My Ad Zones' }).click();
    await page.waitForURL('**/ad-zones');
    seller = person.client;
    buyer = await suite.client('buyer');
    const title = `Fresh coffee ${'A'.repeat(87)}`;
    ({ ad } = await makeFigures(suite, seller, buyer, { ad: { title } }));
  });

  // Proves STAT-05, STAT-02, FIG-06
  it.each([
    // Half of $200 is delivered.
    ['seller', 'Earnings', '$85.00', ['$56.67', '$70.83'], ['$2.58', '$2.83']],
    ['buyer', 'Spend', '$100.00', ['$66.67', '$83.33'], ['$3.03', '$3.33']],
  ] as const)(
    'shows the %s the server’s figures as totals, chart and table',
    async (side, money, amount, cpm, cpc) => {
      const { page } = person;
      const client = side === 'buyer' ? buyer : person.client;
      if (side === 'buyer') await person.become(buyer);
      // A load, because another user has signed in, or the list of the publisher's zones was read before.
      await page.goto('/dashboard');
      const shown = report(page, side);
      await tile(shown, 'Impressions').getByText('1,500').waitFor();
      for (const [name, total, today] of [
        ['Impressions', '1,500', '1,200 impressions'],
        ['Clicks', '33', '30 clicks'],
        ['Click-through rate', '2.20%', '2.50% click-through rate'],
        ['CPM', cpm[0], `${cpm[1]} CPM`],
        ['CPC', cpc[0], `${cpc[1]} CPC`],
        [money, amount, `${amount} ${money.toLowerCase()}`],
      ] as const) {
        await tile(shown, name).getByText(total, { exact: true }).waitFor();
        await tile(shown, name).click();
        expect(await tile(shown, name).getAttribute('aria-pressed')).toBe('true');
        expect(await chart(shown).getAttribute('aria-label')).toContain(`${name} per day`);
        expect(await spoken(shown)).toContain(`: ${today} so far`);
        await tile(shown, name).getByText('none before').waitFor();
      }
      // The height of a bar is proportional: 1,200 and 300 views, and no bar for the day between them.
      await tile(shown, 'Impressions').click();
      const heights = await shown
        .locator('[data-bar]')
        .evaluateAll((bars) =>
          bars.map((bar) => [bar.getAttribute('data-bar'), bar.getBoundingClientRect().height] as const),
        );
      expect(heights.map(([day]) => day)).toEqual([utcDay(ago(2)), utcDay(ago(0))]);
      expect((heights[1]?.[1] ?? 0) / (heights[0]?.[1] ?? 1)).toBeCloseTo(4, 1);
      const query = `side=${side}&step=day&from=${addDays(utcDay(ago(0)), -29)}&to=${utcDay(ago(0))}`;
      const buckets = await seriesOf(client, query);
      const rows = (await tableOf(shown)).slice(1);
      expect(rows.length).toBe(30);
      const dollars = (value: string | null) => (value === null ? '–' : `$${value}`);
      expect(rows.map((cells) => [...cells.slice(1, 3), ...cells.slice(4)])).toEqual(
        buckets.map(({ impressions, clicks, cpm, cpc, amount, paid }) => [
          impressions.toLocaleString('en-US'),
          String(clicks),
          ...[cpm, cpc, amount, paid].map(dollars),
        ]),
      );
    },
  );

  // Proves STAT-05, STAT-01
  it('keeps the chosen range and step in the URL and says why a choice is not possible', async () => {
    const { page, client } = person;
    await person.open('/dashboard');
    const shown = report(page);
    await tile(shown, 'Impressions').getByText('1,500').waitFor();
    const days = shown.getByLabel('Date range', { exact: true });
    const step = shown.getByLabel('Interval', { exact: true });
    const options = () =>
      step
        .getByRole('option')
        .evaluateAll((all) =>
          all.map((option) => [option.textContent, (option as HTMLOptionElement).disabled]),
        );
    const today = utcDay(ago(0));

    await days.selectOption('Last 7 days');
    await page.waitForURL('**/dashboard?range=7d');
    await chart(shown).and(page.locator('[aria-valuemax="7"]')).waitFor();
    expect(await options()).toEqual([
      ['Per day', false],
      ['Per week (14 days or more)', true],
      ['Per month (60 days or more)', true],
    ]);

    await days.selectOption('Last 12 months');
    await expect.poll(() => chart(shown).getAttribute('aria-label')).toContain('Impressions per week');
    await step.selectOption('Per month');
    await page.waitForURL('**/dashboard?range=12m&step=month');
    await chart(shown).and(page.locator('[aria-valuemax="12"]')).waitFor();
    const months = await seriesOf(
      client,
      `side=buyer&step=month&from=${addDays(today, -340).slice(0, 8)}01&to=${today}`,
    );
    expect(await spoken(shown)).toContain(
      `${months.at(-1)?.impressions.toLocaleString('en-US')} impressions`,
    );

    // All time begins with the account, which was created today.
    await days.selectOption('All time');
    await chart(shown).and(page.locator('[aria-valuemax="1"]')).waitFor();
    await tile(shown, 'Impressions').getByText('1,200').waitFor();

    await days.selectOption('Custom range');
    await shown.getByLabel('From').fill(addDays(today, -3));
    await shown.getByLabel('To').fill(addDays(today, -1));
    await chart(shown).and(page.locator('[aria-valuemax="3"]')).waitFor();
    await tile(shown, 'Impressions').getByText('300').waitFor();
    expect(pathOf(page)).toBe(`/dashboard?range=custom&from=${addDays(today, -3)}&to=${addDays(today, -1)}`);
    // 'so far' is said only of today.
    expect(await spoken(shown)).not.toContain('so far');
    await shown.getByLabel('From').fill(today);
    await shown.getByText('The start date must not be after the end date', { exact: true }).waitFor();
    expect(await shown.getByLabel('From').getAttribute('aria-invalid')).toBe('true');
    expect(await chart(shown).getAttribute('aria-valuemax')).toBe('3');

    await page.reload();
    await tile(report(page), 'Impressions').getByText('300').waitFor();
    await person.open('/dashboard?range=nonsense&step=month');
    await chart(shown).and(page.locator('[aria-valuemax="30"]')).waitFor();
  });

  // Proves STAT-11, API-07
  it('keeps its height while it loads, and offers a retry', async () => {
    const { page } = person;
    const shown = report(page);
    const release = await hold(page, '/api/analytics/series*');
    await page.goto('/dashboard');
    await tile(shown, 'Impressions').getByText('...').waitFor();
    await rowOf(shown, 'Fresh coffee').waitFor();
    const height = async () => (await shown.boundingBox())?.height;
    const loading = await height();
    release();
    await chart(shown).waitFor();
    expect(await height()).toBe(loading);

    await page.unrouteAll();
    await answer(page, '/api/analytics/series*', { status: 500, json: { message: 'M1' } });
    await answer(page, '/api/analytics/breakdown*', null);
    // Without its clock, the page loads again only when the button is pressed, or the trend in the cards above appears.
    await stopClock(page);
    await page.reload();
    await runUntil(page, () =>
      page.getByTestId('buyer-analytics').getByText('this month').first().isVisible(),
    );
    await runUntil(page, () => shown.getByText('Could not load the figures').isVisible());
    await runUntil(page, () => shown.getByText('Could not load the campaigns').isVisible());
    await page.unrouteAll();
    for (const retry of [1, 0]) await shown.getByRole('button', { name: 'Try again' }).nth(retry).click();
    await runUntil(page, () => tile(shown, 'Impressions').getByText('1,500').isVisible());
    await runUntil(page, () => rowOf(shown, 'Fresh coffee').isVisible());
    await page.clock.resume();

    // A range without figures says so instead of showing bars.
    await person.open(`/dashboard?range=custom&from=${utcDay(ago(20))}&to=${utcDay(ago(10))}`);
    await shown.getByText('No data for this period').waitFor();
    await shown
      .getByText('No campaigns had impressions, clicks or payments in this period. Try a longer one.')
      .waitFor();
  });
});

describe('a chart', () => {
  // Proves STAT-07, STAT-05
  it('is a single tab stop in which the arrow keys, Home and End move between days and announce them; the pointer shows its day, and a touch keeps it', async () => {
    const { page } = person;
    await person.open('/dashboard');
    const shown = report(page);
    await tile(shown, 'Impressions').getByText('1,500').waitFor();
    await tile(shown, 'Spend').focus();
    await page.keyboard.press('Tab');
    expect(await chart(shown).evaluate((element) => element === document.activeElement)).toBe(true);
    const tip = shown.locator('[data-chart-tip]');
    const at = async () => [
      await chart(shown).getAttribute('aria-valuenow'),
      (await spoken(shown))?.split(': ')[1],
    ];
    expect(await at()).toEqual(['30', '1,200 impressions so far']);
    await tip.getByText('1,200', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    expect(await at()).toEqual(['29', '0 impressions']);
    await page.keyboard.press('ArrowLeft');
    expect(await at()).toEqual(['28', '300 impressions']);
    await tip.getByText('300', { exact: true }).waitFor();
    await page.keyboard.press('Home');
    expect(await at()).toEqual(['1', '0 impressions']);
    await page.keyboard.press('ArrowLeft');
    expect(await at()).toEqual(['1', '0 impressions']);
    await page.keyboard.press('ArrowRight');
    expect((await at())[0]).toBe('2');
    await page.keyboard.press('PageUp');
    expect((await at())[0]).toBe('9');
    await page.keyboard.press('End');
    expect(await at()).toEqual(['30', '1,200 impressions so far']);
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(ago(0));
    expect(await spoken(shown)).toContain(day);
    await page.keyboard.press('Tab');
    await tip.waitFor({ state: 'detached' });

    // The chart's table opens by keyboard, and its scrolling region takes the focus.
    await shown.getByRole('button', { name: 'Show as table' }).focus();
    await page.keyboard.press('Enter');
    const table = shown.getByRole('region', { name: /^Figures per day/ });
    await table.waitFor();
    await table.focus();
    await page.keyboard.press('End');
    await expect.poll(() => table.evaluate((element) => element.scrollTop > 100)).toBe(true);
    expect(await chart(shown).count()).toBe(0);

    await shown.getByRole('button', { name: 'Show as chart' }).click();
    await shown.locator('[data-bar]').first().hover();
    expect(await tip.innerText()).toMatch(
      /Impressions\s*300\s*Clicks\s*3\s*Click-through rate\s*1.00%\s*CPM\s*\$0.00\s*CPC\s*\$0.00\s*Spend\s*\$0.00/,
    );
    await page.mouse.move(5, 5);
    await tip.waitFor({ state: 'detached' });
    const box = await chart(shown).boundingBox();
    const touch = { pointerType: 'touch', clientX: (box?.x ?? 0) + (box?.width ?? 0) - 20 };
    await chart(shown).dispatchEvent('pointerdown', touch);
    await tip.getByText('1,200', { exact: true }).waitFor();
    await chart(shown).dispatchEvent('pointerout', touch);
    expect(await tip.count()).toBe(1);
  });

  // Proves STAT-11, A11Y-05
  it('fits a window of 320 px and follows the window when it becomes wider', async () => {
    const { page } = person;
    await page.setViewportSize({ width: 320, height: 700 });
    await person.open('/dashboard?range=90d');
    const shown = report(page);
    await tile(shown, 'Impressions').getByText('1,500').waitFor();
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const chartWidth = async () => (await chart(shown).locator('svg').boundingBox())?.width ?? 0;
    // At this width, ninety days are a line instead of bars.
    await expect.poll(chartWidth).toBeLessThan(290);
    expect(await shown.locator('[data-bar]').count()).toBe(0);
    expect(await sideways()).toBe(0);
    await chart(shown).focus();
    for (const key of ['End', 'Home']) {
      await page.keyboard.press(key);
      const tip = await shown.locator('[data-chart-tip]').boundingBox();
      expect([tip && tip.x >= 0, tip && tip.x + tip.width <= 320]).toEqual([true, true]);
    }
    await shown.getByRole('button', { name: 'Show as table' }).click();
    expect(await sideways()).toBe(0);
    await shown.getByRole('button', { name: 'Show as chart' }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(chartWidth).toBeGreaterThan(900);
    await shown.locator('[data-bar]').first().waitFor();
  });
});

// Each test adds figures to those of the tests before.
describe('a report', () => {
  // Proves STAT-03, STAT-04, STAT-05
  it('is limited to one campaign, zone or website by a press on its row, and shows all again', async () => {
    const { page, client } = person;
    const second = await makeLiveAd(seller, client, {
      ad: { title: 'The small one' },
      website: { name: 'Small site' },
      product: { price: '10', pricingModel: 'per_impression', impressions: 800, duration: null },
    });
    await countFor(suite.fixture.server, second.ad, { views: 400, clicks: 8 });
    await person.open('/dashboard');
    const shown = report(page);
    const names = async () =>
      (await shown.getByRole('table').getByRole('button').allInnerTexts()).map((text) => text.split('\n')[0]);
    await tile(shown, 'Impressions').getByText('1,900').waitFor();
    await expect.poll(names).toEqual([ad.title, 'The small one']);
    expect((await rowOf(shown, 'The small one').getByRole('cell').allInnerTexts()).slice(1)).toEqual([
      '400',
      '8',
      '2.00%',
      '$12.50',
      '$0.63',
      '$5.00',
    ]);

    await rowOf(shown, 'The small one').getByRole('button').click();
    await tile(shown, 'Impressions').getByText('400', { exact: true }).waitFor();
    await expect.poll(names).toEqual(['The small one']);
    await shown.getByRole('tab', { name: 'Websites' }).click();
    await expect.poll(names).toEqual(['Small site']);

    const only = shown.getByRole('button', { name: /^The small one.*remove filter$/ });
    await only.click();
    await tile(shown, 'Impressions').getByText('1,900').waitFor();
    expect(await only.count()).toBe(0);
    await expect.poll(names).toHaveLength(2);
    await shown.getByRole('tab', { name: 'Ad zones' }).click();
    await expect.poll(names).toEqual(['Sidebar', 'Sidebar']);
    await rowOf(shown, 'Small site').getByRole('button').click();
    await tile(shown, 'Spend').getByText('$5.00', { exact: true }).waitFor();
  });

  // Proves STAT-05, STAT-01
  it('uses the days of the user’s timezone and names it', async () => {
    const { page, client } = person;
    await client.patch('/api/user/settings', { timezone: 'Asia/Tokyo' });
    // At 15:00 UTC, the next day begins in Tokyo.
    const evening = new Date(`${utcDay(ago(4))}T15:00:00Z`);
    await countFor(suite.fixture.server, ad, { views: 7, clicks: 0, at: evening });
    await page.goto('/dashboard');
    const shown = report(page);
    await shown.getByText('days in Tokyo time').waitFor();
    const bars = shown.locator('[data-bar]');
    await bars.first().waitFor();
    expect(await bars.first().getAttribute('data-bar')).toBe(utcDay(ago(3)));
    await shown.getByRole('link', { name: 'change' }).click();
    await page.waitForURL('**/settings');
  });

  // Proves FIELD-71
  it('says when its days begin in a timezone that is not whole hours from UTC, as the settings do', async () => {
    const { page, client } = person;
    await client.patch('/api/user/settings', { timezone: 'Asia/Kolkata' });
    const sentence =
      'Delivery is counted by the hour of UTC, so days in reports begin at 00:30 in Asia/Kolkata.';
    await page.goto('/settings');
    await page.getByText(sentence).waitFor();
    await page.goto('/dashboard');
    const shown = report(page);
    await shown.getByText(sentence).waitFor();
    await client.patch('/api/user/settings', { timezone: 'Asia/Tokyo' });
    await page.goto('/dashboard');
    await shown.getByText('days in Tokyo time').waitFor();
    expect(await shown.getByText('by the hour of UTC').count()).toBe(0);
  });

  // Proves STAT-05, API-07, CONST-10
  it('is polled together with the other figures of its dashboard', async () => {
    const { page } = person;
    await page.clock.install();
    await page.goto('/dashboard');
    const shown = report(page);
    await tile(shown, 'Impressions').getByText('1,907').waitFor();
    await rowOf(shown, ad.title).waitFor();
    const calls = recordCalls(page);
    await countFor(suite.fixture.server, ad, { views: 11, clicks: 0 });
    await page.clock.fastForward(10_500);
    await tile(shown, 'Impressions').getByText('1,918').waitFor();
    expect(calls).toEqual(
      expect.arrayContaining(['GET /api/analytics/series', 'GET /api/analytics/breakdown']),
    );
  });
});
