/** The cost and the limits of a cancel by the advertiser. See docs/decisions/030-refunds.md. */
import { counted } from '../format.ts';
import { type Currency, decimalOf, moneyText } from '../money.ts';
import type { EndedReason } from '../ads/ended.ts';
import { DAY_MS, HOUR_MS, later } from '../time.ts';

/** The side that bears the card provider's fee. `free-once`: the advertiser, except for their first cancel in 30 days. */
export const CANCEL_FEES = ['operator', 'buyer', 'free-once'] as const;

/** Cancels are counted in this time. */
export const CANCELS_WITHIN_MS = DAY_MS;
/** With `free-once`, one cancel in this time bears no fee. */
export const FREE_CANCEL_EVERY_MS = 30 * DAY_MS;
/** A cancel of a large sum so soon after its payment waits for the operator. */
export const REVIEWED_WITHIN_MS = HOUR_MS;

/**
 * After how many days without a decision the operator is reminded of a cancel that waits, it becomes an alarm, and it is
 * carried out for the advertiser. Texts name the days from here. [REFU-200]
 */
export const CANCEL_WAITS_DAYS = { reminder: 2, alarm: 7, release: 14 } as const;

/** When a cancel that waits since `since` reaches one of these days. */
export const cancelDue = (since: Date, step: keyof typeof CANCEL_WAITS_DAYS): Date =>
  later(since, CANCEL_WAITS_DAYS[step] * DAY_MS);

/** The cancels that have reached this day at `now` wait since this instant or before. */
export const cancelsDueSince = (now: Date, step: keyof typeof CANCEL_WAITS_DAYS): Date =>
  later(now, -CANCEL_WAITS_DAYS[step] * DAY_MS);

/** The sentence for the advertiser about the end of the check. */
export const CANCEL_CHECK_ENDS = `If it doesn’t decide within ${CANCEL_WAITS_DAYS.release} days, the cancel is carried out by itself.`;

export const CANCEL_WAITS = `The marketplace checks this cancel, because it is a large sum so soon after the payment. Your ad isn’t shown meanwhile. ${CANCEL_CHECK_ENDS} We’ll email you when the check is done.`;

/**
 * Whether the fee to which the advertiser agreed stays kept where their campaign ends for another reason while the cancel
 * waits. The operator refunds by hand as they decide, and a payment that is reported as fraudulent goes back in full,
 * because its cardholder has agreed to nothing. [REFU-201]
 */
export const keepsAgreedFee = (endedReason: EndedReason): boolean =>
  endedReason !== 'operator' && endedReason !== 'fraud_warning';

/** The sentence that the advertiser reads before a cancel: the fee, the limit and the check. */
export function cancelSentence({
  feeCents,
  left,
  waits,
  currency,
}: {
  feeCents: number;
  left: number;
  waits: boolean;
  currency: Currency;
}): string {
  return [
    ...(feeCents > 0
      ? [
          `The card provider’s fee of ${moneyText(decimalOf(feeCents), currency)} for your payment isn’t refunded.`,
        ]
      : []),
    left === 0
      ? 'You can’t cancel any more campaigns within 24 hours.'
      : `You can cancel ${counted(left, 'more campaign')} within 24 hours.`,
    ...(waits ? ['The marketplace checks this cancel before it refunds you.'] : []),
  ].join(' ');
}

/** The fee of most card payments, 2.9 % and 30 cents, which stands for the provider's until it is known. */
export const usualFee = (amountCents: number): number => Math.round(amountCents * 0.029) + 30;
