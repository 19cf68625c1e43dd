import type { Ad } from '#domain/ads/contract.ts';
import { WITHDRAWN_REASON } from '#domain/ads/status.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { type AdRow, findAd, lockAd, moveAd } from '../store.ts';
import { viewAd } from '../view.ts';

/** Withdraws a pending or approved ad. Holds the ad until the transaction ends. Throws 409 in every other state. */
export async function withdrawNow(ctx: Context, tx: Tx, adId: number): Promise<Ad> {
  const { status } = (await lockAd(tx, { id: adId })) as AdRow;
  const now = ctx.now();
  const changes = { rejectionReason: WITHDRAWN_REASON, withdrawnAt: now, approvedAt: null };
  if (!(await moveAd(tx, adId, 'withdraw', now, changes)))
    throw conflict(`This ad is ${status}, so it can’t be withdrawn. Please reload the page.`);
  return viewAd((await findAd(tx, { id: adId })) as AdRow);
}
