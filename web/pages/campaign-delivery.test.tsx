import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { rightsOf } from '#domain/accounts/members.ts';
import { getAd, getAdDays, type Ad } from '#domain/ads/contract.ts';
import { bucket, getAdTimes, getCounting, getSeries, listWithdrawals } from '#domain/analytics/contract.ts';
import { getResults } from '#domain/delivery/conversions-contract.ts';
import { getAdLedger } from '#domain/payments/ledger-contract.ts';
import { cancelAd, getRefundQuote, listMyPayments } from '#domain/payments/refund-contract.ts';
import { DAY_MS, addDays } from '#domain/time.ts';
import { Days } from '#web/ads/days.tsx';
import { answer, broken } from '#web/testing/answers.ts';
import { itemsOf, press, saying, see, seeToast, wordsOf } from '#web/testing/look.ts';
import { makeAd, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerBuyerDashboard, answerCampaign, noResults, noSeries } from '#web/testing/screens.ts';
import { closeScreen, openPage, render } from '#web/testing/screen.tsx';

const from = (days: number) => new Date(Date.now() + days * DAY_MS);
const today = from(0).toISOString().slice(0, 10);
const dateText = (date: Date) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(date);

/** A campaign that was paid 30 days ago. */
const running = (members: Partial<Ad> = {}): Ad =>
  makeAd({ status: 'active', startDate: from(-30).toISOString(), duration: null, ...members });
const views = { pricingModel: 'per_impression', impressions: 1000 } as const;

/** Opens the page of a campaign, of which `recent` was counted in the last complete days. */
async function openCampaign(ad: Ad, recent?: { impressions: number; clicks: number }) {
  answerCampaign(ad);
  if (recent)
    answer(getSeries, {
      ...noSeries,
      totals: { ...noSeries.totals, ...recent },
      previous: noSeries.previous,
    });
  await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
  await see(page.getByRole('heading', { level: 1, name: ad.title }));
}
const head = () => page.getByRole('region', { name: 'Campaign', exact: true });

describe('the head of a campaign’s page', () => {
  const text = () => wordsOf(head());

  it('says how much is delivered and when the rest is expected, by views', async () => {
    await openCampaign(running({ title: 'By views', ...views, totalImpressions: 620 }), {
      impressions: 210,
      clicks: 0,
    });
    // 620 of 1,000 views are delivered, 30 a day. The rest takes 380 / 30 days.
    await expect.poll(text).toContain('62% of 1,000 views On track for');
    // The screen reads the clock a moment later, perhaps after midnight.
    const dates = [380 / 30, 380 / 30 + 0.01].map((days) => dateText(from(days)));
    expect(dates.some((date) => text().includes(date))).toBe(true);
    const bar = head().getByRole('progressbar');
    await expect.element(bar).toHaveAttribute('aria-valuenow', '620');
    await expect.element(bar).toHaveAttribute('aria-valuemax', '1000');
    await expect.element(bar).toHaveAttribute('aria-label', 'By views');
    await expect.element(bar).toHaveAttribute('aria-valuetext', '62% of 1,000 views');
  });

  it.each<[what: string, ad: Ad, words: string]>([
    [
      'by clicks',
      running({ pricingModel: 'per_click', clicks: 40, totalClicks: 12 }),
      '30% of 40 clicks No clicks in the last 7 days. Check that the website shows the ad zone.',
    ],
    ['unseen', running(views), '0% of 1,000 views No views yet. Check that the website shows the ad zone.'],
    [
      'by days',
      running({
        duration: 7,
        startDate: from(-0.001).toISOString(),
        endDate: from(7).toISOString(),
      }),
      `Day 1 of 7 Runs until ${dateText(from(7))}`,
    ],
    [
      'with silent days',
      running({
        duration: 7,
        startDate: from(-3).toISOString(),
        endDate: from(6).toISOString(),
        silentDays: 1,
      }),
      '(extended by 1 silent day)',
    ],
  ])('says the progress and the outlook: %s', async (_what, ad, words) => {
    await openCampaign(ad);
    await expect.poll(text).toContain(words);
  });

  it('says since when its zone is paused', async () => {
    await openCampaign(
      running({
        duration: 7,
        startDate: from(-3).toISOString(),
        endDate: from(6).toISOString(),
        paused: 'zone',
        pausedAt: from(-1).toISOString(),
      }),
    );
    await see(
      head().getByText(
        /Paused by the publisher since \w+ \d+, \d{4}, \d+:\d\d [AP]M \w+; the end date moves by the length of the pause/i,
      ),
    );
    await see(head().getByText('Paused', { exact: true }));
  });
});

