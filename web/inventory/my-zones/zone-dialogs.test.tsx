import { describe, expect, it, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  createProduct,
  createWebsite,
  createZone,
  type AdZone,
  type Product,
  type Website,
} from '#domain/inventory/contract.ts';
import { answer, refused, slow, type Trouble } from '#web/testing/answers.ts';
import { press, saying, see, seeErrorToast, seeToast } from '#web/testing/look.ts';
import { makeProduct, makeWebsite, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerAdZone, answerAdZones } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const dialog = () => page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const field = (label: string) => dialog().getByLabelText(label, { exact: false });
/** Waits for a select and returns the values of its options. */
async function valuesOf(select: Locator): Promise<string[]> {
  await see(select);
  return [...(select.element() as HTMLSelectElement).options].map(({ value }) => value);
}

const acceptProducts = (products: Product[]) =>
  answer(createProduct, ({ body: { price, adType, pricingModel, duration, impressions, clicks } }) => {
    const id = 21 + products.length;
    const made = makeProduct({ id, price, adType, pricingModel, duration, impressions, clicks });
    products.push(made);
    return made;
  });

/** Opens the Ad Zones page of a publisher, on which what is created appears. Returns the calls that create. */
async function openAdZones(inventory: { websites?: Website[]; zones?: AdZone[]; products?: Product[] } = {}) {
  const { websites = [], zones = [], products = [] } = inventory;
  answerAdZones({ websites, zones, products });
  const accept = {
    website: () =>
      answer(createWebsite, ({ body: { name, url, category, monthlyVisitors } }) => {
        const id = websites.length + 1;
        const made = makeWebsite({ id, publicId: uuid(id), name, url, category, monthlyVisitors });
        websites.push(made);
        return made;
      }),
    zone: () =>
      answer(createZone, ({ body: { name, width, height, zoneType } }) => {
        const made = makeZone({ name, width, height, zoneType, forecast: FORECAST });
        zones.push(made);
        return made;
      }),
    product: () => acceptProducts(products),
  };
  const calls = { websites: accept.website(), zones: accept.zone(), products: accept.product() };
  await openPage('/ad-zones', { as: person('seller') });
  return { ...calls, accept };
}

/** Little enough for the least suggested price. */
const FORECAST: AdZone['forecast'] = {
  basis: 'declared',
  viewsPerDay: { low: 10, likely: 20, high: 40 },
};

