/**
 * The checkout with Stripe: the real client on the server, Stripe's own React components in the browser, and stand-ins in
 * place of Stripe's server and script.
 */
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { readPayee } from '#server/money/payees/read.ts';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import type { Client } from '../server/testing/client.ts';
import { applyWaitingEvents } from '../server/testing/money/sandbox.ts';
import { startStripeServer, type StripeServer } from '../server/testing/stripe/stripe-server.ts';
import { axeFindings } from './support/axe.ts';
import { type Fixture, openFixture } from './support/fixture.ts';
import { resize } from './support/layout.ts';
import { assertNoErrors, enterAs, pathOf, toastTitled } from './support/people.ts';
import type { Person } from './support/person.ts';
import { playStripe, type StripeBehavior } from './support/stripe-page.ts';

let stripe: StripeServer;
let fixture: Fixture;
/** Both an advertiser and a publisher, whose page stays open from test to test. */
let person: Person & { client: Client };

beforeAll(async () => {
  stripe = await startStripeServer();
  fixture = await openFixture({ env: stripe.env });
  stripe.webhooks.account = `${fixture.server.url}/api/webhooks/stripe`;
  person = await enterAs(fixture, 'both');
});
afterEach(async () => {
  assertNoErrors(person);
  await person.page.unrouteAll({ behavior: 'ignoreErrors' });
  person.page.removeAllListeners('request');
});
afterAll(async () => {
  await fixture.close();
  await stripe.close();
});

const payButton = (page: Page) => page.getByRole('button', { name: 'Pay $100.00' });
const cardFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Secure payment input frame"]');
const done = (page: Page) => page.getByText('Payment successful. Your ad is live.');

async function enter(behavior: StripeBehavior = {}): Promise<{ page: Page; ad: Ad; client: Client }> {
  const { page, client } = person;
  await playStripe(page, stripe, behavior);
  const ad = await makeApprovedAd(await fixture.server.signIn('seller'), client);
  return { page, ad, client };
}

async function typeCard(page: Page, number: string): Promise<void> {
  await cardFrame(page).getByLabel('Card number').fill(number);
}

async function openCheckout(page: Page, ad: Ad): Promise<void> {
  await page.goto(`/checkout/${ad.publicId}`);
  await cardFrame(page).getByLabel('Card number').waitFor();
}

async function statusOf(client: Client, ad: Ad): Promise<string> {
  return ((await client.get(`/api/ads/${ad.id}`)).body as Ad).status;
}

it('pays with the form of Stripe, whose script only the checkout loads, reloaded once for a user who comes from another page', async () => {
  const { page, ad, client } = await enter();
  const hosts = new Set<string>();
  let documents = 0;
  page.on('request', (request) => {
    hosts.add(new URL(request.url()).host);
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents++;
  });
  await page.goto('/');
  const payNow = page.getByRole('link', { name: 'Pay Now' });
  await payNow.waitFor();
  expect([...hosts].filter((host) => host.endsWith('stripe.com'))).toEqual([]);

  documents = 0;
  await payNow.click();
  await cardFrame(page).getByLabel('Card number').waitFor();
  expect(pathOf(page)).toBe(`/checkout/${ad.publicId}`);
  expect(documents).toBe(1);
  expect(hosts).toContain('js.stripe.com');
  await page.getByText('Stripe test mode: no money moves').first().waitFor();
  await typeCard(page, '4242 4242 4242 4242');
  await payButton(page).click();
  await done(page).waitFor();
  expect(await statusOf(client, ad)).toBe('active');
  await expect.poll(() => pathOf(page)).toBe('/dashboard?payment=success');
  // The number went from the frame to Stripe, and never to us.
  expect(JSON.stringify(stripe.requests)).not.toContain('4242424242424242');
});

it('shows why a card was declined, asks the bank in place, and takes another card on the same intent', async () => {
  const { page, ad, client } = await enter();
  await openCheckout(page, ad);
  await payButton(page).click();
  await toastTitled(page, 'Payment Failed').getByText('Your card number is incomplete.').waitFor();
  await typeCard(page, '4000 0000 0000 9995');
  await payButton(page).click();
  await toastTitled(page, 'Payment Failed').getByText('Your card has insufficient funds.').waitFor();
  expect(await statusOf(client, ad)).toBe('approved');

  const bank = page.frameLocator('iframe[title="Your bank"]');
  await typeCard(page, '4000 0000 0000 3220');
  await payButton(page).click();
  await bank.getByRole('button', { name: 'Fail' }).click();
  await toastTitled(page, 'Payment Failed')
    .getByText(/unable to authenticate/)
    .waitFor();
  await payButton(page).click();
  await bank.getByRole('button', { name: 'Complete' }).click();
  await done(page).waitFor();
  const made = stripe.requests.filter(
    ({ call, parameters }) =>
      call === 'POST /v1/payment_intents' && JSON.stringify(parameters).includes(ad.publicId),
  );
  expect(made).toHaveLength(1);
});

