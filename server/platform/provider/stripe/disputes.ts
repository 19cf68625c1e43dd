/** Disputes, fraud warnings and reviews at Stripe. */
import type { Stripe } from 'stripe';
import type { Evidence } from '#domain/payments/evidence.ts';
import type { Dispute, PaymentProvider } from '../payment-provider.ts';
import type { StripeClient } from './client.ts';
import { readDispute, readFraudWarning, readReview } from './objects.ts';

type Calls = 'getDispute' | 'stageEvidence' | 'submitEvidence' | 'getFraudWarning' | 'getReview';

export function stripeDisputes({ ask }: StripeClient): Pick<PaymentProvider, Calls> {
  async function update(id: string, evidence: Evidence, key: string, submit: boolean): Promise<Dispute> {
    const parameters = { evidence: evidenceFor(evidence), submit };
    await ask((stripe) => stripe.disputes.update(id, parameters, { idempotencyKey: key }));
    // A repeated key returns the dispute as it was then.
    return readDispute(await ask((stripe) => stripe.disputes.retrieve(id)));
  }

  return {
    getDispute: async (id) => readDispute(await ask((stripe) => stripe.disputes.retrieve(id))),
    stageEvidence: async (id, evidence, key) => await update(id, evidence, key, false),
    submitEvidence: async (id, evidence, key) => await update(id, evidence, key, true),
    getFraudWarning: async (id) =>
      readFraudWarning(await ask((stripe) => stripe.radar.earlyFraudWarnings.retrieve(id))),
    getReview: async (id) => readReview(await ask((stripe) => stripe.reviews.retrieve(id))),
  };
}

/** Our evidence under Stripe's names (https://docs.stripe.com/api/disputes/update). */
function evidenceFor(evidence: Evidence): Stripe.DisputeUpdateParams.Evidence {
  return {
    product_description: evidence.productDescription,
    customer_name: evidence.customerName,
    customer_email_address: evidence.customerEmail,
    service_date: evidence.serviceDate,
    access_activity_log: evidence.activityLog,
    refund_policy_disclosure: evidence.refundPolicy,
    cancellation_policy_disclosure: evidence.cancellationPolicy,
    uncategorized_text: evidence.summary,
  };
}
