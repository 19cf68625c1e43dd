/** The daily check of the targets of second creatives, by the rules of an ad's target (docs/decisions/053-targets.md). */
import { isPublicTarget } from '#domain/public-host.ts';
import { later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { notify } from '#server/notify/notify.ts';
import { lockAd } from '../store.ts';
import { followTarget, lookAt, pauseReason } from '../submit/target-checks.ts';
import {
  checkAllTargetsAt,
  closeVariant,
  type DueTarget,
  lockVariant,
  takeDueTargets,
  writeTarget,
} from './store.ts';

const RETRY_MS = 10 * MINUTE_MS;
const MAX_CHECKS = 8;

/**
 * Part of the job 'check-targets': opens the targets that are due. An approved creative that leads elsewhere than approved
 * at two looks is taken away, and the campaign goes on with its first. Returns how many were opened.
 */
export async function checkDueVariants(ctx: Context, hasListChanged: boolean): Promise<number> {
  const now = ctx.now();
  if (hasListChanged) await checkAllTargetsAt(ctx.db, now);
  const due = await takeDueTargets(ctx.db, now, later(now, RETRY_MS), MAX_CHECKS);
  await Promise.all(due.map(async (target) => await check(ctx, target)));
  return due.length;
}

async function check(ctx: Context, { id, adId, targetUrl }: DueTarget): Promise<void> {
  const found = await followTarget(ctx, targetUrl);
  const { finalHost, listedHost } = found;
  await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockAd(tx, { id: adId });
    const variant = await lockVariant(tx, id);
    if (!ad || (variant.status !== 'pending' && variant.status !== 'approved')) return;
    const now = ctx.now();
    const isApproved = variant.status === 'approved';
    const approvedHost = isApproved ? variant.approvedHost : null;
    const look = lookAt({ approvedHost, elsewhereSince: variant.elsewhereSince }, found, now);
    await writeTarget(tx, id, {
      checkedAt: now,
      checkDueAt: later(now, look.nextMs),
      approvedHost: isApproved ? (approvedHost ?? finalHost) : null,
      elsewhereSince: look.elsewhereSince,
      // After a failure and a first look elsewhere, what the last answer said stays known.
      ...(look.isKept && finalHost !== null && { finalHost }),
    });
    const reason = pauseReason({
      isListed: listedHost !== null,
      isElsewhere: look.isKept && look.elsewhereSince !== null,
      isPublic: isPublicTarget(targetUrl),
    });
    if (!isApproved || reason === null) return;
    const removed = await closeVariant(tx, id, reason, now);
    if (removed) await notify(ctx, tx, { kind: 'variant-stopped', adId: ad.id, creative: removed, reason });
  });
}
