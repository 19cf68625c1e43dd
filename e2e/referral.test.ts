import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signIn } from './support/forms.ts';
import { answer, enterAs, hold, pathOf, recordCalls } from './support/people.ts';
import { useVisitor } from './support/use-fixture.ts';
import { leave } from './support/person.ts';

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

// Proves ENT-35, STATE-25, CONST-05, DEMO-04
it('the link of a demo zone stores a referral with the time in milliseconds', async () => {
  const { page } = suite.visitor;
  await page.goto('/demo');
  await page.getByRole('link', { name: 'Advertise here' }).nth(1).click();
  await page.waitForURL('/auth');
  const kept = await referral();
  expect(kept).toEqual({ website: '1', zone: '2', timestamp: expect.any(Number) });
  expect(JSON.stringify(kept)).toMatch(/"timestamp":\d{13}\}$/);
});

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

// Proves AUTH-23
it('a referral opens the wizard even when the role cannot be set', async () => {
  const { page } = suite.visitor;
  await suite.fixture.server.signIn('both', { email: 'unlucky@example.test' });
  await page.goto(AD_LINK);
  await page.waitForURL('/auth');
  await answer(page, '/api/user/role', { status: 500, body: '' });
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await signIn(page, 'unlucky@example.test');
  await page.waitForURL(AD_LINK);
});

// Proves ACC-14, AUTH-22, STATE-25
it('a link to an ad zone opens the wizard for a signed-in user without a referral or a change of role, and /auth with a referral leads there too', async () => {
  const { page, client } = await enterAs(suite.fixture, 'both');
  const calls = recordCalls(page);
  await page.goto(AD_LINK);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('campaign-referral'))).toBeNull();
  expect(calls.some((call) => call.includes('/api/user/role'))).toBe(false);
  expect((await client.get('/api/auth/user')).body.role).toBe('both');

  await remember(page);
  await page.goto('/auth');
  await page.waitForURL(AD_LINK);
  await page.getByRole('banner').getByText('buyer', { exact: true }).waitFor();
  await leave(page);
});
