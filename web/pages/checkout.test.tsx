import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getAd, type Ad, type AdAvailability } from '#domain/ads/contract.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { AD_STATUSES } from '#domain/ads/status.ts';
import {
  createPaymentIntent,
  findSavedCard,
  paymentSuccess,
  payWithSavedCard,
  sandboxAuthenticate,
  sandboxConfirm,
} from '#domain/payments/contract.ts';
import { AUTHENTICATION_FAILED } from '#domain/payments/sandbox-cards.ts';
import { answerCheckout, fillCard, soldAd, toastTitled } from '#web/testing/account.ts';
import { answer, offline, refused, slow } from '#web/testing/answers.ts';
import { stopClock } from '#web/testing/clock.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const payButton = page.getByRole('button', { name: /^Pay \$/ });
const form = page.getByRole('form', { name: 'Card payment' });
const field = (label: string) => page.getByLabelText(label, { exact: true });

/** Opens the checkout of an ad. Returns the calls that ask for a payment intent. */
async function openCheckout(ad: Ad, forecast?: Partial<AdAvailability>) {
  answerNewAccount();
  const intents = answerCheckout(ad, forecast);
  await openPage(`/checkout/${ad.publicId}`, { as: person('buyer') });
  await expect.element(page.getByRole('heading', { name: ad.title || 'Untitled Ad' })).toBeVisible();
  return intents;
}

async function pay(): Promise<void> {
  await payButton.click();
}

