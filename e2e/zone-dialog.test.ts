/** The dialog that leads from a website to an ad zone and its prices. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Website } from '#domain/inventory/contract.ts';
import type { Client } from '../server/testing/client.ts';
import { zonesOf } from './support/zones.ts';
import { answer, recordCalls, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
/** Starts without a website. The page stays open from test to test. */
const publisher = useResident(suite, 'seller');

const dialog = (page: Page) => page.getByRole('dialog');
const zoneCard = (page: Page, name: string) => page.getByRole('article', { name });
const sent = (calls: string[], start: string) => calls.filter((call) => call.startsWith(start));
const bodyOf = (call: string | undefined) => JSON.parse(call?.replace(/^\S+ \S+ /, '') ?? 'null') as unknown;

/** Waits for a select and returns the values of its options. */
async function valuesOf(select: Locator): Promise<string[]> {
  return await select.evaluate(({ options }: HTMLSelectElement) => [...options].map(({ value }) => value));
}

async function websitesOf(client: Client): Promise<Website[]> {
  return (await client.get('/api/websites/my')).body as Website[];
}

/** Opens the pricing step of this ad zone, which has no prices. */
async function openPricing(zone: string): Promise<Locator> {
  const { page } = publisher;
  await zoneCard(page, zone).getByRole('button', { name: 'Settings' }).click();
  return dialog(page);
}

