/** The views that a day of a campaign needs, from the order to the campaign. */
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { pay } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { sideways } from './support/layout.ts';
import { toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { fillContent, makePricedZone, openContent, submitAd } from './support/wizard.ts';

const suite = useFixture({ env: { TRAFFIC_RULES: 'production' } });

// Proves WARD-31
it('both sides read how many views a day needs: in the order, at the checkout, in the review and in the campaign', async () => {
  const { page, client: buyer } = await suite.enter('buyer', { width: 375 });
  const seller = await suite.enter('seller', { width: 375 });
  const place = await makePricedZone(seller.client, {
    product: { duration: 7, price: '700.00' },
    website: { monthlyVisitors: 12_000 },
  });
  const needs = 'Each day needs 10 counted views. You don’t pay for a day with fewer';
  await openContent(page, place);
  const summary = page.getByRole('region', { name: 'Order Summary' });
  await summary.getByText(needs).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await sideways(page)).toEqual([]);
  await fillContent(page);
  await submitAd(page);
  await expect.poll(async () => (await buyer.get('/api/ads/my')).body.length).toBe(1);
  const ad = (await buyer.get('/api/ads/my')).body[0] as Ad;
  expect(ad.minDayViews).toBe(10);

  await seller.page.goto('/dashboard');
  await seller.page.getByRole('button', { name: /Fresh coffee/ }).click();
  const review = seller.page.getByRole('dialog', { name: 'Review Ad Submission' });
  await review.getByText('10 counted views').waitFor();
  await review.getByRole('button', { name: 'Approve Ad' }).click();
  await toastTitled(seller.page, 'Ad approved successfully').waitFor();
  await page.goto(`/checkout/${ad.publicId}`);
  await page.getByText(needs).first().waitFor();
  await pay(buyer, ad);
  await page.goto(`/campaigns/${ad.publicId}`);
  await page.getByText('10 counted views').first().waitFor();
});
