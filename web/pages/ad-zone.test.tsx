/** The page of one ad zone: each of its tabs, saved by itself. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { breakdownRow, getBreakdown } from '#domain/analytics/contract.ts';
import { getPages, listPlaces } from '#domain/analytics/position-contract.ts';
import { getHoursWithoutTag, listPriceTrials, listZoneYields } from '#domain/analytics/publisher-contract.ts';
import {
  deletePageViews,
  getTwoCounts,
  storePageViews,
  type TwoCounts,
} from '#domain/analytics/two-counts-contract.ts';
import {
  removeHouseAd,
  setHouseAd,
  updateProduct,
  updateZone,
  type AdZone,
  type Product,
} from '#domain/inventory/contract.ts';
import { getPriceSuggestion, listZoneSales } from '#domain/inventory/my-zones-contract.ts';
import { addDays } from '#domain/time.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { press, saying, see, seeToast, wordsOf } from '#web/testing/look.ts';
import { makeProduct, makeWebsite, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerAdZone } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const today = new Date().toISOString().slice(0, 10);
const onPage = () => page.getByRole('main');
const button = (name: string | RegExp) => onPage().getByRole('button', { name });
const focused = () => document.activeElement;

/** Opens the page of the ad zone, and keeps the changes of it and of its prices. */
async function openZone(members: Partial<AdZone> = {}, products: Product[] = [], tab = '') {
  const zones = [makeZone(members)];
  answerAdZone({ websites: [makeWebsite()], zones, products });
  const zoneChanges = answer(
    updateZone,
    ({ body }) => (zones[0] = { ...zones[0]!, ...(body as Partial<AdZone>) }),
  );
  const priceChanges = answer(
    updateProduct,
    ({ body }) => (products[0] = { ...products[0]!, ...(body as Partial<Product>) }),
  );
  await showZone(tab);
  return { zones, zoneChanges, priceChanges };
}

async function showZone(tab = ''): Promise<void> {
  await openPage(`/ad-zones/${uuid(11)}${tab && `?tab=${tab}`}`, { as: person('seller') });
  await see(page.getByRole('heading', { level: 1, name: 'Sidebar' }));
}

it('says what the zone is, what it brought in 30 days, and its next free day; each tab has an address', async () => {
  answerAdZone({ websites: [makeWebsite()], zones: [makeZone()], products: [makeProduct()] });
  answer(getBreakdown, [sample(breakdownRow, { publicId: uuid(11), impressions: 1234, amount: '56.70' })]);
  await showZone();
  const figures = page.getByRole('region', { name: 'Figures of the ad zone' });
  for (const text of ['1,234', '$56.70', 'Today']) await see(figures.getByText(text, { exact: true }));
  await see(onPage().getByText('rectangle, 300x250'));
  await see(onPage().getByText('Active', { exact: true }));
  await see(saying('Text: 30 days for $100.00', onPage()).first());
  for (const [name, address, text] of [
    ['Look', '?tab=look', 'How ads look'],
    ['Visitors', '?tab=visitors', 'Who sees no ads'],
    ['House ad', '?tab=house-ad', 'Shown instead of ‘Advertise here’'],
    ['Code', '?tab=code', 'Tip: paste it where'],
    ['Booking', '', 'Calendar & Slots'],
  ] as const) {
    await page.getByRole('tab', { name, exact: true }).click();
    await see(saying(text, onPage()).first());
    expect(window.location.search).toBe(address);
  }
});

it('says that there is no such ad zone, and offers to try again if it cannot be read', async () => {
  answerAdZone({ websites: [makeWebsite()], zones: [makeZone()] });
  await openPage(`/ad-zones/${uuid(99)}`, { as: person('seller') });
  await see(page.getByRole('heading', { level: 1, name: 'Ad Zone Not Found' }));
  closeScreen();
  answer(listZoneSales, broken);
  await openPage(`/ad-zones/${uuid(11)}`, { as: person('seller') });
  await see(saying('Could not load the ad zone', onPage()));
  answerAdZone({ websites: [makeWebsite()], zones: [makeZone()] });
  await onPage().getByRole('button', { name: 'Try again' }).click();
  await see(page.getByRole('heading', { level: 1, name: 'Sidebar' }));
});

