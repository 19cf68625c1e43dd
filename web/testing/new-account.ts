/** Answers what the screens of a new account load, for tests that only pass through them. */
import { beginPasskeySignIn } from '#domain/accounts/passkeys-contract.ts';
import { listWaitingEntries } from '#domain/ads/booking-contract.ts';
import { listPendingAds } from '#domain/ads/contract.ts';
import { listWaiting } from '#domain/ads/waiting-contract.ts';
import {
  getActiveZones,
  getBreakdown,
  getEarnings,
  getSeries,
  getSpending,
  listTransactions,
} from '#domain/analytics/contract.ts';
import { getGettingStarted } from '#domain/analytics/getting-started-contract.ts';
import { listMyWebsites, listWebsites } from '#domain/inventory/contract.ts';
import { listZoneSales } from '#domain/inventory/my-zones-contract.ts';
import { listConsents } from '#domain/payments/consent-contract.ts';
import { paymentsConfig } from '#domain/payments/contract.ts';
import { getPayouts } from '#domain/payments/payout-contract.ts';
import { noPayouts, sandbox } from './account.ts';
import { answerMyAds } from './screens.ts';
import { answer, refused } from './answers.ts';
import { sample } from './sample.ts';

const nothing = { delivered: '0.00', notDelivered: '0.00', thisMonth: '0.00' };
const noFigures = {
  impressions: 0,
  clicks: 0,
  amount: '0.00',
  paid: '0.00',
  cpm: null,
  cpc: null,
  ctr: null,
};

export const noEarnings = { totalEarnings: '0.00', ...nothing };
export const noSpending = {
  totalSpending: '0.00',
  ...nothing,
  totalImpressions: 0,
  totalClicks: 0,
  impressionsThisMonth: 0,
  clicksThisMonth: 0,
};

/** Call it first: an answer that a test gives later takes the place of these. */
export function answerNewAccount(): void {
  answer(listWaiting, { steps: [], more: 0 });
  answer(getGettingStarted, sample(getGettingStarted.reply));
  answer(getEarnings, noEarnings);
  answer(getSpending, noSpending);
  answer(getActiveZones, { count: 0 });
  answer(getSeries, {
    timezone: 'UTC',
    dayStart: '00:00',
    totals: noFigures,
    previous: noFigures,
    buckets: [],
  });
  answer(getBreakdown, []);
  answerMyAds([]);
  answer(listPendingAds, []);
  answer(listWaitingEntries, []);
  answer(listTransactions, []);
  answer(listMyWebsites, []);
  answer(listZoneSales, []);
  answer(listWebsites, []);
  answer(listConsents, []);
  answer(getPayouts, noPayouts());
  answer(paymentsConfig, sandbox);
  // A browser that offers no passkey asks once and is refused.
  answer(beginPasskeySignIn, refused(404, 'Passkeys are not offered.'));
}
