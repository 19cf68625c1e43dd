import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Role } from '#domain/accounts/roles.ts';
import type { Client } from '../server/testing/client.ts';
import {
  answer,
  assertNoErrors,
  enterAs,
  recordCalls,
  runUntil,
  stopClock,
  toastTitled,
} from './support/people.ts';
import { openStage, type Person, type Stage } from './support/stage.ts';

const ROLES: readonly Role[] = ['buyer', 'seller', 'both'];

let stage: Stage;
const people = new Map<Role, Person & { client: Client }>();

beforeAll(async () => {
  stage = await openStage();
  for (const role of ROLES) people.set(role, await enterAs(stage, role));
});
afterAll(async () => {
  for (const person of people.values()) assertNoErrors(person);
  await stage.close();
});

async function at(role: Role, path: string): Promise<Page> {
  const person = people.get(role);
  if (!person) throw new Error(`Nobody is ${role}`);
  await person.page.goto(path);
  await person.page.getByRole('heading', { level: 1 }).waitFor();
  return person.page;
}

/** Answers the current-user call with the real user, changed. */
async function asUser(page: Page, change: Record<string, unknown>): Promise<void> {
  await page.route('**/api/auth/user', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ json: { ...(await reply.json()), ...change } });
  });
}

it('ACC-05 ACC-06 ACC-07 ACC-08 ACC-09 ACC-10 ACC-11 every page opens for every role', async () => {
  for (const role of ROLES) {
    for (const path of [
      '/',
      '/dashboard',
      '/marketplace',
      '/create-ad',
      '/ad-zones',
      '/transactions',
      '/settings',
    ]) {
      const page = await at(role, path);
      expect(new URL(page.url()).pathname).toBe(path);
      expect(await page.getByText('Page Not Found').count()).toBe(0);
    }
  }
  expect(await (await at('both', '/')).getByText('Buy & Sell Ad Space In Minutes').count()).toBe(0);
});

it("ACC-13 any other path shows a page titled 'Page Not Found'", async () => {
  for (const path of ['/nope', '/dashboard/x']) {
    const page = await at('both', path);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Page Not Found');
    expect(await page.title()).toBe('Page Not Found');
  }
});

it('HOME-01 HOME-03 HOME-04 HOME-05 HOME-06 the greeting, the badge and the subtitle follow the user', async () => {
  const subtitles = {
    buyer: 'find great ad spaces',
    seller: 'monetize your traffic',
    both: 'grow your business',
  };
  for (const role of ROLES) {
    const page = await at(role, '/');
    const header = page.getByRole('main').locator('header').first();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Welcome back, Ann!');
    expect((await header.innerText()).toLowerCase()).toContain(subtitles[role]);
    expect(await header.getByText(role, { exact: true }).isVisible()).toBe(true);
  }
});

it('HOME-02 HOME-03 ROLE-02 without a first name the e-mail greets, and without a role the badge reads both', async () => {
  const { page, client } = await enterAs(stage, 'both');
  await asUser(page, { firstName: '', role: null });
  await page.goto('/');
  await page.getByRole('heading', { name: `Welcome back, ${client.user.email}!` }).waitFor();
  expect(await page.getByRole('main').getByText('both', { exact: true }).isVisible()).toBe(true);
  await page.context().close();
});

const CARDS: Record<string, readonly Role[]> = {
  'Total Earnings': ['seller', 'both'],
  'Pending Approvals': ['seller', 'both'],
  'Campaign Spend': ['buyer', 'both'],
  'Active Campaigns': ['buyer', 'both'],
  'Total Impressions': ['both'],
  'Total Clicks': ['both'],
};

it('HOME-07 HOME-08 HOME-09 HOME-10 HOME-11 HOME-12 HOME-13 HOME-15 the cards are those of the role', async () => {
  for (const role of ROLES) {
    const page = await at(role, '/');
    const figures = page.getByRole('region', { name: 'Figures' });
    await figures.getByText('$0.00').first().waitFor();
    for (const [card, roles] of Object.entries(CARDS)) {
      expect(await figures.getByText(card).count(), `${card} for ${role}`).toBe(roles.includes(role) ? 1 : 0);
    }
    expect(await figures.getByText('This month').count()).toBe(role === 'both' ? 2 : 0);
  }
});