it('changes the price of an option, withdraws and restores it', async () => {
  const { priceChanges } = await openZone({}, [
    makeProduct({ price: '50.00', pricingModel: 'per_impression', impressions: 5000, duration: null }),
  ]);
  await button(/^Change price/).click();
  const price = onPage().getByLabelText('New price for 5,000 impressions, text');
  await expect.element(price).toHaveFocus();
  const save = button('Save price');
  await expect.element(save).toHaveAttribute('aria-description', 'Enter a different price first');
  await press(save);
  await seeToast('Enter a different price first');
  for (const [typed, text] of [
    ['0', 'Price must be above 0'],
    ['1.000', 'Enter a price like 12.50 or 1,000'],
  ] as const) {
    await price.fill(typed);
    await save.click();
    await see(saying(text, onPage()));
  }
  expect(priceChanges).toEqual([]);
  await price.fill('$45,50');
  await save.click();
  await seeToast('Price changed');
  await see(onPage().getByText('Text: 5,000 impressions for $45.50', { exact: true }).first());
  await expect.poll(() => focused()?.getAttribute('aria-label')).toBe('Pricing options');
  expect(priceChanges).toMatchObject([{ params: { id: 21 }, body: { price: '45.50' } }]);
  await button(/^Withdraw/).click();
  await see(onPage().getByText('Withdrawn'));
  await button(/^Offer again/).click();
  await see(button(/^Withdraw/));
  expect(priceChanges.slice(1).map(({ body }) => body)).toEqual([{ isActive: false }, { isActive: true }]);
});

it('says for how long an option can be booked, and its discounts', async () => {
  await openZone({}, [
    makeProduct({
      duration: 1,
      price: '5.00',
      maxQuantity: 30,
      volumePrices: [{ fromQuantity: 7, price: '4.00' }],
    }),
  ]);
  await see(saying('1 day to 30 days · from 7 days: $4.00 each', onPage()).first());
});

it('says what similar zones ask, and what the publisher receives of a price', async () => {
  answerAdZone({ websites: [makeWebsite()], zones: [makeZone()] });
  answer(getPriceSuggestion, {
    commissionPercent: 15,
    similar: [
      {
        model: 'per_day',
        similarity: 'size_and_category',
        zones: 6,
        publishers: 3,
        low: '5.00',
        high: '7.00',
        median: '6.00',
        paid: null,
      },
    ],
  });
  await showZone();
  const prices = page.getByRole('region', { name: 'Prices of similar ad zones' });
  await see(saying('$5.00 to $7.00 a day', prices));
  expect(wordsOf(prices)).toContain('300 × 250 in your category (6 ad zones)');
  await onPage().getByLabelText('Price (USD)').fill('5');
  await see(onPage().getByText('You receive $4.25.'));
});

it('previews, saves and removes the publisher’s house ad, whose address may lack https://', async () => {
  const { zones } = await openZone({}, [], 'house-ad');
  const saves = answer(setHouseAd, ({ body }) => (zones[0] = { ...zones[0]!, houseAd: body }));
  await button('Add your own ad').click();
  const title = onPage().getByLabelText('Title');
  await expect.element(title).toHaveFocus();
  const target = onPage().getByLabelText('Target URL');
  await target.fill('http://own.example');
  await button('Save your ad').click();
  await see(onPage().getByText('Title is required'));
  await see(onPage().getByText('Please enter an address that begins with https://'));
  expect(saves).toEqual([]);

  await title.fill('Read our letter');
  await target.fill('own.example/letter');
  await onPage().getByLabelText('Description').fill('Every Friday, free.');
  await expect.element(target).toHaveValue('https://own.example/letter');
  // The preview uses the tag's own renderer, in a shadow root.
  const own = onPage().getByRole('region', { name: 'Your own ad' });
  const preview = () => own.element().querySelector('[data-preview]')?.shadowRoot;
  await expect.poll(() => preview()?.textContent).toContain('Every Friday, free.');
  await title.click();
  await userEvent.keyboard('{Enter}');
  await see(own.getByRole('status').getByText('Saved'));
  await see(button('Change your ad'));
  const houseAd = {
    title: 'Read our letter',
    description: 'Every Friday, free.',
    targetUrl: 'https://own.example/letter',
  };
  expect(saves).toMatchObject([{ params: { ref: { id: 11 } }, body: houseAd }]);
  expect(preview()?.textContent).toContain('Read our letter');
  // It is not paid for, so it has no 'Ad' mark.
  expect([...preview()!.querySelectorAll('a')].filter(({ textContent }) => textContent === 'Ad')).toEqual([]);

  const removals = answer(removeHouseAd, () => (zones[0] = { ...zones[0]!, houseAd: null }));
  await button('Remove your ad').click();
  await see(button('Add your own ad'));
  expect(removals).toMatchObject([{ params: { ref: { id: 11 } } }]);
});

it('excludes visitors from the paid ads of the ad zone', async () => {
  const { zoneChanges } = await openZone({}, [], 'visitors');
  const section = onPage().getByRole('region', { name: 'Who sees no ads' });
  await see(section.getByText('Nobody is excluded.'));
  await section.getByRole('button', { name: 'Change who is excluded' }).click();
  await see(section.getByLabelText('Topics', { exact: false }));
  expect(section.getByText(/unknown/).elements()).toEqual([]);
  await section.getByRole('combobox', { name: 'Countries' }).selectOptions('FR');
  await section.getByLabelText('Topics', { exact: false }).fill('gambling');
  await section.getByRole('button', { name: 'Save exclusions' }).click();
  await see(saying('Countries: France', section));
  await see(section.getByRole('status').getByText('Saved'));
  expect(zoneChanges).toMatchObject([{ body: { excludes: { countries: ['FR'], topics: ['gambling'] } } }]);
});

