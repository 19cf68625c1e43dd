import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  breakdownRow,
  getBreakdown,
  getEarnings,
  getSeries,
  getSpending,
  type BreakdownRow,
  type Figures,
  type Side,
} from '#domain/analytics/contract.ts';
import { dayIn, endOfBucket, type Days, type Step } from '#domain/analytics/days.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { answerSettings, answerTabs } from '#web/testing/account.ts';
import { answer, broken, offline, slow } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { uuid } from '#web/testing/market.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerAdZones, answerBuyerDashboard, answerSellerDashboard } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';
import { addDays } from '#domain/time.ts';

const REPORTS = { buyer: 'Campaign Performance', seller: 'Performance' } as const;
const report = (side: Side = 'buyer') => page.getByRole('region', { name: REPORTS[side], exact: true });
const chart = (of: Locator = report()) => of.getByRole('slider');
const tile = (name: string, of: Locator = report()) =>
  of.getByRole('button', { name: new RegExp(`^${name}`) });
const shows = (name: string, value: string, of: Locator = report()) =>
  see(tile(name, of).getByText(value, { exact: true }));
const spoken = (of: Locator = report()) => chart(of).element().getAttribute('aria-valuetext');
const bars = (of: Locator = report()) => [...of.element().querySelectorAll('[data-bar]')];
const barDays = () => bars().map((bar) => bar.getAttribute('data-bar'));
const tip = () => document.querySelector<HTMLElement>('[data-chart-tip]');
const tipText = () => tip()?.innerText.replaceAll(/\s+/g, ' ') ?? '';
const lastDay = async (count: number) =>
  await expect.element(chart()).toHaveAttribute('aria-valuemax', String(count));

const CREATIVE = { adType: 'text', imageUrl: null, videoUrl: null, status: 'active' } as const;

const today = dayIn('UTC', new Date());
const ago = (days: number) => addDays(today, -days);

type Counted = { impressions: number; clicks: number; amount: string; paid?: string };
const BUSY: Record<string, Counted> = {
  [today]: { impressions: 1200, clicks: 30, amount: '80.00', paid: '200.00' },
  [ago(2)]: { impressions: 300, clicks: 3, amount: '20.00' },
};

/** The figures of these days, as the server sums them. */
function sumOf(counted: Record<string, Counted>, { from, to }: Days): Figures {
  const days = Object.entries(counted).filter(([day]) => from <= day && day <= to);
  const total = (value: (each: Counted) => number) => days.reduce((sum, [, each]) => sum + value(each), 0);
  const [impressions, clicks] = [total((each) => each.impressions), total((each) => each.clicks)];
  const cents = total(({ amount }) => centsOf(amount));
  return {
    impressions,
    clicks,
    amount: decimalOf(cents),
    paid: decimalOf(total(({ paid = '0.00' }) => centsOf(paid))),
    cpm: impressions === 0 ? null : decimalOf(Math.round((cents * 1000) / impressions)),
    cpc: clicks === 0 ? null : decimalOf(Math.round(cents / clicks)),
    ctr: impressions === 0 ? null : clicks / impressions,
  };
}

/** The first day of the bucket with this day. */
function startOf(day: string, step: Step): string {
  if (step === 'month') return `${day.slice(0, 8)}01`;
  return step === 'week' ? addDays(day, -((new Date(day).getUTCDay() + 6) % 7)) : day;
}

function bucketsOf(counted: Record<string, Counted>, { from, to }: Days, step: Step) {
  const buckets = [];
  for (let start = startOf(from, step); start <= to; start = addDays(endOfBucket(start, step), 1)) {
    const end = endOfBucket(start, step);
    buckets.push({
      start,
      ...sumOf(counted, { from: start < from ? from : start, to: end > to ? to : end }),
    });
  }
  return buckets;
}

