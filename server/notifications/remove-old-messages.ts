import type { Context } from '../context.ts';
import { deleteMessagesBefore } from './store.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes mails that are more than 30 days old. The queue stops trying to send a mail long before. */
export async function removeOldMessages(ctx: Context): Promise<number> {
  return await deleteMessagesBefore(ctx.db, new Date(ctx.realNow().getTime() - KEPT_MS));
}
