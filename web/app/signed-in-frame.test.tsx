import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { logout } from '#domain/accounts/contract.ts';
import { ROLES, type Role } from '#domain/accounts/roles.ts';
import { listDocuments } from '#domain/payments/document-contract.ts';
import { listMyPayments } from '#domain/payments/refund-contract.ts';
import { getStatement } from '#domain/payments/statement-contract.ts';
import { listPlans } from '#domain/plans/contract.ts';
import { answerSettings, answerTabs, toastTitled } from '#web/testing/account.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { stopClock } from '#web/testing/clock.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerResultsWithErrors } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const ENTRIES: Record<string, { path: string; roles: readonly Role[] }> = {
  Marketplace: { path: '/marketplace', roles: ['buyer', 'both'] },
  Dashboard: { path: '/dashboard', roles: ROLES },
  'Create Ad': { path: '/create-ad', roles: ['buyer', 'both'] },
  'Ad Zones': { path: '/ad-zones', roles: ['seller', 'both'] },
  Demo: { path: '/demo', roles: ROLES },
};

/** The entries of the menu 'More'. */
const MORE: typeof ENTRIES = {
  Plans: { path: '/plans', roles: ['buyer', 'both'] },
  Billing: { path: '/billing', roles: ['buyer', 'both'] },
  Results: { path: '/results', roles: ['seller', 'both'] },
  Earnings: { path: '/earnings', roles: ['seller', 'both'] },
};

const navigation = page.getByRole('navigation', { name: 'Main' });
const banner = page.getByRole('banner');
const account = page.getByRole('button', { name: /^Account/ });
const links = () => navigation.getByRole('link').elements();

/** Answers what all pages of the navigation load. */
function answerPages(): void {
  answerTabs();
  answerNewAccount();
  answerSettings();
  answer(getStatement, sample(getStatement.reply));
  answer(listDocuments, []);
  answer(listMyPayments, []);
}

/** The links whose color no other link has. */
function highlighted(): (string | null)[] {
  const looks = links().map((link) => ({ text: link.textContent, color: getComputedStyle(link).color }));
  return looks
    .filter(({ color }) => looks.filter((look) => look.color === color).length === 1)
    .map(({ text }) => text);
}

// Proves NAV-02, NAV-21
it.each(ROLES)(
  'the navigation of role %s shows only its entries and highlights the current page',
  async (role) => {
    answerPages();
    await openPage('/settings', { as: person(role) });
    await expect.element(navigation).toBeVisible();
    const expected = Object.keys(ENTRIES).filter((name) => ENTRIES[name]?.roles.includes(role));
    expect(links().map(({ textContent }) => textContent)).toEqual(expected);
    expect(links().filter((link) => link.querySelector('svg'))).toHaveLength(expected.length);
    for (const name of expected) {
      await navigation.getByRole('link', { name }).click();
      await expect.poll(() => window.location.pathname).toBe(ENTRIES[name]?.path);
      const current = () => links().filter((link) => link.getAttribute('aria-current') === 'page');
      await expect.poll(() => current().map(({ textContent }) => textContent)).toEqual([name]);
      await expect.poll(highlighted).toEqual([name]);
    }
  },
);

it.each(ROLES)('the menu More leads role %s to its other pages, at 768 px as at 1280 px', async (role) => {
  const expected = Object.keys(MORE).filter((name) => MORE[name]?.roles.includes(role));
  const bar = Object.keys(ENTRIES).filter((name) => ENTRIES[name]?.roles.includes(role));
  const more = navigation.getByRole('button', { name: 'More' });
  const items = page.getByRole('menuitem');
  for (const width of [768, 1280]) {
    await page.viewport(width, 900);
    answerPages();
    answer(listPlans, []);
    answerResultsWithErrors();
    await openPage('/settings', { as: person(role) });
    await expect.element(more).toBeVisible();
    expect(links().map((link) => link.textContent)).toEqual(bar);
    expect(links().every((link) => link.getBoundingClientRect().right <= width)).toBe(true);
    for (const name of expected) {
      await more.click();
      await expect.element(items.first()).toBeVisible();
      expect(items.elements().map(({ textContent }) => textContent)).toEqual(expected);
      await items.getByText(name, { exact: true }).click();
      await expect.poll(() => window.location.pathname).toBe(MORE[name]?.path);
    }
    closeScreen();
  }
});

// Proves NAV-01, NAV-11, NAV-25
it('the header has a logo that leads Home and the role badge, and every page has a footer', async () => {
  for (const role of ROLES) {
    answerPages();
    await openPage('/dashboard', { as: person(role) });
    await expect.element(banner.getByText(role, { exact: true })).toBeVisible();
    await expect.element(page.getByRole('contentinfo')).toMatchTextContent(/2006 - 2025/);
    await banner.getByRole('link', { name: 'Openslot, home' }).click();
    await expect.poll(() => window.location.pathname).toBe('/');
    closeScreen();
  }
});