describe('the ad zone dialog', () => {
  // Proves ZONE-10, ZONE-12, ZONE-14, ZONE-15, ZONE-16, STATE-28, VAL-38, VAL-39, CODE-04, CODE-05
  it('leads a new publisher from the website to the zone and lets them skip the prices', async () => {
    const { page, client } = publisher;
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.goto('/ad-zones');
    await page.getByText('No websites found').waitFor();
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
    await page.getByRole('dialog', { name: 'Add Your Website' }).waitFor();
    await dialog(page).getByRole('button', { name: 'More details (optional)' }).click();
    const box = await dialog(page).boundingBox();
    expect(box?.height).toBeLessThanOrEqual(480);
    const overflow = await dialog(page).evaluate((element) =>
      [...element.children].some((part) => part.scrollHeight > part.clientHeight + 100),
    );
    expect(overflow).toBe(true);
    await dialog(page).getByRole('button', { name: 'Add Website' }).scrollIntoViewIfNeeded();

    await dialog(page).getByLabel('Website name').fill('First site');
    await dialog(page).getByLabel('URL').fill('https://first.example');
    await dialog(page).getByLabel('Category').selectOption('Food');
    await dialog(page).getByRole('button', { name: 'Add Website' }).click();
    await page.getByRole('dialog', { name: 'Create Ad Zone' }).waitFor();
    const [website] = await websitesOf(client);
    expect(website).toMatchObject({ name: 'First site', category: 'Food', monthlyVisitors: 0 });
    expect(website?.description ?? '').toBe('');

    await dialog(page).getByLabel('Ad zone name').fill('First zone');
    await dialog(page).getByRole('button', { name: 'Create Ad Zone' }).click();
    await page.getByRole('dialog', { name: 'Set Pricing' }).waitFor();
    await dialog(page).getByText('A price to start with. You can change it at any time.').waitFor();
    expect(await dialog(page).getByLabel('Price (USD)').inputValue()).toBe('5.00');
    await page.evaluate(() => Object.assign(window, { before: true }));
    await dialog(page).getByRole('button', { name: 'Skip for Now' }).click();
    await page.waitForFunction(() => !('before' in window));
    await page.getByText('No prices yet.').waitFor();
    // A new zone shows its embed code at once, and only once.
    await dialog(page).getByText('Tip: paste it where').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    expect(await page.evaluate(() => window.location.hash)).toBe('');
    const [zone] = await zonesOf(client, website as Website);
    expect((await client.get(`/api/ad-zones/${zone?.publicId}/products`)).body).toEqual([]);
  });

  // Proves ZONE-11, ZONE-13, VAL-40, VAL-41, VAL-42, VAL-43, VAL-44, VAL-45, VAL-46, VAL-47, VAL-48, CONST-26
  it('starts with the zone when the publisher has a website, adds another one, fills in the size of a type, and requires website, name and size', async () => {
    const { page, client } = publisher;
    const [website] = await websitesOf(client);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Create Ad Zone' }).click();
    await page.getByRole('dialog', { name: 'Create Ad Zone' }).waitFor();
    expect(await dialog(page).getByText('Add Your Website').count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Add Website' }).click();
    await dialog(page).getByLabel('Website name').fill('Second site');
    await dialog(page).getByLabel('URL').fill('https://second.example');
    await dialog(page).getByLabel('Category').selectOption('Travel');
    await dialog(page).getByRole('button', { name: 'Add Website' }).click();
    await page.getByRole('region', { name: 'Second site' }).waitFor();
    await dialog(page).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Create Ad Zone' }).click();
    const type = dialog(page).getByLabel('Zone type');
    const width = dialog(page).getByLabel('Width (px)');
    const height = dialog(page).getByLabel('Height (px)');
    expect(await type.inputValue()).toBe('banner');
    expect(await valuesOf(type)).toEqual(['banner', 'rectangle', 'skyscraper', 'custom']);
    expect([await width.inputValue(), await height.inputValue()]).toEqual(['728', '90']);
    for (const [name, size] of [
      ['skyscraper', ['160', '600']],
      ['rectangle', ['300', '250']],
      ['banner', ['728', '90']],
    ] as const) {
      await type.selectOption(name);
      expect((await dialog(page).getByLabel('Ad zone name').inputValue()).toLowerCase()).toBe(name);
      expect([await width.inputValue(), await height.inputValue()]).toEqual(size);
      expect(await width.isEditable()).toBe(false);
    }
    await type.selectOption('custom');

    const calls = recordCalls(page);
    const submit = dialog(page).getByRole('button', { name: 'Create Ad Zone' });
    await dialog(page).getByLabel('Ad zone name').fill('');
    await width.fill('');
    await height.fill('');
    await submit.click();
    for (const text of [
      'Please select a website first',
      'Ad zone name is required',
      'Width is required',
      'Height is required',
    ]) {
      await dialog(page).getByText(text, { exact: true }).waitFor();
    }
    await width.fill('0');
    await height.fill('5001');
    await dialog(page).getByText('Width must be at least 1 pixel').waitFor();
    await dialog(page).getByText('Height must be at most 5000 pixels').waitFor();
    await width.fill('333');
    await height.fill('111');
    await dialog(page).getByLabel('Ad zone name').fill('Odd');
    await submit.click();
    await dialog(page).getByText('Please select a website first').waitFor();
    expect(sent(calls, 'POST')).toEqual([]);
    await dialog(page).getByLabel('Website').selectOption('First site');
    await submit.click();
    await page.getByRole('dialog', { name: 'Set Pricing' }).waitFor();
    expect(await zonesOf(client, website as Website)).toContainEqual(
      expect.objectContaining({ name: 'Odd', width: 333, height: 111, zoneType: 'custom' }),
    );
    await dialog(page).getByRole('button', { name: 'Skip for Now' }).click();
    await dialog(page).getByText('Tip: paste it where').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
  });
});

describe('the pricing step', () => {
  // Proves CONST-27, CONST-28, CONST-29, VAL-49, VAL-50, VAL-51, VAL-52, VAL-53, GEN-13, GEN-14, ERR-60
  it('starts with one row for a text ad of one day, cannot be saved without rows, skips rows without a price, and sends only the amount that belongs to the pricing model', async () => {
    const { page } = publisher;
    const pricing = await openPricing('First zone');
    const row = pricing.getByRole('group', { name: 'Pricing option 1' });
    expect(await valuesOf(row.getByLabel('Ad type'))).toEqual(['text', 'image', 'video']);
    expect(await valuesOf(row.getByLabel('Pricing model'))).toEqual([
      'per_day',
      'per_impression',
      'per_click',
    ]);
    expect(await row.getByLabel('Pricing model').inputValue()).toBe('per_day');
    expect(await row.getByLabel('Duration (days)').inputValue()).toBe('1');
    const save = pricing.getByRole('button', { name: 'Save Pricing' });
    expect(await save.isEnabled()).toBe(true);
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await save.isDisabled()).toBe(true);
    await pricing.getByRole('button', { name: 'Add Pricing Option' }).click();
    expect(await save.isEnabled()).toBe(true);

    const calls = recordCalls(page);
    await save.click();
    await pricing.getByText('Enter a price for at least one option.').waitFor();
    expect(sent(calls, 'POST')).toEqual([]);

    const models = ['per_day', 'per_impression', 'per_click', 'per_day'];
    for (const [index, model] of models.entries()) {
      if (index > 0) await pricing.getByRole('button', { name: 'Add Pricing Option' }).click();
      const row = pricing.getByRole('group', { name: `Pricing option ${index + 1}` });
      await row.getByLabel('Pricing model').selectOption(model);
      await row.getByLabel(/Duration|Impressions|Clicks/).fill(String(7 + index));
      if (index < 3) await row.getByLabel('Price (USD)').fill(`$${index + 1},000.00`);
    }
    await save.click();
    await toastTitled(page, 'Pricing saved successfully').waitFor();
    const option = { adType: 'text', duration: null, impressions: null, clicks: null };
    expect(sent(calls, 'POST').map(bodyOf)).toMatchObject([
      { ...option, pricingModel: 'per_day', price: '1000.00', duration: 7 },
      { ...option, pricingModel: 'per_impression', price: '2000.00', impressions: 8 },
      { ...option, pricingModel: 'per_click', price: '3000.00', clicks: 9 },
    ]);
    await pricing.getByText('Text: 7 days for $1,000.00').first().waitFor();
    await page.keyboard.press('Escape');
    await pricing.waitFor({ state: 'detached' });
  });

  // Proves ERR-59, ERR-56, VAL-49, QTY-06
  it('says why a row was not saved and does not send the saved rows again', async () => {
    const { page } = publisher;
    const pricing = await openPricing('Odd');
    await pricing.getByRole('button', { name: 'Add Pricing Option' }).click();
    for (const number of [1, 2]) {
      const row = pricing.getByRole('group', { name: `Pricing option ${number}` });
      await row.getByLabel('Price (USD)').fill(`${number}1.00`);
    }
    const first = pricing.getByRole('group', { name: 'Pricing option 1' });
    const save = pricing.getByRole('button', { name: 'Save Pricing' });
    await first.getByLabel('Duration (days)').fill('400');
    await save.click();
    await first.getByText(/^An ad can run for at most 365 days/).waitFor();
    await first.getByLabel('Duration (days)').fill('1');
    await first.getByRole('button', { name: 'Quantities' }).click();
    await first.getByLabel('Largest').fill('8');
    await first.getByText('Up to 8: $88.00 for 8 days ($11.00 a day)').waitFor();
    await first.getByLabel('Lower price 1, from quantity').fill('5');
    await first.getByLabel('Price of each (USD)').first().fill('12');
    await save.click();
    await first.getByText('Each lower price must be below the one before.').waitFor();
    await first.getByLabel('Price of each (USD)').first().fill('10');
    for (const [number, from, price] of [
      [2, '6', '9.50'],
      [3, '8', '9'],
    ] as const) {
      await first.getByRole('button', { name: 'Add a lower price' }).click();
      const quantity = first.getByLabel(`Lower price ${number}, from quantity`);
      await expect.poll(() => quantity.evaluate((field) => field === document.activeElement)).toBe(true);
      await quantity.fill(from);
      await first.getByLabel('Price of each (USD)').last().fill(price);
    }
    await first.getByText('Up to 8: $72.00 for 8 days ($9.00 a day)').waitFor();
    const calls = recordCalls(page);
    const refuseSecond = async (reply: { status: number; body: string }) => {
      await page.unrouteAll();
      await page.route('**/api/ad-zone-products', async (route) => {
        if (route.request().postData()?.includes('21.00')) await route.fulfill(reply);
        else await route.continue();
      });
    };
    await refuseSecond({ status: 500, body: '' });
    await save.click();
    await toastTitled(page, 'Error').getByText('Failed to create product', { exact: true }).waitFor();
    await pricing.getByText('Saved', { exact: true }).waitFor();
    await refuseSecond({ status: 422, body: '{"message":"M1"}' });
    await save.click();
    await toastTitled(page, 'Error').getByText('M1', { exact: true }).waitFor();
    await page.unrouteAll();
    await save.click();
    await toastTitled(page, 'Pricing saved successfully').waitFor();
    const prices = sent(calls, 'POST').map((call) => (bodyOf(call) as { price: string }).price);
    expect(prices).toEqual(['11.00', '21.00', '21.00', '21.00']);
    const [created] = sent(calls, 'POST').map((call) => bodyOf(call) as { volumePrices: unknown[] });
    expect(created?.volumePrices).toEqual([
      { fromQuantity: 5, price: '10' },
      { fromQuantity: 6, price: '9.50' },
      { fromQuantity: 8, price: '9' },
    ]);
  });
});

