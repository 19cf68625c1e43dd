import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { adLooks, openShadowRoots, rendered } from './support/ads-on-page.ts';
import { startPublisher } from './support/publisher.ts';
import { chooseInMenu } from './support/zones.ts';
import { answer, recordCalls, toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

const dialog = (page: Page) => page.getByRole('dialog');
const zoneCard = (page: Page, name: string) => page.getByRole('article', { name });
const sent = (calls: string[], start: string) => calls.filter((call) => call.startsWith(start));
const bodyOf = (call: string | undefined) => JSON.parse(call?.replace(/^\S+ \S+ /, '') ?? 'null') as unknown;

/** The values of the options of a select, which is waited for. */
async function valuesOf(select: Locator): Promise<string[]> {
  return await select.evaluate(({ options }: HTMLSelectElement) => [...options].map(({ value }) => value));
}

async function websitesOf(client: Client): Promise<Website[]> {
  return (await client.get('/api/websites/my')).body as Website[];
}

async function zonesOf(client: Client, website: Website): Promise<{ name: string; publicId: string }[]> {
  return (await client.get(`/api/websites/${website.publicId}/ad-zones`)).body as [];
}

/** Opens the pricing step of the zone dialog for a publisher with one zone. */
async function openPricing(page: Page, client: Client): Promise<Locator> {
  await makeZone(client, await makeWebsite(client), { name: 'Priced' });
  await page.goto('/ad-zones');
  await zoneCard(page, 'Priced').getByRole('button', { name: 'Settings' }).click();
  return dialog(page);
}

describe('the Ad Zones page', () => {
  // Proves ZONE-01, ZONE-02, ZONE-03, ZONE-04, ZONE-05, ZONE-06, ZONE-07, CODE-01
  it('lists only the publisher’s own websites, with their ad zones', async () => {
    const { page, client } = await suite.enter('seller');
    const news = await makeWebsite(client, { name: 'News site' });
    const blog = await makeWebsite(client, { name: 'Blog site' });
    await makeZone(client, news, { name: 'Top', zoneType: 'banner', width: 728, height: 90 });
    const side = await makeZone(client, blog, { name: 'Side', zoneType: 'custom', width: 333, height: 111 });
    await client.patch(`/api/ad-zones/${side.id}`, { isActive: false });
    await makeWebsite(await suite.client('seller'), { name: 'Of another publisher' });

    await page.goto('/ad-zones');
    await page.getByRole('heading', { level: 1, name: 'My Ad Zones' }).waitFor();
    const top = page.getByRole('region', { name: 'News site' }).getByRole('article', { name: 'Top' });
    const inactive = page.getByRole('region', { name: 'Blog site' }).getByRole('article', { name: 'Side' });
    for (const text of ['728x90', 'banner']) await top.getByText(text, { exact: true }).waitFor();
    for (const text of ['333x111', 'custom']) await inactive.getByText(text, { exact: true }).waitFor();
    expect(await top.getByText('Active', { exact: true }).isVisible()).toBe(true);
    expect(await inactive.getByText('Inactive', { exact: true }).isVisible()).toBe(true);
    for (const zone of [top, inactive]) {
      expect(await zone.getByRole('button', { name: 'Settings' }).isVisible()).toBe(true);
    }
    await inactive.getByRole('button', { name: 'More for Side' }).press('Enter');
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Settings', 'Test my zone', 'What’s showing?', 'Resume', 'Delete']);
    // The keyboard reaches each item, and Escape returns to the menu's button.
    await page.keyboard.press('End');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Delete');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'More for Side');
    await chooseInMenu(page, 'Side', 'Resume');
    await toastTitled(page, 'Ad zone resumed').waitFor();
    await inactive.getByText('Active', { exact: true }).waitFor();
    expect(await page.getByText('Of another publisher').count()).toBe(0);
  });

  // Proves ZONE-08, ZONE-09, ERR-61
  it('shows and copies the embed code of a zone, with tips', async () => {
    const { page, client } = await suite.enter('seller');
    const zone = await makeZone(client, await makeWebsite(client), { name: 'Side' });
    await page.goto('/ad-zones');
    await zoneCard(page, 'Side').getByRole('button', { name: 'Code' }).click();
    await dialog(page).getByRole('button', { name: 'Copy code for Side' }).click();
    await toastTitled(page, 'Copied!').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`src="${suite.fixture.server.url}/api/serve/zone/${zone.publicId}"></script>`);
    expect(await page.getByLabel('Embed code for Side').innerText()).toBe(copied);
    expect(await page.getByText(/^Tip: paste it where/).isVisible()).toBe(true);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Code');
    expect(await page.getByRole('complementary', { name: 'Tips' }).getByRole('listitem').count()).toBe(4);
  });

  // Proves ZONE-06
  it('the zone settings rename, pause and resume a zone, and withdraw and restore a pricing option', async () => {
    const { page, client } = await suite.enter('seller');
    const zone = await makeZone(client, await makeWebsite(client), { name: 'Before' });
    await makeProduct(client, zone, { price: '50.00', duration: 7 });
    await page.goto('/ad-zones');
    await zoneCard(page, 'Before').getByRole('button', { name: 'Settings' }).click();
    await dialog(page).getByLabel('Ad zone name').fill('After');
    await dialog(page).getByRole('button', { name: 'Rename' }).click();
    await toastTitled(page, 'Ad zone renamed').waitFor();
    await dialog(page).getByRole('switch', { name: 'Active' }).click();
    await toastTitled(page, 'Ad zone paused').waitFor();
    await dialog(page).getByRole('button', { name: 'Withdraw' }).click();
    await dialog(page).getByText('Withdrawn').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await zoneCard(page, 'After').getByText('Inactive', { exact: true }).waitFor();
    await zoneCard(page, 'After').getByText('No prices yet.').waitFor();

    await zoneCard(page, 'After').getByRole('button', { name: 'Set prices' }).click();
    await dialog(page).getByRole('switch', { name: 'Active' }).click();
    await dialog(page).getByRole('button', { name: 'Offer again' }).click();
    await dialog(page).getByRole('button', { name: 'Withdraw' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await zoneCard(page, 'After').getByText('Text: 7 days for $50.00').waitFor();
    await zoneCard(page, 'After').getByText('Active', { exact: true }).waitFor();
  });

  // Proves DEL-47
  it('the zone settings preview, save and remove the publisher’s house ad', async () => {
    const { page, client } = await suite.enter('seller');
    const zone = await makeZone(client, await makeWebsite(client), { name: 'Own' });
    await page.goto('/ad-zones');
    await zoneCard(page, 'Own').getByRole('button', { name: 'Settings' }).click();
    await dialog(page).getByRole('button', { name: 'Add your own ad' }).click();
    const title = dialog(page).getByLabel('Title');
    await expect.poll(() => title.evaluate((field) => field === document.activeElement)).toBe(true);
    await dialog(page).getByLabel('Target URL').fill('http://own.example');
    await dialog(page).getByRole('button', { name: 'Save your ad' }).click();
    await dialog(page).getByText('Title is required').waitFor();
    await dialog(page).getByText('Please enter an address that begins with https://').waitFor();

    await title.fill('Read our letter');
    await dialog(page).getByLabel('Description').fill('Every Friday, free.');
    await dialog(page).getByLabel('Target URL').fill('https://own.example/letter');
    // The preview uses the tag's own renderer, in a shadow root.
    const preview = dialog(page).getByRole('link', { name: 'Read our letter', includeHidden: true });
    await expect.poll(() => preview.innerText()).toContain('Every Friday, free.');
    await page.keyboard.press('Enter');
    await toastTitled(page, 'Your own ad was saved').waitFor();
    await dialog(page).getByRole('button', { name: 'Change your ad' }).waitFor();
    const saved = async () => {
      const [own] = (await client.get(`/api/websites/${zone.websiteId}/ad-zones`)).body as [AdZone];
      return own.houseAd;
    };
    expect(await saved()).toEqual({
      title: 'Read our letter',
      description: 'Every Friday, free.',
      targetUrl: 'https://own.example/letter',
    });
    expect(await preview.isVisible()).toBe(true);
    expect(
      await dialog(page)
        .getByRole('region', { name: 'Your own ad' })
        .getByRole('link', { name: 'Ad', exact: true, includeHidden: true })
        .count(),
    ).toBe(0);

    await dialog(page).getByRole('button', { name: 'Remove your ad' }).click();
    await dialog(page).getByRole('button', { name: 'Add your own ad' }).waitFor();
    expect(await saved()).toBeNull();
  });

  // Proves LOOK-03, LOOK-04, LOOK-06, DEL-11
  it('the zone settings preview another look, correct its accent, and the tag shows exactly the preview', async () => {
    const { page, client } = await suite.enter('seller');
    const { zone } = await makeLiveAd(client, await suite.client('buyer'), {
      ad: {
        title: 'Fresh coffee, delivered',
        description: 'Beans roasted on Monday, at your door on Wednesday.',
        targetUrl: 'https://kernelroast.example',
      },
    });
    await page.goto('/ad-zones');
    await zoneCard(page, zone.name).getByRole('button', { name: 'Settings' }).click();
    const looks = dialog(page).getByRole('region', { name: 'How ads look' });
    const preview = '[role=dialog] [data-preview]';
    const [plain] = await adLooks(page, preview);
    await looks.getByRole('radio', { name: 'Card' }).click();
    await looks.getByLabel('Accent color').fill('#ff0000');
    await looks.getByText('Too little contrast on light pages. Ads there use #db0000 instead.').waitFor();
    await looks.getByText(/^Too little contrast on dark pages\./).waitFor();
    await looks.getByLabel('Accent color').fill('#7c2d12');
    await looks.getByText(/on light pages/).waitFor({ state: 'detached' });
    await looks.getByRole('button', { name: 'Save look' }).click();
    await toastTitled(page, 'Look saved').waitFor();
    const previewed = await adLooks(page, preview);
    expect(previewed[0]).not.toEqual(plain);
    expect(await looks.getByRole('button', { name: 'Save look' }).getAttribute('aria-description')).toBe(
      'Choose another look or color first',
    );

    await suite.fixture.server.app.refreshDelivery();
    const theme = await page
      .locator(preview)
      .first()
      .evaluate((host) => {
        const { fontFamily, color, colorScheme } = getComputedStyle(host);
        return `font-family:${fontFamily};color:${color};color-scheme:${colorScheme}`.replaceAll('"', "'");
      });
    const site = await startPublisher('localhost');
    const reader = await page.context().newPage();
    await reader.addInitScript(openShadowRoots);
    await reader.goto(site.put('/', `<main style="${theme}">${zone.embedCode}</main>`));
    await rendered(reader, 1);
    expect(await adLooks(reader)).toEqual(previewed);
    await site.close();
  });

  // Proves ZONE-06
  it('changing a price in the zone settings changes the option', async () => {
    const { page, client } = await suite.enter('seller');
    const zone = await makeZone(client, await makeWebsite(client), { name: 'Dear' });
    const plan = { pricingModel: 'per_impression', impressions: 5000, duration: null };
    await makeProduct(client, zone, { price: '50.00', ...plan });
    await page.goto('/ad-zones');
    await zoneCard(page, 'Dear').getByRole('button', { name: 'Settings' }).click();
    await dialog(page).getByRole('button', { name: 'Change price' }).click();
    const price = dialog(page).getByLabel('New price for 5,000 impressions, text');
    expect(await price.evaluate((field) => field === document.activeElement)).toBe(true);
    await price.fill('0');
    await dialog(page).getByRole('button', { name: 'Save price' }).click();
    await dialog(page).getByText('Price must be above 0').waitFor();
    await price.fill('1.000');
    await dialog(page).getByRole('button', { name: 'Save price' }).click();
    await dialog(page).getByText('Enter a price like 12.50 or 1,000').waitFor();
    await price.fill('$45,50');
    await dialog(page).getByRole('button', { name: 'Save price' }).click();
    await toastTitled(page, 'Price changed').waitFor();
    await dialog(page).getByText('Text: 5,000 impressions for $45.50', { exact: true }).first().waitFor();
    await page.waitForFunction(() =>
      document.querySelector('[role=dialog]')?.contains(document.activeElement),
    );
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await zoneCard(page, 'Dear').getByText('Text: 5,000 impressions for $45.50').waitFor();
    const options = (await client.get(`/api/ad-zones/${zone.publicId}/products`)).body;
    expect(options).toMatchObject([{ ...plan, price: '45.50', isActive: true }]);
  });

  // Proves ZONE-02
  it('a long list of zones is loaded in parts, and a link to one zone loads it, scrolls to it and opens its code', async () => {
    const { page, client } = await suite.enter('seller');
    const website = await makeWebsite(client, { name: 'Large site' });
    const zones = [];
    for (let n = 1; n <= 32; n++) zones.push(await makeZone(client, website, { name: `Place ${n}.` }));
    await page.goto('/ad-zones');
    await page.getByText('30 of 32 ad zones').waitFor();
    expect(await page.getByRole('article').count()).toBe(30);
    await page.getByRole('button', { name: 'Show more' }).click();
    await zoneCard(page, 'Place 32.').waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

    await page.goto('/');
    await page.goto(`/ad-zones#ad-zone-${zones.at(-1)?.id}`);
    await dialog(page).getByText('Tip: paste it where').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? -1) > 0,
      `ad-zone-${zones.at(-1)?.id}`,
    );
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    expect(await page.evaluate(() => window.location.hash)).toBe('');
  });

  // Proves ZONE-07
  it('deletes a zone only after a confirmation', async () => {
    const { page, client } = await suite.enter('seller');
    const website = await makeWebsite(client);
    await makeZone(client, website, { name: 'Doomed' });
    await page.goto('/ad-zones');
    const calls = recordCalls(page);
    await chooseInMenu(page, 'Doomed', 'Delete');
    await dialog(page).getByText('This can’t be undone.').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(sent(calls, 'DELETE')).toEqual([]);
    expect(await zonesOf(client, website)).toHaveLength(1);
    // The focus returns to the menu that opened the dialog.
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'More for Doomed',
    );

    await chooseInMenu(page, 'Doomed', 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete Ad Zone' }).click();
    await page.getByText('No ad zones yet').waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'MAIN');
    expect(await zonesOf(client, website)).toEqual([]);
  });

  // Proves ERR-62, ERR-63, ERR-56
  it('a zone with an active campaign cannot be deleted, and any failed deletion says why', async () => {
    const { page, client } = await suite.enter('seller');
    const { zone } = await makeLiveAd(client, await suite.client('buyer'));
    await page.goto('/ad-zones');
    const remove = async () => {
      await chooseInMenu(page, zone.name, 'Delete');
      await dialog(page).getByRole('button', { name: 'Delete Ad Zone' }).click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    await remove();
    await toastTitled(page, 'Cannot Delete Ad Zone')
      .getByText('This ad zone has active campaigns. Please wait for them to complete before deleting.', {
        exact: true,
      })
      .waitFor();
    await answer(page, `/api/ad-zones/${zone.id}`, { status: 500, body: '' });
    await remove();
    await toastTitled(page, 'Error').getByText('Failed to delete ad zone', { exact: true }).waitFor();
    await answer(page, `/api/ad-zones/${zone.id}`, { status: 422, json: { message: 'M1' } });
    await remove();
    await toastTitled(page, 'Error').getByText('M1', { exact: true }).waitFor();
    expect(await zoneCard(page, zone.name).isVisible()).toBe(true);
  });
});

