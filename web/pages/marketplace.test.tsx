import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { getFacets, listWebsites, type MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { answer, offline, slow } from '#web/testing/answers.ts';
import { saying, see, wordsOf } from '#web/testing/look.ts';
import { makeOffered, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerWizard } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const WARNING = 'Unverified: we haven’t confirmed that this publisher owns the website.';

const FACETS = {
  sizes: [{ width: 300, height: 250, count: 11 }],
  prices: [
    { upTo: '10', count: 5 },
    { upTo: '25', count: 9 },
  ],
};
beforeEach(() => void answer(getFacets, FACETS));

/** Websites with these names and members. */
const sites = (all: Record<string, Partial<MarketplaceWebsite>>): MarketplaceWebsite[] =>
  Object.entries(all).map(([name, members], at) =>
    makeOffered({ id: at + 1, publicId: uuid(at + 1), name, ...members }),
  );
const card = (name: string) => page.getByRole('article', { name, exact: true });
const words = (name: string) => wordsOf(card(name));

/** Opens the marketplace with these websites. Returns the calls for them. */
async function open(websites: MarketplaceWebsite[], path = '/marketplace') {
  const calls = answer(listWebsites, websites);
  await openPage(path, { as: person('buyer') });
  return calls;
}

// Proves MKT-03, MKT-04
it('the traffic level is high from 50,000 monthly visitors, medium from 10,000, otherwise low', async () => {
  const calls = await open(
    sites({
      first: { monthlyVisitors: 50_000 },
      second: { monthlyVisitors: 49_999 },
      third: { monthlyVisitors: 10_000 },
      fourth: { monthlyVisitors: 9999 },
      fifth: { monthlyVisitors: 0 },
    }),
  );
  for (const [level, names] of [
    ['High', ['first']],
    ['Medium', ['second', 'third']],
    ['Low', ['fourth', 'fifth']],
  ] as const)
    for (const name of names) await see(card(name).getByText(level, { exact: true }));
  const filter = page.getByLabelText('Traffic', { exact: false });
  const options = [...(filter.element() as HTMLSelectElement).options].map(({ text }) => text);
  expect(options).toEqual(['All', 'High (50k+)', 'Medium (10k-50k)', 'Low (under 10k)']);
  for (const level of ['high', 'medium', 'low'] as const) {
    await filter.selectOptions(level);
    await expect.poll(() => calls.at(-1)?.query.traffic).toBe(level);
  }
});

// Proves MKT-600
it('the marketplace begins with the most viewed websites, and can be limited to a size and a price', async () => {
  await page.viewport(1280, 800);
  const calls = await open(sites({ only: {} }));
  await see(card('only'));
  expect(calls.at(-1)?.query.sort).toBe('views');
  await page.getByRole('button', { name: 'Size and price' }).click();
  const size = page.getByRole('combobox', { name: /^Size/ });
  await size.selectOptions('300x250 (11)');
  await expect.poll(() => calls.at(-1)?.query.size).toBe('300x250');
  await page.getByRole('combobox', { name: /^Price/ }).selectOptions('up to $25.00 (9)');
  await expect
    .poll(() => calls.at(-1)?.query)
    .toMatchObject({ size: '300x250', maxPrice: '25', sort: 'views' });
  expect(window.location.search).toBe('?size=300x250&maxPrice=25');
  // A link may name a size that few websites sell.
  closeScreen();
  await open(sites({ only: {} }), '/marketplace?size=120x600');
  await expect.element(size).toHaveValue('120x600');
});

const measured = { days: 28, viewability: null, clickRate: null, invalidShare: null, viewsPerDay: 120 };

// Proves MKT-04, MKT-07, MKT-08, MKT-09, MKT-10
it('a card shows category, traffic, description, prices, zone sizes and the ad types on offer', async () => {
  await open(
    sites({
      plain: { monthlyVisitors: 999, adTypes: [] },
      edge: { monthlyVisitors: 9999 },
      small: { monthlyVisitors: 1500, description: 'Notes on chairs', category: 'Travel' },
      large: { monthlyVisitors: 1_200_000, measured },
      silent: { monthlyVisitors: 0 },
      priced: {
        publicId: uuid(99),
        monthlyVisitors: 50_000,
        adTypes: ['image'],
        lowestPrice: '12.50',
        lowestOffer: {
          price: '12.50',
          pricingModel: 'per_day',
          duration: 1,
          impressions: null,
          clicks: null,
        },
        sizes: [
          { width: 728, height: 90 },
          { width: 300, height: 250 },
        ],
      },
    }),
  );
  await see(card('small'));
  for (const text of ['small', 'Travel', 'Low', 'Notes on chairs', '1.5K monthly visitors'])
    expect(words('small')).toContain(text);
  expect(words('plain')).toContain('No description available');
  expect(words('plain')).toContain('No ad space available right now');
  await see(card('silent').getByText('Low', { exact: true }));
  expect(words('silent')).not.toContain('visitors');
  for (const [name, visitors] of [
    ['plain', '999'],
    ['edge', '9.9K'],
    ['large', '1.2M'],
    ['priced', '50K'],
  ] as const)
    expect(words(name)).toContain(`${visitors} monthly visitors`);
  await see(card('edge').getByText('Low', { exact: true }));
  expect(words('large')).toContain('views a day 120');
  expect(words('priced')).toContain('from $12.50 per day');
  // The price that compares is that of a day while that of 1,000 views is not known.
  expect(words('priced')).toContain('a day $12.50');
  await see(card('priced').getByText('Ad zones: 728x90, 300x250'));
  // A card lists all three ad types and marks those that are not for sale.
  const types = card('priced').getByRole('listitem').elements();
  expect(types.map(({ textContent }) => textContent)).toEqual([
    'Text(unavailable)',
    'Image',
    'Video(unavailable)',
  ]);
  await expect
    .element(card('priced').getByRole('link', { name: 'Advertise Here' }))
    .toHaveAttribute('href', `/create-ad?website=${uuid(99)}`);
});

it('a card shows a range of views with its basis, and the measured figures beside the declared one', async () => {
  const range = (low: number, likely: number, high: number) => ({ low, likely, high });
  await open(
    sites({
      measured: {
        monthlyVisitors: 184_000,
        forecast: { basis: 'site', viewsPerDay: range(40, 180, 360) },
        measured: { days: 8, viewsPerDay: 180, viewability: 1, clickRate: 0.011, invalidShare: 0 },
        costPerThousand: '11.11',
      },
      declared: {
        monthlyVisitors: 30_000,
        forecast: { basis: 'declared', viewsPerDay: range(50, 300, 2000) },
      },
      empty: { monthlyVisitors: 30_000 },
    }),
  );
  const figures = (name: string) =>
    Object.fromEntries(
      [...card(name).element().querySelectorAll('dt')].map((label) => [
        label.textContent,
        label.parentElement?.querySelector('dd')?.textContent,
      ]),
    );
  await see(saying('40–360 views a day per ad zone, estimated from its measured ad zones', card('measured')));
  await see(saying('184K monthly visitors', card('measured')));
  await see(saying('Measured over 8 days: 100% viewable, 0% invalid', card('measured')));
  expect(figures('measured')).toEqual({ 'views a day': '180', CTR: '1.1%', 'per 1,000 views': '$11.11' });
  await see(
    saying('50–2,000 views a day per ad zone, estimated from the publisher’s own figure', card('declared')),
  );
  // An unmeasured zone has no figure, and no price per 1,000 views.
  expect(figures('declared')).toEqual({ Measured: 'Not measured yet' });
  expect(words('empty')).not.toContain('views a day');
});

it('a card warns of a website without a proof, and says that another one is verified', async () => {
  await open(sites({ 'Doubtful news': { isVerified: false }, 'Proven news': {} }));
  await see(saying(WARNING, card('Doubtful news')));
  await see(card('Proven news').getByText('Verified', { exact: true }));
  expect(words('Proven news')).not.toContain('Unverified');
});

// Proves MKT-04
it('the longest names and URLs do not widen the page', async () => {
  const name = `Unbroken${'W'.repeat(190)}`;
  await open(
    sites({
      [name]: {
        displayAddress: `${'long-'.repeat(10)}name.example/${'p'.repeat(200)}`,
        description: `<b>bold</b>\u202E${'Q'.repeat(400)}`,
        monthlyVisitors: 2_147_483_647,
      },
    }),
  );
  await see(saying('<b>bold</b>', card(name)));
  for (const width of [375, 800, 1280]) {
    await page.viewport(width, 700);
    await expect.poll(() => document.documentElement.scrollWidth).toBe(width);
  }
});

// Proves MKT-11
it('an empty marketplace or search explains why, and the search can be cleared', async () => {
  await open([]);
  await see(page.getByText('No websites yet'));
  await see(saying('Websites appear here as soon as publishers list them.'));
  closeScreen();

  answer(listWebsites, ({ query: { search } }) => (search ? [] : sites({ 'To be found again': {} })));
  await openPage('/marketplace?search=no+such+site', { as: person('buyer') });
  const search = page.getByLabelText('Search');
  await see(page.getByText('No websites found'));
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await see(card('To be found again'));
  await expect.element(search).toHaveValue('');
  expect(window.location.pathname + window.location.search).toBe('/marketplace');
});

// Proves MKT-12
it('a marketplace that fails to load says so, and Try again loads it', async () => {
  answer(listWebsites, offline);
  await openPage('/marketplace', { as: person('buyer') });
  await see(saying('Could not load the websites'));
  const { answer: held, release } = slow(sites({ 'Late one': {} }));
  answer(listWebsites, held);
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(page.getByRole('article').elements()).toEqual([]);
  release();
  await see(card('Late one'));
});

it('on a phone the filters are behind a button, and each website is a row of 132 px', async () => {
  await page.viewport(375, 900);
  const offer = { pricingModel: 'per_day', duration: 365, impressions: null, clicks: null } as const;
  const calls = await open(
    sites({
      'Handy 1': { costPerThousand: '1.00' },
      'Handy 2': { measured, description: 'Words '.repeat(40) },
      'Handy highest': { lowestPrice: '999999.99', lowestOffer: { price: '999999.99', ...offer } },
    }),
    '/marketplace?view=table',
  );
  await see(card('Handy 2'));
  // A table has no room on a phone, and the first card is in the first screenful.
  expect(page.getByRole('table').elements()).toEqual([]);
  for (const name of ['Handy 1', 'Handy 2', 'Handy highest'])
    expect(card(name).element().getBoundingClientRect().height).toBe(132);
  expect(card('Handy 1').element().getBoundingClientRect().top).toBeLessThan(260);
  const filters = page.getByRole('button', { name: /^Filters/ });
  const category = page.getByLabelText('Category', { exact: false });
  await expect.element(category).not.toBeVisible();
  await filters.click();
  await page.getByLabelText('Traffic', { exact: false }).selectOptions('high');
  await see(page.getByRole('button', { name: 'Filters (1)' }));
  await expect.poll(() => calls.at(-1)?.query.traffic).toBe('high');
  await page.getByLabelText('Traffic', { exact: false }).selectOptions('');
  await filters.click();
  await expect.element(category).not.toBeVisible();
  await page.viewport(320, 700);
  await expect.poll(() => words('Handy highest')).toContain('from $999,999.99 per 365 days');
  expect(document.documentElement.scrollWidth).toBe(320);
  // The whole row is the link.
  const { left, top } = card('Handy 2').element().getBoundingClientRect();
  const under = document.elementFromPoint(left + 20, top + 20)?.closest('a');
  expect(under?.getAttribute('href')).toBe(`/create-ad?website=${uuid(2)}`);
});

it('a category of 40 characters stays in its line on a phone and in the table', async () => {
  const category = 'Donaudampfschifffahrtsgesellschaft & Bar';
  await page.viewport(375, 900);
  await open(sites({ 'The Steamer': { category } }));
  await see(saying(category, card('The Steamer')));
  expect(card('The Steamer').element().getBoundingClientRect().height).toBe(132);
  await page.viewport(1280, 900);
  closeScreen();
  await open(sites({ 'The Steamer': { category } }), '/marketplace?view=table');
  const table = page.getByRole('table');
  await see(saying(category, table));
  const box = table.element();
  expect(box.scrollWidth - (box.parentElement?.clientWidth ?? 0)).toBe(0);
});

it('the filter offers the categories of the document, and a link to one chooses it', async () => {
  const calls = await open(sites({ 'The Steamer': {} }), '/marketplace?category=Sports');
  const category = page.getByLabelText('Category', { exact: false });
  await expect.element(category).toHaveValue('Sports');
  expect([...(category.element() as HTMLSelectElement).options].map(({ text }) => text)).toEqual([
    'All',
    'Technology',
    'Sports',
    'News',
  ]);
  await expect.poll(() => calls.at(-1)?.query.category).toBe('Sports');
  await category.selectOptions('News');
  await expect.poll(() => window.location.search).toBe('?category=News');
  await expect.poll(() => calls.at(-1)?.query.category).toBe('News');
});

it('the table compares twenty websites on one screen, and its order and view stay in the address', async () => {
  await page.viewport(1280, 800);
  const all = sites(
    Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [`Ranked ${at + 1}`, { costPerThousand: `${at + 1}.00` }]),
    ),
  );
  const byName = all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  answerWizard({ websites: all });
  const calls = answer(listWebsites, ({ query: { sort } }) =>
    sort === 'price' ? all : sort === 'name' ? byName : all.toReversed(),
  );
  await openPage('/marketplace?search=Ranked', { as: person('buyer') });
  const address = () => window.location.pathname + window.location.search;
  await page.getByLabelText('Sort by', { exact: false }).selectOptions('Lowest price per 1,000 views');
  await expect
    .poll(() => page.getByRole('article').getByRole('heading').first().element().textContent)
    .toBe('Ranked 1');
  await page.getByRole('button', { name: 'Table' }).click();
  const rows = () => page.getByRole('table', { name: 'Websites' }).getByRole('row').elements();
  const inOrder = () =>
    rows()
      .slice(1)
      .map((row) => /Ranked \d+/.exec(row.textContent)?.[0]?.slice(7));
  const rising = Array.from({ length: 21 }, (_, index) => String(index + 1));
  await expect.poll(inOrder).toEqual(rising);
  expect(calls.at(-1)?.query).toMatchObject({ search: 'Ranked', sort: 'price' });
  expect(address()).toBe('/marketplace?search=Ranked&sort=price&view=table');
  expect(rows()[20]!.getBoundingClientRect().bottom).toBeLessThanOrEqual(800);
  expect(document.documentElement.scrollWidth).toBe(1280);
  const price = page.getByRole('columnheader', { name: 'Per 1,000 views' });
  await expect.element(price).toHaveAttribute('aria-sort', 'ascending');

  await page.getByRole('columnheader', { name: 'Website' }).getByRole('button').click();
  await expect.poll(() => inOrder()[1]).toBe('10');
  expect(address()).toBe('/marketplace?search=Ranked&sort=name&view=table');
  await page.getByRole('link', { name: 'Advertise Here' }).first().click();
  await expect.poll(() => window.location.pathname).toBe('/create-ad');
  window.history.back();
  await expect.poll(() => inOrder()[1]).toBe('10');
  closeScreen();

  answer(listWebsites, ({ query: { sort } }) => (sort === 'price' ? all : byName));
  await openPage('/marketplace?search=Ranked&sort=price&view=table', { as: person('buyer') });
  await expect.poll(inOrder).toEqual(rising);
});
