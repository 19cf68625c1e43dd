import type { Context } from '../context.ts';
import { deleteCodesBefore } from './store-codes.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Rows of codes issued over 30 days ago: by then they hold an address, and nothing else of use. */
export async function removeOldCodes(ctx: Context): Promise<number> {
  return await deleteCodesBefore(ctx.db, new Date(ctx.now().getTime() - KEPT_MS));
}