describe('the checkout', () => {
  it('estimates the delivery from the zone’s traffic, warns when the zone is oversold, and says what a day needs', async () => {
    const viewsPerDay = { low: 50, likely: 1000, high: 2000 };
    const forecast = page.getByRole('region', { name: 'What you get', exact: true });
    const targeting: Targeting = { countries: ['DE'] };
    const quota = soldAd({ pricingModel: 'per_impression', duration: null, impressions: 90_000 });
    for (const [ad, expected, texts] of [
      [
        soldAd(),
        { basis: 'declared', viewsPerDay, yoursPerDay: 1000 },
        [
          'This ad zone has 50–2,000 views a day, estimated from the publisher’s own figure.',
          'Your ad should get all of them.',
        ],
      ],
      [
        quota,
        { basis: 'declared', viewsPerDay, yoursPerDay: 1000, days: 90, finishes: false },
        [
          '90,000 impressions should take about 90 days if your ad gets all of them.',
          /This ad zone is oversold\./,
        ],
      ],
      [
        soldAd(),
        { basis: 'declared', viewsPerDay: { low: 0, likely: 1, high: 1 }, minDayViews: 10 },
        [
          /There are no traffic figures for this ad zone yet\./,
          /^Each day needs 10 counted views\. You don’t pay for a day with fewer/,
        ],
      ],
      [
        soldAd({ targeting }),
        { basis: 'zone', viewsPerDay, yoursPerDay: 130, isLimited: true, limited: { likely: 22, of: 130 } },
        ['Within the limits: about 22 of 130 views a day'],
      ],
      [
        soldAd({ targeting }),
        { basis: 'zone', viewsPerDay, yoursPerDay: 130, isLimited: true, limited: { likely: 0, of: 130 } },
        ['Within the limits: less than 1 of 130 views a day', 'Few views: a price per view fits better.'],
      ],
      [
        { ...quota, targeting },
        { basis: 'zone', viewsPerDay, isLimited: true, limited: { likely: 9, of: 130 }, days: 200 },
        [
          'Within the limits: about 9 of 130 views a day',
          '90,000 impressions should take about 200 days if your ad gets these.',
          'With these limits, your campaign will probably take longer.',
        ],
      ],
      [
        soldAd({ targeting }),
        { basis: 'zone', viewsPerDay, yoursPerDay: 130, isLimited: true, limited: null },
        [
          'We can’t say yet how many views are within the limits: too few visitors of this ad zone were measured.',
        ],
      ],
      [
        soldAd(),
        { basis: 'zone', viewsPerDay, yoursPerDay: 130, isLimited: true },
        ['The publisher excludes some visitors, so there may be fewer views.'],
      ],
    ] satisfies [Ad, Partial<AdAvailability>, (string | RegExp)[]][]) {
      await openCheckout(ad, expected);
      for (const text of texts) await expect.element(forecast.getByText(text).first()).toBeVisible();
      if (ad.targeting)
        await expect
          .element(page.getByRole('region', { name: 'Your ad' }).getByText('Germany'))
          .toBeVisible();
      closeScreen();
    }
  });

  // Proves ACC-12, CHK-01, CHK-04, CHK-09, CHK-12, CHK-14, TXN-07, PAY-07, STATE-04
  it('shows the ad, its price with the included fee, and the card form with one payment intent in a sandbox that moves no money', async () => {
    const ad = soldAd({ title: 'To be paid', description: 'Worth it' });
    const intents = await openCheckout(ad);
    await expect.element(payButton).toBeVisible();
    const text = (region: string) =>
      (page.getByRole('region', { name: region, exact: true }).element() as HTMLElement).innerText;
    expect(page.getByRole('region').first().element().getAttribute('aria-label')).toBe('What you get');
    expect(text('What you get')).toMatch(/^What you get\n+1 day on The Daily Slot/);
    const total = page.getByRole('definition').filter({ hasText: '$100.00' }).last().element();
    expect(getComputedStyle(total).fontSize).toBe('28px');
    await expect
      .element(form.getByText(/You can cancel at any time, and we refund the rest to your card\./))
      .toBeVisible();
    for (const part of ['To be paid', 'Worth it', 'Text', 'approved', ad.targetUrl])
      expect(text('Your ad')).toContain(part);
    const lines =
      page.getByRole('region', { name: 'Payment' }).element().querySelector('dl')?.innerText ?? '';
    expect(lines.split('\n').filter((line) => line.trim() !== '')).toEqual([
      'Ad cost',
      '$100.00',
      'Platform fee (15%), included',
      '$15.00',
      'Total amount',
      '$100.00',
    ]);
    const money = document.querySelector('main')?.innerText.match(/\$[\d,.]*\d/g) ?? [];
    expect(money.length).toBeGreaterThan(5);
    expect(money.filter((figure) => !/^\$\d+\.\d{2}$/.test(figure))).toEqual([]);

    expect(intents.map(({ body }) => body)).toEqual([
      { adPublicId: ad.publicId, amount: '100.00', receiptFor: null },
    ]);
    for (const label of ['Card number', 'Expiry', 'CVC', 'Name on card'])
      await expect.element(form.getByLabelText(label)).toBeVisible();
    await expect.element(payButton).toHaveTextContent('Pay $100.00');
    await expect.element(page.getByText('This is a sandbox: no money moves.')).toBeVisible();
    expect(document.querySelector('details')?.open).toBe(false);
  });

  // Proves CHK-04
  it('shows an ad without a title as Untitled Ad', async () => {
    await openCheckout(soldAd({ title: '' }));
    await expect.element(page.getByRole('heading', { name: 'Untitled Ad' })).toBeVisible();
  });

  // Proves CHK-02
  it('says Ad Not Found if the server has no such ad of this advertiser', async () => {
    const intents = answerCheckout(soldAd());
    answer(getAd, refused(404, 'Ad not found'));
    await openPage('/checkout/00000000-0000-4000-8000-000000000000', { as: person('buyer') });
    await expect.element(page.getByText('Ad Not Found', { exact: true })).toBeVisible();
    await expect.element(form).not.toBeInTheDocument();
    expect(intents).toEqual([]);
  });

  // Proves CHK-03, CHK-14, STATE-08
  it('takes payment only for an approved ad, and names the status of any other ad', async () => {
    for (const status of AD_STATUSES.filter((each) => each !== 'approved')) {
      const ad = soldAd({ status });
      const intents = answerCheckout(ad);
      await openPage(`/checkout/${ad.publicId}`, { as: person('buyer') });
      await expect.element(page.getByText('Payment Not Available', { exact: true })).toBeVisible();
      await expect.element(page.getByText(new RegExp(`The status of this ad is ${status}\\.`))).toBeVisible();
      await expect.element(form).not.toBeInTheDocument();
      expect(intents).toEqual([]);
      closeScreen();
    }
  });

  // Proves ROLE-07, CHK-14
  it('shows a user who is no longer a buyer the ad, but no card form', async () => {
    const ad = soldAd();
    const intents = answerCheckout(ad);
    await openPage(`/checkout/${ad.publicId}`, { as: person('seller') });
    await expect
      .element(page.getByText('This page is for advertisers, and your role is seller.'))
      .toBeVisible();
    await expect.element(page.getByRole('heading', { name: ad.title })).toBeVisible();
    await expect.element(form).not.toBeInTheDocument();
    expect(intents).toEqual([]);
  });
});

