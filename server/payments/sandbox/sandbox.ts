/** The sandbox's stand-in for the provider's card form. Its calls exist only while the sandbox is the provider. */
import type { Parsed } from '#domain/endpoint.ts';
import type { sandboxAuthenticate, sandboxConfirm } from '#domain/payments/contract.ts';
import type { Context, Caller } from '../../context.ts';
import { cardDeclined, conflict, notFound } from '../../http/errors.ts';
import { type PaymentIntent, ProviderError } from '../../adapters/payment-provider.ts';
import { intentOfSecret, isSandbox, type SandboxProvider } from '../../adapters/sandbox/payments.ts';
import { countingDeclines } from '../checkout/attempts.ts';
import { findPaymentOfIntent } from '../checkout/payment.ts';

export async function confirmCard(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof sandboxConfirm>,
): Promise<{ paymentIntentId: string; status: 'succeeded' | 'requires_action' }> {
  const { clientSecret, ...card } = body;
  const intent = await payAs(ctx, who, clientSecret, (sandbox) => sandbox.confirm(clientSecret, card));
  return {
    paymentIntentId: intent.id,
    status: intent.status === 'requires_action' ? 'requires_action' : 'succeeded',
  };
}

export async function answerChallenge(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof sandboxAuthenticate>,
): Promise<{ paymentIntentId: string; status: 'succeeded' }> {
  const { clientSecret, outcome } = body;
  const intent = await payAs(ctx, who, clientSecret, (sandbox) =>
    sandbox.authenticate(clientSecret, outcome),
  );
  return { paymentIntentId: intent.id, status: 'succeeded' };
}

/** Throws 404 unless the user owns the payment and the secret is right. A decline is 402 with the provider's message. */
async function payAs(
  ctx: Context,
  who: Caller,
  clientSecret: string,
  pay: (sandbox: SandboxProvider) => Promise<PaymentIntent>,
): Promise<PaymentIntent> {
  const provider = ctx.payments;
  if (!isSandbox(provider)) throw notFound();
  const payment = await findPaymentOfIntent(ctx.db, intentOfSecret(clientSecret));
  if (!payment || payment.userId !== who.id) throw notFound('Payment not found. Please reload the page.');
  try {
    return await countingDeclines(ctx, payment, () => pay(provider));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'declined')
      throw cardDeclined(error.message, error.code ?? 'card_declined', error.declineCode);
    if (error.kind === 'conflict') throw conflict(error.message);
    if (error.kind === 'not_found') throw notFound('Payment not found. Please reload the page.');
    throw error;
  }
}
