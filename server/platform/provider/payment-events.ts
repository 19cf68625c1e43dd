/**
 * The events that we act on. The start compares them with what the webhook endpoints at the provider are subscribed to,
 * and docs/install.md lists them.
 */

/** Of our own account, for /api/webhooks/stripe. */
export const ACCOUNT_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'setup_intent.setup_failed',
  'charge.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
  'review.opened',
  'review.closed',
  'transfer.created',
  'transfer.reversed',
  'payout.failed',
  'payout.paid',
  'balance.available',
] as const;

/** Of connected accounts, for /api/webhooks/stripe-connect. */
export const CONNECT_EVENTS = [
  'account.updated',
  'capability.updated',
  'payout.paid',
  'payout.failed',
  'account.application.deauthorized',
] as const;
