/** A role, or an ad under review, that changes while the page of its user is open. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Client } from '../server/testing/client.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { assertNoErrors, enterAs, toastTitled, walkTo } from './support/people.ts';
import type { Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';

const suite = useFixture();

/**
 * A person whose page stays open while their role changes, with an ad that waits for their approval and one that was
 * rejected.
 */
let person: Person & { client: Client };
let page: Page;
let client: Client;
let buyer: Client;
let waiting: Ad;
let refused: Ad;

beforeAll(async () => {
  person = await enterAs(suite.fixture, 'both');
  ({ page, client } = person);
  buyer = await suite.client('buyer');
  const seller = await suite.client('seller');
  const own = await makePricedZone(client, { website: { name: 'Kept site' } });
  waiting = await makeAd(buyer, own.product, { title: 'Waiting ad' });
  refused = await makeAd(client, (await makePricedZone(seller)).product, { title: 'Refused ad' });
  await seller.put(`/api/ads/${refused.id}/reject`, { rejectionReason: 'Too loud' });
});
afterAll(() => assertNoErrors(person));

/** Changes the role through the API. The open page does not know about it yet. */
async function loseRole(client: Client, role: 'buyer' | 'seller'): Promise<void> {
  expect((await client.patch('/api/user/role', { role })).status).toBe(200);
}

async function expectRefusal(page: Page, words: string): Promise<void> {
  const toast = toastTitled(page, 'Error').filter({ hasText: words });
  await toast.waitFor();
  expect(await toast.getAttribute('data-variant')).toBe('destructive');
}

// Proves ROLE-13, DASH-S-33
it('a user who is no longer a seller can neither approve nor reject ads', async () => {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /Waiting ad/ }).click();
  const review = page.getByRole('dialog', { name: 'Review Ad Submission' });
  await review.getByRole('button', { name: 'Approve Ad' }).waitFor();
  await loseRole(client, 'buyer');
  await review.getByRole('button', { name: 'Approve Ad' }).click();
  await expectRefusal(page, 'You need the Ad Seller role to do this.');

  await review.getByRole('button', { name: 'Reject Ad' }).click();
  const reject = page.getByRole('dialog', { name: 'Reject Ad' });
  await reject.getByLabel('Reason for rejection').fill('Too loud');
  await reject.getByRole('button', { name: 'Reject Ad' }).click();
  await expect.poll(() => toastTitled(page, 'Error').count()).toBe(2);
  expect((await buyer.get(`/api/ads/${waiting.id}`)).body.status).toBe('pending');

  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).waitFor();
  expect(await page.getByText('Waiting ad').count()).toBe(0);
});

// Proves ROLE-08, DASH-B-20
it('a user who is no longer a buyer cannot resubmit ads', async () => {
  await page.getByRole('button', { name: 'Edit & Resubmit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit & Resubmit' });
  await dialog.getByLabel('Title').fill('A quieter ad');
  await loseRole(client, 'seller');
  await dialog.getByRole('button', { name: 'Update & Resubmit' }).click();
  await expectRefusal(page, 'You need the Ad Buyer role to do this.');
  expect(await dialog.getByLabel('Title').inputValue()).toBe('A quieter ad');
  expect((await client.get(`/api/ads/${refused.id}`)).body).toMatchObject({
    status: 'rejected',
    title: 'Refused ad',
  });

  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Seller Dashboard' }).waitFor();
  expect(await page.getByRole('button', { name: 'Edit & Resubmit' }).count()).toBe(0);
});

// Proves ROLE-12
it('a user who is no longer a seller cannot create websites or zones', async () => {
  await walkTo(page, '/ad-zones');
  await page.getByRole('button', { name: 'Add Website' }).click();
  const form = page.getByRole('dialog', { name: 'Add Website' });
  await form.getByLabel('Website name').fill('Another site');
  await form.getByLabel('URL').fill('https://another.example');
  await form.getByLabel('Category').selectOption('Food');
  await loseRole(client, 'buyer');
  await form.getByRole('button', { name: 'Add Website' }).click();
  await expectRefusal(page, 'You need the Ad Seller role to do this.');
  expect((await client.get('/api/websites/my')).body).toHaveLength(1);

  // The page still shows the websites that the user has, without the buttons to add more.
  await page.goto('/ad-zones');
  await page.getByText('Kept site').first().waitFor();
  await page.getByText('your role is buyer').waitFor();
  for (const name of ['Add Website', 'Create Ad Zone']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
});

// Proves DOOR-08
it('an ad that was resubmitted under an open review is shown again before it can be approved', async () => {
  const { page, client: seller } = await suite.enter('seller');
  const buyer = await suite.client('buyer');
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const ad = await makeAd(buyer, product, { title: 'Harmless at first' });
  const content = { title: 'Something else', description: 'Not what you saw.', targetUrl: ad.targetUrl };
  /** The publisher rejects the ad in another tab, and the advertiser sends a new version. */
  const resubmit = async (title: string) => {
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Not yet' });
    await buyer.put(`/api/ads/${ad.id}`, { ...content, title });
  };
  const status = async () => ((await seller.get(`/api/ads/${ad.id}/details`)).body as Ad).status;

  await page.goto('/dashboard');
  await page.getByRole('button', { name: /Harmless at first/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Review Ad Submission' });
  await dialog.getByText('Harmless at first').first().waitFor();
  await resubmit('Something else');
  await dialog.getByRole('button', { name: 'Approve Ad' }).click();
  await dialog.getByText('The advertiser has changed this ad').waitFor();
  await dialog.getByText('Something else').first().waitFor();
  expect(await status()).toBe('pending');

  await resubmit('Something else again');
  await dialog.getByRole('button', { name: 'Reject Ad' }).click();
  const rejection = page.getByRole('dialog', { name: 'Reject Ad' });
  await rejection.getByLabel('Reason for rejection').fill('About the version before');
  await rejection.getByRole('button', { name: 'Reject Ad' }).click();
  await rejection.waitFor({ state: 'hidden' });
  await dialog.getByText('Something else again').first().waitFor();
  expect(await status()).toBe('pending');

  await dialog.getByRole('button', { name: 'Approve Ad' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await status()).toBe('approved');
});
