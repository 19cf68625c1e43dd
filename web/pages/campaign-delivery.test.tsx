import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getAdDays, listMyAds, type Ad } from '#domain/ads/contract.ts';
import {
  bucket,
  breakdownRow,
  getBreakdown,
  getCounting,
  getSeries,
  getSpending,
  listWithdrawals,
} from '#domain/analytics/contract.ts';
import { cancelAd, getRefundQuote } from '#domain/payments/refund-contract.ts';
import { DAY_MS, addDays } from '#domain/time.ts';
import { answer, broken } from '#web/testing/answers.ts';
import { press, saying, see, seeToast, wordsOf } from '#web/testing/look.ts';
import { makeAd, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerBuyerDashboard, answerCampaign, noSeries } from '#web/testing/screens.ts';
import { openPage, render } from '#web/testing/screen.tsx';
import { Days } from './days.tsx';

const from = (days: number) => new Date(Date.now() + days * DAY_MS);
const today = from(0).toISOString().slice(0, 10);
const dateText = (date: Date) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(date);

/** A campaign that was paid 30 days ago. */
const running = (members: Partial<Ad> = {}): Ad =>
  makeAd({ status: 'active', startDate: from(-30).toISOString(), duration: null, ...members });
const views = { pricingModel: 'per_impression', impressions: 1000 } as const;

const row = (title: string) =>
  page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: title });
const performance = (title: string) => row(title).getByRole('cell').nth(5);

/** Opens the dashboard of an advertiser with these campaigns, of which each row names the figures of the last days. */
async function openDashboard(ads: Ad[], recent: { id: number; impressions: number; clicks: number }[] = []) {
  for (const ad of ads) answerCampaign(ad);
  answerBuyerDashboard(ads);
  answer(
    getBreakdown,
    recent.map(({ id, impressions, clicks }) =>
      sample(breakdownRow, { publicId: uuid(id), impressions, clicks }),
    ),
  );
  answer(getSpending, {
    totalSpending: '100.00',
    delivered: '0.00',
    notDelivered: '100.00',
    thisMonth: '100.00',
    totalImpressions: 0,
    totalClicks: 0,
    impressionsThisMonth: 0,
    clicksThisMonth: 0,
  });
  await openPage('/dashboard', { as: person('buyer') });
}

describe('the row of a campaign', () => {
  it('says how much is delivered and when the rest is expected, by pricing model', async () => {
    await openDashboard(
      [
        running({ id: 31, title: 'By views', ...views, totalImpressions: 620 }),
        running({
          id: 32,
          publicId: uuid(32),
          title: 'By clicks',
          pricingModel: 'per_click',
          clicks: 40,
          totalClicks: 12,
        }),
        running({ id: 33, publicId: uuid(33), title: 'Unseen', ...views }),
        running({
          id: 34,
          publicId: uuid(34),
          title: 'By days',
          duration: 7,
          startDate: from(-0.001).toISOString(),
          endDate: from(7).toISOString(),
        }),
      ],
      [{ id: 31, impressions: 210, clicks: 0 }],
    );
    await see(row('By views'));
    const text = (title: string) => wordsOf(performance(title));
    // 620 of 1,000 views are delivered, 30 a day. The rest takes 380 / 30 days.
    await expect.poll(() => text('By views')).toContain('62% of 1,000 impressions On track for');
    // The screen reads the clock a moment later, perhaps after midnight.
    const dates = [380 / 30, 380 / 30 + 0.01].map((days) => dateText(from(days)));
    expect(dates.some((date) => text('By views').includes(date))).toBe(true);
    expect(text('By clicks')).toContain(
      '30% of 40 clicks No clicks in the last 7 days. Check that the website shows the ad zone.',
    );
    expect(text('Unseen')).toContain(
      '0% of 1,000 impressions No impressions yet. Check that the website shows the ad zone.',
    );
    expect(text('By days')).toContain(`Day 1 of 7 Runs until ${dateText(from(7))}`);
    const bar = performance('By views').getByRole('progressbar');
    await expect.element(bar).toHaveAttribute('aria-valuenow', '620');
    await expect.element(bar).toHaveAttribute('aria-valuemax', '1000');
    await expect.element(bar).toHaveAttribute('aria-label', 'By views');
    await expect.element(bar).toHaveAttribute('aria-valuetext', '62% of 1,000 impressions');
  });

  it('shows a paused zone, and its days without requests', async () => {
    const said =
      /Paused by the publisher since \w+ \d+, \d{4}, \d+:\d\d [AP]M \w+; the end date moves by the length of the pause/i;
    const perDay = { duration: 7, startDate: from(-3).toISOString(), endDate: from(6).toISOString() };
    await openDashboard([
      running({ id: 31, title: 'Halted', ...perDay, paused: 'zone', pausedAt: from(-1).toISOString() }),
      running({ id: 32, publicId: uuid(32), title: 'Unheard', ...perDay, silentDays: 2 }),
    ]);
    await see(performance('Halted').getByText(said));
    await see(row('Halted').getByText('Paused', { exact: true }));
    await see(performance('Unheard').getByText(/Runs until .* \(extended by 2 silent days\)/i));
    answerCampaign(running({ id: 31 }));
    await row('Halted').getByRole('button', { name: 'Halted' }).click();
    await see(page.getByRole('dialog', { name: 'Halted' }).getByText(said));
  });

  it('of a later start says its day, and not that it is live', async () => {
    const day = addDays(today, 20);
    const startDate = `${day}T00:00:00.000Z`;
    const named = dateText(new Date(startDate));
    await openDashboard([
      makeAd({ id: 31, title: 'Later', status: 'approved', startDate, payBy: from(3).toISOString() }),
      makeAd({ id: 32, publicId: uuid(32), title: 'Paid', status: 'active', startDate }),
    ]);
    await see(row('Later').getByText(/^Pay by .+ to keep your days$/));
    await see(saying(`Starts ${named} (00:00 UTC)`, row('Paid')));
    expect(row('Paid').getByText('Live', { exact: true }).elements()).toEqual([]);
  });
});

