/** An ad's statuses and the changes between them. This is the only place that decides what may follow what. [STATE-33] */
import { counted } from '../format.ts';
import { DAY_MS } from '../time.ts';

export const AD_STATUSES = ['pending', 'approved', 'rejected', 'active', 'completed'] as const;
export type AdStatus = (typeof AD_STATUSES)[number];

const MOVES = {
  approve: { from: ['pending'], to: 'approved' },
  reject: { from: ['pending'], to: 'rejected' },
  resubmit: { from: ['rejected'], to: 'pending' },
  /** The advertiser changes an ad that waits. */
  correct: { from: ['pending'], to: 'pending' },
  /** The advertiser takes an unpaid ad back. */
  withdraw: { from: ['pending', 'approved'], to: 'rejected' },
  /** The advertiser did not pay within PAYMENT_DEADLINE_MS. */
  expire: { from: ['approved'], to: 'rejected' },
  pay: { from: ['approved'], to: 'active' },
  complete: { from: ['active'], to: 'completed' },
  /** Traffic was withdrawn, so that an ad with a goal has quota left. */
  resume: { from: ['completed'], to: 'active' },
} as const satisfies Record<string, { from: readonly AdStatus[]; to: AdStatus }>;

export type AdAction = keyof typeof MOVES;

export function move(action: AdAction): { from: readonly AdStatus[]; to: AdStatus } {
  return MOVES[action];
}

export function canApply(action: AdAction, status: AdStatus): boolean {
  return move(action).from.includes(status);
}

/** Whether an ad in this status was paid for. */
export function isPaid(status: AdStatus): boolean {
  return status === 'active' || status === 'completed';
}

/**
 * An approved ad that is unpaid for this long is rejected, so that it does not block its zone's deletion forever. One that
 * holds booked days has PAY_WITHIN_DAYS.
 */
export const EXPIRES_AFTER_DAYS = 14;
export const PAYMENT_DEADLINE_MS = EXPIRES_AFTER_DAYS * DAY_MS;
export const PAYMENT_DEADLINE_REASON = `Payment was not made within ${EXPIRES_AFTER_DAYS} days`;
/** The advertiser withdrew the ad before it was paid. */
export const WITHDRAWN_REASON = 'Withdrawn by the advertiser';
/** Nobody answered for this many days (APPROVAL_DAYS). Silence never approves. */
export const unansweredReason = (days: number) =>
  `The publisher did not answer within ${counted(days, 'day')}`;
/** The zone was deleted while the ad was pending. [OP-074] */
export const ZONE_DELETED_REASON = 'The ad zone was deleted by the publisher';
