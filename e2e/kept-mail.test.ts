import { expect, it } from 'vitest';
import { makeAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** Submits an ad whose texts are markup. The publisher gets a mail about it. */
async function submitHostileAd(): Promise<{ title: string; publisher: string }> {
  const seller = await suite.client('seller');
  const buyer = await suite.client('buyer');
  const zone = await makeZone(seller, await makeWebsite(seller), { name: '</td></table>\u202e' });
  const product = await makeProduct(seller, zone, { adType: 'image' });
  const title = `<img src=x onerror="document.title='run'">${'W'.repeat(40)}`;
  await makeAd(buyer, product, { title, description: 'مرحبا! 🎈', imageUrl: await upload(buyer) });
  return { title, publisher: seller.user.email };
}

// Proves AUTH-26, A11Y-07
it('/dev/mail shows a mail as HTML and as text, at phone width and without violating its content security policy', async () => {
  const { title, publisher } = await submitHostileAd();
  const { page } = await suite.enter('seller', { width: 375 });
  const refused: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  await page.goto('/dev/mail');
  await page.getByRole('link', { name: publisher }).click();
  await page.getByRole('heading', { level: 1, name: 'An ad is waiting for your review' }).waitFor();

  const message = page.frameLocator('iframe');
  await message.getByText(title, { exact: true }).waitFor();
  const picture = message.getByRole('img', { name: title });
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  expect(await picture.evaluate((image) => image.ownerDocument.title)).toBe(
    'An ad is waiting for your review',
  );
  const overflow = await message.locator('body').evaluate((body) => body.scrollWidth - body.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);

  await page.getByRole('link', { name: 'Text', exact: true }).click();
  await page.getByText(`> ${title}`).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  expect(refused).toEqual([]);
});

// Proves AUTH-26
it('new mail appears at the top by itself, and the keyboard focus stays', async () => {
  const first = await submitHostileAd();
  const { page } = await suite.enter('seller');
  await page.goto('/dev/mail');
  await page.getByRole('link', { name: first.publisher }).focus();
  const second = await submitHostileAd();
  await page.getByRole('listitem').first().getByText(second.publisher).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(first.publisher);
});

// Proves API-29, RUN-09
it('a visitor who opens the billing portal without a session can sign in', async () => {
  const { page, context } = await suite.enter('seller');
  await page.goto('/api/billing/portal');
  await page.getByRole('heading', { level: 1, name: 'No billing account yet' }).waitFor();
  // The background shows that the policy allows the page's style.
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground).toBe('rgb(246, 248, 248)');
  await context.clearCookies();
  const answer = await page.goto('/api/billing/portal');
  expect(answer?.status()).toBe(401);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL('**/auth');
});
