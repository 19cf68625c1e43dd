/** 'How this was counted': the reports of an ad, the ones that were filtered by each reason, and the counted rest. */
import axe from 'axe-core';
import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  getCounting,
  listUnusualHours,
  listWithdrawals,
  type CountingBucket,
  type Side,
  type UnusualHour,
  type Withdrawal,
} from '#domain/analytics/contract.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { answer, broken, slow } from '#web/testing/answers.ts';
import { findLostText, findSideways } from '#web/testing/findings.ts';
import { saying, see } from '#web/testing/look.ts';
import { uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { render } from '#web/testing/screen.tsx';
import { Counting } from './counting.tsx';

const today = utcDay(new Date());
const ago = (days: number) => addDays(today, -days);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const unfold = () => button('How this was counted');
const table = (name: string | RegExp) => page.getByRole('table', { name });
const summary = () => table('From served to counted');

const nothing: Omit<CountingBucket, 'start'> = {
  decisions: 0,
  rendered: 0,
  views: { counted: 0, uncounted: [] },
  clicks: { counted: 0, uncounted: [] },
  landings: { clicks: 0, landings: 0 },
};
const COUNTED: Record<string, Partial<CountingBucket>> = {
  [today]: {
    decisions: 4000,
    rendered: 2200,
    views: {
      counted: 1200,
      uncounted: [
        { reason: 'frequency', count: 30 },
        { reason: 'duplicate', count: 9 },
        { reason: 'data_center', count: 70 },
      ],
    },
    clicks: { counted: 30, uncounted: [{ reason: 'activity', count: 4 }] },
  },
  [ago(2)]: {
    rendered: 300,
    views: { counted: 300, uncounted: [] },
    clicks: { counted: 3, uncounted: [] },
  },
};

const counted = (days: number, figures: Record<string, Partial<CountingBucket>> = COUNTED) => ({
  timezone: 'UTC',
  dayStart: '00:00',
  buckets: Array.from({ length: days }, (_, at) => {
    const start = ago(days - 1 - at);
    return { ...nothing, start, ...figures[start] };
  }),
});

/** Shows the section of these days, closed, with nothing withdrawn and no unusual hours. */
function show(side: Side = 'buyer', days = 30): void {
  answer(getCounting, counted(days));
  answer(listWithdrawals, []);
  answer(listUnusualHours, []);
  render(<Counting query={{ side, from: ago(days - 1), to: today, step: 'day' }} />, { as: person(side) });
}

/** The name, views and clicks of each line, without the explanation below the name. */
async function linesOf(): Promise<string[]> {
  await see(summary());
  return [...(summary().element() as HTMLTableElement).rows]
    .slice(1)
    .map((row) => [...row.cells].map((cell) => cell.innerText.trim().split('\n')[0]).join(' | '));
}

const cellsOf = (name: string | RegExp) =>
  [...(table(name).element() as HTMLTableElement).rows]
    .slice(1)
    .map((row) => [...row.cells].map((cell) => cell.innerText.trim()));

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

/** Presses a button that downloads a file. Returns its name and its lines. */
async function download(name: string): Promise<{ name: string; lines: string[] }> {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const made = vi.spyOn(URL, 'createObjectURL');
  await button(name).click();
  await expect.poll(() => names).toHaveLength(1);
  const text = await (made.mock.lastCall![0] as Blob).text();
  vi.restoreAllMocks();
  return {
    name: names[0]!,
    lines: text
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n'),
  };
}

/** Expects that the page has no accessibility findings, and fits at these widths. */
async function expectSound(...widths: number[]): Promise<void> {
  await Promise.all(document.getAnimations().map(async ({ finished }) => await finished));
  const { violations } = await axe.run(page.getByRole('main').query() ?? document.body, {
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'] },
  });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  for (const width of widths) {
    await page.viewport(width, 800);
    expect([width, ...findSideways(), ...findLostText()]).toEqual([width]);
  }
  await page.viewport(1280, 900);
}

afterEach(async () => {
  vi.restoreAllMocks();
  await page.viewport(1280, 900);
});

// Proves DEL-39, DEL-41
it.each(['buyer', 'seller'] as const)(
  'the %s sees how the reports became counted views and clicks, also per day, and what each reason means',
  async (side) => {
    show(side);
    // Expand it by keyboard.
    await see(unfold());
    (unfold().element() as HTMLElement).focus();
    await expect.element(unfold()).toHaveAttribute('aria-expanded', 'false');
    await userEvent.keyboard('{Enter}');
    expect(await linesOf()).toEqual(LINES);
    const { innerText } = summary().element() as HTMLElement;
    for (const reason of ['frequency', 'duplicate', 'data_center', 'activity'] as const)
      expect(innerText).toContain(REASON_TEXTS[reason].meaning);
    // 1,600 of 2,500 rendered impressions were viewable. A repeated report counts as one.
    await expect
      .element(page.getByRole('paragraph').filter({ hasText: 'Viewability' }))
      .toHaveTextContent('Viewability: 64.0% of rendered impressions were viewable.');

    await userEvent.keyboard('{Tab}');
    await userEvent.keyboard('{Enter}');
    await see(table(/^Counted per day/));
    const days = cellsOf(/^Counted per day/);
    expect(days).toHaveLength(30);
    expect(days.at(-1)?.slice(1)).toEqual(['4,000', '2,200', '1,309', '109', '1,200', '34', '4', '30']);
    await button('Show totals').click();
    await unfold().click();
    await expect.element(summary()).not.toBeInTheDocument();
  },
);

// Proves DEL-39, DEL-41
it('how this was counted says when it is empty, leads to the page about what is counted, and fits a phone', async () => {
  show('seller', 7);
  const { answer: held, release } = slow(counted(7, {}));
  answer(getCounting, held);
  await unfold().click();
  expect(summary().elements()).toEqual([]);
  release();
  await see(saying('No ads were served in this period. Figures appear here once an ad is served.'));
  const measurement = page.getByRole('link', { name: /^What is counted, and why/ });
  await expect.element(measurement).toHaveAttribute('href', '/measurement');
  await expect.element(measurement).toHaveAttribute('target', '_blank');
});

// Proves DEL-39
it('how this was counted offers a retry when it cannot load, and fits a phone with its figures', async () => {
  show('seller', 7);
  answer(getCounting, broken);
  await unfold().click();
  await see(saying('Could not load the counting details'));
  answer(getCounting, counted(7));
  await button('Try again').click();
  expect(await linesOf()).toEqual(LINES);
  await expectSound(375);
  await button(/^Show per /).click();
  await expectSound(375);
});

// Proves DEL-39, STAT-08
it('the CSV of how this was counted has every reason for each day, and says when the days begin', async () => {
  show('buyer', 7);
  await unfold().click();
  await see(summary());
  const { name, lines } = await download('Download as CSV');
  expect(name).toBe(`openslot-counting-per-day-${ago(6)}-to-${today}.csv`);
  const [head = '', ...rows] = lines;
  expect(rows).toHaveLength(7);
  const names = head.split(',');
  expect(names).toHaveLength(9 + 2 * REASONS.length);
  const cells = Object.fromEntries(names.map((each, at) => [each, rows.at(-1)?.split(',')[at]]));
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

it('the CSV of how this was counted says when its days begin if that is not midnight', async () => {
  show('buyer', 7);
  answer(getCounting, { ...counted(7), timezone: 'Asia/Kolkata', dayStart: '00:30' });
  await unfold().click();
  await see(summary());
  const { lines } = await download('Download as CSV');
  expect(lines[0]).toMatch(/^"?Day \(first day, from 00:30\)"?,Served,/);
});

const withdrawal: Withdrawal = {
  id: 1,
  zone: uuid(11),
  zoneName: 'Sidebar',
  websiteName: 'The Daily Slot',
  from: '2026-11-20T10:00:00.000Z',
  until: '2026-11-20T11:00:00.000Z',
  madeAt: '2026-11-21T03:00:00.000Z',
  views: 400,
  clicks: 3,
  signals: [
    { signal: 'network', value: 1, bound: 30 },
    { signal: 'browser', value: 1.2, bound: 2 },
    { signal: 'viewability', value: 0.995, bound: 0.9 },
  ],
  overruled: null,
};

// Proves SIVT-03
it.each(['buyer', 'seller'] as const)(
  'the %s sees which hours were withdrawn, and why, and downloads them as CSV',
  async (side) => {
    show(side, 7);
    answer(
      getCounting,
      counted(7, {
        ...COUNTED,
        [ago(3)]: {
          views: { counted: 0, uncounted: [{ reason: 'withdrawn', count: 400 }] },
          clicks: { counted: 0, uncounted: [{ reason: 'withdrawn', count: 3 }] },
        },
      }),
    );
    answer(listWithdrawals, [withdrawal]);
    await unfold().click();
    await see(table('Withdrawn traffic'));
    expect(cellsOf('Withdrawn traffic').map((cells) => cells.slice(1))).toEqual([
      [
        'The Daily Slot, Sidebar',
        'As concentrated as 1.0 networks (bound: 30); as uniform as 1.2 browsers (bound: 2); viewability of at least 99.5% (bound: 90.0%).',
        '−400',
        '−3',
      ],
    ]);
    expect((await linesOf()).slice(-2)).toEqual(['Withdrawn later | −400 | −3', 'Counted | 1,500 | 33']);
    const { lines } = await download('Download table as CSV');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('From,Until,Website,Ad zone,Views,Clicks,Why,Withdrawn at,Overruled at,Reason');
    expect(lines[1]).toContain(
      '2026-11-20T10:00:00.000Z,2026-11-20T11:00:00.000Z,The Daily Slot,Sidebar,400,3,',
    );
    await expectSound(320);
  },
);

const unusual: UnusualHour = {
  zone: uuid(11),
  zoneName: 'Sidebar',
  websiteName: 'The Daily Slot',
  hour: '2026-11-20T10:00:00.000Z',
  views: 1000,
  clicks: 80,
  before: { views: 20_000, clicks: 200 },
};

// Proves DEL-42
it('a publisher sees the hours with an unusual click-through rate beside the usual rate', async () => {
  show('seller', 7);
  const calls = answer(listUnusualHours, [unusual]);
  await unfold().click();
  await see(table('Unusual hours'));
  expect(cellsOf('Unusual hours').map((cells) => cells.slice(1))).toEqual([
    ['The Daily Slot, Sidebar', '1,000', '80', '8.00%', '1.00%'],
  ]);
  expect(calls.at(-1)?.query).toEqual({ from: ago(6), to: today });
  await expectSound(375);
});
