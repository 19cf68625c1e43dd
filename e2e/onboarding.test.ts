import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { codeFromMail } from './support/mail.ts';
import { answer, enterAs, hold, toastTitled } from './support/people.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { leave, type Person } from './support/person.ts';
import { startPublisher } from './support/publisher.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
  newcomer = await enterAs(fixture, 'both');
  await forget(newcomer.client.user.id);
  await newcomer.page.goto('/');
  await newcomer.page.getByRole('dialog').waitFor();
});
afterAll(async () => {
  await fixture.close();
});

/** Lets the server forget that this user has completed the welcome dialog. */
async function forget(userId: number): Promise<void> {
  await fixture.server.ctx.db
    .updateTable('users')
    .set({ hasCompletedOnboarding: false })
    .where('id', '=', userId)
    .execute();
}

/** Sees the welcome dialog for the first time. It stays open from test to test, until a role is saved. */
let newcomer: Person & { client: Client };

// Proves ONB-08, ONB-09, ONB-11, ONB-15, ONB-16, ONB-17, ONB-18, ONB-19, ONB-20, ONB-21, ONB-22, CONST-01
it('the welcome dialog describes the roles and marks Both as the most popular', async () => {
  const { page } = newcomer;
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
});

// Proves ONB-02, ONB-05, ONB-06, ONB-07
it('the welcome dialog stays open after Escape and a click outside, and blocks the page behind it', async () => {
  const { page } = newcomer;
  const dialog = page.getByRole('dialog');
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
});

// Proves ONB-04, ONB-10, ONB-12, ONB-13, ONB-14, ERR-42, STATE-24, VAL-54
it('the welcome dialog saves one role, says why when it cannot, and the navigation follows the role', async () => {
  const { page } = newcomer;
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
  const release = await hold(page, '/api/user/role');
  await start.click();
  expect(await start.isDisabled()).toBe(true);
  release();
  await dialog.waitFor({ state: 'detached' });
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect
    .poll(() => navigation.getByRole('link').allInnerTexts())
    .toEqual(['Dashboard', 'Ad Zones', 'Earnings', 'Demo']);
  await navigation.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await dialog.count()).toBe(0);
});

// Proves ONB-02, ONB-03, ONB-04
it('the welcome dialog stays away during a referral and after it was completed in this browser', async () => {
  const { page, client } = newcomer;
  await forget(client.user.id);
  await page.evaluate(() => localStorage.clear());
  const dialog = page.getByRole('dialog', { name: /^Welcome/ });
  const open = async (path: string) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
  };

  await open('/demo');
  await dialog.waitFor();
  await page.evaluate((timestamp) => {
    localStorage.setItem('campaign-referral', JSON.stringify({ website: 'W', zone: 'Z', timestamp }));
  }, Date.now());
  await open('/');
  expect(await dialog.count()).toBe(0);

  await page.evaluate(() => localStorage.removeItem('campaign-referral'));
  await open('/');
  await dialog.getByRole('radio', { name: 'Both' }).click();
  await dialog.getByRole('button', { name: 'Get Started' }).click();
  await dialog.waitFor({ state: 'detached' });

  // The browser remembers the completion even when the server does not.
  await forget(client.user.id);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await page.waitForURL('/dashboard');
  await open('/');
  expect(await dialog.count()).toBe(0);
  await leave(page);
});

// Proves CODE-06, EASE-08
it('a publisher needs at most 8 clicks and 7 fields from the landing page to the copied code, and finds the role chosen', async () => {
  const { page } = await fixture.enter();
  const site = await startPublisher('localhost');
  const home = site.put('/quick', '<h1>Short reads</h1>');
  let clicks = 0;
  let fields = 0;
  const press = async (role: 'button' | 'link', name: string | RegExp) => {
    clicks += 1;
    await page.getByRole(role, { name }).click();
  };
  const fill = async (label: string, text: string) => {
    fields += 1;
    await page.getByLabel(label, { exact: true }).fill(text);
  };
  const email = 'quick@example.test';
  await page.goto('/');
  await press('link', 'Start Selling Ad Space');
  await fill('First name', 'Quinn');
  await fill('Last name', 'Quick');
  await fill('Email', email);
  await page.getByText('Email address is ok').waitFor();
  await fill('Password', 'correct horse battery');
  await press('button', 'Create Account');
  await page.getByLabel('Verification code').waitFor();
  await fill('Verification code', await codeFromMail(fixture.server.anyone(), email));
  await press('button', 'Verify Email');
  // The welcome dialog has the role of the pressed button, and leads on to the first website.
  const welcome = page.getByRole('dialog', { name: /^Welcome/ });
  await welcome.waitFor();
  expect(await welcome.getByRole('radio', { name: 'Sell Ad Space' }).isChecked()).toBe(true);
  await press('button', 'Get Started');
  await page.getByRole('dialog', { name: 'Add Your Website' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('wanted-role'))).toBeNull();
  await fill('URL', home);
  fields += 1;
  await page.getByLabel('Category').focus();
  await page.getByLabel('Category').selectOption('Technology');
  await page.getByText('Filled in the name from your page.').waitFor();
  expect(await page.getByLabel('Website name').inputValue()).toBe('A publisher');
  await press('button', 'Add Website');
  // The page behind the dialogs has a button of the same name.
  await page.getByRole('dialog', { name: 'Create Ad Zone' }).waitFor();
  await press('button', 'Create Ad Zone');
  await press('button', 'Save Pricing');
  await press('button', /^Copy code for/);
  await page.getByText('Copied!', { exact: true }).first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('<ad-zone ');
  expect({ clicks, fields }).toEqual({ clicks: 8, fields: 7 });
  await leave(page);
  await site.close();
});
