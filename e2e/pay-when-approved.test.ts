/** "Pay when approved" in the browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { chargeConsented } from '#server/payments/consents/charge.ts';
import { approve, makeAd } from '../server/testing/story.ts';
import { fillCard } from './support/forms.ts';
import { axeFindings } from './support/axe.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { fillContent, makePricedZone, openContent } from './support/wizard.ts';

const suite = useFixture();
const buyer = useResident(suite, 'buyer');

const allow = (page: Page) => page.getByRole('button', { name: 'Allow and save card' });
const adNow = async ({ publicId }: Pick<Ad, 'publicId'>): Promise<Ad> =>
  (await buyer.client.get(`/api/ads/${publicId}`)).body;

async function pendingAd(title: string): Promise<Ad> {
  const seller = await suite.client('seller');
  const { product } = await makePricedZone(seller);
  return await makeAd(buyer.client, product, { title });
}

// Proves CONS-12
it('is offered in the wizard’s last step, and the campaign then says so until it is withdrawn', async () => {
  const { page } = buyer;
  const seller = await suite.client('seller');
  const place = await makePricedZone(seller);
  await openContent(page, place);
  await fillContent(page, { Title: 'From the wizard' });
  await page.getByRole('button', { name: 'Submit and pay when approved' }).click();
  await page.waitForURL('**/checkout/*/on-approval');
  await allow(page).waitFor();
  await page.getByText('and to charge it $100.00 once, when the publisher approves my ad').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await fillCard(page);
  await allow(page).press('Enter');
  await page.getByText('Saved. When the publisher approves your ad, we charge $100.00').waitFor();

  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  const row = page.getByRole('row').filter({ hasText: 'From the wizard' });
  await row.getByText('Pays when approved · •••• 4242').waitFor();
  await row.getByRole('button', { name: 'Remove card' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click();
  await row.getByRole('link', { name: 'Pay when approved' }).waitFor();

  // Again, and this time the publisher approves.
  await row.getByRole('link', { name: 'Pay when approved' }).click();
  await allow(page).waitFor();
  await fillCard(page, '4000002760003184');
  await allow(page).click();
  await page
    .getByRole('dialog', { name: 'Confirm your card' })
    .getByRole('button', { name: 'Complete' })
    .click();
  await page.getByText('to your card •••• 3184').waitFor();
  const mine: Ad[] = (await buyer.client.get('/api/ads/my')).body;
  const made = mine.find(({ title }) => title === 'From the wizard') as Ad;
  await approve(seller, made);
  await chargeConsented(suite.fixture.server.ctx, made.id);
  expect(await adNow(made)).toMatchObject({ status: 'approved', consent: { state: 'needs_action' } });
  await buyer.open('/dashboard');
  await row.getByText('Your bank wants you to confirm the payment with card •••• 3184').waitFor();
  await row.getByRole('link', { name: 'Pay Now' }).waitFor();
});

// Proves CONS-12
it('resumes after the page was left, and is listed with ‘Remove card’ in Settings › Billing', async () => {
  const { page } = buyer;
  const ad = await pendingAd('Left and resumed');
  await buyer.open(`/checkout/${ad.publicId}/on-approval`);
  await allow(page).waitFor();
  await page.reload();
  await allow(page).waitFor();
  await page.setViewportSize({ width: 375, height: 800 });
  await fillCard(page);
  await allow(page).click();
  await page.getByText('Saved.').waitFor();
  await buyer.open('/settings?tab=billing');
  const card = page.getByRole('region', { name: 'Pay when approved' });
  const item = card.getByRole('listitem').filter({ hasText: 'Left and resumed' }).first();
  await item.getByText('Visa •••• 4242').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await item.getByRole('button', { name: 'Remove card' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click();
  await item.getByText('Removed.').waitFor();
  expect((await adNow(ad)).consent?.state).toBe('withdrawn');
  await page.setViewportSize({ width: 1280, height: 800 });
});
