import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeAd } from '../server/testing/story.ts';
import { hold, recordCalls } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';

const suite = useFixture();

/** Double-clicks the button, and expects it to be disabled until the held answer arrives and to send `call` once. */
async function sendsOnce(page: Page, button: Locator, call: string): Promise<void> {
  const path = call.split(' ')[1] ?? '';
  const release = await hold(page, path);
  const calls = recordCalls(page);
  const asked = page.waitForRequest(`**${path}`);
  await button.dblclick();
  await asked;
  expect([call, await button.isDisabled()]).toEqual([call, true]);
  const answered = page.waitForResponse(`**${path}`);
  release();
  await answered;
  expect(calls.filter((each) => each.startsWith(call))).toHaveLength(1);
}

// Proves STATE-23
it('a double click creates a website, a zone and a price only once', async () => {
  const { page, client } = await suite.enter('seller');
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: 'Add Your First Website' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Website name').fill('Once');
  await dialog.getByLabel('URL').fill('https://once.example');
  await dialog.getByLabel('Category').selectOption('Food');
  await sendsOnce(page, dialog.getByRole('button', { name: 'Add Website' }), 'POST /api/websites {');
  await dialog.getByLabel('Ad zone name').fill('Once');
  await sendsOnce(page, dialog.getByRole('button', { name: 'Create Ad Zone' }), 'POST /api/ad-zones');
  await dialog.getByLabel('Price (USD)').fill('5');
  await dialog.getByRole('button', { name: 'Save Pricing' }).dblclick();
  await page.getByText('Pricing saved successfully').first().waitFor();

  const [website] = (await client.get('/api/websites/my')).body;
  const [zone] = (await client.get(`/api/websites/${website.id}/ad-zones`)).body;
  // A new ad zone sells each ad type at one price.
  expect((await client.get(`/api/ad-zones/${zone.id}/products`)).body).toMatchObject(
    ['text', 'image', 'video'].map((adType) => ({ adType, price: '5.00' })),
  );
});

// Proves STATE-23
it('a double click sends a rejection and a resubmission only once', async () => {
  const { page, client } = await suite.enter('both');
  const { product } = await makePricedZone(client);
  const ad = await makeAd(client, product, { title: 'Sent once' });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /Sent once/ }).click();
  await page.getByRole('button', { name: 'Reject Ad' }).click();
  const reject = page.getByRole('dialog', { name: 'Reject Ad' });
  await reject.getByLabel('Reason for rejection').fill('Too loud');
  await sendsOnce(page, reject.getByRole('button', { name: 'Reject Ad' }), `PUT /api/ads/${ad.id}/reject`);

  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  await page.getByRole('button', { name: 'Edit & Resubmit' }).click();
  const edit = page.getByRole('dialog');
  await edit.getByLabel('Title').fill('Sent once more');
  await sendsOnce(page, edit.getByRole('button', { name: 'Update & Resubmit' }), `PUT /api/ads/${ad.id}`);
});