it("HOME-14 values read '...' while they are loading", async () => {
  const { page } = await enterAs(stage, 'both');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  for (const path of ['**/api/analytics/*', '**/api/ads/*']) {
    await page.route(path, async (route) => {
      await held;
      await route.continue();
    });
  }
  await page.goto('/');
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect.poll(() => figures.getByText('...').count()).toBe(6);
  release();
  await expect.poll(() => figures.getByText('...').count()).toBe(0);
  await page.context().close();
});

it('HOME-16 the card Pending Approvals goes to the dashboard', async () => {
  const page = await at('seller', '/');
  await page.getByRole('button', { name: /Pending Approvals/ }).click();
  await page.waitForURL('/dashboard');
});

const ACTIONS: Record<string, { path: string; roles: readonly Role[] }> = {
  'Browse Marketplace': { path: '/marketplace', roles: ['buyer', 'both'] },
  'Create Ad': { path: '/create-ad', roles: ['buyer', 'both'] },
  'Manage Ad Zones': { path: '/ad-zones', roles: ['seller', 'both'] },
  'View Analytics': { path: '/dashboard', roles: ROLES },
};

it('HOME-17 HOME-18 HOME-19 HOME-20 ROLE-05 the quick actions are those of the role', async () => {
  for (const role of ROLES) {
    for (const [name, { path, roles }] of Object.entries(ACTIONS)) {
      const page = await at(role, '/');
      const link = page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) });
      expect(await link.count(), `${name} for ${role}`).toBe(roles.includes(role) ? 1 : 0);
      if (!roles.includes(role)) continue;
      await link.click();
      await page.waitForURL(path);
    }
  }
});

it('HOME-21 HOME-22 HOME-23 HOME-24 recent activity is empty, and getting started has three steps by role', async () => {
  const steps = {
    buyer: [/set up .*profile/i, /browse .*marketplace/i, /create .*first ad/i],
    seller: [/set up .*profile/i, /add a website .* first ad zone/i, /start earning/i],
    both: [/set up .*profile/i, /choose your path/i, /track performance/i],
  };
  for (const role of ROLES) {
    const page = await at(role, '/');
    expect(await page.getByText('No recent activity').isVisible()).toBe(true);
    const shown = await page.getByRole('main').locator('ol li').allInnerTexts();
    expect(shown).toHaveLength(3);
    for (const [index, step] of steps[role].entries()) expect(shown[index]).toMatch(step);
  }
});

it('HOME-25 STATE-18 a session that ends while Home is open leads to /auth, with one toast', async () => {
  const { page, client } = await enterAs(stage, 'both');
  await page.clock.install();
  await page.goto('/');
  await page.getByText('Welcome back').waitFor();
  await client.post('/api/auth/logout');
  await page.clock.fastForward(10_000);
  await toastTitled(page, 'Unauthorized').waitFor();
  await page.waitForURL('/auth');
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  expect(await page.locator('[data-variant=destructive]').count()).toBe(1);
  await page.context().close();
});

const ENTRIES: Record<string, { path: string; roles: readonly Role[] }> = {
  Marketplace: { path: '/marketplace', roles: ['buyer', 'both'] },
  Dashboard: { path: '/dashboard', roles: ROLES },
  'Create Ad': { path: '/create-ad', roles: ['buyer', 'both'] },
  'Ad Zones': { path: '/ad-zones', roles: ['seller', 'both'] },
  Demo: { path: '/demo', roles: ROLES },
};

it('NAV-02 NAV-04 NAV-05 NAV-06 NAV-07 NAV-08 NAV-09 NAV-10 NAV-21 NAV-22 NAV-23 NAV-24 ROLE-04 ROLE-09 the navigation is that of the role', async () => {
  for (const role of ROLES) {
    const page = await at(role, '/settings');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const expected = Object.keys(ENTRIES).filter((name) => ENTRIES[name]?.roles.includes(role));
    expect(await navigation.getByRole('link').allInnerTexts()).toEqual(expected);
    expect(await navigation.locator('a:has(svg)').count()).toBe(expected.length);
    for (const name of expected) {
      await navigation.getByRole('link', { name }).click();
      await page.waitForURL(ENTRIES[name]?.path ?? '');
      await expect.poll(() => navigation.locator('[aria-current=page]').allInnerTexts()).toEqual([name]);
    }
  }
});

