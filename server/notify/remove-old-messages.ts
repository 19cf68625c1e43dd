import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { deleteMessagesBefore } from './store.ts';
import { deleteBouncesBefore } from './store-bounces.ts';

const KEPT_MS = 30 * DAY_MS;
const BOUNCES_KEPT_MS = 365 * DAY_MS;

/**
 * Deletes mails that are more than 30 days old, and bounces that are more than a year old unless they keep an address
 * turned off. The queue stops trying to send a mail long before. Returns the number of mails.
 */
export async function removeOldMessages(ctx: Context): Promise<number> {
  const now = ctx.realNow();
  await deleteBouncesBefore(ctx.db, later(now, -BOUNCES_KEPT_MS));
  return await deleteMessagesBefore(ctx.db, later(now, -KEPT_MS));
}