const succeeded = { paymentIntentId: 'pi_1', status: 'succeeded' as const };
const paid = { success: true as const, ad: soldAd({ status: 'active' }) };

describe('paying', () => {
  // Proves CHK-15, CHK-16
  it('confirms the payment with the server, then opens the dashboard after one second', async () => {
    const ad = soldAd();
    await openCheckout(ad);
    const confirmed = answer(sandboxConfirm, succeeded);
    const reported = answer(paymentSuccess, paid);
    await fillCard();
    const clock = stopClock();
    await pay();
    await expect.element(page.getByText('Payment successful. Your ad is live.')).toBeVisible();
    expect(confirmed.map(({ body }) => body)).toEqual([
      {
        clientSecret: 'pi_1_secret_1',
        number: '4242 4242 4242 4242',
        expMonth: 12,
        expYear: 2040,
        cvc: '123',
      },
    ]);
    expect(reported.map(({ body }) => body)).toEqual([{ paymentIntentId: 'pi_1' }]);
    await clock.pass(900);
    expect(window.location.pathname).toBe(`/checkout/${ad.publicId}`);
    await clock.pass(150);
    await expect
      .poll(() => window.location.pathname + window.location.search)
      .toBe('/dashboard?payment=success');
  });

  // Proves CHK-12
  it('a test card fills the form with one press, and invalid card fields are refused before anything is sent', async () => {
    await openCheckout(soldAd());
    const confirmed = answer(sandboxConfirm, succeeded);
    await pay();
    await expect.element(page.getByText('Please enter the name on the card.')).toBeVisible();
    await page.getByText('Test cards', { exact: true }).click();
    await page
      .getByRole('row', { name: /4242 4242 4242 4242/ })
      .getByRole('button')
      .click();
    await expect.element(field('Card number')).toHaveValue('4242 4242 4242 4242');
    await field('Expiry').fill('01 / 20');
    await pay();
    await expect.element(page.getByText("Your card's expiration date is in the past.")).toBeVisible();
    await field('Card number').fill('4242 4242 4242 4241');
    await userEvent.keyboard('{ArrowLeft}{Backspace}4');
    const number = field('Card number').element() as HTMLInputElement;
    await expect.poll(() => `${number.value} ${number.selectionStart}`).toBe('4242 4242 4242 4241 18');
    await fillCard('4242 4242 4242 4241');
    await expect.element(field('Expiry')).toHaveValue('12 / 40');
    await pay();
    await expect
      .element(toastTitled('Payment Failed').getByText('Your card number is incorrect.'))
      .toBeVisible();
    expect(confirmed).toEqual([]);
  });
});

