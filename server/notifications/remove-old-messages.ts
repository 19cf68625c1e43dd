import type { Context } from '../context.ts';
import { deleteMessagesBefore } from './store.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Forgets who was mailed what over 30 days ago; the queue has given up on the relay long before. */
export async function removeOldMessages(ctx: Context): Promise<number> {
  return await deleteMessagesBefore(ctx.db, new Date(ctx.now().getTime() - KEPT_MS));
}
