/** The pages that a visitor and each role may open, and the pages that they see instead of the others. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLES, type Role } from '#domain/accounts/roles.ts';
import type { Client } from '../server/testing/client.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import {
  assertNoErrors,
  enterAs,
  hold,
  pathOf,
  runUntil,
  stopClock,
  toastTitled,
  walkTo,
} from './support/people.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { leave, type Person } from './support/person.ts';
import { PROTECTED } from './support/raw-page.ts';

let fixture: Fixture;
/** Their pages stay open from test to test. */
let visitor: Person;
let user: Person & { client: Client };

beforeAll(async () => {
  fixture = await openFixture();
  visitor = await fixture.enter();
  user = await enterAs(fixture, 'both');
});
afterAll(async () => {
  assertNoErrors(visitor);
  assertNoErrors(user);
  await fixture.close();
});

// Proves ACC-15, ERR-18, CONST-12
it('a protected page shows a spinner while the current user loads, and redirects visitors 500 ms after the Unauthorized toast', async () => {
  const { page, client } = await enterAs(fixture, 'both');
  await stopClock(page);
  // The session ends between the document and the call.
  const release = await hold(page, '/api/auth/user');
  await page.goto('/settings');
  await page.getByRole('status').filter({ hasText: 'Loading your account' }).waitFor();
  expect(pathOf(page)).toBe('/settings');
  expect(await page.getByRole('heading').count()).toBe(0);
  await client.post('/api/auth/logout');
  // The code of toasts loads with the first key, so that this one appears at once.
  await page.keyboard.press('Shift');
  await page.locator('[data-toasts]').waitFor({ state: 'attached' });
  release();
  await runUntil(page, () => toastTitled(page, 'Unauthorized').isVisible());
  await page.clock.runFor(450);
  expect(pathOf(page)).toBe('/settings');
  await page.clock.runFor(100);
  expect(pathOf(page)).toBe('/auth');
  await leave(page);
});

// Proves ACC-04, ACC-16, ROLE-16, ROLE-17, ERR-17, ERR-20
it('a protected page shows visitors the Unauthorized toast and redirects them to /auth', async () => {
  const { page } = visitor;
  const toast = toastTitled(page, 'Unauthorized');
  for (const [index, target] of PROTECTED.entries()) {
    if (index === 0) await page.goto(target);
    else await walkTo(page, target);
    await toast.waitFor();
    expect(await toast.getAttribute('data-variant')).toBe('destructive');
    expect(await toast.innerText()).toContain('You are logged out. Logging in again...');
    await page.waitForURL('/auth');
    // The next page has to show a toast of its own.
    await toast.getByRole('button', { name: 'Close' }).click();
    await toast.waitFor({ state: 'detached' });
  }
});

// Proves ACC-04
it('an unknown path redirects visitors to /auth and shows no 404 page', async () => {
  const { page } = visitor;
  await walkTo(page, '/nope');
  await page.waitForURL('/auth');
  expect(await page.getByText('Page Not Found').count()).toBe(0);
});

// Proves STATE-12
it('when the current user cannot be loaded, public pages work and protected pages offer a retry', async () => {
  const { page } = await enterAs(fixture, 'both');
  await page.route('**/api/auth/user', async (route) => await route.fulfill({ status: 500, body: '' }));
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
  await page.goto('/dashboard');
  await page.getByText('Could not load your account').waitFor();
  await page.unroute('**/api/auth/user');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await leave(page);
});

const PAGES = [
  ['/', 'Welcome back, Ann!'],
  ['/dashboard', 'Dashboard'],
  ['/marketplace', 'Marketplace'],
  ['/create-ad', 'Create Ad'],
  ['/ad-zones', 'My Ad Zones'],
  ['/transactions', 'Transactions'],
  ['/earnings', 'Earnings'],
  ['/results', 'Results'],
  ['/billing', 'Billing'],
  ['/settings', 'Settings'],
] as const;

