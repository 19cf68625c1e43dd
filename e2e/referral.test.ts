import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import { assertNoErrors, enterAs, hold, pathOf } from './support/people.ts';
import { openStage, type Person, type Stage } from './support/stage.ts';

const AD_LINK = '/create-ad?website=W&zone=Z';
const HOUR_MS = 60 * 60 * 1000;

let stage: Stage;
let visitor: Person;

beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  visitor = await stage.enter();
});
afterEach(async () => {
  assertNoErrors(visitor);
  await visitor.context.close();
});
afterAll(async () => {
  await stage.close();
});

/** What the browser remembers of the link, or null. */
async function referral(): Promise<unknown> {
  const text = await visitor.page.evaluate(() => localStorage.getItem('campaign-referral'));
  return text === null ? null : JSON.parse(text);
}

/** As if the link had been opened `age` milliseconds ago. */
async function remember(page: Page, age = 0): Promise<void> {
  await page.goto('/demo');
  await page.evaluate((timestamp) => {
    localStorage.setItem('campaign-referral', JSON.stringify({ website: 'W', zone: 'Z', timestamp }));
  }, Date.now() - age);
}

it('ENT-35 STATE-25 CONST-05 DEMO-04 a link of a demo zone is kept with the time in milliseconds', async () => {
  const { page } = visitor;
  await page.goto('/demo');
  await page.getByRole('link', { name: 'Advertise here' }).nth(1).click();
  await page.waitForURL('/auth');
  const kept = await referral();
  expect(kept).toEqual({ website: '1', zone: '2', timestamp: expect.any(Number) });
  expect(JSON.stringify(kept)).toMatch(/"timestamp":\d{13}\}$/);
});

it('STATE-26 STATE-27 AUTH-03 a referral counts for 24 hours, and is then removed', async () => {
  const { page } = visitor;
  await remember(page, 23 * HOUR_MS);
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
  expect(await page.getByText('Welcome, advertiser').isVisible()).toBe(true);

  await remember(page, 24 * HOUR_MS + 60_000);
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  expect(await page.getByText('Welcome, advertiser').count()).toBe(0);
  expect(await referral()).toBeNull();
});

it('AUTH-20 AUTH-22 ROLE-15 STATE-27 the buyer role comes first, then the wizard, and that only once', async () => {
  const { page } = visitor;
  const client = await stage.server.signIn('seller', { email: 'seller@example.test' });
  await page.goto(AD_LINK);
  await page.waitForURL('/auth');
  const release = await hold(page, '/api/user/role');
  const asked = page.waitForRequest('**/api/user/role');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await page.getByLabel('Email').fill('seller@example.test');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  expect((await asked).postDataJSON()).toEqual({ role: 'buyer' });
  expect(pathOf(page)).toBe('/auth');
  release();
  await page.waitForURL(AD_LINK);
  expect((await client.get('/api/auth/user')).body.role).toBe('buyer');
  expect(await referral()).toBeNull();

  await page.goto('/auth');
  await page.waitForURL('/');
  await page.getByText('Welcome back').waitFor();
});

it('ACC-14 AUTH-22 whoever is signed in already and comes to /auth with a referral follows it', async () => {
  const { page, context } = await enterAs(stage, 'both');
  await remember(page);
  await page.goto('/auth');
  await page.waitForURL(AD_LINK);
  await page.getByRole('banner').getByText('buyer', { exact: true }).waitFor();
  await context.close();
});

it('ONB-02 ONB-03 ONB-04 the welcome dialog waits for a referral, and does not return where it was completed', async () => {
  const { page, context, client } = await enterAs(stage, 'both');
  const forget = async () =>
    await stage.server.ctx.db
      .updateTable('users')
      .set({ hasCompletedOnboarding: false })
      .where('id', '=', client.user.id)
      .execute();
  await forget();
  const dialog = page.getByRole('dialog', { name: /^Welcome/ });
  const open = async (path: string) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
  };

  await open('/demo');
  await dialog.waitFor();
  await remember(page);
  await open('/');
  expect(await dialog.count()).toBe(0);

  await page.evaluate(() => localStorage.removeItem('campaign-referral'));
  await open('/');
  await dialog.getByRole('radio', { name: 'Both' }).click();
  await dialog.getByRole('button', { name: 'Get Started' }).click();
  await dialog.waitFor({ state: 'detached' });

  // Even if the server should have forgotten it, this browser has not.
  await forget();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await page.waitForURL('/dashboard');
  await open('/');
  expect(await dialog.count()).toBe(0);
  await context.close();
});
