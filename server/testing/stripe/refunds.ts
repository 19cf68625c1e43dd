/** Refunds of the stand-in for Stripe. */
import {
  metadataOf,
  type Operations,
  type Parameters,
  Refused,
  type StripeAccount,
  type StripeObject,
} from './account.ts';

/** `isPending` says whether refunds begin as pending. */
export function openRefunds(account: StripeAccount, isPending: () => boolean) {
  const { all, add, get, newId, move, pageOf, seconds, tell } = account;

  function settleRefund(id: string, status: 'succeeded' | 'failed'): void {
    const refund = get(id, 'refund');
    const amount = Number(refund['amount']);
    if (status === 'succeeded') {
      refund['balance_transaction'] ??= move('refund', -amount, 0, id).id;
    } else {
      if (refund['balance_transaction'] !== null)
        refund['failure_balance_transaction'] = move('refund_failure', amount, 0, id).id;
      refund['failure_reason'] = 'expired_or_canceled_card';
      const charged = get(refund['charge'], 'charge');
      charged['amount_refunded'] = Number(charged['amount_refunded']) - amount;
    }
    refund['status'] = status;
    tell(status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  }

  function refund(given: Parameters): StripeObject {
    const intent = get(given['payment_intent'], 'payment_intent');
    const charged = intent['latest_charge'] === null ? null : get(intent['latest_charge'], 'charge');
    if (!charged || charged['status'] !== 'succeeded') {
      throw new Refused(400, {
        type: 'invalid_request_error',
        message: `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      });
    }
    const left = Number(charged['amount']) - Number(charged['amount_refunded']);
    const amount = given['amount'] === undefined ? left : Number(given['amount']);
    if (left === 0) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'charge_already_refunded',
        message: `Charge ${charged.id} has already been refunded.`,
      });
    }
    if (amount > left) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
        param: 'amount',
      });
    }
    const isDisputed = all('dispute').some(
      ({ charge, status }) => charge === charged.id && !/^(warning|won)/.test(String(status)),
    );
    if (isDisputed) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'charge_disputed',
        message: `Charge ${charged.id} has been charged back; cannot issue a refund.`,
      });
    }
    charged['amount_refunded'] = Number(charged['amount_refunded']) + amount;
    const refund = add({
      id: newId('re'),
      object: 'refund',
      amount,
      currency: charged['currency'],
      charge: charged.id,
      payment_intent: intent.id,
      status: 'pending',
      created: seconds(),
      metadata: metadataOf(given),
      reason: null,
      balance_transaction: null as string | null,
    });
    if (!isPending()) {
      refund.balance_transaction = move('refund', -amount, 0, refund.id).id;
      refund.status = 'succeeded';
    }
    tell('refund.created', refund);
    return refund;
  }

  /** The dashboard writes no metadata, and tells of the charge as well. */
  function refundOutside(intentId: string, amount: number): StripeObject {
    const made = refund({ payment_intent: intentId, amount: String(amount) });
    tell('charge.refunded', get(made['charge'], 'charge'));
    return made;
  }

  const operations: Operations = {
    'POST /v1/refunds': refund,
    'GET /v1/refunds': (given) =>
      pageOf(
        all('refund').filter(({ payment_intent: of }) => of === given['payment_intent']),
        given,
        '/v1/refunds',
      ),
    'GET /v1/refunds/{id}': (_, [id]) => get(id, 'refund'),
  };

  return { operations, refundOutside, settleRefund };
}
