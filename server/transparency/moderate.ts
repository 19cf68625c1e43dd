import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { type ArchivedAd, findShownById } from './store-archive.ts';
import { findReported, listReports, type ReportRow } from './store-reports.ts';

/** A reported ad as the operator sees it. */
export type ReportedCase = {
  adId: number;
  ad: ArchivedAd;
  status: string;
  takenDownReason: string | null;
  advertiserEmail: string;
  publisherEmail: string;
  /** Newest first, at most 100. */
  reports: ReportRow[];
};

export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The case for a key from the operator's mail. Null for any other key. */
export async function openCase(ctx: Context, key: string): Promise<ReportedCase | null> {
  const found = await findReported(ctx.db, hashKey(key));
  if (!found) return null;
  const ad = await findShownById(ctx.db, found.adId);
  if (!ad) return null;
  return { ...found, ad, reports: await listReports(ctx.db, found.adId, 100) };
}
