/** The settings, the toasts and the money of the person in a component test. */
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
