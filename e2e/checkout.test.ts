import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS } from '#domain/time.ts';
import { completeDueAds } from '#server/ads/complete.ts';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { makeAd, makeLiveAd, pay as payByClient } from '../server/testing/story.ts';
import { fillCard } from './support/forms.ts';
import { answer, pathOf, recordCalls, runUntil, stopClock, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';

const suite = useFixture();
const buyer = useResident(suite, 'buyer');

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });
const form = (page: Page) => page.getByRole('form', { name: 'Card payment' });
const intents = (calls: string[]) => calls.filter((call) => call.includes('/api/create-payment-intent'));
const done = (page: Page) => page.getByText('Payment successful. Your ad is live.');

/** An approved ad of the advertiser that is not paid yet. */
async function makeApproved(fields: Parameters<typeof makeApprovedAd>[2] = {}) {
  const ad = await makeApprovedAd(await suite.client('seller'), buyer.client, fields);
  return { ...buyer, ad };
}

async function openCheckout({ publicId }: Ad): Promise<void> {
  await buyer.open(`/checkout/${publicId}`);
  await payButton(buyer.page).waitFor();
}

async function pay(page: Page, number?: string): Promise<void> {
  await fillCard(page, number?.replaceAll(' ', ''));
  await payButton(page).click();
}

describe('the checkout', () => {
  // Proves DEL-50, FCST-07
  it('estimates the delivery from the zone’s traffic and warns when the zone is oversold', async () => {
    const website = { monthlyVisitors: 30_000 };
    const { page } = buyer;
    const open = async (fields: Parameters<typeof makeApprovedAd>[2]) => {
      const { ad } = await makeApproved(fields);
      await buyer.open(`/checkout/${ad.publicId}`);
    };
    const forecast = page.getByRole('region', { name: 'What you get', exact: true });
    await open({ website });
    await forecast
      .getByText('This ad zone has 50–2,000 views a day, estimated from the publisher’s own figure.')
      .waitFor();
    await forecast.getByText('Your ad should get all of them.').waitFor();

    await open({
      website,
      product: { pricingModel: 'per_impression', duration: null, impressions: 90_000 },
    });
    await forecast
      .getByText('90,000 impressions should take about 90 days if your ad gets all of them.')
      .waitFor();
    await forecast.getByText('This ad zone is oversold.').waitFor();

    await open({});
    await forecast.getByText('There are no traffic figures for this ad zone yet.').waitFor();
  });

  // Proves BROW-10, CHK-01, CHK-04, CHK-05, CHK-06, CHK-07, CHK-08, CHK-09, CHK-10, CHK-11, CHK-12, CHK-13, CHK-14, CONST-02, ENT-41, PAY-08, STATE-04
  it('shows the ad, its price with the included fee, and the card form with one payment intent in a sandbox that moves no money', async () => {
    const { page, ad } = await makeApproved({ ad: { title: 'To be paid', description: 'Worth it' } });
    const calls = recordCalls(page);
    await openCheckout(ad);
    expect(calls).toContain(`GET /api/ads/${ad.publicId}`);
    expect(await page.getByRole('region').first().innerText()).toMatch(
      /^What you get\n+1 day on The Daily Slot/,
    );
    const total = page.getByRole('definition').filter({ hasText: '$100.00' }).last();
    expect(await total.evaluate((element) => getComputedStyle(element).fontSize)).toBe('28px');
    await form(page).getByText('You can cancel at any time, and we refund the rest to your card.').waitFor();
    const details = await page.getByRole('region', { name: 'Your ad' }).innerText();
    for (const text of ['To be paid', 'Worth it', 'Text', 'approved', ad.targetUrl]) {
      expect(details).toContain(text);
    }
    const lines = await page.getByRole('region', { name: 'Payment' }).locator('dl').first().innerText();
    expect(lines.split('\n').filter((line) => line.trim() !== '')).toEqual([
      'Ad cost',
      '$100.00',
      'Platform fee (15%), included',
      '$15.00',
      'Total amount',
      '$100.00',
    ]);
    const money = (await page.getByRole('main').innerText()).match(/\$[\d,.]*\d/g) ?? [];
    expect(money.filter((figure) => !/^\$\d+\.\d{2}$/.test(figure))).toEqual([]);

    expect(intents(calls)).toHaveLength(1);
    for (const label of ['Card number', 'Expiry', 'CVC', 'Name on card']) {
      expect(await form(page).getByLabel(label).isVisible()).toBe(true);
    }
    expect(await payButton(page).innerText()).toBe('Pay $100.00');
    expect(
      await page
        .getByText(/no money moves/)
        .first()
        .isVisible(),
    ).toBe(true);
  });

  // Proves CHK-04
  it('shows an ad without a title as Untitled Ad', async () => {
    const { page, ad } = await makeApproved();
    await answer(page, `/api/ads/${ad.publicId}`, { json: { ...ad, title: '' } });
    await buyer.open(`/checkout/${ad.publicId}`);
    await page.getByRole('heading', { name: 'Untitled Ad' }).waitFor();
  });

  // Proves CHK-02
  it('says Ad Not Found for an unknown ad and for another advertiser’s ad', async () => {
    const { page } = buyer;
    const foreign = await makeApprovedAd(await suite.client('seller'), await suite.client('buyer'));
    const calls = recordCalls(page);
    for (const ref of ['00000000-0000-4000-8000-000000000000', 'no-ad', foreign.publicId]) {
      await buyer.open(`/checkout/${ref}`);
      await page.getByText('Ad Not Found', { exact: true }).waitFor();
      expect(await form(page).count()).toBe(0);
    }
    expect(intents(calls)).toEqual([]);
  });

  // Proves CHK-03, CHK-14, STATE-08
  it('takes payment only for an approved ad, and names the status of any other ad', async () => {
    const { page, client } = buyer;
    const seller = await suite.client('seller');
    const { ad: completed } = await makeLiveAd(seller, client);
    const { ctx, clock } = suite.fixture.server;
    clock.advance(DAY_MS);
    expect(await completeDueAds(ctx)).toBe(1);
    const statusOf = async (ad: Ad) => ((await client.get(`/api/ads/${ad.id}`)).body as Ad).status;
    expect(await statusOf(completed)).toBe('completed');
    const { product } = await makePricedZone(seller);
    const pending = await makeAd(client, product);
    const rejected = await makeAd(client, product);
    await seller.put(`/api/ads/${rejected.id}/reject`, { rejectionReason: 'Not here.' });
    const { ad: active } = await makeLiveAd(seller, client);
    const calls = recordCalls(page);
    for (const [status, ad] of Object.entries({ pending, rejected, active, completed })) {
      await buyer.open(`/checkout/${ad.publicId}`);
      await page.getByText('Payment Not Available', { exact: true }).waitFor();
      await page.getByText(`The status of this ad is ${status}.`).waitFor();
      expect(await form(page).count()).toBe(0);
    }
    expect(intents(calls)).toEqual([]);
  });

  // Proves ROLE-07, CHK-14
  it('shows a user who is no longer a buyer the ad, but no card form', async () => {
    const { page, client } = await suite.enter('buyer');
    const ad = await makeApprovedAd(await suite.client('seller'), client);
    await client.patch('/api/user/role', { role: 'seller' });
    const calls = recordCalls(page);
    await page.goto(`/checkout/${ad.publicId}`);
    await page.getByText('This page is for advertisers').waitFor();
    await page.getByRole('heading', { name: ad.title }).waitFor();
    expect(await form(page).count()).toBe(0);
    expect(intents(calls)).toEqual([]);
  });
});

