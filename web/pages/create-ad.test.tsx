import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { createAd, getAd, getZoneAvailability, listMyAds, type Ad } from '#domain/ads/contract.ts';
import { listProducts, listWebsites, listZones } from '#domain/inventory/contract.ts';
import { answer, offline, refused, slow, type Trouble } from '#web/testing/answers.ts';
import { fillContent, press, saying, see, seeErrorToast, seeToast, wordsOf } from '#web/testing/look.ts';
import { makeAd, makeOffered, makeProduct, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerBuyerDashboard, answerWizard, contentPath, noAvailability } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const region = (name: string) => page.getByRole('region', { name, exact: true });
const seeStep = (name: string) => see(page.getByRole('heading', { level: 2, name, exact: true }));
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
    answer(listMyAds, [ad]);
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
    const searches = answer(listWebsites, [makeOffered({ name: 'Walked site' })]);
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

    await seeStep('Select Placement');
    expect(region('Ad zone').elements()).toEqual([]);
    await page.getByLabelText('Search websites').fill('walked');
    await expect.poll(() => searches.at(-1)?.query).toMatchObject({ search: 'walked', adType: 'text' });
    await region('Website')
      .getByRole('button', { name: /Walked site/ })
      .click();
    const zone = region('Ad zone').getByRole('button', { name: /Walked zone/ });
    await see(zone);
    expect(region('Pricing option').elements()).toEqual([]);
    await zone.click();
    await region('Pricing option')
      .getByRole('button', { name: /\$12\.50/ })
      .click();

    await seeStep('Create Content');
    for (const text of ['Walked site', 'Walked zone', '3 days', '$12.50'])
      await expect.poll(() => wordsOf(region('Order Summary'))).toContain(text);
    const next = region('Next Steps').getByRole('listitem').elements();
    expect(next.map((step) => (step as HTMLElement).innerText.replace(/^\d+\s*/, '').split('\n')[0])).toEqual(
      ['Submit for approval', 'Pay once approved', 'Go live'],
    );
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

  it('ad types that a website does not sell cannot be chosen, a single one is taken by itself, and ad zones show their price, views and other ads', async () => {
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
          offers: [
            { ...offer, pricingModel: 'per_click', price: '0.50', duration: null, clicks: 1, optionCount: 1 },
          ],
        }),
      ],
    });
    await open(`?${WEBSITE}`);
    await seeStep('Select Placement');
    await see(page.getByText('This website sells text ads only, so that type is already chosen.'));
    const zones = region('Ad zone').getByRole('button');
    await see(zones.first());
    expect(zones.elements().map((zone) => (zone as HTMLElement).innerText.split('\n'))).toEqual([
      [
        'Shared zone',
        'from $25.00 per 7 days',
        'rectangle, 300x250',
        'No traffic figures yet',
        'Shared with 1 other ad now',
      ],
      [
        'Free zone',
        '$0.50 per click',
        'rectangle, 300x250',
        'No traffic figures yet',
        'No other ad runs here now',
      ],
    ]);
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
    await expect
      .element(region('Website').getByRole('button', { name: /Gazette/ }))
      .toHaveAttribute('aria-pressed', 'true');
  });

  it('show the views a day of each ad zone, and the views to expect from each pricing option', async () => {
    answerWizard({
      zones: [
        makeZone({
          name: 'Measured zone',
          forecast: { basis: 'zone', viewsPerDay: { low: 40, likely: 180, high: 320 } },
        }),
        makeZone({
          id: 12,
          publicId: uuid(12),
          name: 'Fresh zone',
          forecast: { basis: 'site', viewsPerDay: { low: 90, likely: 180, high: 360 } },
        }),
      ],
    });
    answer(getZoneAvailability, {
      ...noAvailability,
      basis: 'zone',
      viewsPerDay: { low: 40, likely: 180, high: 320 },
      yoursPerDay: 90,
      sharedWith: 1,
      costPerThousand: '100.00',
    });
    await open(`?type=text&${WEBSITE}&step=2`);
    const zone = (name: RegExp) => region('Ad zone').getByRole('button', { name });
    await see(zone(/40–320 views a day, measured in this zone/));
    await see(zone(/Fresh zone.*90–360 views a day, estimated from other ad zones on this website/));
    await zone(/^Measured zone/).click();
    await see(
      saying(
        'About 90 views a day for your ad, shared with 1 other ad · about $100.00 per 1,000 views',
        region('Pricing option'),
      ),
    );
  });

  it('warn of a website without a proof', async () => {
    answerWizard({ websites: [makeOffered({ isVerified: false })] });
    await open(ZONE);
    await see(
      saying('Unverified: we haven’t confirmed that this publisher owns the website.', region('Website')),
    );
  });

  it('asks how much of an option to buy, and says the total and the time beside the number', async () => {
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
    await region('Pricing option').getByRole('button').first().click();
    const howMuch = region('How much');
    const quantity = howMuch.getByLabelText('Quantity');
    await see(saying('1 to 8; from 5: $22.50 each', howMuch));
    await see(saying('$25.00 for 7 days ($3.57 a day)', howMuch));
    await quantity.fill('9');
    await see(saying('Choose a quantity of 1 to 8.', howMuch));
    await expect
      .element(howMuch.getByRole('button', { name: 'Continue' }))
      .toHaveAttribute('aria-disabled', 'true');
    const forecasts = answer(getZoneAvailability, noAvailability);
    await quantity.fill('5');
    await see(saying('$112.50 for 35 days ($3.21 a day)', howMuch));
    await see(saying('If it starts today, it ends ', howMuch));
    expect(forecasts.at(-1)?.query).toMatchObject({ product: 21, quantity: 5 });

    // The address keeps the quantity, also over a reload.
    const address = window.location.search;
    closeScreen();
    await open(address);
    await expect.element(quantity).toHaveValue(5);
    await press(howMuch.getByRole('button', { name: 'Continue' }));
    await seeStep('Create Content');
    await see(saying('5 × $22.50', region('Order Summary')));
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
    for (const [part, name] of [
      ['Website', /Gazette/],
      ['Ad zone', /Sidebar/],
    ] as const)
      await expect
        .element(region(part).getByRole('button', { name }))
        .toHaveAttribute('aria-pressed', 'true');
    await region('Pricing option')
      .getByRole('button', { name: /\$100\.00/ })
      .click();
    await seeStep('Create Content');
    expect(new URLSearchParams(window.location.search).get('type')).toBe('text');
  });

  // Proves CRE-04, CRE-07, CRE-17, VAL-27
  it('only options of the chosen ad type are offered, a zone without one offers its other ad types, and an image ad requires an image', async () => {
    answerWizard({
      websites: [makeOffered({ adTypes: ['image'] })],
      products: [makeProduct({ adType: 'image', price: '31.00' })],
    });
    await open(ZONE);
    await see(page.getByText('This ad zone has no pricing option for text ads.'));
    expect(saying('$31.00').elements()).toEqual([]);
    await page.getByRole('button', { name: 'Switch to an image ad' }).click();
    await region('Pricing option')
      .getByRole('button', { name: /\$31\.00/ })
      .click();
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
    const options = region('Pricing option').getByRole('button');
    await see(options.first());
    expect(options.all().map(wordsOf).toSorted()).toEqual([
      'Per click: 100 clicks $0.50 per click $50.00',
      'Per day: 7 days $10.00 per day $70.00',
      'Per impression: 10,000 impressions $2.00 per 1K impressions $20.00',
    ]);
    await page.getByRole('button', { name: /^Per click/ }).click();
    await see(saying('$0.50 per click', region('Order Summary')));
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
    answer(listMyAds, [ad]);
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

    await region('Pricing option')
      .getByRole('button', { name: /\$61\.00/ })
      .click();
    await seeStep('Create Content');
    await expect.element(field('Title')).toHaveValue('Kept all the way');
    answer(listZones, [makeZone({ id: 12, publicId: uuid(12), name: 'Another' })]);
    await refusedWith('This ad zone is not available. Please choose another one.');
    await seeStep('Select Placement');
    await see(page.getByText("This ad zone isn't available"));
    await see(saying('Your text is kept.'));
    await see(region('Ad zone').getByRole('button', { name: /Another/ }));
  });

  it('goes back to the websites when the publisher removes the website', async () => {
    answerWizard();
    await openPage(contentPath(), { as: person('buyer') });
    await seeStep('Create Content');
    await fillContent({ Title: 'Kept all the way' });
    answerWizard({ websites: [] });
    answer(createAd, refused(409, 'This ad zone is not available. Please choose another one.'));
    await submit();
    await seeErrorToast('This ad zone is not available. Please choose another one.');
    await seeStep('Select Placement');
    await see(page.getByLabelText('Search websites'));
    await see(saying('Your text is kept.'));
  });
});
