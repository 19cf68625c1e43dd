import type { Context } from '#server/platform/context.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { endAndRefund } from '#server/money/refunds/end.ts';
import { closeReports, type OpenCase, openCases } from '#server/market/transparency/moderate.ts';
import type { Page } from '#server/platform/http/route.ts';
import { type Operator, perform, record } from '../act.ts';
import { recordDecision } from './statement.ts';
import { requireSubject } from './suspend.ts';

const PAGE_SIZE = 50;

/** The ads with open reports, the longest-waiting first. */
export async function reportedAds(
  ctx: Context,
  { cursor, limit = PAGE_SIZE }: { cursor?: string | undefined; limit?: number },
): Promise<Page<OpenCase>> {
  return await openCases(ctx, { cursor, limit });
}

type AboutAd = { id: number; reason: string };

/**
 * Ends an ad for good, with a reason that both sides see, refunds the undelivered part and closes its reports. Throws
 * 404, or 409 if the ad is not running. [DEL-64, REFU-04]
 */
export async function takeDownAd(ctx: Context, operator: Operator, { id, reason }: AboutAd): Promise<void> {
  await perform(ctx, operator, async (tx) => {
    const { name, ownerId } = await requireSubject(tx, 'ad', id);
    const decision = { act: 'take-down', subject: 'ad', id, name, ownerId, reason } as const;
    const decisionUrl = await recordDecision(ctx, tx, operator, decision);
    const end = { adId: id, endedReason: 'taken_down', at: ctx.now(), takenDownReason: reason } as const;
    const ended = await endAndRefund(ctx, tx, end);
    if (!ended) throw conflict('This ad is not running. There is nothing to take down.');
    const { refundCents, keptCents } = ended;
    await notify(ctx, tx, { kind: 'ad-taken-down', adId: id, reason, decisionUrl, refundCents, keptCents });
    await closeReports(tx, id, ctx.now());
  });
}

/** Closes the open reports of an ad without a decision against it. Throws 404, or 409 if there are none. */
export async function dismissReports(
  ctx: Context,
  operator: Operator,
  { id, reason }: AboutAd,
): Promise<void> {
  await perform(ctx, operator, async (tx) => {
    const { name, ownerId } = await requireSubject(tx, 'ad', id);
    if ((await closeReports(tx, id, ctx.now())) === 0) throw conflict('This ad has no open reports.');
    await record(ctx, tx, operator, {
      act: 'dismiss-reports',
      subject: 'ad',
      subjectId: id,
      subjectName: name,
      affectedId: ownerId,
      reason,
    });
  });
}
