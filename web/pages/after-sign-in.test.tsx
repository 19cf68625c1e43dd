import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { chooseRole, login, logout } from '#domain/accounts/contract.ts';
import { getAdSpace, listMyWebsites } from '#domain/inventory/contract.ts';
import { REFERRAL_KEY } from '#web/accounts/referral.ts';
import { answerSettings, answerTabs, toastTitled } from '#web/testing/account.ts';
import { answer, broken, ended, refused, slow } from '#web/testing/answers.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { openPage } from '#web/testing/screen.tsx';

const user = person('both');
const RETURN_KEY = 'return-to';
const AD_LINK = '/create-ad?website=W&zone=Z';
const HOUR_MS = 60 * 60 * 1000;

const home = page.getByText('Welcome back, Ann!');
const address = () => window.location.pathname + window.location.search;
const signInTab = page.getByRole('tab', { name: 'Sign In' });

function answerAll(): void {
  answerTabs();
  answerNewAccount();
  answerSettings();
  answer(getAdSpace, refused(404, 'Not found'));
}

async function signIn(): Promise<void> {
  answer(login, { user });
  await signInTab.click();
  await page.getByLabelText('Email', { exact: true }).fill(user.email);
  await page.getByLabelText('Password', { exact: true }).fill('a password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** Stores a referral as if the visitor had opened the link `age` milliseconds ago. */
function remember(age = 0): void {
  const timestamp = Date.now() - age;
  localStorage.setItem(REFERRAL_KEY, JSON.stringify({ website: 'W', zone: 'Z', timestamp }));
}

const referral = () => JSON.parse(localStorage.getItem(REFERRAL_KEY) ?? 'null') as unknown;

// Proves ACC-16
it('a visitor who is redirected from a page to /auth returns to that page after signing in, without seeing Home', async () => {
  answerAll();
  const greeted = vi.fn<() => void>();
  const observer = new MutationObserver(() => {
    if (document.body.textContent.includes('Welcome back, Ann!')) greeted();
  });
  observer.observe(document, { childList: true, subtree: true });
  await openPage('/transactions?from=mail');
  await expect.poll(address).toBe('/auth');
  await signIn();
  await expect.poll(address).toBe('/transactions?from=mail');
  await expect.element(page.getByRole('heading', { name: 'Transactions' })).toBeVisible();
  expect(greeted).not.toHaveBeenCalled();
  window.history.back();
  await expect.element(home).toBeVisible();
  expect(greeted).toHaveBeenCalled();
  expect(address()).toBe('/');
  observer.disconnect();
});

it('a user whose session ended on a page returns to that page after signing in', async () => {
  answerAll();
  await openPage('/settings', { as: user });
  await expect.element(page.getByLabelText('First name')).toBeVisible();
  answer(listMyWebsites, ended);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ad Zones' }).click();
  await expect.element(toastTitled('Unauthorized')).toBeVisible();
  await expect.poll(address).toBe('/auth');
  answer(listMyWebsites, []);
  await signIn();
  await expect.poll(address).toBe('/ad-zones');
});

// Proves AUTH-24
it('the remembered page is opened once, and the next plain sign-in leads to /', async () => {
  answerAll();
  await openPage('/transactions');
  await expect.poll(address).toBe('/auth');
  await signIn();
  await expect.poll(address).toBe('/transactions');
  expect(sessionStorage.getItem(RETURN_KEY)).toBeNull();
});

it('signing out forgets the remembered page', async () => {
  answerAll();
  await openPage('/demo', { as: user });
  sessionStorage.setItem(RETURN_KEY, '/transactions');
  answer(logout, { success: true });
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect.poll(address).toBe('/');
  await page.getByRole('link', { name: 'Login' }).click();
  await signIn();
  await expect.element(home).toBeVisible();
  expect(address()).toBe('/');
});

it('a remembered page of another site is ignored, and the sign-in leads to /', async () => {
  answerAll();
  sessionStorage.setItem(RETURN_KEY, '//elsewhere.example/x');
  await openPage('/auth');
  await signIn();
  await expect.element(home).toBeVisible();
  expect(address()).toBe('/');
});

// Proves OP-010
it('a link to an ad zone takes precedence over the remembered page', async () => {
  answerAll();
  answer(chooseRole, user);
  sessionStorage.setItem(RETURN_KEY, '/transactions');
  await openPage('/?website=W1&zone=Z1');
  await expect.poll(referral).toMatchObject({ website: 'W1', zone: 'Z1' });
  await page.getByRole('link', { name: 'Login' }).click();
  await signIn();
  await expect.poll(address).toBe('/create-ad?website=W1&zone=Z1');
  expect(sessionStorage.getItem(RETURN_KEY)).toBeNull();
});

// Proves ENT-35, STATE-25, DEMO-04
it('the link of a demo zone stores a referral with the time in milliseconds', async () => {
  answerAll();
  await openPage('/demo');
  await page.getByRole('link', { name: 'Advertise here' }).nth(1).click();
  await expect.poll(address).toBe('/auth');
  expect(referral()).toEqual({ website: '1', zone: '2', timestamp: expect.any(Number) as number });
  expect(localStorage.getItem(REFERRAL_KEY)).toMatch(/"timestamp":\d{13}\}$/);
});

// Proves STATE-26, AUTH-02
it('a referral is valid for 24 hours', async () => {
  answerAll();
  remember(23 * HOUR_MS);
  await openPage('/auth');
  await expect.element(page.getByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible();
  await expect.element(page.getByText('Welcome, advertiser')).toBeVisible();
});

// Proves STATE-26, AUTH-02
it('a referral that is older than 24 hours is removed', async () => {
  answerAll();
  remember(24 * HOUR_MS + 60_000);
  await openPage('/auth');
  await expect.element(page.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible();
  await expect.poll(referral).toBeNull();
  await expect.element(page.getByText('Welcome, advertiser')).not.toBeInTheDocument();
});

// Proves STATE-25, AUTH-02
it('a link without an ad zone stores no referral', async () => {
  answerAll();
  await openPage('/create-ad?website=W');
  await expect.poll(address).toBe('/auth');
  await expect.element(signInTab).toBeVisible();
  expect(referral()).toBeNull();
  await expect.element(page.getByText('Welcome, advertiser')).not.toBeInTheDocument();
});

// Proves STATE-25, STATE-26, ENT-35, AUTH-02, AUTH-19, AUTH-22
it('a link to an ad zone welcomes the advertiser, sets the buyer role after the sign-in before it opens the wizard, and is used once', async () => {
  answerAll();
  await openPage(AD_LINK);
  await expect.poll(address).toBe('/auth');
  expect(referral()).toMatchObject({ website: 'W', zone: 'Z' });
  await expect.element(page.getByText('Welcome, advertiser')).toBeVisible();
  await expect.element(page.getByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible();

  const { answer: held, release } = slow({ ...user, role: 'buyer' as const });
  const asked = answer(chooseRole, held);
  await signIn();
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ role: 'buyer' }]);
  expect(address()).toBe('/auth');
  release();
  await expect.poll(address).toBe(AD_LINK);
  expect(referral()).toBeNull();
  await expect.element(page.getByRole('banner').getByText('buyer', { exact: true })).toBeVisible();
});

// Proves AUTH-23
it('a referral opens the wizard even when the role cannot be set', async () => {
  answerAll();
  remember();
  await openPage('/auth');
  answer(chooseRole, broken);
  await signIn();
  await expect.poll(address).toBe(AD_LINK);
});

// Proves STATE-25
it('a link to an ad zone opens the wizard for a signed-in user without a referral or a change of role', async () => {
  answerAll();
  const asked = answer(chooseRole, user);
  await openPage(AD_LINK, { as: user });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(referral()).toBeNull();
  expect(asked).toEqual([]);
});

// Proves ACC-14, AUTH-22
it('/auth with a referral leads a signed-in user to the wizard as a buyer', async () => {
  answerAll();
  remember();
  answer(chooseRole, { ...user, role: 'buyer' });
  await openPage('/auth', { as: user });
  await expect.poll(address).toBe(AD_LINK);
  await expect.element(page.getByRole('banner').getByText('buyer', { exact: true })).toBeVisible();
});
