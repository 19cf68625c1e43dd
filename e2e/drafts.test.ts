import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { makeAd, makeWebsite } from '../server/testing/story.ts';
import { signIn } from './support/forms.ts';
import { pathOf } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { contentPath, fillContent, makePricedZone, submitAd } from './support/wizard.ts';

const suite = useFixture();
/** Both a publisher and an advertiser. */
const user = useResident(suite, 'both');
const dialog = (page: Page) => page.getByRole('dialog').last();
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')));

/** Ends the session while a form is open, sends the form, and signs in as `email` on the page that it leads to. */
async function loseSession(email: string, send: () => Promise<void>): Promise<void> {
  const { page, context } = user;
  const back = pathOf(page);
  await context.clearCookies();
  await send();
  await page.waitForURL('/auth');
  await signIn(page, email);
  await page.waitForURL(back);
}

// Proves ACCT-09
it('the create-ad wizard keeps the typed text when the session ends, and can be submitted after signing in again', async () => {
  const { page, client } = user;
  await user.open(contentPath(await makePricedZone(await suite.client('seller'))));
  await fillContent(page, { Title: 'Typed before' });
  await loseSession(client.user.email, () => submitAd(page));
  await page.getByRole('heading', { name: 'Create Content' }).waitFor();
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Typed before');
  await submitAd(page);
  await page.waitForURL('/dashboard');
  expect(await drafts(page)).toEqual([]);
});

// Proves ACCT-09
it('the website and zone forms keep the typed text when the session ends, and Close clears it', async () => {
  const { page, client } = user;
  await makeWebsite(client);
  await user.open('/ad-zones');
  await page.getByRole('button', { name: 'Add Website' }).click();
  await dialog(page).getByLabel('Website name').fill('Typed before');
  await dialog(page).getByLabel('URL').fill('https://typed.example');
  await dialog(page).getByLabel('Category').selectOption('Travel');
  await loseSession(client.user.email, () =>
    dialog(page).getByRole('button', { name: 'Add Website' }).click(),
  );
  await page.getByRole('button', { name: 'Add Website' }).click();
  expect(await dialog(page).getByLabel('Website name').inputValue()).toBe('Typed before');
  expect(await dialog(page).getByLabel('Category').inputValue()).toBe('Travel');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  expect(await drafts(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add Website' }).click();
  expect(await dialog(page).getByLabel('Website name').inputValue()).toBe('');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Create Ad Zone' }).click();
  await dialog(page).getByLabel('Website').selectOption('The Daily Slot');
  await dialog(page).getByLabel('Ad zone name').fill('Typed zone');
  await dialog(page).getByLabel('Zone type').selectOption('skyscraper');
  await loseSession(client.user.email, () =>
    dialog(page).getByRole('button', { name: 'Create Ad Zone' }).click(),
  );
  await page.getByRole('button', { name: 'Create Ad Zone' }).click();
  expect(await dialog(page).getByLabel('Ad zone name').inputValue()).toBe('Typed zone');
  expect(await dialog(page).getByLabel('Zone type').inputValue()).toBe('skyscraper');
  await dialog(page).getByRole('button', { name: 'Create Ad Zone' }).click();
  await page.getByRole('dialog', { name: 'Set Pricing' }).waitFor();
  expect(await drafts(page)).toEqual([]);
});

// Proves ACCT-09
it('a rejection reason and the changes of a resubmission are kept when the session ends', async () => {
  const { page, client } = user;
  const { product } = await makePricedZone(client);
  const ad = await makeAd(client, product, { title: 'Loud ad' });
  await user.open('/dashboard');
  const openReject = async () => {
    await page.getByRole('button', { name: /Loud ad/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject Ad' }).click();
  };
  await openReject();
  const reject = page.getByRole('dialog', { name: 'Reject Ad' });
  await reject.getByLabel('Reason for rejection').fill('Typed reason');
  await loseSession(client.user.email, () => reject.getByRole('button', { name: 'Reject Ad' }).click());
  await openReject();
  expect(await reject.getByLabel('Reason for rejection').inputValue()).toBe('Typed reason');
  await reject.getByRole('button', { name: 'Reject Ad' }).click();
  await page.getByText('No ads waiting for your approval').waitFor();
  expect(await drafts(page)).toEqual([]);

  const openEdit = async () => {
    await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
    const row = page.getByRole('row').filter({ hasText: ad.title });
    await row.getByRole('button', { name: 'Edit & Resubmit' }).click();
  };
  await openEdit();
  const edit = page.getByRole('dialog', { name: 'Edit & Resubmit' });
  await edit.getByLabel('Title').fill('Quiet ad');
  await loseSession(client.user.email, () => edit.getByRole('button', { name: 'Update & Resubmit' }).click());
  await openEdit();
  await expect.poll(() => edit.getByLabel('Title').inputValue()).toBe('Quiet ad');
  await edit.getByRole('button', { name: 'Cancel' }).click();
  expect(await drafts(page)).toEqual([]);
  await openEdit();
  await expect.poll(() => edit.getByLabel('Title').inputValue()).toBe('Loud ad');
});

// Proves ACCT-09
it('a draft is not shown to another user who signs in, and signing out deletes it', async () => {
  const { page, client } = user;
  const other = await suite.client('buyer');
  await user.open(contentPath(await makePricedZone(await suite.client('seller'))));
  await fillContent(page, { Title: 'Not yours' });
  await loseSession(other.user.email, () => submitAd(page));
  await page.getByRole('heading', { name: 'Create Content' }).waitFor();
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('');
  expect(await drafts(page)).toHaveLength(1);

  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('/');
  expect(await drafts(page)).toEqual([]);
  expect((await client.get('/api/auth/user')).status).toBe(200);
});
