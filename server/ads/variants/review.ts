/** The publisher's list of what waits, and their answer: for ads, and for second creatives, which have the same calls. */
import type {
  Ad,
  approveAd as approveCall,
  getAdDetails,
  listPendingAds,
  rejectAd as rejectCall,
  Submission,
} from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { adDetails, pendingAds } from '../read.ts';
import { noteAnswer } from '../review-rules/answer-clock.ts';
import { trustAdvertiser } from '../review-rules/trust.ts';
import { approve, reject } from '../submit/review.ts';
import { findAdvertisers } from '../store-advertisers.ts';
import { type AdRow, findAd, lockAd } from '../store.ts';
import { adReply } from '../reply.ts';
import { approveNow, rejectNow } from './decide.ts';
import { findVariant, listPendingVariantsOf, lockVariant, type VariantRow } from './store.ts';
import { adWith, variantSubmissionReply } from './reply.ts';

const DEFAULT_LIMIT = 100;
const NOT_FOUND = 'Ad not found. Please reload the page.';

/** Pending ads and second creatives in the user's own zones, oldest first. Both have numbers of one sequence. */
export async function pending(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listPendingAds>,
): Promise<Page<Submission>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const after = decodeCursor(query.cursor) ?? 0;
  const ads = await pendingAds(ctx, who, { after, limit: limit + 1 });
  const variants = await listPendingVariantsOf(ctx.db, who.id, { after, limit: limit + 1 });
  if (variants.length === 0) return pageOf(ads, limit);
  const shown = await Promise.all(variants.map(async (variant) => await submissionOf(ctx, ctx.db, variant)));
  return pageOf([...ads, ...shown].toSorted((one, other) => one.id - other.id).slice(0, limit + 1), limit);
}

/** Shows an ad or a second creative to its advertiser or to the zone's publisher. */
export async function details(
  ctx: Context,
  who: Caller,
  input: Parsed<typeof getAdDetails>,
): Promise<Submission> {
  const variant = await findVariant(ctx.db, input.params.ref);
  if (!variant) return await adDetails(ctx, who, input);
  const ad = await campaignOf(ctx.db, variant);
  if (ad.userId !== who.id && ad.publisherId !== who.id) throw notFound(NOT_FOUND);
  return await submissionOf(ctx, ctx.db, variant);
}

export async function approveAny(ctx: Context, who: Caller, input: Parsed<typeof approveCall>): Promise<Ad> {
  if (!(await findVariant(ctx.db, input.params.ref))) return await approve(ctx, who, input);
  return await ctx.db.transaction().execute(async (tx) => {
    const { ad, variant } = await lockForReview(tx, who, input.params.ref);
    const now = ctx.now();
    const approved = await approveNow(ctx, tx, ad, variant, now);
    await noteAnswer(tx, { websiteId: ad.websiteId, reviewSince: variant.createdAt }, now);
    if (input.body.trust) await trustAdvertiser(tx, { ...ad, targetUrl: variant.targetUrl }, now);
    return adReply(adWith(ad, approved, null));
  });
}

export async function rejectAny(ctx: Context, who: Caller, input: Parsed<typeof rejectCall>): Promise<Ad> {
  if (!(await findVariant(ctx.db, input.params.ref))) return await reject(ctx, who, input);
  return await ctx.db.transaction().execute(async (tx) => {
    const { ad, variant } = await lockForReview(tx, who, input.params.ref);
    const rejected = await rejectNow(ctx, tx, variant, input.body.rejectionReason);
    await noteAnswer(tx, { websiteId: ad.websiteId, reviewSince: variant.createdAt }, ctx.now());
    return adReply(adWith(ad, rejected, null));
  });
}

/** Locks a pending second creative and its running campaign. Throws 404 if they are in another publisher's zone. */
async function lockForReview(
  tx: Tx,
  who: Caller,
  ref: Reference,
): Promise<{ ad: AdRow; variant: VariantRow }> {
  const found = await findVariant(tx, ref);
  const ad = found && (await lockAd(tx, { id: found.adId }));
  if (!ad || ad.publisherId !== who.id) throw notFound(NOT_FOUND);
  const variant = await lockVariant(tx, found.id);
  if (variant.status !== 'pending')
    throw conflict(`This creative is already ${variant.status}. Please reload the page.`);
  if (ad.status !== 'active')
    throw conflict('The campaign of this creative is over. Please reload the page.');
  return { ad, variant };
}

async function submissionOf(ctx: Context, tx: Tx, variant: VariantRow): Promise<Submission> {
  const ad = await campaignOf(tx, variant);
  const { approvalDays } = ctx.config;
  const dueAt = approvalDays === 0 ? null : later(variant.createdAt, approvalDays * DAY_MS);
  const shown = adWith(ad, variant, dueAt);
  return variantSubmissionReply(ad, shown, await findAdvertisers(tx, [ad.userId]));
}

async function campaignOf(tx: Tx, { adId }: VariantRow): Promise<AdRow> {
  return (await findAd(tx, { id: adId })) as AdRow;
}
