/** The pages that a visitor and each role may open, and the pages that they see instead of the others. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { getCurrentUser, type User } from '#domain/accounts/contract.ts';
import { ROLES, type Role } from '#domain/accounts/roles.ts';
import { listFaults } from '#domain/delivery/faults-contract.ts';
import { getReturned, listZoneYields } from '#domain/analytics/publisher-contract.ts';
import { listPositionChanges } from '#domain/analytics/position-contract.ts';
import { listDocuments } from '#domain/payments/document-contract.ts';
import { listMyPayments } from '#domain/payments/refund-contract.ts';
import { getStatement } from '#domain/payments/statement-contract.ts';
import { answerSettings, answerTabs, toastTitled } from '#web/testing/account.ts';
import { answer, broken, slow, type Trouble } from '#web/testing/answers.ts';
import { stopClock } from '#web/testing/clock.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

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

const PROTECTED = [...PAGES.map(([path]) => path).filter((path) => path !== '/'), '/checkout/x'];

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

const RESULTS = [
  getReturned,
  listFaults,
  listPositionChanges,
  listZoneYields,
] as (typeof listPositionChanges)[];

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Answers what all pages load, for a new account. */
function answerPages(): void {
  answerTabs();
  answerNewAccount();
  answerSettings();
  answer(getStatement, sample(getStatement.reply));
  answer(listDocuments, []);
  answer(listMyPayments, []);
  // The sections of Results are not what these tests are about.
  for (const section of RESULTS) answer(section, broken);
}

/** Opens a page for somebody with a session, whose current user is answered like this. */
async function openPageAs(
  path: string,
  reply: User | ReturnType<typeof slow<User>>['answer'] | Trouble,
): Promise<void> {
  const opened = openPage(path, { as: person('both') });
  answer(getCurrentUser, reply);
  await opened;
}

// Proves ACC-15
it('a protected page shows a spinner while the current user loads', async () => {
  answerPages();
  const { answer: held, release } = slow(person('both'));
  await openPageAs('/settings', held);
  await expect.element(page.getByRole('status').getByText('Loading your account')).toBeVisible();
  expect(window.location.pathname).toBe('/settings');
  await expect.element(page.getByRole('heading')).not.toBeInTheDocument();
  release();
  await expect.element(heading('Settings')).toBeVisible();
});

// Proves ERR-18
it('a protected page redirects visitors 500 ms after the Unauthorized toast', async () => {
  answerPages();
  const clock = stopClock();
  await openPage('/settings');
  await expect.element(toastTitled('Unauthorized')).toBeVisible();
  await clock.pass(450);
  expect(window.location.pathname).toBe('/settings');
  await clock.pass(100);
  expect(window.location.pathname).toBe('/auth');
});

// Proves ACC-01, ACC-16, ERR-17
it.each(PROTECTED)('%s shows visitors the Unauthorized toast and redirects them to /auth', async (path) => {
  answerPages();
  await openPage(path);
  const toast = toastTitled('Unauthorized');
  await expect.element(toast.getByText('You are logged out. Logging in again...')).toBeVisible();
  await expect.element(toast).toHaveAttribute('data-variant', 'destructive');
  await expect.poll(() => window.location.pathname).toBe('/auth');
});

// Proves ACC-01
it('an unknown path redirects visitors to /auth and shows no 404 page', async () => {
  answerPages();
  await openPage('/nope');
  await expect.poll(() => window.location.pathname).toBe('/auth');
  await expect.element(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  await expect.element(page.getByText('Page Not Found')).not.toBeInTheDocument();
});

// Proves STATE-12
it('when the current user cannot be loaded, public pages work and protected pages offer a retry', async () => {
  answerPages();
  await openPageAs('/', broken);
  await expect.element(heading('Buy & Sell Ad Space In Minutes')).toBeVisible();
  closeScreen();
  await openPageAs('/dashboard', broken);
  await expect.element(page.getByText('Could not load your account')).toBeVisible();
  answer(getCurrentUser, person('both'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(heading('Dashboard')).toBeVisible();
});

/** Expects the open dashboard to have only the tabs and sections of this role. */
async function expectDashboards(role: Role): Promise<void> {
  const tabs = page.getByRole('tablist', { name: 'Dashboards' }).getByRole('tab');
  await expect.element(tabs.first()).toBeVisible();
  const names = tabs.elements().map(({ textContent }) => textContent);
  expect(names.filter((name) => name.endsWith('Dashboard')).toSorted()).toEqual(DASHBOARDS[role]);
  for (const name of names) {
    await tabs.filter({ hasText: name }).click();
    for (const [dashboard, sections] of Object.entries(SECTIONS))
      for (const section of sections)
        await expect
          .poll(() => document.getElementById(section)?.checkVisibility() ?? false)
          .toBe(dashboard === name);
  }
}

// Proves ACC-05, DASH-S-01
it.each(ROLES)(
  'every page opens for role %s, the dashboard has only the tabs and sections of that role, and a page for another role names the current role and links to Settings',
  async (role) => {
    for (const [path, name] of PAGES) {
      answerPages();
      await openPage(path, { as: person(role) });
      await expect.element(heading(name)).toBeVisible();
      expect(window.location.pathname).toBe(path);
      if (path === '/dashboard') await expectDashboards(role);
      if (FOREIGN[role].includes(path)) {
        await expect.element(page.getByText(new RegExp(`your role is ${role}`))).toBeVisible();
        await page.getByRole('link', { name: 'Change my role' }).click();
        await expect.poll(() => window.location.pathname).toBe('/settings');
      }
      closeScreen();
    }
  },
);

// Proves ENT-06
it("a user without a stored role has both sides, and the badge shows 'both'", async () => {
  answerPages();
  await openPage('/ad-zones', { as: person('both', { role: null }) });
  await expect.element(page.getByRole('button', { name: 'Create Ad Zone' })).toBeVisible();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Create Ad' }).click();
  await expect.element(page.getByRole('group', { name: 'Ad type' })).toBeVisible();
  await navigation.getByRole('link', { name: 'Dashboard' }).click();
  await expect.element(page.getByRole('tab', { name: 'Seller Dashboard', selected: true })).toBeVisible();
  await expect.element(page.getByRole('tab', { name: 'Buyer Dashboard' })).toBeVisible();
  await expect.element(page.getByRole('banner').getByText('both', { exact: true })).toBeVisible();
});

// Proves ACC-13
it.each(['/nope', '/dashboard/x'])(
  "%s shows signed-in users a page titled 'Page Not Found'",
  async (path) => {
    answerPages();
    await openPage(path, { as: person('both') });
    await expect.element(heading('Page Not Found')).toBeVisible();
    expect(document.title).toBe('Page Not Found');
  },
);