it('NAV-01 NAV-11 NAV-25 the logo leads home, the badge shows the role, and there is a footer', async () => {
  for (const role of ROLES) {
    const page = await at(role, '/dashboard');
    expect(await page.getByRole('banner').getByText(role, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('contentinfo').innerText()).toContain('2006 - 2025');
    await page.getByRole('banner').getByRole('link', { name: 'Openslot, home' }).click();
    await page.waitForURL('/');
  }
});

it('NAV-03 on a phone a panel slides in with the same entries', async () => {
  const { page } = await enterAs(stage, 'both', { width: 375 });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Open menu' }).click();
  const panel = page.getByRole('dialog', { name: 'Menu' });
  expect(await panel.getByRole('link').allInnerTexts()).toEqual(Object.keys(ENTRIES));
  await panel.getByRole('link', { name: 'Ad Zones' }).click();
  await page.waitForURL('/ad-zones');
  await panel.waitFor({ state: 'detached' });
  await page.context().close();
});

it('NAV-02 NAV-03 from the smallest phone to the tablet no page runs over the side', async () => {
  for (const width of [320, 375, 768, 1023]) {
    const { page } = await enterAs(stage, 'both', {
      width,
      names: {
        firstName: '',
        email: `a-mailbox-with-a-very-long-name-${width}@a-very-long-domain-name.example.test`,
      },
    });
    for (const path of ['/', '/settings', '/demo', '/nope']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(
        width,
      );
    }
    await page.context().close();
  }
});

it('NAV-12 NAV-13 NAV-14 NAV-16 the avatar menu works by keyboard alone', async () => {
  const page = await at('both', '/');
  const { client } = people.get('both') ?? {};
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
    expect(await menu.innerText()).toContain(client?.user.email);
    while (
      !(await menu.getByRole('menuitem', { name }).evaluate((item) => item === document.activeElement))
    ) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(path);
  }
});

it('NAV-17 NAV-18 without names the avatar shows the e-mail, and without that a U', async () => {
  for (const [change, expected] of [
    [{ firstName: null, lastName: null, email: 'zoe@x.test' }, 'ZO'],
    [{ firstName: null, lastName: null, email: '' }, 'U'],
  ] as const) {
    const { page } = await enterAs(stage, 'both');
    await asUser(page, change);
    await page.goto('/');
    const avatar = page.getByRole('button', { name: 'Account' }).locator('[aria-hidden]');
    expect((await avatar.innerText()).toUpperCase()).toBe(expected);
    await page.context().close();
  }
});