it('of a later start, its row says the day, and not that it is live', async () => {
  const startDate = `${addDays(today, 20)}T00:00:00.000Z`;
  const named = dateText(new Date(startDate));
  answerBuyerDashboard([
    makeAd({ id: 31, title: 'Later', status: 'approved', startDate, payBy: from(3).toISOString() }),
    makeAd({ id: 32, publicId: uuid(32), title: 'Paid', status: 'active', startDate }),
  ]);
  await openPage('/dashboard', { as: person('buyer') });
  const row = (title: string) =>
    page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: title });
  await see(row('Later').getByText(/^Pay by .+ to keep your days\. Starts/));
  await see(row('Paid').getByText(`Starts ${named}`));
  expect(row('Paid').getByText('Live', { exact: true }).elements()).toEqual([]);
  expect(await itemsOf(row('Paid'))).toEqual(['Open campaign', 'Pause', 'Cancel campaign']);
});

describe('the page of a campaign', () => {
  it('charts its views against the goal, and its clicks and conversions by the day', async () => {
    const ad = running({ ...views, startDate: from(-3).toISOString(), totalImpressions: 350 });
    answerCampaign(ad);
    answer(getSeries, {
      ...noSeries,
      buckets: [0, 100, 0, 250].map((impressions, at) =>
        sample(bucket, {
          start: addDays(today, at - 3),
          impressions,
          clicks: impressions / 50,
          amount: '0.00',
        }),
      ),
    });
    answer(getAdTimes, { timezone: 'UTC', hours: [], conversions: [{ day: addDays(today, -2), count: 4 }] });
    await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
    await see(saying('Goal: 1,000 views'));
    const course = page.getByRole('region', { name: 'Over time' });
    const chart = course.getByRole('slider');
    const spoken = () => chart.element().getAttribute('aria-valuetext');
    (chart.element() as SVGElement).focus();
    await expect.poll(spoken).toContain(': 350 of 1,000 views so far');
    await userEvent.keyboard('{ArrowLeft}');
    await expect.poll(spoken).toContain(': 100 of 1,000 views');
    await userEvent.keyboard('{Home}');
    await expect.poll(spoken).toContain(': 0 of 1,000 views');
    await expect.element(chart).toHaveAttribute('aria-valuemax', '4');
    await press(course.getByRole('button', { name: 'Clicks' }));
    await expect.poll(spoken).toContain(': 5 clicks so far');
    await press(course.getByRole('button', { name: 'Conversions' }));
    (chart.element() as SVGElement).focus();
    await userEvent.keyboard('{Home}{ArrowRight}');
    await expect.poll(spoken).toContain(': 4 conversions');
    await course.getByRole('button', { name: 'Show as table' }).click();
    await expect
      .poll(() => wordsOf(course.getByRole('row').filter({ hasText: '100' })))
      .toMatch(/ 100 2 4 \$0\.00$/);
  });

  it('shows five figures, each with its last week beside the week before', async () => {
    const figures = (members: object) => ({ ...noSeries.totals, ...members });
    const ad = running({ ...views });
    answerCampaign(ad);
    answer(getSeries, ({ query }) => ({
      ...noSeries,
      totals:
        query.from === addDays(today, -7)
          ? figures({ impressions: 120, clicks: 6, amount: '2.40', cpm: '20.00' })
          : figures({ impressions: 900, clicks: 18, amount: '18.00', cpm: '20.00', cpc: '1.00', ctr: 0.02 }),
      previous: figures({ impressions: 100, clicks: 6, amount: '2.00', cpm: '20.00' }),
    }));
    answer(getResults, { ...noResults, clicks: 18, conversions: 5, costPerConversion: '3.60' });
    answer(getAdTimes, {
      timezone: 'UTC',
      hours: [
        { hour: 3, impressions: 300, clicks: 3 },
        { hour: 13, impressions: 600, clicks: 15 },
      ],
      conversions: [
        { day: addDays(today, -2), count: 3 },
        { day: addDays(today, -9), count: 2 },
      ],
    });
    await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
    const figureOf = (name: string) => () =>
      [...document.querySelectorAll<HTMLElement>('dt')]
        .find(({ textContent }) => textContent === name)
        ?.parentElement?.innerText.replaceAll(/\s+/g, ' ');
    await expect
      .poll(figureOf('Views'))
      .toBe('Views 900 of 1,000 views booked Last 7 days: 120, 20% more than 100');
    await expect.poll(figureOf('Clicks')).toBe('Clicks 18 2.00% of views Last 7 days: 6, like 6 before');
    await expect.poll(figureOf('Conversions')).toBe('Conversions 5 $3.60 each Last 7 days: 3, 2 before');
    await expect
      .poll(figureOf('Cost'))
      .toBe('Cost $18.00 for what was delivered Last 7 days: $2.40, 20% more than $2.00');
    await expect
      .poll(figureOf('Cost per 1,000 views'))
      .toBe('Cost per 1,000 views $20.00 $1.00 per click Last 7 days: $20.00, like $20.00 before');
    const hours = page.getByRole('table', { name: 'By hour of the day' });
    expect(hours.getByRole('row').all().slice(1).map(wordsOf)).toEqual([
      '00:00 – 04:00 300 3 1.00%',
      '04:00 – 08:00 0 0 –',
      '08:00 – 12:00 0 0 –',
      '12:00 – 16:00 600 15 2.50%',
      '16:00 – 20:00 0 0 –',
      '20:00 – 24:00 0 0 –',
    ]);
  });

  it('has a rail with the money and the receipts, which bookkeeping may not see in another account', async () => {
    const ad = running(views);
    answerCampaign(ad);
    answer(
      getAdLedger,
      sample(getAdLedger.reply, {
        total: '80.00',
        earned: '43.91',
        refunded: '6.00',
        kept: '0.00',
        open: '30.09',
      }),
    );
    const payment = sample(listMyPayments.reply.element, {
      adPublicId: ad.publicId,
      receipt: 'R-2026-000007',
      refunds: [],
    });
    answer(listMyPayments, [{ ...payment, adPublicId: uuid(99), receipt: 'R-2026-000008' }, payment]);
    await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
    const money = page.getByRole('region', { name: 'Money' });
    await see(money.getByText('$43.91'));
    await expect
      .poll(() => wordsOf(money))
      .toBe(
        'Money You paid $80.00 Delivered $43.91 Refunded $6.00 Open $30.09 Receipt R-2026-000007 All receipts',
      );
    closeScreen();

    const reader = person('both', {
      membership: { role: 'read', rights: rightsOf('read'), account: 'Olga', person: 'Ann' },
    });
    await openPage(`/campaigns/${ad.publicId}`, { as: reader });
    await see(money.getByText('$43.91'));
    expect(money.getByText('All receipts').elements()).toEqual([]);
  });

  // Proves DEL-39
  it('shows how that campaign alone was counted', async () => {
    const ad = running(views);
    answerCampaign(ad);
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
    await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
    await see(page.getByText('Counted 1,200 of 1,270 reported views'));
    await page.getByRole('button', { name: 'How this was counted' }).click();
    const summary = page.getByRole('table', { name: 'From served to counted' });
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
    await openCampaign(paused('changed'));
    await see(
      saying('The target led to coffee.example when it was approved. It now leads to elsewhere.example.'),
    );
    await see(saying('The publisher decides whether the campaign is shown again.'));
    closeScreen();
    answerBuyerDashboard([paused('changed')]);
    await openPage('/dashboard', { as: person('buyer') });
    await see(page.getByText('Paused because of its target. Open the campaign for details.'));
  });

  // Proves DEST-05
  it('says what to do about a target that is not public', async () => {
    await openCampaign(paused('not_public'));
    await see(saying('isn’t on the public internet, so visitors can’t open it'));
    await see(saying('Cancel the campaign for a refund'));
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
    const ad = perDay({ silentDays: 2 });
    answer(getAdDays, { days });
    answer(
      getRefundQuote,
      sample(getRefundQuote.reply, { refundAmount: '600.00', cancelFee: '0.00', delivered: 1, bought: 7 }),
    );
    await openCampaign(ad);
    await see(saying('extended by 2 silent days'));
    await see(page.getByText('10 counted views'));
    await page.getByRole('button', { name: 'Days', exact: true }).click();
    const table = page.getByRole('table', { name: 'Days of the campaign' });
    await see(saying('10 of 10 needed', table));
    expect(wordsOf(table).match(/Silent|Delivered|Running/g)).toEqual([
      'Running',
      'Silent',
      'Silent',
      'Delivered',
    ]);
    await see(saying('2 silent days in a row'));
    const ended = perDay({
      status: 'completed',
      endedReason: 'canceled',
      refund: { amount: '600.00', status: 'owed' },
    });
    const calls = answer(cancelAd, () => {
      answer(getAd, ended);
      return ended;
    });
    await page.getByRole('button', { name: 'End and refund $600.00' }).click();
    await seeToast('Campaign canceled');
    await see(head().getByText('You canceled this campaign.'));
    await see(head().getByText('We’re sending $600.00 back to your card.'));
    expect(calls).toMatchObject([{ body: { refundAmount: '600.00' } }]);
  });

  // Proves DEL-71
  it('offers no end after one silent day', async () => {
    await openCampaign(perDay({ silentDays: 1 }));
    await see(saying('extended by 1 silent day'));
    expect(page.getByRole('button', { name: /End and refund/ }).elements()).toEqual([]);
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
