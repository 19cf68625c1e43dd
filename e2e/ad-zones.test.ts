import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { adLooks, openShadowRoots, rendered } from './support/ads-on-page.ts';
import { startPublisher } from './support/publisher.ts';
import { chooseInMenu, zonesOf } from './support/zones.ts';
import { answer, recordCalls, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const publisher = useResident(suite, 'seller');

const dialog = (page: Page) => page.getByRole('dialog');
const zoneCard = (page: Page, name: string) => page.getByRole('article', { name });
const sent = (calls: string[], start: string) => calls.filter((call) => call.startsWith(start));

describe('the Ad Zones page', () => {
  // One zone for each test. The first test loads the page, which stays open, because it reads its lists only once.
  let side: AdZone;
  let priced: AdZone;
  let own: AdZone;
  /** Has an active campaign. */
  let live: { website: Website; zone: AdZone };
  const plan = { pricingModel: 'per_impression', impressions: 5000, duration: null };

  beforeAll(async () => {
    const { client } = publisher;
    const news = await makeWebsite(client, { name: 'News site' });
    const blog = await makeWebsite(client, { name: 'Blog site' });
    await makeZone(client, news, { name: 'Top', zoneType: 'banner', width: 728, height: 90 });
    side = await makeZone(client, blog, { name: 'Side', zoneType: 'custom', width: 333, height: 111 });
    await client.patch(`/api/ad-zones/${side.id}`, { isActive: false });
    await makeWebsite(await suite.client('seller'), { name: 'Of another publisher' });
    priced = await makeZone(client, news, { name: 'Before' });
    await makeProduct(client, priced, { price: '50.00', ...plan });
    own = await makeZone(client, news, { name: 'Own' });
    live = await makeLiveAd(client, await suite.client('buyer'), {
      zone: { name: 'Live' },
      ad: {
        title: 'Fresh coffee, delivered',
        description: 'Beans roasted on Monday, at your door on Wednesday.',
        targetUrl: 'https://kernelroast.example',
      },
    });
    await makeZone(client, live.website, { name: 'Doomed' });
  });

  // Proves ZONE-01, ZONE-02, ZONE-03, ZONE-04, ZONE-05, ZONE-06, ZONE-07, ZONE-08, ZONE-09, ERR-61, CODE-01
  it('lists only the publisher’s own websites, with their ad zones, and copies the embed code of a zone', async () => {
    const { page } = publisher;
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
      .toEqual(['Settings', 'Calendar & Slots', 'Test my zone', 'What’s showing?', 'Resume', 'Delete']);
    // The keyboard reaches each item, and Escape returns to the menu's button.
    await page.keyboard.press('End');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Delete');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'More for Side');
    await chooseInMenu(page, 'Side', 'Resume');
    await toastTitled(page, 'Ad zone resumed').waitFor();
    await inactive.getByText('Active', { exact: true }).waitFor();
    expect(await page.getByText('Of another publisher').count()).toBe(0);

    await zoneCard(page, 'Side').getByRole('button', { name: 'Code' }).click();
    await dialog(page).getByRole('button', { name: 'Copy code for Side' }).click();
    await toastTitled(page, 'Copied!').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`src="${suite.fixture.server.url}/api/serve/zone/${side.publicId}"></script>`);
    expect(await page.getByLabel('Embed code for Side').innerText()).toBe(copied);
    expect(await page.getByText(/^Tip: paste it where/).isVisible()).toBe(true);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Code');
    expect(await page.getByRole('complementary', { name: 'Tips' }).getByRole('listitem').count()).toBe(4);
  });

  // Proves ZONE-06
  it('the zone settings change the price of an option, withdraw and restore it, and rename, pause and resume the zone', async () => {
    const { page, client } = publisher;
    await zoneCard(page, 'Before').getByRole('button', { name: 'Settings' }).click();
    await dialog(page).getByRole('button', { name: 'Change price' }).click();
    const price = dialog(page).getByLabel('New price for 5,000 impressions, text');
    await expect.poll(() => price.evaluate((field) => field === document.activeElement)).toBe(true);
    for (const [typed, text] of [
      ['0', 'Price must be above 0'],
      ['1.000', 'Enter a price like 12.50 or 1,000'],
    ] as const) {
      await price.fill(typed);
      await dialog(page).getByRole('button', { name: 'Save price' }).click();
      await dialog(page).getByText(text).waitFor();
    }
    await price.fill('$45,50');
    await dialog(page).getByRole('button', { name: 'Save price' }).click();
    await toastTitled(page, 'Price changed').waitFor();
    await dialog(page).getByText('Text: 5,000 impressions for $45.50', { exact: true }).first().waitFor();
    await page.waitForFunction(() =>
      document.querySelector('[role=dialog]')?.contains(document.activeElement),
    );
    const options = (await client.get(`/api/ad-zones/${priced.publicId}/products`)).body;
    expect(options).toMatchObject([{ ...plan, price: '45.50', isActive: true }]);

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
    await zoneCard(page, 'After').getByText('Text: 5,000 impressions for $45.50').waitFor();
    await zoneCard(page, 'After').getByText('Active', { exact: true }).waitFor();
  });

  // Proves DEL-47
  it('the zone settings preview, save and remove the publisher’s house ad', async () => {
    const { page, client } = publisher;
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
      const zones = (await client.get(`/api/websites/${own.websiteId}/ad-zones`)).body as AdZone[];
      return zones.find(({ id }) => id === own.id)?.houseAd;
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
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  });

  // Proves LOOK-03, LOOK-04, LOOK-06, DEL-11
  it('the zone settings preview another look, correct its accent, and the tag shows exactly the preview', async () => {
    const { page } = publisher;
    const { zone } = live;
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
    // The button learns what was saved when the list of zones has been loaded again.
    const save = looks.getByRole('button', { name: 'Save look' });
    await expect.poll(() => save.getAttribute('aria-description')).toBe('Choose another look or color first');

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
    await reader.close();
    await site.close();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  });

  // Proves ZONE-07, ERR-62, ERR-63, ERR-56
  it('deletes a zone only after a confirmation and without an active campaign, and any failed deletion says why', async () => {
    const { page, client } = publisher;
    const { website, zone } = live;
    const calls = recordCalls(page);
    await chooseInMenu(page, 'Doomed', 'Delete');
    await dialog(page).getByText('This can’t be undone.').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(sent(calls, 'DELETE')).toEqual([]);
    expect(await zonesOf(client, website)).toHaveLength(2);
    // The focus returns to the menu that opened the dialog.
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'More for Doomed',
    );

    await chooseInMenu(page, 'Doomed', 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete Ad Zone' }).click();
    await zoneCard(page, 'Doomed').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'MAIN');
    expect(await zonesOf(client, website)).toMatchObject([{ name: zone.name }]);

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

  // Proves ZONE-02
  it('a long list of zones is loaded in parts, and a link to one zone loads it, scrolls to it and opens its code', async () => {
    const { page, client } = publisher;
    const website = await makeWebsite(client, { name: 'Large site' });
    const zones = [];
    for (let n = 1; n <= 32; n++) zones.push(await makeZone(client, website, { name: `Place ${n}.` }));
    await page.goto('/ad-zones');
    const large = page.getByRole('region', { name: 'Large site' });
    await large.getByRole('button', { name: 'Large site', expanded: false }).click();
    await page.getByText('30 of 32 ad zones').waitFor();
    expect(await large.getByRole('article').count()).toBe(30);
    await page.getByRole('button', { name: 'Show more' }).click();
    await zoneCard(page, 'Place 32.').waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

    // With another query, the browser loads the page again.
    await page.goto(`/ad-zones?again#ad-zone-${zones.at(-1)?.id}`);
    await dialog(page).getByText('Tip: paste it where').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? -1) > 0,
      `ad-zone-${zones.at(-1)?.id}`,
    );
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    expect(await page.evaluate(() => window.location.hash)).toBe('');
  });
});
