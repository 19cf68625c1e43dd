/**
 * Campaigns whose ad zone requests no ads. After 72 hours they are paused until the tag requests an ad again.
 * server/money/refunds/endings.ts refunds them after 14 days. A pause, suspension or dispute is no silence of the
 * tag. [REFU-07]
 */
import type { Context } from '#server/platform/context.ts';
import { notify } from '#server/notify/notify.ts';
import { allBatches } from '#server/platform/database/batches.ts';
import { endSilence, listLongSilent, listUnfinishedQuotas, lookAtTags, markSilent } from './silence-store.ts';

/**
 * Pauses the ads whose tag has been silent for 72 hours and notifies both sides. Resumes the ads whose tag has
 * requested an ad since. Each running ad is looked at when its tag could have become silent, not in every run.
 */
export async function noteSilentTags(ctx: Context): Promise<void> {
  const now = ctx.now();
  await endSilence(ctx.db, now);
  await allBatches(async (limit) => {
    const looks = await lookAtTags(ctx.db, now, limit);
    for (const { id, since } of looks.filter(({ isSilent }) => isSilent)) {
      await ctx.db.transaction().execute(async (tx) => {
        if (await markSilent(tx, id, since)) await notify(ctx, tx, { kind: 'tag-silent', adId: id });
      });
    }
    return looks.length;
  });
}

/** Ids above `after` of ads whose tag has been silent since `deadline` or before, ascending. */
export async function listSilentTooLong(
  ctx: Context,
  deadline: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  return await listLongSilent(ctx.db, deadline, after, limit);
}

/** Ids above `after` of ads with a quota that started at `deadline` or before and still run, ascending. */
export async function listOverdueQuotas(
  ctx: Context,
  deadline: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  return await listUnfinishedQuotas(ctx.db, deadline, after, limit);
}
