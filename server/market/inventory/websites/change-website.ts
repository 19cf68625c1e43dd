import type { Parsed } from '#domain/endpoint.ts';
import type { updateWebsite, Website } from '#domain/inventory/contract.ts';
import { notifyOfPause, resumeClocks } from '#server/ads/clock/clock.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError, invalid, notFound } from '#server/platform/http/errors.ts';
import { hostOf } from '#server/platform/net/web-address.ts';
import { showOwnWebsite } from '../browse.ts';
import { normalizeAddress } from '../ownership/site-address.ts';
import { lockCategories } from '../categories/categories.ts';
import { selectOwnWebsite, type WebsiteRow } from '../store.ts';
import { admissionOfNew } from '../admission/admission.ts';
import { forgetOwnership, lockHost } from '../ownership/store-ownership.ts';
import {
  forgetTags,
  hasAds,
  lockOwnWebsite,
  lockZonesOfWebsite,
  ruleColumns,
  textColumns,
  type WebsiteChange,
  writeWebsite,
} from '../store-websites.ts';

/**
 * Corrects, hides or shows a website. A hidden website is neither sold nor served. When it is shown again, its campaigns
 * continue, and its per-day campaigns are extended by the time in between. A suspension by the operator stays.
 */
export async function changeWebsite(
  ctx: Context,
  who: Caller,
  { params, body }: Pick<Parsed<typeof updateWebsite>, 'params' | 'body'>,
): Promise<Website> {
  return await ctx.db.transaction().execute(async (tx) => {
    const { url: typed, rules, ...words } = body;
    const requireCategory = words.category === undefined ? undefined : await lockCategories(tx, ctx.config);
    // Checks of ownership lock the host before the website, and submissions lock the zone before it.
    const known = typed === undefined ? undefined : await selectOwnWebsite(tx, params.ref, who.id);
    if (known) {
      await lockHost(tx, hostOf(normalizeAddress(known.url) ?? known.url));
      await lockZonesOfWebsite(tx, known.id);
    }
    const website = await lockOwnWebsite(tx, params.ref, who.id);
    if (!website) throw notFound('Website not found. Please reload the page.');
    if (words.category !== undefined) requireCategory?.(words.category, website.category);
    const now = ctx.now();
    const change: WebsiteChange = {
      ...words,
      ...ruleColumns(rules),
      ...textColumns(words),
      ...(typed !== undefined && { url: await newAddress(tx, website, typed, now) }),
    };
    // The operator has looked at the old address only.
    if (change.url !== undefined && change.url !== website.url && website.review === null)
      Object.assign(change, await admissionOfNew(ctx, tx, change.url));
    if (change.isActive !== undefined && change.isActive !== website.isActive)
      change.pausedAt = change.isActive ? null : now;
    const isPause = website.isActive && change.isActive === false;
    if (isPause) await notifyOfPause(ctx, tx, { of: 'website', id: website.id }, now);
    const written = await writeWebsite(tx, website.id, change, now);
    if (website.pausedAt && written.isActive) {
      const pause = { from: website.pausedAt, to: now };
      await resumeClocks(ctx, tx, { of: 'website', id: website.id }, pause);
    }
    return await showOwnWebsite(ctx, tx, written);
  });
}

/**
 * Returns the normalized address. A new address ends the verification of the old one, and its tags count as unseen.
 * Throws 409 for a new address once an ad has been submitted, because the advertiser chose the website at the old one.
 */
async function newAddress(tx: Tx, website: WebsiteRow, typed: string, now: Date): Promise<string> {
  const url = normalizeAddress(typed);
  if (url === null) throw invalid('Please enter a valid URL', 'url');
  if (url === website.url) return url;
  if (await hasAds(tx, website.id)) {
    const path = 'url';
    const message =
      'The address can’t be changed, because ads have been submitted for this website. Add the new address as another website.';
    throw new HttpError(409, message, { issues: [{ path, message }] });
  }
  await forgetOwnership(tx, website.id, now);
  await forgetTags(tx, website.id);
  return url;
}
