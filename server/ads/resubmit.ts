import { type AdContent, hasChanged } from '#domain/ads/changes.ts';
import type { Ad, resubmitAd } from '#domain/ads/contract.ts';
import { NOTHING_CHANGED } from '#domain/ads/content.ts';
import { canApply } from '#domain/ads/status.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { utcDay } from '#domain/time.ts';
import type { Context, Caller } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { notify } from '../notifications/notify.ts';
import { holdDays } from './booking/hold.ts';
import { copyThumbnail, requireOwnMedia } from './own-media.ts';
import { type AdRow, findAd, lockOfferedZone, lockAd, moveAd } from './store.ts';
import { beginChecks } from './target-checks.ts';
import { viewOwnAd } from './view.ts';

/**
 * Changes the advertiser's own rejected ad, clears the reason and submits the ad again. Price and plan do not change.
 * Media fields that the call leaves out keep their values. If the days that it had are past or booked meanwhile, it takes
 * the next free ones. [OP-059, WHEN-03]
 */
export async function resubmit(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof resubmitAd>,
): Promise<Ad> {
  const known = await findAd(ctx.db, params.ref);
  if (!known || known.userId !== who.id) throw notFound('Ad not found. Please reload the page.');
  // An address that the ad has already is not copied again, so that an unchanged ad stays unchanged.
  const given = body.imageUrl === undefined ? known.imageUrl : body.imageUrl;
  const isKept = given === known.imageUrl || !canApply('resubmit', known.status);
  const imageUrl = isKept ? given : await copyThumbnail(ctx, who.id, known.adType, given);
  return ctx.db.transaction().execute(async (tx) => {
    // Lock the zone before the ad, in the same order as the deletion of a zone, so that the two cannot deadlock.
    const zone = await lockOfferedZone(tx, { id: known.adZoneId });
    const ad = (await lockAd(tx, { id: known.id })) as AdRow;
    if (!canApply('resubmit', ad.status)) {
      throw conflict(`This ad is ${ad.status}. Only rejected ads can be edited and resubmitted.`);
    }
    if (!zone)
      throw conflict("This ad's zone is no longer available. Please create an ad for another ad zone.");

    const content: AdContent = {
      title: body.title,
      description: body.description,
      targetUrl: body.targetUrl,
      ...(await requireOwnMedia(tx, who.id, ad.adType, {
        imageUrl,
        videoUrl: body.videoUrl === undefined ? ad.videoUrl : body.videoUrl,
      })),
    };
    if (!hasChanged(ad, content)) throw invalid(NOTHING_CHANGED);

    const changes = { ...content, rejectionReason: null, approvedAt: null };
    if (!(await moveAd(tx, ad.id, 'resubmit', ctx.now(), changes)))
      throw conflict('This ad has changed in the meantime. Please reload the page.');
    await holdAgain(ctx, tx, ad);
    await beginChecks(ctx, tx, ad.id, body.targetUrl);
    await notify(ctx, tx, { kind: 'ad-submitted', adId: ad.id });
    return viewOwnAd((await findAd(tx, { id: ad.id })) as AdRow);
  });
}

async function holdAgain(ctx: Context, tx: Tx, ad: AdRow): Promise<void> {
  const plan = planOf(ad);
  const isAhead = ad.chosenStart !== null && ad.chosenStart >= utcDay(ctx.now());
  await holdDays(ctx, tx, {
    adId: ad.id,
    zoneId: ad.adZoneId,
    userId: ad.userId,
    plan,
    // Only ads by the day need free days. Others keep a start that is not past.
    startDay: plan.pricingModel !== 'per_day' && isAhead ? ad.chosenStart : null,
    earliest: ad.chosenStart,
  });
}