describe('paying', () => {
  // Proves CHK-15, CHK-16, CONST-13, STATE-05, STATE-31
  it('confirms the payment with the server, then opens the dashboard after one second', async () => {
    const { page, ad, client } = await makeApproved();
    await openCheckout(ad);
    await fillCard(page);
    const steps: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') steps.push(new URL(request.url()).pathname);
    });
    page.on('framenavigated', (frame) => steps.push(new URL(frame.url()).pathname));
    await stopClock(page);
    await payButton(page).click();
    await runUntil(page, () => done(page).isVisible());
    await page.clock.runFor(900);
    expect(pathOf(page)).toBe(`/checkout/${ad.publicId}`);
    expect((await client.get(`/api/ads/${ad.publicId}`)).body).toMatchObject({ status: 'active' });
    await page.clock.runFor(150);
    await expect.poll(() => pathOf(page)).toBe('/dashboard?payment=success');
    expect(steps).toEqual(['/api/sandbox/confirm', '/api/payment-success', '/dashboard']);
    await page.clock.resume();
  });

  // Proves CHK-12, EASE-04
  it('a test card fills the form with one press, and invalid card fields are refused before anything is sent', async () => {
    const { page, ad } = await makeApproved();
    await openCheckout(ad);
    const calls = recordCalls(page);
    await payButton(page).click();
    await page.getByText('Please enter the name on the card.').waitFor();
    await page.getByText('Test cards', { exact: true }).click();
    await page
      .getByRole('row', { name: /4242 4242 4242 4242/ })
      .getByRole('button')
      .click();
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    await page.getByLabel('Expiry').fill('01 / 20');
    await payButton(page).click();
    await page.getByText("Your card's expiration date is in the past.").waitFor();
    await page.getByLabel('Card number').fill('4242 4242 4242 4241');
    await page.getByLabel('Card number').press('ArrowLeft');
    for (const key of ['Backspace', '4']) await page.keyboard.press(key);
    const field = await page
      .getByLabel('Card number')
      .evaluate((input: HTMLInputElement) => `${input.value} ${input.selectionStart}`);
    expect(field).toBe('4242 4242 4242 4241 18');
    await fillCard(page, '4242 4242 4242 4241');
    expect(await page.getByLabel('Expiry').inputValue()).toBe('12 / 40');
    await payButton(page).click();
    await toastTitled(page, 'Payment Failed').getByText('Your card number is incorrect.').waitFor();
    expect(calls).toEqual([]);
  });

  // Proves STATE-30, PAY-02
  it('reloading the checkout reuses the payment intent, and a paid ad cannot be paid again', async () => {
    const { page, ad } = await makeApproved();
    const secrets = new Set<string>();
    for (const open of [() => openCheckout(ad), () => page.reload()]) {
      const answered = page.waitForResponse('**/api/create-payment-intent');
      await open();
      secrets.add(((await (await answered).json()) as { clientSecret: string }).clientSecret);
    }
    expect(secrets.size).toBe(1);
    await pay(page);
    await page.waitForURL('**/dashboard?payment=success');
    await buyer.open(`/checkout/${ad.publicId}`);
    await page.getByText('Payment Not Available').waitFor();
  });

  // Proves STATE-30
  it('an ad that was paid elsewhere while its checkout was open is not paid twice', async () => {
    const { page, ad, client } = await makeApproved();
    await openCheckout(ad);
    await payByClient(client, ad);
    await pay(page);
    await done(page).or(toastTitled(page, 'Payment Failed')).first().waitFor();
    const { rows } = await suite.fixture.server.app.pool.query(
      "select count(*)::int as paid from payments where ad_id = $1 and status = 'succeeded'",
      [ad.id],
    );
    expect(rows).toEqual([{ paid: 1 }]);
  });
});

