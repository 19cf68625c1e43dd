import type { Context } from '../context.ts';
import { conflict, notFound } from '../http/errors.ts';
import { notify } from '../notifications/notify.ts';
import { lockAd, moveAd } from './store.ts';

/**
 * Whoever runs the server ends an ad for good, with a reason that both sides read. It leaves every page as any change
 * does, within two seconds, and a click on what is still on a screen leads home. No money moves: what was delivered stays
 * paid, and whether anything is given back is decided by people.
 */
export async function takeDown(ctx: Context, adId: number, reason: string): Promise<void> {
  const now = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockAd(tx, { id: adId });
    if (!ad) throw notFound('Ad not found');
    const ended = await moveAd(tx, adId, 'complete', now, { endDate: now, takenDownReason: reason });
    if (!ended) throw conflict('This ad is not running any more.');
    await notify(ctx, tx, { kind: 'ad-taken-down', adId, reason });
  });
}