describe('the ad zone dialog', () => {
  // Proves ZONE-11, VAL-40, VAL-44, VAL-48
  it('starts with the zone when the publisher has a website, adds another one, fills in the size of a type, and requires website, name and size', async () => {
    const calls = await openAdZones({ websites: [makeWebsite({ name: 'First site' })] });
    await page.getByRole('button', { name: 'Create Ad Zone' }).click();
    await see(page.getByRole('dialog', { name: 'Create Ad Zone' }));
    expect(dialog().getByText('Add Your Website').elements()).toEqual([]);
    await userEvent.keyboard('{Escape}');

    await page.getByRole('button', { name: 'Add Website' }).click();
    await field('Website name').fill('Second site');
    await field('URL').fill('https://second.example');
    await field('Category').selectOptions('Sports');
    await button('Add Website').click();
    await see(page.getByRole('region', { name: 'Second site' }));
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(calls.websites).toMatchObject([
      { body: { name: 'Second site', url: 'https://second.example', category: 'Sports' } },
    ]);

    await page.getByRole('button', { name: 'Create Ad Zone' }).click();
    const [type, width, height] = [field('Zone type'), field('Width (px)'), field('Height (px)')];
    await expect.element(type).toHaveValue('banner');
    expect(await valuesOf(type)).toEqual(['banner', 'rectangle', 'skyscraper', 'custom']);
    await expect.element(width).toHaveValue('728');
    await expect.element(height).toHaveValue('90');
    for (const [name, size] of [
      ['skyscraper', ['160', '600']],
      ['rectangle', ['300', '250']],
      ['banner', ['728', '90']],
    ] as const) {
      await type.selectOptions(name);
      const typed = () => (field('Ad zone name').element() as HTMLInputElement).value.toLowerCase();
      await expect.poll(typed).toBe(name);
      await expect.element(width).toHaveValue(size[0]);
      await expect.element(height).toHaveValue(size[1]);
      await expect.element(width).toHaveAttribute('readonly');
    }
    await type.selectOptions('custom');

    const submit = button('Create Ad Zone');
    await field('Ad zone name').fill('');
    await width.fill('');
    await height.fill('');
    await submit.click();
    for (const text of [
      'Please select a website first',
      'Ad zone name is required',
      'Width is required',
      'Height is required',
    ])
      await see(dialog().getByText(text, { exact: true }));
    await width.fill('0');
    await height.fill('5001');
    await see(dialog().getByText('Width must be at least 1 pixel'));
    await see(dialog().getByText('Height must be at most 5000 pixels'));
    await width.fill('333');
    await height.fill('111');
    await field('Ad zone name').fill('Odd');
    await submit.click();
    await see(dialog().getByText('Please select a website first'));
    expect(calls.zones).toEqual([]);
    await dialog().getByLabelText('Website', { exact: true }).selectOptions('First site');
    await submit.click();
    await see(page.getByRole('dialog', { name: 'Set Pricing' }));
    expect(calls.zones).toMatchObject([
      { body: { websiteId: { id: 1 }, name: 'Odd', width: 333, height: 111, zoneType: 'custom' } },
    ]);
  });

  // Proves VAL-35, VAL-39, CONST-24, ERR-57, ERR-60, ERR-56
  it('requires a name, a URL, a category and a whole number of visitors; each step shows the server’s error message or a fallback, and a toast for its success', async () => {
    const { accept } = await openAdZones();
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
    const calls = accept.website();
    expect(await valuesOf(field('Category'))).toEqual(['', 'Technology', 'Sports', 'News']);
    await button('Add Website').click();
    for (const text of ['Website name is required', 'Please enter a valid URL', 'Please choose a category'])
      await see(dialog().getByText(text, { exact: true }));
    await field('Website name').fill('Counted');
    await field('Category').selectOptions('Sports');
    for (const url of ['abc', 'javascript:alert(1)', 'ftp://files.example']) {
      await field('URL').fill(url);
      await button('Add Website').click();
      await see(dialog().getByText('Please enter a valid URL'));
    }
    await field('URL').fill('https://counted.example');
    await button('More details (optional)').click();
    for (const visitors of ['abc', '1.5', '-1']) {
      await field('Monthly visitors').fill(visitors);
      await button('Add Website').click();
      await see(dialog().getByText(/^Monthly visitors (must be a whole number|cannot be negative)$/));
    }
    expect(calls).toEqual([]);
    await field('Monthly visitors').fill('1200');

    const fails = async (name: string, fallback: string, fail: (trouble: Trouble) => unknown) => {
      for (const [trouble, text] of [
        [refused(500, ''), fallback],
        [refused(422, 'M1'), 'M1'],
      ] satisfies [Trouble, string][]) {
        fail(trouble);
        await press(button(name));
        await seeErrorToast(text);
      }
    };
    await fails('Add Website', 'Failed to create website', (trouble) => answer(createWebsite, trouble));
    const made = accept.website();
    await button('Add Website').click();
    await seeToast('Website created successfully');
    expect(made).toMatchObject([{ body: { name: 'Counted', monthlyVisitors: 1200 } }]);

    await field('Ad zone name').fill('Tried zone');
    await fails('Create Ad Zone', 'Failed to create ad zone', (trouble) => answer(createZone, trouble));
    accept.zone();
    await button('Create Ad Zone').click();
    await seeToast('Ad zone created successfully');
    // The price is suggested from the expected views.
    await see(dialog().getByText(/^Suggested for .+ a day\. You can change it at any time\.$/));
    await expect.element(field('Price (USD)')).toHaveValue('1.00');
    // The page is loaded anew a second after the prices are saved, which would end this test.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const prices = accept.product();
    await button('Save Pricing').click();
    const saved = () => {
      vi.advanceTimersByTime(1);
      return document.body.innerText.includes('Pricing saved successfully');
    };
    await expect.poll(saved).toBe(true);
    expect(prices.map(({ body }) => [body.adType, body.price, body.duration])).toEqual([
      ['text', '1.00', 1],
      ['image', '1.00', 1],
      ['video', '1.00', 1],
    ]);
  });

  // Proves STATE-23
  it('creates a website, an ad zone and its prices only once after a double click', async () => {
    const websites: Website[] = [];
    const zones: AdZone[] = [];
    await openAdZones({ websites, zones, products: [] });
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
    await field('Website name').fill('Once');
    await field('URL').fill('https://once.example');
    await field('Category').selectOptions('Sports');
    const website = slow(makeWebsite({ name: 'Once' }));
    const created = answer(createWebsite, website.answer);
    await button('Add Website').dblClick();
    await expect.element(button('Add Website')).toBeDisabled();
    websites.push(makeWebsite({ name: 'Once' }));
    website.release();

    await field('Ad zone name').fill('Once');
    const zone = slow(makeZone({ name: 'Once', forecast: FORECAST }));
    const placed = answer(createZone, zone.answer);
    await button('Create Ad Zone').dblClick();
    await expect.element(button('Create Ad Zone')).toBeDisabled();
    zones.push(makeZone({ name: 'Once', forecast: FORECAST }));
    zone.release();

    await field('Price (USD)').fill('5');
    const price = slow(makeProduct({ price: '5.00' }));
    const priced = answer(createProduct, price.answer);
    await button('Save Pricing').dblClick();
    await expect.element(button('Save Pricing')).toBeDisabled();
    // The page is loaded anew a second after the prices are saved, which would end this test.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    price.release();
    const saved = () => {
      vi.advanceTimersByTime(1);
      return document.body.innerText.includes('Pricing saved successfully');
    };
    await expect.poll(saved).toBe(true);
    expect([created.length, placed.length]).toEqual([1, 1]);
    // A new ad zone sells each ad type at one price.
    expect(priced.map(({ body }) => [body.adType, body.price])).toEqual([
      ['text', '5'],
      ['image', '5'],
      ['video', '5'],
    ]);
  });

  // Proves ROLE-12
  it('is refused to a publisher who no longer sells, and keeps what was typed', async () => {
    await openAdZones({ websites: [makeWebsite()] });
    await page.getByRole('button', { name: 'Add Website' }).click();
    await field('Website name').fill('Another site');
    await field('URL').fill('https://another.example');
    await field('Category').selectOptions('Sports');
    const calls = answer(createWebsite, refused(403, 'You need the Ad Seller role to do this.'));
    await button('Add Website').click();
    await seeErrorToast('You need the Ad Seller role to do this.');
    await expect.element(field('Website name')).toHaveValue('Another site');
    expect(calls).toHaveLength(1);
  });

  it('says at the field that a category was retired while the form was open, and keeps the rest', async () => {
    const { accept } = await openAdZones();
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
    await field('URL').fill('https://bakery.example');
    await field('Website name').fill('The Bakery');
    await field('Category').selectOptions('Sports');
    const message = 'Please choose a category that is offered now. Reload the page to see the list.';
    answer(createWebsite, refused(400, message, { issues: [{ path: 'category', message }] }));
    await button('Add Website').click();
    await see(dialog().getByText(message));
    await expect.element(field('Category')).toBeInvalid();
    await expect.element(field('Website name')).toHaveValue('The Bakery');
    const calls = accept.website();
    await field('Category').selectOptions('News');
    await button('Add Website').click();
    await see(page.getByRole('dialog', { name: 'Create Ad Zone' }));
    expect(calls).toMatchObject([{ body: { name: 'The Bakery', category: 'News' } }]);
  });
});

