import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

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
