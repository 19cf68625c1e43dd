import type { Context } from '#server/platform/context.ts';
import { forgetChanges } from './store.ts';

/** Part of the job that runs every minute: removes changes that every running server has read. */
export async function removeOldChanges(ctx: Context): Promise<void> {
  await forgetChanges(ctx.db);
}
