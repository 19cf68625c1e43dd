import { type AdContent, hasChanged } from '#domain/ads/changes.ts';
import { type Ad, NOTHING_CHANGED, type resubmitAd } from '#domain/ads/contract.ts';
import { canApply } from '#domain/ads/status.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Context, Who } from '../context.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { notify } from '../notifications/notify.ts';
import { requireOwnMedia } from './own-media.ts';
import { type AdRow, findAd, holdOpenZone, lockAd, moveAd } from './store.ts';
import { viewAd } from './view.ts';

/**
 * Changes one's own rejected ad and submits it again; the reason is cleared (OP-059). Price and plan stay what they
 * were. Media that the call leaves out stay too.
 */
export async function resubmit(
  ctx: Context,
  who: Who,
  { params, body }: Parsed<typeof resubmitAd>,
): Promise<Ad> {
  return ctx.db.transaction().execute(async (tx) => {
    const known = await findAd(tx, params.ref);
    if (!known || known.userId !== who.id) throw notFound('Ad not found');
    // The zone before the ad, as when a zone is deleted: two that lock in the same order never wait for each other.
    const zone = await holdOpenZone(tx, { id: known.adZoneId });
    const ad = (await lockAd(tx, { id: known.id })) as AdRow;
    if (!canApply('resubmit', ad.status)) {
      throw conflict(`This ad is ${ad.status}; only rejected ads can be changed`);
    }
    if (!zone) throw conflict('The ad zone of this ad is no longer available');

    const content: AdContent = {
      title: body.title,
      description: body.description,
      targetUrl: body.targetUrl,
      ...(await requireOwnMedia(tx, who.id, ad.adType, {
        imageUrl: body.imageUrl === undefined ? ad.imageUrl : body.imageUrl,
        videoUrl: body.videoUrl === undefined ? ad.videoUrl : body.videoUrl,
      })),
    };
    if (!hasChanged(ad, content)) throw invalid(NOTHING_CHANGED);

    const changes = { ...content, rejectionReason: null, approvedAt: null };
    if (!(await moveAd(tx, ad.id, 'resubmit', ctx.now(), changes)))
      throw conflict('This ad was changed meanwhile.');
    await notify(ctx, tx, { kind: 'ad-submitted', adId: ad.id });
    return viewAd((await findAd(tx, { id: ad.id })) as AdRow);
  });
}
