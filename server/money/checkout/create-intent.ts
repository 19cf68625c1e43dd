/**
 * The charge of an approved ad, until its browser can ask for the card:
 * 1. check the call: its rate, the terms, the tax number, and the letters of the receipt
 * 2. store the payment with its tax, or resume the open one (open-payment.ts)
 * 3. create its intent at the provider, or find it (intents.ts)
 * 4. answer with the secret of the intent, or bring the payment to the state of its intent (finalise.ts)
 */
import type { Parsed } from '#domain/endpoint.ts';
import type { createPaymentIntent } from '#domain/payments/contract.ts';
import type { PaymentIntent } from '#server/platform/provider/payment-provider.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { refuseOldTerms } from '#server/platform/pages/terms.ts';
import { requirePrintableReceipt } from '../documents/printer.ts';
import { answering } from '../provider-requests/answer-time.ts';
import { networkHash } from '../provider-requests/hashes.ts';
import { differences } from './agreement.ts';
import { closePayment } from './close.ts';
import { finalisePayment } from './finalise.ts';
import { intentOf } from './intents.ts';
import { alreadyPaid, notAsAgreed, openPayment, tooLate } from './open-payment.ts';
import { hasUndecided, type Payment } from './payment.ts';
import { requireKnownBuyer } from './tax.ts';

/** An intent may have to be replaced by a new one. A second replacement in the same request would be a fault of ours. */
const ATTEMPTS = 3;

/**
 * Begins or resumes the payment of an approved ad. Reloading or repeating the call reuses the ad's one open payment and
 * its one intent [STATE-30]. We charge the stored price; `amount` is only compared with it [OP-092].
 */
export async function createIntent(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof createPaymentIntent>,
  { ip }: { ip: string },
): Promise<{ clientSecret: string }> {
  await ctx.limits('payment-intent', { points: 120, seconds: 3600 })(String(personOf(who)));
  refuseOldTerms(ctx.config, body.acceptedTerms);
  await requireKnownBuyer(ctx, who.id, body);
  await requirePrintableReceipt(ctx, { publicId: body.adPublicId }, body.receiptFor);
  // No card can have been charged before a browser got the secret of an intent for this ad. An earlier try may have given it one.
  let isCertain = false;
  const sentence = () =>
    isCertain
      ? 'Nothing was charged. Please try again in a moment.'
      : 'If you have already paid for this ad, it goes live by itself, so don’t pay again. Otherwise try again in a moment.';
  return answering(ctx, sentence, async () => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const payment = await ctx.db
        .transaction()
        .execute((tx) => openPayment(ctx, tx, { userId: who.id, network: networkHash(ctx, ip) }, body));
      isCertain = payment.intentId === null && !(await hasUndecided(ctx.db, payment));
      const intent = await payableIntent(ctx, payment);
      if (intent !== null) return { clientSecret: intent.clientSecret };
    }
    throw new Error(`Ad ${body.adPublicId} has no intent after ${ATTEMPTS} attempts`);
  });
}

/** The payment's intent, or null if the payment was closed and a new one has to be made. */
export async function payableIntent(ctx: Context, payment: Payment): Promise<PaymentIntent | null> {
  const intent = await intentOf(ctx, payment);
  switch (intent?.status) {
    // The payment was closed meanwhile, or the provider does not know its intent.
    case undefined:
      break;
    case 'requires_payment':
    case 'requires_action': {
      const agreed = { ...payment, intentId: intent.id };
      const wrong = differences(ctx, agreed, intent, await installationId(ctx.db));
      // The customer of a new intent is stored with it, and checked from the next call on.
      if (wrong.every((each) => each === 'customer' && payment.intentId === null)) return intent;
      ctx.log.error({ paymentId: payment.id, intentId: intent.id, wrong }, 'an intent is not as agreed');
      break;
    }
    case 'processing':
      throw conflict('The payment for this ad is being processed. Please check again in a few minutes.');
    case 'succeeded':
    case 'canceled': {
      const outcome = await ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
      if (outcome === 'closed') return null;
      throw outcome === 'paid' ? alreadyPaid() : outcome === 'suspense' ? notAsAgreed() : tooLate();
    }
  }
  await ctx.db.transaction().execute((tx) => closePayment(ctx, tx, payment));
  return null;
}
