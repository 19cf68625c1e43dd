import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { getCurrentUser } from '#domain/accounts/contract.ts';
import { hasSellerAccess, type Role, ROLES } from '#domain/accounts/roles.ts';
import { countMyAds, listPendingAds } from '#domain/ads/contract.ts';
import { getEarnings, getSpending } from '#domain/analytics/contract.ts';
import { toastTitled } from '#web/testing/account.ts';
import { answer, ended, slow } from '#web/testing/answers.ts';
import { stopClock } from '#web/testing/clock.ts';
import { answerNewAccount, noEarnings, noSpending } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const main = page.getByRole('main');
const figures = page.getByRole('region', { name: 'Figures' });

// Proves HOME-01, ENT-06
it("Home greets a user without a first name by e-mail, and shows 'both' for a user without a role", async () => {
  answerNewAccount();
  const user = person('both', { firstName: '', role: null });
  await openPage('/', { as: user });
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent(`Welcome back, ${user.email}!`);
  await expect.element(main.getByText('both', { exact: true })).toBeVisible();
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

// Proves HOME-01, ENT-06, HOME-04, HOME-07, HOME-13, TXN-07, HOME-16, HOME-17, HOME-21, HOME-22
it.each(ROLES)(
  'Home greets role %s by first name and shows only its badge, cards, quick actions and steps, each of which opens its page',
  async (role) => {
    answerNewAccount();
    await openPage('/', { as: person(role) });
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Welcome back, Ann!');
    const header = document.querySelector<HTMLElement>('main header');
    expect(header?.innerText.toLowerCase()).toContain(SUBTITLES[role]);
    expect(header?.innerText.split(/\n+/)).toContain(role);

    await expect.element(figures.getByText('$0.00').first()).toBeVisible();
    const shown = Object.keys(CARDS).filter((card) => figures.getByText(card).elements().length === 1);
    expect(shown).toEqual(Object.keys(CARDS).filter((card) => CARDS[card]?.includes(role)));
    expect(figures.getByText(/This month/).elements()).toHaveLength(role === 'both' ? 2 : 0);

    await expect.element(page.getByText('No recent activity')).toBeVisible();
    // The actions appear together, once the next steps above them are known.
    await expect.element(main.getByRole('link', { name: /^View Analytics/ })).toBeVisible();
    const steps = [...document.querySelectorAll<HTMLElement>('main ol li')].map(({ innerText }) => innerText);
    expect(steps).toHaveLength(3);
    for (const [index, step] of STEPS[role].entries()) expect(steps[index]).toMatch(step);

    for (const [name, { path, roles }] of Object.entries(ACTIONS)) {
      const link = main.getByRole('link', { name: new RegExp(`^${name}`) });
      expect([name, link.elements().map((each) => each.getAttribute('href'))]).toEqual([
        name,
        roles.includes(role) ? [path] : [],
      ]);
    }
    if (!hasSellerAccess(role)) return;
    await page.getByRole('button', { name: /Pending Approvals/ }).click();
    await expect.poll(() => window.location.pathname).toBe('/dashboard');
  },
);

// Proves HOME-22
it.each(Object.entries(ACTIONS))('the quick action %s opens its page', async (name, { path }) => {
  answerNewAccount();
  await openPage('/', { as: person('both') });
  await main.getByRole('link', { name: new RegExp(`^${name}`) }).click();
  await expect.poll(() => window.location.pathname).toBe(path);
});

// Proves HOME-14
it("the cards show '...' while their values load", async () => {
  answerNewAccount();
  const held = [slow(noEarnings), slow(noSpending)] as const;
  const lists = [slow([]), slow({ all: 0, active: 0, live: 0, waiting: 0, ended: 0 })] as const;
  answer(getEarnings, held[0].answer);
  answer(getSpending, held[1].answer);
  answer(listPendingAds, lists[0].answer);
  answer(countMyAds, lists[1].answer);
  await openPage('/', { as: person('both') });
  await expect.poll(() => figures.getByText('...').elements()).toHaveLength(6);
  for (const { release } of [...held, ...lists]) release();
  await expect.poll(() => figures.getByText('...').elements()).toHaveLength(0);
});

// Proves TXN-07, HOME-21, ROLE-11
it('a publisher sees the earnings, and an advertiser only the spend', async () => {
  answerNewAccount();
  const earned = answer(getEarnings, { ...noEarnings, totalEarnings: '28.33' });
  const spent = answer(getSpending, { ...noSpending, totalSpending: '33.33' });
  await openPage('/', { as: person('seller') });
  await expect.element(figures.getByText('$28.33')).toBeVisible();
  expect(spent).toEqual([]);
  closeScreen();
  earned.length = 0;
  await openPage('/', { as: person('buyer') });
  await expect.element(figures.getByText('$33.33')).toBeVisible();
  await expect.element(page.getByText('No recent activity')).toBeVisible();
  const words = (main.element() as HTMLElement).innerText;
  expect(words).not.toMatch(/earnings/i);
  expect(words).not.toContain('28.33');
  expect(earned).toEqual([]);
});

// Proves HOME-25, API-18
it('a session that ends while Home is open redirects to /auth with a single toast', async () => {
  answerNewAccount();
  const clock = stopClock();
  await openPage('/', { as: person('both') });
  await expect.element(figures.getByText('$0.00').first()).toBeVisible();
  for (const endpoint of [getEarnings, getSpending]) answer(endpoint as typeof getEarnings, ended);
  answer(listPendingAds, ended);
  answer(countMyAds, ended);
  answer(getCurrentUser, ended);
  await clock.pass(10_000);
  await expect.element(toastTitled('Unauthorized')).toBeVisible();
  expect(document.querySelectorAll('[data-variant=destructive]')).toHaveLength(1);
  await clock.pass(500);
  await expect.poll(() => window.location.pathname).toBe('/auth');
  await expect.element(page.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible();
  expect(document.querySelectorAll('[data-variant=destructive]')).toHaveLength(1);
});
