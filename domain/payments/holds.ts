/** Why earnings must not be paid out yet. */
export const HOLD_REASONS = [
  'unverified_site',
  'same_person',
  'dispute',
  'fraud_warning',
  'traffic',
  'operator',
  'payout_change',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The publisher's explanation of a hold, with the event that ends it. */
export const HOLD_TEXTS: Record<HoldReason, string> = {
  unverified_site: 'Your website isn’t verified. Verify it under My Ad Zones to end the hold.',
  same_person:
    'The advertiser and the publisher share an account, a bank account or a card, so they seem to be the same person. The operator can end the hold.',
  dispute: 'The payment is disputed. The hold ends when the bank has decided.',
  fraud_warning:
    'The bank of the card reported the payment as possibly fraudulent. The operator can end the hold.',
  traffic:
    'The traffic of this campaign is unusual and is being checked. The hold ends by itself after a day of usual traffic.',
  operator: 'The marketplace operator holds these earnings and can end the hold.',
  payout_change:
    'The details of your payout account were opened for changes. We hold all payouts for some days after that, so that you can stop a change that isn’t yours. The hold ends by itself.',
};
