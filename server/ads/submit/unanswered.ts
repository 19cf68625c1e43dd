/** The jobs that remind publishers of waiting ads, and reject ads that nobody has answered. Silence never approves. */
import { unansweredReason } from '#domain/ads/status.ts';
import { DAY_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { allBatches } from '#server/platform/database/batches.ts';
import { notify } from '#server/notify/notify.ts';
import { nextReminder } from '../review-rules/answer-clock.ts';
import { listSimilarZones } from '../review-rules/similar-zones.ts';
import { lockWaiting, moveAd, noteReminder } from '../store.ts';

/** Rejects the ads whose answer time is over, and mails their advertisers similar zones. Returns how many. */
export async function rejectUnanswered(ctx: Context): Promise<number> {
  // The operator may have turned the clock off after these ads were submitted.
  if (ctx.config.approvalDays === 0) return 0;
  const now = ctx.now();
  return await allBatches((limit) =>
    ctx.db.transaction().execute(async (tx) => {
      const ads = await lockWaiting(tx, 'answerDueAt', now, limit);
      for (const { id, reviewSince, answerDueAt } of ads) {
        const days = Math.round(((answerDueAt as Date).getTime() - reviewSince.getTime()) / DAY_MS);
        const reason = unansweredReason(Math.max(1, days));
        await moveAd(tx, id, 'reject', now, { rejectionReason: reason });
        const similar = await listSimilarZones(tx, id);
        await notify(ctx, tx, { kind: 'ad-unanswered', adId: id, reason, similar });
      }
      return ads.length;
    }),
  );
}

/** Reminds publishers of ads that wait. After a jump of the clock over several reminders, one is sent. Returns how many. */
export async function remindPublishers(ctx: Context): Promise<number> {
  const now = ctx.now();
  return await allBatches((limit) =>
    ctx.db.transaction().execute(async (tx) => {
      const ads = await lockWaiting(tx, 'remindAt', now, limit);
      for (const { id, reviewSince, answerDueAt } of ads) {
        await noteReminder(tx, id, nextReminder(reviewSince, now));
        const dueAt = ctx.config.approvalDays === 0 ? null : answerDueAt;
        if (dueAt === null || dueAt > now)
          await notify(ctx, tx, { kind: 'ad-reminder', adId: id, since: reviewSince, dueAt });
      }
      return ads.length;
    }),
  );
}
