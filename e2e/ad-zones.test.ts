/** The way of a new publisher to an ad zone, its embed code, and its look on the publisher's page. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Website } from '#domain/inventory/contract.ts';
import { makeLiveAd, makeWebsite } from '../server/testing/story.ts';
import { adLooks, openShadowRoots, rendered } from './support/ads-on-page.ts';
import { startPublisher } from './support/publisher.ts';
import { codeFromMail } from './support/mail.ts';
import { toastTitled } from './support/people.ts';
import { leave } from './support/person.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { zonesOf } from './support/zones.ts';

const suite = useFixture();
/** Starts without a website. */
const publisher = useResident(suite, 'seller');

const dialog = (page: Page) => page.getByRole('dialog');
const zoneCard = (page: Page, name: string) => page.getByRole('article', { name });

// Proves ZONE-10, ZONE-12, ZONE-14, ZONE-15, VAL-38, VAL-39
it('the ad zone dialog leads a new publisher from the website to the zone, lets them skip the prices, and opens the code once', async () => {
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
  const [website] = (await client.get('/api/websites/my')).body as Website[];
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

// Proves ZONE-01, ZONE-08, ERR-61
it('only the publisher’s own websites are listed, each zone in one row with a menu for the keyboard, and its embed code is copied', async () => {
  const { page, client } = publisher;
  await makeWebsite(await suite.client('seller'), { name: 'Of another publisher' });
  await page.goto('/ad-zones');
  await zoneCard(page, 'First zone').getByRole('button', { name: 'Code' }).click();
  expect(await page.getByText('Of another publisher').count()).toBe(0);
  await dialog(page).getByRole('button', { name: 'Copy code for First zone' }).click();
  await toastTitled(page, 'Copied!').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [website] = (await client.get('/api/websites/my')).body as [Website];
  const [zone] = await zonesOf(client, website);
  expect(copied).toContain(`src="${suite.fixture.server.url}/api/serve/zone/${zone?.publicId}"></script>`);
  expect(await page.getByLabel('Embed code for First zone').innerText()).toBe(copied);
  expect(await page.getByText(/^Tip: paste it where/).isVisible()).toBe(true);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Code');
});

it('the page of a zone previews another look, corrects its accent, and the tag shows exactly the preview', async () => {
  const { page, client } = publisher;
  const { zone } = await makeLiveAd(client, await suite.client('buyer'), {
    zone: { name: 'Live' },
    ad: {
      title: 'Fresh coffee, delivered',
      description: 'Beans roasted on Monday, at your door on Wednesday.',
      targetUrl: 'https://kernelroast.example',
    },
  });
  await page.goto('/ad-zones');
  await zoneCard(page, zone.name).getByRole('link', { name: zone.name }).click();
  await page.getByRole('tab', { name: 'Look' }).click();
  const looks = page.getByRole('region', { name: 'How ads look' });
  const preview = 'main [data-preview]';
  const [plain] = await adLooks(page, preview);
  await looks.getByRole('radio', { name: 'Card' }).click();
  await looks.getByLabel('Accent color').fill('#ff0000');
  await looks.getByText('Too little contrast on light pages. Ads there use #db0000 instead.').waitFor();
  await looks.getByText(/^Too little contrast on dark pages\./).waitFor();
  await looks.getByLabel('Accent color').fill('#7c2d12');
  await looks.getByText(/on light pages/).waitFor({ state: 'detached' });
  await looks.getByRole('button', { name: 'Save look' }).click();
  await looks.getByRole('status').getByText('Saved').waitFor();
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
});

it('a publisher needs at most 8 clicks and 7 fields from the landing page to the copied code, and finds the role chosen', async () => {
  const { page } = await suite.fixture.enter();
  const site = await startPublisher('localhost');
  const home = site.put('/quick', '<h1>Short reads</h1>');
  let clicks = 0;
  let fields = 0;
  const press = async (role: 'button' | 'link', name: string | RegExp) => {
    clicks += 1;
    await page.getByRole(role, { name }).click();
  };
  const fill = async (label: string, text: string) => {
    fields += 1;
    await page.getByLabel(label, { exact: true }).fill(text);
  };
  const email = 'quick@example.test';
  await page.goto('/');
  await press('link', 'Start Selling Ad Space');
  await fill('First name', 'Quinn');
  await fill('Last name', 'Quick');
  await fill('Email', email);
  await page.getByText('Email address is ok').waitFor();
  await fill('Password', 'correct horse battery');
  await press('button', 'Create Account');
  await page.getByLabel('Verification code').waitFor();
  await fill('Verification code', await codeFromMail(suite.fixture.server.anyone(), email));
  await press('button', 'Verify Email');
  // The welcome dialog has the role of the pressed button, and leads on to the first website.
  const welcome = page.getByRole('dialog', { name: /^Welcome/ });
  await welcome.waitFor();
  expect(await welcome.getByRole('radio', { name: 'Sell Ad Space' }).isChecked()).toBe(true);
  await press('button', 'Get Started');
  await page.getByRole('dialog', { name: 'Add Your Website' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('wanted-role'))).toBeNull();
  await fill('URL', home);
  fields += 1;
  await page.getByLabel('Category').focus();
  await page.getByLabel('Category').selectOption('Technology');
  await page.getByText('Filled in the name from your page.').waitFor();
  expect(await page.getByLabel('Website name').inputValue()).toBe('A publisher');
  await press('button', 'Add Website');
  // The page behind the dialogs has a button of the same name.
  await page.getByRole('dialog', { name: 'Create Ad Zone' }).waitFor();
  await press('button', 'Create Ad Zone');
  await press('button', 'Save Pricing');
  await press('button', /^Copy code for/);
  await page.getByText('Copied!', { exact: true }).first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('<ad-zone ');
  expect({ clicks, fields }).toEqual({ clicks: 8, fields: 7 });
  await leave(page);
  await site.close();
});
