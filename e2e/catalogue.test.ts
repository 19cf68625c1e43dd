import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { chargeConsented } from '#server/money/consents/charge.ts';
import type { Client } from '../server/testing/client.ts';
import { makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { codeFromMail } from './support/mail.ts';
import { harm } from './support/hostile.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { pathOf } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { DESKTOP, enterWalk, inBothThemes, type Note } from './support/walk.ts';
import type { Shapes } from './support/axe.ts';

const suite = useFixture();

let seller: Client;
let website: Website;
let zone: AdZone;
const PAGE = '/sites/harbor-news.example';

beforeAll(async () => {
  seller = await suite.client('seller');
  website = await makeWebsite(seller, {
    name: 'Harbor News',
    url: 'https://harbor-news.example',
    category: 'Travel',
    description: 'Ships <b>and</b> the people on them',
    monthlyVisitors: 12_000,
  });
  zone = await makeZone(seller, website, { name: 'Quay', width: 728, height: 90 });
  await makeProduct(seller, zone, { price: '25.00', duration: 7 });
  await makeZone(seller, website, { name: 'Lighthouse', width: 160, height: 600 });
});

let open: Page[] = [];
afterEach(async () => {
  await Promise.all(open.map(async (page) => await page.context().close()));
  open = [];
});

async function visit(path: string, options = {}): Promise<Page> {
  const { browser, server } = suite.fixture;
  const context = await browser.newContext({ baseURL: server.url, ...options });
  const page = await context.newPage();
  open.push(page);
  await page.goto(path);
  return page;
}

it('a visitor without JavaScript finds a website, reads its prices and reaches the ad-space link', async () => {
  const page = await visit('/sites', { javaScriptEnabled: false });
  await page.getByLabel('Search').fill('HARBOR');
  await page.getByLabel('Category').selectOption('Travel');
  await page.getByText('More filters').click();
  await page.getByLabel('Size').fill('728 × 90');
  await page.getByRole('button', { name: 'Show sites' }).click();
  expect(await page.getByLabel('Search').inputValue()).toBe('HARBOR');
  expect(await page.getByLabel('Size').inputValue()).toBe('728x90');
  await page.getByRole('article').getByRole('link', { name: 'Harbor News' }).click();
  expect(pathOf(page)).toBe(PAGE);
  const quay = page.getByRole('region', { name: 'Quay' });
  await quay.getByText('$25.00').waitFor();
  expect(await quay.getByRole('link', { name: 'Advertise here' }).getAttribute('href')).toBe(
    `/create-ad?website=${website.publicId}&zone=${zone.publicId}`,
  );
  expect(await page.context().cookies()).toEqual([]);
});

it('the pages have no accessibility or overflow findings in both themes, at 1280 and 375 px', async () => {
  const page = await enterWalk(suite.fixture);
  open.push(page);
  const found: string[] = [];
  const shapes: Shapes = new Set();
  for (const path of ['/sites', '/sites?q=nobody&size=300x250', '/sites?size=x', PAGE, `${PAGE}/media-kit`]) {
    const note: Note = (when, findings) => found.push(...findings.map((one) => `${path}, ${when}: ${one}`));
    for (const size of [DESKTOP, { width: 375, height: 800 }, { width: 320, height: 640 }]) {
      await resize(page, size);
      await page.goto(path);
      if (size.width !== 320) await inBothThemes(page, note, shapes);
      note(`${size.width} px`, [...(await harm(page)), ...(await sideways(page)), ...(await lostText(page))]);
    }
  }
  expect(found).toEqual([]);
});

it('the sign-up works without the card if the website is not listed', async () => {
  const page = await visit('/create-ad?website=W&zone=Z');
  await page.getByText('Welcome, advertiser').waitFor();
  await expect.poll(() => page.getByRole('region', { name: 'Your ad space' }).count()).toBe(0);
  await page.getByLabel('First name').waitFor();
});

it('the landing page and its footer lead to the catalogue, unless the operator has turned it off', async () => {
  const page = await visit('/');
  const links = page.locator('a[href="/sites"]');
  expect(await links.allInnerTexts()).toEqual([
    'Sites',
    'See sites and prices first',
    'Browse real sites',
    'Sites',
  ]);
  await links.first().click();
  await page.getByRole('heading', { name: 'Websites that sell ad space' }).waitFor();
  await page.goto('/');
  await page.evaluate(() => (document.documentElement.dataset['is'] = 'no-catalogue'));
  for (const link of await links.all()) expect(await link.isVisible()).toBe(false);
});

it('the marketplace and the wizard lead to a website’s page', async () => {
  const { page } = await suite.enter('buyer');
  for (const view of ['', '&view=table']) {
    await page.goto(`/marketplace?search=harbor${view}`);
    await page.getByRole('link', { name: 'Harbor News', exact: true }).click();
    await page.waitForURL(PAGE);
  }
  await page.goto(`/create-ad?website=${website.publicId}`);
  const link = page.getByRole('link', { name: 'All prices and figures of this site' });
  expect(await link.getAttribute('href')).toBe(suite.fixture.server.url + PAGE);
});

it('a publisher copies the address and the badge, and takes the website out of the catalogue', async () => {
  const { page, client } = await suite.enter('seller');
  await makeWebsite(client, { name: 'Pier & Co', url: 'https://pier.example' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/ad-zones');
  const menu = page.getByRole('button', { name: 'Manage Pier & Co' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Share website' }).click();
  const address = `${suite.fixture.server.url}/sites/pier.example`;
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy the address of the page' }).click();
  await expect.poll(copied).toBe(address);
  await page.getByRole('button', { name: 'Copy the code of the badge' }).click();
  await expect.poll(copied).toContain(`alt="Advertise on Pier &amp; Co"`);
  expect(await page.getByRole('link', { name: 'Open the media kit' }).getAttribute('href')).toBe(
    `${address}/media-kit`,
  );
  await page.keyboard.press('Escape');

  await menu.click();
  await page.getByRole('menuitem', { name: 'Edit website' }).click();
  const listed = page.getByRole('switch', { name: 'Show in the public catalogue' });
  expect(await listed.isChecked()).toBe(true);
  await listed.click();
  await page.getByRole('button', { name: 'Save Website' }).click();
  await expect.poll(async () => (await client.get('/sites/pier.example')).status).toBe(404);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Edit website' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Share website' }).count()).toBe(0);
});

it.each([DESKTOP, { width: 375, height: 800 }])(
  'a visitor finds a website, signs up from its page and has an ad live with 9 clicks and 12 fields, at $width px',
  async ({ width, height }) => {
    const page = await visit('/sites', { viewport: { width, height } });
    let clicks = 0;
    let fields = 0;
    const click = async (target: Locator) => {
      clicks++;
      await target.click();
    };
    const fill = async (label: string, text: string) => {
      fields++;
      await page.getByLabel(label, { exact: true }).fill(text);
    };
    const button = (name: string) => page.getByRole('button', { name });
    await click(page.getByRole('article').getByRole('link', { name: 'Harbor News' }));
    await click(page.getByRole('region', { name: 'Quay' }).getByRole('link', { name: 'Advertise here' }));
    await page.waitForURL('/auth');
    const card = page.getByRole('region', { name: 'Your ad space' });
    await card.getByRole('heading', { name: 'Harbor News' }).waitFor();
    for (const text of ['Quay, 728 × 90', '$25.00']) await card.getByText(text).waitFor();
    expect(await card.getByRole('link').getAttribute('href')).toBe(suite.fixture.server.url + PAGE);
    const email = `stranger-${width}@example.test`;
    await fill('First name', 'Nia');
    await fill('Last name', 'New');
    await fill('Email', email);
    await fill('Password', PASSWORD);
    await page.getByText('Email address is ok').waitFor();
    await click(button('Create Account'));
    await fill('Verification code', await codeFromMail(suite.fixture.server.anyone(), email));
    await click(button('Verify Email'));
    // The sign-up comes back to the link.
    await page.waitForURL(`/create-ad?website=${website.publicId}&zone=${zone.publicId}`);
    // The booking is complete: the link has chosen the place, and all else has no alternative.
    await page.getByText('7 days × about $3.57').waitFor();
    await click(button('Continue'));
    await fill('Title', `Tea for ${width}`);
    await fill('Description', 'Grown on the hills behind the harbor.');
    await fill('Target URL', 'tea.example');
    await click(page.getByRole('checkbox', { name: 'Charge a card when approved' }));
    await click(button('Submit for Approval'));
    for (const [label, text] of [
      ['Card number', '4242424242424242'],
      ['Expiry', '1240'],
      ['CVC', '123'],
      ['Name on card', 'Nia New'],
    ] as const)
      await fill(label, text);
    await click(button('Allow and save card'));
    await page.getByText('Saved.').waitFor();
    const { ctx } = suite.fixture.server;
    const { id } = await ctx.db
      .selectFrom('ads')
      .select('id')
      .where('title', '=', `Tea for ${width}`)
      .executeTakeFirstOrThrow();
    expect((await seller.put(`/api/ads/${id}/approve`, { version: 1 })).status).toBe(200);
    await chargeConsented(ctx, id);
    await click(page.getByRole('link', { name: 'Go to Dashboard' }));
    await page.getByText(`Tea for ${width}`).first().waitFor();
    // A phone has no room for the column Status. The actions say the state.
    await page.getByText('Live', { exact: true }).locator('visible=true').first().waitFor();
    expect([clicks, fields]).toEqual([9, 12]);
  },
);
