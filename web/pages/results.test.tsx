import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getPages, listPositionChanges, listPlaces } from '#domain/analytics/position-contract.ts';
import {
  getHoursWithoutTag,
  getReturned,
  listPriceTrials,
  listZoneYields,
} from '#domain/analytics/publisher-contract.ts';
import {
  deletePageViews,
  getTwoCounts,
  storePageViews,
  type TwoCounts,
} from '#domain/analytics/two-counts-contract.ts';
import { listFaults } from '#domain/delivery/faults-contract.ts';
import { listMyWebsites } from '#domain/inventory/contract.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { press, saying, see } from '#web/testing/look.ts';
import { makeWebsite, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';
import { addDays } from '#domain/time.ts';

const today = new Date().toISOString().slice(0, 10);
const gazette = makeWebsite();
const names = { zone: uuid(11), zoneName: 'Top', websiteName: 'Gazette' };

/** 800 ad requests, of which 550 were filled, and 40 views that earned $34. */
const top = sample(listZoneYields.reply.element, {
  publicId: names.zone,
  name: 'Top',
  websitePublicId: gazette.publicId,
  websiteName: 'Gazette',
  requests: 800,
  filled: 550,
  fill: 0.6875,
  impressions: 40,
  amount: '34.00',
  cpm: '850.00',
});
const quiet = {
  ...top,
  publicId: uuid(12),
  name: 'Bottom',
  requests: 0,
  filled: 0,
  fill: null,
  impressions: 0,
  amount: '0.00',
  cpm: null,
};
const noPages = sample(getPages.reply, {
  all: { reports: 0, viewable: 0 },
  others: { reports: 0, viewable: 0 },
});
const noCounts = sample(getTwoCounts.reply, {
  timezone: 'UTC',
  dayStart: '00:00',
  landings: { clicks: 0, landings: 0 },
});

/** The answers for a publisher who has a website and no ad zone. Returns the calls for the ad zones' figures. */
function answerNothing() {
  answer(listFaults, []);
  answer(listMyWebsites, [gazette]);
  answer(listPositionChanges, []);
  answer(listPlaces, []);
  answer(getHoursWithoutTag, { hours: 0, requests: 0, cost: '0.00', silences: [] });
  answer(listPriceTrials, []);
  answer(getReturned, { advertisers: 0, returned: 0, list: [] });
  answer(getTwoCounts, noCounts);
  answer(getPages, noPages);
  return answer(listZoneYields, []);
}

async function openResults(path = '/results'): Promise<void> {
  await page.viewport(375, 900);
  await openPage(path, { as: person('seller') });
  await see(page.getByRole('heading', { name: 'Results', exact: true }));
}

const card = (name: string) => page.getByRole('region', { name, exact: true });

it('a publisher reads what the ad zones bring, who came back, and what silence and higher prices cost', async () => {
  answerNothing();
  answer(listZoneYields, [top, quiet]);
  answer(getHoursWithoutTag, {
    hours: 1,
    requests: 150,
    cost: '2.13',
    silences: [
      {
        ...names,
        from: `${today}T10:00:00Z`,
        until: `${today}T11:00:00Z`,
        hours: 1,
        requests: 150,
        cost: '2.13',
      },
    ],
  });
  answer(listPriceTrials, [
    {
      ...names,
      pricingModel: 'per_impression',
      ads: 5,
      amount: '425.00',
      trials: [
        { percent: 20, fewest: 2, least: '204.00', most: '510.00' },
        { percent: 50, fewest: 0, least: '0.00', most: '637.50' },
      ],
    },
  ]);
  answer(getReturned, {
    advertisers: 3,
    returned: 2,
    list: [
      {
        name: 'Ada Ames',
        campaigns: 2,
        first: `${today}T10:00:00Z`,
        last: `${today}T11:00:00Z`,
        amount: '170.00',
      },
    ],
  });
  await openResults();

  const zones = card('By website and ad zone');
  const row = zones.getByRole('row').filter({ hasText: 'Top' });
  for (const [header, value] of Object.entries({
    'Per 1,000 views': '$850.00',
    Earnings: '$34.00',
    Views: '40',
    'Ad requests': '800',
    Fill: '68.8%',
  }))
    await see(row.getByRole('cell', { name: `${header}: ${value}`, exact: true }));
  const site = zones.getByRole('row').filter({ hasText: 'Gazette' });
  await see(saying('$34.00', site));
  await see(saying('Without an ad request in this period: Bottom (Gazette)', zones));
  expect(zones.getByRole('row').filter({ hasText: 'Bottom' }).elements()).toEqual([]);

  const silence = card('Hours without your tag');
  await see(silence.getByText(/1 hour without about 150 usual requests cost you at most \$2\.13/));
  await see(silence.getByText(/Ads that still run make up for it later, so the loss is smaller or none/));
  await see(silence.getByRole('row').filter({ hasText: 'Gazette, Top' }));

  const prices = card('If your prices had been higher');
  await see(saying('5 ads earned you $425.00.', prices));
  await see(saying('+20%: 2 to 5 ads bought, $204.00 to $510.00 earned', prices));
  await see(saying('+50%: 0 to 5 ads bought', prices));

  const returned = card('Advertisers who came back');
  await see(saying('2 of 3 advertisers bought again.', returned));
  await see(returned.getByRole('row').filter({ hasText: 'Ada Ames' }).getByText('$170.00'));
});

it('the period narrows the figures of ad zones, and stays in the address', async () => {
  answerNothing();
  const calls = answer(listZoneYields, ({ query: { from } }) => [
    from === addDays(today, -6) ? { ...top, fill: 0.75, requests: 200, filled: 150 } : top,
  ]);
  await openResults();
  const row = card('By website and ad zone').getByRole('row').filter({ hasText: 'Top' });
  await see(saying('68.8%', row));
  await page.getByRole('combobox', { name: 'Period' }).selectOptions('7');
  await see(saying('75.0%', row));
  expect(window.location.search).toBe('?days=7');
  expect(calls.map(({ query }) => query)).toEqual([
    { from: addDays(today, -29), to: today },
    { from: addDays(today, -6), to: today },
  ]);
});

it('a new publisher reads what to do next', async () => {
  answerNothing();
  answer(listMyWebsites, []);
  await openResults();
  await see(page.getByRole('link', { name: 'Create Ad Zone' }));
  await see(saying('Nobody has bought in your ad zones yet.'));
  await see(page.getByText('No such hour in this period'));
  await see(page.getByText('Nothing was bought in the last 90 days'));
});

it.each([
  [() => answer(listZoneYields, broken), 'your ad zones', 'By website and ad zone', 'No ad zones yet'],
  [
    () => answer(getHoursWithoutTag, broken),
    'the hours without your tag',
    'Hours without your tag',
    'No such hour in this period',
  ],
  [
    () => answer(listPriceTrials, broken),
    'the prices',
    'If your prices had been higher',
    'Nothing was bought in the last 90 days',
  ],
  [
    () => answer(getReturned, broken),
    'the advertisers',
    'Advertisers who came back',
    'No advertiser has come back yet',
  ],
] as const)('a failed call can be repeated: %#', async (fail, words, region, text) => {
  answerNothing();
  fail();
  await openResults();
  await see(saying(`Could not load ${words}`, card(region)));
  answerNothing();
  await card(region).getByRole('button', { name: 'Try again' }).click();
  await see(saying(text, card(region)));
});

const file = (text: string, name = 'views.csv') => new File([text], name, { type: 'text/csv' });

it('a publisher adds page views by a file, reads both counts with the causes of their difference, and removes them', async () => {
  const days = [0, 7, 14].map((ago) => addDays(today, -ago));
  let counts: TwoCounts = noCounts;
  answerNothing();
  answer(getTwoCounts, () => counts);
  const store = () => {
    counts = {
      ...noCounts,
      zoneName: 'Top',
      hasPageViews: true,
      days: days.toReversed().map((date) => ({ date, pageViews: 300, requests: 250 })),
    };
    return { days: 3, from: days[2]!, to: days[0]! };
  };
  answer(storePageViews, refused(400, '2999-01-01 is in the future'));
  const removals = answer(deletePageViews, () => {
    counts = noCounts;
    return { success: true as const };
  });
  await openResults();
  const both = card('Two counts');
  await see(both.getByText('No advertiser measured landings in this period.'));
  const field = both.getByLabelText('Choose a file with page views', { exact: false });
  await userEvent.upload(field, file('day,visitors\n2026-01-01,5'));
  await see(saying('The file needs a column date', both.getByRole('alert')));
  await userEvent.upload(field, file('date,pageviews\n2999-01-01,5'));
  await see(both.getByRole('alert').getByText('2999-01-01 is in the future'));

  const stored = answer(storePageViews, store);
  await userEvent.upload(field, file(`date,pageviews\n${days.map((day) => `${day},300`).join('\n')}\n`));
  // The form moves into a fold with the first stored days.
  await see(saying('Pages without this ad zone’s tag.', both));
  await see(
    saying(
      'In 3 days, your analytics counted 900 page views, and Top made 750 ad requests: 16.7% fewer.',
      both,
    ),
  );
  await both.getByRole('button', { name: 'Day by day' }).click();
  await expect.poll(() => both.getByRole('row').elements().length).toBe(4);
  await both.getByRole('button', { name: 'Add or remove page views' }).click();
  await userEvent.upload(
    both.getByLabelText('Choose a file with page views', { exact: false }),
    file(`{"pageviews":[{"x":"${days[0]}","y":5}]}`, 'umami.json'),
  );
  await see(both.getByRole('status').getByText(/^Stored\. There are 3 days now/));
  const ref = { publicId: gazette.publicId };
  expect(stored).toMatchObject([
    { params: { ref }, body: { days: days.toReversed().map((date) => ({ date, pageViews: 300 })) } },
    { params: { ref }, body: { days: [{ date: days[0], pageViews: 5 }] } },
  ]);

  await press(both.getByRole('button', { name: 'Remove all page views' }));
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Remove page views' });
  await press(confirm);
  await see(saying('Add the page views per day that your own analytics counted', both));
  expect(removals).toMatchObject([{ params: { ref } }]);
});

// Proves RES-101
it('a publisher reads what the pages of an ad zone earn, estimated by the measured page views', async () => {
  answerNothing();
  answer(listZoneYields, [top]);
  await openResults();
  const pages = card('By page');
  await see(pages.getByText('No page of this ad zone has 20 measured page views yet.'));
  closeScreen();

  const calls = answer(getPages, {
    all: { reports: 130, viewable: 90 / 130 },
    pages: [
      { path: '/sport/caf%C3%A9', reports: 60, viewable: 1, secondsInView: 3 },
      { path: '/', reports: 60, viewable: 0.5, secondsInView: 0.5 },
    ],
    others: { reports: 10, viewable: 0 },
  });
  await openResults();
  // 800 requests earned $34.00, so 1,000 earn $42.50; 90 of 130 page views had the ad zone in view.
  for (const [name, figures] of Object.entries({
    'All pages': ['$42.50', '130', '69.2%', '–'],
    '/sport/café': ['$61.39', '60', '100.0%', '3.0'],
    '/': ['$30.69', '60', '50.0%', '0.5'],
    'Other pages': ['$0.00', '10', '0.0%', '–'],
  })) {
    const row = pages.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    const headers = [
      'Per 1,000 page views',
      'Measured page views',
      'In view for a second',
      'Seconds in view',
    ];
    for (const [at, header] of headers.entries())
      await see(row.getByRole('cell', { name: `${header}: ${figures[at]}`, exact: true }));
  }
  expect(calls).toMatchObject([{ query: { zone: top.publicId } }]);
});

it('a publisher reads that the viewability of an ad zone has halved', async () => {
  answerNothing();
  await openResults();
  await see(card('By website and ad zone').getByText('No ad zones yet'));
  expect(page.getByText('Changed by more than half').elements()).toEqual([]);
  closeScreen();

  answer(listPositionChanges, [
    sample(listPositionChanges.reply.element, {
      ...names,
      websiteName: 'Herald',
      zoneName: 'Sidebar',
      recent: 0.2,
      before: 0.6,
      change: 'fell',
    }),
  ]);
  await openResults();
  await see(saying('Herald, Sidebar: the viewability fell from 60.0% to 20.0%'));
});
