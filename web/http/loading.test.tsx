import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { getCurrentUser, login, logout } from '#domain/accounts/contract.ts';
import { listPendingAds } from '#domain/ads/contract.ts';
import { getActiveZones, getEarnings } from '#domain/analytics/contract.ts';
import { listMyWebsites, listWebsites, listZones, website } from '#domain/inventory/contract.ts';
import { toastTitled } from '#web/testing/account.ts';
import { answer, broken, ended } from '#web/testing/answers.ts';
import { stopClock } from '#web/testing/clock.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The errors in the console. */
function recordErrors() {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  return (words: string) => log.mock.calls.filter((parts) => parts.join(' ').includes(words)).length;
}

const navigation = page.getByRole('navigation', { name: 'Main' });

async function show(state: 'hidden' | 'visible'): Promise<void> {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

// Proves API-05, ERR-10
it('a list that fails is requested once and logged, and neither time nor focus requests it again', async () => {
  answerNewAccount();
  const logged = recordErrors();
  const asked = answer(listWebsites, broken);
  const clock = stopClock();
  await openPage('/marketplace', { as: person('buyer') });
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect.element(retry).toBeVisible();
  expect(logged('Loading failed')).toBe(1);
  for (const event of ['blur', 'focus', 'offline', 'online']) window.dispatchEvent(new Event(event));
  // The query client refetches on this event, which a browser sends when the user returns to the tab.
  await show('visible');
  await clock.pass(30_000);
  expect(asked).toHaveLength(1);

  const again = answer(listWebsites, []);
  await retry.click();
  await expect.poll(() => again).toHaveLength(1);
});

// Proves ERR-10, ERR-19, API-04
it('a list that answers 401 is logged, and the user is redirected to /auth', async () => {
  answerNewAccount();
  const logged = recordErrors();
  await openPage('/marketplace', { as: person('both') });
  answer(listMyWebsites, ended);
  await navigation.getByRole('link', { name: 'Ad Zones' }).click();
  await expect.element(toastTitled('Unauthorized').getByText(/^You are logged out\./)).toBeVisible();
  await expect.poll(() => window.location.pathname).toBe('/auth');
  expect(logged('The session was lost /api/websites/my')).toBe(1);
});

// Proves API-07, API-08, DASH-S-37
it('the dashboard polls every 10 s while its tab is visible', async () => {
  answerNewAccount();
  const calls = [
    answer(getEarnings, {
      totalEarnings: '0.00',
      delivered: '0.00',
      notDelivered: '0.00',
      thisMonth: '0.00',
    }),
    answer(getActiveZones, { count: 0 }),
    answer(listPendingAds, []),
  ];
  const clock = stopClock();
  await openPage('/dashboard', { as: person('seller') });
  const asked = () => calls.map(({ length }) => length);
  await expect.poll(asked).toEqual([1, 1, 1]);
  await clock.pass(0);
  for (const round of [2, 3, 4]) {
    await clock.pass(9000);
    expect(asked()).toEqual([round - 1, round - 1, round - 1]);
    await clock.pass(1000);
    await expect.poll(asked).toEqual([round, round, round]);
  }
  await show('hidden');
  await clock.pass(30_000);
  expect(asked()).toEqual([4, 4, 4]);
  await show('visible');
  await expect.poll(asked).toEqual([5, 5, 5]);
});

// Proves API-06, API-07, STATE-12
it('the current user is not requested for a visitor, and after the sign-in only every 5 minutes', async () => {
  const user = person('both');
  answerNewAccount();
  const asked = answer(getCurrentUser, user);
  const clock = stopClock();
  await openPage('/');
  await expect.element(page.getByRole('link', { name: 'Login' })).toBeVisible();
  await clock.pass(20 * 60_000);
  await page.getByRole('link', { name: 'Login' }).click();
  await expect.element(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  expect(asked).toEqual([]);

  answer(login, { user });
  await page.getByLabelText('Email', { exact: true }).fill(user.email);
  await page.getByLabelText('Password', { exact: true }).fill('a password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect.element(page.getByText('Welcome back, Ann!')).toBeVisible();
  await clock.pass(4.5 * 60_000);
  for (const name of ['Demo', 'Dashboard']) {
    await navigation.getByRole('link', { name }).click();
    await expect.poll(() => window.location.pathname).toBe(`/${name.toLowerCase()}`);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect(asked).toEqual([]);
  await clock.pass(40_000);
  await page.getByRole('link', { name: 'Openslot, home' }).first().click();
  await expect.poll(() => asked).toHaveLength(1);
});

// Proves API-13, API-18
it('a user who signs in after another user in the same tab sees nothing of the first one', async () => {
  const first = person('both', { email: 'first@site.example' });
  answerNewAccount();
  answer(listMyWebsites, [
    sample(website, { publicId: '00000000-0000-4000-8000-000000000001', name: 'The site of the first' }),
  ]);
  answer(listZones, []);
  await openPage('/ad-zones', { as: first });
  const site = page.getByText('The site of the first').first();
  await expect.element(site).toBeVisible();
  const account = page.getByRole('button', { name: /^Account/ });
  await account.click();
  answer(logout, { success: true });
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect.poll(() => window.location.pathname).toBe('/');
  await page.getByRole('link', { name: 'Login' }).click();

  answer(listMyWebsites, []);
  const second = person('both', { id: 2, email: 'second@site.example' });
  answer(login, { user: second });
  await page.getByLabelText('Email', { exact: true }).fill(second.email);
  await page.getByLabelText('Password', { exact: true }).fill('a password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect.element(page.getByText('Welcome back, Ann!')).toBeVisible();
  await navigation.getByRole('link', { name: 'Ad Zones' }).click();
  await expect.element(page.getByRole('button', { name: 'Add Your First Website' })).toBeVisible();
  await expect.element(site).not.toBeInTheDocument();
  await account.click();
  await expect.element(page.getByRole('menu').getByText(second.email)).toBeVisible();
  await expect.element(page.getByText(first.email)).not.toBeInTheDocument();
});
