import { expect, it } from 'vitest';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { keyboardOf } from './support/keyboard.ts';
import { toastTitled } from './support/people.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture({ env: { SELF_BILLING: 'on', VIES: 'on' } });

// Proves OWNS-128
it('a publisher states the tax status and agrees to self-billing by keyboard; a refusal is said and keeps the stored value', async () => {
  const { page, client } = await suite.enter('seller');
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`${suite.fixture.server.url}/settings?tab=billing`);
  const card = page.getByRole('region', { name: 'Tax status' });
  await card.getByText('ask a tax adviser').waitFor();
  const { tabTo, choose, press } = keyboardOf(page);
  const agree = card.getByRole('switch', { name: 'I agree to self-billing' });

  await choose('You are a', 'Business');
  await expect
    .poll(async () => (await client.get('/api/user/settings')).body.taxStatus as unknown)
    .toBe('business');
  await tabTo('switch', 'I agree to self-billing');
  await press('Space');
  await toastTitled(page, 'Update Failed').waitFor();
  await page.getByText('For self-billing, keep your country and address').first().waitFor();
  expect(await agree.getAttribute('aria-checked')).toBe('false');

  const details = { country: 'DE', address: 'Hauptstraße 5\n50667 Köln' };
  expect((await client.patch('/api/user/settings', details)).status).toBe(200);
  await press('Space');
  await expect.poll(() => agree.getAttribute('aria-checked')).toBe('true');
  await expect
    .poll(async () => (await client.get('/api/user/settings')).body.agreesToSelfBilling as unknown)
    .toBe(true);
  await expectSound(page);
});

// Proves OWNS-128
it('an advertiser has no tax status of a publisher', async () => {
  const { page } = await suite.enter('buyer');
  await page.goto(`${suite.fixture.server.url}/settings?tab=billing`);
  await page.getByRole('region', { name: 'Billing details' }).waitFor();
  expect(await page.getByRole('region', { name: 'Tax status' }).count()).toBe(0);
});

// Proves OWNS-129
it('the checkout says that VIES does not know a tax number, and takes another one', async () => {
  const { page, client } = await suite.enter('buyer');
  const ad = await makeApprovedAd(await suite.client('seller'), client);
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`${suite.fixture.server.url}/checkout/${ad.publicId}`);
  const receipt = page.getByRole('region', { name: 'Receipt for' });
  await receipt.getByRole('button', { name: 'Change' }).click();
  await receipt.getByLabel('Company').fill('Rossi S.r.l.');
  await receipt.getByLabel('Country').selectOption('Italy');
  // The stand-in for VIES does not know numbers that begin with 200.
  await receipt.getByLabel('Tax ID').fill('20012345678');
  await receipt.getByRole('button', { name: 'Save' }).click();
  await receipt.getByRole('alert').getByText('doesn’t know the tax number IT20012345678').waitFor();
  await expectSound(page);
  await receipt.getByLabel('Tax ID').fill('IT 123 456 789 01');
  await receipt.getByRole('button', { name: 'Save' }).click();
  await receipt.getByText('Rossi S.r.l.').waitFor();
});