/** The pages that are for another role. */
const FOREIGN: Record<Role, string[]> = {
  buyer: ['/ad-zones', '/earnings', '/results'],
  seller: ['/marketplace', '/create-ad', '/billing'],
  both: [],
};

const SECTIONS = {
  'Buyer Dashboard': ['buyer-analytics', 'my-campaigns', 'campaign-performance'],
  'Seller Dashboard': ['seller-analytics', 'active-ad-zones', 'pending-approvals'],
};

const DASHBOARDS = {
  buyer: ['Buyer Dashboard'],
  seller: ['Seller Dashboard'],
  both: ['Buyer Dashboard', 'Seller Dashboard'],
} as const;

// Proves ACC-05, ACC-06, ACC-07, ACC-08, ACC-09, ACC-10, ACC-11, ROLE-06, ROLE-10
it.each(ROLES)(
  'every page opens for role %s, the dashboard has only the tabs and sections of that role, and a page for another role names the current role and links to Settings',
  async (role) => {
    const { page, client } = user;
    expect((await client.patch('/api/user/role', { role })).status).toBe(200);
    await page.goto('/');
    for (const [path, heading] of PAGES) {
      await walkTo(page, path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(pathOf(page)).toBe(path);
      if (path === '/dashboard') await expectDashboards(page, role);
      if (!FOREIGN[role].includes(path)) continue;
      await page.getByText(`your role is ${role}`).waitFor();
      await page.getByRole('link', { name: 'Change my role' }).click();
      await page.waitForURL('/settings');
    }
  },
);

/** Expects the open dashboard to have only the tabs and sections of this role. */
async function expectDashboards(page: Page, role: Role): Promise<void> {
  const dashboards = page.getByRole('tablist', { name: 'Dashboards' }).getByRole('tab');
  await dashboards.first().waitFor();
  const tabs = await dashboards.allInnerTexts();
  expect(tabs.filter((tab) => tab.endsWith('Dashboard')).toSorted()).toEqual(DASHBOARDS[role]);
  for (const tab of tabs) {
    await page.getByRole('tab', { name: tab }).click();
    for (const [dashboard, sections] of Object.entries(SECTIONS))
      for (const name of sections)
        await page.locator(`#${name}`).waitFor({ state: dashboard === tab ? 'visible' : 'hidden' });
  }
}

// Proves ENT-06, ROLE-02
it("a user without a stored role has both sides, and the badge shows 'both'", async () => {
  const { page, client } = user;
  await fixture.server.ctx.db
    .updateTable('users')
    .set({ role: null })
    .where('id', '=', client.user.id)
    .execute();
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: 'Create Ad Zone' }).waitFor();
  await walkTo(page, '/create-ad');
  await page.getByRole('group', { name: 'Ad type' }).waitFor();
  await walkTo(page, '/dashboard');
  await page.getByRole('tab', { name: 'Seller Dashboard', selected: true }).waitFor();
  expect(await page.getByRole('tab', { name: 'Buyer Dashboard' }).isVisible()).toBe(true);
  expect(await page.getByRole('banner').getByText('both', { exact: true }).isVisible()).toBe(true);
});

// Proves ACC-13
it("an unknown path shows signed-in users a page titled 'Page Not Found'", async () => {
  const { page } = user;
  for (const path of ['/nope', '/dashboard/x']) {
    await walkTo(page, path);
    await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor();
    expect(await page.title()).toBe('Page Not Found');
  }
});

// Proves ACC-12
it('the advertiser can open the checkout of an approved ad', async () => {
  const { page, client: buyer } = user;
  const seller = await fixture.server.signIn('seller');
  const zone = await makeZone(seller, await makeWebsite(seller));
  const ad = await makeAd(buyer, await makeProduct(seller, zone));
  await approve(seller, ad);
  await walkTo(page, `/checkout/${ad.publicId}`);
  await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
  await page.getByText(ad.title).first().waitFor();
  await page.getByRole('button', { name: 'Pay $100.00' }).waitFor();
  expect(pathOf(page)).toBe(`/checkout/${ad.publicId}`);
});