it('shows nothing about prices and visitors without data', async () => {
  await openZone({}, [], 'visitors');
  await see(onPage().getByText('Nobody is excluded.'));
  await see(button('Compare with your own analytics'));
  expect(
    onPage()
      .getByRole('heading', { level: 2 })
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Who sees no ads']);
});

it('says where the zone stands, in which hours its tag was missing, and what higher prices would have lost', async () => {
  answerAdZone({ websites: [makeWebsite()], zones: [makeZone()] });
  const names = { zone: uuid(11), zoneName: 'Sidebar', websiteName: 'Gazette' };
  answer(listPlaces, [{ ...names, places: [] }]);
  const hours = answer(getHoursWithoutTag, {
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
  const trials = answer(listPriceTrials, [
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
  await showZone('visitors');
  await see(onPage().getByText('Fewer than 100 page views have been measured yet.'));
  const silence = page.getByRole('region', { name: 'Hours without your tag', exact: true });
  await see(saying('1 hour without about 150 usual requests cost you at most $2.13.', silence));
  await silence.getByRole('button', { name: 'Which hours, and how we know' }).click();
  await see(silence.getByText(/Ads that still run make up for it later, so the loss is smaller or none/));
  await expect.poll(() => silence.getByRole('row').elements().length).toBe(2);

  await page.getByRole('tab', { name: 'Booking' }).click();
  const prices = page.getByRole('region', { name: 'If your prices had been higher' });
  await see(saying('5 ads earned you $425.00.', prices));
  await see(saying('+20%: 2 to 5 ads bought, $204.00 to $510.00 earned', prices));
  await see(saying('+50%: 0 to 5 ads bought', prices));
  expect([hours, trials].map(([call]) => call?.query.zone)).toEqual([uuid(11), uuid(11)]);
});

// Proves RES-101
it('says what the pages of the zone earn, estimated by the measured page views', async () => {
  answerAdZone({ websites: [makeWebsite()], zones: [makeZone()] });
  answer(listZoneYields, [
    sample(listZoneYields.reply.element, {
      publicId: uuid(11),
      requests: 800,
      filled: 550,
      impressions: 40,
      amount: '34.00',
    }),
  ]);
  const calls = answer(getPages, {
    all: { reports: 130, viewable: 90 / 130 },
    pages: [
      { path: '/sport/caf%C3%A9', reports: 60, viewable: 1, secondsInView: 3 },
      { path: '/', reports: 60, viewable: 0.5, secondsInView: 0.5 },
    ],
    others: { reports: 10, viewable: 0 },
  });
  await showZone('visitors');
  const pages = page.getByRole('region', { name: 'By page', exact: true });
  // 800 requests earned $34.00, so 1,000 earn $42.50; 90 of 130 page views had the ad zone in view.
  for (const [name, figures] of Object.entries({
    'All pages': ['$42.50', '130', '69.2%', '–'],
    '/sport/café': ['$61.39', '60', '100.0%', '3.0'],
    '/': ['$30.69', '60', '50.0%', '0.5'],
    'Other pages': ['$0.00', '10', '0.0%', '–'],
  })) {
    const row = pages.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    for (const figure of figures) await see(row.getByRole('cell', { name: figure }).first());
  }
  expect(calls).toMatchObject([{ query: { zone: uuid(11) } }]);
});

const file = (text: string, name = 'views.csv') => new File([text], name, { type: 'text/csv' });

it('takes page views by a file, shows both counts with the causes of their difference, and removes them', async () => {
  const days = [0, 7, 14].map((ago) => addDays(today, -ago));
  const noCounts = sample(getTwoCounts.reply, {
    timezone: 'UTC',
    dayStart: '00:00',
    landings: { clicks: 0, landings: 0 },
  });
  let counts: TwoCounts = noCounts;
  answerAdZone({ websites: [makeWebsite()], zones: [makeZone()] });
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
  await showZone('visitors');
  await button('Compare with your own analytics').click();
  const both = page.getByRole('region', { name: 'Two counts', exact: true });
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
  const ref = { publicId: uuid(1) };
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

it('a tab keeps what was typed while another one is looked at', async () => {
  await openZone({}, [], 'house-ad');
  await button('Add your own ad').click();
  const headline = onPage().getByLabelText('Title');
  await headline.fill('Our newsletter');
  await page.getByRole('tab', { name: 'Look' }).click();
  await expect.element(headline).not.toBeVisible();
  await page.getByRole('tab', { name: 'House ad' }).click();
  await expect.element(headline).toHaveValue('Our newsletter');
});