it('NAV-15 ERR-40 ERR-41 STATE-18 CONST-12 logging out says so, forgets everything, and leads to / after 500 ms', async () => {
  const { page } = await enterAs(stage, 'seller', { names: { firstName: 'Greta' } });
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
  expect(new URL(page.url()).pathname).toBe('/dashboard');
  await page.clock.runFor(150);
  expect(new URL(page.url()).pathname).toBe('/');
  await page.clock.resume();
  await page.getByRole('heading', { name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
  expect(await toastTitled(page, 'Unauthorized').count()).toBe(0);
  expect(await page.getByText('Greta').count()).toBe(0);
  await page.context().close();
});

async function atFirstSetup(): Promise<Page> {
  const { page, client } = await enterAs(stage, 'both');
  await stage.server.ctx.db
    .updateTable('users')
    .set({ hasCompletedOnboarding: false })
    .where('id', '=', client.user.id)
    .execute();
  await page.goto('/');
  await page.getByRole('dialog').waitFor();
  return page;
}

it('ONB-02 ONB-05 ONB-06 ONB-07 ONB-08 ONB-09 ONB-11 ONB-15 ONB-16 ONB-17 ONB-18 ONB-19 ONB-20 ONB-21 ONB-22 CONST-01 the welcome dialog says what there is to choose, and stays', async () => {
  const page = await atFirstSetup();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('heading').first().innerText()).toMatch(/^Welcome/);
  await dialog
    .getByText('You can change this preference anytime in your settings.', { exact: true })
    .waitFor();
  const card = async (name: string) => (await dialog.getByRole('radio', { name }).innerText()).toLowerCase();
  for (const feature of [
    'browse ad spaces on quality websites',
    'create targeted campaigns',
    'track performance and roi',
    'flexible pricing models',
  ]) {
    expect(await card('Buy Ads')).toContain(feature);
  }
  for (const feature of [
    'list websites and ad zones',
    'set own pricing',
    'approve or reject ad campaigns',
    '85% commission on all sales',
  ]) {
    expect(await card('Sell Ad Space')).toContain(feature);
  }
  expect(await dialog.getByText('Most Popular').count()).toBe(1);
  expect(await card('Both')).toContain('most popular');

  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  expect(await dialog.isVisible()).toBe(true);
  await page
    .getByText('Quick Actions')
    .click({ trial: true, timeout: 500 })
    .then(
      () => expect.fail('The page behind can be clicked'),
      () => {},
    );
  await page.context().close();
});

it('ONB-04 ONB-10 ONB-12 ONB-13 ONB-14 ERR-42 STATE-24 VAL-54 a role is chosen once, and the navigation follows', async () => {
  const page = await atFirstSetup();
  const dialog = page.getByRole('dialog');
  const start = dialog.getByRole('button', { name: 'Get Started' });
  expect(await start.isDisabled()).toBe(true);
  for (const name of ['Buy Ads', 'Both', 'Sell Ad Space']) {
    await dialog.getByRole('radio', { name }).click();
    expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(1);
    expect(await dialog.getByRole('radio', { name }).isChecked()).toBe(true);
  }
  for (const [reply, words] of [
    [{ status: 400, json: { message: 'M1' } }, 'M1'],
    [{ status: 500, json: {} }, 'Could not complete setup. Please try again.'],
  ] as const) {
    await answer(page, '/api/user/role', reply);
    await start.click();
    await toastTitled(page, 'Setup Failed').filter({ hasText: words }).waitFor();
    expect(await dialog.isVisible()).toBe(true);
  }
  await page.unroute('**/api/user/role');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/user/role', async (route) => {
    await held;
    await route.continue();
  });
  await start.click();
  expect(await start.isDisabled()).toBe(true);
  release();
  await dialog.waitFor({ state: 'detached' });
  const navigation = page.getByRole('navigation', { name: 'Main' });
  expect(await navigation.getByRole('link').allInnerTexts()).toEqual(['Dashboard', 'Ad Zones', 'Demo']);
  await navigation.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await dialog.count()).toBe(0);
  await page.context().close();
});

it('API-06 CONST-11 the current user is asked again after 5 minutes only', async () => {
  const { page } = await enterAs(stage, 'both');
  await page.clock.install();
  const calls = recordCalls(page);
  const asked = () => calls.filter((call) => call === 'GET /api/auth/user').length;
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const go = async (name: string, path: string) => {
    await navigation.getByRole('link', { name }).click();
    await page.waitForURL(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  await page.goto('/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await go('Demo', '/demo');
  await page.clock.fastForward('04:30');
  await go('Dashboard', '/dashboard');
  expect(asked()).toBe(1);
  await page.clock.fastForward('00:40');
  await page.getByRole('link', { name: 'Openslot, home' }).first().click();
  await page.getByText('Welcome back').waitFor();
  await expect.poll(asked, { timeout: 5000 }).toBe(2);
  await page.context().close();
});

it('API-07 API-08 API-09 CONST-10 figures are polled every 10 s, not while hidden, and at once when seen again', async () => {
  const { page } = await enterAs(stage, 'both');
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('region', { name: 'Figures' }).getByText('$0.00').first().waitFor();
  const calls = recordCalls(page);
  const asked = () => calls.filter((call) => call === 'GET /api/analytics/earnings').length;
  const show = async (state: 'hidden' | 'visible') =>
    await page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, state);

  await page.clock.fastForward(10_000);
  await expect.poll(asked, { timeout: 5000 }).toBe(1);
  await show('hidden');
  for (let seconds = 0; seconds < 30; seconds += 10) await page.clock.fastForward(10_000);
  expect(asked()).toBe(1);
  await show('visible');
  await expect.poll(asked, { timeout: 5000 }).toBe(2);
  await page.context().close();
});
