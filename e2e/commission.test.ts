/** The commission of a marketplace that keeps 7.5%, where people read it. */
import { expect, it } from 'vitest';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { hydrated } from './support/hydrated.ts';
import { enterAs } from './support/people.ts';
import { rawPagesOf } from './support/raw-page.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture({ env: { COMMISSION: '7.5' } });
const { html } = rawPagesOf(() => suite.fixture);

// Proves OWNS-62
it('the landing page and its descriptions say the publisher’s part, before and after the scripts have run', async () => {
  const home = (await html('/')).replaceAll(/<(script|style)[^>]*>[^]*?<\/\1>/g, '');
  expect(home).toContain('keep 92.5% of every sale');
  expect(home).toContain('7.5% fee');
  expect(home).toContain('<rect width="92.5%"');
  expect(home).not.toMatch(/85%|15%|%[A-Z]+_?[A-Z]*%/);
  const { page } = await suite.fixture.enter();
  await page.goto('/');
  await hydrated(page, '#root > *');
  expect(await page.locator('#root').innerText()).toContain('92.5% to the publisher');
});

// Proves OWNS-62
it('the welcome dialog, the payout settings and the checkout say it', async () => {
  const { page, client } = await enterAs(suite.fixture, 'both');
  const forget = async (hasCompletedOnboarding: boolean) =>
    await suite.fixture.server.ctx.db
      .updateTable('users')
      .set({ hasCompletedOnboarding })
      .where('id', '=', client.user.id)
      .execute();
  await forget(false);
  await page.goto('/');
  await page.getByText('Earn 92.5% commission on all sales').waitFor();
  await forget(true);
  await page.goto('/settings?tab=billing');
  await page.getByText('You keep 92.5% of every sale.').waitFor();

  const ad = await makeApprovedAd(await suite.client('seller'), client);
  await page.goto(`/checkout/${ad.publicId}`);
  await page.getByText('Platform fee (7.5%), included').waitFor();
  const lines = await page.getByRole('region', { name: 'Payment' }).locator('dl').first().innerText();
  expect(lines).toContain('$7.50');
});