/** Answers the figures over time. A campaign, zone or website of this id has the figures that `parts` gives it. */
function answerSeries(
  counted: Record<string, Counted> = BUSY,
  {
    timezone = 'UTC',
    dayStart = '00:00',
    parts = {},
  }: { timezone?: string; dayStart?: string; parts?: Record<string, Record<string, Counted>> } = {},
) {
  return answer(getSeries, ({ query: { from, to, step, campaign, zone, website } }) => {
    const of = parts[campaign ?? zone ?? website ?? ''] ?? counted;
    return {
      timezone,
      dayStart,
      totals: sumOf(of, { from, to }),
      previous: sumOf({}, { from, to }),
      buckets: bucketsOf(of, { from, to }, step),
    };
  });
}

const rowNamed = (name: string, counted = BUSY, members: Partial<BreakdownRow> = {}): BreakdownRow =>
  sample(breakdownRow, { name, ...sumOf(counted, { from: ago(400), to: today }), ...members });

/** Answers the dashboard of somebody with one campaign. Returns the calls for the figures over time. */
function answerDashboard(side: Side = 'buyer') {
  if (side === 'buyer') answerBuyerDashboard();
  else answerSellerDashboard();
  answer(
    getSpending,
    sample(getSpending.reply, {
      totalSpending: '200.00',
      delivered: '100.00',
      notDelivered: '100.00',
      thisMonth: '200.00',
      totalImpressions: 1500,
      totalClicks: 33,
    }),
  );
  answer(getEarnings, {
    totalEarnings: '170.00',
    delivered: '85.00',
    notDelivered: '85.00',
    thisMonth: '170.00',
  });
  answer(getBreakdown, [rowNamed('Fresh coffee')]);
  return answerSeries();
}

const open = (query = '', side: Side = 'buyer') =>
  openPage(`/dashboard${query}`, { as: person(side, { createdAt: `${ago(500)}T00:00:00.000Z` }) });

/** The cells of the chart's table, row by row. */
async function tableOf(of: Locator): Promise<string[][]> {
  await of.getByRole('button', { name: 'Show as table' }).click();
  const table = of.getByRole('table', { name: /^Figures per/ });
  await see(table);
  const rows = [...(table.element() as HTMLTableElement).rows].map((row) =>
    [...row.cells].map((cell) => cell.innerText.trim()),
  );
  await of.getByRole('button', { name: 'Show as chart' }).click();
  return rows;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await page.viewport(1280, 900);
});

