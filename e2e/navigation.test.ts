import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Role } from '#domain/accounts/roles.ts';
import { ROLES } from '#domain/accounts/roles.ts';
import { enterEveryRole, type EveryRole } from './support/every-role.ts';
import { answer, changeUser, enterAs, pathOf, runUntil, stopClock, toastTitled } from './support/people.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { resize, sideways } from './support/layout.ts';
import { leave } from './support/person.ts';

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

const ENTRIES: Record<string, { path: string; roles: readonly Role[] }> = {
  Marketplace: { path: '/marketplace', roles: ['buyer', 'both'] },
  Dashboard: { path: '/dashboard', roles: ROLES },
  'Create Ad': { path: '/create-ad', roles: ['buyer', 'both'] },
  'Ad Zones': { path: '/ad-zones', roles: ['seller', 'both'] },
  Earnings: { path: '/earnings', roles: ['seller', 'both'] },
  Billing: { path: '/billing', roles: ['buyer', 'both'] },
  Demo: { path: '/demo', roles: ROLES },
};

/** The links whose color no other link has. */
async function highlighted(navigation: Locator): Promise<(string | undefined)[]> {
  const looks = await navigation
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => ({ text: link.textContent?.trim(), color: getComputedStyle(link).color })),
    );
  return looks
    .filter(({ color }) => looks.filter((look) => look.color === color).length === 1)
    .map(({ text }) => text);
}

// Proves VIEW-06, NAV-02, NAV-04, NAV-05, NAV-06, NAV-07, NAV-08, NAV-09, NAV-10, NAV-21, NAV-22, NAV-23, NAV-24, ROLE-04, ROLE-09
it('the navigation shows only the entries of the role and highlights the current page', async () => {
  for (const role of ROLES) {
    const page = await everybody.at(role, '/settings');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const expected = Object.keys(ENTRIES).filter((name) => ENTRIES[name]?.roles.includes(role));
    expect(await navigation.getByRole('link').allInnerTexts()).toEqual(expected);
    expect(await navigation.locator('a:has(svg)').count()).toBe(expected.length);
    for (const name of expected) {
      await navigation.getByRole('link', { name }).click();
      await page.waitForURL(ENTRIES[name]?.path ?? '');
      await expect.poll(() => navigation.locator('[aria-current=page]').allInnerTexts()).toEqual([name]);
      await expect.poll(async () => await highlighted(navigation)).toEqual([name]);
    }
  }
});

// Proves NAV-01, NAV-11, NAV-25
it('the header has a logo that leads Home and the role badge, and every page has a footer', async () => {
  for (const role of ROLES) {
    const page = await everybody.at(role, '/dashboard');
    expect(await page.getByRole('banner').getByText(role, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('contentinfo').innerText()).toContain('2006 - 2025');
    await page.getByRole('banner').getByRole('link', { name: 'Openslot, home' }).click();
    await page.waitForURL('/');
  }
});

// Proves NAV-03
it('on a phone, the menu panel has the same entries as the navigation', async () => {
  const { page } = await enterAs(fixture, 'both', { width: 375 });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Open menu' }).click();
  const panel = page.getByRole('dialog', { name: 'Menu' });
  expect(await panel.getByRole('link').allInnerTexts()).toEqual(Object.keys(ENTRIES));
  await panel.getByRole('link', { name: 'Ad Zones' }).click();
  await page.waitForURL('/ad-zones');
  await panel.waitFor({ state: 'detached' });
  await leave(page);
});

// Proves NAV-02, NAV-03
it('no page scrolls sideways between 320 and 1023 px', async () => {
  const { page } = await enterAs(fixture, 'both', {
    names: { firstName: '', email: 'a-mailbox-with-a-very-long-name@a-very-long-domain-name.example.test' },
  });
  for (const path of ['/', '/settings', '/demo', '/nope']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const width of [320, 375, 768, 1023]) {
      await resize(page, { width, height: 900 });
      expect([path, width, await sideways(page)]).toEqual([path, width, []]);
    }
  }
  await leave(page);
});

// Proves NAV-12, NAV-13, NAV-14, NAV-16
it('the account menu works by keyboard alone', async () => {
  const page = await everybody.at('both', '/');
  const { client } = everybody.of('both');
  const avatar = page.getByRole('button', { name: 'Account' });
  expect(await avatar.locator('[aria-hidden]').innerText()).toBe('AB');
  for (const [name, path] of [
    ['Dashboard', '/dashboard'],
    ['Settings', '/settings'],
  ] as const) {
    await avatar.focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('menu');
    expect(await menu.innerText()).toContain('Ann Bell');
    expect(await menu.innerText()).toContain(client.user.email);
    while (
      !(await menu.getByRole('menuitem', { name }).evaluate((item) => item === document.activeElement))
    ) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(path);
  }
});

// Proves NAV-17, NAV-18
it('the avatar shows two letters of the e-mail address for a user without names, or a U without an address', async () => {
  for (const [change, expected] of [
    [{ firstName: null, lastName: null, email: 'zoe@x.test' }, 'ZO'],
    [{ firstName: null, lastName: null, email: '' }, 'U'],
  ] as const) {
    const { page } = await enterAs(fixture, 'both');
    await changeUser(page, change);
    await page.goto('/');
    const avatar = page.getByRole('button', { name: 'Account' }).locator('[aria-hidden]');
    expect((await avatar.innerText()).toUpperCase()).toBe(expected);
    await leave(page);
  }
});

// Proves NAV-15, ERR-40, ERR-41, STATE-18, CONST-12
it('logging out shows a toast, clears the user’s data and leads to / after 500 ms', async () => {
  const { page } = await enterAs(fixture, 'seller', { names: { firstName: 'Greta' } });
  await page.goto('/');
  await page.getByText('Welcome back, Greta!').waitFor();
  const logOut = async () => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
  };
  await answer(page, '/api/auth/logout', { status: 500, body: '' });
  await logOut();
  await toastTitled(page, 'Logout failed').waitFor();
  expect(await page.getByText('Welcome back, Greta!').isVisible()).toBe(true);

  await page.unroute('**/api/auth/logout');
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await stopClock(page);
  await page.getByRole('button', { name: 'Account' }).click();
  await runUntil(page, () => page.getByRole('menuitem', { name: 'Log out' }).isVisible());
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await runUntil(page, () => toastTitled(page, 'Logged out').isVisible());
  expect(await toastTitled(page, 'Logged out').innerText()).toContain(
    'You have been logged out successfully.',
  );
  await page.clock.runFor(400);
  expect(pathOf(page)).toBe('/dashboard');
  await page.clock.runFor(150);
  expect(pathOf(page)).toBe('/');
  await page.clock.resume();
  await page.getByRole('heading', { name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
  expect(await toastTitled(page, 'Unauthorized').count()).toBe(0);
  expect(await page.getByText('Greta').count()).toBe(0);
  await leave(page);
});

// Proves WAIT-07
it('the sandbox chip says on focus and on click that no money moves', async () => {
  const visitor = await fixture.enter();
  for (const page of [visitor.page, await everybody.at('buyer', '/dashboard')]) {
    if (page === visitor.page) await page.goto('/');
    const chip = page.getByRole('button', { name: 'Sandbox payments: no money moves' });
    const text = page.getByText('Pay with a test card');
    await chip.click();
    await text.waitFor();
    await chip.click();
    await text.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Openslot, home' }).focus();
    await page.keyboard.press('Tab');
    await text.waitFor();
    await page.keyboard.press('Escape');
    await text.waitFor({ state: 'detached' });
  }
  await leave(visitor.page);
});
