/** Pages that stay open while their server is upgraded to a release with other files. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeWebsite } from '../server/testing/story.ts';
import { answer, walkTo } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { contentPath, fillContent, makePricedZone } from './support/wizard.ts';

const suite = useFixture();

/** Answers as a server of another release, which has none of this page's files, for as long as `isGone` returns true. */
async function withoutFiles(page: Page, names: string, isGone: () => boolean): Promise<void> {
  await page.route('**/assets/*.js', async (route) => {
    const isAsked = route.request().method() === 'HEAD' || new RegExp(names).test(route.request().url());
    if (isGone() && isAsked) await route.fulfill({ status: 404, json: { message: 'Not found' } });
    else await route.continue();
  });
}

/** Counts the documents that the page loads from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

const openMarketplace = async (page: Page) =>
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Marketplace' }).click();

it('an open page reloads once by itself when an upgrade has taken its code, and keeps the drafts', async () => {
  const { page } = await suite.enter('both');
  const path = contentPath(await makePricedZone(await suite.client('seller')));
  await page.goto(path);
  await fillContent(page, { Title: 'Typed before the upgrade' });
  const loads = countLoads(page);
  await withoutFiles(page, '.', () => loads() === 0);
  await openMarketplace(page);
  await page.getByRole('heading', { level: 1, name: 'Marketplace' }).waitFor();
  expect(loads()).toBe(1);
  await walkTo(page, path);
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Typed before the upgrade');
});

it('a page also reloads once when the code of a dialog is gone', async () => {
  const { page, client } = await suite.enter('seller');
  await makeWebsite(client);
  await page.goto('/ad-zones');
  const button = page.getByRole('button', { name: 'Create Ad Zone' });
  await button.waitFor();
  const loads = countLoads(page);
  await withoutFiles(page, 'dialog', () => loads() === 0);
  await button.click();
  await expect.poll(loads).toBe(1);
  await button.click();
  await page.getByRole('dialog').getByLabel('Ad zone name').waitFor();
  expect(loads()).toBe(1);
});

it('keeps what was typed into a form without drafts over that reload, and no longer', async () => {
  const { page } = await suite.enter('both');
  await page.goto('/settings?tab=members');
  const email = page.getByLabel('Email address');
  await email.fill('colleague@example.test');
  // As a person reaches it, because Playwright selects without the focus.
  await email.press('Tab');
  await page.getByLabel('Role').selectOption('billing');
  const loads = countLoads(page);
  await withoutFiles(page, 'reauthenticate-form', () => loads() === 0);
  suite.fixture.server.clock.advance(16 * 60_000);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect.poll(loads).toBe(1);
  await expect.poll(async () => await email.inputValue()).toBe('colleague@example.test');
  expect(await page.getByLabel('Role').inputValue()).toBe('billing');
  const stored = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  expect(await stored()).not.toContain('colleague');
});

it('stores no password for that reload, not even one that is shown', async () => {
  const { page } = await suite.enter('both');
  await page.goto('/settings?tab=security');
  const password = page.getByLabel('Current password', { exact: true });
  await page.getByRole('button', { name: 'Show characters' }).first().click();
  expect(await password.getAttribute('type')).toBe('text');
  await password.fill('a password that stays');
  const loads = countLoads(page);
  await withoutFiles(page, 'second-factor-steps', () => loads() === 0);
  await page.getByRole('button', { name: 'Set up two-step verification' }).click();
  await expect.poll(loads).toBe(1);
  await password.waitFor();
  expect(await password.inputValue()).toBe('');
  const stored = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  expect(stored).not.toContain('a password');
});

it('if the reload comes to a server without the code as well, the page says so once, and a button loads it later', async () => {
  const { page } = await suite.enter('buyer');
  await page.goto('/transactions');
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
  let isGone = true;
  const loads = countLoads(page);
  await withoutFiles(page, '/marketplace-', () => isGone);
  await openMarketplace(page);
  await page.getByText('Openslot was updated. Reload the page.', { exact: true }).waitFor();
  expect(loads()).toBe(1);
  isGone = false;
  await page.getByRole('button', { name: 'Refresh Page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Marketplace' }).waitFor();
  expect(loads()).toBe(2);
});

it('a page whose code does not arrive because the network is down does not reload, which would lose it', async () => {
  const { page } = await suite.enter('buyer');
  await page.goto('/transactions');
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
  const loads = countLoads(page);
  await answer(page, '/assets/*.js', null);
  await openMarketplace(page);
  await page.getByText('Something went wrong. Please refresh the page to try again.').waitFor();
  expect(loads()).toBe(0);
});
