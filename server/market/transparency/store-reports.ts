import { sql } from 'kysely';
import type { Report } from '#domain/transparency/report.ts';
import type { ReportReason } from '#domain/transparency/report-reasons.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type ShownAd = {
  id: number;
  /** The second creative of the ad that this is; null for its first one. */
  variantId: number | null;
  title: string;
  advertiser: string;
};

/** An ad that runs or has run, or its second creative. No visitor can have seen any other ad. */
export async function findShownAd(tx: Tx, publicId: string): Promise<ShownAd | undefined> {
  const { rows } = await sql<ShownAd>`
    select a.id, found.variant_id, found.title, advertiser_name(a.user_id) as advertiser
      from (
        select id, null::integer as variant_id, title from ads where public_id = ${publicId}
        union all
        select ad_id, id, title from ad_variants
          where public_id = ${publicId} and decided_at is not null and status <> 'rejected') as found
      join ads a on a.id = found.id
      where a.status in ('active', 'completed')`.execute(tx);
  return rows[0];
}

/** Returns whether the report is new. Inserting the same report again changes nothing. */
export async function insertReport(
  tx: Tx,
  { id: adId, variantId }: Pick<ShownAd, 'id' | 'variantId'>,
  report: Report,
  createdAt: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('adReports')
    .values({ ...report, adId, variantId, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export type OpenCaseRow = {
  adId: number;
  title: string;
  /** The number of open reports, and when the first of them arrived. */
  reports: number;
  since: Date;
  reasons: ReportReason[];
};

/** The ads with open reports, the longest-waiting first. Only open reports are read, and they are few. */
export async function selectOpenCases(
  tx: Tx,
  { after, limit }: { after: { since: Date; adId: number } | null; limit: number },
): Promise<OpenCaseRow[]> {
  const { rows } = await sql<OpenCaseRow>`
    select r.ad_id, a.title, r.reports, r.since, r.reasons
      from (
        select ad_id, count(*)::integer as reports, min(created_at) as since,
            array_agg(distinct reason order by reason) as reasons
          from ad_reports where closed_at is null group by ad_id
      ) as r
      join ads a on a.id = r.ad_id
      where ${after ? sql`(r.since, r.ad_id) > (${after.since}, ${after.adId})` : sql`true`}
      order by r.since, r.ad_id
      limit ${limit}`.execute(tx);
  return rows;
}

export async function countOpenCases(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('adReports')
    .select(sql<string>`count(distinct ad_id)`.as('count'))
    .where('closedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function closeReportsOf(tx: Tx, adId: number, closedAt: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('adReports')
    .set({ closedAt })
    .where('adId', '=', adId)
    .where('closedAt', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export type ReportRow = {
  reason: ReportReason;
  details: string;
  email: string | null;
  createdAt: Date;
  closedAt: Date | null;
  /** The title of the second creative that the report is about; null if it is about the first one. */
  creative: string | null;
};

/** Newest first. */
export async function listReports(tx: Tx, adId: number, limit: number): Promise<ReportRow[]> {
  return await tx
    .selectFrom('adReports')
    .leftJoin('adVariants', 'adVariants.id', 'adReports.variantId')
    .select(['reason', 'details', 'email', 'adReports.createdAt', 'closedAt', 'adVariants.title as creative'])
    .where('adReports.adId', '=', adId)
    .orderBy('adReports.createdAt', 'desc')
    .limit(limit)
    .execute();
}

export async function countReports(tx: Tx, adId: number, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('adReports')
    .select(sql<number>`count(*)`.as('count'))
    .where('adId', '=', adId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Makes concurrent reports of one ad wait for each other, so that each counts those before it. */
export async function lockReportsOf(tx: Tx, adId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('ad_reports'), ${adId})`.execute(tx);
}

export async function deleteReportsBefore(tx: Tx, instant: Date): Promise<void> {
  await tx.deleteFrom('adReports').where('createdAt', '<', instant).execute();
}