describe('the ad zone dialog', () => {
  // Proves ZONE-10, ZONE-12, ZONE-14, ZONE-15, ZONE-16, STATE-28, VAL-38, VAL-39, CODE-04
  it('leads a new publisher from the website to the zone and lets them skip the prices', async () => {
    const { page, client } = await suite.enter('seller');
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

  // Proves ZONE-11, ZONE-13
  it('starts with the zone when the publisher has a website, and Add Website adds another one', async () => {
    const { page, client } = await suite.enter('seller');
    await makeWebsite(client);
    await page.goto('/ad-zones');
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
  });

  // Proves VAL-35, VAL-36, VAL-37, VAL-39, CONST-24
  it('the website form requires a name, a URL, a category and a whole number of visitors', async () => {
    const { page, client } = await suite.enter('seller');
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
    await submit.click();
    await page.getByRole('dialog', { name: 'Create Ad Zone' }).waitFor();
    expect((await websitesOf(client)).map((site) => site.monthlyVisitors)).toEqual([1200]);
  });

  // Proves VAL-40, VAL-41, VAL-42, VAL-48
  it('the zone form requires a website, a name and a size', async () => {
    const { page, client } = await suite.enter('seller');
    const website = await makeWebsite(client, { name: 'Holder' });
    await page.goto('/ad-zones');
    await page.getByRole('button', { name: 'Create Ad Zone' }).click();
    const calls = recordCalls(page);
    const submit = dialog(page).getByRole('button', { name: 'Create Ad Zone' });
    await dialog(page).getByLabel('Zone type').selectOption('custom');
    await dialog(page).getByLabel('Ad zone name').fill('');
    await dialog(page).getByLabel('Width (px)').fill('');
    await dialog(page).getByLabel('Height (px)').fill('');
    await submit.click();
    for (const text of [
      'Please select a website first',
      'Ad zone name is required',
      'Width is required',
      'Height is required',
    ]) {
      await dialog(page).getByText(text, { exact: true }).waitFor();
    }
    await dialog(page).getByLabel('Width (px)').fill('0');
    await dialog(page).getByLabel('Height (px)').fill('5001');
    await dialog(page).getByText('Width must be at least 1 pixel').waitFor();
    await dialog(page).getByText('Height must be at most 5000 pixels').waitFor();
    await dialog(page).getByLabel('Width (px)').fill('333');
    await dialog(page).getByLabel('Height (px)').fill('111');
    await dialog(page).getByLabel('Ad zone name').fill('Odd');
    await submit.click();
    await dialog(page).getByText('Please select a website first').waitFor();
    expect(sent(calls, 'POST')).toEqual([]);
    expect(await zonesOf(client, website)).toEqual([]);
  });

  // Proves VAL-43, VAL-44, VAL-45, VAL-46, VAL-47, CONST-26
  it('each zone type fills in its size, and the custom type leaves the size open', async () => {
    const { page, client } = await suite.enter('seller');
    const website = await makeWebsite(client, { name: 'Holder' });
    await page.goto('/ad-zones');
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
    await width.fill('333');
    await height.fill('111');
    await dialog(page).getByLabel('Website').selectOption('Holder');
    await dialog(page).getByLabel('Ad zone name').fill('Odd');
    await dialog(page).getByRole('button', { name: 'Create Ad Zone' }).click();
    await page.getByRole('dialog', { name: 'Set Pricing' }).waitFor();
    expect(await zonesOf(client, website)).toMatchObject([{ width: 333, height: 111, zoneType: 'custom' }]);
  });
});

describe('the pricing step', () => {
  // Proves CONST-27, CONST-28, CONST-29, VAL-53, GEN-13, GEN-14
  it('starts with one row for a text ad of one day, and cannot be saved without rows', async () => {
    const { page, client } = await suite.enter('seller');
    const pricing = await openPricing(page, client);
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
  });

  // Proves VAL-49, VAL-50, VAL-51, VAL-52, ERR-60
  it('skips rows without a price and sends only the amount that belongs to the pricing model', async () => {
    const { page, client } = await suite.enter('seller');
    const pricing = await openPricing(page, client);
    const calls = recordCalls(page);
    const save = pricing.getByRole('button', { name: 'Save Pricing' });
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
  });

  // Proves ERR-59, ERR-56, VAL-49
  it('says why a row was not saved and does not send the saved rows again', async () => {
    const { page, client } = await suite.enter('seller');
    const pricing = await openPricing(page, client);
    await pricing.getByRole('button', { name: 'Add Pricing Option' }).click();
    for (const number of [1, 2]) {
      const row = pricing.getByRole('group', { name: `Pricing option ${number}` });
      await row.getByLabel('Price (USD)').fill(`${number}1.00`);
    }
    const calls = recordCalls(page);
    const refuseSecond = async (reply: { status: number; body: string }) => {
      await page.unrouteAll();
      await page.route('**/api/ad-zone-products', async (route) => {
        if (route.request().postData()?.includes('21.00')) await route.fulfill(reply);
        else await route.continue();
      });
    };
    const save = pricing.getByRole('button', { name: 'Save Pricing' });
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
  });
});

describe('creating a website, a zone and prices', () => {
  // Proves ERR-57, ERR-58, ERR-60, ERR-56, CODE-05
  it('shows the server’s error message or a fallback at each step, and a toast for each success', async () => {
    const { page } = await suite.enter('seller');
    await page.goto('/ad-zones');
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
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
    await dialog(page).getByLabel('Website name').fill('Tried site');
    await dialog(page).getByLabel('URL').fill('https://tried.example');
    await dialog(page).getByLabel('Category').selectOption('Health');
    await fails('/api/websites', 'Add Website', 'Failed to create website');
    await toastTitled(page, 'Website created successfully').waitFor();
    await dialog(page).getByLabel('Ad zone name').fill('Tried zone');
    await fails('/api/ad-zones', 'Create Ad Zone', 'Failed to create ad zone');
    await toastTitled(page, 'Ad zone created successfully').waitFor();
    // The price is suggested.
    await dialog(page).getByText('A price to start with. You can change it at any time.').waitFor();
    expect(await dialog(page).getByLabel('Price (USD)').inputValue()).toBe('5.00');
    await dialog(page).getByRole('button', { name: 'Save Pricing' }).click();
    await toastTitled(page, 'Pricing saved successfully').waitFor();
  });
});
