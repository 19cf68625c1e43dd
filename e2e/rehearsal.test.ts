/** The panel for an operator who rehearses what happens to money. */
import { expect, it, vi } from 'vitest';
import { makeLiveAd, makeWebsite } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves REHE-12
it('moves the clock, plays a dispute and verifies a website by keyboard, and keeps the focus', async () => {
  const { server } = suite.fixture;
  const seller = await suite.client('seller');
  const { ad } = await makeLiveAd(seller, await suite.client('buyer'), {
    ad: { title: 'A title that is long enough to need two lines on a phone that is 320 pixels wide' },
  });
  const site = await makeWebsite(seller, { name: 'The made-up gazette', url: 'https://made-up.example' });
  await seller.post('/api/payouts/account', { country: 'DE' });

  const { page } = await suite.enter('buyer');
  await page.goto('/dev/rehearsal');
  const result = page.getByRole('status');
  const before = server.ctx.now().getTime();
  await page.getByRole('button', { name: '+7 days' }).focus();
  await page.keyboard.press('Enter');
  await result.getByText('The clock is now at').waitFor();
  await page.getByText(/7 days ahead of the wall clock/).waitFor();
  expect(server.ctx.now().getTime() - before).toBeGreaterThanOrEqual(7 * 86_400_000);
  await vi.waitUntil(() => page.evaluate('document.activeElement.textContent === "+7 days"'), {
    timeout: 60_000,
  });

  await page.getByLabel('What happens').first().focus();
  await page.getByLabel('What happens').first().selectOption('Inquiry');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await result.getByText('asks about the payment').waitFor();
  expect(await page.getByLabel('What happens').first().inputValue()).toBe('inquiry');
  await page.getByRole('button', { name: `Play: ${ad.title}` }).click();
  await result.getByText('already has an open dispute').waitFor();

  await page.getByLabel('What happens').nth(1).selectOption('Documents complete');
  await page.getByRole('button', { name: `Play: ${seller.user.email}` }).click();
  await result.getByText('They can be paid').waitFor();

  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    found.push(...(await axeFindings(page, theme)));
  }
  for (const width of [320, 375, 1280]) {
    await resize(page, { width, height: 640 });
    found.push(...(await sideways(page)), ...(await lostText(page)));
  }
  expect(found).toEqual([]);

  await page.getByRole('button', { name: `Mark as verified: ${site.name}` }).click();
  await result.getByText('The made-up gazette is verified.').waitFor();
  await page.getByRole('button', { name: `Mark as verified: ${site.name}` }).waitFor({ state: 'detached' });
});

// Proves REHE-04
it('the web application shows days by the marketplace’s clock', async () => {
  const { server } = suite.fixture;
  const { page, client } = await suite.enter('buyer');
  await makeLiveAd(await suite.client('seller'), client);
  const moved = await server.anyone().post('/dev/clock', { advance: 40 * 86_400 });
  const today = (moved.body.now as string).slice(0, 10);
  // The report takes no day that is still to come.
  await page.goto(`/dashboard?range=custom&from=${today}&to=${today}`);
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe(today);
});