describe('the dialog of a campaign', () => {
  const dialog = (title: string) => page.getByRole('dialog', { name: title });
  const opener = (title: string) => row(title).getByRole('button', { name: title });

  it('charts its delivery over time against the goal', async () => {
    const ad = running({
      title: 'Opened',
      ...views,
      startDate: from(-3).toISOString(),
      totalImpressions: 350,
    });
    await openDashboard([ad]);
    answer(getSeries, ({ query: { campaign } }) => ({
      ...noSeries,
      buckets: campaign
        ? [0, 100, 0, 250].map((impressions, at) =>
            sample(bucket, { start: addDays(today, at - 3), impressions, clicks: 0, amount: '0.00' }),
          )
        : [],
    }));
    await opener('Opened').click();
    await see(saying('Goal: 1,000 impressions', dialog('Opened')));
    const chart = dialog('Opened').getByRole('slider');
    (chart.element() as SVGElement).focus();
    const spoken = () => chart.element().getAttribute('aria-valuetext');
    await expect.poll(spoken).toContain(': 350 of 1,000 impressions so far');
    await userEvent.keyboard('{ArrowLeft}');
    await expect.poll(spoken).toContain(': 100 of 1,000 impressions');
    await userEvent.keyboard('{Home}');
    await expect.poll(spoken).toContain(': 0 of 1,000 impressions');
    await expect.element(chart).toHaveAttribute('aria-valuemax', '4');
    await dialog('Opened').getByRole('button', { name: 'Show as table' }).click();
    await see(dialog('Opened').getByRole('row').filter({ hasText: '250' }));
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog('Opened')).not.toBeInTheDocument();
    await expect.element(opener('Opened')).toHaveFocus();
  });

  // Proves DEL-39
  it('shows how that campaign alone was counted', async () => {
    await openDashboard([running({ title: 'Opened', ...views })]);
    answer(listWithdrawals, []);
    const uncounted = [{ reason: 'data_center' as const, count: 70 }];
    const calls = answer(getCounting, {
      timezone: 'UTC',
      dayStart: '00:00',
      buckets: [
        {
          start: today,
          decisions: 4000,
          rendered: 2200,
          views: { counted: 1200, uncounted },
          clicks: { counted: 30, uncounted: [] },
          landings: { clicks: 0, landings: 0 },
        },
      ],
    });
    await opener('Opened').click();
    await dialog('Opened').getByRole('button', { name: 'How this was counted' }).click();
    const summary = dialog('Opened').getByRole('table', { name: 'From served to counted' });
    await see(summary);
    const lines = [...(summary.element() as HTMLTableElement).rows]
      .slice(1)
      .map((line) => [...line.cells].map((cell) => cell.innerText.trim().split('\n')[0]).join(' | '));
    expect(lines).toEqual([
      'Served | 4,000 | –',
      'Rendered | 2,200 | –',
      'Reported | 1,270 | 30',
      'Data center | −70 | –',
      'Counted | 1,200 | 30',
    ]);
    expect(calls.at(-1)?.query).toMatchObject({ side: 'buyer', campaign: uuid(31) });
  });

  const paused = (reason: 'changed' | 'not_public') =>
    running({
      title: 'Moved',
      duration: 30,
      paused: 'target',
      targetPause: {
        reason,
        since: from(-1).toISOString(),
        from: 'coffee.example',
        to: reason === 'changed' ? 'elsewhere.example' : 'router.example',
      },
    });

  // Proves DEST-05
  it('says why the ad is paused because of its target', async () => {
    await openDashboard([paused('changed')]);
    await see(row('Moved').getByText('Paused because of its target. Open the campaign for details.'));
    await opener('Moved').click();
    await see(
      saying(
        'The target led to coffee.example when it was approved. It now leads to elsewhere.example.',
        dialog('Moved'),
      ),
    );
    await see(saying('The publisher decides whether the campaign is shown again.', dialog('Moved')));
  });

  // Proves DEST-05
  it('says what to do about a target that is not public', async () => {
    await openDashboard([paused('not_public')]);
    await opener('Moved').click();
    await see(saying('isn’t on the public internet, so visitors can’t open it', dialog('Moved')));
    await see(saying('Cancel the campaign for a refund', dialog('Moved')));
  });

  const perDay = (members: Partial<Ad> = {}) =>
    running({
      title: 'Coffee',
      duration: 7,
      startDate: from(-3).toISOString(),
      endDate: from(5).toISOString(),
      minDayViews: 10,
      ...members,
    });
  const days = [
    { beganAt: from(-0.1).toISOString(), endedAt: null, views: 0, minViews: 10, isSilent: null },
    {
      beganAt: from(-1.1).toISOString(),
      endedAt: from(-0.1).toISOString(),
      views: 0,
      minViews: 10,
      isSilent: true,
    },
    {
      beganAt: from(-2.1).toISOString(),
      endedAt: from(-1.1).toISOString(),
      views: 9,
      minViews: 10,
      isSilent: true,
    },
    {
      beganAt: from(-3.1).toISOString(),
      endedAt: from(-2.1).toISOString(),
      views: 10,
      minViews: 10,
      isSilent: false,
    },
  ];

  // Proves DEL-71
  it('shows the views of each day, and after two silent ones ends the campaign with one click', async () => {
    await openDashboard([perDay({ silentDays: 2 })]);
    answer(getAdDays, { days });
    answer(
      getRefundQuote,
      sample(getRefundQuote.reply, { refundAmount: '600.00', cancelFee: '0.00', delivered: 1, bought: 7 }),
    );
    await opener('Coffee').click();
    await see(saying('extended by 2 silent days', dialog('Coffee')));
    await see(dialog('Coffee').getByText('10 counted views'));
    await dialog('Coffee').getByRole('button', { name: 'Days', exact: true }).click();
    const table = dialog('Coffee').getByRole('table', { name: 'Days of the campaign' });
    await see(saying('10 of 10 needed', table));
    expect(wordsOf(table).match(/Silent|Delivered|Running/g)).toEqual([
      'Running',
      'Silent',
      'Silent',
      'Delivered',
    ]);
    await see(saying('2 silent days in a row', dialog('Coffee')));
    const ended = perDay({
      status: 'completed',
      endedReason: 'canceled',
      refund: { amount: '600.00', status: 'owed' },
    });
    const calls = answer(cancelAd, () => {
      answer(listMyAds, [ended]);
      return ended;
    });
    await dialog('Coffee').getByRole('button', { name: 'End and refund $600.00' }).click();
    await seeToast('Campaign canceled');
    await expect.element(dialog('Coffee')).not.toBeInTheDocument();
    expect(calls).toMatchObject([{ body: { refundAmount: '600.00' } }]);
  });

  // Proves DEL-71
  it('offers no end after one silent day', async () => {
    await openDashboard([perDay({ silentDays: 1 })]);
    await opener('Coffee').click();
    await see(saying('extended by 1 silent day', dialog('Coffee')));
    expect(
      dialog('Coffee')
        .getByRole('button', { name: /End and refund/ })
        .elements(),
    ).toEqual([]);
  });
});

it('a publisher reads the days of an ad with their views, the number needed and the result by keyboard, and after a failed try tries again', async () => {
  answer(getAdDays, broken);
  render(<Days adRef="31" side="publisher" />, { as: person('seller') });
  const section = page.getByRole('region', { name: 'Days', exact: true });
  await press(section.getByRole('button', { name: 'Days' }));
  const retry = section.getByRole('button', { name: 'Try again' });
  await see(retry);
  const day = { endedAt: null, minViews: 10 };
  answer(getAdDays, {
    days: [
      { ...day, beganAt: from(0).toISOString(), views: 3, isSilent: null },
      { ...day, beganAt: from(-1).toISOString(), endedAt: from(0).toISOString(), views: 9, isSilent: true },
    ],
  });
  await press(retry);
  const table = section.getByRole('table', { name: 'Days of the campaign' });
  await see(saying('9 of 10 needed', table));
  expect(wordsOf(table).match(/\d of 10|Silent|Delivered|Running/g)).toEqual([
    '3 of 10',
    'Running',
    '9 of 10',
    'Silent',
  ]);
  await see(saying('You don’t earn anything for it', section));
});
