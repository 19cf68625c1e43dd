/** The operator's holds of earnings. [BOOK-11] */
import type { HoldReason } from '#domain/payments/holds.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import {
  findPublisherOf,
  insertOperatorHold,
  isDisputeOpen,
  listOpenHolds,
  lockHold,
  markReleased,
  type OpenHold,
} from './store-holds.ts';

export type HeldEarnings = { id: number; userId: number; adId: number | null; reason: HoldReason };

/** The holds on the earnings of one publisher that are not released, the oldest first. */
export const openHoldsOf = async ({ db, now }: Context, userId: number, limit: number): Promise<OpenHold[]> =>
  await listOpenHolds(db, limit, now(), userId);

/**
 * Keeps the earnings of a publisher, or of one ad, from being paid out, in the caller's transaction. Throws 404, or 409 if
 * the operator holds them already.
 */
export async function holdEarnings(
  ctx: Context,
  tx: Tx,
  of: { userId: number } | { adId: number },
): Promise<HeldEarnings> {
  const adId = 'adId' in of ? of.adId : null;
  const userId = 'userId' in of ? of.userId : await findPublisherOf(tx, of.adId);
  if (userId === null) throw notFound('There is no ad with this number.');
  const id = await insertOperatorHold(tx, { userId, adId }, ctx.now());
  if (id === null) throw conflict('You hold these earnings already.');
  return { id, userId, adId, reason: 'operator' };
}

/**
 * Ends a hold, whatever its reason, in the caller's transaction. Throws 404, or 409 if it has ended or the bank has not
 * decided the dispute behind it.
 */
export async function releaseEarnings(ctx: Context, tx: Tx, id: number): Promise<HeldEarnings> {
  const hold = await lockHold(tx, id);
  if (!hold) throw notFound('There is no hold with this number. `openslot money books` shows the numbers.');
  if (hold.releasedAt !== null) throw conflict('This hold has ended already.');
  const { userId, adId, reason, externalRef } = hold;
  if (reason === 'dispute' && externalRef !== null && (await isDisputeOpen(tx, externalRef)))
    throw conflict('The bank has not decided this dispute. The hold ends by itself when it has.');
  await markReleased(tx, id, ctx.now());
  return { id, userId, adId, reason };
}
