import { isSandbox, type SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import type { TestServer } from '../server.ts';
import type { Context } from '#server/platform/context.ts';
import { applyProviderEvent } from '#server/money/events/events.ts';

/** The provider of a test server that runs in the sandbox, with its plays. */
export function sandboxOf({ ctx }: Pick<TestServer, 'ctx'>): SandboxProvider {
  if (!isSandbox(ctx.payments)) throw new Error('This test server does not run in the sandbox');
  return ctx.payments;
}

/** Applies the provider's events that wait, as the job of a server does. */
export async function applyWaitingEvents(ctx: Context): Promise<void> {
  const waiting = ctx.db.selectFrom('providerEvents').select('id').where('doneAt', 'is', null);
  for (const { id } of await waiting.execute()) await applyProviderEvent(ctx, id);
}