describe('a payment that fails', () => {
  // Proves ERR-64, ERR-56
  it('shows Payment Setup Error with the server’s message or a fallback, and a retry loads the form', async () => {
    const { page, ad } = await makeApproved();
    for (const [reply, text] of [
      [{ status: 400, json: { message: 'M1' } }, 'M1'],
      [{ status: 500, body: '' }, 'Failed to setup payment'],
    ] as const) {
      await answer(page, '/api/create-payment-intent', reply);
      await buyer.open(`/checkout/${ad.publicId}`);
      await toastTitled(page, 'Payment Setup Error').getByText(text, { exact: true }).waitFor();
      expect(await form(page).count()).toBe(0);
    }
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await payButton(page).waitFor();
  });

  // Proves ERR-65, ERR-66, PAY-07
  it('shows Payment Failed with the provider’s message for a declined card and a failed verification, and Payment Error without a message', async () => {
    const { page, ad } = await makeApproved();
    await openCheckout(ad);
    const failed = (text: string) => toastTitled(page, 'Payment Failed').getByText(text).waitFor();
    await pay(page, '4000 0000 0000 9995');
    await failed('Your card has insufficient funds.');
    await page.getByLabel('Card number').fill('4000000000003220');
    await payButton(page).click();
    const challenge = page.getByRole('dialog', { name: 'Confirm your payment' });
    await challenge.getByRole('button', { name: 'Fail' }).click();
    await failed('We are unable to authenticate your payment method.');
    await challenge.waitFor({ state: 'detached' });
    expect(await payButton(page).isEnabled()).toBe(true);
    expect(pathOf(page)).toBe(`/checkout/${ad.publicId}`);

    for (const reply of [null, { status: 500, body: '' }]) {
      await answer(page, '/api/sandbox/confirm', reply);
      await payButton(page).click();
      const told = toastTitled(page, 'Payment Error');
      await told.getByText('An unexpected error occurred', { exact: true }).waitFor();
      await told.getByRole('button', { name: 'Close' }).click();
      await told.waitFor({ state: 'detached' });
    }
    expect(await payButton(page).isEnabled()).toBe(true);
  });

  // Proves ERR-67, ERR-56, STATE-31
  it('shows Payment Processing Error until a retry succeeds, without charging the card again', async () => {
    const { page, ad } = await makeApproved();
    await openCheckout(ad);
    await answer(page, '/api/payment-success', { status: 422, json: { message: 'M1' } });
    await pay(page);
    const told = toastTitled(page, 'Payment Processing Error');
    await told.getByText('M1', { exact: true }).waitFor();
    await page.getByText('You won’t be charged twice.').waitFor();
    expect(await form(page).count()).toBe(0);
    const calls = recordCalls(page);
    await answer(page, '/api/payment-success', { status: 500, body: '' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await told.getByText('Failed to process payment', { exact: true }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL('**/dashboard?payment=success');
    expect(calls.filter((call) => call.includes('/api/sandbox/confirm'))).toEqual([]);
  });
});
