/** The advertiser adds, reads and takes away the second creatives of a campaign (docs/decisions/071-review-clock.md). */
import { hasChanged } from '#domain/ads/changes.ts';
import { MAX_VARIANTS } from '#domain/ads/variants.ts';
import type { addVariant, listVariants, removeVariant, Variant } from '#domain/ads/variants-contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import { lockLiveAccount } from '#server/platform/http/limits/quotas.ts';
import type { Page } from '#server/platform/http/route.ts';
import { notify } from '#server/notify/notify.ts';
import { copyThumbnail, requireOwnMedia } from '../submit/own-media.ts';
import { findOwnAd, lockOwnAd } from '../read.ts';
import { requireUnblocked } from '../review-rules/block.ts';
import { requireAccepted } from '../review-rules/content-rules.ts';
import { isTrusted, trustedHostOf } from '../review-rules/trust.ts';
import type { AdRow } from '../store.ts';
import { limitSubmissions } from '../submit/submit.ts';
import { requireUnlisted } from '../submit/target-checks.ts';
import { approveNow } from './decide.ts';
import { closeVariant, findVariant, insertVariant, listVariantsOf, listVariantsOfOwner } from './store.ts';
import { variantReply } from './reply.ts';

const SAME = 'Change at least one field. This is the creative that is shown already.';

/** Submits a second creative of an own running campaign, with all checks of an ad. */
export async function add(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof addVariant>,
): Promise<Variant> {
  const known = await findOwnAd(ctx.db, who, params.ref);
  requireRunning(known);
  await limitSubmissions(ctx, who);
  const imageUrl = await copyThumbnail(ctx, who.id, known.adType, body.imageUrl ?? null);
  return await ctx.db.transaction().execute(async (tx) => {
    await lockLiveAccount(tx, who.id);
    const ad = await lockOwnAd(tx, who, params.ref);
    requireRunning(ad);
    await requireUnblocked(tx, ad.adZoneId, who.id);
    const all = await listVariantsOf(tx, ad.id);
    const open = all.find(({ status }) => status === 'pending' || status === 'approved');
    if (open)
      throw conflict(
        open.status === 'pending'
          ? 'A second creative of this campaign is waiting for approval. Remove it to submit another one.'
          : 'This campaign shows two creatives already. Remove the second one to submit another one.',
      );
    const number = (all[0]?.number ?? 0) + 1;
    if (number > MAX_VARIANTS)
      throw conflict(
        `This campaign has had ${MAX_VARIANTS} second creatives, and can have no more. Create another ad to try more.`,
      );
    const content = {
      title: body.title,
      description: body.description,
      targetUrl: body.targetUrl,
      ...(await requireOwnMedia(tx, who.id, ad.adType, { imageUrl, videoUrl: body.videoUrl ?? null })),
    };
    if (!hasChanged(ad, content)) throw invalid(SAME);
    await requireAccepted(tx, ad.adZoneId, ad.adType, content);
    requireUnlisted(ctx, content.targetUrl);
    const now = ctx.now();
    const variant = await insertVariant(tx, {
      ...content,
      adId: ad.id,
      number,
      createdAt: now,
      // The job 'check-targets' opens the target within a minute.
      checkDueAt: now,
    });
    const asTrusted = { ...ad, targetUrl: variant.targetUrl };
    if (!(await isTrusted(tx, asTrusted))) {
      await notify(ctx, tx, { kind: 'variant-submitted', adId: ad.id, creative: variant });
      return variantReply(variant, ad.publicId);
    }
    await notify(ctx, tx, { kind: 'variant-trusted', adId: ad.id, creative: variant });
    // The first creative is one of the ads that tell where the advertiser's targets lead.
    const host = await trustedHostOf(tx, { ...asTrusted, id: 0 });
    return variantReply(await approveNow(ctx, tx, ad, variant, now, host), ad.publicId);
  });
}

/** The second creatives of an own campaign, newest first. */
export async function variantsOf(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof listVariants>,
): Promise<Variant[]> {
  const ad = await findOwnAd(ctx.db, who, params.ref);
  return (await listVariantsOf(ctx.db, ad.id)).map((row) => variantReply(row, ad.publicId));
}

/** Takes away a second creative. Within two seconds, all instances show the first one only. */
export async function remove(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof removeVariant>,
): Promise<Variant> {
  return await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockOwnAd(tx, who, params.ref);
    const variant = await findVariant(tx, params.variant);
    if (!variant || variant.adId !== ad.id)
      throw notFound('This campaign has no such creative. Please reload the page.');
    const removed = await closeVariant(tx, variant.id, 'advertiser', ctx.now());
    if (!removed) throw conflict('This creative isn’t shown anymore. Please reload the page.');
    return variantReply(removed, ad.publicId);
  });
}

/** All second creatives of the user's ads, for the export of their data. */
export async function ownVariants(
  ctx: Context,
  who: Caller,
  cursor: string | undefined,
): Promise<Page<Variant>> {
  const limit = 100;
  const after = decodeCursor(cursor) ?? 0;
  const rows = await listVariantsOfOwner(ctx.db, who.id, { after, limit: limit + 1 });
  return pageOf(
    rows.map((row) => variantReply(row, row.adPublicId)),
    limit,
  );
}

/** A paused campaign goes on, so it may get a second creative. One that ends with its cancel may not. */
function requireRunning({ status, cancelAskedAt }: AdRow): void {
  if (status === 'active' && cancelAskedAt === null) return;
  throw conflict(
    status === 'active' || status === 'completed'
      ? 'This campaign is over, so it can’t get a second creative.'
      : 'Only a paid campaign can get a second creative. Correct or resubmit this ad instead.',
  );
}
