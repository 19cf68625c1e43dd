import type { Context } from '#server/platform/context.ts';
import { applyProviderEvent } from '#server/money/events/events.ts';

/** Applies the provider's events that wait, as the job of a server does. */
export async function applyWaitingEvents(ctx: Context): Promise<void> {
  const waiting = ctx.db.selectFrom('providerEvents').select('id').where('doneAt', 'is', null);
  for (const { id } of await waiting.execute()) await applyProviderEvent(ctx, id);
}
