import type { Context } from '#server/platform/context.ts';
import { deleteCodesBefore } from '../record/store-codes.ts';
import { DAY_MS } from '#domain/time.ts';

const KEPT_MS = 30 * DAY_MS;

/** Removes codes that were issued over 30 days ago. Apart from an address they hold nothing of use. */
export async function removeOldCodes(ctx: Context): Promise<number> {
  return await deleteCodesBefore(ctx.db, new Date(ctx.realNow().getTime() - KEPT_MS));
}
