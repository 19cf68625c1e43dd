import { ACCOUNT_EVENTS, CONNECT_EVENTS } from '#server/platform/provider/payment-events.ts';
import type { Context } from '#server/platform/context.ts';
import { untilWaiting } from '#server/platform/outbound/wait.ts';

/**
 * Prepares the account at the card provider, and logs what the operator has to do there. While everything outgoing
 * waits, it waits for the release, or for the end of the server.
 */
export async function prepareProvider(ctx: Context, closed: AbortSignal): Promise<void> {
  await untilWaiting(ctx.db, false, closed);
  if (closed.aborted) return;
  const { publicUrl } = ctx.config;
  const needs = { publicUrl, events: ACCOUNT_EVENTS, connectEvents: CONNECT_EVENTS };
  try {
    for (const problem of await ctx.payments.prepare(needs)) ctx.log.warn(`Card payments: ${problem}`);
  } catch (error) {
    ctx.log.error({ err: error }, 'the account at the card provider could not be prepared');
  }
}
