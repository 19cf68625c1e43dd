import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeKeys, encodeKeys, pageBy } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { type ArchivedAd, type ArchivedCreative, findShownById, listShownSeconds } from './store-archive.ts';
import {
  closeReportsOf,
  countOpenCases,
  listReports,
  type OpenCaseRow,
  type ReportRow,
  selectOpenCases,
} from './store-reports.ts';

/** A reported ad as the operator sees it. */
export type ReportedCase = {
  ad: ArchivedAd;
  /** The second creatives that its visitors saw. */
  seconds: ArchivedCreative[];
  /** Newest first, at most 100. */
  reports: ReportRow[];
};

/** The ad as it is shown, and its reports. Null if there is no such ad. */
export async function reportedCase(ctx: Context, adId: number): Promise<ReportedCase | null> {
  const ad = await findShownById(ctx.db, adId);
  if (!ad) return null;
  return {
    ad,
    seconds: await listShownSeconds(ctx.db, adId),
    reports: await listReports(ctx.db, adId, 100),
  };
}

export type OpenCase = OpenCaseRow;

/** The ads with open reports, the longest-waiting first. */
export async function openCases(
  ctx: Context,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<OpenCase>> {
  const keys = cursor === undefined ? null : decodeKeys(cursor, ['time', 'id']);
  const after = keys && { since: new Date(keys[0]), adId: keys[1] };
  const rows = await selectOpenCases(ctx.db, { after, limit: limit + 1 });
  return pageBy(rows, limit, ({ since, adId }) => encodeKeys([since.getTime(), adId]));
}

/** Closes the open reports of an ad, in the transaction of the operator's decision. Returns how many there were. */
export async function closeReports(tx: Tx, adId: number, now: Date): Promise<number> {
  return await closeReportsOf(tx, adId, now);
}

export async function openCaseCount(ctx: Context): Promise<number> {
  return await countOpenCases(ctx.db);
}