describe('the pricing step', () => {
  const main = () => page.getByRole('main');
  const button = (name: string) => main().getByRole('button', { name, exact: true });
  /** Opens the page of an ad zone without prices. */
  async function openPricing() {
    const products: Product[] = [];
    answerAdZone({ websites: [makeWebsite()], zones: [makeZone()], products });
    const calls = acceptProducts(products);
    await openPage(`/ad-zones/${uuid(11)}`, { as: person('seller') });
    await see(main().getByRole('heading', { name: 'Set Pricing' }));
    return { products: calls };
  }
  const row = (number: number) => main().getByRole('group', { name: `Pricing option ${number}` });
  const inRow = (number: number, label: string | RegExp) =>
    row(number).getByLabelText(label, { exact: false });

  // Proves GEN-14, GEN-13, VAL-49, ENT-25, VAL-53, ERR-60
  it('starts with one row for a text ad of one day, cannot be saved without rows, skips rows without a price, and sends only the amount that belongs to the pricing model', async () => {
    const { products: calls } = await openPricing();
    await expect.element(inRow(1, 'Pricing model')).toHaveValue('per_day');
    expect(await valuesOf(inRow(1, 'Ad type'))).toEqual(['text', 'image', 'video']);
    expect(await valuesOf(inRow(1, 'Pricing model'))).toEqual(['per_day', 'per_impression', 'per_click']);
    await expect.element(inRow(1, 'Duration (days)')).toHaveValue('1');
    await expect.element(inRow(1, 'Shortest booking')).toHaveValue('1');
    await expect.element(inRow(1, 'Longest booking')).toHaveValue('30');
    const save = button('Save Pricing');
    await expect.element(save).toBeEnabled();
    await row(1)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect.element(row(1)).not.toBeInTheDocument();
    await expect.element(save).toHaveAttribute('aria-disabled', 'true');
    await button('Add Pricing Option').click();
    await expect.element(save).not.toHaveAttribute('aria-disabled');

    await save.click();
    await see(main().getByText('Enter a price for at least one option.'));
    expect(calls).toEqual([]);

    const models = ['per_day', 'per_impression', 'per_click', 'per_day'];
    for (const [index, model] of models.entries()) {
      if (index > 0) await button('Add Pricing Option').click();
      await inRow(index + 1, 'Pricing model').selectOptions(model);
      await inRow(index + 1, /Duration|Impressions|Clicks/).fill(String(7 + index));
      if (index < 3) await inRow(index + 1, 'Price (USD)').fill(`$${index + 1},000.00`);
    }
    await save.click();
    await seeToast('Pricing saved successfully');
    const option = { adType: 'text', duration: null, impressions: null, clicks: null };
    expect(calls).toMatchObject([
      { body: { ...option, pricingModel: 'per_day', price: '1000.00', duration: 7, maxQuantity: 4 } },
      {
        body: { ...option, pricingModel: 'per_impression', price: '2000.00', impressions: 8, minQuantity: 1 },
      },
      { body: { ...option, pricingModel: 'per_click', price: '3000.00', clicks: 9 } },
    ]);
    await see(saying('Text: 7 days for $1,000.00', main()).first());
  });

  // Proves ERR-59, ERR-56, VAL-49
  it('says why a row was not saved and does not send the saved rows again', async () => {
    await openPricing();
    await button('Add Pricing Option').click();
    for (const number of [1, 2]) await inRow(number, 'Price (USD)').fill(`${number}1.00`);
    const save = button('Save Pricing');
    await inRow(1, 'Duration (days)').fill('400');
    await save.click();
    await see(row(1).getByText(/^An ad can run for at most 365 days/));
    await inRow(1, 'Duration (days)').fill('1');
    await expect.element(inRow(1, 'Longest booking')).toHaveValue('30');
    await inRow(1, 'Longest booking').fill('8');
    // The publisher's own choice stays.
    await inRow(1, 'Duration (days)').fill('2');
    await see(saying('Longest: $88.00 for 16 days ($5.50 a day)', row(1)));
    await inRow(1, 'Duration (days)').fill('1');
    await see(saying('Longest: $88.00 for 8 days ($11.00 a day)', row(1)));
    await row(1).getByRole('button', { name: 'Discounts and steps' }).click();
    await inRow(1, 'Discount 1, from').fill('5');
    await inRow(1, 'Price of each (USD)').first().fill('12');
    await save.click();
    await see(row(1).getByText('Each lower price must be below the one before.'));
    await inRow(1, 'Price of each (USD)').first().fill('10');
    for (const [number, from, price] of [
      [2, '6', '9.50'],
      [3, '8', '9'],
    ] as const) {
      await row(1).getByRole('button', { name: 'Add a discount' }).click();
      const quantity = inRow(1, `Discount ${number}, from`);
      await expect.element(quantity).toHaveFocus();
      await quantity.fill(from);
      await inRow(1, 'Price of each (USD)').last().fill(price);
    }
    await see(saying('Longest: $72.00 for 8 days ($9.00 a day)', row(1)));
    const prices: string[] = [];
    const refuseSecond = (trouble: Trouble | null) =>
      answer(createProduct, ({ body: { price } }) => {
        prices.push(price);
        return price === '21.00' && trouble ? trouble : makeProduct({ price });
      });
    const tries = refuseSecond(refused(500, ''));
    await save.click();
    await seeErrorToast('Failed to create product');
    await see(row(1).getByText('Saved', { exact: true }));
    refuseSecond(refused(422, 'M1'));
    await save.click();
    await seeErrorToast('M1');
    refuseSecond(null);
    await save.click();
    await seeToast('Pricing saved successfully');
    expect(prices).toEqual(['11.00', '21.00', '21.00', '21.00']);
    expect(tries[0]?.body.volumePrices).toEqual([
      { fromQuantity: 5, price: '10' },
      { fromQuantity: 6, price: '9.50' },
      { fromQuantity: 8, price: '9' },
    ]);
  });
});
