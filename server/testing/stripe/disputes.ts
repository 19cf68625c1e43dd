/** Disputes and fraud warnings of the stand-in for Stripe. */
import { type Operations, Refused, type StripeAccount, type StripeObject } from './account.ts';

export function openDisputes(account: StripeAccount) {
  const { add, get, newId, move, seconds, tell } = account;

  function dispute(intentId: string, status = 'needs_response'): StripeObject {
    const intent = get(intentId, 'payment_intent');
    const amount = Number(intent['amount']);
    const isInquiry = status.startsWith('warning');
    const made = add({
      id: newId('dp'),
      object: 'dispute',
      amount,
      currency: intent['currency'],
      charge: intent['latest_charge'],
      payment_intent: intentId,
      status,
      reason: 'fraudulent',
      created: seconds(),
      metadata: {},
      evidence_details: {
        due_by: seconds() + 7 * 86_400,
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      balance_transactions: [] as StripeObject[],
    });
    tell('charge.dispute.created', made);
    if (!isInquiry) {
      made.balance_transactions.push(move('adjustment', -amount, 1500, made.id));
      tell('charge.dispute.funds_withdrawn', made);
    }
    return made;
  }

  /** `status` is any word, even one that Stripe does not use yet. 'won' returns the money. */
  function closeDispute(id: string, status: string): void {
    const disputed = get(id, 'dispute') as StripeObject & { balance_transactions: StripeObject[] };
    disputed['status'] = status;
    if (status === 'won') {
      disputed.balance_transactions.push(move('adjustment', Number(disputed['amount']), -1500, id));
      tell('charge.dispute.funds_reinstated', disputed);
    }
    tell('charge.dispute.closed', disputed);
  }

  function warnOfFraud(intentId: string): StripeObject {
    const intent = get(intentId, 'payment_intent');
    const warning = add({
      id: newId('issfr'),
      object: 'radar.early_fraud_warning',
      actionable: true,
      charge: intent['latest_charge'],
      payment_intent: intentId,
      created: seconds(),
      fraud_type: 'unauthorized_use_of_card',
      livemode: false,
    });
    tell('radar.early_fraud_warning.created', warning);
    return warning;
  }

  function openReview(intentId: string): StripeObject {
    const made = add({
      id: newId('prv'),
      object: 'review',
      charge: get(intentId, 'payment_intent')['latest_charge'],
      payment_intent: intentId,
      open: true,
      opened_reason: 'rule',
      reason: 'rule',
      closed_reason: null,
      created: seconds(),
      livemode: false,
    });
    tell('review.opened', made);
    return made;
  }

  function closeReview(id: string, reason: string): void {
    const review = get(id, 'review');
    Object.assign(review, { open: false, reason, closed_reason: reason });
    tell('review.closed', review);
  }

  /** The card network decides again about a dispute that was lost. */
  function appeal(id: string): void {
    const disputed = get(id, 'dispute');
    disputed['status'] = 'appeal_under_review';
    tell('charge.dispute.updated', disputed);
  }

  const operations: Operations = {
    'GET /v1/disputes/{id}': (_, [id]) => get(id, 'dispute'),
    'POST /v1/disputes/{id}': ({ evidence, submit }, [id]) => {
      const disputed = get(id, 'dispute');
      if (!/^(?:warning_)?needs_response$/.test(String(disputed['status'])))
        throw new Refused(400, {
          type: 'invalid_request_error',
          message: 'This dispute is already closed or under review, and takes no evidence.',
        });
      disputed['evidence'] = { ...(disputed['evidence'] as object), ...(evidence as object) };
      const details = disputed['evidence_details'] as { has_evidence: boolean; submission_count: number };
      details.has_evidence = true;
      if (submit === 'true') {
        details.submission_count++;
        disputed['status'] = String(disputed['status']).replace('needs_response', 'under_review');
      }
      tell('charge.dispute.updated', disputed);
      return disputed;
    },
    'GET /v1/reviews/{id}': (_, [id]) => get(id, 'review'),
    'GET /v1/radar/early_fraud_warnings/{id}': (_, [id]) => get(id, 'radar.early_fraud_warning'),
  };

  return { operations, dispute, closeDispute, appeal, warnOfFraud, openReview, closeReview };
}
