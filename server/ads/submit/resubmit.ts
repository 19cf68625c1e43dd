import { type AdContent, hasChanged } from '#domain/ads/changes.ts';
import type { Ad, correctAd, resubmitAd } from '#domain/ads/contract.ts';
import { NOTHING_CHANGED, NOTHING_CORRECTED } from '#domain/ads/content.ts';
import { canApply } from '#domain/ads/status.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { storedLimits, type Targeting } from '#domain/targeting/limits.ts';
import { sameLimits } from '#domain/targeting/same-limits.ts';
import { utcDay } from '#domain/time.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { soldDayViews } from '../availability.ts';
import { bookDays } from '../booking/book-days.ts';
import { copyThumbnail, requireOwnMedia } from './own-media.ts';
import { findOwnAd } from '../read.ts';
import { beginReview } from '../review-rules/answer-clock.ts';
import { requireUnblocked } from '../review-rules/block.ts';
import { requireAccepted } from '../review-rules/content-rules.ts';
import { requireSomebody } from '../review-rules/excluded.ts';
import { type AdRow, findAd, lockOfferedZone, lockAd, moveAd } from '../store.ts';
import { limitSubmissions } from './submit.ts';
import { beginChecks } from './target-checks.ts';
import { ownAdReply } from '../reply.ts';

/**
 * Changes the advertiser's own rejected ad, clears the reason and submits the ad again. Price and plan do not change.
 * Media fields that the call leaves out keep their values. If the days that it had are past or booked meanwhile, it takes
 * the next free ones. [OP-059]
 */
export async function resubmit(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof resubmitAd>,
): Promise<Ad> {
  return await change(ctx, who, params.ref, body, {
    action: 'resubmit',
    refusal: ({ status }) => `This ad is ${status}. Only rejected ads can be edited and resubmitted.`,
    unchanged: NOTHING_CHANGED,
    columns: async (tx, ad, now) => ({
      rejectionReason: null,
      approvedAt: null,
      minDayViews: await soldDayViews(ctx, tx, ad),
      ...beginReview(ctx, now),
    }),
    follow: async (tx, ad) => {
      await bookAgain(ctx, tx, ad, body.startDate ?? null);
      await notify(ctx, tx, { kind: 'ad-submitted', adId: ad.id });
    },
  });
}

/**
 * Corrects the advertiser's own pending ad. It becomes a new version, so that the publisher can't approve the one before.
 * Its review goes on: the publisher is not mailed again and has no more time. Throws 409 in every other state.
 */
export async function correct(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof correctAd>,
): Promise<Ad> {
  return await change(ctx, who, params.ref, body, {
    action: 'correct',
    refusal: ({ status }) => `This ad is ${status}. Only ads that wait for approval can be corrected.`,
    unchanged: NOTHING_CORRECTED,
    columns: async () => ({}),
    follow: async () => {},
  });
}

type Change = {
  action: 'resubmit' | 'correct';
  refusal: (ad: AdRow) => string;
  unchanged: string;
  /** The columns that are written with the content. */
  columns: (tx: Tx, ad: AdRow, now: Date) => Promise<Parameters<typeof moveAd>[4]>;
  /** The work that follows in the same transaction. */
  follow: (tx: Tx, ad: AdRow) => Promise<void>;
};

/** Writes new content with all checks of a submission. Fields that the call leaves out keep their values. */
async function change(
  ctx: Context,
  who: Caller,
  ref: Reference,
  body: Parsed<typeof correctAd>['body'] & { startDate?: string | null | undefined },
  { action, refusal, unchanged, columns, follow }: Change,
): Promise<Ad> {
  await limitSubmissions(ctx, who);
  const known = await findOwnAd(ctx.db, who, ref);
  // An address that the ad has already is not copied again, so that an unchanged ad stays unchanged.
  const given = body.imageUrl === undefined ? known.imageUrl : body.imageUrl;
  const isKept = given === known.imageUrl || !canApply(action, known.status);
  const imageUrl = isKept ? given : await copyThumbnail(ctx, who.id, known.adType, given);
  return ctx.db.transaction().execute(async (tx) => {
    // Lock the zone before the ad, in the same order as the deletion of a zone, so that the two cannot deadlock.
    const zone = await lockOfferedZone(tx, { id: known.adZoneId });
    const ad = (await lockAd(tx, { id: known.id })) as AdRow;
    if (!canApply(action, ad.status)) throw conflict(refusal(ad));
    if (!zone)
      throw conflict("This ad's zone is no longer available. Please create an ad for another ad zone.");
    await requireUnblocked(tx, zone.id, who.id);

    const content: AdContent & { targeting: Targeting | null } = {
      title: body.title ?? ad.title,
      description: body.description ?? ad.description,
      targetUrl: body.targetUrl ?? ad.targetUrl,
      targeting: body.targeting === undefined ? storedLimits(ad.targeting) : body.targeting,
      ...(await requireOwnMedia(tx, who.id, ad.adType, {
        imageUrl,
        videoUrl: body.videoUrl === undefined ? ad.videoUrl : body.videoUrl,
      })),
    };
    const isMoved = !!body.startDate && body.startDate !== ad.chosenStart;
    if (!isMoved && !hasChanged(ad, content) && sameLimits(storedLimits(ad.targeting), content.targeting))
      throw invalid(unchanged);
    await requireAccepted(tx, zone.id, ad.adType, content);
    requireSomebody(content.targeting, zone.excludes);

    const now = ctx.now();
    const changes = { ...content, ...(await columns(tx, ad, now)) };
    if (!(await moveAd(tx, ad.id, action, now, changes)))
      throw conflict('This ad has changed in the meantime. Please reload the page.');
    await beginChecks(ctx, tx, ad.id, content.targetUrl);
    await follow(tx, ad);
    return ownAdReply((await findAd(tx, { id: ad.id })) as AdRow);
  });
}

async function bookAgain(ctx: Context, tx: Tx, ad: AdRow, startDay: string | null): Promise<void> {
  const plan = planOf(ad);
  const isAhead = ad.chosenStart !== null && ad.chosenStart >= utcDay(ctx.now());
  await bookDays(ctx, tx, {
    adId: ad.id,
    zoneId: ad.adZoneId,
    userId: ad.userId,
    plan,
    // Only ads by the day need free days. Others keep a start that is not past.
    startDay: startDay ?? (plan.pricingModel !== 'per_day' && isAhead ? ad.chosenStart : null),
    earliest: ad.chosenStart,
  });
}
