import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notify } from '#server/notify/notify.ts';
import { extendByPause } from '../clock/clock-store.ts';
import { endAd } from './end.ts';
import { clearDisputed, markDisputed } from '../store.ts';

/**
 * Keeps a running ad from being shown while its payment is disputed, and notifies both sides. Its clock stops. The
 * caller has locked the ad. [HOOK-12]
 */
export async function pauseForDispute(
  ctx: Context,
  tx: Tx,
  { adId, isInquiry }: { adId: number; isInquiry: boolean },
): Promise<void> {
  if (await markDisputed(tx, adId, ctx.now()))
    await notify(ctx, tx, { kind: 'ad-disputed', adId, isInquiry });
}

/** Shows an ad again after its dispute. A per-day ad is extended by the time of the dispute. The caller has locked it. */
export async function resumeAfterDispute(ctx: Context, tx: Tx, adId: number): Promise<void> {
  const to = ctx.now();
  const cleared = await clearDisputed(tx, adId, to);
  if (!cleared) return;
  await extendByPause(tx, { of: 'ad', id: adId }, { from: cleared.from, to });
  if (cleared.status === 'active') await notify(ctx, tx, { kind: 'ad-undisputed', adId });
}

/** Ends a campaign whose payment the bank took back for good. An ad that has ended only loses its pause. */
export async function endDisputed(tx: Tx, adId: number, at: Date): Promise<void> {
  await endAd(tx, adId, { endedReason: 'fraud_warning', at });
  await clearDisputed(tx, adId, at);
}
