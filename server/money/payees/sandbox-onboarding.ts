import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { sandboxOnboard } from '#domain/payments/contract.ts';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { findPayee } from './store.ts';

/** Answers the sandbox's onboarding for the caller's own account. The state follows by an event, as with a real provider. */
export async function onboardInSandbox(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof sandboxOnboard>,
): Promise<Reply<typeof sandboxOnboard>> {
  if (!isSandbox(ctx.payments)) throw notFound();
  const payee = await findPayee(ctx.db, who.id, ctx.payments.book);
  if (payee === null || payee.accountId === null)
    throw conflict('Begin in your settings, under Billing, with “Set up payouts”.');
  await ctx.payments.play.reviewPayee(payee.accountId, body.outcome === 'complete');
  return { success: true };
}