describe('what the advertiser may change or know before', () => {
  // Proves STATE-23
  it('a double click charges a card only once', async () => {
    await openCheckout(soldAd());
    const { answer: held, release } = slow(succeeded);
    const confirmed = answer(sandboxConfirm, held);
    const reported = answer(paymentSuccess, paid);
    await fillCard();
    stopClock();
    await payButton.dblClick();
    await expect.element(payButton).toBeDisabled();
    release();
    await expect.element(page.getByText('Payment successful. Your ad is live.')).toBeVisible();
    expect([confirmed.length, reported.length]).toEqual([1, 1]);
  });

  // Proves LEDG-08
  it('the checkout shows the refund if nothing, half or everything is delivered, and where the receipt will be', async () => {
    await openCheckout(
      soldAd({
        pricingModel: 'per_click',
        duration: null,
        clicks: 3,
        unitPrice: '33.33',
        totalAmount: '33.33',
        commissionAmount: '5.00',
      }),
    );
    const preview = page.getByRole('region', { name: 'Your refund if the campaign ends early' });
    await expect.element(preview).toBeVisible();
    const texts = (preview.element() as HTMLElement).innerText.split(/\n+/);
    for (const [label, amount] of [
      ['Nothing was delivered', '$33.33'],
      ['Half was delivered', '$22.23'],
      ['Everything was delivered', '$0.00'],
    ] as const)
      expect(texts[texts.indexOf(label) + 1]).toBe(amount);
    await expect.element(page.getByText(/^Your receipt will be under Billing\./)).toBeVisible();
  });

  it('the 3-D Secure dialog opens with the focus where Enter and Escape decide nothing', async () => {
    await openCheckout(soldAd());
    answer(sandboxConfirm, { paymentIntentId: 'pi_1', status: 'requires_action' });
    const outcomes = answer(sandboxAuthenticate, { paymentIntentId: 'pi_1', status: 'succeeded' });
    await fillCard('4000000000003220');
    await pay();
    const challenge = page.getByRole('dialog', { name: 'Confirm your payment' });
    await expect.element(challenge).toHaveFocus();
    await userEvent.keyboard('{Enter}{Escape}');
    await expect.element(challenge).toBeVisible();
    expect(outcomes).toEqual([]);
  });

  // Proves CHK-600, CHK-601
  it('offers the saved card first, with the bank’s question, the reason of a decline, and another card', async () => {
    const ad = soldAd();
    answerNewAccount();
    answerCheckout(ad);
    answer(findSavedCard, { card: { id: 7, brand: 'visa', last4: '4242', expMonth: 3, expYear: 2034 } });
    await openPage(`/checkout/${ad.publicId}`, { as: person('buyer') });
    await expect.element(page.getByRole('radio', { name: /^Visa •••• 4242 until 03 \/ 34$/ })).toBeChecked();
    const asked = answer(
      payWithSavedCard,
      refused(402, 'Your card was declined.', { code: 'card_declined' }),
    );
    await pay();
    await expect
      .element(form.getByRole('alert'))
      .toHaveTextContent('Your card was declined. Try another card, or ask your bank. Nothing was charged.');
    expect(asked.map(({ body }) => body)).toEqual([{ adPublicId: ad.publicId, cardId: 7 }]);

    answer(payWithSavedCard, { paymentIntentId: 'pi_1', status: 'requires_action' });
    answer(sandboxAuthenticate, refused(402, AUTHENTICATION_FAILED.message, AUTHENTICATION_FAILED));
    await pay();
    await page
      .getByRole('dialog', { name: 'Confirm your payment' })
      .getByRole('button', { name: 'Fail' })
      .click();
    await expect.element(form.getByRole('alert')).toHaveTextContent(AUTHENTICATION_FAILED.message);

    await page.getByRole('radio', { name: 'Another card' }).click();
    await expect.element(field('Card number')).toBeVisible();
    await page.getByRole('radio', { name: /^Visa/ }).click();
    answer(payWithSavedCard, { paymentIntentId: 'pi_1', status: 'succeeded' });
    const reports = answer(paymentSuccess, paid);
    stopClock();
    await pay();
    await expect.element(page.getByText('Payment successful. Your ad is live.')).toBeVisible();
    expect(reports.map(({ body }) => body)).toEqual([{ paymentIntentId: 'pi_1' }]);
  });

  const receipt = page.getByRole('region', { name: 'Receipt for' });

  // Proves CONS-11
  it('the checkout asks whom the receipt is for', async () => {
    const ad = soldAd();
    const intents = await openCheckout(ad);
    await expect.element(receipt.getByText('You, as in Settings › Billing')).toBeVisible();
    await receipt.getByRole('button', { name: 'Change' }).click();
    await receipt.getByLabelText(/^Company/).fill('Client GmbH');
    await receipt.getByLabelText(/^Your reference/).fill('PO 4711');
    await receipt.getByRole('button', { name: 'Save' }).click();
    await expect.element(receipt.getByText('Client GmbH, PO 4711')).toBeVisible();
    expect(intents.map(({ body }) => body)).toEqual([
      { adPublicId: ad.publicId, amount: '100.00', receiptFor: null },
      {
        adPublicId: ad.publicId,
        amount: '100.00',
        receiptFor: { company: 'Client GmbH', reference: 'PO 4711' },
      },
    ]);
  });

  it('the checkout says that VIES does not know a tax number, and takes another one', async () => {
    await openCheckout(soldAd());
    const unknown = 'VIES doesn’t know the tax number IT20012345678.';
    await receipt.getByRole('button', { name: 'Change' }).click();
    await receipt.getByLabelText(/^Company/).fill('Rossi S.r.l.');
    await receipt.getByLabelText(/^Country/).selectOptions('Italy');
    await receipt.getByLabelText(/^Tax ID/).fill('20012345678');
    answer(createPaymentIntent, refused(400, unknown));
    await receipt.getByRole('button', { name: 'Save' }).click();
    await expect.element(receipt.getByRole('alert')).toHaveTextContent(unknown);
    const saved = answer(createPaymentIntent, { clientSecret: 'pi_1_secret_1' });
    await receipt.getByLabelText(/^Tax ID/).fill('IT 123 456 789 01');
    await receipt.getByRole('button', { name: 'Save' }).click();
    await expect.element(receipt.getByText('Rossi S.r.l.')).toBeVisible();
    expect(saved.map(({ body }) => body.receiptFor)).toEqual([
      { company: 'Rossi S.r.l.', country: 'IT', taxId: 'IT 123 456 789 01' },
    ]);
  });
});

