import type { Context } from '#server/platform/context.ts';
import type { PaymentIntent } from '#server/platform/provider/payment-provider.ts';
import type { Payment } from './payment.ts';

/**
 * The fields of an intent that are not as agreed with the advertiser. A difference means a mixed-up or forged intent,
 * so the ad must not go live on it. [OP-094]
 */
export function differences(
  ctx: Context,
  payment: Payment,
  intent: PaymentIntent,
  installation: string,
): string[] {
  const agreed = {
    intent: intent.id === payment.intentId,
    payment: intent.metadata['payment_id'] === String(payment.id),
    installation: intent.metadata['installation'] === installation,
    customer: intent.customerId === payment.customerId,
    amount: intent.amount === payment.amountCents,
    currency: intent.currency === payment.currency,
    book: ctx.payments.book === payment.book,
    mode: intent.live === (ctx.payments.mode === 'live'),
    ...(intent.status === 'succeeded' && {
      received: intent.amountReceived === payment.amountCents,
      charge: intent.chargeId !== null,
    }),
  };
  return Object.entries(agreed).flatMap(([name, is]) => (is ? [] : [name]));
}
