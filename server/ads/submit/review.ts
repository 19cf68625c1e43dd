import type { Ad, approveAd as approveCall, rejectAd } from '#domain/ads/contract.ts';
import { type AdAction, canApply } from '#domain/ads/status.ts';
import type { blockAdvertiser } from '#domain/ads/block-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { bookAllDays, startableOf } from '../booking/book-days.ts';
import { noteAnswer } from '../review-rules/answer-clock.ts';
import { blockFor } from '../review-rules/block.ts';
import { trustAdvertiser } from '../review-rules/trust.ts';
import { type AdRow, findAd, lockAd, moveAd } from '../store.ts';
import { approveTarget } from './target-checks.ts';
import { adReply } from '../reply.ts';

/** Approves a pending ad in one of the publisher's own zones. The advertiser can then pay. [DASH-S-33] */
export async function approve(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof approveCall>,
): Promise<Ad> {
  return ctx.db.transaction().execute(async (tx) => {
    const ad = await lockForReview(tx, who, params.ref, 'approve', body.version);
    const now = ctx.now();
    await approveAd(ctx, tx, ad, now);
    await noteAnswer(tx, ad, now);
    if (body.trust) await trustAdvertiser(tx, ad, now);
    return changedAdReply(tx, ad.id);
  });
}

/**
 * Approves a pending ad: by its publisher, or by the publisher's trust, with the host where its target has to lead. The
 * caller has locked it.
 */
export async function approveAd(
  ctx: Context,
  tx: Tx,
  ad: AdRow,
  now: Date,
  trustedHost: string | null = null,
): Promise<void> {
  await approveTarget(tx, ad, trustedHost);
  await bookAllDays(tx, startableOf(ad), now);
  if (!(await moveAd(tx, ad.id, 'approve', now, { approvedAt: now }))) throw changedMeanwhile();
  await notify(ctx, tx, { kind: 'ad-approved', adId: ad.id, card: chargedCard(ad) });
  await enqueue(tx, 'charge-consented', { adId: ad.id });
}

/** Rejects a pending ad in one of the publisher's own zones and notifies the advertiser. [DASH-S-34, OP-066] */
export async function reject(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof rejectAd>,
): Promise<Ad> {
  return ctx.db.transaction().execute(async (tx) => {
    const ad = await lockForReview(tx, who, params.ref, 'reject', body.version);
    const reason = body.rejectionReason;
    const now = ctx.now();
    if (!(await moveAd(tx, ad.id, 'reject', now, { rejectionReason: reason }))) throw changedMeanwhile();
    await noteAnswer(tx, ad, now);
    await notify(ctx, tx, { kind: 'ad-rejected', adId: ad.id, reason });
    return changedAdReply(tx, ad.id);
  });
}

const BLOCKED_REASON = 'The publisher doesn’t take your ads';

/**
 * Blocks the advertiser of an ad. Their waiting ads in all zones of the publisher are rejected. Ads that the publisher has
 * approved can still be paid, and paid ones run on.
 */
export async function block(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof blockAdvertiser>,
): Promise<Reply<typeof blockAdvertiser>> {
  return await ctx.db.transaction().execute(async (tx) => {
    const ad = await findAd(tx, body.ad);
    if (!ad || ad.publisherId !== who.id) throw notFound('Ad not found. Please reload the page.');
    if (ad.userId === who.id) throw conflict('This is your own ad. You can’t block yourself.');
    const now = ctx.now();
    const waiting = await blockFor(tx, who.id, ad.userId, now);
    for (const adId of waiting) {
      await moveAd(tx, adId, 'reject', now, { rejectionReason: BLOCKED_REASON });
      await notify(ctx, tx, { kind: 'ad-rejected', adId, reason: BLOCKED_REASON });
    }
    return { success: true, rejected: waiting.length };
  });
}

/** Throws 409 if the ad is not the version that the publisher saw, so that no resubmission is decided unseen. [DOOR-03] */
async function lockForReview(
  tx: Tx,
  who: Caller,
  ref: Reference,
  action: AdAction,
  seenVersion: number | undefined,
): Promise<AdRow> {
  const ad = await lockAd(tx, ref);
  if (!ad || ad.publisherId !== who.id) throw notFound('Ad not found. Please reload the page.');
  if (!canApply(action, ad.status)) {
    throw conflict(`This ad is already ${ad.status}. Please reload the page.`);
  }
  if (seenVersion !== undefined && seenVersion !== ad.version) {
    throw conflict('The advertiser has changed this ad since you opened it. Review the new version first.');
  }
  return ad;
}

/** The last digits of the card that is charged on approval; null if there is none. */
const chargedCard = ({ consent }: AdRow): string | null =>
  consent?.state === 'active' ? consent.last4 : null;

// This should never happen, because the row is locked and its status was checked above.
const changedMeanwhile = () => conflict('This ad has changed in the meantime. Please reload the page.');

async function changedAdReply(tx: Tx, adId: number): Promise<Ad> {
  return adReply((await findAd(tx, { id: adId })) as AdRow);
}