describe('a payment that fails', () => {
  // Proves ERR-64, ERR-56
  it('shows Payment Setup Error with the server’s message or a fallback, and a retry loads the form', async () => {
    const ad = soldAd();
    answerCheckout(ad);
    for (const [status, message, text] of [
      [400, 'M1', 'M1'],
      [500, '', 'Failed to setup payment'],
    ] as const) {
      closeScreen();
      answer(createPaymentIntent, refused(status, message));
      await openPage(`/checkout/${ad.publicId}`, { as: person('buyer') });
      await expect.element(toastTitled('Payment Setup Error').getByText(text)).toBeVisible();
      await expect.element(form).not.toBeInTheDocument();
    }
    answer(createPaymentIntent, { clientSecret: 'pi_1_secret_1' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(payButton).toBeVisible();
  });

  // Proves ERR-65, PAY-07, CHK-601
  it('shows Payment Failed with the provider’s message for a declined card and a failed verification, and Payment Error without a message', async () => {
    const ad = soldAd();
    await openCheckout(ad);
    answer(
      sandboxConfirm,
      refused(402, 'Your card has insufficient funds.', {
        code: 'card_declined',
        declineCode: 'insufficient_funds',
      }),
    );
    await fillCard('4000 0000 0000 9995');
    await pay();
    const failed = toastTitled('Payment Failed');
    await expect.element(failed.getByText('Your card has insufficient funds.')).toBeVisible();
    await expect
      .element(form.getByRole('alert'))
      .toHaveTextContent('Your card has insufficient funds. Use another card, or add money to this one.');
    await expect.element(field('Card number')).toHaveFocus();

    answer(sandboxConfirm, { paymentIntentId: 'pi_1', status: 'requires_action' });
    const outcomes = answer(sandboxAuthenticate, refused(402, AUTHENTICATION_FAILED.message));
    await field('Card number').fill('4000000000003220');
    await pay();
    const challenge = page.getByRole('dialog', { name: 'Confirm your payment' });
    await challenge.getByRole('button', { name: 'Fail' }).click();
    await expect
      .element(failed.getByText(/We are unable to authenticate your payment method\./))
      .toBeVisible();
    await expect.element(challenge).not.toBeInTheDocument();
    expect(outcomes.map(({ body }) => body.outcome)).toEqual(['fail']);
    await expect.element(payButton).toBeEnabled();
    expect(window.location.pathname).toBe(`/checkout/${ad.publicId}`);

    for (const trouble of [offline, refused(500, '')]) {
      answer(sandboxConfirm, trouble);
      await pay();
      const told = toastTitled('Payment Error');
      await expect.element(told.getByText('An unexpected error occurred', { exact: true })).toBeVisible();
      await told.getByRole('button', { name: 'Close' }).click();
      await expect.element(told).not.toBeInTheDocument();
    }
    await expect.element(payButton).toBeEnabled();
  });

  // Proves ERR-67, ERR-56, CHK-15
  it('shows Payment Processing Error until a retry succeeds, without charging the card again', async () => {
    await openCheckout(soldAd());
    const confirmed = answer(sandboxConfirm, succeeded);
    answer(paymentSuccess, refused(422, 'M1'));
    await fillCard();
    await pay();
    const told = toastTitled('Payment Processing Error');
    await expect.element(told.getByText('M1', { exact: true })).toBeVisible();
    await expect.element(page.getByText(/You won’t be charged twice\./)).toBeVisible();
    await expect.element(form).not.toBeInTheDocument();
    answer(paymentSuccess, refused(500, ''));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(told.getByText('Failed to process payment', { exact: true })).toBeVisible();
    stopClock();
    answer(paymentSuccess, paid);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByText('Payment successful. Your ad is live.')).toBeVisible();
    expect(confirmed).toHaveLength(1);
  });
});