// The last test, because another publisher signs in, who has no website yet.
describe('the ad zone dialog', () => {
  // Proves VAL-35, VAL-36, VAL-37, VAL-39, CONST-24, ERR-57, ERR-58, ERR-60, ERR-56, CODE-05
  it('requires a name, a URL, a category and a whole number of visitors; each step shows the server’s error message or a fallback, and a toast for its success', async () => {
    const client = await suite.client('seller');
    const { page } = publisher;
    await publisher.become(client);
    await page.goto('/ad-zones');
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
    const calls = recordCalls(page);
    const submit = dialog(page).getByRole('button', { name: 'Add Website' });
    const categories = dialog(page).getByLabel('Category').getByRole('option');
    await expect
      .poll(async () => (await categories.allInnerTexts()).filter((name) => name !== 'Choose a category'))
      .toEqual(
        'Technology Business Health Lifestyle Finance Education Entertainment Sports Travel Food'.split(' '),
      );
    await submit.click();
    for (const text of ['Website name is required', 'Please enter a valid URL', 'Please choose a category']) {
      await dialog(page).getByText(text, { exact: true }).waitFor();
    }
    await dialog(page).getByLabel('Website name').fill('Counted');
    await dialog(page).getByLabel('Category').selectOption('Sports');
    for (const url of ['abc', 'javascript:alert(1)', 'ftp://files.example']) {
      await dialog(page).getByLabel('URL').fill(url);
      await submit.click();
      await dialog(page).getByText('Please enter a valid URL').waitFor();
    }
    await dialog(page).getByLabel('URL').fill('https://counted.example');
    await dialog(page).getByRole('button', { name: 'More details (optional)' }).click();
    for (const visitors of ['abc', '1.5', '-1']) {
      await dialog(page).getByLabel('Monthly visitors').fill(visitors);
      await submit.click();
      await dialog(page)
        .getByText(/^Monthly visitors (must be a whole number|cannot be negative)$/)
        .waitFor();
    }
    expect(sent(calls, 'POST /api/websites {')).toEqual([]);
    await dialog(page).getByLabel('Monthly visitors').fill('1200');

    const fails = async (path: string, button: string, fallback: string) => {
      for (const [reply, text] of [
        [{ status: 500, body: '' }, fallback],
        [{ status: 422, json: { message: 'M1' } }, 'M1'],
      ] as const) {
        await answer(page, path, reply);
        await dialog(page).getByRole('button', { name: button }).click();
        await toastTitled(page, 'Error').getByText(text, { exact: true }).last().waitFor();
      }
      await page.unroute(`**${path}`);
      await dialog(page).getByRole('button', { name: button }).click();
    };
    await fails('/api/websites', 'Add Website', 'Failed to create website');
    await toastTitled(page, 'Website created successfully').waitFor();
    expect((await websitesOf(client)).map((site) => site.monthlyVisitors)).toEqual([1200]);
    await dialog(page).getByLabel('Ad zone name').fill('Tried zone');
    await fails('/api/ad-zones', 'Create Ad Zone', 'Failed to create ad zone');
    await toastTitled(page, 'Ad zone created successfully').waitFor();
    // The price is suggested from the stated visitors.
    await dialog(page)
      .getByText(/^Suggested for .+ a day\. You can change it at any time\.$/)
      .waitFor();
    expect(await dialog(page).getByLabel('Price (USD)').inputValue()).toBe('1.00');
    await dialog(page).getByRole('button', { name: 'Save Pricing' }).click();
    await toastTitled(page, 'Pricing saved successfully').waitFor();
    // Wait for the page that loads after this step.
    await dialog(page).getByText('Tip: paste it where').waitFor();
  });
});
