import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { deleteWebsite as deleteWebsiteCall } from '#domain/inventory/contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { hostOf } from '#server/platform/net/web-address.ts';
import { removePageViews } from '../page-views/store.ts';
import { dropSitePicture } from './site-picture.ts';
import { normalizeAddress } from '../ownership/site-address.ts';
import { selectOwnWebsite } from '../store.ts';
import { forgetOwnership, lockHost } from '../ownership/store-ownership.ts';
import {
  archiveWebsite,
  lockOwnWebsite,
  lockZonesOfWebsite,
  type OpenAd,
  selectOpenAds,
} from '../store-websites.ts';

/**
 * Deletes a website with its zones. It is archived, never erased, so that both sides can still read its history. Its
 * address can be registered again. Throws 409 while it has pending, approved or active ads.
 */
export async function deleteWebsite(
  ctx: Context,
  who: Caller,
  { params }: Pick<Parsed<typeof deleteWebsiteCall>, 'params'>,
): Promise<Reply<typeof deleteWebsiteCall>> {
  await ctx.db.transaction().execute(async (tx) => {
    const known = await selectOwnWebsite(tx, params.ref, who.id);
    if (known) {
      await lockHost(tx, hostOf(normalizeAddress(known.url) ?? known.url));
      await lockZonesOfWebsite(tx, known.id);
    }
    const website = known && (await lockOwnWebsite(tx, { id: known.id }, who.id));
    if (!website) throw notFound('Website not found. Please reload the page.');
    if (!(await archiveWebsite(tx, website.id, ctx.now())))
      throw conflict(whatToDo(await selectOpenAds(tx, website.id)));
    await forgetOwnership(tx, website.id, ctx.now());
    await removePageViews(tx, website.id);
    await dropSitePicture(tx, website);
  });
  return { success: true };
}

const MAX_TITLES = 3;

/** Names the ads that prevent the deletion, and what ends them. */
function whatToDo(ads: readonly OpenAd[]): string {
  const titles = ads.slice(0, MAX_TITLES).map(({ title, status }) => `“${title}” (${status})`);
  const more = ads.length > MAX_TITLES ? [`${ads.length - MAX_TITLES} more`] : [];
  const has = (status: OpenAd['status']) => ads.some((ad) => ad.status === status);
  const steps = [
    has('pending') && 'Approve or reject pending ads.',
    has('approved') && 'Approved ads can be paid for until their approvals expire.',
    has('active') && 'Active campaigns have to complete.',
  ].filter((step) => step !== false);
  return `This website has ${ads.length === 1 ? 'an open ad' : `${ads.length} open ads`}: ${[...titles, ...more].join(', ')}. ${steps.join(' ')} Hide the website to stop selling now.`;
}
