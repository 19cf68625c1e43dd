import { afterAll, beforeAll, expect, it } from 'vitest';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { enterAs, pathOf } from './support/people.ts';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
});

it('ACC-07 ACC-08 ACC-09 a page for another role opens, says so, and leads to Settings', async () => {
  for (const [role, paths] of [
    ['seller', ['/marketplace', '/create-ad']],
    ['buyer', ['/ad-zones']],
  ] as const) {
    const { page, context } = await enterAs(stage, role);
    for (const path of paths) {
      await page.goto(path);
      await page.getByText(`your role is ${role}`).waitFor();
      expect(pathOf(page)).toBe(path);
      await page.getByRole('link', { name: 'Change my role' }).click();
      await page.waitForURL('/settings');
    }
    await context.close();
  }
});

it('ACC-12 the checkout of an own approved ad opens', async () => {
  const seller = await stage.server.signIn('seller');
  const { page, context, client: buyer } = await enterAs(stage, 'buyer');
  const zone = await makeZone(seller, await makeWebsite(seller));
  const ad = await makeAd(buyer, await makeProduct(seller, zone));
  await approve(seller, ad);
  await page.goto(`/checkout/${ad.publicId}`);
  await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
  await page.getByText(ad.title).first().waitFor();
  await page.getByRole('button', { name: 'Pay $100.00' }).waitFor();
  expect(pathOf(page)).toBe(`/checkout/${ad.publicId}`);
  await context.close();
});

const BUYER_SECTIONS = ['buyer-analytics', 'my-campaigns', 'campaign-performance'];
const SELLER_SECTIONS = ['seller-analytics', 'active-ad-zones', 'pending-approvals'];

it.each([
  ['buyer', { 'Buyer Dashboard': BUYER_SECTIONS }],
  ['seller', { 'Seller Dashboard': SELLER_SECTIONS }],
  ['both', { 'Buyer Dashboard': BUYER_SECTIONS, 'Seller Dashboard': SELLER_SECTIONS }],
] as const)(
  'ROLE-06 ROLE-10 the dashboard of role %s has its tabs and sections only',
  async (role, parts) => {
    const { page, context } = await enterAs(stage, role);
    await page.goto('/dashboard');
    await page.getByRole('tab').first().waitFor();
    const tabs = await page.getByRole('tab').allInnerTexts();
    expect(tabs.filter((tab) => tab.endsWith('Dashboard')).toSorted()).toEqual(Object.keys(parts).toSorted());
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      const shown = Object.entries(parts).find(([title]) => title === tab)?.[1] ?? [];
      for (const name of [...BUYER_SECTIONS, ...SELLER_SECTIONS]) {
        await page.locator(`#${name}`).waitFor({ state: shown.includes(name) ? 'visible' : 'hidden' });
      }
    }
    await context.close();
  },
);

it('HOME-15 HOME-21 ROLE-11 after a sale each side sees its own money, and a buyer no earnings', async () => {
  const seller = await enterAs(stage, 'seller');
  const buyer = await enterAs(stage, 'buyer');
  await makeLiveAd(seller.client, buyer.client, { product: { price: '33.33' } });
  const figures = { name: 'Figures' };

  await seller.page.goto('/');
  await seller.page.getByRole('region', figures).getByText('$28.33').waitFor();
  await buyer.page.goto('/');
  await buyer.page.getByRole('region', figures).getByText('$33.33').waitFor();
  expect(await buyer.page.getByText('No recent activity').isVisible()).toBe(true);

  for (const path of ['/', '/dashboard']) {
    await buyer.page.goto(path);
    await buyer.page.getByText('$33.33').first().waitFor();
    const text = await buyer.page.getByRole('main').innerText();
    expect(text).not.toMatch(/earnings/i);
    expect(text).not.toContain('28.33');
  }
  await seller.context.close();
  await buyer.context.close();
});