describe('a report', () => {
  // Proves API-07
  it('says what to do when it is empty', async () => {
    answerSellerDashboard();
    answerSeries({});
    answerAdZones();
    await open('', 'seller');
    await see(report('seller').getByText('No figures yet'));
    expect(chart(report('seller')).elements()).toEqual([]);
    await report('seller').getByRole('link', { name: 'My Ad Zones' }).click();
    await expect.poll(() => window.location.pathname).toBe('/ad-zones');
  });

  // Proves FIG-03, FIG-05
  it.each([
    ['seller', 'Earnings'],
    ['buyer', 'Spend'],
  ] as const)('shows the %s the server’s figures as totals, chart and table', async (side, money) => {
    const calls = answerDashboard(side);
    await open('', side);
    const shown = report(side);
    for (const [name, total, now] of [
      ['Impressions', '1,500', '1,200 impressions'],
      ['Clicks', '33', '30 clicks'],
      ['Click-through rate', '2.20%', '2.50% click-through rate'],
      ['CPM', '$66.67', '$66.67 CPM'],
      ['CPC', '$3.03', '$2.67 CPC'],
      [money, '$100.00', `$80.00 ${money.toLowerCase()}`],
    ] as const) {
      await shows(name, total, shown);
      await tile(name, shown).click();
      await expect.element(tile(name, shown)).toHaveAttribute('aria-pressed', 'true');
      await expect.poll(() => chart(shown).element().getAttribute('aria-label')).toContain(`${name} per day`);
      expect(spoken(shown)).toContain(`: ${now} so far`);
      await see(saying('none before', tile(name, shown)));
    }
    expect(calls.at(-1)?.query).toEqual({ side, from: ago(29), to: today, step: 'day' });
    await see(saying('$200.00', shown.getByText(/payments? in this period|You paid in this period/)));
    // The height of a bar is proportional: 1,200 and 300 views, and no bar for the day between them.
    await tile('Impressions', shown).click();
    await expect.poll(() => bars(shown).map((bar) => bar.getAttribute('data-bar'))).toEqual([ago(2), today]);
    const [low, high] = bars(shown).map((bar) => bar.getBoundingClientRect().height);
    expect((high ?? 0) / (low ?? 1)).toBeCloseTo(4, 1);
    const rows = (await tableOf(shown)).slice(1);
    const dollars = (value: string | null) => (value === null ? '–' : `$${value}`);
    expect(rows.map((cells) => [...cells.slice(1, 3), ...cells.slice(4)])).toEqual(
      bucketsOf(BUSY, { from: ago(29), to: today }, 'day').map(
        ({ impressions, clicks, cpm, cpc, amount, paid }) => [
          impressions.toLocaleString('en-US'),
          String(clicks),
          ...[cpm, cpc, amount, paid].map(dollars),
        ],
      ),
    );
  });

  it('keeps the chosen range and step in the URL, and says why a choice is not possible', async () => {
    const calls = answerDashboard();
    await open();
    await shows('Impressions', '1,500');
    const days = report().getByLabelText('Date range', { exact: true });
    const step = report().getByLabelText('Interval', { exact: true });
    const options = () =>
      [...(step.element() as HTMLSelectElement).options].map((option) => [option.text, option.disabled]);
    const address = () => window.location.pathname + window.location.search;

    await days.selectOptions('Last 7 days');
    await expect.poll(address).toBe('/dashboard?range=7d');
    await lastDay(7);
    expect(options()).toEqual([
      ['Per day', false],
      ['Per week (14 days or more)', true],
      ['Per month (60 days or more)', true],
    ]);

    await days.selectOptions('Last 12 months');
    await expect.poll(() => chart().element().getAttribute('aria-label')).toContain('Impressions per week');
    await step.selectOptions('Per month');
    await expect.poll(address).toBe('/dashboard?range=12m&step=month');
    await lastDay(12);
    expect(calls.at(-1)?.query).toMatchObject({ side: 'buyer', step: 'month', to: today });
    const ofMonth = sumOf(BUSY, { from: `${today.slice(0, 8)}01`, to: today });
    expect(spoken()).toContain(`${ofMonth.impressions.toLocaleString('en-US')} impressions`);

    // All time begins with the account.
    await days.selectOptions('All time');
    await expect.poll(() => calls.at(-1)?.query.from).toBe(ago(500));
    await shows('Impressions', '1,500');

    await days.selectOptions('Custom range');
    await report().getByLabelText('From').fill(ago(3));
    await report().getByLabelText('To', { exact: true }).fill(ago(1));
    await lastDay(3);
    await shows('Impressions', '300');
    expect(address()).toBe(`/dashboard?range=custom&from=${ago(3)}&to=${ago(1)}`);
    // 'so far' is said only of today.
    expect(spoken()).not.toContain('so far');
    await report().getByLabelText('From').fill(today);
    await see(report().getByText('The start date must not be after the end date', { exact: true }));
    await expect.element(report().getByLabelText('From')).toHaveAttribute('aria-invalid', 'true');
    await lastDay(3);

    closeScreen();
    answerDashboard();
    await open(`?range=custom&from=${ago(3)}&to=${ago(1)}`);
    await shows('Impressions', '300');
    closeScreen();
    answerDashboard();
    await open('?range=nonsense&step=month');
    await lastDay(30);
  });

  // Proves API-07
  it('keeps its height while it loads', async () => {
    answerDashboard();
    const reply = sample(getSeries.reply, {
      timezone: 'UTC',
      totals: sumOf(BUSY, { from: ago(29), to: today }),
      previous: sumOf({}, { from: today, to: today }),
      buckets: bucketsOf(BUSY, { from: ago(29), to: today }, 'day'),
    });
    const { answer: held, release } = slow(reply);
    answer(getSeries, held);
    await open();
    await see(report().getByRole('row').filter({ hasText: 'Fresh coffee' }));
    await see(tile('Impressions').getByText('...'));
    const height = () => report().element().getBoundingClientRect().height;
    const loading = height();
    release();
    await see(chart());
    expect(height()).toBe(loading);
  });

  // Proves API-07
  it('that cannot be loaded offers a retry for each of its parts, and an empty range says so', async () => {
    answerDashboard();
    answer(getSeries, broken);
    answer(getBreakdown, offline);
    await open();
    await see(report().getByText('Could not load the figures'));
    await see(report().getByText('Could not load the campaigns'));
    answerSeries();
    answer(getBreakdown, [rowNamed('Fresh coffee')]);
    for (const retry of [1, 0]) await report().getByRole('button', { name: 'Try again' }).nth(retry).click();
    await shows('Impressions', '1,500');
    await see(report().getByRole('row').filter({ hasText: 'Fresh coffee' }));
    closeScreen();

    answerDashboard();
    answer(getBreakdown, []);
    await open(`?range=custom&from=${ago(20)}&to=${ago(10)}`);
    await see(report().getByText('No data for this period'));
    await see(
      report().getByText(
        'No campaigns had impressions, clicks or payments in this period. Try a longer one.',
      ),
    );
  });

  it('is limited to one campaign, zone or website by a press on its row, and shows all again', async () => {
    const small = { [today]: { impressions: 400, clicks: 8, amount: '5.00' } };
    answerDashboard();
    answerSeries(BUSY, { parts: { [uuid(32)]: small, [uuid(12)]: small } });
    const rows = {
      campaign: [
        rowNamed('Fresh coffee', BUSY, { publicId: uuid(31) }),
        rowNamed('The small one', small, { publicId: uuid(32) }),
      ],
      website: [
        rowNamed('Gazette', BUSY, { publicId: uuid(1) }),
        rowNamed('Small site', small, { publicId: uuid(2) }),
      ],
      zone: [
        rowNamed('Sidebar', BUSY, { publicId: uuid(11), place: 'Gazette' }),
        rowNamed('Sidebar', small, { publicId: uuid(12), place: 'Small site' }),
      ],
    };
    const calls = answer(getBreakdown, ({ query: { by, campaign } }) =>
      rows[by].filter((_, at) => campaign === undefined || at === 1),
    );
    await open();
    const table = () => report().getByRole('table');
    const names = () =>
      table()
        .getByRole('button')
        .elements()
        .map((name) => (name as HTMLElement).innerText.split('\n')[0]);
    const row = (name: string) => table().getByRole('row').filter({ hasText: name });
    await expect.poll(names).toEqual(['Fresh coffee', 'The small one']);
    expect(
      row('The small one')
        .getByRole('cell')
        .elements()
        .slice(1)
        .map((cell) => (cell as HTMLElement).innerText.trim()),
    ).toEqual(['400', '8', '2.00%', '$12.50', '$0.63', '$5.00']);

    await row('The small one').getByRole('button').click();
    await shows('Impressions', '400');
    await expect.poll(names).toEqual(['The small one']);
    expect(calls.at(-1)?.query).toMatchObject({ by: 'campaign', campaign: uuid(32) });
    await report().getByRole('tab', { name: 'Websites' }).click();
    await expect.poll(names).toEqual(['Small site']);

    const only = report().getByRole('button', { name: /^The small one.*remove filter$/ });
    await only.click();
    await shows('Impressions', '1,500');
    expect(only.elements()).toEqual([]);
    await expect.poll(names).toHaveLength(2);
    await report().getByRole('tab', { name: 'Ad zones' }).click();
    await expect.poll(names).toEqual(['Sidebar', 'Sidebar']);
    await row('Small site').getByRole('button').click();
    await shows('Spend', '$5.00');
    expect(calls.at(-1)?.query).toMatchObject({ by: 'zone', zone: uuid(12) });
  });

  it('uses the days of the user’s timezone, and names it', async () => {
    const timezone = 'Asia/Tokyo';
    answerDashboard();
    const calls = answerSeries(BUSY, { timezone });
    answerTabs();
    answerSettings();
    await openPage('/dashboard', { as: person('buyer', { timezone }) });
    await see(saying('days in Tokyo time', report()));
    const there = dayIn(timezone, new Date());
    expect(calls.map(({ query: { to } }) => to)).toContain(there);
    await report().getByRole('link', { name: 'change' }).click();
    await expect.poll(() => window.location.pathname).toBe('/settings');
  });

  it('says when its days begin in a timezone that is not whole hours from UTC, as the settings do', async () => {
    const sentence =
      'Delivery is counted by the hour of UTC, so days in reports begin at 00:30 in Asia/Kolkata.';
    const timezone = 'Asia/Kolkata';
    answerNewAccount();
    answerTabs();
    answerSettings({ timezone });
    await openPage('/settings', { as: person('buyer', { timezone }) });
    await see(saying(sentence));
    closeScreen();
    answerDashboard();
    answerSeries(BUSY, { timezone, dayStart: '00:30' });
    await openPage('/dashboard', { as: person('buyer', { timezone }) });
    await see(saying(sentence, report()));
    closeScreen();
    answerDashboard();
    answerSeries(BUSY, { timezone: 'Asia/Tokyo' });
    await openPage('/dashboard', { as: person('buyer', { timezone: 'Asia/Tokyo' }) });
    await see(saying('days in Tokyo time', report()));
    expect(report().getByText('by the hour of UTC', { exact: false }).elements()).toEqual([]);
  });

  /** Chooses an entry of the menu. Returns the name and the text of the file. */
  async function download(item: string): Promise<{ name: string; text: string }> {
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const made = vi.spyOn(URL, 'createObjectURL');
    await report().getByRole('button', { name: 'Download CSV' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect.poll(() => names).toHaveLength(1);
    // `text` of a response would drop the mark of the encoding.
    const bytes = await new Response(made.mock.lastCall?.[0] as Blob).arrayBuffer();
    vi.restoreAllMocks();
    return { name: names[0]!, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
  }

  // Proves STAT-08, FIG-05
  it('is downloaded as CSV with the figures of the chart and the campaigns, and contains no formulas', async () => {
    const title = '=1+1, "quoted" \u202Eסוף';
    answerDashboard();
    answer(getBreakdown, [rowNamed(title, BUSY, { place: '@SUM(A1), Sidebar', creative: CREATIVE })]);
    await open('?range=7d');
    await shows('Impressions', '1,500');
    await see(report().getByRole('table', { name: 'Campaigns' }));
    const span = `${ago(6)}-to-${today}`;
    const series = await download('Figures per day');
    expect(series.name).toBe(`openslot-per-day-${span}.csv`);
    const lines = series.text.split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFDay (first day),Impressions,Clicks,Click-through rate (%),CPM (USD),CPC (USD),Spend (USD),Paid (USD)',
    );
    expect(lines).toHaveLength(9);
    expect(lines.at(-2)).toBe(`${today},1200,30,2.50,66.67,2.67,80.00,200.00`);
    expect(lines.at(-3)).toBe(`${ago(1)},0,0,,,,0.00,0.00`);
    expect(lines.at(-1)).toBe('');

    const parts = await download('Campaigns');
    expect(parts.name).toBe(`openslot-campaigns-${span}.csv`);
    expect(parts.text).toBe(
      '\uFEFFCampaign,Where,Type,Impressions,Clicks,Click-through rate (%),CPM (USD),CPC (USD),Spend (USD),Paid (USD)\r\n' +
        `"'=1+1, ""quoted"" \u202Eסוף","'@SUM(A1), Sidebar",text,1500,33,2.20,66.67,3.03,100.00,200.00\r\n`,
    );
  });

  it('says in its CSV when its days begin in a timezone that is not whole hours from UTC', async () => {
    answerDashboard();
    answerSeries(BUSY, { timezone: 'Asia/Kolkata', dayStart: '00:30' });
    await openPage('/dashboard?range=7d', { as: person('buyer', { timezone: 'Asia/Kolkata' }) });
    await shows('Clicks', '33');
    const { text } = await download('Figures per day');
    expect(text).toMatch(/^\uFEFF"?Day \(first day, from 00:30\)"?,Impressions,/);
  });
});

describe('a chart', () => {
  it('is a single tab stop in which the arrow keys, Home and End move between days and announce them', async () => {
    answerDashboard();
    await open();
    await shows('Impressions', '1,500');
    await see(chart());
    (tile('Spend').element() as HTMLElement).focus();
    await userEvent.keyboard('{Tab}');
    await expect.element(chart()).toHaveFocus();
    const at = () => [chart().element().getAttribute('aria-valuenow'), spoken()?.split(': ')[1]];
    await expect.poll(at).toEqual(['30', '1,200 impressions so far']);
    await expect.poll(tipText).toContain('1,200');
    for (const [key, expected] of [
      ['ArrowLeft', ['29', '0 impressions']],
      ['ArrowLeft', ['28', '300 impressions']],
      ['Home', ['1', '0 impressions']],
      ['ArrowLeft', ['1', '0 impressions']],
      ['ArrowRight', ['2', '0 impressions']],
      ['PageUp', ['9', '0 impressions']],
      ['End', ['30', '1,200 impressions so far']],
    ] as const) {
      await userEvent.keyboard(`{${key}}`);
      await expect.poll(at, { message: key }).toEqual(expected);
      if (expected[1] === '300 impressions') await expect.poll(tipText).toContain('300');
    }
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date(today),
    );
    expect(spoken()).toContain(day);
    await userEvent.keyboard('{Tab}');
    await expect.poll(tip).toBeNull();

    // The chart's table opens by keyboard, and its scrolling region takes the focus.
    (report().getByRole('button', { name: 'Show as table' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    const table = report().getByRole('region', { name: /^Figures per day/ });
    await see(table);
    (table.element() as HTMLElement).focus();
    await userEvent.keyboard('{End}');
    await expect.poll(() => table.element().scrollTop > 100).toBe(true);
    expect(chart().elements()).toEqual([]);
  });

  it('shows the figures of the day under the pointer, and keeps those that were touched', async () => {
    answerDashboard();
    await open();
    await shows('Impressions', '1,500');
    await expect.poll(() => bars().length).toBe(2);
    await userEvent.hover(bars()[0]!);
    await expect
      .poll(tipText)
      .toMatch(/Impressions 300 Clicks 3 Click-through rate 1.00% CPM \$66.67 CPC \$6.67 Spend \$20.00/);
    await userEvent.hover(page.getByRole('banner').getByRole('link').first());
    await expect.poll(tip).toBeNull();
    const box = chart().element().getBoundingClientRect();
    const touch = { pointerType: 'touch', clientX: box.right - 20, bubbles: true };
    chart().element().dispatchEvent(new PointerEvent('pointerdown', touch));
    await expect.poll(tipText).toContain('1,200');
    chart().element().dispatchEvent(new PointerEvent('pointerout', touch));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(tipText()).toContain('1,200');
  });

  it('fits a window of 320 px, and follows the window when it becomes wider', async () => {
    await page.viewport(320, 700);
    answerDashboard();
    await open('?range=90d');
    await shows('Impressions', '1,500');
    const { documentElement: root } = document;
    const sideways = () => root.scrollWidth - root.clientWidth;
    const width = () => chart().element().querySelector('svg')?.getBoundingClientRect().width ?? 0;
    // At this width, ninety days are a line instead of bars.
    await expect.poll(() => width() > 0 && width() < 290).toBe(true);
    expect(barDays()).toEqual([]);
    expect(sideways()).toBe(0);
    (chart().element() as HTMLElement).focus();
    for (const key of ['End', 'Home']) {
      await userEvent.keyboard(`{${key}}`);
      await expect.poll(tip).not.toBeNull();
      const { left, right } = tip()!.getBoundingClientRect();
      expect([left >= 0, right <= 320]).toEqual([true, true]);
    }
    await report().getByRole('button', { name: 'Show as table' }).click();
    expect(sideways()).toBe(0);
    await report().getByRole('button', { name: 'Show as chart' }).click();
    await page.viewport(1280, 900);
    await expect.poll(() => width() > 900).toBe(true);
    await expect.poll(() => barDays().length).toBe(2);
  });
});
