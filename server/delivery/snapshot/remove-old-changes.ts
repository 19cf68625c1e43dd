import type { Context } from '#server/context.ts';
import { forgetChanges } from './store.ts';

/** Part of the minutely job: removes change notices that every running server has read. */
export async function removeOldChanges(ctx: Context): Promise<void> {
  await forgetChanges(ctx.db);
}
