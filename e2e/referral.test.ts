import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signIn } from './support/forms.ts';
import { hold, pathOf } from './support/people.ts';
import { useVisitor } from './support/use-fixture.ts';

const suite = useVisitor();

const AD_LINK = '/create-ad?website=W&zone=Z';

const HOUR_MS = 60 * 60 * 1000;

/** The referral that the browser has stored, or null. */
async function referral(): Promise<unknown> {
  const text = await suite.visitor.page.evaluate(() => localStorage.getItem('campaign-referral'));
  return text === null ? null : JSON.parse(text);
}

/** Stores a referral as if the visitor had opened the link `age` milliseconds ago. */
async function remember(page: Page, age = 0): Promise<void> {
  // A page of the same site without scripts.
  await page.goto('/robots.txt');
  await page.evaluate((timestamp) => {
    localStorage.setItem('campaign-referral', JSON.stringify({ website: 'W', zone: 'Z', timestamp }));
  }, Date.now() - age);
}

// Proves STATE-26, STATE-27, AUTH-03
it('a referral is valid for 24 hours and is then removed', async () => {
  const { page } = suite.visitor;
  await remember(page, 23 * HOUR_MS);
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
  expect(await page.getByText('Welcome, advertiser').isVisible()).toBe(true);

  await remember(page, 24 * HOUR_MS + 60_000);
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  // The page is prerendered with this tab. Its application removes the referral.
  await expect.poll(referral).toBeNull();
  expect(await page.getByText('Welcome, advertiser').count()).toBe(0);
});

// Proves STATE-25, STATE-27, CONST-05, AUTH-03, AUTH-19, AUTH-20, AUTH-22, ROLE-15, API-22
it('a link to an ad zone is stored, welcomes the advertiser, sets the buyer role after the sign-in before it opens the wizard, and is used once', async () => {
  const { page } = suite.visitor;
  const client = await suite.fixture.server.signIn('seller', { email: 'advertiser@example.test' });
  await page.goto('/create-ad?website=W');
  await page.waitForURL('/auth');
  expect(await referral()).toBeNull();
  expect(await page.getByText('Welcome, advertiser').count()).toBe(0);

  await page.goto(AD_LINK);
  await page.waitForURL('/auth');
  expect(await referral()).toMatchObject({ website: 'W', zone: 'Z' });
  await page.getByText('Welcome, advertiser').waitFor();
  await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();

  const release = await hold(page, '/api/user/role');
  const asked = page.waitForRequest('**/api/user/role');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await signIn(page, 'advertiser@example.test');
  expect((await asked).postDataJSON()).toEqual({ role: 'buyer' });
  expect((await asked).method()).toBe('POST');
  expect(pathOf(page)).toBe('/auth');
  release();
  await page.waitForURL(AD_LINK);
  expect((await client.get('/api/auth/user')).body.role).toBe('buyer');
  expect(await referral()).toBeNull();
  await page.getByRole('banner').getByText('buyer').waitFor();

  await page.goto('/auth');
  await page.waitForURL('/');
  await page.getByText('Welcome back').waitFor();
});
