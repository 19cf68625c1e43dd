/** Disputes and holds in the operator's words. Members read others (domain/payments). */
import type { DisputeStage } from '#domain/payments/disputes.ts';
import type { HoldReason } from '#domain/payments/holds.ts';

export const STAGE_WORDS: Record<DisputeStage, string> = {
  inquiry: 'An inquiry by the bank. No money has moved',
  needs_response: 'The bank waits for evidence',
  under_review: 'The bank decides',
  appeal: 'An appeal. Answer it in the provider’s dashboard',
  won: 'Won',
  lost: 'Lost',
  unknown: 'Unknown state. Look at it in the provider’s dashboard',
};

export const HOLD_WORDS: Record<HoldReason, string> = {
  unverified_site: 'The website isn’t verified',
  same_person: 'Advertiser and publisher share an account, a bank account or a card',
  dispute: 'The payment is disputed. The hold ends when the bank has decided',
  fraud_warning: 'The bank or the card provider doubts the payment',
  traffic: 'The traffic was suspicious. The hold ends when an operator releases it',
  operator: 'Held by an operator',
  payout_change: 'The payout account was opened for changes. The hold ends by itself',
};

export const EVIDENCE_TEXTS = {
  none: 'Evidence is not prepared yet',
  staged: 'Evidence is prepared',
  sending: 'Evidence is being sent',
  sent: 'The bank has the evidence',
} as const;
