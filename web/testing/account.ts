/** The settings, the toasts, the checkout and the money of the person in a component test. */
import { page, type Locator } from 'vitest/browser';
import {
  changeRole,
  getCurrentUser,
  getSettings,
  type Settings,
  updateProfile,
  updateSettings,
  type User,
} from '#domain/accounts/contract.ts';
import {
  getBilling,
  getSecondFactor,
  listSecurityEvents,
  listSessions,
  openSession,
} from '#domain/accounts/contract.ts';
import { listMembers } from '#domain/accounts/members-contract.ts';
import { listPasskeys } from '#domain/accounts/passkeys-contract.ts';
import { listBlocked } from '#domain/ads/block-contract.ts';
import { listTrusted } from '#domain/ads/trust-contract.ts';
import { listOwnActs } from '#domain/operator/contract.ts';
import { listConsents } from '#domain/payments/consent-contract.ts';
import { ad, getAd, getAvailability, type Ad, type AdAvailability } from '#domain/ads/contract.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { createPaymentIntent, findSavedCard, paymentsConfig } from '#domain/payments/contract.ts';
import { getAdPrice, type AdPrice } from '#domain/payments/price-contract.ts';
import { getPayouts, type Payouts } from '#domain/payments/payout-contract.ts';
import { answer } from './answers.ts';
import { sample } from './sample.ts';

/** The toast with this title. */
export const toastTitled = (title: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) });

/** The settings of a new account. */
export const newSettings = (members: Partial<Settings> = {}): Settings =>
  sample(getSettings.reply, {
    emailNotifications: true,
    campaignUpdates: true,
    paymentAlerts: true,
    timezone: 'UTC',
    businessName: null,
    ...members,
  });

/** Answers the settings, and keeps their changes as the server does. Returns the calls that change them. */
export function answerSettings(members: Partial<Settings> = {}) {
  let settings = newSettings(members);
  answer(getSettings, () => settings);
  return answer(updateSettings, ({ body }) => (settings = { ...settings, ...body }));
}

/** Answers who is signed in, and keeps the changes of their profile and role. Call it after the screen was opened. */
export function answerProfile(user: User) {
  let current = user;
  answer(getCurrentUser, () => current);
  return {
    profile: answer(updateProfile, ({ body }) => (current = { ...current, ...body })),
    role: answer(changeRole, ({ body }) => (current = { ...current, ...body })),
  };
}

/** The balance of a publisher who has earned nothing. */
export const noPayouts = (members: Partial<Payouts> = {}): Payouts =>
  sample(getPayouts.reply, {
    pending: '0.00',
    available: '0.00',
    held: '0.00',
    paidOut: '0.00',
    owed: '0.00',
    tax: '0.00',
    commissionPercent: 15,
    ...members,
  });

/** Answers what the tabs of Settings load beside the settings, for a new account. */
export function answerTabs(): void {
  for (const list of [
    listTrusted,
    listBlocked,
    listOwnActs,
    listMembers,
    listPasskeys,
    listSecurityEvents,
    listConsents,
  ])
    answer(list as typeof listBlocked, []);
  answer(getBilling, sample(getBilling.reply));
  answer(getPayouts, noPayouts());
  answer(listSessions, [sample(openSession, { isCurrent: true })]);
  answer(getSecondFactor, sample(getSecondFactor.reply));
}

/** An approved text ad for one day for $100, which its advertiser can pay for. */
export const soldAd = (members: Partial<Ad> = {}): Ad =>
  sample(ad, {
    publicId: '00000000-0000-4000-8000-000000000031',
    title: 'Fresh coffee',
    description: 'Roasted on Monday.',
    targetUrl: 'https://coffee.example/start',
    displayTarget: 'https://coffee.example/start',
    adType: 'text',
    status: 'approved',
    quantity: 1,
    unitPrice: '100.00',
    totalAmount: '100.00',
    commissionAmount: '15.00',
    commissionPercent: 15,
    pricingModel: 'per_day',
    duration: 1,
    totalImpressions: 0,
    totalClicks: 0,
    silentDays: 0,
    websiteName: 'The Daily Slot',
    websiteIsVerified: true,
    adZoneName: 'Sidebar',
    adZoneWidth: 300,
    adZoneHeight: 250,
    ...members,
  });

/** The provider of a marketplace without real payments. */
export const sandbox = sample(paymentsConfig.reply, {
  provider: 'sandbox',
  mode: 'sandbox',
  notice: 'This is a sandbox: no money moves.',
});

/** Answers what the checkout of an ad loads. Returns the calls that ask for a payment intent. */
export function answerCheckout(ad: Ad, forecast: Partial<AdAvailability> = {}) {
  answer(getAd, ad);
  answer(getAdPrice, priceOf(ad));
  answer(
    getAvailability,
    sample(getAvailability.reply, {
      finishes: true,
      expectedDays: 1,
      sharedWith: 0,
      yoursPerDay: 0,
      ...forecast,
    }),
  );
  answer(paymentsConfig, sandbox);
  answer(findSavedCard, { card: null });
  return answer(createPaymentIntent, { clientSecret: 'pi_1_secret_1' });
}

/** The parts of a price without tax. */
const priceOf = ({ totalAmount, commissionAmount, commissionPercent }: Ad): AdPrice =>
  sample(getAdPrice.reply, {
    price: totalAmount,
    net: totalAmount,
    tax: '0.00',
    fee: commissionAmount,
    commissionPercent,
    earnings: decimalOf(centsOf(totalAmount) - centsOf(commissionAmount)),
    cancelFee: '0.00',
  });

/** Fills in the card form of the sandbox. */
export async function fillCard(number = '4242424242424242'): Promise<void> {
  await page.getByLabelText('Card number').fill(number);
  await page.getByLabelText('Expiry').fill('1240');
  await page.getByLabelText('CVC').fill('123');
  await page.getByLabelText('Name on card').fill('Abe Ads');
}