it('comes back from the page of the bank, and removes the secret from the address', async () => {
  const { page, ad, client } = await enter({ bank: 'redirect' });
  await openCheckout(page, ad);
  await typeCard(page, '4000 0000 0000 3220');
  await payButton(page).click();
  await page.getByRole('link', { name: 'Refuse' }).click();
  await toastTitled(page, 'Payment Failed')
    .getByText(/unable to authenticate/)
    .waitFor();
  expect(pathOf(page)).toBe(`/checkout/${ad.publicId}`);
  expect(await statusOf(client, ad)).toBe('approved');

  await typeCard(page, '4000 0000 0000 3220');
  await payButton(page).click();
  await page.getByRole('link', { name: 'Confirm' }).click();
  await done(page).waitFor();
  expect(page.url()).not.toContain('secret');
  expect(await statusOf(client, ad)).toBe('active');
  await expect.poll(() => pathOf(page)).toBe('/dashboard?payment=success');
});

// Proves PYEE-03
it('a publisher who returns from Stripe is ready only when Stripe says so', async () => {
  const { page, client } = person;
  const back = `${fixture.server.url}/earnings?payouts=returned`;
  await page.route(`${stripe.url}/onboarding/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${back}">Back</a>` }),
  );
  await page.goto('/earnings');
  const settings = page.getByRole('region', { name: 'Payout Settings' });
  await settings.getByLabel('Country of your bank account').selectOption('France');
  await settings.getByRole('button', { name: 'Set up payouts' }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText('Checking with the card provider').waitFor();
  await settings.getByText('Details needed').waitFor();
  await settings.getByText('Enter your date of birth.').waitFor();

  const { accountId } = await readPayee(fixture.server.ctx, client.user.id);
  stripe.finishOnboarding(String(accountId));
  fixture.server.clock.advance(MINUTE_MS);
  await settings.getByRole('button', { name: 'Update details' }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await settings.getByText('Ready').waitFor();
  expect(await page.getByText('Checking with the card provider').count()).toBe(0);
});

it('is paid by keyboard at 375 px, without findings of axe in both themes; a slow bank is processing the payment, and the ad goes live without the browser', async () => {
  const { page, ad, client } = await enter({ slow: true });
  await resize(page, { width: 375, height: 900 });
  await openCheckout(page, ad);
  await payButton(page).isEnabled();
  expect(await axeFindings(page)).toEqual([]);
  const light = await page.evaluate(() =>
    JSON.stringify((window as { stripeAppearance?: unknown }).stripeAppearance),
  );
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(page, 'dark')).toEqual([]);
  await expect
    .poll(async () =>
      page.evaluate(() => JSON.stringify((window as { stripeAppearance?: unknown }).stripeAppearance)),
    )
    .not.toBe(light);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);

  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.tagName === 'IFRAME')) break;
  }
  await page.keyboard.type('4242424242424242');
  await page.keyboard.press('Tab');
  expect(await payButton(page).evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('Your payment is being processed.').waitFor();
  expect(pathOf(page)).toBe(`/checkout/${ad.publicId}`);
  expect(await statusOf(client, ad)).toBe('approved');
  const intent = stripe.requests.findLast(({ call }) => call.startsWith('GET /v1/payment_intents/'));
  stripe.settle(String(intent?.call.split('/').at(-1)));
  // Wait until Stripe's event has arrived, and apply it.
  await expect
    .poll(async () => {
      await applyWaitingEvents(fixture.server.ctx);
      return await statusOf(client, ad);
    })
    .toBe('active');
});

// The last test, because the page's clock stays replaced.
it('says within ten seconds that a blocked or silent script did not load, and loads it on Try again', async () => {
  const { page, ad } = await enter();
  const asked: string[] = [];
  let isBlocked = true;
  await page.unroute('https://js.stripe.com/**');
  await page.route('https://js.stripe.com/**', async (route) => {
    asked.push(route.request().url());
    if (isBlocked) await route.abort();
  });
  await page.clock.install();
  // A script that is still loading holds back the load event.
  await page.goto(`/checkout/${ad.publicId}`, { waitUntil: 'domcontentloaded' });
  await page.getByText('The card form didn’t load').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  isBlocked = false;
  const before = asked.length;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => asked.length).toBeGreaterThan(before);
  await page.getByText('The card form didn’t load').waitFor({ state: 'detached' });
  await page.clock.fastForward(10_000);
  await page.getByText('The card form didn’t load').waitFor();

  await page.unroute('https://js.stripe.com/**');
  await playStripe(page, stripe);
  await page.getByRole('button', { name: 'Try again' }).click();
  await cardFrame(page).getByLabel('Card number').waitFor();
});