// Proves NAV-03
it('on a phone, the menu panel has the same entries as the navigation', async () => {
  await page.viewport(375, 900);
  answerPages();
  await openPage('/dashboard', { as: person('both') });
  await page.getByRole('button', { name: 'Open menu' }).click();
  const panel = page.getByRole('dialog', { name: 'Menu' });
  await expect.element(panel).toBeVisible();
  expect(
    panel
      .getByRole('link')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual([...Object.keys(ENTRIES), ...Object.keys(MORE)]);
  await panel.getByRole('link', { name: 'Ad Zones' }).click();
  await expect.poll(() => window.location.pathname).toBe('/ad-zones');
  await expect.element(panel).not.toBeInTheDocument();
  await page.viewport(1280, 900);
});

// Proves NAV-12, NAV-16
it('the account menu works by keyboard alone', async () => {
  answerPages();
  const user = person('both');
  await openPage('/', { as: user });
  await expect.element(account).toHaveTextContent('AB');
  for (const [name, path] of [
    ['Dashboard', '/dashboard'],
    ['Settings', '/settings'],
  ] as const) {
    (account.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    const menu = page.getByRole('menu');
    await expect.element(menu.getByText('Ann Bell')).toBeVisible();
    await expect.element(menu.getByText(user.email)).toBeVisible();
    const item = menu.getByRole('menuitem', { name });
    // A key before that would begin from another item.
    await expect.poll(() => menu.element().contains(document.activeElement)).toBe(true);
    while (document.activeElement !== item.element()) {
      const before = document.activeElement;
      await userEvent.keyboard('{ArrowDown}');
      // The menu moves its focus in a task of its own.
      await expect.poll(() => document.activeElement !== before).toBe(true);
    }
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => window.location.pathname).toBe(path);
  }
});

// Proves NAV-16
it('the avatar shows two letters of the e-mail address for a user without names, or a U without an address', async () => {
  for (const [email, expected] of [
    ['zoe@x.test', 'ZO'],
    ['', 'U'],
  ] as const) {
    answerPages();
    await openPage('/demo', { as: person('both', { firstName: null, lastName: null, email }) });
    await expect.element(account).toBeVisible();
    expect((account.element() as HTMLElement).innerText.toUpperCase()).toBe(expected);
    closeScreen();
  }
});

// Proves NAV-12, ERR-40, API-18, ERR-18
it('logging out shows a toast, clears the user’s data and leads to / after 500 ms', async () => {
  answerPages();
  await openPage('/', { as: person('seller', { firstName: 'Greta' }) });
  const greeting = page.getByText('Welcome back, Greta!');
  await expect.element(greeting).toBeVisible();
  const logOut = async () => {
    await account.click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
  };
  answer(logout, refused(500, ''));
  await logOut();
  await expect.element(toastTitled('Logout failed')).toBeVisible();
  await expect.element(greeting).toBeVisible();

  await navigation.getByRole('link', { name: 'Dashboard' }).click();
  await expect.poll(() => window.location.pathname).toBe('/dashboard');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  answer(logout, { success: true });
  const clock = stopClock();
  await logOut();
  await expect
    .element(toastTitled('Logged out').getByText('You have been logged out successfully.'))
    .toBeVisible();
  await clock.pass(400);
  expect(window.location.pathname).toBe('/dashboard');
  await clock.pass(150);
  expect(window.location.pathname).toBe('/');
  await expect.element(page.getByRole('heading', { name: /Buy & Sell Ad Space In Minutes/ })).toBeVisible();
  await expect.element(toastTitled('Unauthorized')).not.toBeInTheDocument();
  expect(document.body.textContent).not.toContain('Greta');
});

it('the sandbox chip beside the logo says on focus and on click that no money moves', async () => {
  for (const user of [undefined, person('buyer')]) {
    answerPages();
    await openPage(user ? '/dashboard' : '/', { as: user });
    const chip = page.getByRole('button', { name: 'Sandbox payments: no money moves' });
    const text = page.getByText(/Pay with a test card/);
    await chip.click();
    await expect.element(text).toBeVisible();
    await chip.click();
    await expect.element(text).not.toBeInTheDocument();
    (page.getByRole('link', { name: 'Openslot, home' }).first().element() as HTMLElement).focus();
    await userEvent.keyboard('{Tab}');
    await expect.element(text).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(text).not.toBeInTheDocument();
    closeScreen();
  }
});
