/** "Pay when approved": what advertisers allow, and how it is put to them. */

import { canApply, type AdStatus } from '../ads/status.ts';

/** The states of an ad's consent as advertisers see them. */
export const CONSENT_AD_STATES = [
  'active',
  'charging',
  'paid',
  'needs_action',
  'failed',
  'withdrawn',
] as const;
export type ConsentAdState = (typeof CONSENT_AD_STATES)[number];

export const CONSENT_STATES = ['needs_card', 'active', 'withdrawn'] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];

/** Whether a card can be saved for this ad: it waits for approval or payment, and for no other card. */
export function takesConsent(ad: { status: AdStatus; consent: { state: ConsentAdState } | null }): boolean {
  const isUnpaid = canApply('approve', ad.status) || canApply('pay', ad.status);
  return isUnpaid && ad.consent?.state !== 'active' && ad.consent?.state !== 'charging';
}

/** The largest number of ads of one consent, which is that of a plan. */
export const MAX_CONSENT_ADS = 100;

/**
 * The sentences that an advertiser accepts. The server stores them as evidence, so the browser shows these, word for
 * word. `limit` is an amount with its currency.
 */
export function consentText({ ads, limit }: { ads: number; limit: string }): string {
  return ads === 1
    ? `I allow this marketplace to save my card and to charge it ${limit} once, when the publisher approves my ad. I can withdraw this under Billing until then.`
    : `I allow this marketplace to save my card and to charge it for each of these ${ads} ads once, when its publisher approves it, and no more than ${limit} in total. I can withdraw this under Billing until an ad is charged.`;
}
