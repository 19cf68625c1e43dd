import { expect, it } from 'vitest';
import { hasSellerAccess, type Role, ROLES } from '#domain/accounts/roles.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { changeUser, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
/** Has one role after the other. */
const user = useResident(suite, 'both');

/** Loads Home, since the application has another user or role now. */
async function loadHome(): Promise<void> {
  await user.page.goto('/');
  await user.page.getByRole('heading', { level: 1 }).waitFor();
}

// Proves HOME-02, HOME-03, ROLE-02
it("Home greets a user without a first name by e-mail, and shows 'both' for a user without a role", async () => {
  const { page, client } = user;
  await changeUser(page, { firstName: '', role: null });
  await page.goto('/');
  await page.getByRole('heading', { name: `Welcome back, ${client.user.email}!` }).waitFor();
  expect(await page.getByRole('main').getByText('both', { exact: true }).isVisible()).toBe(true);
});

const CARDS: Record<string, readonly Role[]> = {
  'Total Earnings': ['seller', 'both'],
  'Pending Approvals': ['seller', 'both'],
  'Campaign Spend': ['buyer', 'both'],
  'Active Campaigns': ['buyer', 'both'],
  'Total Impressions': ['both'],
  'Total Clicks': ['both'],
};

const SUBTITLES: Record<Role, string> = {
  buyer: 'find great ad spaces',
  seller: 'monetize your traffic',
  both: 'grow your business',
};

const STEPS: Record<Role, RegExp[]> = {
  buyer: [/set up .*profile/i, /browse .*marketplace/i, /create .*first ad/i],
  seller: [/set up .*profile/i, /add a website .* first ad zone/i, /start earning/i],
  both: [/set up .*profile/i, /choose your path/i, /track performance/i],
};

const ACTIONS: Record<string, { path: string; roles: readonly Role[] }> = {
  'Browse Marketplace': { path: '/marketplace', roles: ['buyer', 'both'] },
  'Create Ad': { path: '/create-ad', roles: ['buyer', 'both'] },
  'Manage Ad Zones': { path: '/ad-zones', roles: ['seller', 'both'] },
  'View Analytics': { path: '/dashboard', roles: ROLES },
};

// Proves HOME-01, HOME-03, HOME-04, HOME-05, HOME-06, HOME-07, HOME-08, HOME-09, HOME-10, HOME-11, HOME-12, HOME-13, HOME-15, HOME-16, HOME-17, HOME-18, HOME-19, HOME-20, HOME-21, HOME-22, HOME-23, HOME-24, ROLE-05
it.each(ROLES)(
  'Home greets role %s by first name and shows only its badge, cards, quick actions and steps, each of which opens its page',
  async (role) => {
    const { page, client } = user;
    await client.patch('/api/user/role', { role });
    await loadHome();
    const main = page.getByRole('main');
    const header = main.locator('header').first();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Welcome back, Ann!');
    expect((await header.innerText()).toLowerCase()).toContain(SUBTITLES[role]);
    expect(await header.getByText(role, { exact: true }).isVisible()).toBe(true);

    const figures = page.getByRole('region', { name: 'Figures' });
    await figures.getByText('$0.00').first().waitFor();
    for (const [card, roles] of Object.entries(CARDS)) {
      expect([card, await figures.getByText(card).count()]).toEqual([card, roles.includes(role) ? 1 : 0]);
    }
    expect(await figures.getByText('This month').count()).toBe(role === 'both' ? 2 : 0);

    await page.getByText('No recent activity').waitFor();
    const steps = await main.locator('ol li').allInnerTexts();
    expect(steps).toHaveLength(3);
    for (const [index, step] of STEPS[role].entries()) expect(steps[index]).toMatch(step);

    if (hasSellerAccess(role)) {
      await page.getByRole('button', { name: /Pending Approvals/ }).click();
      await page.waitForURL('/dashboard');
      await page.goBack();
    }
    // The actions appear together, once the next steps above them are known.
    await main.getByRole('link', { name: /^View Analytics/ }).waitFor();
    for (const [name, { path, roles }] of Object.entries(ACTIONS)) {
      const link = main.getByRole('link', { name: new RegExp(`^${name}`) });
      expect([name, await link.count()]).toEqual([name, roles.includes(role) ? 1 : 0]);
      if (!roles.includes(role)) continue;
      expect(await link.getAttribute('href')).toBe(path);
      // The links are the same for every role, so the test follows them for one role only.
      if (role !== 'both') continue;
      await link.click();
      await page.waitForURL(path);
      await page.goBack();
    }
  },
);

// Proves HOME-14
it("the cards show '...' while their values load", async () => {
  const { page } = user;
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
});

// Proves HOME-15, HOME-21, ROLE-11
it('after a sale the publisher sees the earnings and the advertiser only the spend', async () => {
  const [seller, buyer] = [await suite.client('seller'), await suite.client('buyer')];
  await makeLiveAd(seller, buyer, { product: { price: '33.33' } });
  const { page } = user;
  const figures = page.getByRole('region', { name: 'Figures' });
  await user.become(seller);
  await loadHome();
  await figures.getByText('$28.33').waitFor();
  await user.become(buyer);
  await loadHome();
  await figures.getByText('$33.33').waitFor();
  await page.getByText('No recent activity').waitFor();

  for (const path of ['/', '/dashboard']) {
    await user.open(path);
    await page.getByText('$33.33').first().waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).not.toMatch(/earnings/i);
    expect(text).not.toContain('28.33');
  }
});

// The last test, because it replaces the page's clock and ends the session.
// Proves HOME-25, STATE-18
it('a session that ends while Home is open redirects to /auth with a single toast', async () => {
  const { page, client } = user;
  await page.clock.install();
  await page.goto('/');
  await page.getByText('Welcome back').waitFor();
  await client.post('/api/auth/logout');
  await page.clock.fastForward(10_000);
  await toastTitled(page, 'Unauthorized').waitFor();
  const toasts = page.locator('[data-variant=destructive]');
  expect(await toasts.count()).toBe(1);
  await page.waitForURL('/auth');
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  // On a busy machine, the toast may have closed by now.
  expect(await toasts.count()).toBeLessThanOrEqual(1);
});
