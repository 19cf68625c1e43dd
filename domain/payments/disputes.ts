/** The stages of a dispute about a payment, by the provider's statuses. */
import { DAY_MS } from '../time.ts';

export const DISPUTE_STAGES = [
  /** The bank asks about the payment. No money has moved. */
  'inquiry',
  /** The bank has taken the money and waits for evidence. */
  'needs_response',
  /** The bank has the evidence and decides. */
  'under_review',
  /** One side has asked the card network to decide again. */
  'appeal',
  'won',
  'lost',
  /** A status that we do not know. The ad is paused, its earnings are on hold, and the books list the dispute. */
  'unknown',
] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

const STAGES: Readonly<Record<string, DisputeStage>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  needs_response: 'needs_response',
  under_review: 'under_review',
  appeal_needs_response: 'appeal',
  appeal_under_review: 'appeal',
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  charge_refunded: 'won',
  lost: 'lost',
};

/** The provider adds statuses without notice, so any other status is 'unknown' and leaves the dispute open. */
export function stageOf(status: string): DisputeStage {
  if (status.startsWith('appeal_') && !(status in STAGES)) return 'appeal';
  return Object.hasOwn(STAGES, status) ? (STAGES[status] as DisputeStage) : 'unknown';
}

/** Whether the provider takes evidence in this state. An appeal is answered in the provider's dashboard. */
export const takesEvidence = (status: string): boolean =>
  status === 'needs_response' || status === 'warning_needs_response';

/** Whether the bank or the card network waits for an answer. `isSent`: the bank has our evidence, which answers no appeal. */
export const waitsForAnswer = (status: string, isSent: boolean): boolean =>
  (takesEvidence(status) && !isSent) || status === 'appeal_needs_response';

/** The server sends the evidence this long before it is due. Until then, the operator can send it. */
export const EVIDENCE_LEAD_MS = DAY_MS;

/** The text about a dispute that both sides read on the page of the ad's money. */
export const STAGE_TEXTS: Record<DisputeStage, { buyer: string; publisher: string }> = {
  inquiry: {
    buyer:
      'Your bank asks us about this payment. Until it has an answer, the campaign isn’t shown. No money has moved.',
    publisher:
      'The bank of the advertiser asks us about this payment. Until it has an answer, the campaign isn’t shown and its earnings are on hold. No money has moved.',
  },
  needs_response: {
    buyer:
      'You disputed this payment with your bank, which has taken the money back for now. The campaign isn’t shown until the bank has decided.',
    publisher:
      'The payment is disputed, and the bank has taken the money back for now. We answer the bank with the record of the delivery. Until it has decided, the campaign isn’t shown and its earnings are on hold.',
  },
  under_review: {
    buyer: 'Your bank has our answer to the dispute and decides. The campaign isn’t shown until then.',
    publisher:
      'The bank has the record of the delivery and decides about the dispute. Until then, the campaign isn’t shown and its earnings are on hold.',
  },
  appeal: {
    buyer: 'The card network is deciding the dispute about this payment again.',
    publisher: 'The card network is deciding the dispute about this payment again.',
  },
  won: {
    buyer: 'The dispute about this payment is over. The payment stands.',
    publisher: 'The dispute about this payment is over. The payment stands.',
  },
  lost: {
    buyer: 'Your bank has decided the dispute for you and returned the money to you.',
    publisher: 'The bank has decided the dispute for the advertiser and kept the money.',
  },
  unknown: {
    buyer: 'Your bank is looking at this payment. The campaign isn’t shown until it has decided.',
    publisher:
      'The bank is looking at this payment. Until it has decided, the campaign isn’t shown and its earnings are on hold.',
  },
};
