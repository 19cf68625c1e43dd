import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { createAd, getAd, getZoneAvailability, type Ad } from '#domain/ads/contract.ts';
import { listProducts, listZones } from '#domain/inventory/contract.ts';
import { answer, offline, refused, slow, type Trouble } from '#web/testing/answers.ts';
import { fillContent, saying, see, seeErrorToast, seeToast, wordsOf } from '#web/testing/look.ts';
import { makeAd, makeOffered, makeProduct, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import {
  answerBuyerDashboard,
  answerWizard,
  contentPath,
  noAvailability,
  answerMyAds,
} from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const region = (name: string) => page.getByRole('region', { name, exact: true });
const seeStep = (name: string) => see(page.getByRole('heading', { level: 2, name, exact: true }));
const booking = () => region('Booking');
const next = () => booking().getByRole('button', { name: 'Continue' }).click();
const seePlace = (place: string) => see(booking().getByRole('heading', { name: place, exact: true }));
const row = (title: string) => page.getByRole('row').filter({ hasText: title });
const open = (query = '') => openPage(`/create-ad${query}`, { as: person('buyer') });
const field = (label: string) => page.getByLabelText(label, { exact: true });

const WEBSITE = `website=${uuid(1)}`;
const ZONE = `?${WEBSITE}&zone=${uuid(11)}`;

const submitButton = () => page.getByRole('button', { name: 'Submit for Approval' });
const submit = () => submitButton().click();

/** Takes submitted ads, which the dashboard then lists. Returns the calls. */
function takeAds() {
  answerBuyerDashboard();
  return answer(createAd, ({ body: { title, description, targetUrl, adType } }) => {
    const ad = makeAd({ title, description, targetUrl, adType });
    answerMyAds([ad]);
    return ad;
  });
}

describe('the steps of the wizard', () => {
  // Proves CRE-01, CRE-07, GEN-14, CRE-09, CRE-13, CRE-16, ERR-48
  it('lead from the ad type through the placement to the content, and submit a pending ad', async () => {
    answerWizard({
      websites: [makeOffered({ name: 'Walked site' })],
      zones: [makeZone({ name: 'Walked zone' })],
      products: [makeProduct({ price: '12.50', duration: 3 })],
    });
    await open();
    await seeStep('Choose Ad Type');
    const types = page.getByRole('group', { name: 'Ad type' }).getByRole('button');
    expect(types.elements().map((type) => (type as HTMLElement).innerText.split('\n')[0])).toEqual([
      'Text',
      'Image',
      'Video',
    ]);
    expect(page.getByText('Ad zone selected').elements()).toEqual([]);
    await types.first().click();

    // The marketplace chooses the website, and its link comes back with the type.
    await seeStep('Select Placement');
    await page.getByRole('link', { name: 'Browse Marketplace' }).click();
    await page
      .getByRole('article', { name: 'Walked site' })
      .getByRole('link', { name: 'Advertise Here' })
      .click();
    await seeStep('Select Placement');
    await see(booking().getByRole('heading', { name: 'Walked zone on Walked site' }));
    await see(booking().getByText('$12.50', { exact: true }));
    await next();

    await seeStep('Create Content');
    for (const text of ['Walked zone on Walked site', '3 days', '$12.50'])
      await expect.poll(() => wordsOf(region('Order Summary'))).toContain(text);
    const steps = region('Next Steps').getByRole('listitem').all();
    expect(steps.map(wordsOf)).toEqual(['1 Submit for approval', '2 Pay once approved', '3 Go live']);
    const calls = takeAds();
    await fillContent({ Title: 'Walked ad' });
    await submit();
    expect(await seeToast('Ad submitted')).toContain('Your ad has been submitted for approval');
    await see(row('Walked ad').getByText('Awaiting Approval'));
    expect(window.location.pathname + window.location.search).toBe('/dashboard');
    expect(calls).toMatchObject([
      {
        body: {
          adZoneId: { id: 11 },
          productId: 21,
          adType: 'text',
          title: 'Walked ad',
          expectedPrice: '12.50',
          totalAmount: '12.50',
          status: 'pending',
        },
      },
    ]);
  });

  it('ask for the ad zone only where a website has several, which show their price, views and other ads', async () => {
    const offer = {
      adType: 'text',
      pricingModel: 'per_day',
      price: '25.00',
      duration: 7,
      impressions: null,
      clicks: null,
      optionCount: 2,
    } as const;
    answerWizard({
      zones: [
        makeZone({ name: 'Shared zone', liveAds: 1, offers: [offer] }),
        makeZone({
          id: 12,
          publicId: uuid(12),
          name: 'Free zone',
          forecast: { basis: 'site', viewsPerDay: { low: 90, likely: 180, high: 360 } },
          offers: [
            { ...offer, pricingModel: 'per_click', price: '0.50', duration: null, clicks: 1, optionCount: 1 },
          ],
        }),
      ],
    });
    await open(`?${WEBSITE}`);
    await seeStep('Select Placement');
    const zones = booking().getByRole('list', { name: 'Ad zones' }).getByRole('button');
    await see(zones.first());
    expect(zones.elements().map((zone) => (zone as HTMLElement).innerText.split('\n'))).toEqual([
      [
        'Shared zone',
        'from $25.00 per 7 days',
        '300 × 250',
        'No traffic figures yet',
        'Shared with 1 other ad now',
      ],
      [
        'Free zone',
        '$0.50 per click',
        '300 × 250',
        '90–360 views a day, estimated from other ad zones on this website',
        'No other ad runs here now',
      ],
    ]);
    expect(page.getByRole('button', { name: 'Continue' }).elements()).toEqual([]);
    await zones.first().click();
    await seePlace('Shared zone on Gazette');
    await see(page.getByRole('button', { name: 'Continue' }));
    await page.getByRole('button', { name: 'Another ad zone' }).click();
    await see(zones.last());
    await page.getByRole('button', { name: 'Change ad type' }).click();
    await seeStep('Choose Ad Type');
  });

  // Proves CRE-02
  it('the link of a website selects it and asks for the ad type first, if it sells several', async () => {
    answerWizard({ websites: [makeOffered({ adTypes: ['text', 'video'] })] });
    await open(`?${WEBSITE}`);
    await seeStep('Choose Ad Type');
    const unsold = page.getByRole('button', { name: /^Image/ });
    expect(wordsOf(unsold)).toContain('Not sold on this website');
    await expect.element(unsold).toBeDisabled();
    expect(page.getByText('Ad zone selected').elements()).toEqual([]);
    await page.getByRole('button', { name: /^Text/ }).click();
    await seeStep('Select Placement');
    await seePlace('Sidebar on Gazette');
    expect(page.getByText('Ad zone selected').elements()).toEqual([]);
  });

  it('show the views of the whole booking, the other ads and the price of 1,000 views', async () => {
    answerWizard();
    answer(getZoneAvailability, {
      ...noAvailability,
      basis: 'zone',
      viewsPerDay: { low: 40, likely: 180, high: 320 },
      yoursPerDay: 90,
      sharedWith: 1,
      costPerThousand: '100.00',
    });
    await open(ZONE);
    await see(saying('About 2,700 views', booking()));
    await see(saying('shared with 1 other ad · about $100.00 per 1,000 views', booking()));
    await next();
    await see(saying('about 2,700 views', region('Order Summary')));
  });

  it('warn of a website without a proof', async () => {
    answerWizard({ websites: [makeOffered({ isVerified: false })] });
    await open(ZONE);
    await see(saying('Unverified: we haven’t confirmed that this publisher owns the website.', booking()));
  });

  it('ask how many days to buy, and say the total beside the number', async () => {
    answerWizard({
      products: [
        makeProduct({
          price: '25.00',
          duration: 7,
          maxQuantity: 8,
          volumePrices: [{ fromQuantity: 5, price: '22.50' }],
        }),
      ],
    });
    await open(ZONE);
    const days = booking().getByLabelText('Days');
    await expect.element(days).toHaveValue(7);
    await see(saying('7 to 56, in steps of 7', booking()));
    await see(saying('7 days × about $3.57', booking()));
    await see(saying('From 35 days × about $3.21', booking()));
    await days.fill('8');
    await see(saying('Choose 7 to 56, in steps of 7.', booking()));
    await next();
    await expect.element(days).toHaveFocus();
    const forecasts = answer(getZoneAvailability, noAvailability);
    await days.fill('35');
    await see(booking().getByText('$112.50', { exact: true }));
    await expect.poll(() => forecasts.at(-1)?.query).toMatchObject({ product: 21, quantity: 5 });

    // The address keeps the quantity, also over a reload.
    const address = window.location.search;
    closeScreen();
    await open(address);
    await expect.element(days).toHaveValue(35);
    await next();
    await seeStep('Create Content');
    await see(saying('35 days × about $3.21', region('Order Summary')));
    await see(region('Order Summary').getByText('$112.50', { exact: true }));
    const calls = takeAds();
    await fillContent({ Title: 'Five weeks' });
    await submit();
    await see(row('Five weeks').getByText('Awaiting Approval'));
    expect(calls).toMatchObject([{ body: { quantity: 5, expectedPrice: '112.50' } }]);
  });

  // Proves CRE-02, CRE-04
  it('a link with a website and a zone selects both and skips the ad type, which is text', async () => {
    answerWizard();
    await open(ZONE);
    await seeStep('Select Placement');
    await see(page.getByText('Ad zone selected'));
    await seePlace('Sidebar on Gazette');
    await see(booking().getByText('$100.00', { exact: true }));
    await next();
    await seeStep('Create Content');
    expect(new URLSearchParams(window.location.search).get('type')).toBe('text');
  });

  // Proves CRE-04, CRE-07, CRE-17, VAL-27
  it('an ad zone that sells images only begins with an image, which it requires', async () => {
    answerWizard({
      websites: [makeOffered({ adTypes: ['image'] })],
      products: [makeProduct({ adType: 'image', price: '31.00' })],
    });
    await open(ZONE);
    const types = booking().getByRole('group', { name: 'Ad type' }).getByRole('button');
    await expect.element(types).toHaveAttribute('aria-pressed', 'true');
    expect(types.all().map(wordsOf)).toEqual(['Image']);
    await see(booking().getByText('$31.00', { exact: true }));
    await next();
    await expect.element(page.getByLabelText('Upload an image', { exact: false })).toBeInTheDocument();
    await see(page.getByRole('button', { name: 'Choose from Media Library' }));
    const calls = takeAds();
    await fillContent({ Title: 'Without an image' });
    await submit();
    expect(await seeToast('Image required')).toContain('Please upload an image for your ad');
    expect(calls).toEqual([]);
    await page.getByRole('button', { name: 'Change ad type' }).click();
    await seeStep('Choose Ad Type');
  });

  it('offer the other types that the ad zone sells, and say so if it does not sell the chosen one', async () => {
    answerWizard({
      products: [makeProduct({ price: '20.00' }), makeProduct({ id: 22, adType: 'image', price: '31.00' })],
    });
    await open(`${ZONE}&type=video`);
    await see(saying('This ad zone takes no video ads, so we chose a text ad.'));
    await see(booking().getByText('$20.00', { exact: true }));
    await booking().getByRole('button', { name: 'Image' }).click();
    await see(booking().getByText('$31.00', { exact: true }));
    expect(saying('This ad zone takes no').elements()).toEqual([]);
  });

  // Proves CRE-02
  it.each([
    `?website=${uuid(9)}`,
    `?website=${uuid(9)}&zone=${uuid(9)}`,
    `?${WEBSITE}&zone=${uuid(9)}`,
    '?website=1',
  ])('a link to an unknown website or zone says so, and the wizard starts without it: %s', async (query) => {
    answerWizard();
    await open(query);
    await see(page.getByText("This ad zone isn't available"));
    await seeStep('Choose Ad Type');
    expect(page.getByText('Ad zone selected').elements()).toEqual([]);
  });

  // Proves CRE-14, GEN-13
  it('each pricing option shows the cost of a click, of 1,000 impressions or of a day', async () => {
    answerWizard({
      products: [
        makeProduct({ id: 21, price: '70.00', duration: 7 }),
        makeProduct({ id: 22, pricingModel: 'per_click', price: '50.00', clicks: 100, duration: null }),
        makeProduct({
          id: 23,
          pricingModel: 'per_impression',
          price: '20.00',
          impressions: 10_000,
          duration: null,
        }),
      ],
    });
    await open(ZONE);
    const options = booking().getByRole('group', { name: 'Pricing option' }).getByRole('button');
    await see(options.first());
    // The cheapest one is chosen.
    await see(booking().getByText('10,000 views × $2.00 per 1,000'));
    expect(options.all().map(wordsOf).toSorted()).toEqual([
      'Per click: 100 clicks $0.50 per click $50.00',
      'Per day: 7 days $10.00 per day $70.00',
      'Per impression: 10,000 impressions $2.00 per 1K impressions $20.00',
    ]);
    await page.getByRole('button', { name: /^Per click/ }).click();
    await see(booking().getByText('100 clicks × $0.50'));
    await next();
    await see(saying('100 clicks × $0.50', region('Order Summary')));
  });
});

describe('running a campaign again', () => {
  const again = (zone: string) => `?again=${uuid(31)}&${WEBSITE}&zone=${zone}&type=text&option=21`;

  it('begins with its creative and placement', async () => {
    answerWizard();
    const ad = makeAd({ title: 'Once more', status: 'completed' });
    answer(getAd, ad);
    await open(again(uuid(11)));
    await seeStep('Create Content');
    await expect.element(field('Title')).toHaveValue('Once more');
    await expect.element(field('Target URL')).toHaveValue(ad.targetUrl);
    const calls = takeAds();
    await submit();
    await see(row('Once more').getByText('Awaiting Approval'));
    expect(calls).toMatchObject([
      { body: { title: 'Once more', description: ad.description, adZoneId: { id: 11 } } },
    ]);
  });

  it('says so if its ad zone is no longer there', async () => {
    answerWizard({ zones: [] });
    answer(getAd, makeAd({ title: 'Once more', status: 'completed' }));
    await open(again(uuid(11)));
    await see(page.getByText("This ad zone isn't available"));
    await see(saying('Your text is kept.'));
  });
});

describe('the content step', () => {
  // Proves CRE-11, VAL-22, VAL-23, VAL-26
  it('refuses missing and overlong texts and invalid URLs and sends nothing; the preview shows the typed texts, with markup as text', async () => {
    answerWizard();
    const calls = takeAds();
    await openPage(contentPath(), { as: person('buyer') });
    await seeStep('Create Content');
    const preview = () =>
      region('Ad Preview').element().querySelector('[data-preview=text]')?.shadowRoot?.textContent ?? '';
    await expect.poll(preview).toContain('Your title');
    await field('Title').fill('Bold <b>beans</b>');
    await field('Description').fill('Straight from the roaster');
    await expect.poll(preview).toContain('Bold <b>beans</b>');
    await expect.poll(preview).toContain('Straight from the roaster');
    expect(preview()).not.toContain('Your title');

    for (const [title, description, address, messages] of [
      ['', '', '', ['Title is required', 'Description is required']],
      ['   ', 'd', 'abc', ['Title is required']],
      ['t', 'd', 'javascript:alert(1)', []],
      [
        't'.repeat(101),
        'd'.repeat(501),
        'ftp://files.example/x',
        ['Title must be less than 100 characters', 'Description must be less than 500 characters'],
      ],
    ] as const) {
      await fillContent({ Title: title, Description: description, 'Target URL': address });
      await submit();
      for (const text of [...messages, 'Please enter a valid URL'])
        await see(page.getByText(text, { exact: true }));
    }
    expect(calls).toEqual([]);
    const [title, description] = ['t'.repeat(100), 'd'.repeat(500)];
    await fillContent({ Title: title, Description: description });
    await submit();
    await see(row(title).getByText('Awaiting Approval'));
    expect(calls).toMatchObject([{ body: { title, description } }]);
  });
});

describe('submitting an ad', () => {
  // Proves ERR-43, ERR-48, ERR-56, STATE-23, VAL-22
  it('shows the server’s error message or a fallback and keeps the typed text; the button is disabled while it sends, so that a double click creates one ad', async () => {
    answerWizard();
    answerBuyerDashboard();
    await openPage(contentPath(), { as: person('buyer') });
    await seeStep('Create Content');
    await fillContent({ Title: 'Kept title' });
    for (const [trouble, text] of [
      [refused(400, 'M1'), 'M1'],
      [refused(422, 'M2'), 'M2'],
      [refused(500, ''), 'Failed to create ad'],
      [offline, 'We couldn’t reach the server. Check your connection and try again.'],
    ] satisfies [Trouble, string][]) {
      answer(createAd, trouble);
      await submit();
      await seeErrorToast(text);
    }
    await expect.element(field('Title')).toHaveValue('Kept title');

    const ad: Ad = makeAd({ title: 'Kept title' });
    const { answer: held, release } = slow(ad);
    const calls = answer(createAd, held);
    await submitButton().dblClick();
    await expect.element(submitButton()).toBeDisabled();
    answerMyAds([ad]);
    release();
    await see(row('Kept title').getByText('Awaiting Approval'));
    expect(calls).toHaveLength(1);
  });

  // Proves CRE-16, CRE-07
  it('shows a new price, and goes back when the publisher removes the price, the ad zone or the website; the text is kept', async () => {
    answerWizard();
    await openPage(contentPath(), { as: person('buyer') });
    await seeStep('Create Content');
    await fillContent({ Title: 'Kept all the way' });
    const refusedWith = async (message: string) => {
      answer(createAd, refused(409, message));
      await submit();
      await seeErrorToast(message);
    };
    answer(listProducts, [makeProduct({ price: '130.00' }), makeProduct({ id: 22, price: '61.00' })]);
    await refusedWith('The price is now $130.00.');
    await see(saying('The publisher changed it from $100.00 to $130.00.'));
    await expect.poll(() => wordsOf(region('Order Summary'))).toContain('$130.00');

    answer(listProducts, [makeProduct({ id: 22, price: '61.00' })]);
    await refusedWith('This pricing option is not available. Please choose another one.');
    await seeStep('Select Placement');
    await see(page.getByText("This price isn't available any more"));
    await see(saying('Your text is kept.'));

    await see(booking().getByText('$61.00', { exact: true }));
    await next();
    await seeStep('Create Content');
    await expect.element(field('Title')).toHaveValue('Kept all the way');
    answer(listZones, [makeZone({ id: 12, publicId: uuid(12), name: 'Another' })]);
    await refusedWith('This ad zone is not available. Please choose another one.');
    await seeStep('Select Placement');
    await see(page.getByText("This ad zone isn't available"));
    await see(saying('Your text is kept.'));
    await see(
      booking()
        .getByRole('button', { name: /^Another/ })
        .first(),
    );
  });

  it('leads to the marketplace when the publisher removes the website', async () => {
    answerWizard();
    await openPage(contentPath(), { as: person('buyer') });
    await seeStep('Create Content');
    await fillContent({ Title: 'Kept all the way' });
    answerWizard({ websites: [] });
    answer(createAd, refused(409, 'This ad zone is not available. Please choose another one.'));
    await submit();
    await seeErrorToast('This ad zone is not available. Please choose another one.');
    await seeStep('Select Placement');
    await see(page.getByRole('link', { name: 'Browse Marketplace' }));
    await see(saying('Your text is kept.'));
  });
});
