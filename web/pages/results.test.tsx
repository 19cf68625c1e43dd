import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { getSeries } from '#domain/analytics/contract.ts';
import { listPositionChanges } from '#domain/analytics/position-contract.ts';
import {
  getReturned,
  listAgents,
  listZoneYields,
  type ZoneYield,
} from '#domain/analytics/publisher-contract.ts';
import { listFaults } from '#domain/delivery/faults-contract.ts';
import { addDays } from '#domain/time.ts';
import { answer, broken } from '#web/testing/answers.ts';
import { press, saying, see } from '#web/testing/look.ts';
import { uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { noSeries } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const today = new Date().toISOString().slice(0, 10);
const names = { zone: uuid(11), zoneName: 'Top', websiteName: 'Gazette' };

/** 800 ad requests, of which 550 were filled, and 40 views that earned $34. */
const top = sample(listZoneYields.reply.element, {
  publicId: names.zone,
  name: 'Top',
  websiteName: 'Gazette',
  requests: 800,
  filled: 550,
  fill: 0.6875,
  impressions: 40,
  amount: '34.00',
  cpm: '850.00',
  before: { requests: 400, filled: 200 },
  course: [
    { requests: 300, filled: 150, views: 10 },
    { requests: 500, filled: 400, views: 30 },
  ],
});
const quiet: ZoneYield = {
  ...top,
  publicId: uuid(12),
  name: 'Bottom',
  requests: 0,
  filled: 0,
  fill: null,
  impressions: 0,
  amount: '0.00',
  cpm: null,
  before: { requests: 0, filled: 0 },
};

/** The answers for a publisher without an ad zone. Returns the calls for the ad zones' figures. */
function answerNothing() {
  answer(listFaults, []);
  answer(listPositionChanges, []);
  answer(getReturned, { advertisers: 0, returned: 0, list: [] });
  answer(listAgents, []);
  answer(getSeries, noSeries);
  return answer(listZoneYields, []);
}

async function openResults(path = '/results'): Promise<void> {
  await page.viewport(375, 900);
  await openPage(path, { as: person('seller') });
  await see(page.getByRole('heading', { name: 'Results', exact: true }));
}

const card = (name: string) => page.getByRole('region', { name, exact: true });
const advice = () => card('What to do:');

it('a publisher reads what the period earned beside the one before, what to do, and each ad zone', async () => {
  answerNothing();
  answer(listZoneYields, [quiet, top]);
  const figures = { ...noSeries.totals, impressions: 40, amount: '34.00', cpm: '850.00' };
  answer(getSeries, {
    ...noSeries,
    totals: figures,
    previous: { ...figures, amount: '17.00', cpm: '850.00' },
  });
  await openResults();
  const period = card('The period');
  for (const text of [
    '$34.00',
    '100% more than $17.00',
    '$850.00',
    'like $850.00 before',
    '68.8%',
    'up from 50.0%',
  ])
    await see(period.getByText(text, { exact: true }));
  const zones = card('Ad zones');
  const row = zones.getByRole('row').filter({ hasText: 'Top' });
  await see(row.getByRole('cell', { name: 'Earned: $34.00 68.8% sold', exact: true }));
  await page.viewport(1280, 900);
  for (const value of ['$34.00', '$850.00', '40', '68.8%'])
    await see(row.getByRole('cell', { name: value, exact: true }));
  await expect
    .element(row.getByRole('link', { name: 'Top' }))
    .toHaveAttribute('href', `/ad-zones/${uuid(11)}?tab=visitors`);
  // The best comes first.
  expect(
    zones
      .getByRole('link')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Top', 'Bottom']);
  await see(saying('Put the tag of 1 ad zone on your pages: Bottom (Gazette).', advice()));
  expect(card('Advertisers who came back').elements()).toEqual([]);
});

it.each([
  [{ ...top, fill: 0.97 }, 'Raise the price of Top (Gazette): it’s 97% sold.', ''],
  [{ ...top, fill: 0.12 }, 'Lower the price of Top (Gazette), or offer longer bookings: it’s 12% sold.', ''],
  [
    { ...quiet, before: { requests: 5, filled: 0 } },
    'The tag is missing on 1 ad zone that requested ads before: Bottom (Gazette).',
    '?tab=code',
  ],
  [top, 'Nothing right now.', null],
] as const)('what to do leads to the ad zone: %#', async (zone, sentence, query) => {
  answerNothing();
  answer(listZoneYields, [zone]);
  await openResults();
  await see(saying(sentence, advice()));
  if (query !== null)
    await expect
      .element(advice().getByRole('link'))
      .toHaveAttribute('href', `/ad-zones/${zone.publicId}${query}`);
});

it('the period narrows the figures, and stays in the address', async () => {
  answerNothing();
  const calls = answer(listZoneYields, ({ query: { from } }) => [
    from === addDays(today, -6) ? { ...top, fill: 0.75, requests: 200, filled: 150 } : top,
  ]);
  await openResults();
  const row = card('Ad zones').getByRole('row').filter({ hasText: 'Top' });
  await see(saying('68.8%', row).first());
  await page.getByRole('combobox', { name: 'Period' }).selectOptions('7');
  await see(saying('75.0%', row).first());
  expect(window.location.search).toBe('?days=7');
  expect(calls.map(({ query }) => query)).toEqual([
    { from: addDays(today, -29), to: today },
    { from: addDays(today, -6), to: today },
  ]);
});

it('of 200 ad zones, 25 are shown at first', async () => {
  answerNothing();
  answer(
    listZoneYields,
    Array.from({ length: 200 }, (_, at) => ({ ...top, publicId: uuid(at + 1), name: `Zone ${at}` })),
  );
  await openResults();
  const rows = () => card('Ad zones').getByRole('row').elements().length;
  await see(saying('Showing 25 of 200 ad zones', card('Ad zones')));
  expect(rows()).toBe(25);
  await card('Ad zones').getByRole('button', { name: 'Show 25 more' }).click();
  await expect.poll(rows).toBe(50);
});

it('a new publisher reads what to do next', async () => {
  answerNothing();
  await openResults();
  await see(page.getByRole('link', { name: 'Create Ad Zone' }));
  for (const name of ['The period', 'What to do:', 'Agents', 'Advertisers who came back'])
    expect(card(name).elements()).toEqual([]);
});

it('a publisher reads who came back', async () => {
  answerNothing();
  answer(getReturned, {
    advertisers: 3,
    returned: 2,
    list: [
      {
        name: 'Ada Ames',
        campaigns: 2,
        first: `${addDays(today, -3)}T10:00:00Z`,
        last: `${today}T11:00:00Z`,
        amount: '170.00',
      },
    ],
  });
  await openResults();
  const returned = card('Advertisers who came back');
  await see(saying('2 of 3 advertisers bought again, a day later or more.', returned).first());
  await press(returned.getByRole('button', { name: 'Who came back' }));
  await see(returned.getByRole('row').filter({ hasText: 'Ada Ames' }).getByText('$170.00'));
});

// Proves AGNT-202
it('a publisher reads which agents came in the period', async () => {
  answerNothing();
  const calls = answer(listAgents, ({ query: { from } }) =>
    from === addDays(today, -6)
      ? []
      : [
          { name: 'chatgpt.com', requests: 1200, views: 300, clicks: 1 },
          { name: 'HeadlessChrome', requests: 1, views: 0, clicks: 0 },
        ],
  );
  await openResults();
  const agents = card('Agents');
  for (const name of [
    'Agent: chatgpt.com Requests: 1,200 requests Views: 300 views Clicks: 1 click',
    'Agent: HeadlessChrome Requests: 1 request Views: 0 views Clicks: 0 clicks',
  ])
    await see(agents.getByRole('row', { name, exact: true }));
  await page.viewport(1280, 900);
  const row = agents.getByRole('row').filter({ hasText: 'chatgpt.com' });
  for (const value of ['chatgpt.com', '1,200', '300', '1'])
    await see(row.getByRole('cell', { name: value, exact: true }));
  await page.getByRole('combobox', { name: 'Period' }).selectOptions('7');
  await expect.element(agents).not.toBeInTheDocument();
  expect(calls.map(({ query }) => query)).toEqual([
    { from: addDays(today, -29), to: today },
    { from: addDays(today, -6), to: today },
  ]);
});

it.each([
  [() => answer(listZoneYields, broken), 'your ad zones', 'No ad zones yet'],
  [() => answer(getReturned, broken), 'the advertisers', 'No ad zones yet'],
  [() => answer(listAgents, broken), 'the agents', 'No ad zones yet'],
] as const)('a failed call can be repeated: %#', async (fail, words, text) => {
  answerNothing();
  fail();
  await openResults();
  await see(saying(`Could not load ${words}`));
  answerNothing();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(saying(`Could not load ${words}`)).not.toBeInTheDocument();
  await see(page.getByText(text));
});

it('a publisher reads that the viewability of an ad zone has halved', async () => {
  answerNothing();
  await openResults();
  await see(card('Ad zones').getByText('No ad zones yet'));
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
