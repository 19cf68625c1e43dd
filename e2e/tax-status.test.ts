import { expect, it } from 'vitest';
import { keyboardOf } from './support/keyboard.ts';
import { toastTitled } from './support/people.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture({ env: { SELF_BILLING: 'on' } });

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
  expect((await client.get('/api/user/settings')).body.agreesToSelfBilling).toBe(true);
  await expectSound(page);
});

// Proves OWNS-128
it('an advertiser has no tax status of a publisher', async () => {
  const { page } = await suite.enter('buyer');
  await page.goto(`${suite.fixture.server.url}/settings?tab=billing`);
  await page.getByRole('region', { name: 'Billing details' }).waitFor();
  expect(await page.getByRole('region', { name: 'Tax status' }).count()).toBe(0);
});
