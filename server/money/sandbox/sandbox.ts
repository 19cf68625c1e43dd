/** The sandbox's stand-in for the provider's card form. Its calls exist only while the sandbox is the provider. */
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { sandboxAuthenticate, sandboxConfirm } from '#domain/payments/contract.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { cardDeclined, conflict, notFound } from '#server/platform/http/errors.ts';
import { type PaymentIntent, ProviderError, type Setup } from '#server/platform/provider/payment-provider.ts';
import {
  intentOfSecret,
  isSandbox,
  isSetupSecret,
  type SandboxProvider,
} from '#server/platform/provider/sandbox/payments.ts';
import { countingDeclines } from '../checkout/attempts.ts';
import { findPaymentOfIntent } from '../checkout/payment.ts';
import { findConsentOfSetup } from '../checkout/consent-rows.ts';

export async function confirmCard(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof sandboxConfirm>,
): Promise<Reply<typeof sandboxConfirm>> {
  const { clientSecret, ...card } = body;
  const { id, status } = await actAs(ctx, who, clientSecret, (sandbox) =>
    isSetupSecret(clientSecret) ? sandbox.saveCard(clientSecret, card) : sandbox.confirm(clientSecret, card),
  );
  const isChallenged = status === 'requires_action';
  return { ...named(clientSecret, id), status: isChallenged ? 'requires_action' : 'succeeded' };
}

export async function answerChallenge(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof sandboxAuthenticate>,
): Promise<Reply<typeof sandboxAuthenticate>> {
  const { clientSecret, outcome } = body;
  const { id } = await actAs(ctx, who, clientSecret, (sandbox) =>
    isSetupSecret(clientSecret)
      ? sandbox.authenticateSetup(clientSecret, outcome)
      : sandbox.authenticate(clientSecret, outcome),
  );
  return { ...named(clientSecret, id), status: 'succeeded' };
}

const named = (clientSecret: string, id: string) =>
  isSetupSecret(clientSecret) ? { setupIntentId: id } : { paymentIntentId: id };

/** Throws 404 unless the user owns the payment or consent and the secret is right. A decline is 402 with the provider's message. */
async function actAs(
  ctx: Context,
  who: Caller,
  clientSecret: string,
  act: (sandbox: SandboxProvider) => Promise<PaymentIntent | Setup>,
): Promise<PaymentIntent | Setup> {
  const provider = ctx.payments;
  if (!isSandbox(provider)) throw notFound();
  const objectId = intentOfSecret(clientSecret);
  const payer = isSetupSecret(clientSecret)
    ? await findConsentOfSetup(ctx.db, objectId)
    : await findPaymentOfIntent(ctx.db, objectId);
  if (!payer || payer.userId !== who.id) throw notFound('Payment not found. Please reload the page.');
  try {
    return await countingDeclines(ctx, payer, () => act(provider));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'declined')
      throw cardDeclined(error.message, error.code ?? 'card_declined', error.declineCode);
    if (error.kind === 'conflict') throw conflict(error.message);
    if (error.kind === 'not_found') throw notFound('Payment not found. Please reload the page.');
    throw error;
  }
}

/**
 * Moves the sandbox on: it reports the fees of charges, and completes pending refunds and bank payouts. A real provider
 * does that by itself.
 */
export async function settleSandbox({ payments }: Context, objectId?: string): Promise<void> {
  if (isSandbox(payments)) await payments.settle(objectId);
}
