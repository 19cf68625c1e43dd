import { archivedSince } from '#domain/transparency/reach.ts';
import { REPORTS_KEPT_DAYS } from '#domain/transparency/report.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { decodeKeys, encodeKeys, pageBy } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import {
  type ArchivedAd,
  type ArchivedCreative,
  deleteArchivedBefore,
  findArchivedAd,
  listShownSeconds,
  selectArchive,
  selectArchiveOfWebsite,
} from './store-archive.ts';
import { deleteReportsBefore } from './store-reports.ts';

export type { ArchivedAd };

const PAGE_SIZE = 24;

/** Ads with at least one counted view that haven't ended more than a year ago, newest first. `search` matches their texts and advertisers. */
export async function browseArchive(
  ctx: Context,
  { search, cursor }: { search: string; cursor: string | undefined },
): Promise<Page<ArchivedAd>> {
  const keys = cursor === undefined ? null : decodeKeys(cursor, ['time', 'id']);
  const before = keys && { startedAt: new Date(keys[0]), adId: keys[1] };
  const filter = { search, before, endedAfter: archivedSince(ctx.now()) };
  const rows = await selectArchive(ctx.db, filter, PAGE_SIZE + 1);
  return pageBy(rows, PAGE_SIZE, (row) => encodeKeys([row.startedAt.getTime(), row.adId]));
}

/** The last ads that visitors of a website saw, newest first. */
export async function recentAdsOf(ctx: Context, websiteId: number, limit: number): Promise<ArchivedAd[]> {
  return await selectArchiveOfWebsite(ctx.db, websiteId, archivedSince(ctx.now()), limit);
}

/** An ad of the archive with its second creatives. */
export async function showArchivedAd(
  ctx: Context,
  publicId: string,
): Promise<{ ad: ArchivedAd; seconds: ArchivedCreative[] } | null> {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(publicId);
  const ad = isUuid ? await findArchivedAd(ctx.db, publicId, archivedSince(ctx.now())) : null;
  return ad && { ad, seconds: await listShownSeconds(ctx.db, ad.adId) };
}

/** The scheduled job that deletes archive entries and reports after a year. */
export async function forgetOldTransparency(ctx: Context): Promise<void> {
  await deleteArchivedBefore(ctx.db, archivedSince(ctx.now()));
  await deleteReportsBefore(ctx.db, later(ctx.now(), -REPORTS_KEPT_DAYS * DAY_MS));
}
