import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { conflict, notFound } from '../http/errors.ts';
import { notify } from '../notifications/notify.ts';
import { lockAd, moveAd } from './store.ts';

/**
 * The operator ends an ad for good, with a reason that both sides see. The ad disappears from pages within two seconds,
 * as with any change; a click on a copy that is still on a screen leads to the home page. No money moves: what was
 * delivered stays paid, and the operator decides about a refund. `decisionUrl` is the page where the advertiser can
 * answer. Throws 404, or 409 if the ad is not active.
 */
export async function takeDown(
  ctx: Context,
  tx: Tx,
  { adId, reason, decisionUrl }: { adId: number; reason: string; decisionUrl: string },
): Promise<void> {
  const now = ctx.now();
  const ad = await lockAd(tx, { id: adId });
  if (!ad) throw notFound('Ad not found. Please reload the page.');
  const ended = await moveAd(tx, adId, 'complete', now, { endDate: now, takenDownReason: reason });
  if (!ended) throw conflict('This ad is not running. There is nothing to take down.');
  await notify(ctx, tx, { kind: 'ad-taken-down', adId, reason, decisionUrl });
}
