import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLES } from '#domain/accounts/roles.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { enterEveryRole, type EveryRole } from './support/every-role.ts';
import { enterAs, hold, pathOf, runUntil, stopClock, toastTitled } from './support/people.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { leave } from './support/person.ts';
import { PROTECTED } from './support/raw-page.ts';
import { walkToScreen } from './support/screens.ts';

let fixture: Fixture;
let everybody: EveryRole;

beforeAll(async () => {
  fixture = await openFixture();
  everybody = await enterEveryRole(fixture);
});
afterAll(async () => {
  everybody.assertNoErrors();
  await fixture.close();
});

// Proves ACC-04, ACC-16, ROLE-16, ROLE-17, ERR-17, ERR-20
it('a protected page shows visitors the Unauthorized toast and redirects them to /auth', async () => {
  const { page } = await fixture.enter();
  for (const target of PROTECTED) {
    await page.goto(target);
    const toast = toastTitled(page, 'Unauthorized');
    await toast.waitFor();
    expect(await toast.getAttribute('data-variant')).toBe('destructive');
    expect(await toast.innerText()).toContain('You are logged out. Logging in again...');
    await page.waitForURL('/auth');
  }
  await leave(page);
});

// Proves ACC-04
it('an unknown path redirects visitors to /auth and shows no 404 page', async () => {
  const { page } = await fixture.enter();
  await page.goto('/nope');
  await page.waitForURL('/auth');
  expect(await page.getByText('Page Not Found').count()).toBe(0);
  await leave(page);
});

// Proves ERR-18, CONST-12
it('the redirect to /auth follows the Unauthorized toast after 500 ms', async () => {
  const { page } = await fixture.enter();
  await stopClock(page);
  await page.goto('/settings');
  await runUntil(page, () => toastTitled(page, 'Unauthorized').isVisible());
  await page.clock.runFor(450);
  expect(pathOf(page)).toBe('/settings');
  await page.clock.runFor(100);
  expect(pathOf(page)).toBe('/auth');
  await leave(page);
});

// Proves ACC-15
it('a protected page shows a spinner while the current user loads', async () => {
  const { page } = await fixture.enter();
  const release = await hold(page, '/api/auth/user');
  await page.goto('/dashboard');
  await page.getByRole('status').filter({ hasText: 'Loading your account' }).waitFor();
  expect(pathOf(page)).toBe('/dashboard');
  expect(await page.getByRole('heading').count()).toBe(0);
  release();
  await page.waitForURL('/auth');
  await leave(page);
});

// Proves STATE-12
it('when the current user cannot be loaded, public pages work and protected pages offer a retry', async () => {
  const { page } = await fixture.enter();
  await page.route('**/api/auth/user', async (route) => await route.fulfill({ status: 500, body: '' }));
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
  await page.goto('/dashboard');
  await page.getByText('Could not load your account').waitFor();
  await page.unroute('**/api/auth/user');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForURL('/auth');
  await leave(page);
});

// Proves ACC-05, ACC-06, ACC-07, ACC-08, ACC-09, ACC-10, ACC-11
it('every page opens for every role, without a redirect or a 404 page', async () => {
  for (const role of ROLES) {
    const page = await everybody.at(role, '/');
    expect(await page.getByText('Buy & Sell Ad Space In Minutes').count()).toBe(0);
    for (const path of [
      '/dashboard',
      '/marketplace',
      '/create-ad',
      '/ad-zones',
      '/transactions',
      '/settings',
      '/',
    ]) {
      await walkToScreen(page, { name: path, path });
      expect(pathOf(page)).toBe(path);
      expect(await page.getByText('Page Not Found').count()).toBe(0);
    }
  }
});

// Proves ACC-13
it("an unknown path shows signed-in users a page titled 'Page Not Found'", async () => {
  for (const path of ['/nope', '/dashboard/x']) {
    const page = await everybody.at('both', path);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Page Not Found');
    expect(await page.title()).toBe('Page Not Found');
  }
});

// Proves ACC-07, ACC-08, ACC-09
it('a page for another role opens, names the current role and links to Settings', async () => {
  for (const [role, paths] of [
    ['seller', ['/marketplace', '/create-ad']],
    ['buyer', ['/ad-zones']],
  ] as const) {
    const { page } = await enterAs(fixture, role);
    for (const path of paths) {
      await page.goto(path);
      await page.getByText(`your role is ${role}`).waitFor();
      expect(pathOf(page)).toBe(path);
      await page.getByRole('link', { name: 'Change my role' }).click();
      await page.waitForURL('/settings');
    }
    await leave(page);
  }
});

// Proves ACC-12
it('the advertiser can open the checkout of an approved ad', async () => {
  const seller = await fixture.server.signIn('seller');
  const { page, client: buyer } = await enterAs(fixture, 'buyer');
  const zone = await makeZone(seller, await makeWebsite(seller));
  const ad = await makeAd(buyer, await makeProduct(seller, zone));
  await approve(seller, ad);
  await page.goto(`/checkout/${ad.publicId}`);
  await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
  await page.getByText(ad.title).first().waitFor();
  await page.getByRole('button', { name: 'Pay $100.00' }).waitFor();
  expect(pathOf(page)).toBe(`/checkout/${ad.publicId}`);
  await leave(page);
});

const BUYER_SECTIONS = ['buyer-analytics', 'my-campaigns', 'campaign-performance'];

const SELLER_SECTIONS = ['seller-analytics', 'active-ad-zones', 'pending-approvals'];

// Proves ROLE-06, ROLE-10
it.each([
  ['buyer', { 'Buyer Dashboard': BUYER_SECTIONS }],
  ['seller', { 'Seller Dashboard': SELLER_SECTIONS }],
  ['both', { 'Buyer Dashboard': BUYER_SECTIONS, 'Seller Dashboard': SELLER_SECTIONS }],
] as const)('the dashboard of role %s shows only the tabs and sections of that role', async (role, parts) => {
  const { page } = await enterAs(fixture, role);
  await page.goto('/dashboard');
  const dashboards = page.getByRole('tablist', { name: 'Dashboards' }).getByRole('tab');
  await dashboards.first().waitFor();
  const tabs = await dashboards.allInnerTexts();
  expect(tabs.filter((tab) => tab.endsWith('Dashboard')).toSorted()).toEqual(Object.keys(parts).toSorted());
  for (const tab of tabs) {
    await page.getByRole('tab', { name: tab }).click();
    const shown = Object.entries(parts).find(([title]) => title === tab)?.[1] ?? [];
    for (const name of [...BUYER_SECTIONS, ...SELLER_SECTIONS]) {
      await page.locator(`#${name}`).waitFor({ state: shown.includes(name) ? 'visible' : 'hidden' });
    }
  }
  await leave(page);
});
