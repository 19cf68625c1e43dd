/** The page that a redirect to /auth remembers, and what a sign-in then opens. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from './support/forms.ts';
import { assertNoErrors, pathOf, toastTitled, walkTo } from './support/people.ts';
import type { Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const EMAIL = 'deep@example.test';

/** Their page stays open from test to test. */
let person: Person;
let page: Page;

beforeAll(async () => {
  await suite.fixture.server.signIn('both', { email: EMAIL });
  person = await suite.fixture.enter();
  ({ page } = person);
});
afterAll(() => assertNoErrors(person));

const home = () => page.getByRole('heading', { name: 'Welcome back, Ann!' });

/** Ends the session on a page that asks the server for nothing, because a refused call would remember the page. */
async function endSession(): Promise<void> {
  await walkTo(page, '/settings');
  await page.getByLabel('First name').waitFor();
  await person.context.clearCookies();
}

// Proves ACCT-08, ACC-16
it('a visitor who is redirected from a page to /auth returns to that page after signing in, without seeing Home', async () => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body?.textContent.includes('Welcome back, Ann!')) sessionStorage.setItem('home', 'seen');
    }).observe(document, { childList: true, subtree: true });
  });
  const homeWasSeen = () => page.evaluate(() => sessionStorage.getItem('home') !== null);
  await page.goto('/transactions?from=mail');
  await page.waitForURL('/auth');
  await signIn(page, EMAIL);
  await page.waitForURL('/transactions?from=mail');
  await page.getByRole('heading', { name: 'Transactions' }).waitFor();
  expect(await homeWasSeen()).toBe(false);
  await page.goBack();
  await home().waitFor();
  expect(await homeWasSeen()).toBe(true);
  expect(pathOf(page)).toBe('/');
});

// Proves ACCT-08
it('a user whose session ended on a page returns to that page after signing in', async () => {
  // Settings polls nothing, so only the next click notices that the session is gone.
  await endSession();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ad Zones' }).click();
  await toastTitled(page, 'Unauthorized').waitFor();
  await page.waitForURL('/auth');
  await signIn(page, EMAIL);
  await page.waitForURL('/ad-zones');
});

// Proves ACCT-08, AUTH-24
it('the remembered page is opened once, and the next plain sign-in leads to /', async () => {
  await endSession();
  await page.goto('/auth');
  await signIn(page, EMAIL);
  await home().waitFor();
  expect(pathOf(page)).toBe('/');
});

// Proves ACCT-08
it('signing out forgets the remembered page', async () => {
  await page.evaluate(() => sessionStorage.setItem('return-to', '/transactions'));
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Login' }).click();
  await page.waitForURL('/auth');
  await signIn(page, EMAIL);
  await home().waitFor();
  expect(pathOf(page)).toBe('/');
});

// Proves ACCT-08
it('a remembered page of another site is ignored, and the sign-in leads to /', async () => {
  await endSession();
  await page.goto('/auth');
  await page.evaluate(() => sessionStorage.setItem('return-to', '//elsewhere.example/x'));
  await signIn(page, EMAIL);
  await home().waitFor();
  expect(pathOf(page)).toBe('/');
});

// Proves ACCT-08, OP-010
it('a link to an ad zone takes precedence over the remembered page', async () => {
  await endSession();
  await page.goto('/transactions');
  await page.waitForURL('/auth');
  await page.goto('/?website=W1&zone=Z1');
  await page.waitForFunction(() => localStorage.getItem('campaign-referral') !== null);
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await signIn(page, EMAIL);
  await page.waitForURL('/create-ad?website=W1&zone=Z1');
  expect(await page.evaluate(() => sessionStorage.getItem('return-to'))).toBeNull();
});
