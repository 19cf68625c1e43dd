import { expect, it } from 'vitest';
import { signIn } from './support/forms.ts';
import { pathOf, toastTitled } from './support/people.ts';
import { useVisitor } from './support/use-fixture.ts';

const suite = useVisitor();

/** Creates an account and returns its e-mail address. The visitor's browser is not signed in. */
async function person(email: string): Promise<string> {
  await suite.fixture.server.signIn('both', { email });
  return email;
}
const home = () => suite.visitor.page.getByRole('heading', { name: 'Welcome back, Ann!' });

// Proves ACCT-08, ACC-16
it('a visitor who is redirected from a page to /auth returns to that page after signing in, without seeing Home', async () => {
  const { page } = suite.visitor;
  const email = await person('deep@example.test');
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body?.textContent.includes('Welcome back, Ann!')) sessionStorage.setItem('home', 'seen');
    }).observe(document, { childList: true, subtree: true });
  });
  const homeWasSeen = () => page.evaluate(() => sessionStorage.getItem('home') !== null);
  await page.goto('/transactions?from=mail');
  await page.waitForURL('/auth');
  await signIn(page, email);
  await page.waitForURL('/transactions?from=mail');
  await page.getByRole('heading', { name: 'Transactions' }).waitFor();
  expect(await homeWasSeen()).toBe(false);
  await page.goBack();
  await home().waitFor();
  expect(await homeWasSeen()).toBe(true);
  expect(pathOf(page)).toBe('/');
});

// Proves ACCT-08, AUTH-24
it('the remembered page is opened once, and the next plain sign-in leads to /', async () => {
  const { page, context } = suite.visitor;
  const email = await person('once-deep@example.test');
  await page.goto('/settings');
  await page.waitForURL('/auth');
  await signIn(page, email);
  await page.waitForURL('/settings');
  // A call of this page that is refused would remember the page again.
  await page.getByLabel('First name').waitFor();
  await context.clearCookies();
  await page.goto('/auth');
  await signIn(page, email);
  await home().waitFor();
  expect(pathOf(page)).toBe('/');
});

// Proves ACCT-08
it('a user whose session ended on a page returns to that page after signing in', async () => {
  const { page, context } = suite.visitor;
  const email = await person('lost@example.test');
  await page.goto('/auth');
  await signIn(page, email);
  await home().waitFor();
  // Settings polls nothing, so only the next click notices that the session is gone.
  await page.goto('/settings');
  await page.getByLabel('First name').waitFor();
  await context.clearCookies();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ad Zones' }).click();
  await toastTitled(page, 'Unauthorized').waitFor();
  await page.waitForURL('/auth');
  await signIn(page, email);
  await page.waitForURL('/ad-zones');
});

// Proves ACCT-08
it('signing out forgets the remembered page', async () => {
  const { page } = suite.visitor;
  const email = await person('on-purpose@example.test');
  await page.goto('/settings');
  await page.waitForURL('/auth');
  await page.goto('/auth');
  await signIn(page, email);
  await page.waitForURL('/settings');
  await page.evaluate(() => sessionStorage.setItem('return-to', '/transactions'));
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('/');
  await page.goto('/auth');
  await signIn(page, await person('next-one@example.test'));
  await home().waitFor();
  expect(pathOf(page)).toBe('/');
});

// Proves ACCT-08, OP-010
it('a link to an ad zone takes precedence over the remembered page', async () => {
  const { page } = suite.visitor;
  const email = await person('referred@example.test');
  await page.goto('/transactions');
  await page.waitForURL('/auth');
  await page.goto('/?website=W1&zone=Z1');
  await page.waitForFunction(() => localStorage.getItem('campaign-referral') !== null);
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await signIn(page, email);
  await page.waitForURL('/create-ad?website=W1&zone=Z1');
  expect(await page.evaluate(() => sessionStorage.getItem('return-to'))).toBeNull();
});

// Proves ACCT-08
it('a remembered page of another site is ignored, and the sign-in leads to /', async () => {
  const { page } = suite.visitor;
  const email = await person('stored@example.test');
  await page.goto('/auth');
  await page.evaluate(() => sessionStorage.setItem('return-to', '//elsewhere.example/x'));
  await signIn(page, email);
  await home().waitFor();
  expect(pathOf(page)).toBe('/');
});
