/** Disputes and fraud warnings of the stand-in for Stripe. */
import type { Operations, StripeAccount, StripeObject } from './account.ts';

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

  function closeDispute(id: string, status: 'won' | 'lost'): void {
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

  const operations: Operations = {
    'GET /v1/disputes/{id}': (_, [id]) => get(id, 'dispute'),
    'GET /v1/radar/early_fraud_warnings/{id}': (_, [id]) => get(id, 'radar.early_fraud_warning'),
  };

  return { operations, dispute, closeDispute, warnOfFraud };
}
